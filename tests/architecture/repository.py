"""The root of the repository, its files, and the folders whose texts are tested for plain English."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Where the rules of plain English are tested: folders and files.
PLAIN = (
    *("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "mkdocs.yml"),
    *("RELEASING.md", "pyproject.toml", ".github", ".ci", "docs", "examples", "src", "tools", "web"),
    *("benchmarks", "tests", "CMakeLists.txt", "native"),
)
# Never tested: recorded results of benchmarks and of other programs.
EXCLUDED = ("benchmarks/results", "tests/data", "LICENSE")


def tracked() -> list[Path]:
    """Every file of the repository, relative to its root: what git tracks or would track.

    Outside a git checkout (an unpacked source archive) there is nothing to compare with, and the list is empty.
    """
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    listed = found.stdout.splitlines() if found.returncode == 0 else []
    return [Path(line) for line in listed if (ROOT / line).exists()]


def is_plain(path: Path) -> bool:
    """Whether the rules of plain English are tested for this file."""
    return is_inside(path, PLAIN) and not is_inside(path, EXCLUDED)


def is_inside(path: Path, folders: tuple[str, ...]) -> bool:
    """Whether a file is one of these, or inside one of these folders."""
    return any(path.is_relative_to(folder) for folder in folders)
