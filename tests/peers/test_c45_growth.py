"""Does the c45 recipe grow the unpruned trees that C4.5 release 8 itself printed?

The recorded answers and their data are read from `shared/oracles` beside the repository, where it is there. Release 8
keeps weights in float32, so with missing values (shares of rows) only the sizes are compared, and only where no tie was
decided by a rounding: labor and soybean hold such ties and are left out.
"""

import csv
import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from hornbeam.growing.in_python import grow
from hornbeam.recipes import recipe
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

ORACLES = next(
    (up / "shared" / "oracles" for up in Path(__file__).parents if (up / "shared" / "oracles").is_dir()), None
)
pytestmark = pytest.mark.skipif(ORACLES is None, reason="the recorded answers of C4.5 are not beside this repository")

COMPLETE = ["iris", "contact_lenses", "weather_nominal", "weather_numeric", "zoo", "wine", "kyphosis", "tic_tac_toe"]
HOLED = ["vote", "penguins", "stagec"]


def sizes(m):
    return [{"name": "min_split", "rows": 1, "weight": 2.0 * m}, {"name": "min_leaf", "rows": 1, "weight": float(m)}]


CONFIGS = {
    "default": {},
    "m1": {"stops": sizes(1)},
    "m5c10": {"stops": sizes(5)},
    "subset": {"searches": [{"name": "sorted_cuts", "cut": "data", "least": "c45"}, "c45_groups"]},
}


def opened(path):
    return path.open(encoding="utf-8") if path.exists() else gzip.open(f"{path}.gz", "rt", encoding="utf-8")


def table(name):
    schema = json.loads((ORACLES / "data" / f"{name}.schema.json").read_text(encoding="utf-8"))
    with opened(ORACLES / "data" / f"{name}.csv") as file:
        rows = list(csv.DictReader(file))
    columns = {}
    for spec in schema["columns"]:
        values = [row[spec["name"]] for row in rows]
        if spec["kind"] == "numeric":
            columns[spec["name"]] = numeric(spec["name"], [float(v) if v else np.nan for v in values])
        else:
            code = {str(level): place for place, level in enumerate(spec["levels"])}
            columns[spec["name"]] = nominal(spec["name"], [code[v] if v else -1 for v in values], tuple(code))
    target = columns.pop(schema["target"])
    return Table(tuple(columns.values()), target)


@pytest.mark.parametrize("name", COMPLETE + HOLED)
def test_the_unpruned_tree_has_c45s_size_and_errors(name):
    with opened(ORACLES / "c45" / f"{name}.json") as file:
        answers = json.load(file)["configs"]
    data = table(name)
    for config, changes in CONFIGS.items():
        tree = grow(data, recipe("c45").but(**changes))
        expected = answers[config]["evaluation"]["training"]
        assert len(tree) == expected["size_before"], config
        if name in COMPLETE:
            assert tree.errors()[tree.nodes.is_leaf].sum() == expected["errors_before"], config
