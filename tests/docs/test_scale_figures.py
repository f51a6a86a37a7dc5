"""The figures of docs/scale.md are those that the scripts generate from the recorded measurements."""

import json
from pathlib import Path

import pytest
from benchmarks import scale_model, streamed_predictions
from benchmarks.scale_page import page_of

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results"
PAGE = (ROOT / "docs" / "scale.md").read_text("utf-8")


def recorded(name):
    path = sorted(RESULTS.glob(f"*-{name}.json"))[-1]
    return path, json.loads(path.read_text("utf-8"))


def between(begin, end):
    return PAGE.split(begin)[1].split(end)[0].strip()


def test_the_cost_model_is_computed_from_the_measured_constants():
    _, constants = recorded("scale_model")
    assert between(scale_model.BEGIN, scale_model.END) == scale_model.section(constants)


def test_every_size_of_the_model_is_labelled_as_a_model():
    section = between(scale_model.BEGIN, scale_model.END)
    label, table = section.split("| rows | machines |")
    assert "**All figures of this table are a model, none was run**" in label
    assert "10^11" in table


def test_the_model_adds_up():
    constants = {"pass 1": 1e-9, "pass 2": 2e-9, "kappa": 1e-9, "alpha": 1.0, "tau": 0.5, "sigma": 0.0}
    found = scale_model.seconds_of(constants, 1e6, 2, cores=3)
    sums = 2**7 * 100 * 256 * 2
    expected = {
        "prepare": 1e6 * 100 / 6 * 3e-9,
        "compute": 1e6 * 100 / 6 * 8 * 1e-9,
        "network": 2 * sums * 8 / 1.25e9,
        "schedule": 8 * (1.0 + 0.5 * 2 * 4),
    }
    assert found == pytest.approx(expected)


def test_the_measured_predictions_are_those_of_the_record():
    _, figures = recorded("streamed_predictions")
    expected = streamed_predictions.section(figures, streamed_predictions.large_run())
    assert between(streamed_predictions.BEGIN, streamed_predictions.END) == expected


def test_the_recorded_run_of_fifty_million_rows_kept_its_memory():
    _, run = recorded("large")
    assert run["rows"] == 50_000_000
    assert run["anonymous_peak"] < run["limit"]


def test_the_page_of_the_benchmark_is_generated_from_its_times():
    path, found = recorded("scale")
    assert path.with_suffix(".md").read_text("utf-8") == page_of(found)
