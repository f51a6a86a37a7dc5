"""Writes docs/guides/compiled.md: what the compiled core grows, part by part, and the combinations that it does not.

    python -m tools.compiled_page            writes the page

The page is made from the registries of the core (`_native.parts()`) and its list of combinations without a kernel; a
test compares it with what this makes.
"""

from __future__ import annotations

import typing
from pathlib import Path
from typing import Any

from hornbeam import _native
from hornbeam.growing.chi_square_afterwards import Tested
from hornbeam.options import Part
from hornbeam.parts.criteria import criteria
from hornbeam.parts.losses import losses
from hornbeam.parts.missing import missing
from hornbeam.parts.orders import orders
from hornbeam.parts.searches import searches
from hornbeam.parts.stops import stops

PAGE = Path(__file__).parents[1] / "docs" / "guides" / "compiled.md"
_TITLES = {
    "criterion": "Criteria",
    "search": "Searches",
    "missing": "Strategies for missing values",
    "stop": "Stops",
    "order": "Orders",
    "loss": "Losses",
}
_HEAD = """# What runs compiled

<!-- written by tools/compiled_page.py -->

`grow` uses the compiled core if it has a kernel for every part of the method and for their combination. If not, the
reference implementation in Python grows the tree: the same tree, more slowly. `engine="core"` raises an error that
names the part or the combination without a kernel:

```python
>>> import hornbeam as hb
>>> table = hb.datasets.load("play_tennis")
>>> recipe = hb.recipe("plain").with_changes(stops=["permutation_test"])
>>> hb.grow(table, recipe, engine="core")
Traceback (most recent call last):
    ...
hornbeam.errors.OptionError: The core has no kernel for the stop permutation_test. Pass engine='auto' or 'python'.

```

Parts of other packages run in the reference implementation.
"""
_COMBINATIONS = """## Combinations that are not compiled

Each part has a kernel, but the reference implementation grows the tree for:

"""


def page() -> str:
    """The text of the page."""
    registries: tuple[Any, ...] = (criteria, searches, missing, stops, orders, losses)
    texts = [_HEAD, *(_table(registry.part_type, _own_parts(registry)) for registry in registries)]
    combinations = "".join(f"- {text}\n" for text in _native.combinations_without_kernel())
    return "\n".join([*texts, _COMBINATIONS + combinations])


def _own_parts(registry: Any) -> list[type[Part]]:
    return [part for part in registry if part.__module__.startswith("hornbeam.")]


def _table(part_type: str, parts: list[type[Part]]) -> str:
    rows = [f"| `{part.name}` | {_how(part)} |" for part in parts]
    return "\n".join([f"## {_TITLES[part_type]}\n", "| part | compiled |", "|---|---|", *rows]) + "\n"


def _how(part: type[Part]) -> str:
    if part.name in _native.parts()[part.part_type]:
        return "yes"
    if part in typing.get_args(Tested):
        return "tested after growth, for tables without missing values and without limits of leaves or nodes"
    if part.part_type == "loss" and part.supports == ("class",):  # type: ignore[attr-defined]
        return "yes: predictions come from the class weights of the leaves"
    return "no"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
