"""The first hour of new users: their commands, with the flags they guess first, on files as they have them.

Each transcript in first_hour/ is one reader; after a `$` it has a command and exactly what is printed. The files are an
export of a German hospital (semicolons, decimal commas, dates, `k.A.`, ids, 0/1 outcome), and its visits.
"""

from __future__ import annotations

import pathlib

import pytest
from tests.cli.test_transcripts import replayed, sessions

import hornbeam as hb

FOLDER = pathlib.Path(__file__).parent / "first_hour"
READERS = ("clinician", "data_scientist", "r_user", "teacher", "engineer", "first_guesses")


def decimal_comma(value: float | None) -> str:
    return "k.A." if value is None else f"{value:g}".replace(".", ",")


def write_patients(n_rows: int = 400, n_visits: int = 80) -> None:
    """patients.csv: one row per patient; visits.csv: three rows for each of some patients; new.csv: without outcome."""
    table = hb.datasets.load("prostate").as_dict()
    head = "patient;aufnahme;PSA;dichte;volumen;alter;befund"
    lines = []
    for row in range(n_rows):
        numbers = (table["PSA"][row], table["PSA density"][row], table["volume"][row])
        cells = [decimal_comma(each) for each in numbers]
        day = f"{row % 28 + 1:02}.{row // 28 % 12 + 1:02}.2021"
        lesion = {"yes": "ja", "no": "nein", None: ""}[table["lesion"][row]]
        lines.append(";".join([f"P{row + 1:03}", day, *cells, f"{table['age'][row]:g}", lesion]))
    outcome = [str(int(each == "cancer")) for each in table["outcome"]]
    labeled = [f"{line};{each}" for line, each in zip(lines, outcome, strict=True)]
    _write("patients.csv", [f"{head};krebs", *labeled])
    _write("visits.csv", [f"{head};krebs", *(line for line in labeled[:n_visits] for _ in range(3))])
    _write("new.csv", [head, *lines[:3]])


def _write(name: str, lines: list[str]) -> None:
    pathlib.Path(name).write_text("\n".join(lines) + "\n", encoding="cp1252")


@pytest.mark.parametrize("reader", READERS)
def test_the_first_hour_of_a_reader_prints_what_is_recorded(run, reader):
    pathlib.Path("fruit.csv").unlink()  # the folder contains the files of a reader only
    write_patients()
    text = (FOLDER / f"{reader}.txt").read_text(encoding="utf-8")
    assert replayed(run, text) == text


@pytest.mark.parametrize("reader", READERS[:-1])
def test_a_reader_meets_at_most_two_errors_and_each_names_the_fix(reader):
    outputs = [output for _, output in sessions((FOLDER / f"{reader}.txt").read_text(encoding="utf-8"))]
    errors = [output for output in outputs if output.startswith("error:")]
    assert len(errors) <= 2 < len(outputs)
    assert all("\nhint: " in output for output in errors)


def test_every_wrong_guess_names_what_was_meant():
    for command, output in sessions((FOLDER / "first_guesses.txt").read_text(encoding="utf-8")):
        assert output.startswith("error:"), command
        assert "Did you mean" in output, command
