"""Predictions of CSV files that are read in batches equal those of files read at once, or are the same error."""

from __future__ import annotations

import gzip
import pathlib
import warnings

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import DataFileError, HornbeamError, InputError, MemoryLimitError
from hornbeam.scale import csv_rows, new_rows
from hornbeam.scale.csv_inspection import inspect
from hornbeam.scale.matched_rows import MatchedRows

pa = pytest.importorskip("pyarrow")

N_ROWS = 400


@pytest.fixture(autouse=True)
def in_batches(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(new_rows, "WHOLE_BYTES", 0)
    monkeypatch.setattr(csv_rows, "_BLOCK", 512)
    monkeypatch.setattr(csv_rows, "_MIN_ROWS", 64)


def training(n=300):
    random = np.random.default_rng(1)
    return {
        "x": random.normal(size=n).round(3).tolist(),
        "k": random.integers(0, 9, n).tolist(),
        "color": random.choice(["red", "green", "blue"], n).tolist(),
        "grade": random.integers(1, 4, n).tolist(),
        "day": [f"2020-{1 + i % 12:02d}-{1 + i % 28:02d}" for i in range(n)],
    }


@pytest.fixture
def tree():
    data = training()
    y = [
        "yes" if x + (color == "red") + grade / 3 + (day > "2020-06") > 1.5 else "no"
        for x, color, grade, day in zip(data["x"], data["color"], data["grade"], data["day"])
    ]
    write("training.csv", {**data, "y": y})
    table = hb.read("training.csv", "y", kinds={"grade": "nominal", "day": "date"})
    return hb.grow(table, "plain")


def new(n=N_ROWS):
    random = np.random.default_rng(2)
    return {
        "id": list(range(n)),
        "x": [f"{each:.3f}" for each in random.normal(size=n)],
        "k": random.integers(0, 9, n).tolist(),
        "color": random.choice(["red", "green", "blue"], n).tolist(),
        "grade": random.integers(1, 4, n).tolist(),
        "day": [f"2020-{1 + i % 12:02d}-{1 + i % 28:02d}" for i in range(n)],
    }


def write(name, columns, delimiter=",", quote="", end="\n"):
    lines = [delimiter.join(columns)]
    lines += [delimiter.join(f"{quote}{cell}{quote}" for cell in row) for row in zip(*columns.values())]
    pathlib.Path(name).write_bytes((end.join(lines) + end).encode())


def changed(name, row, cell):
    columns = new()
    columns[name] = list(columns[name])
    columns[name][row] = cell
    return columns


def predicted(tree, keep=("id",), **settings):
    """The output of batches and of reading at once, and whether the batches were used; an error as its text."""
    found = []
    for at_once in (False, True):
        new_rows.WHOLE_BYTES = 1 << 40 if at_once else 0
        path = pathlib.Path("out.csv")
        path.unlink(missing_ok=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                hb.predict(tree, settings.get("source", "new.csv"), output=path, keep=keep)
                found.append(path.read_text())
            except HornbeamError as error:
                found.append(f"{type(error).__name__}: {error}")
    return found


PLAIN = {
    "plain": {},
    "semicolons": {"delimiter": ";"},
    "quotes": {"quote": '"'},
    "tabs and CRLF": {"delimiter": "\t", "end": "\r\n"},
    "CR": {"end": "\r"},
}


@pytest.mark.parametrize("layout", PLAIN)
def test_layouts_are_read_in_batches(tree, layout, monkeypatch):
    write("new.csv", new(), **PLAIN[layout])
    seen = []
    with monkeypatch.context() as patched:
        patched.setattr("hornbeam.scale.prediction_files.read_at_once", None)
        hb.predict(tree, "new.csv", output="batches.csv", keep=["id"], progress=lambda done, n: seen.append((done, n)))
    assert len(seen) > 3
    assert seen[-1] == (N_ROWS, N_ROWS)
    monkeypatch.setattr(new_rows, "WHOLE_BYTES", 1 << 40)
    hb.predict(tree, "new.csv", output="once.csv", keep=["id"])
    assert pathlib.Path("batches.csv").read_text() == pathlib.Path("once.csv").read_text()


CELLS = [
    *[("x", cell) for cell in ("", "NA", "nan", "k.A.", " 0.5 ", "+0.5", "007", ".5", "5.", "1e2", "1E400", "inf")],
    *[("x", cell) for cell in ("-nan", "abc", "1_000", "0x10", "12345678901234567", "1.234", '"1,5"', '"1,234.5"')],
    *[("k", cell) for cell in ("", "?", "unknown", "3.5", "1.234", "0x10", "1e1", "x3", '"1,234"', "-0")],
    *[("color", cell) for cell in ("", "NA", " red ", "pink", "7", '"red"', '"re""d"', "unknown")],
    *[("grade", cell) for cell in ("", "2.0", "7", "7.5", "two", " 2", "02", "2e0")],
    *[
        ("day", cell)
        for cell in ("", "NA", "unknown", "2020-02-30", "03.04.2020", "2020-06-01 12:00", "soon", "20200601")
    ],
    *[("id", cell) for cell in ("", "NA", "x", "1.5", "007", "1e3")],
]


@pytest.mark.parametrize(("name", "cell"), CELLS)
@pytest.mark.parametrize("row", [0, N_ROWS - 7])
def test_one_odd_cell_gives_the_result_of_reading_at_once(tree, name, cell, row):
    write("new.csv", changed(name, row, cell))
    batches, once = predicted(tree)
    assert batches == once


@pytest.mark.parametrize("keep", [(), ("x",), ("k", "color"), ("day", "id")])
def test_kept_columns_are_those_of_reading_at_once(tree, keep):
    columns = new()
    columns["x"] = [f"{i % 7}.0" if i % 2 else f"{i % 5}.50" for i in range(N_ROWS)]
    write("new.csv", columns)
    batches, once = predicted(tree, keep)
    assert batches == once


@pytest.mark.parametrize(
    "texts",
    [
        [f"{i % 3}.0" for i in range(N_ROWS)],
        [f'"{i % 5},{i % 10}"' for i in range(N_ROWS)],
        [f"{i % 5}%" for i in range(N_ROWS)],
        [f'"{1 + i % 5},{i % 10:03d}.5"' for i in range(N_ROWS)],
        [f"{1 + i % 5}.{i % 10:03d}" for i in range(N_ROWS)],
        [f"{i}" if i < 300 else f"{i}.5" for i in range(N_ROWS)],
        [f"{i}" if i < 300 else f"1.{i}" for i in range(N_ROWS)],
        ["" if i < 300 else f"{i}.5" for i in range(N_ROWS)],
        ["NA" for i in range(N_ROWS)],
        [f"${i}" if i < 300 else f"{i}" for i in range(N_ROWS)],
    ],
)
@pytest.mark.parametrize("name", ["x", "k", "id"])
def test_other_formats_of_numbers_have_the_values_of_reading_at_once(tree, name, texts):
    write("new.csv", new() | {name: texts})
    batches, once = predicted(tree, ("id", name) if name != "id" else ("id",))
    assert batches == once


@pytest.mark.parametrize(
    "line",
    ["1,2", "1,2,3,4,5,6,7", '1,"2,3,4,5,6', '1,"a"b,3,4,5,6', "1,a\0,3,4,5,6", ' "1",2,3,red,1,2020-01-01'],
)
def test_faults_of_a_file_are_the_same_errors_with_their_line(tree, line):
    write("new.csv", new())
    lines = pathlib.Path("new.csv").read_text().split("\n")
    lines.insert(350, line)
    pathlib.Path("new.csv").write_text("\n".join(lines))
    batches, once = predicted(tree)
    assert batches == once
    assert "line 351" in batches or "1" in line


def test_a_fault_of_a_file_is_found_without_reading_it_at_once(tree, monkeypatch):
    write("new.csv", new())
    with open("new.csv", "a") as file:
        file.write("1,2\n")
    monkeypatch.setattr("hornbeam.scale.prediction_files.read_at_once", None)
    with pytest.raises(DataFileError, match=r"line 402.*2 fields, but the first line has 6"):
        hb.predict(tree, "new.csv", output="out.csv", keep=["id"])
    assert not pathlib.Path("out.csv").exists()


def test_a_cell_that_needs_the_whole_column_is_an_error_if_the_file_does_not_fit(tree, monkeypatch):
    write("new.csv", changed("x", 333, "abc"))

    def too_large(*args, **settings):
        raise MemoryLimitError("too large")

    monkeypatch.setattr("hornbeam.scale.prediction_files.read_at_once", too_large)
    with pytest.raises(InputError, match="Column 'x': row 333 contains 'abc'") as raised:
        hb.predict(tree, "new.csv", output="out.csv", keep=["id"])
    assert raised.value.details["row"] == 333


def test_several_and_compressed_files_are_one_source(tree):
    columns = new()
    write("a.csv", {name: values[:150] for name, values in columns.items()})
    write("rest.csv", {name: columns[name][150:] for name in reversed(columns)})
    with gzip.open("b.csv.gz", "wb") as file:
        file.write(pathlib.Path("rest.csv").read_bytes())
    batches, once = predicted(tree, source=["a.csv", "b.csv.gz"])
    assert batches == once
    assert batches.count("\n") == N_ROWS + 1


def test_cp1252_text_is_read_in_batches(tree):
    columns = changed("color", 3, "grün")
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values()))]
    pathlib.Path("new.csv").write_bytes("\n".join(lines).encode("cp1252"))
    batches, once = predicted(tree)
    assert batches == once


def test_the_quotes_of_a_file_are_checked_across_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr("hornbeam.scale.csv_inspection._BLOCK", 3)
    for text, is_strict in (
        ('a,b\n"x","y""z"\n', True),
        ('a,b\n"",""""\n', True),
        ('a,b\n"x"y,z\n', False),
        ('a,b\nx"y,z\n', False),
        ('a,b\n"x,z\n', False),
        ('a,b\n "x",z\n', False),
    ):
        path = tmp_path / "quotes.csv"
        path.write_text(text)
        assert inspect(path, ",").is_strict is is_strict, text
    assert inspect(path, ",").n_lines == 2


def test_batches_have_the_first_row_of_the_source(tree):
    write("new.csv", new())
    rows = csv_rows.CsvRows(["new.csv"])
    found = list(rows.matched(tree.schema, ["id"]))
    rows.close()
    assert isinstance(found[0], MatchedRows)
    assert [each.first_row for each in found] == np.cumsum([0, *map(len, found[:-1])]).tolist()
