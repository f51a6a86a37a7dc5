"""The command `explain`."""

from __future__ import annotations

import pathlib

import pytest


def test_a_row_is_explained_by_path_contributions_and_counterfactual(run, model):
    ran = run("explain", model, "fruit.csv", "--row", "2", "--contributions", "--counterfactual", "-q")
    # By hand: 4 of 12 are ripe, of the red 4 of 6, of the red above 4 all. Colour adds 2/3 - 1/3 alone and 1/2 after
    # size (red above 4 against all above 4: 1 - 1/2), so (1/3 + 1/2) / 2 = 0.4167; size the rest.
    assert (
        ran.out
        == """\
Row 2: yes 100% (4 training rows at leaf 4)
  1  colour = red  colour red  yes 33% -> 67%
  2  size > 4      size 7      yes 67% -> 100%

Row 2: probability of yes
column       value   contribution
base                       0.3333
colour         red        +0.4167
size             7          +0.25
prediction                      1

Row 2: yes becomes no (distance 1)
  colour: red -> green
"""
    )
    assert (ran.code, ran.err) == (0, "")


def test_a_frozen_column_does_not_change(run, model):
    ran = run("explain", model, "fruit.csv", "--row", "2", "--counterfactual", "no", "--frozen", "colour", "-q")
    assert "size: 7 -> 4" in ran.out


def test_importance_needs_no_data(run, model):
    assert run("explain", model, "--importance").out.splitlines()[:3] == [
        "Fraction of the total decrease in impurity",
        "column   importance",
        "colour          0.5",
    ]
    ran = run("explain", model, "fruit.csv", "--importance", "permutation", "--repeats", "3", "-q")
    assert "shuffled, mean of 3 repeats" in ran.out


def test_dependence_and_diagnostics(run, model):
    assert "<= 4     1     0" in run("explain", model, "fruit.csv", "--dependence", "size", "-q").out
    assert "small leaves: 2 of 3 leaves" in run("explain", model, "fruit.csv", "--diagnostics", "-q").out


def test_json_contains_every_requested_explanation(run, model):
    found = run("explain", model, "fruit.csv", "--row", "2", "--contributions", "--counterfactual", "--json").json
    assert found["path"]["prediction"] == "yes"
    assert found["contributions"]["row"] == 2
    assert sum(found["contributions"]["contributions"].values()) == pytest.approx(2 / 3)
    assert found["counterfactual"]["changes"][0]["after"] == "green"


def test_contributions_against_a_background(run, model):
    arguments = ("--row", "2", "--contributions", "--background", "fruit.csv", "--json")
    found = run("explain", model, "fruit.csv", *arguments).json["contributions"]
    assert found["game"] == "interventional"
    assert found["base"] == pytest.approx(1 / 3)


def test_one_explanation_can_be_drawn(run, model):
    ran = run("explain", model, "fruit.csv", "--row", "2", "--contributions", "-o", "why.svg", "-q")
    assert ran.out == "wrote why.svg\n"
    assert "Row 2: probability of yes" in pathlib.Path("why.svg").read_text("utf-8")
    assert run("explain", model, "--importance", "-o", "why.svg").code == 2  # it exists
    assert run("explain", model, "--importance", "-o", "all.html").code == 0


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (("fruit.csv",), "No explanation is requested."),
        (("fruit.csv", "--counterfactual"), "--counterfactual requires a row."),
        (("--row", "0"), "DATA is required."),
        (("fruit.csv", "--row", "99"), "row must be between 0 and 11 (12 rows), got 99."),
        (("fruit.csv", "--row", "0", "-o", "x.svg"), "-o draws exactly one of"),
        (("fruit.csv", "--row", "0", "--counterfactual", "ripee"), "Unknown class 'ripee'."),
        (("fruit.csv", "--dependence", "sise"), "Unknown column 'sise'."),
    ],
)
def test_wrong_requests_are_errors(run, model, arguments, cause):
    ran = run("explain", model, *arguments)
    assert ran.code == 2
    assert cause in ran.err
