"""JSON: the complete model as data, described by a published schema (docs/export-schema.json)."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import Any, ClassVar

from hornbeam.exporting.base import Format
from hornbeam.exporting.model import (
    REJECTED,
    ExportModel,
    ExportNode,
    ExportRule,
    ExportTree,
    ForestModel,
    NestedModel,
    Route,
    RulesModel,
    TreeModel,
)
from hornbeam.options import option
from hornbeam.table.table import Schema
from hornbeam.tree.nodes import ALL_BRANCHES, STAY
from hornbeam.tree.questions.forms import Ball, Cuts, Form, LevelMap, Plane

VERSION = 1
_RESULTS = {STAY: "stay", ALL_BRANCHES: "all_branches", REJECTED: "error"}


@dataclasses.dataclass(frozen=True)
class Json(Format):
    """JSON with every node, question, surrogate and value; the schema of the file is published."""

    name: ClassVar[str] = "json"
    suffixes: ClassVar[tuple[str, ...]] = (".json",)
    indent: int = option(1, "spaces per level of indentation; 0 writes one line", at_least=0, at_most=8)

    def write(self, model: ExportModel) -> str:
        """The model as one JSON object."""
        text = json.dumps(json_values(model), indent=self.indent or None, ensure_ascii=False, allow_nan=False)
        return text + "\n"


def json_values(model: ExportModel) -> dict[str, Any]:
    """The model as values that JSON can represent."""
    target = model.schema.target
    return {
        "format": "hornbeam",
        "version": VERSION,
        "task": "none" if target is None else "classification" if model.is_class else "regression",
        "target": None if target is None else target.name,
        "classes": [_value(level) for level in model.classes],
        "columns": [
            {"name": spec.name, "kind": str(spec.kind), "levels": [_value(level) for level in spec.levels]}
            for spec in model.schema.columns
        ],
        "model": _model(model),
    }


def _model(model: ExportModel) -> dict[str, Any]:
    if isinstance(model, TreeModel):
        return {"type": "tree", "tree": _tree(model.tree)}
    if isinstance(model, ForestModel):
        return {
            "type": "forest",
            "combine": model.combine,
            "link": model.link,
            "base": list(model.base),
            "divisor": model.divisor,
            "weights": list(model.weights),
            "outputs": list(model.outputs),
            "trees": [_tree(tree) for tree in model.trees],
        }
    if isinstance(model, RulesModel):
        default = None if model.default is None else _rule(model.default, model.schema)
        rules = [_rule(rule, model.schema) for rule in model.rules]
        return {"type": "rules", "by": model.by, "rules": rules, "default": default}
    assert isinstance(model, NestedModel)
    return {
        "type": "nested",
        "nodes": [
            {"classes": list(node.classes), "children": [node.first, node.second], "only": node.only}
            | ({} if node.model is None else {"model": _model(node.model)})
            for node in model.nodes
        ],
    }


def _tree(tree: ExportTree) -> dict[str, Any]:
    return {"nodes": [_node(tree, node) for node in tree]}


def _node(tree: ExportTree, node: ExportNode) -> dict[str, Any]:
    nodes = tree.source.nodes
    values = {
        "id": node.index,
        "rows": int(nodes.rows[node.index]),
        "weight": float(nodes.weight[node.index]),
        "values": list(node.values),
        "label": node.label,
    }
    if node.route is None:
        return values
    schema, question = tree.schema, tree.source.question(node.index)
    return values | {
        "children": list(node.children),
        "text": [tree.source.branch_text(node.index, branch) for branch in range(len(node.children))],
        "impurity": float(nodes.impurity[node.index]),
        "gain": float(nodes.gain[node.index]),
        "kind": question.kind,
        **_route(node.route, schema),
        **({"fractions": list(node.fractions)} if node.fractions else {}),
    }


def _route(route: Route, schema: Schema) -> dict[str, Any]:
    return {
        "question": _form(route.form, schema),
        "surrogates": [
            {"question": _form(form, schema), "flipped": is_flipped} for form, is_flipped in route.surrogates
        ],
        "missing": _RESULTS.get(route.missing, route.missing),
        "unseen": "as_missing" if route.unseen is None else _RESULTS.get(route.unseen, route.unseen),
    }


def _rule(rule: ExportRule, schema: Schema) -> dict[str, Any]:
    tests = [{**_test_route(test.route, schema), "accepted": list(test.accepted)} for test in rule.tests]
    return {
        "text": rule.text,
        "tests": tests,
        "values": list(rule.values),
        "label": rule.label,
        "strength": rule.strength,
    }


def _test_route(route: Route, schema: Schema) -> dict[str, Any]:
    """The route of a condition; its results are numbers: branches, -1 undefined, -2 unseen level, -3 rejected."""
    return _route(route, schema) | {"missing": route.missing, "unseen": route.unseen}


def _form(form: Form, schema: Schema) -> dict[str, Any]:
    def name(position: int) -> str:
        return schema.columns[position].name

    if isinstance(form, Cuts):
        missing = form.missing_answer if form.missing_answer >= 0 else None
        cuts = [_value(cut) for cut in form.cuts]
        return {"form": "cuts", "column": name(form.column), "cuts": cuts, "first": form.first, "missing": missing}
    if isinstance(form, LevelMap):
        return {"form": "levels", "column": name(form.column), "branches": list(form.branches)}
    if isinstance(form, Plane):
        return {
            "form": "plane",
            "columns": [name(each) for each in form.columns],
            "weights": list(form.weights),
            "bound": form.bound,
            "fill": list(form.fill),
        }
    if isinstance(form, Ball):
        return {
            "form": "ball",
            "columns": [name(each) for each in form.columns],
            "center": list(form.center),
            "scale": list(form.scale),
            "radius2": form.radius2,
            "fill": list(form.fill),
        }
    literals = [{"question": _form(literal, schema), "negated": negated} for literal, negated in form.literals]
    return {"form": "junction", "any": form.is_any, "literals": literals}


def _value(value: Any) -> Any:
    """A level, a class or a cut: numbers, text and booleans as they are; infinities and other types as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    return value if isinstance(value, (str, int, float, bool)) else str(value)
