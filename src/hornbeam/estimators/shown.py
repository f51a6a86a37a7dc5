"""How does an estimator stand in a notebook?  scikit-learn's box, and beside it what was learned.

A tree is its picture in a closed frame, a forest and rules are tables; before `fit` there is the box alone. Where the
page is narrow, what was learned stands below the box.
"""

from __future__ import annotations

from typing import Any

_ROW = "display: flex; flex-wrap: wrap; gap: 1em; align-items: flex-start"
_WIDE = "flex: 1 1 30em; min-width: 0"


class ShowsModel:
    """Stands before scikit-learn's base class; a subclass says what was learned, as HTML."""

    def _model_html(self) -> str:
        """What was learned as HTML; nothing before `fit`."""
        return ""

    def _repr_html_inner(self) -> str:
        box: str = super()._repr_html_inner()  # type: ignore[misc]
        model = self._model_html()
        return f'<div style="{_ROW}"><div>{box}</div><div style="{_WIDE}">{model}</div></div>' if model else box

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]
        # scikit-learn leaves HTML out where its display is set to text.
        return {**bundle, "text/html": self._repr_html_inner()} if "text/html" in bundle else bundle
