"""Shows that another program's tree differs from ours by exact ties alone.

Of equally good questions ours takes the first column and then the lowest cut or the first levels, in exact arithmetic;
other programs add in floating point and let the last bit decide. The same rows with the columns in another order, some
of them mirrored (x -> -x) and levels listed in another order, are the same task: every question has the same score, so
only the choice among equals can change. If such an order gives their tree, ties were all the difference;
`dividing_scores` shows them, node by node, as fractions.
"""

import dataclasses
from fractions import Fraction

import numpy as np
from tests.peers import shared

from hornbeam.table.column import Column, Kind


def reordered(data, seed):
    """The same rows; columns and levels in another order, half of the numeric ones mirrored; seed 0 changes nothing."""
    if seed == 0:
        return data
    draws = np.random.default_rng(seed)
    columns = [data.columns[place] for place in draws.permutation(len(data.columns))]
    columns = [_mirrored(column) if _is_drawn(column, draws) else column for column in columns]
    columns = [_relisted(column, draws) if column.kind is Kind.NOMINAL else column for column in columns]
    return dataclasses.replace(data, columns=tuple(columns))


def raised(data):
    """Every number one bit larger: a row that is on a cut goes up from it, no other row changes its way."""
    up = (
        Column(each.name, each.kind, np.nextafter(each.values, np.inf), each.levels)
        if each.kind is Kind.NUMERIC
        else each
        for each in data.columns
    )
    return dataclasses.replace(data, columns=tuple(up))


def _is_drawn(column, draws):
    return column.kind is Kind.NUMERIC and draws.random() < 0.5


def _mirrored(column):
    return Column(column.name, column.kind, -column.values, column.levels)


def _relisted(column, draws):
    """The same nominal column with its levels listed in another order."""
    order = draws.permutation(len(column.levels))
    codes = np.append(np.argsort(order), -1)[column.values]
    return Column(column.name, column.kind, codes, tuple(column.levels[code] for code in order))


def dividing_scores(ours, data, other, other_data):
    """The scores of both questions, as fractions, at every node of the same rows where two trees ask differently."""
    mine, theirs = shared.rows_of(ours, data), shared.rows_of(other, other_data)
    found, waiting = [], [(0, 0)]
    while waiting:
        a, b = waiting.pop()
        branches = {mine[child].tobytes(): child for child in ours.nodes.children(a)}
        others = {theirs[child].tobytes(): child for child in other.nodes.children(b)}
        if set(branches) == set(others):
            waiting += [(branches[rows], others[rows]) for rows in branches]
        else:
            sides = ([mine[child] for child in branches.values()], [theirs[child] for child in others.values()])
            found.append(tuple(_score(data.target, masks) for masks in sides))
    return found


def _score(target, masks):
    """Gini or the sum of squares without what all splits of a node share: the sum of squared totals over weight."""
    total = Fraction(0)
    for rows in masks:
        values = target.values[rows]
        if target.levels:
            sums = [Fraction(count) for count in np.bincount(values).tolist()]
        else:  # decimals as they were written, so that equal is equal
            sums = [sum(Fraction(str(value)) for value in values.tolist())]
        total += sum(each * each for each in sums) / len(values)
    return total
