"""Installs the package of `examples/own_package` in a folder, without a build, and runs Python with it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import hornbeam

SOURCE = Path(__file__).resolve().parents[1] / "examples" / "own_package"


def install(folder: Path) -> None:
    """Copy the modules of the package into a folder, with the metadata that an installer writes."""
    project = tomllib.loads((SOURCE / "pyproject.toml").read_text("utf-8"))["project"]
    folder.mkdir(exist_ok=True)
    shutil.copytree(SOURCE / "own_parts", folder / "own_parts", ignore=shutil.ignore_patterns("__pycache__"))
    about = folder / f"own_parts-{project['version']}.dist-info"
    about.mkdir()
    about.joinpath("METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n", encoding="utf-8"
    )
    lines = [
        line
        for group, entries in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {module}" for name, module in entries.items()))
    ]
    about.joinpath("entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def run_with(site: Path | None, arguments: list[str], cwd: Path) -> str:
    """What Python prints in a new process, with the packages of a folder or without them."""
    library = str(Path(hornbeam.__file__).parents[1])
    paths = [str(site)] if site is not None else []
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([*paths, library, os.environ.get("PYTHONPATH", "")]),
        "PYTHONIOENCODING": "utf-8",
    }
    ran = subprocess.run(
        [sys.executable, *arguments], cwd=cwd, env=environment, capture_output=True, encoding="utf-8", timeout=300
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    return ran.stdout
