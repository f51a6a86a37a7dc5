"""Random tables with columns of all types: the tree from files, and its predictions, are those of memory.

Columns have fewer than 255 values, so the bins are the values. The files have row groups and encodings at random.
"""

from __future__ import annotations

import datetime
import decimal
import itertools

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import HornbeamError
from hornbeam.scale import Dataset

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

pytestmark = pytest.mark.filterwarnings("ignore:Columns that the model does not have are ignored")

DAY, HOUR = datetime.timedelta(days=1), datetime.timedelta(hours=1)
START = datetime.datetime(2020, 1, 1)
COLUMNS = {
    "integers": lambda codes: pa.array(codes),
    "bytes": lambda codes: pa.array(codes.astype(np.uint8)),
    "quarters": lambda codes: pa.array((codes - 7) / 4),
    "float32": lambda codes: pa.array(codes.astype(np.float32) / 3),
    "not a number": lambda codes: pa.array(np.where(codes % 7 == 3, np.nan, codes)),
    "decimals": lambda codes: pa.array([decimal.Decimal(code) / 4 for code in codes.tolist()], pa.decimal128(10, 2)),
    "texts": lambda codes: pa.array([f"level {code}" for code in codes]),
    "numbers as texts": lambda codes: pa.array([str(code) for code in codes]),
    "odd texts": lambda codes: pa.array([["", "NA", "?", "x", "null", " y"][code % 6] for code in codes]),
    "dictionary": lambda codes: pa.array([f"level {code}" for code in codes]).dictionary_encode(),
    "truth": lambda codes: pa.array(codes % 2 == 0),
    "dates": lambda codes: pa.array([(START + code * DAY).date() for code in codes.tolist()]),
    "moments": lambda codes: pa.array([START + code * HOUR for code in codes.tolist()], pa.timestamp("us")),
    "times": lambda codes: pa.array([datetime.time(code % 24, 0, 0, code * 1000) for code in codes.tolist()]),
    "durations": lambda codes: pa.array(codes).cast(pa.duration("ms")),
    "nulls": lambda codes: pa.nulls(len(codes)),
}
TARGETS = {
    "classes": lambda codes: pa.array([f"class {code % 5}" for code in codes]),
    "two integers": lambda codes: pa.array(codes % 2),
    "truth": lambda codes: pa.array(codes % 2 == 0),
    "integers": lambda codes: pa.array(codes),
    "numbers": lambda codes: pa.array(codes / 10),
}
LEVEL_SEARCHES = ["best_subset", "level_vs_rest", "multiway"]
MISSING = ["skip_column", "own_branch", "impute", "learned", "surrogates", "drop_rows"]


def with_gaps(random, column):
    fraction = random.choice([0, 0, 0.1, 0.5])
    return pa.array(column.to_pylist(), column.type, mask=random.random(len(column)) < fraction)


def random_table(random):
    n_rows = int(random.integers(3, 500))
    names = random.choice(list(COLUMNS), int(random.integers(1, 6)), replace=False).tolist()
    columns = {name: COLUMNS[name](random.integers(0, random.integers(1, 40), n_rows)) for name in names}
    target = TARGETS[random.choice(list(TARGETS))](random.integers(0, 60, n_rows))
    weights = {"weight": pa.array(random.integers(0, 4, n_rows) / 3)} if random.random() < 0.3 else {}
    columns = {name: with_gaps(random, column) for name, column in {**columns, "y": target}.items()}
    return pa.table({**columns, **weights})


def random_recipe(random):
    search = random.choice(LEVEL_SEARCHES)
    missing = random.choice(MISSING[:3] if search == "multiway" else MISSING)
    stops = [hb.stops.MaxDepth(int(random.integers(1, 6)))]
    return hb.recipe("plain").with_changes(searches=[hb.searches.BinnedCuts(), search], missing=missing, stops=stops)


def as_parquet(random, table, folder):
    ends = sorted({0, table.num_rows, *random.integers(0, table.num_rows, 2).tolist()})
    for first, end in itertools.pairwise(ends):
        pq.write_table(
            table.slice(first, end - first),
            folder / f"{first:04d}.parquet",
            row_group_size=int(random.integers(1, 300)),
            use_dictionary=bool(random.random() < 0.7),
            data_page_version=random.choice(["1.0", "2.0"]),
        )
    return [str(path) for path in sorted(folder.glob("*.parquet"))]


def as_csv(random, table, folder):
    import pyarrow.csv

    for place, field in enumerate(table.schema):
        if pa.types.is_duration(field.type) or pa.types.is_dictionary(field.type):
            kind = pa.int64() if pa.types.is_duration(field.type) else pa.string()
            table = table.set_column(place, field.name, table.column(place).cast(kind))
    pyarrow.csv.write_csv(table, folder / "rows.csv")
    return [str(folder / "rows.csv")]


def as_database(random, table, folder):
    import duckdb

    with duckdb.connect(str(folder / "rows.duckdb")) as connection:
        connection.register("given", table)
        connection.execute("CREATE TABLE t AS SELECT * FROM given")
    return [f"{folder / 'rows.duckdb'}::t"]


def grown(grow):
    """A tree; None for an error: files are rejected in other words."""
    try:
        return grow()
    except HornbeamError:
        return None


def columns_of(tree):
    return [(each.name, each.kind, each.levels, each.is_idle) for each in (*tree.schema.columns, tree.schema.target)]


def numbers_of(prediction):
    return prediction.probabilities if prediction.is_class else prediction.numbers


@pytest.mark.parametrize("write", [as_parquet, as_csv, as_database])
@pytest.mark.parametrize("seed", range(40))
def test_the_tree_from_files_is_that_of_memory(tmp_path, seed, write):
    random = np.random.default_rng(seed)
    table, recipe = random_table(random), random_recipe(random)
    paths = write(random, table, tmp_path)
    data = Dataset(paths, "y", weights="weight" if "weight" in table.column_names else None)
    memory = grown(lambda: hb.grow(data.read(), recipe))
    files = grown(lambda: hb.grow(data, recipe, memory="300MB"))
    assert (files is None) == (memory is None)
    if memory is None:
        return
    assert columns_of(files) == columns_of(memory)
    assert str(files) == str(memory)
    assert np.array_equal(files.nodes.stats, memory.nodes.stats)
    for path in paths:
        assert np.array_equal(numbers_of(hb.predict(files, path)), numbers_of(hb.predict(memory, path)))
