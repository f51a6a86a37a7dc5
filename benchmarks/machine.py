"""Describes the machine: processor, available cores, versions of all libraries, the commit."""

import hashlib
import json
import os
import platform
import subprocess
import threading
import time
from pathlib import Path

PEER_VERSIONS = """
import importlib.metadata as m, json, sys
owner = m.packages_distributions()
print(json.dumps({name: f"{owner[name][0]} {m.version(owner[name][0])}" for name in sys.argv[1:] if name in owner}))
"""
R_VERSIONS = """
for (name in commandArgs(trailingOnly = TRUE)) if (requireNamespace(name, quietly = TRUE))
  cat(name, " ", name, " ", as.character(packageVersion(name)), ", R ", as.character(getRversion()), "\\n", sep = "")
"""
OUR_VERSION = """
import json, platform
import hornbeam as hb
hb.TreeClassifier, hb.TreeRegressor, hb.grow, hb.read
print(json.dumps([getattr(hb, "__version__", "unnamed"), platform.python_version()]))
"""


def about() -> dict[str, object]:
    """A description of the machine."""
    return {
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
    }


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def cores_got(threads: int, seconds: float = 0.7) -> float:
    """The number of cores that busy threads receive: below 0.95 per thread, other programs use the machine."""
    block, end = b"x" * (1 << 20), time.perf_counter() + seconds

    def burn():
        while time.perf_counter() < end:
            hashlib.sha256(block).digest()  # releases the interpreter lock

    workers = [threading.Thread(target=burn) for _ in range(threads)]
    wall, cpu = time.perf_counter(), time.process_time()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return (time.process_time() - cpu) / (time.perf_counter() - wall)


def peer_versions(python: str, libraries: list[str]) -> dict[str, str]:
    """Library -> distribution and version of the installed libraries."""
    output = subprocess.run([python, "-c", PEER_VERSIONS, *libraries], capture_output=True, text=True, check=True)
    return json.loads(output.stdout)


def r_versions(packages: list[str]) -> dict[str, str]:
    """The same for R packages; empty without Rscript."""
    try:
        output = subprocess.run(["Rscript", "--vanilla", "-e", R_VERSIONS, *packages], capture_output=True, text=True)
    except OSError:
        return {}
    return dict(line.split(" ", 1) for line in output.stdout.splitlines())


def our_version(python: str, environment: dict[str, str]) -> tuple[str | None, str]:
    """The version of hornbeam, or None and the reason why it cannot be imported."""
    try:
        output = subprocess.run([python, "-c", OUR_VERSION], capture_output=True, text=True, env=environment)
    except OSError as error:
        return None, f"cannot run its interpreter: {error.strerror}"
    if output.returncode:
        return None, (output.stderr.strip().splitlines() or ["no reason given"])[-1]
    version, on_python = json.loads(output.stdout)
    return f"hornbeam {version}, commit {commit()}, Python {on_python}", ""


def commit() -> str:
    """The commit, with a plus if the working tree differs from it."""

    def git(*arguments):
        output = subprocess.run(["git", *arguments], capture_output=True, text=True, cwd=Path(__file__).parent)
        return output.stdout.strip()

    return (git("rev-parse", "--short", "HEAD") or "unknown") + ("+" if git("status", "--porcelain", "-uno") else "")
