"""The notebook view of an estimator: scikit-learn's box with the fitted model next to it.

A tree is a plot in a closed frame, a forest and rules are tables; before `fit` there is only the box. On a narrow page
the model is below the box.
"""

from __future__ import annotations

from typing import Any

_ROW = "display: flex; flex-wrap: wrap; gap: 1em; align-items: flex-start"
_WIDE = "flex: 1 1 30em; min-width: 0"


class ShowsModel:
    """A mixin before scikit-learn's base class; a subclass returns the HTML of its model."""

    def _model_html(self) -> str:
        """The fitted model as HTML; empty before `fit`."""
        return ""

    def _repr_html_inner(self) -> str:
        box: str = super()._repr_html_inner()  # type: ignore[misc]
        model = self._model_html()
        return f'<div style="{_ROW}"><div>{box}</div><div style="{_WIDE}">{model}</div></div>' if model else box

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]
        # scikit-learn omits HTML if its display is set to text.
        return {**bundle, "text/html": self._repr_html_inner()} if "text/html" in bundle else bundle
