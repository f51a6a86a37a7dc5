"""How to train the same tree again: the recipe as a TOML file, then the call in Python and the commands."""

from __future__ import annotations

import json
import shlex

from hornbeam.drawing.report.text import printable_text
from hornbeam.errors import OptionError
from hornbeam.table.table import Table
from hornbeam.toml_text import toml_text
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree

_BUILT_IN = "hornbeam.datasets: "


def rerun_values(tree: Tree | Forest, table: Table | None) -> list[dict[str, str]]:
    """Titles and code, in the order of use."""
    from hornbeam import __version__

    target = printable_text(tree.schema.target.name if tree.schema.target else "target")
    source = printable_text(table.source) if table is not None and table.source else "DATA.csv"
    is_built_in = source.startswith(_BUILT_IN)
    recipe = _recipe(tree)
    out = []
    if recipe:
        out.append({"title": f"The recipe, of hornbeam {__version__}; save it as recipe.toml:", "code": recipe})
    chosen = '"recipe.toml"' if recipe else '"cart"'
    read = f"hb.read({json.dumps(source, ensure_ascii=False)}, target={json.dumps(target, ensure_ascii=False)})"
    if is_built_in:
        read = f"hb.datasets.load({json.dumps(source.removeprefix(_BUILT_IN))})"
    lines = ["import hornbeam as hb", "", f"table = {read}", f"tree = hb.grow(table, {chosen})"]
    out.append({"title": "In Python:", "code": "\n".join([*lines, 'hb.report(tree, table, path="report.html")'])})
    if not is_built_in:
        data, column = shlex.quote(source), shlex.quote(target)
        given = " --recipe recipe.toml" if recipe else ""
        grow = f"hornbeam grow {data} --target {column}{given} -o model.tree"
        out.append(
            {"title": "On the command line:", "code": f"{grow}\nhornbeam report model.tree {data} -o report.html"},
        )
    return out


def _recipe(tree: Tree | Forest) -> str:
    try:
        return toml_text(tree.recipe).rstrip()
    except OptionError:  # a user-defined part that a file cannot represent
        return ""
