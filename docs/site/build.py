"""Builds the site: writes all pages and the reference into one folder, checks them, and runs zensical.

python -m docs.site.build            writes build/site; any broken link, missing page or warning is a failure
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from docs.site import pages, reference

SOURCE = pages.ROOT / "build" / "docs"


def texts() -> dict[str, str]:
    """Every page of the site, as Markdown."""
    return {**pages.written_pages(reference.part_sections()), **reference.pages()}


def write_pages(folder: Path) -> list[str]:
    """Write all pages and images into a folder; returns the faults found."""
    from docs.site import formulas  # needs the docs extra; the pages themselves are tested without it

    shutil.rmtree(folder, ignore_errors=True)
    found = texts()
    for address, text in found.items():
        (folder / address).parent.mkdir(parents=True, exist_ok=True)
        (folder / address).write_text(formulas.with_mathml(text), "utf-8")
    for address, path in pages.images().items():
        (folder / address).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / address)
    return pages.faults(found)


def run_generator() -> str:
    """Run the site generator; returns its error messages, or an empty text.

    Version 0.0.73 once failed without a message on a busy machine; only in that case it is started a second time.
    """
    zensical = Path(sys.executable).with_name("zensical")
    command = [str(zensical), "build", "--strict", "--clean", "--config-file", str(pages.ROOT / "mkdocs.yml")]
    message = ""
    for _ in range(2):
        done = subprocess.run(command, cwd=pages.ROOT, check=False, capture_output=True, text=True)
        if done.returncode == 0:
            return ""
        message, _, trace = done.stderr.partition("Traceback")  # every failure ends with one
        if message.strip():
            return message
        message = trace
    return message


def main() -> int:
    """Build the site; returns the exit code."""
    faults = "\n".join(write_pages(SOURCE)) or run_generator()
    if faults:
        print(faults, file=sys.stderr)
        return 1
    print("The site is in build/site: open build/site/index.html.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
