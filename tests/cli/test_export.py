"""`hornbeam export`: the format by suffix or name, its settings as flags, errors before anything is written."""

from __future__ import annotations

import json

import pytest

import hornbeam as hb


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "fruit.tree"
    hb.save(hb.grow(hb.datasets.load("fruit")), path)
    return str(path)


def test_the_suffix_selects_the_format_and_flags_are_its_settings(run, model, tmp_path):
    target = str(tmp_path / "fruit.sql")
    done = run("export", model, "-o", target, "--table", "shop.fruit", "--keep", "id")
    assert done.code == 0
    text = (tmp_path / "fruit.sql").read_text("utf-8")
    assert text == hb.export(hb.load(model), format="sql", table="shop.fruit", keep=("id",))


def test_a_dash_prints_the_result(run, model):
    assert run("export", model, "-o", "-", "--as", "mermaid").out.startswith("flowchart TD\n")
    found = run("export", model, "-o", "-", "--as", "json", "--indent", "0").out
    assert json.loads(found)["target"] == hb.load(model).schema.target.name


def test_a_setting_of_another_format_is_an_error(run, model, tmp_path):
    done = run("export", model, "-o", str(tmp_path / "fruit.dot"), "--table", "x")
    assert done.code == 2
    assert "The format dot has no setting --table." in done.err
    assert not (tmp_path / "fruit.dot").exists()


def test_what_a_format_cannot_express_is_an_error_and_no_file_is_written(run, tmp_path):
    hb.save(hb.forest(hb.datasets.load("fruit"), n_trees=2), tmp_path / "many.tree")
    done = run("export", str(tmp_path / "many.tree"), "-o", str(tmp_path / "many.mmd"))
    assert done.code == 2
    assert "The format mermaid cannot express this model: A flowchart shows one tree" in done.err
    assert not (tmp_path / "many.mmd").exists()


def test_an_existing_file_needs_force(run, model, tmp_path):
    target = tmp_path / "fruit.json"
    target.write_text("old")
    assert run("export", model, "-o", str(target)).code == 2
    assert target.read_text() == "old"
    assert run("export", model, "-o", str(target), "--force").code == 0
