"""Measures of the C++ core, and the debts: what exceeds a limit today, with its exact size.

python -m tests.architecture.native_measures            print what differs from the list of debts
python -m tests.architecture.native_measures --write    list what is left; refuses debts that are new or have grown
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from tests.architecture.native_code import includes, read
from tests.architecture.repository import ROOT

NATIVE = ROOT / "native"
DEBTS = Path(__file__).with_name("native_debts.json")
LIMITS = {"members": 15, "fields": 20, "parameters": 6, "lines": 400}
NOT_LAYERED = {"tests"}  # tests may include everything

Debts = dict[str, dict[str, int]]


def files() -> dict[str, str]:
    """The text of every C++ file, by its path relative to `native`."""
    found = sorted(path for path in NATIVE.rglob("*") if path.suffix in (".cpp", ".hpp"))
    return {path.relative_to(NATIVE).as_posix(): path.read_text("utf-8") for path in found}


def folder_order() -> list[str]:
    """The folders of the core from the top down, as ARCHITECTURE.md lists them."""
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    return re.findall(r"^\| `native/(\w+)/` \|", text, flags=re.MULTILINE)


def measured() -> Debts:
    """Everything that exceeds a limit, by what is measured."""
    texts = files()
    graph = {path: [name for name in includes(text) if name in texts] for path, text in texts.items()}
    return {**sizes(texts), "upward includes": upward(graph, folder_order()), "include cycles": cycles(graph)}


def sizes(texts: dict[str, str]) -> Debts:
    """Classes, signatures and files above a limit, with their sizes."""
    found: dict[str, list[tuple[str, int]]] = {name: [] for name in LIMITS}
    for path, text in texts.items():
        code = read(text)
        found["lines"].append((path, text.count("\n")))
        found["members"] += [(each.name, each.members) for each in code.classes]
        found["fields"] += [(each.name, each.fields) for each in code.classes]
        found["parameters"] += code.signatures
    return {name: numbered((key, n) for key, n in found[name] if n > limit) for name, limit in LIMITS.items()}


def numbered(found: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Sizes by name; a name that occurs again (a declaration and its definition, overloads) gets a number."""
    out: dict[str, int] = {}
    seen: Counter[str] = Counter()
    for name, n in found:
        seen[name] += 1
        out[name if seen[name] == 1 else f"{name} ({seen[name]})"] = n
    return out


def upward(graph: dict[str, list[str]], order: list[str]) -> dict[str, int]:
    """How many includes point from a folder to one above it."""
    place = {folder: index for index, folder in enumerate(order)}
    found: Counter[str] = Counter()
    for path, names in graph.items():
        home = path.partition("/")[0]
        for target in (name.partition("/")[0] for name in names):
            if home not in NOT_LAYERED and place[target] < place[home]:
                found[f"{home} -> {target}"] += 1
    return dict(found)


def cycles(graph: dict[str, list[str]]) -> dict[str, int]:
    """Files that include each other, directly or through others: a file and the size of its cycle."""
    reached = {path: reachable(graph, path) for path in graph}
    groups = defaultdict(list)
    for path in graph:
        if path in reached[path]:
            groups[min(other for other in reached[path] if path in reached[other])].append(path)
    return {first: len(group) for first, group in groups.items()}


def reachable(graph: dict[str, list[str]], start: str) -> set[str]:
    """The files that a file includes, directly or through others."""
    found: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += graph[path]
    return found


def differences(found: Debts, listed: Debts) -> list[str]:
    """What is new, has grown, has shrunk or is gone, one line each."""
    out = []
    for what in sorted({*found, *listed}):
        here, debts = found.get(what, {}), listed.get(what, {})
        for name in sorted({*here, *debts}):
            if name not in debts:
                out.append(f"new: {what} of {name} is {here[name]}")
            elif name not in here:
                out.append(f"gone: {what} of {name} was {debts[name]}; remove it from the list")
            elif here[name] != debts[name]:
                verb = "grown" if here[name] > debts[name] else "shrunk"
                out.append(f"{verb}: {what} of {name} is {here[name]}, listed as {debts[name]}")
    return out


def listed() -> Debts:
    """The debts as they are listed."""
    return json.loads(DEBTS.read_text("utf-8"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="list what is left")
    options = parser.parse_args()
    found = measured()
    changed = differences(found, listed())
    print("\n".join(changed) or "all debts are listed")
    if options.write:
        if any(line.startswith(("new", "grown")) for line in changed):
            raise SystemExit("Debts may only shrink: bring what is new or has grown below its limit.")
        DEBTS.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
