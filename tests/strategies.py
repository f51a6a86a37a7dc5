"""Random tables, questions and trees for Hypothesis: small grids with ties, missing values, unseen levels, odd names.

@given(tables())                      a table to grow on: classes or numbers, weights or none
@given(trees_with_rows())             a sound tree of any question kinds, and rows to send down it
@given(trees(kinds=("threshold",)))   a tree of some kinds only
"""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from hornbeam.table.column import MISSING, UNSEEN, Column, ColumnSpec, Kind
from hornbeam.table.table import Schema, Table
from hornbeam.tree.name_codes import REASONS
from hornbeam.tree.nodes import ALL_BRANCHES, STAY, UNSEEN_POLICIES, Nodes, Tree
from hornbeam.tree.questions import (
    Combined,
    Hyperplane,
    Intervals,
    IsMissing,
    Literal,
    Multiway,
    Named,
    Question,
    Sphere,
    Subset,
    Threshold,
)
from hornbeam.tree.questions.table import QuestionWriter

ALL_KINDS = (
    "threshold",
    "intervals",
    "subset",
    "multiway",
    "is_missing",
    "hyperplane",
    "sphere",
    "combined",
    "named",
)
LEVELS = ("a", "b", "green", "rot", "ß", "x y", "zz")
grid = st.sampled_from([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0])
doubles = st.floats(allow_nan=False, allow_infinity=False, width=64)
numbers = st.one_of(grid, grid, grid, doubles)
finite = st.one_of(grid, st.floats(-1e6, 1e6))


@st.composite
def column_specs(draw: Any, kinds: tuple[Kind, ...] = tuple(Kind), name: str = "x", most_levels: int = 6) -> ColumnSpec:
    kind = draw(st.sampled_from(kinds))
    if kind is Kind.NUMERIC:
        return ColumnSpec(name, kind)
    count = draw(st.integers(1 if kind is Kind.ORDINAL else 2, most_levels))
    return ColumnSpec(name, kind, LEVELS[:count])


@st.composite
def targets(draw: Any) -> ColumnSpec:
    if draw(st.booleans()):
        return ColumnSpec("y", Kind.NUMERIC)
    return ColumnSpec("y", Kind.NOMINAL, tuple("stuv"[: draw(st.integers(1, 4))]))


@st.composite
def schemas(draw: Any, kinds: tuple[Kind, ...] = tuple(Kind)) -> Schema:
    count = draw(st.integers(1, 4))
    columns = tuple(draw(column_specs(kinds, name=f"column {i}")) for i in range(count))
    return Schema(columns, draw(targets()))


@st.composite
def columns_for(
    draw: Any, spec: ColumnSpec, n_rows: int, missing: bool = True, unseen: bool = False, infinite: bool = False
) -> Column:
    if spec.kind is Kind.NUMERIC:
        odd = ([float("nan")] * 2 if missing else []) + ([np.inf, -np.inf] if infinite else [])
        values = st.one_of(numbers, st.sampled_from(odd)) if odd else numbers
        return Column(
            spec.name, spec.kind, np.array(draw(st.lists(values, min_size=n_rows, max_size=n_rows)), dtype=float)
        )
    low = UNSEEN if unseen and missing else MISSING if missing else 0
    codes = draw(st.lists(st.integers(low, len(spec.levels) - 1), min_size=n_rows, max_size=n_rows))
    return Column(spec.name, spec.kind, np.array(codes, dtype=np.int32), spec.levels)


@st.composite
def tables(
    draw: Any,
    kinds: tuple[Kind, ...] = tuple(Kind),
    target: ColumnSpec | None = None,
    missing: bool = True,
    weighted: bool = True,
    most_rows: int = 40,
) -> Table:
    """A table to grow on: 1 to `most_rows` rows, 1 to 4 columns, whole or real weights or none."""
    n = draw(st.integers(1, most_rows))
    schema = draw(schemas(kinds))
    columns = tuple(draw(columns_for(spec, n, missing)) for spec in schema.columns)
    labels = draw(columns_for(target or schema.target, n, missing=False))
    weights = None
    if weighted and draw(st.booleans()):
        each = draw(st.sampled_from([st.integers(0, 3).map(float), st.floats(0.01, 100.0)]))
        weights = np.array(draw(st.lists(each, min_size=n, max_size=n)))
    return Table(columns, labels, weights)


