"""Which pages has the site, and do they hold together?  The Markdown of docs/, the map and its like, the reference.

A link to a file that is no page of the site becomes the file's name; a part named in code becomes a link to where the
reference tells it; a citation such as "definition 4.2" becomes a link to that heading. `faults` lists what the site
generator lets pass: pages and navigation that do not match, pictures and files that are not there.
"""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath

from docs.site import definitions

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PROJECT = {  # files of the repository that are pages of the site
    "ARCHITECTURE.md": "project/architecture.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
    "SECURITY.md": "project/security.md",
    "benchmarks/README.md": "project/benchmarks.md",
}
PICTURES = (".png", ".svg")
_LINK = re.compile(r"(?P<picture>!?)\[(?P<text>[^\[\]]*)\]\((?P<target>[^()\s#]*)(?P<anchor>#[^()\s]*)?\)")
_FENCE = re.compile(r"(^```.*?^```\s*?$)", flags=re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(?<!\[)`(\w+)`(?!\])")


def sources() -> dict[str, Path]:
    """Every written page by its place on the site."""
    written = {path.relative_to(DOCS).as_posix(): path for path in sorted(DOCS.rglob("*.md"))}
    return {**written, **{place: ROOT / name for name, place in PROJECT.items()}}


def pictures() -> dict[str, Path]:
    """Every picture by its place on the site."""
    found = sorted(path for path in (DOCS / "images").rglob("*") if path.suffix in PICTURES)
    return {path.relative_to(DOCS).as_posix(): path for path in found}


def written_pages(parts: dict[str, str]) -> dict[str, str]:
    """The text of every written page as the site shows it; `parts` says where each part is told."""
    places = {path: place for place, path in {**sources(), **pictures()}.items()}
    return {place: _shown(place, path, places, parts) for place, path in sources().items()}


def _shown(place: str, path: Path, places: dict[Path, str], parts: dict[str, str]) -> str:
    def link(found: re.Match[str]) -> str:
        target = found["target"]
        if not target or "://" in target:
            return found[0]
        file = (path.parent / target).resolve()
        if file in places:
            where = f"{_from(place, places[file])}{found['anchor'] or ''}"
            return f"{found['picture']}[{found['text']}]({where})"
        return f"{found['text']} (`{file.relative_to(ROOT).as_posix()}`)" if file.exists() else found[0]

    def part(found: re.Match[str]) -> str:
        where = parts.get(found[1])
        return f"[`{found[1]}`]({_from(place, where)})" if where else found[0]

    def prose(text: str) -> str:
        text = _CODE.sub(part, _LINK.sub(link, text))
        if path.parent == definitions.FOLDER:
            text = definitions.with_anchors(text)
        return definitions.linked(text, place)

    chunks = _FENCE.split(path.read_text("utf-8"))
    return "".join(each if each.startswith("```") else prose(each) for each in chunks)


def _from(page: str, target: str) -> str:
    """The way from one place of the site to another."""
    return PurePosixPath(os.path.relpath(target, PurePosixPath(page).parent)).as_posix()


def navigation() -> list[str]:
    """The pages that the navigation of mkdocs.yml names, in order."""
    text = (ROOT / "mkdocs.yml").read_text("utf-8")
    return re.findall(r"^\s+- (?:[^:\n]+: )?([\w./-]+\.md)$", text, flags=re.MULTILINE)


def faults(texts: dict[str, str]) -> list[str]:
    """What is wrong with these pages, one sentence a fault."""
    named = navigation()
    said = [f"mkdocs.yml names {page}, which does not exist." for page in named if page not in texts]
    said += [f"{page} is not in the navigation of mkdocs.yml." for page in texts if page not in named]
    said += [f"mkdocs.yml names {page} twice." for page in {each for each in named if named.count(each) > 1}]
    known = {*texts, *pictures()}
    for page, text in texts.items():
        prose = "".join(each for each in _FENCE.split(text) if not each.startswith("```"))
        for found in _LINK.finditer(prose):
            target = found["target"]
            place = os.path.normpath(PurePosixPath(page).parent / target)
            if target and "://" not in target and place not in known:
                said.append(f"{page}: {target} leads nowhere.")
    return said
