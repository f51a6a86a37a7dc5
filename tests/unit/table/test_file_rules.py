"""The rules for files in Python: they change files only, and each note names the argument that switches it off."""

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import InputError, OptionError
from hornbeam.table import Kind, match_columns
from hornbeam.table.file_rules.numbers import choose, read_numbers
from hornbeam.table.notes import NoteCode, has_note
from hornbeam.table.readers import csv
from hornbeam.table.text_format import TextFormat

CELLS = {
    "when": ["03.04.2020", "14.05.2020"] * 6,
    "price": ["1.234,50", "34,10"] * 6,
    "age": ["45", "k.A."] * 6,
    "town": [" Wien", "Graz"] * 6,
    "part": ["12 %", "13 %"] * 6,
    "key": [f"K{row}" for row in range(12)],
    "y": ["0", "1"] * 6,
}


@pytest.fixture
def path(tmp_path):
    rows = "\n".join([";".join(CELLS), *(";".join(cells) for cells in zip(*CELLS.values()))])
    path = tmp_path / "data.csv"
    path.write_text(rows + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("small_file", [1 << 16, 0])
def test_both_readers_of_a_file_apply_the_same_rules(path, monkeypatch, small_file):
    monkeypatch.setattr(csv, "SMALL_FILE", small_file)
    table = hb.read(path, target="y")
    assert table.names == ("when", "price", "age", "town", "part")
    assert table["when"].shown_value(1) == "2020-05-14"
    assert table["price"].values[:2].tolist() == [1234.5, 34.1]
    assert np.isnan(table["age"].values[1])
    assert table["town"].levels == ("Graz", "Wien")
    assert table["part"].values[:2].tolist() == [12, 13]
    assert table.target.levels == (0, 1)
    assert has_note(table.notes, NoteCode.LEFT_OUT)
    assert table.notes[-1].endswith("keep_ids=True keeps it")


def test_frames_dicts_and_arrays_are_never_changed():
    table = hb.read(CELLS, target="y")
    assert all(column.kind is Kind.NOMINAL for column in table.columns)
    assert table["town"].levels == (" Wien", "Graz")
    assert table.target.levels == ("0", "1")
    assert "key" in table.names
    numbers = hb.read({"x": np.arange(12.0), "y": [0, 1] * 6}, target="y")
    assert numbers.target.kind is Kind.NUMERIC
    assert numbers.target.notes == ()
    assert hb.read({"x": [1.0] * 30, "id": np.arange(30)}, target="id").target.kind is Kind.NUMERIC


def test_every_rule_names_the_argument_that_switches_it_off(path):
    table = hb.read(path, target="y")
    assert table["when"].notes[0].endswith("kinds={'when': 'nominal'} keeps the text")
    assert table["age"].notes[0] == "read as missing: 6 x 'k.A.'; kinds={'age': 'nominal'} keeps them as levels"
    assert table["town"].notes[0] == "blanks around 6 cells removed; keep_blanks=True keeps them"
    assert table.target.notes[-1].endswith("kinds={'y': 'numeric'} predicts a number")
    off = hb.read(
        path,
        target="y",
        kinds={name: "nominal" for name in ("when", "price", "age", "part")} | {"y": "numeric"},
        keep_blanks=True,
        keep_ids=True,
    )
    assert off["age"].levels == ("45", "k.A.")
    assert off["town"].levels == (" Wien", "Graz")
    assert off["when"].levels == ("03.04.2020", "14.05.2020")
    assert off.target.kind is Kind.NUMERIC
    assert "key" in off.names


def test_new_rows_have_the_formats_of_the_training_file(path, tmp_path):
    schema = hb.read(path, target="y").schema
    new = tmp_path / "new.csv"
    new.write_text("when;price;age;town;part\n01.02.2020;1.234;n/a;Graz ;5\n", encoding="utf-8")
    table = match_columns(schema, new)
    assert table["when"].shown_value(0) == "2020-02-01"
    assert table["price"].values.tolist() == [1234.0]
    assert table["town"].shown_value(0) == "Graz"
    assert np.isnan(table["age"].values[0])
    assert "column age: read as missing: 1 x 'n/a'" in table.notes[1]
    new.write_text("when;price;age;town;part\n2020-02-01;1.5;7;Graz;5\n", encoding="utf-8")
    table = match_columns(schema, new)
    assert table["when"].shown_value(0) == "2020-02-01"
    assert table["price"].values.tolist() == [1.5]


def test_a_model_file_stores_the_formats(path, tmp_path):
    table = hb.read(path, target="y")
    tree = hb.grow(table)
    hb.save(tree, tmp_path / "m.tree")
    columns = hb.load(tmp_path / "m.tree").schema.columns
    assert columns[0].text_format == TextFormat(date="%d.%m.%Y")
    assert columns[1].text_format == TextFormat(decimal=",", thousands=".")
    assert columns[2].text_format is None


def test_a_decimal_point_of_the_training_file_decides_for_new_rows_next_to_a_decimal_comma(tmp_path):
    train, new = tmp_path / "a.csv", tmp_path / "b.csv"
    train.write_text("a;b;y\n273.000;1,5;u\n1744.000;2,5;v\n", encoding="utf-8")
    new.write_text("a;b\n273.000;1,5\n", encoding="utf-8")
    schema = hb.read(train, target="y").schema
    assert match_columns(schema, new)["a"].values.tolist() == [273]


def test_a_column_that_the_model_needs_is_not_lost_as_an_id(tmp_path):
    train, new = tmp_path / "a.csv", tmp_path / "b.csv"
    train.write_text("town,y\n" + "".join(f"t{row % 12},{'xz'[row % 2]}\n" for row in range(48)), encoding="utf-8")
    new.write_text("town,y\n" + "".join(f"t{row},x\n" for row in range(12)), encoding="utf-8")
    tree = hb.grow(hb.read(train, target="y"))
    assert len(hb.predict(tree, new)) == 12
    with pytest.raises(InputError, match="Pass keep_ids=True to read"):
        hb.predict(tree, hb.read(new))


def test_one_text_among_very_many_numbers_is_an_error_with_its_row(tmp_path):
    cells = [str(number) for number in range(10_000)]
    cells[7777] = "oops"
    path = tmp_path / "d.csv"
    path.write_text("a,b\n" + "".join(f"{cell},x\n" for cell in cells), encoding="utf-8")
    with pytest.raises(InputError, match="number in 9999 of 10000 rows, but row 7777 contains 'oops'"):
        hb.read(path)
    assert hb.read(path, kinds={"a": "nominal"})["a"].kind is Kind.NOMINAL
    assert np.isnan(hb.read(path, na_values=["oops"])["a"].values[7777])


def test_wrong_settings_are_errors(path):
    with pytest.raises(OptionError, match="thousands must be one of"):
        hb.read(path, thousands="x")
    with pytest.raises(OptionError, match="thousands and decimal must differ"):
        hb.read(path, thousands=",", decimal=",")


def test_a_doubtful_format_is_decided_by_the_model_then_by_the_file():
    reading = read_numbers(["1.234", "950"])
    assert reading is not None
    assert not reading.is_certain
    assert choose(reading, {"."}, TextFormat(decimal=",")).thousands == "."
    assert choose(reading, {","}, None).thousands == "."
    assert choose(reading, {"."}, None).thousands == ""
    assert choose(reading, {".", ","}, None) is None


def test_house_prices_that_are_nearly_all_different_are_a_target(tmp_path):
    rng = np.random.default_rng(1)
    path = tmp_path / "p.csv"
    path.write_text(
        "x,price\n" + "".join(f"{p % 7},{p}\n" for p in rng.integers(50_000, 900_000, 50)), encoding="utf-8"
    )
    assert hb.read(path, target="price").target.kind is Kind.NUMERIC


def test_built_in_tables_are_read_by_name():
    table = hb.read("builtin:penguins")
    assert table.target.name == "species"
    assert table["year"].kind is Kind.NUMERIC
    assert len(hb.predict(hb.grow(table), "builtin:penguins")) == 344
    with pytest.raises(hb.errors.DataFileError, match=r"must be named.*penguins"):
        hb.read("builtin:")
