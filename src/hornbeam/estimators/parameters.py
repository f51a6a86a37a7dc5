"""Parameters whose values are parts: their settings are read and set as `parameter__setting`.

    TreeClassifier(prune=CostComplexity(alpha=0.01)).get_params()["prune__alpha"]              0.01
    GridSearchCV(TreeClassifier(prune="cost_complexity"), {"prune__alpha": [0, 0.01, 0.1]})

Parts are immutable, so setting a setting replaces the part. A part given by name is created first, so that its settings
can be set too.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Self

from sklearn.base import BaseEstimator

from hornbeam.errors import OptionError, did_you_mean, short_repr
from hornbeam.estimators.parameter_docs import DOCUMENTATION, document
from hornbeam.growing.method import Method
from hornbeam.options import Part
from hornbeam.parts.criteria import criteria
from hornbeam.parts.missing import missing
from hornbeam.parts.prunings import prunings
from hornbeam.recipes.recipe import recipe

_FACTORIES: dict[str, Any] = {
    "criterion": criteria.part,
    "missing": missing.part,
    "prune": prunings.part,
    "recipe": recipe,
}


class WithParts(BaseEstimator):  # type: ignore[misc]
    """An estimator some of whose parameters are parts.

    scikit-learn requires that a constructor stores its arguments unchanged under their names, and reads the parameter
    names from its signature. A constructor therefore consists of one call, `self._store_parameters(locals())`, which
    sets one attribute per argument.
    """

    _doc_link_module = "hornbeam"
    _doc_link_template = DOCUMENTATION

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        document(cls)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def _store_parameters(self, arguments: dict[str, Any]) -> None:
        """Set an attribute per constructor argument; `arguments` are the local variables of the constructor."""
        self.__dict__.update({name: value for name, value in arguments.items() if name not in ("self", "__class__")})

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; `deep` adds the settings of parts as `parameter__setting`."""
        params: dict[str, Any] = super().get_params(deep=deep)
        if deep:
            for name, value in list(params.items()):
                params.update({f"{name}__{inner}": setting for inner, setting in _settings(value).items()})
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters, and settings of parts by parameter__setting."""
        known = self.get_params(deep=False)
        nested: dict[str, dict[str, Any]] = {}
        for key in params:
            name, separator, inner = key.partition("__")
            if name not in known:
                raise OptionError(
                    f"Invalid parameter {short_repr(name)} for estimator {type(self).__name__}.",
                    hint=did_you_mean(name, known),
                    option=name,
                )
            if separator:
                nested.setdefault(name, {})[inner] = params[key]
        for key, value in params.items():
            if "__" not in key:
                setattr(self, key, value)
        for name, changes in nested.items():
            if isinstance(getattr(self, name), BaseEstimator):
                getattr(self, name).set_params(**changes)
                continue
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
    """The part that is the value of a parameter, created from its name if necessary."""
    if isinstance(value, (Part, Method)):
        return value
    if value is None or name not in _FACTORIES:
        raise OptionError(
            f"{name} is {short_repr(value)}, which has no settings.",
            hint=f"Set {name} to a part first." if name in _FACTORIES else "",
            option=name,
        )
    return _FACTORIES[name](value)
