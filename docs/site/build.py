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
    shutil.rmtree(folder, ignore_errors=True)
    found = texts()
    for place, text in found.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(text, "utf-8")
    for place, path in pages.pictures().items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / place)
    return pages.faults(found)


def main() -> int:
    """Build the site; gives the exit code."""
    faults = laid_out(SOURCE)
    if faults:
        print("\n".join(faults), file=sys.stderr)
        return 1
    zensical = Path(sys.executable).with_name("zensical")
    command = [str(zensical), "build", "--strict", "--clean", "--config-file", str(pages.ROOT / "mkdocs.yml")]
    done = subprocess.run(command, cwd=pages.ROOT, check=False, capture_output=True, text=True)
    if done.returncode:
        print(done.stderr.partition("Traceback")[0] or done.stderr, file=sys.stderr)  # it ends every failure with one
        return 1
    print("The site is in build/site: open build/site/index.html.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
