"""How are parameters that are parts read and set from outside?  By the part's parameter, two lines, and its setting.

    TreeClassifier(prune=CostComplexity(alpha=0.01)).get_params()["prune__alpha"]              0.01
    GridSearchCV(TreeClassifier(prune="cost_complexity"), {"prune__alpha": [0, 0.01, 0.1]})

Parts never change, so setting an inner setting puts a new part in the place of the old one. A part given by name is
looked up first, so its settings can be set too.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Self

from sklearn.base import BaseEstimator

from hornbeam.errors import OptionError, did_you_mean, short_repr
from hornbeam.growing.method import Method
from hornbeam.options import Part
from hornbeam.parts.criteria import criteria
from hornbeam.parts.missing import missing
from hornbeam.parts.prunings import prunings
from hornbeam.recipes.recipe import recipe

_SHELVES: dict[str, Any] = {
    "criterion": criteria.part,
    "missing": missing.part,
    "prune": prunings.part,
    "recipe": recipe,
}


class WithParts(BaseEstimator):  # type: ignore[misc]
    """An estimator some of whose parameters are parts.

    A constructor only holds what it is given, as scikit-learn asks: `self._hold(locals())`.
    """

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def _hold(self, given: dict[str, Any]) -> None:
        self.__dict__.update({name: value for name, value in given.items() if name not in ("self", "__class__")})

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; `deep` adds the settings of parts as parameter__setting."""
        params: dict[str, Any] = super().get_params(deep=deep)
        if deep:
            for name, value in list(params.items()):
                params.update({f"{name}__{inner}": setting for inner, setting in _settings(value).items()})
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters, and settings of parts by parameter__setting."""
        known = self.get_params(deep=False)
        inside: dict[str, dict[str, Any]] = {}
        for key in params:
            name, mark, inner = key.partition("__")
            if name not in known:
                raise OptionError(
                    f"Invalid parameter {short_repr(name)} for estimator {type(self).__name__}: it has no such parameter.",
                    hint=did_you_mean(name, known),
                    option=name,
                )
            if mark:
                inside.setdefault(name, {})[inner] = params[key]
        for key, value in params.items():
            if "__" not in key:
                setattr(self, key, value)
        for name, changes in inside.items():
            value = _part(name, getattr(self, name))
            setattr(
                self, name, value.with_changes(**changes) if isinstance(value, Method) else value.replace(**changes)
            )
        return self


def _settings(value: Any) -> dict[str, Any]:
    if isinstance(value, Part):
        return value.settings()
    if isinstance(value, Method):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return {}


def _part(name: str, value: Any) -> Any:
    """The part that a parameter holds, found by its name if need be."""
    if isinstance(value, (Part, Method)):
        return value
    if value is None or name not in _SHELVES:
        raise OptionError(
            f"{name} is {short_repr(value)}, which has no settings of its own.",
            hint=f"Set {name} to a part first." if name in _SHELVES else "",
            option=name,
        )
    return _SHELVES[name](value)
