"""Conjunctions are found, are as good as trying all pairs, and are right where values are missing."""

import itertools

import numpy as np
import pytest
from tests.examples import EXAMPLES

from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.parts.criteria.entropy import Entropy
from hornbeam.parts.criteria.gini import Gini
from hornbeam.parts.node import Limits, NodeView
from hornbeam.parts.searches.best_subset import BestSubset
from hornbeam.parts.searches.conjunctions import Conjunctions, literals_of
from hornbeam.parts.searches.sorted_cuts import SortedCuts
from hornbeam.table.column import Kind, nominal, numeric
from hornbeam.table.table import Table
from hornbeam.tree.file.files import load, save
from hornbeam.tree.questions import Combined
from hornbeam.tree.walk import leaves

WITH = Method(searches=("conjunctions",))


def view_of(table, method=WITH):
    sample = prepare(table, method).sample
    return NodeView(sample, np.arange(sample.n_rows), sample.weights)


def candidates_of(view, criterion):
    """The best question about every column."""
    searches = [BestSubset() if column.kind is Kind.NOMINAL else SortedCuts() for column in view.sample.columns]
    found = [search.best(view, column, criterion, Limits()) for column, search in enumerate(searches)]
    return [each for each in found if each is not None]


def pure_together():
    data = EXAMPLES["E1.3"]
    x = np.array(data["input"]["X"])
    columns = tuple(nominal(f"x{j}", x[:, j], (0, 1)) for j in range(2))
    return Table(columns, nominal("y", data["input"]["y"], ("no", "yes"))), data["expected"]


def test_worked_example_e1_3_only_both_literals_together_are_pure():
    table, expected = pure_together()
    view = view_of(table)
    found = Conjunctions().with_candidates(view, (0, 1), Entropy(), Limits(), candidates_of(view, Entropy()))
    assert found.score == pytest.approx(expected["gain_x0_eq_1_and_x1_eq_1"], abs=1e-9)
    assert found.rows.tolist() == [3, 7]
    tree = grow(table, WITH.with_changes(criterion="entropy"))
    assert tree.n_leaves == 2
    assert tree.branch_text(0, 0) == "x0 = 1 and x1 = 1"
    assert tree.branch_text(0, 1) == "not (x0 = 1 and x1 = 1)"


def random_table(seed, missing=0.0):
    rng = np.random.default_rng(seed)
    n = 50
    columns = [numeric(f"n{j}", np.where(rng.random(n) < missing, np.nan, rng.integers(0, 6, n))) for j in range(2)]
    columns += [
        nominal(f"c{j}", np.where(rng.random(n) < missing, -1, rng.integers(0, 4, n)), tuple("pqrs")) for j in range(2)
    ]
    return Table(tuple(columns), nominal("y", rng.integers(0, 3, n), tuple("ABC")))


@pytest.mark.parametrize("seed", range(8))
def test_a_wide_beam_finds_the_best_of_all_pairs(seed):
    view = view_of(random_table(seed, missing=0.15))
    candidates = candidates_of(view, Gini())
    literals = literals_of(view, candidates, Gini(), 32)
    best = 0.0
    for one, two in itertools.combinations(literals, 2):
        if one.question.columns != two.question.columns:
            branch = Combined((one, two)).branch(view.sample.columns)
            known = branch >= 0
            stats = view.table(branch[known].astype(np.int64), 2, known)
            unknown = float(view.criterion_weights[~known].sum())
            alone = max(_score(view, Combined((each,))) for each in (one, two))
            score = float(Gini().score(stats.sum(axis=0), stats[None], unknown)[0])
            best = max(best, score if score > alone or score > _score(view, Combined((one,))) else 0.0)
    found = Conjunctions(beam=100).with_candidates(view, range(4), Gini(), Limits(), candidates)
    assert (0.0 if found is None else found.score) == pytest.approx(best, abs=1e-12)


def _score(view, question):
    branch = question.branch(view.sample.columns)
    known = branch >= 0
    stats = view.table(branch[known].astype(np.int64), 2, known)
    return float(Gini().score(stats.sum(axis=0), stats[None], float(view.criterion_weights[~known].sum()))[0])


def test_three_literals_are_needed_and_found():
    x = np.array(list(itertools.product((0, 1), repeat=4)) * 2)
    y = (x[:, :3].sum(axis=1) == 3).astype(int)
    table = Table(tuple(nominal(f"x{j}", x[:, j], (0, 1)) for j in range(4)), nominal("y", y, ("no", "yes")))
    assert grow(table, Method(searches=({"name": "conjunctions", "length": 3},))).n_leaves == 2
    assert grow(table, WITH).n_leaves == 3
    assert grow(table, Method()).n_leaves == 4


def test_a_single_question_as_good_wins_the_tie_and_a_price_lets_it_win():
    x = np.array([0, 0, 1, 1, 1, 1])
    table = Table(
        (nominal("a", x, (0, 1)), nominal("b", [0, 1, 0, 1, 0, 1], (0, 1))), nominal("y", 1 - x, ("no", "yes"))
    )
    assert grow(table, WITH).question(0).kind == "subset"
    together, _ = pure_together()
    assert grow(together, WITH).question(0).kind == "combined"
    # Alone the best question gains 0.12 of 0.42: the conjunction must be more than 3.5 times as good at this price.
    assert grow(together, WITH.with_changes(split_penalty={"combined": 3.0})).question(0).kind == "subset"


@pytest.mark.parametrize("seed", range(4))
def test_a_tree_of_conjunctions_is_saved_and_walked_by_the_core_as_in_python(seed, tmp_path):
    table = random_table(seed, missing=0.2)
    tree = grow(table, WITH.with_changes(stops=[{"name": "max_depth", "depth": 4}]))
    assert any(tree.question(node).kind == "combined" for node in np.flatnonzero(tree.nodes.question >= 0))
    save(tree, tmp_path / "tree.hb")
    again = load(tmp_path / "tree.hb")
    assert str(again) == str(tree)
    core, plain = (leaves(again, table.columns, engine=engine) for engine in ("core", "python"))
    np.testing.assert_array_equal(core, plain)


def test_numbers_are_served_too():
    a, b = (axis.ravel().astype(float) for axis in np.meshgrid(np.arange(10), np.arange(10)))
    table = Table((numeric("a", a), numeric("b", b)), numeric("y", 5.0 * ((a > 4) & (b > 4))))
    tree = grow(table, WITH.with_changes(stops=[{"name": "max_depth", "depth": 1}]))
    assert tree.question(0).kind == "combined"
    assert tree.nodes.impurity[1:3].tolist() == pytest.approx([0.0, 0.0], abs=1e-12)
