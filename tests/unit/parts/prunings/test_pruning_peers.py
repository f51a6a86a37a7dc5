"""Our prunings give what rpart, Weka's J48 and scikit-learn give on the same trees.

Recorded trees of J48 and C4.5 with their tables: `tests/peers/test_prunings_of_recorded_trees.py`.
"""

import dataclasses
import json

import numpy as np
import pytest
from tests.examples import EXAMPLES
from tests.unit.parts.prunings.peer_trees import from_j48, from_sklearn, outline, read_table
from tests.unit.parts.prunings.pruning_trees import DATA, Made

from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.parts.prunings import Folds, PruningData
from hornbeam.parts.prunings.cost_complexity import CostComplexity, cost_complexity_path, sequence
from hornbeam.parts.prunings.error_based import ErrorBased
from hornbeam.parts.prunings.machinery.added_errors import added_errors
from hornbeam.parts.prunings.machinery.complexity_table import complexity_table
from hornbeam.parts.prunings.machinery.prune import prune
from hornbeam.parts.prunings.minimum_error import MinimumError
from hornbeam.parts.prunings.pessimistic import standard_error
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

RPART = json.loads((DATA / "prunings/rpart.json").read_text())
FORMULAS = json.loads((DATA / "prunings/formulas.json").read_text())["datasets"]
LIMITS = json.loads((DATA / "prunings/limits.json").read_text())["rows"]


def rpart_tree(recorded):
    """rpart's tree with its own risks; leaves hold no rows that matter here."""
    ids = recorded["id"]
    children = {i: [2 * i, 2 * i + 1] for i in ids if 2 * i in ids}
    made = Made(children or {}, {i: [1, 0] for i in ids if i not in children}, impurity=lambda stats: 0.0)
    risk = dict(zip(ids, recorded["dev"]))
    nodes = made.tree.nodes
    impurity = np.array([risk[name] for name in made.names]) / nodes.weight
    return made, dataclasses.replace(made.tree, nodes=nodes.in_full().replace(impurity=impurity))


# Trees where rpart's one-step rule gives a node too low an alpha (it looks no further down than the children).
NOT_EXACT = {
    "kyphosis/info_default",
    "kyphosis/info_full",
    "stagec/gini_keepall",
    "stagec/gini_weights",
    "birthwt/gini_full",
    "birthwt/gini_keepall",
    "birthwt/gini_prior",
    "birthwt/info_full",
    "cu_summary/anova_full",
}


@pytest.mark.parametrize(
    ("name", "exact"), [(name, exact) for name in RPART for exact in (False, True) if not (exact and name in NOT_EXACT)]
)
def test_rparts_complexity_of_every_node_its_table_and_its_prunings(name, exact):
    recorded = RPART[name]
    made, tree = rpart_tree(recorded)
    line = sequence(tree, "impurity", exact=exact)
    for name_, want in zip(recorded["id"], recorded["complexity"]):
        if made.children.get(name_):
            got = line.collapse[made.number[name_]] / line.root_risk
            # with cp < 0 rpart keeps nodes that gain nothing; below 0 there is nothing to choose
            assert got == pytest.approx(max(want, 0.0), abs=1e-9)
    if recorded["cp"] >= 0:
        table = complexity_table(tree, measure="impurity", lowest=recorded["cp"], exact=exact)
        np.testing.assert_allclose(table.cp, [row["CP"] for row in recorded["cptable"]], atol=1e-9)
        assert table.n_splits.tolist() == [row["nsplit"] for row in recorded["cptable"]]
        np.testing.assert_allclose(table.relative_error, [row["rel_error"] for row in recorded["cptable"]], atol=1e-9)
    for step in recorded["prune"]:
        edits = CostComplexity(alpha=step["cp"], relative=True, measure="impurity", exact=exact).edits(
            tree, PruningData()
        )
        assert sorted(made.leaves_after(edits)) == sorted(step["leaves"])


def test_where_rpart_differs_its_tree_costs_more_than_ours_at_that_alpha():
    # kyphosis by information: rpart cuts everything at 1.5 / 17, where the tree that is left still costs less
    _made, tree = rpart_tree(RPART["kyphosis/info_default"])
    ours, theirs = sequence(tree, "impurity"), sequence(tree, "impurity", exact=False)
    assert theirs.alphas[-1] < ours.alphas[-1]
    between = (theirs.alphas[-1] + ours.alphas[-1]) / 2
    best = np.flatnonzero(ours.alphas <= between)[-1]
    assert ours.risks[best] + between * ours.leaves[best] < ours.root_risk + between


