"""`hornbeam convert`: model files of other programs become files that the other commands read."""

from __future__ import annotations

from pathlib import Path

import hornbeam as hb

DATA = Path(__file__).parents[1] / "data" / "importing"


def test_a_converted_file_is_read_by_the_other_commands(run, tmp_path):
    target = str(tmp_path / "model.tree")
    done = run("convert", str(DATA / "lightgbm.txt"), "-o", target, "--classes", "no, yes", "--target", "answer")
    assert done.code == 0
    assert "3 trees, from LightGBM" in done.out
    assert hb.load(target).schema.classes == ("no", "yes")
    assert run("show", target).out.startswith("3 trees predicting answer")


def test_an_error_names_the_problem(run, tmp_path):
    damaged = tmp_path / "damaged.txt"
    damaged.write_bytes((DATA / "lightgbm.txt").read_bytes()[:500])
    done = run("convert", str(damaged), "-o", str(tmp_path / "model.tree"))
    assert done.code == 2
    assert "truncated" in done.err
    assert not (tmp_path / "model.tree").exists()
    assert run("convert", str(DATA / "xgboost.json")).code == 2
    wrong = run("convert", str(DATA / "xgboost.json"), "-o", str(tmp_path / "m.tree"), "--classes", "a,b,c")
    assert "2 classes" in wrong.err
