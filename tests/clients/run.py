"""Runs the client tests and writes what ran, with versions, into docs/guides/scikit-learn.md: `make clients`."""

from __future__ import annotations

import importlib.metadata
import platform
import sys
from pathlib import Path

import pytest
from tools.document import replace_section

ROOT = Path(__file__).resolve().parents[2]
FILES = ("client_scikit_learn.py", "client_frames.py", "client_libraries.py")


class Outcomes:
    """The outcome of each test with the client that it declares."""

    def __init__(self) -> None:
        self.clients: dict[str, tuple[str, str]] = {}
        self.outcomes: dict[tuple[str, str], set[str]] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Function]) -> None:
        """Every test names the library that it uses."""
        self.clients = {item.nodeid: item.function.client for item in items}  # type: ignore[attr-defined]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test of several cases ran if all of them did."""
        if report.when == "call" or not report.passed:
            self.outcomes.setdefault(self.clients[report.nodeid], set()).add(report.outcome)

    def table(self) -> str:
        """One row per library that ran."""
        rows: dict[str, list[str]] = {}
        for (library, what), outcomes in self.outcomes.items():
            if outcomes == {"passed"}:
                rows.setdefault(library, []).append(what)
        lines = [
            f"| {library} | {importlib.metadata.version(library)} | {'; '.join(whats)} |"
            for library, whats in sorted(rows.items(), key=lambda row: row[0].lower())
        ]
        head = f"With Python {platform.python_version()} on {platform.system()} {platform.machine()}:"
        return "\n".join([head, "", "| library | version | what ran |", "|---|---|---|", *lines])


def main() -> int:
    """The exit code of pytest; the documentation changes only if all tests ran and passed."""
    outcomes = Outcomes()
    files = [str(Path(__file__).parent / name) for name in FILES]
    code = int(pytest.main(["-q", "-p", "no:cacheprovider", *files, *sys.argv[1:]], plugins=[outcomes]))
    print(outcomes.table())
    left_out = sorted(name for (name, _), found in outcomes.outcomes.items() if found != {"passed"})
    if code == 0 and not left_out:
        replace_section(ROOT / "docs" / "guides" / "scikit-learn.md", "clients", outcomes.table())
    else:
        print(f"The documentation is not changed; failed or not installed: {', '.join(left_out)}.")
    return code


if __name__ == "__main__":
    sys.exit(main())
