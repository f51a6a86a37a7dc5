"""Copies source files into the pages that show them.

python -m docs.site.embedded         updates every block of code below a comment `<!-- file: PATH -->`
"""

from __future__ import annotations

import re
from pathlib import Path

from docs.site import pages

_BLOCK = re.compile(r"(<!-- file: (\S+) -->.*?```(?:cpp|python|toml)\n)(.*?)(```)", flags=re.DOTALL)


def embedded(page: Path) -> dict[str, str]:
    """The text that a page shows for each file, by the path of the file."""
    return {found[2]: found[3] for found in _BLOCK.finditer(page.read_text("utf-8"))}


def updated(text: str) -> str:
    """The text of a page with the present content of every file that it shows."""
    return _BLOCK.sub(lambda found: f"{found[1]}{(pages.ROOT / found[2]).read_text('utf-8')}{found[4]}", text)


def main() -> None:
    """Update all pages and print the names of those that changed."""
    for page in pages.sources().values():
        old = page.read_text("utf-8")
        new = updated(old)
        if new != old:
            page.write_text(new, "utf-8")
            print(page.relative_to(pages.ROOT))


if __name__ == "__main__":
    main()
