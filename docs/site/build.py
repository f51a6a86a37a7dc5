"""How is the site made?  Written pages and the reference are laid into one folder, checked, and handed to zensical.

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
    return {**pages.written_pages(reference.part_places()), **reference.pages()}


def laid_out(folder: Path) -> list[str]:
    """Write all pages and pictures into a folder; gives the faults found."""
    from docs.site import formulas  # needs the docs extra; the pages themselves are tested without it

    shutil.rmtree(folder, ignore_errors=True)
    found = texts()
    for place, text in found.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(formulas.with_mathml(text), "utf-8")
    for place, path in pages.pictures().items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / place)
    return pages.faults(found)


def built() -> str:
    """Run the site generator; gives what it complains about, nothing when all is well.

    It has been seen to end once without having found a fault (0.0.73, on a machine short of time); only then it is
    started a second time.
    """
    zensical = Path(sys.executable).with_name("zensical")
    command = [str(zensical), "build", "--strict", "--clean", "--config-file", str(pages.ROOT / "mkdocs.yml")]
    said = ""
    for _ in range(2):
        done = subprocess.run(command, cwd=pages.ROOT, check=False, capture_output=True, text=True)
        if done.returncode == 0:
            return ""
        said, _, trace = done.stderr.partition("Traceback")  # it ends every failure with one
        if said.strip():
            return said
        said = trace
    return said


def main() -> int:
    """Build the site; gives the exit code."""
    faults = "\n".join(laid_out(SOURCE)) or built()
    if faults:
        print(faults, file=sys.stderr)
        return 1
    print("The site is in build/site: open build/site/index.html.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
