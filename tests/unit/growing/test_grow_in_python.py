"""The reference implementation grows the trees of the definitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import EXAMPLES

from hornbeam.datasets import load
from hornbeam.errors import InputError, OptionError
from hornbeam.growing.in_python import grow
from hornbeam.growing.numbering import canonical
from hornbeam.growing.trace import Trace, format_trace
from hornbeam.parts.criteria.custom import Custom
from hornbeam.parts.losses.cost_matrix import CostMatrix
from hornbeam.parts.stops.eta import Eta
from hornbeam.parts.stops.max_depth import MaxDepth
from hornbeam.parts.stops.max_leaves import MaxLeaves
from hornbeam.parts.stops.max_nodes import MaxNodes
from hornbeam.parts.stops.min_decrease import MinDecrease
from hornbeam.parts.stops.min_gain import MinGain
from hornbeam.parts.stops.min_leaf import MinLeaf
from hornbeam.parts.stops.min_split import MinSplit
from hornbeam.parts.stops.purity import Purity
from hornbeam.parts.stops.same_vectors import SameVectors
from hornbeam.recipes import recipe
from hornbeam.table.column import nominal, numeric, ordinal
from hornbeam.table.read import read
from hornbeam.table.table import Table
from hornbeam.tree.nodes import ALL_BRANCHES, STAY

PLAIN = recipe("plain")


def classes(values, name="y"):
    levels = tuple(sorted(set(values)))
    return nominal(name, [levels.index(value) for value in values], levels)


def random_table(seed, n=40, d=3, k=3, missing=False, weights=None, number=False):
    random = np.random.default_rng(seed)
    columns = []
    for j in range(d):
        values = random.integers(0, 9, n).astype(float)
        if missing:
            values[random.random(n) < 0.15] = np.nan
        columns.append(numeric(f"x{j}", values))
    codes = random.integers(0, 4, n)
    if missing:
        codes = np.where(random.random(n) < 0.15, -1, codes)
    columns.append(nominal("v", codes, tuple("abcd")))
    target = (
        numeric("y", random.normal(size=n)) if number else nominal("y", random.integers(0, k, n), tuple("pqrst"[:k]))
    )
    return Table(tuple(columns), target, weights)


def same(one, other):
    """Whether two trees have the same nodes and questions."""
    assert one.nodes.parent.tolist() == other.nodes.parent.tolist()
    for node in range(len(one)):
        if not one.nodes.is_leaf[node]:
            assert one.question(node) == other.question(node)
    assert np.allclose(one.nodes.stats, other.nodes.stats)
    assert one.nodes.answer.tolist() == other.nodes.answer.tolist()
    return True


def golf(unknown=False):
    rows = EXAMPLES["E4.2"]["input"]["rows"]
    outlook = [row[0] for row in rows]
    levels = ("sunny", "overcast", "rain")
    codes = [levels.index(value) for value in outlook]
    if unknown:
        codes[11] = -1
    columns = (
        nominal("outlook", codes, levels),
        numeric("temperature", [row[1] for row in rows]),
        numeric("humidity", [row[2] for row in rows]),
        nominal("windy", [("true", "false").index(row[3]) for row in rows], ("true", "false")),
    )
    labels = ("Play", "Don't Play")
    return Table(columns, nominal("class", [labels.index(row[4]) for row in rows], labels))


def test_c45_grows_quinlans_golf_tree():
    trace = Trace()
    tree = grow(golf(), recipe("c45"), trace=trace)
    assert tree.question(0).text(tree.schema) == "outlook = sunny"
    assert tree.question(1).text(tree.schema) == "humidity <= 75"
    assert tree.question(3).text(tree.schema) == "windy = true"
    assert tree.n_leaves == 5
    root = EXAMPLES["E4.2"]["expected"]["root"]
    assert tree.nodes.score[0] == pytest.approx(root["outlook"]["ratio"], abs=1e-9)
    sunny = {tree.schema.names[c.candidate.column]: c.candidate.score for c in trace.steps[1].considered}
    expected = EXAMPLES["E4.2"]["expected"]["sunny"]
    assert sunny == pytest.approx(
        {name: expected[name]["gain"] for name in ("temperature", "humidity", "windy")}, abs=1e-9
    )


def test_c45_shares_a_row_of_unknown_outlook_among_the_branches():
    tree = grow(golf(unknown=True), recipe("c45"))
    expected = EXAMPLES["E4.3"]["expected"]
    assert tree.nodes.gain[0] == pytest.approx(expected["root"]["outlook"]["gain"], abs=1e-9)
    assert tree.nodes.score[0] == pytest.approx(expected["root"]["outlook"]["ratio"], abs=1e-9)
    assert tree.nodes.missing_branch[0] == ALL_BRANCHES
    assert tree.nodes.stats[2].tolist() == pytest.approx(expected["leaf_counts"]["overcast"])
    assert tree.nodes.stats[5].tolist() == pytest.approx(expected["leaf_counts"]["sunny,hum>75"])
    assert tree.nodes.stats[6].tolist() == pytest.approx(expected["leaf_counts"]["rain,windy=true"])


def test_c45_collapses_a_question_that_corrects_no_error():
    table = Table((nominal("v", [0] * 6 + [1] * 6, ("a", "b")),), classes(list("ppppppppppqq")))
    kept = grow(table, recipe("c45").with_changes(collapse=False))
    assert len(kept) == 3
    collapsed = grow(table, recipe("c45"))
    assert len(collapsed) == 1
    assert collapsed.reason(0) == "collapsed"


@pytest.mark.parametrize("name", ["id3", "c45"])
def test_nominal_questions_of_gain_0_let_xor_be_found(name):
    rows = [(a, b) for a in (0, 1) for b in (0, 1)] * 4
    columns = (nominal("a", [a for a, _ in rows], ("0", "1")), nominal("b", [b for _, b in rows], ("0", "1")))
    table = Table(columns, nominal("y", [a ^ b for a, b in rows], ("no", "yes")))
    tree = grow(table, recipe(name))
    assert tree.n_leaves == 4
    assert float(tree.errors()[tree.nodes.is_leaf].sum()) == 0
    assert grow(table, PLAIN.with_changes(allow_zero_gain=False)).reason(0) == "no improvement"


def test_id3_gives_a_leaf_to_every_declared_value_and_stops_when_no_attributes_are_left():
    table = Table((nominal("v", [0, 0, 1, 1], ("a", "b", "c")),), nominal("y", [0, 1, 1, 1], ("n", "y")))
    tree = grow(table, recipe("id3"))
    assert [tree.reason(node) for node in (1, 2, 3)] == ["no attributes left", "pure", "empty"]
    assert tree.nodes.weight[3] == 0
    assert tree.prediction_text(3) == "y"


def test_id3_refuses_numbers_and_missing_values():
    with pytest.raises(OptionError, match="'x0' is numeric, but none of the searches"):
        grow(random_table(0), recipe("id3"))
    table = Table((nominal("v", [0, -1], ("a", "b")),), nominal("y", [0, 1], ("n", "y")))
    with pytest.raises(InputError, match="'v' has 1 missing values, the first in row 1"):
        grow(table, recipe("id3"))


def test_best_first_spends_a_budget_of_leaves_where_the_risk_falls_most():
    # E5.6: root splits into A (30, 10) and B (10, 30); B's question is worth more.
    data = EXAMPLES["E5.6"]["input"]
    parts = [
        ("A", 0, data["A_children"][0]),
        ("A", 1, data["A_children"][1]),
        ("B", 0, data["B_children"][0]),
        ("B", 1, data["B_children"][1]),
    ]
    first, second, third, y = [], [], [], []
    for group, value, (p, q) in parts:
        first += ["AB".index(group)] * (p + q)
        second += [value if group == "A" else 0] * (p + q)
        third += [value if group == "B" else 0] * (p + q)
        y += [0] * p + [1] * q
    table = Table((numeric("g", first), numeric("a", second), numeric("b", third)), nominal("y", y, ("p", "q")))
    expected = EXAMPLES["E5.6"]["expected"]
    # Expensive columns keep the root's question the example's.
    expensive = {"a": 3.0, "b": 3.0}
    budget = PLAIN.with_changes(stops=[MaxLeaves(leaves=3), MaxDepth(depth=2)], column_costs=expensive)
    best = grow(table, budget.with_changes(order="best_first"))
    assert best.nodes.gain[0] == pytest.approx(expected["delta_root"])
    assert best.nodes.first_child.tolist() == [1, -1, 3, -1, -1]
    assert 0.5 * best.nodes.gain[2] == pytest.approx(expected["delta_B"])
    assert best.reason(1) == "leaves"
    deep = grow(table, budget)
    assert deep.nodes.first_child.tolist() == [1, 3, -1, -1, -1]
    assert 0.5 * deep.nodes.gain[1] == pytest.approx(expected["delta_A"])


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_with_local_stops_all_orders_grow_the_same_tree(seed, number):
    table = random_table(seed, number=number, missing=True)
    deep = grow(table, PLAIN)
    assert same(deep, grow(table, PLAIN.with_changes(order="level_wise")))
    assert same(deep, grow(table, PLAIN.with_changes(order="best_first")))


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6))
def test_whole_weights_equal_repeated_rows_and_weight_0_equals_absence(seed):
    random = np.random.default_rng(seed)
    weights = random.integers(0, 4, 30)
    weights[0] = 1
    weighted = random_table(seed, n=30, weights=weights.astype(float))
    repeated = random_table(seed, n=30).take(np.repeat(np.arange(30), weights))
    for name in ("plain", "lecture_notes", "c45"):
        method = recipe(name)
        method = method.with_changes(without=["eta"]) if name == "lecture_notes" else method
        assert same(grow(weighted, method), grow(repeated, method))


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10**6))
def test_the_order_of_rows_changes_nothing(seed):
    table = random_table(seed, missing=True)
    shuffled = table.take(np.random.default_rng(seed).permutation(40))
    for name in ("plain", "c45", "cart"):
        assert same(grow(table, recipe(name)), grow(shuffled, recipe(name)))


@pytest.mark.parametrize("number", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_the_plain_recipe_is_scikit_learns_tree_on_data_without_ties(seed, number):
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    random = np.random.default_rng(seed)
    # Exact in float32, which scikit-learn keeps its columns in.
    X = random.permutation(4 * 60).reshape(60, 4).astype(float)
    y = random.normal(size=60) if number else random.integers(0, 3, 60)
    target = numeric("y", y) if number else nominal("y", y, ("a", "b", "c"))
    ours = grow(
        Table(tuple(numeric(f"x{j}", X[:, j]) for j in range(4)), target), PLAIN.with_changes(stops=[MaxDepth(depth=3)])
    )
    peer = (DecisionTreeRegressor if number else DecisionTreeClassifier)(max_depth=3, random_state=0).fit(X, y).tree_
    place, compared = {0: 0}, 0
    for node in range(len(ours)):
        if node not in place:
            continue
        their = place[node]
        assert ours.nodes.impurity[node] == pytest.approx(peer.impurity[their])
        if ours.nodes.is_leaf[node]:
            assert peer.children_left[their] == -1
            continue
        below = [int(peer.children_left[their]), int(peer.children_right[their])]
        inside = sum(peer.weighted_n_node_samples[c] * peer.impurity[c] for c in below)
        gain = peer.impurity[their] - inside / peer.weighted_n_node_samples[their]
        assert ours.nodes.gain[node] == pytest.approx(gain)
        # Where questions tie scikit-learn draws lots: below such a node there is nothing to compare.
        question = ours.question(node)
        if (question.column, question.cut) == (peer.feature[their], peer.threshold[their]):
            place.update(zip(ours.nodes.children(node), below, strict=True))
            compared += 1
    assert compared >= 2


def stump(prior=None, loss=None):
    x = [0] * 28 + [1] * 72
    y = [0] * 20 + [1] * 8 + [0] * 70 + [1] * 2
    method = PLAIN.with_changes(stops=[MaxDepth(depth=1)], loss=loss, **({"priors": prior} if prior else {}))
    return grow(Table((numeric("x", x),), nominal("y", y, ("a", "b"))), method)


def test_priors_and_costs_change_gains_and_labels_as_in_the_example():
    expected = EXAMPLES["E1.1"]["expected"]
    assert stump().nodes.gain[0] == pytest.approx(expected["plain"]["gain"], abs=1e-9)
    even = stump(prior="equal")
    assert even.nodes.gain[0] == pytest.approx(expected["prior_half"]["gain"], abs=1e-9)
    assert even.nodes.weight[1] / even.nodes.weight[0] == pytest.approx(expected["prior_half"]["P_left"])
    assert even.nodes.stats[1, 1] / even.nodes.weight[1] == pytest.approx(expected["prior_half"]["p_class1_left"])
    costly = stump(loss=CostMatrix(costs={"b": {"a": 5.0}}))
    assert costly.nodes.gain[0] == pytest.approx(expected["cost"]["gain_altered"], abs=1e-9)
    labels = [expected["cost"][f"label_{node}"] for node in ("root", "left", "right")]
    assert costly.nodes.answer.tolist() == labels
    assert costly.nodes.weight[0] == 100


def test_priors_must_name_every_class_and_sum_to_1():
    with pytest.raises(OptionError, match="has none for 'b'"):
        stump(prior={"a": 1.0})
    with pytest.raises(OptionError, match=r"sum to 1, got 0\.8"):
        stump(prior={"a": 0.4, "b": 0.4})
    with pytest.raises(OptionError, match="'c', which is not a class"):
        stump(prior={"a": 0.5, "c": 0.5})


def test_an_expensive_column_is_used_only_if_it_is_worth_its_cost():
    table = random_table(3)
    cheap = grow(table, PLAIN)
    name = table.names[cheap.question(0).columns[0]]
    expensive = grow(table, PLAIN.with_changes(column_costs={name: 1000.0}))
    assert expensive.question(0).columns != cheap.question(0).columns
    with pytest.raises(OptionError, match="which is not a column"):
        grow(table, PLAIN.with_changes(column_costs={"no_such_column": 2.0}))


def test_balanced_class_weights_give_every_class_the_same_weight():
    tree = grow(random_table(4), PLAIN.with_changes(class_weight="balanced"))
    assert tree.nodes.stats[0] == pytest.approx(np.full(3, 40 / 3))


def test_importance_weights_are_rescaled_to_the_number_of_rows():
    table = random_table(5, weights=np.full(40, 7.0))
    tree = grow(table, PLAIN.with_changes(weights="importance"))
    assert tree.nodes.weight[0] == pytest.approx(40)
    assert same(tree, grow(random_table(5), PLAIN))


REASONS = [
    (MaxDepth(depth=0), "depth"),
    (MinSplit(rows=41), "below min_split"),
    (MinLeaf(rows=21), "below min_leaf"),
    (MinLeaf(rows=1, weight=20.5), "below min_leaf"),
    (Eta(rows=40), "at most eta rows"),
    (Purity(pi=0.2), "purity"),
    (MinGain(beta=1.0), "min gain"),
    (MinDecrease(decrease=1.0), "min decrease"),
    (MaxLeaves(leaves=1), "leaves"),
    (MaxNodes(nodes=2), "nodes"),
]


@pytest.mark.parametrize(("stop", "reason"), REASONS, ids=lambda each: getattr(each, "name", each))
def test_a_stop_makes_a_leaf_and_gives_the_reason(stop, reason):
    tree = grow(random_table(1), PLAIN.with_changes(stops=[stop]))
    assert len(tree) == 1
    assert tree.reason(0) == reason


def test_a_node_at_the_limit_is_not_stopped_where_the_rule_excludes_it():
    table = random_table(1)
    whole = grow(table, PLAIN.with_changes(stops=[MaxDepth(depth=1)]))
    gain = float(whole.nodes.gain[0])
    assert len(grow(table, PLAIN.with_changes(stops=[MaxDepth(depth=1), MinDecrease(decrease=gain)]))) == 3
    assert len(grow(table, PLAIN.with_changes(stops=[MaxDepth(depth=1), MinGain(beta=gain)]))) == 1


def test_rows_that_are_all_alike_stop_with_their_own_reason():
    table = Table((numeric("x", [1.0, 1.0, np.nan, np.nan][:2]),), nominal("y", [0, 1], ("a", "b")))
    assert grow(table, PLAIN.with_changes(stops=[SameVectors()])).reason(0) == "identical rows"
    assert grow(table, PLAIN).reason(0) == "no improvement"


def test_no_leaf_is_smaller_than_requested():
    for seed in range(5):
        tree = grow(random_table(seed), PLAIN.with_changes(stops=[MinLeaf(rows=4)]))
        assert tree.nodes.rows.min() >= 4


def test_rows_of_unknown_answer_follow_the_majority_or_stay():
    x = [1.0, 1.0, 1.0, 9.0, 9.0, np.nan]
    table = Table((numeric("x", x),), nominal("y", [0, 0, 0, 1, 1, 1], ("a", "b")))
    follow = grow(table, PLAIN.with_changes(stops=[MaxDepth(depth=1)]))
    assert follow.nodes.missing_branch[0] == 0
    assert follow.nodes.rows.tolist() == [6, 4, 2]
    # Known rows gain .48; 5 of 6 rows are known.
    assert follow.nodes.gain[0] == pytest.approx(0.48 * 5 / 6)
    stay = grow(table, PLAIN.with_changes(missing={"name": "skip_column", "route": "stay"}, stops=[MaxDepth(depth=1)]))
    assert stay.nodes.missing_branch[0] == STAY
    assert stay.nodes.rows.tolist() == [6, 3, 2]
    dropped = grow(table, PLAIN.with_changes(missing="drop_rows"))
    assert dropped.nodes.rows.tolist() == [5, 3, 2]
    assert dropped.metadata["notes"] == ["1 of 6 rows with missing values were excluded."]


def test_ordinal_columns_are_cut_between_levels():
    table = Table(
        (ordinal("size", [0, 0, 1, 2, 2], ("small", "middle", "large")),), nominal("y", [0, 0, 0, 1, 1], ("a", "b"))
    )
    tree = grow(table, PLAIN)
    assert tree.question(0).text(tree.schema) == "size <= middle"


def test_rows_without_target_or_weight_are_left_out_and_counted():
    table = Table(
        (numeric("x", [1.0, 2.0, 3.0, 4.0]),), nominal("y", [0, 1, -1, 1], ("a", "b")), np.array([1.0, 1.0, 1.0, 0.0])
    )
    tree = grow(table, PLAIN)
    assert tree.nodes.rows[0] == 2
    assert len(tree.metadata["notes"]) == 2


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"weights": np.array([1.0, -1.0])}, "got -1.0 in row 1"),
        ({"target": None}, "requires a table with a target"),
        ({"target": numeric("y", [1.0, np.inf])}, "infinite in row 1"),
    ],
)
def test_what_cannot_be_grown_on_is_reported(change, words):
    given_table = {"columns": (numeric("x", [1.0, 2.0]),), "target": nominal("y", [0, 1], ("a", "b"))}
    with pytest.raises(InputError, match=words):
        grow(Table(**{**given_table, **change}), PLAIN)


def test_a_leaf_predicts_the_median_or_a_quantile_if_the_loss_needs_it():
    table = Table((numeric("x", [0.0] * 5),), numeric("y", [1.0, 2.0, 2.0, 3.0, 10.0]))
    # E2.5: the .5, .8 and .9 quantiles are 2, 3 and 10.
    assert grow(table, PLAIN.with_changes(loss="absolute")).nodes.answer[0] == 2
    assert grow(table, PLAIN.with_changes(loss={"name": "pinball", "tau": 0.8})).nodes.answer[0] == 3
    assert grow(table, PLAIN).nodes.answer[0] == pytest.approx(3.6)


@pytest.mark.parametrize(
    "criterion",
    ["absolute_error", "poisson", "squared_error", {"name": "loss_decrease", "loss": {"name": "pinball", "tau": 0.3}}],
)
def test_every_criterion_of_numbers_lowers_its_own_risk(criterion):
    random = np.random.default_rng(2)
    table = Table((numeric("x", random.permutation(25)),), numeric("y", random.integers(1, 6, 25).astype(float)))
    tree = grow(table, PLAIN.with_changes(criterion=criterion, allow_zero_gain=False))
    assert (tree.nodes.gain[~tree.nodes.is_leaf] > 0).all()
    leaves = tree.nodes.is_leaf
    left = float((tree.nodes.weight * tree.nodes.impurity)[leaves].sum()) / 25
    lowered = float((tree.nodes.weight * tree.nodes.gain).sum()) / 25
    assert left == pytest.approx(float(tree.nodes.impurity[0]) - lowered)
    if criterion in ("poisson", "squared_error"):  # strictly concave, so only pure leaves are left
        assert left == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    "criterion", ["cart_measure", "twoing", "chi_square", "hellinger", "gain_ratio", "misclassification"]
)
def test_every_criterion_of_classes_grows_a_tree(criterion):
    tree = grow(random_table(6), PLAIN.with_changes(criterion=criterion, stops=[MaxDepth(depth=3)]))
    assert 0 < tree.depth <= 3


@pytest.mark.parametrize("search", ["boundary_points", "binned_cuts", "random_cuts", "random_pairs", "intervals"])
def test_every_search_of_numbers_grows_a_tree_and_the_same_one_again(search):
    table = random_table(7)
    method = PLAIN.with_changes(searches=[search] if search == "random_cuts" else [search, "best_subset"])
    assert grow(table, method, seed=5).depth > 0
    assert same(grow(table, method, seed=5), grow(table, method, seed=5))


def test_c45_groups_merge_levels_that_behave_alike():
    codes = np.repeat(np.arange(4), 6)
    y = [0] * 6 + [0] * 6 + [1] * 6 + [1] * 6
    table = Table((nominal("v", codes, tuple("abcde")),), nominal("y", y, ("p", "q")))
    tree = grow(table, recipe("c45").with_changes(searches=["c45_groups"]))
    assert tree.question(0).branch_of == (0, 0, 1, 1, 2)
    assert tree.reason(3) == "empty"


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
