"""The columns of a document: which are open, and the fields computed from several of them (planes, spheres).

An unseen level of an open column is a known value in PMML; in other columns it is a missing one. A column is open where
its unseen levels have a rule of their own, or where a question tests whether it is missing: an unseen level is not.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from hornbeam.exporting.model import ExportModel, Route
from hornbeam.exporting.pmml.xml import Element, element
from hornbeam.table.table import Schema
from hornbeam.tree.questions.forms import Ball, Cuts, Form, Junction, Plane


@dataclasses.dataclass
class Columns:
    """The open columns and the derived fields of a document; equal sums are one field."""

    schema: Schema
    open: frozenset[int] = frozenset()
    names: dict[Plane | Ball, str] = dataclasses.field(default_factory=dict)

    @classmethod
    def of(cls, model: ExportModel) -> Columns:
        """The columns of a model."""
        routes = list(model.routes())
        tested = {form.column for route in routes for form in _forms(route) if isinstance(form, Cuts) and not form.cuts}
        special = {column for route in routes if route.unseen is not None for column in route.columns}
        levels = {index for index, spec in enumerate(model.schema.columns) if spec.has_levels}
        return cls(model.schema, frozenset(levels & (tested | special)))

    def name_of(self, form: Plane | Ball) -> str:
        """The field of a form."""
        if form not in self.names:
            number = len(self.names) + 1
            name = f"{'plane' if isinstance(form, Plane) else 'distance'}_{number}"
            while name in self.schema.names:
                name += "_"
            self.names[form] = name
        return self.names[form]

    def fields(self) -> list[Element]:
        """The definitions of all fields."""
        return [
            element("DerivedField", self._sum(form), name=name, optype="continuous", dataType="double")
            for form, name in self.names.items()
        ]

    def _sum(self, form: Plane | Ball) -> Element:
        """The terms added from left to right, as the model does."""
        terms = [self._term(form, index) for index in range(len(form.columns))]
        total = terms[0]
        for term in terms[1:]:
            total = _apply("+", total, term)
        return total

    def _term(self, form: Plane | Ball, index: int) -> Element:
        value: Element = element("FieldRef", field=self.schema.columns[form.columns[index]].name)
        if form.fill:
            value = _apply("if", _apply("isMissing", value), _constant(form.fill[index]), value)
        if isinstance(form, Plane):
            return _apply("*", _constant(form.weights[index]), value)
        scaled = _apply("/", _apply("-", value, _constant(form.center[index])), _constant(form.scale[index]))
        return _apply("*", scaled, scaled)


def _forms(route: Route) -> Iterator[Form]:
    """The forms of a route, and those inside of them."""
    waiting = [route.form, *(form for form, _ in route.surrogates)]
    while waiting:
        form = waiting.pop()
        yield form
        if isinstance(form, Junction):
            waiting += [literal for literal, _ in form.literals]


def _apply(function: str, *arguments: Element) -> Element:
    return element("Apply", *arguments, function=function)


def _constant(number: float) -> Element:
    return element("Constant", dataType="double", text=repr(float(number)))
