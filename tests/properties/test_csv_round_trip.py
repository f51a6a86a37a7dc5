"""What Python's own writer writes, our reader reads, cell for cell, whatever the cells hold."""

import csv as writing

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam.table.readers import csv

NUMBERS = st.one_of(st.integers(-(10**14), 10**14).map(str), st.floats(-1e15, 1e15).map(repr))
WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc"), include_characters=' \n,;\t|"-_'), max_size=8)
TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.tuples(*[st.one_of(NUMBERS, WORDS, st.sampled_from(["", "NA", "007", "+5", "1_0"]))] * width),
        min_size=1,
        max_size=12,
    )
)
COLUMNS_OF_NUMBERS = st.lists(st.lists(st.one_of(NUMBERS, st.just("")), min_size=5, max_size=5), min_size=2, max_size=4)


def written(path, rows, delimiter):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = writing.writer(file, delimiter=delimiter, quoting=writing.QUOTE_ALL, lineterminator="\n")
        writer.writerow([f"column{position}" for position in range(len(rows[0]))])
        writer.writerows(rows)
    return path


def same(cell, read):
    """Whether a cell was read as its text."""
    if cell == "":
        return read is None
    return float(cell) == read if isinstance(read, float) else cell == read


def cells(column):
    if column.numbers is not None:
        return [None if np.isnan(value) else float(value) for value in column.numbers]
    return [None if code < 0 else column.distinct[code] for code in column.codes]


@pytest.fixture(autouse=True, scope="module", params=[0, csv.SMALL_FILE], ids=["sql", "python"])
def reader(request):
    """Both readers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv, "SMALL_FILE", request.param)
        yield


@settings(max_examples=60, deadline=None)
@given(TABLES, st.sampled_from(",;\t|"))
def test_every_cell_comes_back(tmp_path_factory, rows, delimiter):
    path = written(tmp_path_factory.mktemp("csv") / "data.csv", rows, delimiter)
    table = csv.raw(path, delimiter=delimiter, header=True, decimal=".")
    assert len(table) == len(rows)
    for column, wanted in zip(table.columns, zip(*rows, strict=True), strict=True):
        assert all(same(cell, read) for cell, read in zip(wanted, cells(column), strict=True)), (wanted, cells(column))


@settings(max_examples=30, deadline=None)
@given(COLUMNS_OF_NUMBERS)
def test_numbers_are_read_to_the_last_bit(tmp_path_factory, columns):
    path = written(tmp_path_factory.mktemp("csv") / "data.csv", list(zip(*columns, strict=True)), ",")
    for column, wanted in zip(csv.raw(path).columns, columns, strict=True):
        assert all(same(cell, read) for cell, read in zip(wanted, cells(column), strict=True)), (wanted, cells(column))
