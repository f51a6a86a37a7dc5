"""A prepared table is a table: its columns compare, change, pickle and split as those of the table itself."""

import dataclasses
import pickle
import threading

import numpy as np
import pytest

import hornbeam as hb
from hornbeam import _native
from hornbeam.table.column import Column, nominal, numeric
from hornbeam.table.prepared_column import PreparedColumn, prepared_again, take_columns
from hornbeam.tree.file.files import to_bytes


def made(n=300):
    rng = np.random.default_rng(0)
    x = rng.normal(size=n)
    x[::7] = np.nan
    columns = (numeric("x", x), numeric("z", rng.normal(size=n)), nominal("k", rng.integers(0, 3, n), ("a", "b", "c")))
    return hb.Table(columns, nominal("y", rng.integers(0, 2, n), ("no", "yes")), notes=("a note",))


def test_a_prepared_table_has_the_columns_and_the_schema_of_the_table():
    table = made()
    prepared = hb.prepare(table)
    assert isinstance(prepared, hb.Table)
    assert hb.prepare(prepared) is prepared
    assert prepared.schema == table.schema
    assert prepared.notes == table.notes
    rows = np.array([5, 2, 9])
    for one, other in zip(prepared.take(rows).columns, table.take(rows).columns, strict=True):
        np.testing.assert_array_equal(one.values, other.values)
        assert (len(one), one.spec, one.has_missing) == (len(other), other.spec, other.has_missing)


def test_nothing_is_kept_before_the_first_growth_and_four_bytes_per_value_after_it():
    prepared = hb.prepare(made(200))
    assert prepared.kept_bytes == 0
    hb.grow(prepared, "plain")
    assert prepared.kept_bytes == 200 * (1 + 1 + 1)  # up to 256 values are codes of one byte
    larger = hb.prepare(made(2000))
    hb.grow(larger, "plain")
    assert larger.kept_bytes == 2000 * (4 + 4 + 1)
    hb.grow(larger, "c45", rows=np.arange(0, 2000, 2))
    assert larger.kept_bytes == 2000 * (4 + 4 + 1)


def test_a_changed_column_is_a_plain_one():
    column = hb.prepare(made()).columns[0]
    changed = dataclasses.replace(column, values=np.zeros(3))
    assert type(changed) is Column
    assert dataclasses.replace(column, name="other").values is column.values
    assert type(column.take(np.array([1, 2]))) is Column


def test_rows_of_all_columns_share_one_selection():
    taken = hb.prepare(made()).take(np.arange(10)).columns
    assert all(isinstance(column, PreparedColumn) for column in taken)
    assert len({id(column.selection) for column in taken}) == 1
    twice = take_columns(taken, np.array([1, 1]))
    assert all(type(column) is Column for column in twice)
    again = prepared_again(taken)
    assert all(column.selection is None and len(column) == 10 for column in again)


def test_a_prepared_table_pickles_as_its_values():
    table = made()
    prepared = hb.prepare(table)
    hb.grow(prepared, "plain")
    restored = pickle.loads(pickle.dumps(prepared.take(np.arange(100))))
    assert restored.kept_bytes == 0
    assert to_bytes(hb.grow(restored, "plain")) == to_bytes(hb.grow(table.take(np.arange(100)), "plain"))


def test_threads_share_a_prepared_table():
    table = made(3000)
    prepared, found = hb.prepare(table), {}
    expected = to_bytes(hb.grow(table, "plain"))
    start = threading.Barrier(4)

    def grow(number):
        start.wait()
        found[number] = to_bytes(hb.grow(prepared, "plain", threads=1))

    workers = [threading.Thread(target=grow, args=(number,)) for number in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [found[number] == expected for number in range(4)] == [True] * 4


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([0, 300], "rows must be between 0 and 299, got 300"),
        ([-1], "rows must be between 0 and 299, got -1"),
        ([1, 1], "one occurs twice"),
        ([0.5], "rows must be row numbers or a mask"),
        ([[1]], "rows must be row numbers or a mask"),
        ([True, False], "rows must be row numbers or a mask"),
    ],
)
def test_rows_must_be_different_rows_of_the_table(rows, message):
    with pytest.raises(hb.errors.InputError, match=message):
        hb.grow(hb.prepare(made()), "plain", rows=rows)


def test_weights_have_one_number_per_row():
    with pytest.raises(hb.errors.InputError, match=r"weights must have shape \(2,\)"):
        hb.grow(hb.prepare(made()), "plain", rows=[1, 2], weights=[1.0])


def test_rows_cannot_be_used_with_files_larger_than_memory(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("x,y\n1,a\n2,b\n", "utf-8")
    with pytest.raises(hb.errors.OptionError, match="rows cannot be used with memory="):
        hb.grow(str(path), "plain", target="y", memory="1GB", rows=[0])


def test_a_prepared_table_requires_a_table():
    with pytest.raises(hb.errors.InputError, match="Preparing requires a table"):
        hb.prepare([[1, 2]])


def test_the_core_refuses_ranks_of_other_rows():
    ranked = _native.RankedColumn(0, np.arange(4.0), 0)
    levels = _native.RankedColumn(2, np.zeros(4, dtype=np.int32), 2)
    rows = _native.ChosenRows(np.array([0, 2], dtype=np.uint32), 4)
    parts = hb.recipe("plain").for_target("class").parts_in_core
    job = {"parts": parts, "n_rows": 3, "classes": np.zeros(3, dtype=np.int32), "n_classes": 2}
    for column in ((0, ranked, None, None), (0, ranked, rows, None)):
        with pytest.raises(ValueError, match="must have the rows of the job"):
            _native.grow({**job, "columns": [column]})
    two = {**job, "n_rows": 2, "classes": np.zeros(2, dtype=np.int32)}
    with pytest.raises(ValueError, match="Levels of some rows"):
        _native.grow({**two, "columns": [(2, levels, rows, None)]})
    with pytest.raises(ValueError, match="Rows must be different"):
        _native.ChosenRows(np.array([1, 1], dtype=np.uint32), 4)
