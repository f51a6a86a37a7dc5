"""hornbeam predict: formats, kept columns, and the note about unseen levels; rows chosen by a value."""

from __future__ import annotations

import json
import pathlib

import pytest

from hornbeam.table.sources import raw_table


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_file_of_predictions_can_be_read_again(run, model, suffix):
    ran = run("predict", model, "fruit.csv", "--keep", "id,size", "-o", f"out.{suffix}")
    assert ran.out == f"wrote out.{suffix}: 12 rows\n"
    columns = {column.name: column for column in raw_table(f"out.{suffix}").columns}
    assert list(columns)[:5] == ["row", "id", "size", "prediction", "node"]
    assert len(columns["row"]) == 12
    predicted = columns["prediction"]
    assert [predicted.distinct[code] for code in predicted.codes[:3]] == ["no", "no", "yes"]


def test_arrow_files_have_typed_columns(run, model):
    feather = pytest.importorskip("pyarrow.feather")
    run("predict", model, "fruit.csv", "--keep", "id,size", "-o", "out.arrow")
    table = feather.read_table("out.arrow")
    assert table.column("size").to_pylist()[-2:] == [9, None]
    assert str(table.schema.field("probability_yes").type) == "double"


def test_the_format_flag_overrides_the_suffix(run, model):
    run("predict", model, "fruit.csv", "--as", "jsonl", "-o", "out.txt")
    assert json.loads(pathlib.Path("out.txt").read_text().splitlines()[0])["row"] == 0
    assert run("predict", model, "fruit.csv", "--as", "jsonl").out == pathlib.Path("out.txt").read_text()


@pytest.mark.parametrize(("first", "second"), [("17", "18"), ("007", "008"), ("P1", "P2")])
def test_ids_are_kept_as_they_are_written(run, model, first, second):
    text = f"id,size,colour,grade\n{first},8,red,mid\n{second},1,red,low\n"
    lines = run("predict", model, "-", "--keep", "id", stdin=text).out.splitlines()
    assert lines[1:] == [f"0,{first},yes,4,0.0,1.0", f"1,{second},no,3,1.0,0.0"]


def test_kept_columns_are_no_note(run, model):
    assert run("predict", model, "fruit.csv", "--keep", "id").err == ""


def test_an_unknown_kept_column_is_an_error_and_so_is_a_clash(run, model):
    assert "--keep: unknown column 'idd'" in run("predict", model, "fruit.csv", "--keep", "idd").err
    text = "node,size,colour,grade\n17,8,red,mid\n"
    clash = run("predict", model, "-", "--keep", "node", stdin=text)
    assert "has the name of a column of the predictions" in clash.err


def test_the_note_about_unseen_levels_names_the_nodes(run, model):
    ran = run("predict", model, "-", stdin="size,colour,grade\n1,red,low\n8,blue,mid\n9,pink,mid\n")
    assert "2 row(s) have a level that was not seen in training, at node 0 (colour): 2; first row 1" in ran.err


def test_explain_finds_a_row_by_a_value(run, model):
    assert (
        run("explain", model, "fruit.csv", "--where", "id=a4", "-q").out
        == run("explain", model, "fruit.csv", "--row", "3", "-q").out
    )
    assert run("explain", model, "fruit.csv", "--where", "size=8", "--where", "colour=red", "-q").out.startswith(
        "Row 3:"
    )


def test_several_rows_with_the_value_are_noted(run, model):
    ran = run("explain", model, "fruit.csv", "--where", "colour=red")
    assert "6 rows satisfy colour=red (rows 0, 1, 2, 3, 4, ...); the first one is explained" in ran.err


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("id=a44", "No row has 'id' = 'a44'."),
        ("idd=a4", "--where: unknown column 'idd'"),
        ("id", "--where must be COLUMN=VALUE"),
    ],
)
def test_a_value_that_no_row_has_is_an_error(run, model, given, message):
    ran = run("explain", model, "fruit.csv", "--where", given)
    assert ran.code == 2
    assert message in ran.err


def test_rows_are_numbered_as_in_the_data_also_with_a_missing_target(run, model):
    text = "colour,size,grade,ripe\ngreen,1,low,?\nred,9,high,yes\nred,1,low,no\n"
    pathlib.Path("gaps.csv").write_text(text)
    ran = run("explain", model, "gaps.csv", "--row", "1", "--importance", "permutation", "-q")
    assert "size 9" in ran.out
