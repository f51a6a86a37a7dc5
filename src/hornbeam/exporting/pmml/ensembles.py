"""MiningModel: means and votes of trees, and sums of trees with a link.

The terms of a sum are added in the order of the segments; the base is the first of them, a tree of one node. A link is
a regression model behind the sums: `logit`, `softmax` or `exp`.
"""

from __future__ import annotations

from hornbeam.exporting.model import ForestModel
from hornbeam.exporting.pmml.columns import Columns
from hornbeam.exporting.pmml.predicates import TRUE, level_text, number_text
from hornbeam.exporting.pmml.trees import tree_model
from hornbeam.exporting.pmml.xml import Element, element
from hornbeam.tree.forest import score_schema

_LINKS = {"logistic": "logit", "softmax": "softmax", "exp": "exp"}


def forest_model(model: ForestModel, columns: Columns, mining: Element, inner: Element, *more: Element) -> Element:
    """An ensemble; `inner` is the mining schema of its members."""
    if model.combine == "sum":
        return _sum(model, columns, mining, inner, *more)
    is_equal = len(set(model.weights)) == 1
    votes = model.combine == "vote"
    method = (
        ("majorityVote" if is_equal else "weightedMajorityVote")
        if votes
        else ("average" if is_equal else "weightedAverage")
    )
    segments = [
        _segment(index, tree_model(tree, model.schema, columns, inner), weight=None if is_equal else weight)
        for index, (tree, weight) in enumerate(zip(model.members, model.weights, strict=True), start=1)
    ]
    return _mining(method, segments, mining, *more, is_class=model.is_class)


def _sum(model: ForestModel, columns: Columns, mining: Element, inner: Element, *more: Element) -> Element:
    """The sums of all outputs, then the link."""
    if model.link == "identity":
        return _output_sum(model, 0, columns, mining, inner, *more)
    names = [_free(f"score_{output}", model) for output in range(model.width)]
    sums = [
        _segment(
            output + 1,
            _output_sum(
                model,
                output,
                columns,
                inner,
                inner,
                element(
                    "Output",
                    element(
                        "OutputField",
                        name=name,
                        optype="continuous",
                        dataType="double",
                        feature="predictedValue",
                        isFinalResult="false",
                    ),
                ),
            ),
        )
        for output, name in enumerate(names)
    ]
    outputs = [part for part in more if part.name == "Output"]
    link = _segment(len(sums) + 1, _link(model, names, mining, *outputs))
    return _mining("modelChain", [*sums, link], mining, is_class=model.is_class)


def _output_sum(
    model: ForestModel, output: int, columns: Columns, mining: Element, inner: Element, *more: Element
) -> Element:
    base = element(
        "TreeModel",
        inner,
        element("Node", TRUE, id=0, score=number_text(model.base[output])),
        functionName="regression",
    )
    schema = score_schema(model.schema)
    segments = [_segment(1, base)]
    for tree, weight, own in zip(model.members, model.weights, model.outputs, strict=True):
        if own == output:
            segments.append(_segment(len(segments) + 1, tree_model(tree, schema, columns, inner, weight=weight)))
    return _mining("sum", segments, mining, *more, is_class=False)


def _link(model: ForestModel, names: list[str], mining: Element, *more: Element) -> Element:
    """The regression model that applies the link to the sums."""
    target = [each for each in mining.children if each.attributes.get("usageType") == "target"]
    fields = [element("MiningField", name=name, usageType="active") for name in names]
    tables = []
    if model.link == "exp":
        tables = [_table(names[0])]
    elif model.link == "logistic":
        tables = [_table(names[0], model.classes[1]), _table(None, model.classes[0])]
    else:
        tables = [_table(name, label) for name, label in zip(names, model.classes, strict=True)]
    return element(
        "RegressionModel",
        element("MiningSchema", *target, *fields),
        *more,
        *tables,
        functionName="classification" if model.is_class else "regression",
        normalizationMethod=_LINKS[model.link],
    )


def _table(name: str | None, label: object = None) -> Element:
    terms = [] if name is None else [element("NumericPredictor", name=name, coefficient="1.0")]
    category = None if label is None else level_text(label)
    return element("RegressionTable", *terms, intercept="0.0", targetCategory=category)


def _segment(number: int, model: Element, weight: float | None = None) -> Element:
    return element("Segment", TRUE, model, id=number, weight=None if weight is None else number_text(weight))


def _mining(method: str, segments: list[Element], mining: Element, *more: Element, is_class: bool) -> Element:
    return element(
        "MiningModel",
        mining,
        *more,
        element("Segmentation", *segments, multipleModelMethod=method),
        functionName="classification" if is_class else "regression",
    )


def _free(name: str, model: ForestModel) -> str:
    while name in model.schema.names or (model.schema.target is not None and name == model.schema.target.name):
        name += "_"
    return name