@pytest.mark.parametrize("name", FORMULAS)
def test_the_notes_formulas_on_j48s_trees(name):
    recorded = FORMULAS[name]
    nodes = recorded["nodes_preorder"]
    named = {tuple(map(str, each["path"])): each for each in nodes}
    children = {}
    for path in named:
        if path:
            children.setdefault(path[:-1], []).append(path)
    counts = {path: each["counts"] for path, each in named.items() if path not in children}
    made = Made(children, counts, classes=tuple(recorded["classes"]))
    line = sequence(made.tree, "error")
    want = recorded["weakest_link_sequence"]
    np.testing.assert_allclose(line.alphas[-len(want) + 1 :], [step["alpha"] for step in want[1:]], atol=1e-12)
    assert line.leaves[-len(want) + 1 :].tolist() == [step["leaves"] for step in want[1:]]
    for m in ("1", "2", "10"):
        part = MinimumError(m=float(m))
        static, _, outcome = part._expected(made.tree, part.m)
        for path, each in named.items():
            if path in children:
                node = made.number[path]
                weight = made.tree.nodes.weight[node]
                assert static[node] == pytest.approx(each["mep"][m]["static"], abs=1e-12)
                assert outcome.as_subtree[node] / weight == pytest.approx(each["mep"][m]["dynamic"], abs=1e-9)
                assert outcome.cut[node] == each["mep"][m]["prune"]
                pep = each["pep"]
                assert standard_error(pep["e_prime_subtree"], weight) == pytest.approx(pep["standard_error"], abs=1e-9)


def test_upper_limits_are_wekas_c45s_and_the_exact_ones():
    for rows, errors, confidence, weka, exact, c45 in LIMITS:
        if exact is not None:
            assert errors + added_errors(rows, errors, confidence, "exact") == pytest.approx(exact, rel=1e-8)
        if c45 is not None:
            assert added_errors(rows, errors, confidence, "c45") == pytest.approx(c45, rel=1e-9, abs=1e-9)
        if weka is not None and confidence <= 0.5:  # CF is a 32-bit number in Weka
            got = added_errors(rows, errors, float(np.float32(confidence)), "j48")
            assert got == pytest.approx(weka, rel=2e-5, abs=1e-6)


def test_a_subtree_is_raised_as_in_e66():
    example = EXAMPLES["E6.6"]
    attributes_given = example["input"]["attributes"]
    rows = [",".join(row) for row in example["input"]["rows"]]
    table = read_table(["a,b,c,class", *rows], "class", ("N", "P"), dict(attributes_given))

    def leaf(*counts):
        return {"node": {"leaf": True, "counts": list(counts)}}

    def inner(attribute, counts, *branches):
        return {"leaf": False, "counts": counts, "attribute": attribute, "branches": list(branches)}

    test_c = {"node": inner("c", [3, 3], leaf(2, 0), leaf(1, 3))}
    test_b = {"node": inner("b", [3, 6], leaf(0, 1), test_c, leaf(0, 2))}
    tree = from_j48(inner("a", [7, 6], leaf(4, 0), test_b), table, ("N", "P"))
    part = ErrorBased()
    edits = part.edits(tree, PruningData(training=table))
    assert edits.metadata["estimate"] / 13 == pytest.approx(example["expected"]["estimate"], abs=1e-6)
    pruned = prune(tree, part, PruningData(training=table))
    assert outline(pruned) == [
        ("a", [7.0, 6.0]),
        (None, [4.0, 0.0]),
        ("c", [3.0, 6.0]),
        (None, [2.0, 1.0]),
        (None, [1.0, 5.0]),
    ]
    assert pruned.nodes.answer.tolist() == [0, 0, 1, 0, 1]
    assert edits.verdicts[2].startswith("raised: branch 1 replaces it, 4.38335 errors")
    assert list(edits.grafts) == [2]
    assert pruned.depth == 2


