"""hornbeam ask: the values of one case, one line each."""

from __future__ import annotations

import pathlib
import re

import pytest

import hornbeam as hb


def test_the_values_on_the_path_give_the_prediction(run, model):
    ran = run("ask", model, stdin="red\n8\n")
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "Prediction: yes 100% (4 training rows at leaf 4)",
        "  1  colour = red  colour red  yes 33% -> 67%",
        "  2  size > 4      size 8      yes 67% -> 100%",
    ]
    assert ran.err.splitlines() == [
        "Enter a value, or: unknown, back, why, quit.",
        "colour (1 green  2 red): red",
        "size (number): 8",
    ]


def test_a_level_can_be_given_by_its_number(run, model):
    assert run("ask", model, stdin="1\n").out == run("ask", model, stdin="GREEN\n").out


def test_back_removes_the_last_value(run, model):
    ran = run("ask", model, stdin="back\nred\nback\ngreen\n")
    assert "This is the first value." in ran.err
    assert "The previous value is removed." in ran.err
    assert ran.out.startswith("Prediction: no 100%")


def test_why_prints_the_question_the_path_and_the_prediction_so_far(run, model):
    ran = run("ask", model, stdin="red\nwhy\n1\n")
    assert "The tree tests: size <= 4. Path: colour = red. Prediction so far: yes 67%, no 33%." in ran.err


@pytest.mark.parametrize("text", ["unknown", "?"])
def test_an_unknown_value_follows_the_rule_for_missing_values(run, model, text):
    ran = run("ask", model, "--json", "-q", stdin=f"red\n{text}\n")
    assert ran.json["answers"] == {"colour": "red", "size": None}
    assert ran.json["prediction"] == "yes"
    assert ran.json["steps"][-1]["how"] == "missing"


def test_a_wrong_value_is_requested_again_with_the_reason(run, model):
    ran = run("ask", model, stdin="rad\nred\nbig\n9\n")
    assert "'rad' is not a level of colour. Did you mean 'red'?" in ran.err
    assert "'big' is not a number." in ran.err
    assert ran.code == 0


def test_quit_ends_without_a_prediction(run, model):
    ran = run("ask", model, stdin="red\nquit\n")
    assert (ran.code, ran.out) == (130, "")


def test_input_that_ends_too_early_is_an_error(run, model):
    ran = run("ask", model, stdin="red\n")
    assert ran.code == 2
    assert "The input ended before the prediction." in ran.err


def test_a_level_called_like_a_command_is_a_level(run):
    pathlib.Path("d.csv").write_text("pain,y\nback,a\nback,a\nknee,b\nknee,b\n")
    run("grow", "d.csv", "--target", "y", "--probabilities", "frequencies", "-o", "d.tree", "-q")
    assert run("ask", "d.tree", stdin="back\n").out.startswith("Prediction: a 100%")


def test_the_questionnaire_is_written_by_suffix(run, model):
    assert run("questionnaire", model, "-o", "form.html").out == "wrote form.html: 2 items\n"
    assert pathlib.Path("form.html").read_text().startswith("<!doctype html>")
    assert run("questionnaire", model, "-o", "form.md").code == 0
    assert pathlib.Path("form.md").read_text() == run("questionnaire", model, "--as", "markdown").out
    assert "not known" not in run("questionnaire", model, "--no-missing").out
    assert len(run("questionnaire", model, "--json").json["results"]) == 3


def test_the_guide_shows_what_is_printed(run):
    guide = pathlib.Path(__file__).parents[2] / "docs" / "guides" / "command-line.md"
    block = re.search(r"\$ hornbeam ask penguins\.tree\n(.*?)```", guide.read_text("utf-8"), re.DOTALL)[1]
    hb.save(
        hb.grow(hb.datasets.load("penguins"), hb.recipe("plain").with_changes(stops=[hb.stops.MaxDepth(2)])), "p.tree"
    )
    values = re.findall(r"^\S+ \(.*\): (.*)$", block, re.MULTILINE)
    ran = run("ask", "p.tree", stdin="\n".join(values) + "\n")
    assert ran.err + ran.out == block
