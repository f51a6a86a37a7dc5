"""The page on the quality of boosting equals what the script generates from the recorded losses."""

import json
from pathlib import Path

from benchmarks.boosting_quality_table import page, summary

ROOT = Path(__file__).parents[2]
RECORDED = ROOT / "benchmarks" / "results" / "2026-11-17-boosting_quality.json"


def test_the_page_of_results_is_generated_from_the_losses():
    report = json.loads(RECORDED.read_text("utf-8"))
    assert RECORDED.with_suffix(".md").read_text("utf-8") == page(report["losses"], report["versions"])


def test_the_decision_shows_the_summary_of_the_recorded_losses():
    losses = json.loads(RECORDED.read_text("utf-8"))["losses"]
    decision = (ROOT / "docs" / "decisions" / "0008-boosting-quality.md").read_text("utf-8")
    assert "\n".join(summary(losses, list(losses))) in decision