def _simple(draw: Any, schema: Schema, kind: str) -> Question | None:
    """A question of one kind, or None when no column suits it."""
    of_kind = {k: [i for i, spec in enumerate(schema.columns) if spec.kind is k] for k in Kind}
    ordered = of_kind[Kind.NUMERIC] + of_kind[Kind.ORDINAL]
    with_levels = [i for i in of_kind[Kind.ORDINAL] + of_kind[Kind.NOMINAL] if len(schema.columns[i].levels) > 1]
    numeric = of_kind[Kind.NUMERIC]
    if kind == "threshold" and ordered:
        return Threshold(draw(st.sampled_from(ordered)), draw(finite))
    if kind == "intervals" and ordered:
        cuts = draw(st.lists(finite, min_size=1, max_size=3, unique=True))
        return Intervals(draw(st.sampled_from(ordered)), tuple(sorted(cuts)))
    if kind == "is_missing":
        column = draw(st.integers(0, len(schema.columns) - 1))
        return IsMissing(column, len(schema.columns[column].levels))
    if kind in ("subset", "multiway") and with_levels:
        return _of_levels(draw, schema, draw(st.sampled_from(with_levels)), kind)
    if kind in ("hyperplane", "sphere") and numeric:
        terms = tuple(draw(st.lists(st.sampled_from(numeric), min_size=1, max_size=3, unique=True)))
        each = st.lists(grid.filter(bool), min_size=len(terms), max_size=len(terms)).map(tuple)
        if kind == "hyperplane":
            return Hyperplane(terms, draw(each), draw(grid), draw(st.one_of(st.just(()), each)))
        scales = tuple(abs(scale) for scale in draw(each))
        return Sphere(terms, draw(each), scales, abs(draw(grid)), draw(st.one_of(st.just(()), each)))
    return None


def _of_levels(draw: Any, schema: Schema, column: int, kind: str) -> Question:
    count = len(schema.columns[column].levels)
    most = 1 if kind == "subset" else draw(st.integers(1, min(count, 4) - 1))
    branch_of = draw(st.lists(st.integers(-1, most), min_size=count, max_size=count))
    for branch, level in enumerate(draw(st.permutations(range(count)))[: most + 1]):
        branch_of[level] = branch
    if kind == "multiway":
        return Multiway(column, tuple(branch_of))
    inside = tuple(i for i, b in enumerate(branch_of) if b == 0)
    return Subset(column, inside, tuple(i for i, b in enumerate(branch_of) if b == 1), count)


@st.composite
def questions(draw: Any, schema: Schema, kinds: tuple[str, ...] = ALL_KINDS) -> Question:
    """A question of one of the kinds on the columns of a schema."""
    kind = draw(st.sampled_from(kinds))
    simple = [k for k in kinds if k not in ("combined", "named")]
    if kind == "named":
        return Named(draw(st.sampled_from(["L_Nasal", "is big", "ä?"])), draw(questions(schema, tuple(simple))))
    if kind == "combined":
        found = [_simple(draw, schema, draw(st.sampled_from(simple))) for _ in range(draw(st.integers(1, 3)))]
        binary = list(dict.fromkeys(q for q in found if q is not None and q.n_branches == 2))
        if binary:
            return Combined(tuple(Literal(q, draw(st.booleans())) for q in binary), draw(st.booleans()))
    question = _simple(draw, schema, kind)
    return question if question is not None else IsMissing(0, len(schema.columns[0].levels))


