"""Type checkers find every public name of the package, and no other."""

from __future__ import annotations

import subprocess
import sys


def mypy_output(code: str, tmp_path) -> str:
    (tmp_path / "use.py").write_text(code, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "use.py"]
    return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600).stdout


def test_a_name_that_is_not_there_is_an_error_for_type_checkers(tmp_path):
    code = "import hornbeam as hb\n\nhb.grow\nhb.TreeClassifier\nhb.errors\nhb.__version__\nhb.nonsense\n"
    output = mypy_output(code, tmp_path)
    assert 'use.py:7: error: Module has no attribute "nonsense"' in output, output
    assert "Found 1 error" in output, output
