"""The package of the guides "Add a part", "Add a kind of question" and "Add an ensemble", installed and used."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests import own_package

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "add-a-part.md"
PARTS = {
    "tsallis": "criterion",
    "min_fraction": "stop",
    "median_cut": "search",
    "differences": "search",
    "subagging": "ensemble",
}

# Every strategy for missing values, with nominal columns in addition to the numeric ones that the search uses.
GROW = """
import json
import hornbeam as hb
from hornbeam.tree import walk
penguins, same = hb.datasets.load("penguins"), {}
for missing in ("surrogates", "fractional", "own_branch", "learned", "impute", "skip_column", "drop_rows"):
    searches = ["median_cut", "differences", "best_subset"]
    tree = hb.grow(penguins, hb.recipe("plain").with_changes(searches=searches, missing=missing))
    found = {tree.question(node).kind for node in range(len(tree)) if not tree.nodes.is_leaf[node]}
    leaves = [walk.leaves(tree, penguins.columns, engine=engine).tolist() for engine in ("core", "python")]
    same[missing] = "difference" in found and leaves[0] == leaves[1]
print(json.dumps(same))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    own_package.install(folder)
    return folder


def test_the_script_prints_what_the_guide_shows(site, tmp_path):
    script = own_package.SOURCE / "try_own_parts.py"
    shown = re.search(
        r"<!-- output: examples/own_package/try_own_parts.py -->\n```text\n(.*?)```",
        GUIDE.read_text("utf-8"),
        re.DOTALL,
    )
    assert shown is not None
    # The script is read from a copy: Python would import the modules next to it instead of the installed ones.
    copied = tmp_path / "script.py"
    copied.write_text(script.read_text("utf-8"), encoding="utf-8")
    assert own_package.run_with(site, ["-W", "error", str(copied)], tmp_path) == shown[1]


@pytest.mark.parametrize("name", PARTS)
def test_the_command_line_shows_each_part(site, tmp_path, name):
    printed = own_package.run_with(site, ["-m", "hornbeam", "parts", name], tmp_path)
    assert printed.startswith(f"{name} ({PARTS[name]}): ")


def test_its_searches_work_with_nominal_columns_and_missing_values(site, tmp_path):
    same = json.loads(own_package.run_with(site, ["-c", GROW], tmp_path))
    assert same == dict.fromkeys(same, True)


def test_a_package_that_cannot_be_imported_is_named(tmp_path):
    own_package.install(tmp_path / "site")
    (tmp_path / "site" / "own_parts" / "tsallis.py").write_text("from hornbeam import no_such_name\n", encoding="utf-8")
    script = (
        "import hornbeam as hb\ntry:\n    hb.stops.part('min_fraction')\n"
        "except hb.errors.OptionError as error:\n    print(error)"
    )
    printed = own_package.run_with(tmp_path / "site", ["-c", script], tmp_path)
    assert "Cannot load the entry point 'own_parts' of the group hornbeam.parts: ImportError: " in printed
