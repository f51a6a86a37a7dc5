"""PMML 4.4: trees with surrogates, default children, sets, counts and class distributions; ensembles as MiningModel."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from hornbeam.exporting.base import Format
from hornbeam.exporting.features import Feature, n_branches
from hornbeam.exporting.model import ExportModel, ForestModel, Route, RulesModel, TreeModel
from hornbeam.exporting.pmml.columns import Columns
from hornbeam.exporting.pmml.ensembles import forest_model
from hornbeam.exporting.pmml.predicates import level_text
from hornbeam.exporting.pmml.rules import rules_model
from hornbeam.exporting.pmml.trees import tree_model
from hornbeam.exporting.pmml.xml import Element, document, element, is_storable
from hornbeam.table.column import ColumnSpec, Kind
from hornbeam.tree.questions.forms import Cuts, Form, Junction, LevelMap

_NAMESPACE = "http://www.dmg.org/PMML-4_4"


@dataclasses.dataclass(frozen=True)
class Pmml(Format):
    """PMML 4.4, an XML format that many scoring engines read."""

    name: ClassVar[str] = "pmml"
    suffixes: ClassVar[tuple[str, ...]] = (".pmml",)
    cannot: ClassVar[Mapping[Feature, str]] = {
        Feature.NO_TARGET: "It predicts nothing without a target.",
        Feature.RULES_VOTE: "Rules that vote have class probabilities, which a RuleSetModel of PMML lacks.",
        Feature.NESTED: "A nested dichotomy multiplies the probabilities of several models.",
        Feature.CONFIDENCE: "Votes by confidence are not among the methods of a MiningModel.",
        Feature.FRACTIONAL: "Scoring engines do not agree on rows that go down all branches (weightedConfidence).",
        Feature.UNSEEN_ERROR: "PMML rejects an unseen level in every row, the model at the nodes that need it.",
        Feature.MEDIAN: "The trees are combined by a median, which is no sum of their predictions.",
    }

    def unsupported(self, model: ExportModel) -> Sequence[str]:
        """The reasons of the features, and combinations that PMML lacks."""
        found = list(super().unsupported(model))
        found += [f"The text {text!a} cannot be written as XML." for text in _texts(model) if not is_storable(text)][:1]
        found += [f"Column {spec.name!r} has levels of several types." for spec in model.inputs if not _type(spec)]
        if found:
            return found
        return list(dict.fromkeys(_unsupported_routes(model, list(model.routes()))))

    def notes(self, model: ExportModel) -> Sequence[str]:
        """PMML does not define ties between votes."""
        is_vote = isinstance(model, ForestModel) and model.combine == "vote"
        return ["A scoring engine may break ties between votes in another way than the model."] if is_vote else []

    def write(self, model: ExportModel) -> str:
        """The document."""
        columns = Columns.of(model)
        target = model.schema.target
        assert target is not None
        fields = [
            element(
                "MiningField",
                name=model.schema.columns[index].name,
                usageType="active",
                invalidValueTreatment="asMissing" if spec.has_levels and index not in columns.open else "asIs",
            )
            for index, spec in zip(model.used_columns, model.inputs, strict=True)
        ]
        inner = element("MiningSchema", *fields)
        mining = element("MiningSchema", element("MiningField", name=target.name, usageType="target"), *fields)
        output = element("Output", *_outputs(model)) if model.is_class else None
        more = [output] if output is not None else []
        if isinstance(model, TreeModel):
            body = tree_model(model.tree, model.schema, columns, mining, *more)
        elif isinstance(model, RulesModel):
            body = rules_model(model, columns, mining, *more)
        else:
            assert isinstance(model, ForestModel)
            body = forest_model(model, columns, mining, inner, *more)
        dictionary = element("DataDictionary", *(_field(spec) for spec in (target, *model.inputs)))
        parts = [element("Header", element("Application", name="hornbeam")), dictionary]
        if columns.names:
            parts.append(element("TransformationDictionary", *columns.fields()))
        return document(element("PMML", *parts, body, version="4.4", xmlns=_NAMESPACE))


def _texts(model: ExportModel) -> list[str]:
    specs = [*model.inputs, *([model.schema.target] if model.schema.target is not None else [])]
    return [spec.name for spec in specs] + [level for spec in specs for level in spec.levels if isinstance(level, str)]


def _type(spec: ColumnSpec) -> str:
    """The data type of a column; '' if its levels have several types."""
    if not spec.has_levels:
        return "double"
    types = {type(level) for level in spec.levels}
    names = {str: "string", int: "integer", float: "double", bool: "boolean"}
    if types == {int, float}:
        return "double"
    return names.get(types.pop(), "") if len(types) == 1 else ("string" if not types else "")


def _field(spec: ColumnSpec) -> Element:
    optype = {Kind.NUMERIC: "continuous", Kind.ORDINAL: "ordinal", Kind.NOMINAL: "categorical"}[spec.kind]
    values = [element("Value", value=level_text(level)) for level in spec.levels]
    return element("DataField", *values, name=spec.name, optype=optype, dataType=_type(spec))


def _outputs(model: ExportModel) -> list[Element]:
    fields: list[dict[str, Any]] = [{"name": "prediction", "optype": "categorical", "feature": "predictedValue"}]
    for label in model.classes:
        text = level_text(label)
        name = f"probability_{text}"
        fields.append(
            {"name": name, "optype": "continuous", "dataType": "double", "feature": "probability", "value": text}
        )
    assert model.schema.target is not None
    fields[0]["dataType"] = _type(model.schema.target)
    return [element("OutputField", **field) for field in fields]


def _unsupported_routes(model: ExportModel, routes: list[Route]) -> list[str]:
    """Combinations of rules that have no counterpart."""
    found = []
    columns = Columns.of(model)
    for route in routes:
        forms = [route.form, *(form for form, _ in route.surrogates)]
        if any(isinstance(form, Junction) and _has_undefined(form, columns) for form in forms):
            found.append("A conjunction has a level without a branch.")
        is_special = isinstance(route.form, Junction) or route.surrogates or route.missing >= n_branches(route.form)
        if route.unseen is not None and is_special and _reads_levels(model, route):
            found.append("Unseen levels have a rule of their own in a node with surrogates or several columns.")
    return found


def _has_undefined(form: Form, columns: Columns) -> bool:
    if isinstance(form, Junction):
        return any(_has_undefined(literal, columns) for literal, _ in form.literals)
    if isinstance(form, LevelMap):
        return -1 in form.branches or form.column in columns.open
    return isinstance(form, Cuts) and bool(form.cuts) and form.column in columns.open


def _reads_levels(model: ExportModel, route: Route) -> bool:
    return any(model.schema.columns[column].has_levels for column in route.columns)