@st.composite
def trees(
    draw: Any,
    schema: Schema | None = None,
    kinds: tuple[str, ...] = ALL_KINDS,
    most_inner: int = 6,
    surrogates: bool = True,
    missing: tuple[str, ...] = ("stay", "share", "branch"),
    unseen: tuple[str, ...] = UNSEEN_POLICIES,
) -> Tree:
    """A sound tree: any shape, questions, missing and unseen policies; statistics add up."""
    schema = schema or draw(schemas())
    writer = QuestionWriter()
    parent, first, count, question_numbers, miss = [-1], [-1], [0], [-1], [STAY]
    marks: list[list[tuple[int, int]]] = [[]]
    waiting = [0]
    left = draw(st.integers(0, most_inner))
    while waiting:
        node = waiting.pop()
        if left == 0 or not (node == 0 or draw(st.integers(0, 2))):
            continue
        left -= 1
        question = draw(questions(schema, kinds))
        first[node], count[node], question_numbers[node] = len(parent), question.n_branches, writer.add(question)
        policy = draw(st.sampled_from(missing))
        chosen = {"stay": STAY, "share": ALL_BRANCHES}
        miss[node] = chosen[policy] if policy in chosen else draw(st.integers(0, question.n_branches - 1))
        marks[node] = _surrogates(draw, schema, kinds, writer, question, question_numbers[node]) if surrogates else []
        for _ in range(question.n_branches):
            (
                parent.append(node),
                first.append(-1),
                count.append(0),
                question_numbers.append(-1),
                miss.append(STAY),
                marks.append([]),
            )
        waiting += reversed(range(first[node], first[node] + count[node]))
    arrays = {
        "parent": parent,
        "first_child": first,
        "n_branches": count,
        "question": question_numbers,
        "missing_branch": miss,
    }
    arrays |= _statistics(draw, schema, parent, first)
    flat = [mark for each in marks for mark in each]
    agree = draw(st.lists(st.floats(0, 1), min_size=len(flat), max_size=len(flat)))
    arrays["surrogate_start"] = np.concatenate([[0], np.cumsum([len(each) for each in marks])])
    arrays |= {"surrogate_question": [m[0] for m in flat], "surrogate_flipped": [m[1] for m in flat]}
    arrays |= {"surrogate_agree": agree, "surrogate_adjusted": agree}
    nodes = Nodes(**{name: np.array(value) for name, value in arrays.items()})
    recipe = {"name": "cart", "stops": [{"name": "max_depth", "depth": 3}]}
    return Tree(schema, nodes, writer.finished(), recipe, {"rows": 7}, draw(st.sampled_from(unseen)))


def _surrogates(
    draw: Any, schema: Schema, kinds: tuple[str, ...], writer: QuestionWriter, primary: Question, row: int
) -> list[tuple[int, int]]:
    found: dict[int, int] = {}
    for _ in range(draw(st.integers(0, 2))):
        question = draw(questions(schema, kinds))
        if question.n_branches <= primary.n_branches:
            number = writer.add(question)
            if number != row:
                found[number] = draw(st.integers(0, 1)) if primary.n_branches == 2 else 0
    return list(found.items())


def _statistics(draw: Any, schema: Schema, parent: list[int], first: list[int]) -> dict[str, Any]:
    """Statistics that add up from the leaves; a few leaves have no rows."""
    n = len(parent)
    width = len(schema.classes) if schema.is_class else 3
    stats = np.zeros((n, width))
    for node in range(n):
        if first[node] < 0:
            stats[node] = draw(st.lists(st.integers(0, 9), min_size=width, max_size=width))
    for node in range(n - 1, 0, -1):
        stats[parent[node]] += stats[node]
    weight = stats.sum(axis=1) if schema.is_class else stats[:, 0]
    answer = np.argmax(stats, axis=1).astype(float) if schema.is_class else np.array([draw(finite) for _ in range(n)])
    leaf = np.array(first) < 0
    reason = np.where(leaf, REASONS.index("pure"), 0)
    return {"stats": stats, "weight": weight, "rows": weight, "answer": answer, "reason": reason}


@st.composite
def trees_with_rows(draw: Any, most_rows: int = 12, **settings: Any) -> tuple[Tree, tuple[Column, ...]]:
    """A sound tree and rows to send down it, with missing, infinite and unseen values."""
    tree = draw(trees(**settings))
    n = draw(st.integers(0, most_rows))
    has_missing = draw(st.booleans())
    columns = [draw(columns_for(spec, n, has_missing, unseen=True, infinite=True)) for spec in tree.schema.columns]
    return tree, tuple(columns)
