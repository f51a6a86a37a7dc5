"""Where is the repository, and which files are in it?"""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def tracked() -> list[Path]:
    """Every file of the repository, relative to its root: what git tracks or would track.

    Outside a git checkout (an unpacked source archive) there is nothing to compare with, and the list is empty.
    """
    asked = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    found = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True)
    listed = found.stdout.splitlines() if found.returncode == 0 else []
    return [Path(line) for line in listed if (ROOT / line).exists()]