def iris(numbers=False):
    from sklearn.datasets import load_iris

    data = load_iris()
    if numbers:
        columns = tuple(numeric(f"x{j}", data.data[:, j]) for j in range(3))
        return Table(columns, numeric("y", data.data[:, 3]))
    columns = tuple(numeric(f"x{j}", data.data[:, j]) for j in range(4))
    return Table(columns, nominal("y", data.target, ("setosa", "versicolor", "virginica")))


def sklearn_grower(numbers=False, **settings):
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    kind = DecisionTreeRegressor if numbers else DecisionTreeClassifier

    def grow(table):
        x = np.stack([column.values for column in table.columns], axis=1)
        return from_sklearn(kind(random_state=0, **settings).fit(x, table.target.values), table)

    return grow


@pytest.mark.parametrize(
    ("example", "numbers", "settings"),
    [
        ("E4.6", False, {"min_samples_split": 5, "min_samples_leaf": 2}),
        ("E4.7", True, {"min_samples_split": 20, "min_samples_leaf": 7}),
    ],
)
def test_the_cross_validated_cost_table_is_rparts(example, numbers, settings):
    # trees by scikit-learn, table by us, expected numbers by rpart (examples.json); the settings are rpart's
    table, grow = iris(numbers), sklearn_grower(numbers, **settings)
    folds = Folds(table, np.arange(150) % 5, grow)
    got = complexity_table(grow(table), folds, lowest=EXAMPLES[example]["input"]["cp"])
    want = np.array(EXAMPLES[example]["expected"]["cptable"])
    np.testing.assert_allclose(got.cp, want[:, 0], atol=1e-9)
    assert got.n_splits.tolist() == want[:, 1].tolist()
    np.testing.assert_allclose(got.relative_error, want[:, 2], atol=1e-9)
    np.testing.assert_allclose(got.xerror, want[:, 3], atol=1e-9)
    np.testing.assert_allclose(got.xstd, want[:, 4], atol=1e-9)


def test_worked_example_e4_8_asymmetric_costs_and_priors_are_scored_the_right_way_round():
    example = EXAMPLES["E4.8"]
    table = iris()
    classes, costs = table.target.levels, example["input"]["loss_true_pred"]
    named = {truth: dict(zip(classes, row, strict=True)) for truth, row in zip(classes, costs, strict=True)}
    method = Method(
        priors=dict(zip(classes, example["input"]["prior"], strict=True)),
        loss={"name": "cost_matrix", "costs": named},
        stops=({"name": "min_split", "rows": 10}, {"name": "min_leaf", "rows": 3}),
    )
    folds = Folds(table, np.arange(150) % 5, lambda rows: grow(rows, method))
    got = complexity_table(grow(table, method), folds, costs=np.array(costs, dtype=float), lowest=0.001)
    want = np.array(example["expected"]["cptable"])
    np.testing.assert_allclose(got.cp, want[:, 0], atol=1e-9)
    assert got.n_splits.tolist() == want[:, 1].tolist()
    np.testing.assert_allclose(got.relative_error, want[:, 2], atol=1e-9)
    np.testing.assert_allclose(got.xerror, want[:, 3], atol=1e-9)
    np.testing.assert_allclose(got.xstd, want[:, 4], atol=1e-9)
    # what rpart prints: it scores the rows left out by the transposed costs
    assert not np.allclose(got.xerror, example["expected"]["rpart_xerror"])


@pytest.mark.parametrize("numbers", [False, True])
def test_the_path_is_scikit_learns(numbers):
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    table = iris(numbers)
    x = np.stack([column.values for column in table.columns], axis=1)
    kind = DecisionTreeRegressor if numbers else DecisionTreeClassifier
    path = kind(random_state=0).cost_complexity_pruning_path(x, table.target.values)
    tree = from_sklearn(kind(random_state=0).fit(x, table.target.values), table)
    alphas, impurities = cost_complexity_path(tree)
    # scikit-learn writes an entry for every node it cuts, and cuts nodes of one alpha in an order of its own: the
    # distinct alphas, and the impurity when each is done, are what both must agree on
    np.testing.assert_allclose(alphas[-1], path.ccp_alphas[-1], rtol=1e-9)
    for alpha in np.unique(np.round(path.ccp_alphas, 12)):
        ours = impurities[alphas <= alpha + 1e-10][-1]
        theirs = path.impurities[path.ccp_alphas <= alpha + 1e-10][-1]
        assert ours == pytest.approx(theirs, abs=1e-10)
