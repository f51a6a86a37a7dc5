"""Texts of Parquet files are read as dictionaries where they repeat, and are the same texts."""

from __future__ import annotations

import numpy as np
import pytest

from hornbeam.scale.sources.parquet import parquet_source
from hornbeam.table.readers import frames

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

N_ROWS = 5000
RANDOM = np.random.default_rng(0)
REPEATED = [["a", "b", None, ""][at] for at in RANDOM.integers(0, 4, N_ROWS)]
DIFFERENT = [f"text {number}" for number in RANDOM.permutation(N_ROWS)]


def written(folder, use_dictionary):
    columns = {
        "repeated": pa.array(REPEATED),
        "different": pa.array(DIFFERENT),
        "large": pa.array(REPEATED, pa.large_string()),
        "category": pa.array(REPEATED).dictionary_encode(),
        "missing": pa.array([None] * N_ROWS, pa.string()),
        "number": pa.array(RANDOM.normal(size=N_ROWS)),
    }
    path = str(folder / "rows.parquet")
    pq.write_table(pa.table(columns), path, row_group_size=700, use_dictionary=use_dictionary)
    return parquet_source([path])


def values(tables):
    found = {}
    for table in tables:
        for column in frames.raw(table).columns:
            if column.numbers is None:
                known = [None if code < 0 else column.distinct[code] for code in column.codes]
            else:
                known = column.numbers.tolist()
            found.setdefault(column.name, []).extend(known)
    return found


@pytest.mark.parametrize("use_dictionary", [True, False])
@pytest.mark.parametrize("n_rows", [64, 1000, 10_000])
def test_texts_read_as_dictionaries_are_the_same(tmp_path, use_dictionary, n_rows):
    source = written(tmp_path, use_dictionary)
    names = list(source.names)
    found = values(table for piece in source.pieces for table in piece.batches(names, n_rows))
    assert found == values(source.batches(names, n_rows))
    assert (found["repeated"], found["different"]) == (REPEATED, DIFFERENT)


def test_only_texts_that_repeat_are_dictionaries(tmp_path):
    source = written(tmp_path, True)
    (piece,) = source.pieces
    for table in piece.batches(list(source.names), 500):
        types = {field.name: field.type for field in table.schema}
        assert pa.types.is_dictionary(types["repeated"])
        assert types["different"] == pa.string()
    for table in source.batches(list(source.names), 500):
        assert not any(pa.types.is_dictionary(field.type) for field in table.schema)
