"""`read` gives the same table for every source."""

import subprocess
import sys
import types

import numpy as np
import pytest

from hornbeam.errors import DataFileError, InputError, OptionError
from hornbeam.table import UNSEEN, Kind, match_columns, read
from hornbeam.table.raw import RawColumn, RawTable
from hornbeam.table.sources import SUFFIXES

DATA = {"a": [1, 2, 3], "b": ["x", "y", "x"], "y": ["p", "q", "p"]}


@pytest.fixture
def cells(monkeypatch):
    """A reader of every format that passes text cells and remembers what it was called."""
    calls = []

    def raw(path, delimiter=","):
        calls.append((path, delimiter))
        codes = np.array([0, 1, 2, 0], dtype=np.int32)
        columns = (
            RawColumn("size", codes=codes, distinct=("1", "2,5", "NA"), from_text=True),
            RawColumn("y", codes=codes, distinct=("no", "yes", "?"), from_text=True),
        )
        return RawTable(columns, str(path), target="y", weights=np.array([1.0, 2.0, 3.0, 4.0]))

    for name in set(SUFFIXES.values()):
        monkeypatch.setitem(sys.modules, f"hornbeam.table.readers.{name}", types.SimpleNamespace(raw=raw))
    return calls


@pytest.mark.parametrize("suffix", [*SUFFIXES, *(f"{suffix}.gz" for suffix in SUFFIXES), ".CSV", ".db::patients"])
def test_the_suffix_chooses_the_reader(cells, suffix):
    read(f"data{suffix}")
    assert cells == [(f"data{suffix}", ",")]


def test_target_weights_and_na_values_apply_to_a_file(cells):
    table = read("data.csv", delimiter=";", decimal=",")
    assert cells == [("data.csv", ";")]
    assert table.target.levels == ("no", "yes")
    assert table.target.values.tolist() == [0, 1, 0]
    assert table["size"].values.tolist() == [1.0, 2.5, 1.0]
    assert table.weights.tolist() == [1.0, 2.0, 4.0]
    assert table.source == "data.csv"


def test_a_file_is_matched_by_the_kinds_of_the_model(cells):
    schema = read({"size": [1, 2.5], "y": ["yes", "no"]}, "y").schema
    table = match_columns(schema, "new.csv", with_target=True, decimal=",")
    np.testing.assert_array_equal(table["size"].values, [1.0, 2.5, np.nan, 1.0])
    assert table.target.values.tolist() == [0, 1, -1, 0]


def test_levels_that_are_numbers_are_matched_by_value_in_a_file(cells):
    schema = read({"size": [1, 2.5], "y": [True, False]}, kinds={"size": "nominal"}).schema
    assert match_columns(schema, "new.csv", decimal=",")["size"].values.tolist() == [0, 1, -1, 0]


def test_numbers_of_a_file_match_levels_that_are_texts_of_them():
    schema = read({"grade": ["1", "2", "x"]}).schema
    new = RawTable((RawColumn("grade", np.array([2.0, 7.0, np.nan]), from_text=True),))
    assert match_columns(schema, new)["grade"].values.tolist() == [1, UNSEEN, -1]


def test_an_unknown_suffix_is_an_error_with_those_known(tmp_path):
    (tmp_path / "data.foo").write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(DataFileError, match=r"Pass format=\.\.\., or use a file with one of these suffixes: \.csv"):
        read(tmp_path / "data.foo")
    with pytest.raises(DataFileError, match="no such file"):
        read(tmp_path / "absent.foo")


def test_an_unknown_setting_is_an_error_with_the_nearest(cells):
    with pytest.raises(OptionError, match="Did you mean 'delimiter'"):
        read("data.csv", delimitr=";")
    with pytest.raises(OptionError, match="'delimiter' requires a file"):
        read(DATA, delimiter=";")


def test_an_unknown_format_is_an_error():
    with pytest.raises(OptionError, match="Unknown format 'cvs'"):
        read("data.csv", format="cvs")


def test_target_weights_and_columns_are_separated():
    table = read({**DATA, "w": [1, 2, 3]}, "y", weights="w", columns=["b"])
    assert table.names == ("b",)
    assert table.target.name == "y"
    assert table.weights.tolist() == [1, 2, 3]


@pytest.mark.parametrize("wrong", [{"kinds": {"q": "nominal"}}, {"columns": ["q"]}, {"weights": "q"}, {"target": "q"}])
def test_an_unknown_column_is_an_error(wrong):
    with pytest.raises(InputError, match="Unknown column 'q'"):
        read(DATA, **wrong)


@pytest.mark.parametrize("wrong", [{"infinite": "maybe"}, {"missing_target": "guess"}])
def test_an_unknown_choice_is_an_error(wrong):
    with pytest.raises(OptionError, match="must be one of"):
        read(DATA, **wrong)


def test_a_kind_can_be_requested():
    assert read(DATA, "y", kinds={"a": "ordinal"})["a"].kind is Kind.ORDINAL


def test_reading_an_array_imports_no_frame_library():
    code = (
        "import sys, numpy, hornbeam.table as t; t.table_from_arrays(numpy.zeros((3, 2)), [0, 1, 1]);"
        "print([m for m in ('pandas', 'polars', 'pyarrow', 'narwhals', 'scipy', 'duckdb') if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
