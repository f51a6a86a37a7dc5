"""Runs scikit-learn's own test files with hornbeam's estimators, and compares the result with the committed table.

    python -m tests.scikit_learn_suite.run             run and compare; exit code 1 if the table is wrong
    python -m tests.scikit_learn_suite.run --write     write the table again; new rows have the reason "unknown"

The table (`table.csv`) has a row for every test function some of whose cases do not pass: how many of how many, under
which reason, and a note. A row without a reason is an error, and so is any difference from the run.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import astuple, dataclass, fields
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).with_name("table.csv")
MODULES = (
    "sklearn.tree.tests.test_tree",
    "sklearn.tree.tests.test_export",
    "sklearn.ensemble.tests.test_forest",
    "sklearn.ensemble.tests.test_weight_boosting",
    "sklearn.ensemble.tests.test_bagging",
    "sklearn.ensemble.tests.test_gradient_boosting",
    "sklearn.ensemble._hist_gradient_boosting.tests.test_gradient_boosting",
    "sklearn.ensemble._hist_gradient_boosting.tests.test_warm_start",
    "sklearn.ensemble._hist_gradient_boosting.tests.test_monotonic_constraints",
    "sklearn.inspection.tests.test_permutation_importance",
    "sklearn.inspection.tests.test_partial_dependence",
    "sklearn.ensemble.tests.test_stacking",
    "sklearn.ensemble.tests.test_voting",
    "sklearn.model_selection.tests.test_search",
    "sklearn.tests.test_calibration",
)
REASONS = {
    "private": "uses a private attribute or function of scikit-learn",
    "wording": "compares the text of an error, of a warning or the name of a class",
    "random": "depends on the random numbers that scikit-learn draws",
    "difference": "a deliberate difference that the documentation explains",
    "several targets": "several targets in one model: not included",
}


@dataclass(frozen=True, order=True)
class Row:
    """A test function some of whose cases do not pass."""

    module: str
    test: str
    failed: int
    cases: int
    reason: str = "unknown"
    note: str = ""


def main() -> int:
    """Run the test files and compare with the table, or write it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--write", action="store_true", help="write the table again")
    parser.add_argument("--jobs", default="2", help="number of processes")
    parser.add_argument("--junit", help="a recorded run (JUnit XML) instead of a new one")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(given.junit) if given.junit else run_tests(Path(folder), given.jobs)
        outcomes = read_outcomes(path)
    known = {(row.module, row.test): row for row in read_table()}
    found = [
        Row(module, test, count["failed"], sum(count.values()), *_reason(known.get((module, test))))
        for (module, test), count in sorted(outcomes.items())
        if count["failed"]
    ]
    total = sum(outcomes.values(), Counter())
    print(f"{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped")
    for reason in REASONS:
        print(f"{sum(row.failed for row in found if row.reason == reason):6} {reason}: {REASONS[reason]}")
    if given.write:
        write_table(found)
    return report_differences(found, list(known.values())) if not given.write else 0


def _reason(row: Row | None) -> tuple[str, str]:
    return ("unknown", "") if row is None else (row.reason, row.note)


def run_tests(folder: Path, jobs: str) -> Path:
    """Run scikit-learn's test files with the plugin `replace`; the result as JUnit XML."""
    out = folder / "result.xml"
    import sklearn

    site = Path(sklearn.__file__).parents[1]
    command = [sys.executable, "-m", "pytest", "-q", "-n", jobs, "-p", "tests.scikit_learn_suite.replace"]
    command += ["-p", "no:cacheprovider", "-c", "/dev/null", f"--rootdir={site}", "--tb=line", "-W", "ignore"]
    command += [f"--junitxml={out}", "--pyargs", *MODULES]
    subprocess.run(command, cwd=ROOT, check=False, stdout=sys.stderr)
    return out


def read_outcomes(path: Path) -> dict[tuple[str, str], Counter[str]]:
    """Passed, failed and skipped cases per test function."""
    outcomes: dict[tuple[str, str], Counter[str]] = {}
    for case in ElementTree.parse(path).iter("testcase"):
        kinds = {child.tag for child in case}
        outcome = "failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"
        module = str(case.get("classname")).replace("sklearn.", "", 1).replace(".tests.", ".")
        test = str(case.get("name")).partition("[")[0]
        outcomes.setdefault((module, test), Counter(passed=0, failed=0, skipped=0))[outcome] += 1
    return outcomes


def read_table() -> list[Row]:
    """The committed table."""
    if not TABLE.exists():
        return []
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [
            Row(each["module"], each["test"], int(each["failed"]), int(each["cases"]), each["reason"], each["note"])
            for each in csv.DictReader(file)
        ]


def write_table(rows: list[Row]) -> None:
    """Write the table."""
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([field.name for field in fields(Row)])
        writer.writerows(astuple(row) for row in rows)


def report_differences(found: list[Row], known: list[Row]) -> int:
    """Print every row that differs from the table or has no reason; 1 if there is one."""
    wrong = [f"new or changed: {row}" for row in sorted(set(found) - set(known))]
    wrong += [f"no longer true: {row}" for row in sorted(set(known) - set(found))]
    wrong += [f"no reason: {row}" for row in found if row.reason not in REASONS]
    print("\n".join(wrong) or "The table is right.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
