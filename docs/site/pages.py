"""Collects the written pages of the site: the Markdown of docs/ and of the top folder, with links that work there.

A link to a file that is not a page of the site becomes the name of the file; a part named in code becomes a link to its
section of the reference; a citation such as "definition 4.2" becomes a link to that heading. `faults` lists what the
site generator does not detect: pages and navigation that differ, images and files that do not exist.
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
IMAGES = (".png", ".svg")
_LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\[\]]*)\]\((?P<target>[^()\s#]*)(?P<anchor>#[^()\s]*)?\)")
_FENCE = re.compile(r"(^```.*?^```\s*?$)", flags=re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(?<!\[)`(\w+)`(?!\])")


def sources() -> dict[str, Path]:
    """Every written page by its address on the site."""
    written = {path.relative_to(DOCS).as_posix(): path for path in sorted(DOCS.rglob("*.md"))}
    return {**written, **{address: ROOT / name for name, address in PROJECT.items()}}


def images() -> dict[str, Path]:
    """Every image, and every published JSON schema, by its address on the site."""
    found = sorted(path for path in (DOCS / "images").rglob("*") if path.suffix in IMAGES)
    return {path.relative_to(DOCS).as_posix(): path for path in [*found, *sorted(DOCS.glob("*.json"))]}


def written_pages(parts: dict[str, str]) -> dict[str, str]:
    """The text of every written page on the site; `parts` has the address of the section of each part."""
    addresses = {path: address for address, path in {**sources(), **images()}.items()}
    return {address: _on_site(address, path, addresses, parts) for address, path in sources().items()}


def _on_site(address: str, path: Path, addresses: dict[Path, str], parts: dict[str, str]) -> str:
    """The text of one page with its links converted."""

    def link(found: re.Match[str]) -> str:
        target = found["target"]
        if not target or "://" in target:
            return found[0]
        file = (path.parent / target).resolve()
        if file in addresses:
            relative = f"{_relative(address, addresses[file])}{found['anchor'] or ''}"
            return f"{found['image']}[{found['text']}]({relative})"
        return f"{found['text']} (`{file.relative_to(ROOT).as_posix()}`)" if file.exists() else found[0]

    def part(found: re.Match[str]) -> str:
        section = parts.get(found[1])
        return f"[`{found[1]}`]({_relative(address, section)})" if section else found[0]

    def prose(text: str) -> str:
        text = _CODE.sub(part, _LINK.sub(link, text))
        if path.parent == definitions.FOLDER:
            text = definitions.with_anchors(text)
        return definitions.linked(text, address)

    chunks = _FENCE.split(path.read_text("utf-8"))
    return "".join(each if each.startswith("```") else prose(each) for each in chunks)


def _relative(page: str, target: str) -> str:
    """The relative link from one page of the site to another."""
    return PurePosixPath(os.path.relpath(target, PurePosixPath(page).parent)).as_posix()


def navigation() -> list[str]:
    """The pages that the navigation of mkdocs.yml names, in order."""
    text = (ROOT / "mkdocs.yml").read_text("utf-8")
    return re.findall(r"^\s+- (?:[^:\n]+: )?([\w./-]+\.md)$", text, flags=re.MULTILINE)


def faults(texts: dict[str, str]) -> list[str]:
    """The faults of these pages, one sentence each."""
    named = navigation()
    problems = [f"mkdocs.yml names {page}, which does not exist." for page in named if page not in texts]
    problems += [f"{page} is not in the navigation of mkdocs.yml." for page in texts if page not in named]
    problems += [f"mkdocs.yml names {page} twice." for page in {each for each in named if named.count(each) > 1}]
    known = {*texts, *images()}
    for page, text in texts.items():
        prose = "".join(each for each in _FENCE.split(text) if not each.startswith("```"))
        for found in _LINK.finditer(prose):
            target = found["target"]
            address = os.path.normpath(PurePosixPath(page).parent / target)
            if target and "://" not in target and address not in known:
                problems.append(f"{page}: {target} does not exist.")
    return problems
