"""`hornbeam evaluate` states whether the rows are those that the model was grown on."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

import hornbeam as hb


def test_evaluating_on_the_training_rows_is_stated_in_text_and_json(run):
    header, *rows = pathlib.Path("fruit.csv").read_text().splitlines()
    run("grow", "fruit.csv", "--target", "ripe", "-o", "f.tree")
    assert run("evaluate", "f.tree", "fruit.csv").out.startswith("These are the training rows of the model")
    pathlib.Path("reversed.csv").write_text("\n".join([header, *reversed(rows)]))
    assert run("evaluate", "f.tree", "reversed.csv", "--json").json["on_training_rows"] is True
    pathlib.Path("other.csv").write_text("\n".join([header, *rows[1:], rows[1]]))
    ran = run("evaluate", "f.tree", "other.csv")
    assert "training rows" not in ran.out
    assert run("evaluate", "f.tree", "other.csv", "--json").json["on_training_rows"] is False


@pytest.mark.parametrize(
    "grow", [hb.grow, lambda rows: hb.forest(rows, n_trees=3), lambda rows: hb.boost(rows, n_rounds=3)]
)
def test_the_rows_of_a_model_that_was_grown_in_python_are_recognized(run, grow):
    table = hb.read("fruit.csv", "ripe", drop=["id"])
    hb.save(grow(table), "f.tree")
    assert run("evaluate", "f.tree", "fruit.csv", "--json").json["on_training_rows"] is True
    hb.save(grow(table.take(np.arange(8))), "part.tree")
    assert run("evaluate", "part.tree", "fruit.csv", "--json").json["on_training_rows"] is False
