"""The stages of trees: one branch column per node, then the node where each row ends, or the fractions of the row."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from hornbeam.exporting.code.packing import possible_ends
from hornbeam.exporting.model import MIN_FRACTION, REJECTED, ExportTree
from hornbeam.exporting.sql.expressions import double, route_sql
from hornbeam.exporting.sql.stages import MAX_COLUMNS, Stages
from hornbeam.rules.sql_text import number
from hornbeam.tree.nodes import ALL_BRANCHES, STAY

_MAX_WHENS = 100  # databases limit the depth of an expression, and test the conditions of a CASE one by one
MAX_FRACTIONAL = 400  # nodes of a tree with fractional rows


@dataclasses.dataclass(frozen=True)
class Ends:
    """How a query knows where the rows of a tree end: a column with the node, or a fraction per possible end."""

    leaf: str
    portions: dict[int, str]

    def value(self, values: dict[int, float]) -> str:
        """The value of the node where a row ends, as a double; nodes that are not listed have the value 0."""
        if self.portions:
            listed = [(node, value) for node, value in sorted(values.items()) if value != 0.0 and node in self.portions]
            terms = [f"{self.portions[node]} * {double(number(value))}" for node, value in listed]
            total = " + ".join(self.portions[node] for node in sorted(self.portions))
            return f"({' + '.join(terms) or double('0e0')}) / ({total})"
        return double(case_of(self.leaf, {node: number(value) for node, value in values.items()}))


def case_of(column: str, results: dict[int, str]) -> str:
    """A CASE that maps integers to expressions; equal results are listed once, many are searched by halves."""
    if len(set(results.values())) > _MAX_WHENS:
        keys = sorted(results)
        middle = keys[len(keys) // 2]
        low = case_of(column, {key: results[key] for key in keys if key < middle})
        high = case_of(column, {key: results[key] for key in keys if key >= middle})
        return f"CASE WHEN {column} < {middle} THEN {low} ELSE {high} END"
    by_result: dict[str, list[int]] = {}
    for key, result in results.items():
        by_result.setdefault(result, []).append(key)
    whens = [
        f"WHEN {column} = {keys[0]} THEN {result}"
        if len(keys) == 1
        else f"WHEN {column} IN ({', '.join(map(str, keys))}) THEN {result}"
        for result, keys in by_result.items()
    ]
    return f"CASE {' '.join(whens)} END"


def add_trees(stages: Stages, trees: Sequence[ExportTree], prefixes: Sequence[str]) -> list[Ends]:
    """The stages that find where the rows of some trees end."""
    found: list[Ends | None] = [None] * len(trees)
    small = [i for i, tree in enumerate(trees) if not tree.has_fractional and len(tree.inner) <= MAX_COLUMNS]
    if small:
        names = {i: {node: stages.name(f"{prefixes[i]}node_{node}") for node in trees[i].inner} for i in small}
        columns = [(names[i][node], _route(trees[i], node)) for i in small for node in trees[i].inner]
        if columns:
            stages.add("branches", columns)
        leaves = {i: stages.name(f"{prefixes[i]}leaf") for i in small}
        lines = [(leaves[i], _leaf(trees[i], names[i])) for i in small]
        stages.add("leaves", lines, [alias for alias, _ in columns])
        for i in small:
            found[i] = Ends(leaves[i], {})
    for i, tree in enumerate(trees):
        if found[i] is None:
            found[i] = (
                _fractional(stages, tree, prefixes[i]) if tree.has_fractional else _large(stages, tree, prefixes[i])
            )
    return [each for each in found if each is not None]


def _route(tree: ExportTree, node: int) -> str:
    route = tree.route(node)
    assert route is not None
    return route_sql(route, tree.schema)


def _large(stages: Stages, tree: ExportTree, prefix: str) -> Ends:
    """A tree with many nodes: piece by piece, each of which moves rows from some nodes to nodes below."""
    at = ""
    for roots, inside in _pieces(tree):
        names = {node: stages.name(f"{prefix}node_{node}") for node in inside}
        stages.add("branches", [(names[node], _route(tree, node)) for node in inside])
        leaf = stages.name(f"{prefix}leaf")
        drop = [*names.values(), *([at] if at else [])]
        stages.add("leaves", [(leaf, _leaf(tree, names, roots, at))], drop)
        at = leaf
    return Ends(at, {})


def _pieces(tree: ExportTree) -> Iterator[tuple[list[int], list[int]]]:
    """Groups of inner nodes that fit into one stage, from the top down, each with the nodes where rows enter it."""
    waiting = [0]
    while waiting:
        roots: list[int] = []
        inside: list[int] = []
        below: list[int] = []
        for root in waiting:
            room = MAX_COLUMNS - len(inside)
            if room <= 0:
                below.append(root)
                continue
            found, at = [root], 0
            while at < len(found) and len(found) < room:
                found += [child for child in tree[found[at]].children if tree[child].children]
                at += 1
            found = found[:room]
            known = set(found)
            below += [
                child for node in found for child in tree[node].children if child not in known and tree[child].children
            ]
            roots.append(root)
            inside += found
        yield roots, inside
        waiting = below


def _leaf(tree: ExportTree, names: dict[int, str], roots: Sequence[int] = (0,), at: str = "") -> str:
    """The node that a row reaches from the nodes where it enters: one line per path; `at` is where it is before."""
    if not names:
        return "0"
    lines = []
    for root in roots:
        for end, path in _paths(tree, root, set(names)):
            tests = [f"{at} = {root}"] if at else []
            tests += [f"{names[node]} = {result}" for node, result in path]
            lines.append(f"WHEN {' AND '.join(tests)} THEN {end}")
    if at:
        lines.append(f"WHEN {at} NOT IN ({', '.join(map(str, roots))}) THEN {at}")
    return "CASE\n      " + "\n      ".join(lines) + "\n    END"


def _paths(tree: ExportTree, root: int, inside: set[int]) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """The ends below a root, each with the branch at every node on its path; a rejected row has no end."""
    waiting: list[tuple[int, list[tuple[int, int]]]] = [(root, [])]
    while waiting:
        node, path = waiting.pop()
        if node not in inside:
            yield node, path
            continue
        route = tree.route(node)
        assert route is not None
        if STAY in (route.missing, route.unseen):
            yield node, [*path, (node, STAY)]
        children = tree[node].children
        waiting += [(child, [*path, (node, branch)]) for branch, child in reversed(list(enumerate(children)))]


def _fractional(stages: Stages, tree: ExportTree, prefix: str) -> Ends:
    """A tree whose rows may go down all branches: the fraction of a row at every node, one stage per depth."""
    names = {node: stages.name(f"{prefix}node_{node}") for node in tree.inner}
    stages.add("branches", [(names[node], _route(tree, node)) for node in tree.inner])
    portions = {0: double("1e0")}
    smallest = {0: 1.0}
    depth = tree.source.nodes.depth
    aliases: list[str] = []
    for level in range(1, tree.source.depth + 1):
        columns = []
        for node in tree.inner:
            if depth[node] + 1 != level:
                continue
            for branch, child in enumerate(tree[node].children):
                alias = stages.name(f"{prefix}portion_{child}")
                columns.append((alias, _portion(tree, node, branch, names[node], portions[node], smallest)))
                portions[child] = alias
        stages.add("portions", columns)
        aliases += [alias for alias, _ in columns]
    ends = {}
    columns = []
    for node in sorted(possible_ends(tree)):
        if node not in names:
            ends[node] = portions[node]
            continue
        alias = stages.name(f"{prefix}end_{node}")
        test = _ends_here(tree, node, names[node], portions[node], smallest[node])
        if test:
            columns.append((alias, f"CASE WHEN {test} THEN {portions[node]} ELSE {double('0e0')} END"))
            ends[node] = alias
    if columns:
        stages.add("ends", columns, names.values())
    return Ends("", ends)


def _portion(tree: ExportTree, node: int, branch: int, name: str, portion: str, smallest: dict[int, float]) -> str:
    """The fraction of a row at a child; a fraction below the minimum is dropped."""
    found = tree[node]
    child = found.children[branch]
    whens = f"WHEN {name} = {branch} THEN 1e0"
    smallest[child] = smallest[node]
    if not found.fractions:
        return f"{portion} * {double(f'CASE {whens} ELSE 0e0 END')}"
    fraction = found.fractions[branch]
    smallest[child] = smallest[node] * fraction
    part = double(number(fraction))
    if smallest[child] >= MIN_FRACTION:
        return (
            f"{portion} * {double(f'CASE {whens} WHEN {name} = {ALL_BRANCHES} THEN {number(fraction)} ELSE 0e0 END')}"
        )
    is_kept = f"{name} = {ALL_BRANCHES} AND {portion} * {part} >= {number(MIN_FRACTION)}"
    return f"{portion} * {double(f'CASE {whens} WHEN {is_kept} THEN {number(fraction)} ELSE 0e0 END')}"


def _ends_here(tree: ExportTree, node: int, name: str, portion: str, smallest: float) -> str:
    """The condition that a fraction of a row ends at an inner node."""
    found = tree[node]
    route = found.route
    assert route is not None
    results = [result for result in (STAY, REJECTED) if result in (route.missing, route.unseen)]
    tests = [f"{name} = {result}" for result in results]
    if found.fractions and smallest * max(found.fractions) < MIN_FRACTION:
        largest = double(number(max(found.fractions)))
        tests.append(f"({name} = {ALL_BRANCHES} AND {portion} * {largest} < {number(MIN_FRACTION)})")
    return " OR ".join(tests)
