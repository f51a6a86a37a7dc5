"""XGBoost: model files in JSON and UBJSON, `Booster` and the scikit-learn wrappers; gbtree and dart.

XGBoost rounds values to float32 and tests float32(x) < cut; the converted cuts are moved to the boundary of the
rounding (`machinery/rounding.py`). Its sums are float32 and those of the converted model float64, so predictions agree
to the rounding of float32. The weight of a node is its sum of second derivatives, as in XGBoost's own contributions. At
a set, the levels in it go right; all others, unseen ones included, go left.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.errors import InputError, ModelFileError, NotFittedError, short_repr
from hornbeam.importing.machinery.fields import Fields
from hornbeam.importing.machinery.naming import schema_of
from hornbeam.importing.machinery.source import Given, Source, is_object_of
from hornbeam.importing.machinery.source_tree import tree_of
from hornbeam.importing.machinery.ubjson import from_ubjson
from hornbeam.importing.machinery.xgboost_trees import column_levels, read_tree
from hornbeam.tree.forest import Forest, score_schema

_IDENTITY = (
    "reg:squarederror", "reg:linear", "reg:squaredlogerror", "reg:absoluteerror", "reg:pseudohubererror",
    "reg:quantileerror", "reg:expectileerror", "rank:pairwise", "rank:ndcg", "rank:map",
)  # fmt: skip
_LOGISTIC = ("binary:logistic", "reg:logistic", "binary:logitraw")
_EXP = ("count:poisson", "reg:gamma", "reg:tweedie", "survival:cox", "survival:aft")
_SOFTMAX = ("multi:softprob", "multi:softmax")
_MAX_COLUMNS = 1 << 24
_KNOWN_VERSIONS = range(1, 4)
_UBJ = re.compile(rb"\{[iUIlL]")


class XGBoost(Source):
    """Models of XGBoost."""

    title: ClassVar[str] = "XGBoost (JSON or UBJSON file, Booster, scikit-learn wrapper)"

    @classmethod
    def accepts(cls, given: Given) -> bool:
        """Whether the argument is a JSON or UBJSON file, or an object of XGBoost."""
        if given.data is not None:
            return given.data.lstrip()[:1] == b"{"
        return is_object_of(given, "xgboost")

    @classmethod
    def convert(cls, given: Given) -> Forest:
        """The model as a forest."""
        if given.data is not None:
            return _forest(_parsed(given.data, given.name), given)
        model, classes = given.value, given.classes
        booster = model
        if hasattr(model, "get_params"):
            booster, classes = _booster_of(model, classes)
        data = bytes(booster.save_raw(raw_format="ubj"))
        return _forest(_parsed(data, "The booster"), dataclasses.replace(given, classes=classes))


def _booster_of(model: Any, classes: Any) -> tuple[Any, Any]:
    """The booster of a wrapper with the trees that it predicts with, and its classes."""
    if not model.__sklearn_is_fitted__():
        raise NotFittedError(f"The {type(model).__name__} is not fitted.", hint="Call its fit first.")
    if not (isinstance(model.missing, float) and math.isnan(model.missing)):
        raise InputError(
            f"The model treats {model.missing} as missing.",
            hint="Convert model.get_booster(), and replace that value by NaN in the rows.",
        )
    booster = model.get_booster()
    best = booster.attr("best_iteration")
    if best is not None:
        booster = booster[: int(best) + 1]
    if classes is None and hasattr(model, "n_classes_"):
        classes = model.classes_.tolist()
    return booster, classes


def _parsed(data: bytes, name: str) -> Fields:
    """The learner of a file; an error if it is damaged or of an unknown version."""
    if _UBJ.match(data):
        value = from_ubjson(data, name)
    else:
        try:
            value = json.loads(data.decode("utf-8"))
        except UnicodeDecodeError as error:
            raise ModelFileError(f"{name}: byte {error.start} is not UTF-8 text.") from None
        except json.JSONDecodeError as error:
            raise ModelFileError(
                f"{name}, line {error.lineno}, column {error.colno}: {error.msg}.", line=error.lineno
            ) from None
        except (ValueError, RecursionError):
            raise ModelFileError(f"{name}: values are nested too deeply or have too many digits.") from None
    fields = Fields(value, name)
    version = fields.integers("version").tolist() if "version" in fields.value else fields.get("version")
    if not version or version[0] not in _KNOWN_VERSIONS:
        raise ModelFileError(f"{name}: XGBoost's model version {short_repr(version)} is not known.")
    return fields


def _forest(fields: Fields, given: Given) -> Forest:
    learner = fields.within("learner")
    parameters = learner.within("learner_model_param")
    n = parameters.integer("num_feature", 0, _MAX_COLUMNS)
    booster, factors = _booster(learner)
    model = booster.within("model")
    trees = [
        read_tree(Fields(each, f"{model.place}.trees[{index}]"), n) for index, each in enumerate(model.items("trees"))
    ]
    link, classes, base = _objective(learner, parameters)
    info = model.integers("tree_info", len(trees))
    if len(info) and (info.min() < 0 or info.max() >= len(base)):
        model.fail("tree_info", f"a tree must belong to one of {len(base)} outputs")
    names = [str(name) for name in learner.value.get("feature_names") or ()]
    levels = column_levels(model, trees, n)
    schema = schema_of(given, names or None, n, classes, levels.of)
    scores = score_schema(schema)
    built = tuple(
        tree_of(tree.source_tree(levels), scores, {}, f"{model.place}.trees[{index}]")
        for index, tree in enumerate(trees)
    )
    version = ".".join(map(str, fields.integers("version").tolist()))
    return Forest(
        schema,
        built,
        weights=factors if factors is not None else np.ones(len(built)),
        combine="sum",
        link=link,
        base=base,
        output=info.astype(np.int32),
        metadata={"converted_from": f"XGBoost {version}"},
    )


def _booster(learner: Fields) -> tuple[Fields, npt.NDArray[np.float64] | None]:
    """The trees, and the factor of each tree for dart."""
    booster = learner.within("gradient_booster")
    name = booster.text("name")
    if name == "gbtree":
        return booster, None
    if name == "dart":
        return booster.within("gbtree"), _in_float32(booster.floats("weight_drop"))
    booster.fail("name", f"only gbtree and dart have trees, got {short_repr(name)}")


def _objective(learner: Fields, parameters: Fields) -> tuple[str, list[Any] | None, npt.NDArray[np.float64]]:
    """The link, the classes and the base scores."""
    name = learner.within("objective").text("name")
    if "num_target" in parameters.value:
        parameters.integer("num_target", 0, 1)
    n_classes = parameters.integer("num_class", 0, 1 << 20)
    score = _base_score(parameters)
    if name in _SOFTMAX and n_classes >= 2:
        return "softmax", list(range(n_classes)), np.broadcast_to(score, n_classes).copy()
    if len(score) != 1:
        parameters.fail("base_score", f"one number is needed, got {len(score)}")
    if name in _LOGISTIC:
        if not 0 < score[0] < 1:
            parameters.fail("base_score", f"a number between 0 and 1 is needed, got {score[0]}")
        return "logistic", [0, 1], _in_float32(-np.log(1 / score - 1))
    if name in _EXP:
        if not score[0] > 0:
            parameters.fail("base_score", f"a positive number is needed, got {score[0]}")
        return "exp", None, _in_float32(np.log(score))
    if name in _IDENTITY:
        return "identity", None, score
    learner.within("objective").fail("name", f"the objective {short_repr(name)} is not supported")


def _in_float32(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return numbers.astype(np.float32).astype(np.float64)


def _base_score(parameters: Fields) -> npt.NDArray[np.float64]:
    """The base score as float32 values: one number, or a list of one per class, as text."""
    text = parameters.text("base_score")
    try:
        found = np.array([float(each) for each in text.strip("[] ").split(",")], dtype=np.float64)
    except ValueError:
        parameters.fail("base_score", f"numbers are needed, got {short_repr(text)}")
    if not np.isfinite(found).all():
        parameters.fail("base_score", f"finite numbers are needed, got {short_repr(text)}")
    return _in_float32(found)
