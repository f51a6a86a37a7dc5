"""`hornbeam draw --what`: every figure about a model, and what each needs."""

from __future__ import annotations

import pathlib

import pytest


def test_draw_makes_every_figure_of_a_tree_and_of_a_forest(run, model):
    assert (
        run("grow", "fruit.csv", "--target", "ripe", "--drop", "id", "--recipe", "forest", "-o", "many.tree").code == 0
    )
    for what in ("importance", "dependence", "ice", "contributions", "roc", "calibration", "costs"):
        for path in (model, "many.tree"):
            ran = run("draw", path, "fruit.csv", "--what", what, "-o", f"{what}.svg", "--force", "--json")
            assert ran.code == 0, ran.err
            assert ran.json["what"] == what
    assert run("draw", model, "--what", "importance", "-o", "alone.svg", "--theme", "dark").code == 0
    ran = run("draw", model, "fruit.csv", "--what", "contributions", "--where", "size=8", "-o", "row.svg")
    assert "Row 3: probability of yes" in pathlib.Path("row.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--what", "roc"), "--what roc requires DATA"),
        (("--what", "importance", "--column", "size"), "--column does not apply to --what importance"),
        (("--what", "importance", "--method", "permutation"), "requires DATA"),
        (("fruit.csv", "--what", "ice", "--column", "size", "--column", "grade"), "has one column, got 2"),
        (("fruit.csv", "--what", "dependence", "--column", "sise"), "Did you mean 'size'?"),
        (("fruit.csv", "--what", "roc", "--positive", "no!"), "Unknown class 'no!'"),
        (("fruit.csv", "--figure", "roc"), "Did you mean --what?"),
    ],
)
def test_draw_explains_what_a_figure_needs(run, model, flags, message):
    ran = run("draw", model, *flags, "-o", "x.svg")
    assert ran.code == 2
    assert message in ran.err
