"""Sums of trees in PMML: their terms and bases, and the link that a regression model applies to them."""

from __future__ import annotations

import dataclasses

from hornbeam.errors import short_repr
from hornbeam.importing.machinery.pmml_xml import Xml

_LINKS = {"logit": "logistic", "softmax": "softmax", "exp": "exp", "none": "identity"}


@dataclasses.dataclass(frozen=True)
class Term:
    """A tree and its factor."""

    model: Xml
    weight: float


@dataclasses.dataclass(frozen=True)
class Sum:
    """base + sum of weight times tree."""

    base: float
    terms: tuple[Term, ...]

    def scaled(self, factor: float, more: float) -> Sum:
        """The sum times a factor, plus a number."""
        return Sum(self.base * factor + more, tuple(Term(term.model, term.weight * factor) for term in self.terms))


def read_sum(model: Xml) -> Sum:
    """The sum of a model: of its segments, or of the one tree that it is; a tree of one node is part of the base."""
    if model.tag == "TreeModel":
        root = model.one("Node")
        if not root.all("Node"):
            return Sum(root.number("score"), ())
        return Sum(0.0, (Term(model, 1.0),))
    segmentation = model.one("Segmentation")
    method = segmentation.get("multipleModelMethod")
    if method not in ("sum", "weightedSum"):
        segmentation.fail(f"a sum is needed here, got the method {short_repr(method)}")
    base = 0.0
    terms: list[Term] = []
    for segment in segmentation.all("Segment"):
        if segment.first("True") is None:
            segment.fail("segments with a predicate are not supported")
        inner = read_sum(segment.one("TreeModel", "MiningModel"))
        if method == "weightedSum":
            inner = inner.scaled(segment.number("weight", 1.0), 0.0)
        base += inner.base
        terms += inner.terms
    return _rescaled(model, Sum(base, tuple(terms)))


def _rescaled(model: Xml, found: Sum) -> Sum:
    """The sum after the constant and the factor of its target."""
    targets = model.first("Targets")
    if targets is None:
        return found
    target = targets.one("Target")
    if "castInteger" in target.attributes or "min" in target.attributes or "max" in target.attributes:
        target.fail("only rescaleConstant and rescaleFactor are supported")
    return found.scaled(target.number("rescaleFactor", 1.0), target.number("rescaleConstant", 0.0))


def links_of(segments: list[Xml]) -> tuple[str, list[tuple[str | None, Sum]]]:
    """The link of a chain, and per class (None for regression) the sum before it.

    A logistic link has one sum, that of the second class, after the first class without one.
    """
    *models, last = segments
    if last.tag != "RegressionModel":
        last.fail("the last model of the chain must be a RegressionModel")
    sums = {_output_name(model): read_sum(model) for model in models}
    method = last.attributes.get("normalizationMethod", "none")
    if method not in _LINKS:
        last.fail(f"the normalization {short_repr(method)} is not supported")
    tables = [(table.attributes.get("targetCategory"), _linear(table, sums)) for table in last.all("RegressionTable")]
    is_class = last.attributes.get("functionName") == "classification"
    if not is_class and len(tables) == 1 and method in ("exp", "none"):
        return _LINKS[method], [(None, tables[0][1])]
    if is_class and method == "softmax" and len(tables) > 1:
        return "softmax", tables
    if is_class and method == "logit" and len(tables) == 2 and not tables[1][1].terms and tables[1][1].base == 0:
        (second, score), (first, _) = tables
        return "logistic", [(first, Sum(0.0, ())), (second, score)]
    last.fail(f"the normalization {short_repr(method)} with {len(tables)} tables is not supported")


def _linear(table: Xml, sums: dict[str, Sum]) -> Sum:
    """The sum of a regression table: intercept plus coefficient times the output of a model before it."""
    found = Sum(table.number("intercept", 0.0), ())
    for term in table.children:
        if term.tag == "Extension":
            continue
        if (
            term.tag != "NumericPredictor"
            or term.get("name") not in sums
            or term.attributes.get("exponent", "1") != "1"
        ):
            term.fail("a NumericPredictor of the output of an earlier model is needed")
        inner = sums[term.get("name")].scaled(term.number("coefficient"), 0.0)
        found = Sum(found.base + inner.base, (*found.terms, *inner.terms))
    return found


def _output_name(model: Xml) -> str:
    for field in model.one("Output").all("OutputField"):
        if field.attributes.get("feature", "predictedValue") == "predictedValue":
            return field.get("name")
    model.fail("a model of the chain needs an output")
