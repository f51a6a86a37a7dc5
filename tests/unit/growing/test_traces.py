"""Numbering of nodes, the trace of a tree, and functions of users in the reference implementation."""

import pytest
from tests.unit.growing.tables import PLAIN, random_table, same

from hornbeam.datasets import load
from hornbeam.errors import InputError, OptionError
from hornbeam.growing.in_python import grow
from hornbeam.growing.numbering import canonical
from hornbeam.growing.trace import Trace, format_trace
from hornbeam.parts.criteria.custom import Custom
from hornbeam.parts.stops.max_depth import MaxDepth
from hornbeam.recipes import recipe
from hornbeam.table.read import read


def test_a_users_function_is_called_once_per_column_and_node():
    calls = []

    def gini(parent, branches):
        calls.append(branches.shape)
        p = branches / branches.sum(axis=-1, keepdims=True)
        inside = (branches.sum(axis=-1) * (1 - (p * p).sum(axis=-1))).sum(axis=-1) / parent.sum()
        q = parent / parent.sum()
        return 1 - (q * q).sum() - inside

    table = random_table(8)
    tree = grow(table, PLAIN.with_changes(criterion=Custom(function=gini), stops=[MaxDepth(depth=2)]))
    assert same(tree, grow(table, PLAIN.with_changes(stops=[MaxDepth(depth=2)])))
    assert len(calls) <= 4 * int((tree.nodes.depth < 2).sum())


def test_an_error_in_a_users_function_names_the_column_and_the_node():
    def broken(parent, branches):
        raise RuntimeError("oops")

    with pytest.raises(OptionError, match=r"broken raised RuntimeError: oops.*'x0' at a node of depth 0 with 40 rows"):
        grow(random_table(8), PLAIN.with_changes(criterion=Custom(function=broken)))


def test_the_numbering_expands_nodes_in_preorder():
    # Created level by level: 0 -> 1, 2; 1 -> 3, 4; 2 -> 5, 6; 3 -> 7, 8.
    children = [[1, 2], [3, 4], [5, 6], [7, 8], [], [], [], [], []]
    assert canonical(children) == [0, 1, 2, 3, 4, 7, 8, 5, 6]


def test_a_long_chain_is_numbered_without_recursion():
    length = 100_000
    children = [[i + 1, i + 2] if i % 2 == 0 and i < length else [] for i in range(length + 1)]
    assert canonical(children) == list(range(length + 1))


def test_a_tree_grown_without_a_trace_explains_how_to_get_one():
    with pytest.raises(InputError, match="trace=True"):
        format_trace(grow(random_table(0), PLAIN))


def test_the_trace_shows_the_quotient_of_gain_and_cost():
    trace = Trace()
    tree = grow(load("play_tennis"), recipe("id3").with_changes(column_costs={"Outlook": 4.0}), trace=trace)
    (chosen,) = [each for each in trace.steps[0].considered if each.is_chosen]
    compared = [each.value / each.cost for each in trace.steps[0].considered]
    assert chosen.value / chosen.cost == max(compared) < max(each.value for each in trace.steps[0].considered)
    (line,) = [line for line in format_trace(trace).splitlines()[:6] if "outlook" in line.lower()]
    assert "= 0.247   Cost = 4   Gain/Cost = 0.062   Sunny" in line
    assert len(tree) > 1


def test_the_trace_shows_the_contents_of_every_branch():
    def lines(table, name):
        trace = Trace()
        grow(table, recipe(name).with_changes(pruning=None), trace=trace)
        return format_trace(trace).splitlines()

    iris = load("iris")
    assert "  Gain(S, petal_length <= 2.45) = 0.333   [50, 0, 0]  [0, 50, 50]   <- best" in lines(iris, "cart")
    numbers = read({"x": [1.0, 2.0, 3.0, 4.0] * 5, "y": [1.0, 1.0, 8.0, 9.0] * 5}, target="y")
    assert "[10 rows]  [10 rows]" in lines(numbers, "plain")[1]
    letters = [chr(97 + k) for k in range(9)]
    many = read({"g": letters * 4, "y": letters * 4}, target="y")
    assert "[" not in lines(many, "id3")[1]


def test_the_trace_keeps_every_candidate():
    trace = Trace()
    tree = grow(random_table(0), PLAIN.with_changes(stops=[MaxDepth(depth=2)]), trace=trace)
    assert [step.node for step in trace.steps] == list(range(len(tree)))
    root = trace.steps[0]
    assert len(root.considered) == 4
    # Nine values a numeric column make 8 cuts; four levels and three classes make 7 sets.
    assert len(root.tried) == 3 * 8 + 7
    best = max(root.tried, key=lambda each: each.score)
    assert best.score == pytest.approx(tree.nodes.score[0])
    assert "because depth" in format_trace(trace, every=True)
