"""PMML: `TreeModel` and `MiningModel` (3.0 to 4.4), as R's pmml, JPMML and others write them.

Means, votes and sums of trees are converted, and chains of sums with a regression model that applies a link (logit,
softmax, exp). Fields of the data type float are compared after rounding to float32.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar

import numpy as np

from hornbeam.errors import ModelFileError, short_repr
from hornbeam.importing.machinery.pmml_ensembles import Sum, Term, links_of, read_sum
from hornbeam.importing.machinery.pmml_schema import level_of, read_fields, schema_with
from hornbeam.importing.machinery.pmml_trees import TreeReader
from hornbeam.importing.machinery.pmml_xml import Xml, read_xml
from hornbeam.importing.machinery.source import Given, Source
from hornbeam.table.column import ColumnSpec
from hornbeam.table.table import Schema
from hornbeam.tree.forest import Forest, score_schema
from hornbeam.tree.nodes import Tree

_MODELS = ("TreeModel", "MiningModel")
_VERSION = re.compile(r"(3\.[0-2]|4\.[0-4](\.[0-9])?)")
_MEANS = ("average", "weightedAverage")
_VOTES = ("majorityVote", "weightedMajorityVote")
_START = re.compile(rb"(\xef\xbb\xbf)?\s*<")


class Pmml(Source):
    """Trees and ensembles in PMML."""

    title: ClassVar[str] = "PMML (TreeModel, MiningModel)"

    @classmethod
    def accepts(cls, given: Given) -> bool:
        """Whether the argument is an XML file."""
        return given.data is not None and _START.match(given.data) is not None

    @classmethod
    def convert(cls, given: Given) -> Tree | Forest:
        """The model as a tree or a forest."""
        assert given.data is not None
        root = read_xml(given.data, given.name)
        if root.tag != "PMML" or not _VERSION.fullmatch(root.attributes.get("version", "")):
            raise ModelFileError(
                f"{given.name}: PMML of version 3.0 to 4.4 is needed, got {short_repr(root.tag)} "
                f"{short_repr(root.attributes.get('version', ''))}."
            )
        model = root.first(*_MODELS)
        if model is None:
            others = [child.tag for child in root.children if child.tag.endswith(("Model", "Network"))]
            raise ModelFileError(f"{given.name}: there is no TreeModel or MiningModel; it has {short_repr(others)}.")
        return _Reader(given, root, model).model()


class _Reader:
    """Reads the model of a document."""

    def __init__(self, given: Given, root: Xml, model: Xml) -> None:
        self.given, self.top = given, model
        self.fields, self.target = read_fields(root, model)
        self.is_class = model.get("functionName") == "classification"
        self.class_type = "string"
        for field in root.one("DataDictionary").all("DataField"):
            if self.target is not None and field.get("name") == self.target.name:
                self.class_type = field.attributes.get("dataType", "string")
        self.about = {"converted_from": f"PMML {root.attributes['version']}"}

    def model(self) -> Tree | Forest:
        if self.top.tag == "TreeModel":
            schema = self._schema(self._classes() if self.is_class else None)
            return self._tree(self.top, schema, self.about)
        segmentation = self.top.one("Segmentation")
        method = segmentation.get("multipleModelMethod")
        segments = [_model_of(segment) for segment in segmentation.all("Segment")]
        weights = [segment.number("weight", 1.0) for segment in segmentation.all("Segment")]
        if method in _MEANS or method in _VOTES:
            return self._mean(
                segmentation, segments, weights if method.startswith("weighted") else [], method in _VOTES
            )
        if method in ("sum", "weightedSum") and not self.is_class:
            return self._sum([read_sum(self.top)], "identity", None)
        if method == "modelChain" and segments:
            link, label_terms = links_of(segments)
            classes = [level_of(segments[-1], self.class_type, label) for label, _ in label_terms if label is not None]
            sums = [found for _, found in label_terms]
            return self._sum(sums[1:] if link == "logistic" else sums, link, classes or None)
        segmentation.fail(f"the method {short_repr(method)} of a {self.top.get('functionName')} is not supported")

    def _mean(self, where: Xml, segments: list[Xml], weights: list[float], votes: bool) -> Forest:
        schema = self._schema(self._classes() if self.is_class else None)
        trees = tuple(self._tree(each, schema, {}) for each in segments)
        if not trees:
            where.fail("there are no segments")
        combine = "vote" if votes else "mean"
        return Forest(schema, trees, weights=np.array(weights), combine=combine, metadata=self.about)

    def _sum(self, sums: list[Sum], link: str, classes: list[Any] | None) -> Forest:
        """A sum of trees per output; a logistic link has the score of the second class."""
        schema = self._schema(classes)
        scores = score_schema(schema)
        terms: list[tuple[int, Term]] = [(output, term) for output, each in enumerate(sums) for term in each.terms]
        return Forest(
            schema,
            tuple(self._tree(term.model, scores, {}) for _, term in terms),
            weights=np.array([term.weight for _, term in terms]),
            combine="sum",
            link=link,
            base=np.array([each.base for each in sums]),
            output=np.array([output for output, _ in terms], dtype=np.int32),
            metadata=self.about,
        )

    def _tree(self, model: Xml, schema: Schema, about: dict[str, Any]) -> Tree:
        if model.tag != "TreeModel":
            model.fail("a TreeModel is needed here")
        if model.first("LocalTransformations", "Targets") is not None:
            model.one("LocalTransformations", "Targets").fail("transformations inside a tree are not supported")
        return TreeReader(model, self.fields, self.class_type, schema.classes if schema.is_class else ()).tree(
            schema, about
        )

    def _schema(self, classes: list[Any] | None) -> Schema:
        return schema_with(self.given, self.fields, self.target, classes)

    def _classes(self) -> list[Any]:
        """The classes of the target, or those of the scores."""
        target: ColumnSpec | None = self.target
        if target is not None and target.levels:
            return list(target.levels)
        found: dict[Any, None] = {}
        waiting = [self.top]
        while waiting:
            here = waiting.pop(0)
            waiting.extend(here.children)
            text = (
                here.attributes.get("score")
                if here.tag == "Node"
                else here.attributes.get("value")
                if here.tag == "ScoreDistribution"
                else None
            )
            if text is not None:
                found[level_of(here, self.class_type, text)] = None
        return sorted(found, key=str)


def _model_of(segment: Xml) -> Xml:
    if segment.one("SimplePredicate", "SimpleSetPredicate", "CompoundPredicate", "True", "False").tag != "True":
        segment.fail("segments with a predicate are not supported")
    return segment.one("TreeModel", "MiningModel", "RegressionModel")
