"""Statistical stops compute what R, scipy and the worked examples E5.1 to E5.3 give."""

import dataclasses
import itertools

import numpy as np
import pytest
from scipy import stats
from tests.examples import EXAMPLES

from hornbeam.errors import OptionError
from hornbeam.growing.grow import grow
from hornbeam.growing.in_python import _Growth
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.growing.stump_score import CoreSearch
from hornbeam.parts.criteria.machinery.column_tests import adjusted_log_p, column_tests
from hornbeam.parts.node import NodeView
from hornbeam.parts.stops.chi_square_test import ChiSquareTest
from hornbeam.parts.stops.conditional_inference import ConditionalInference
from hornbeam.parts.stops.machinery.independence import adjust_p, chi_square, fisher_p, independence
from hornbeam.parts.stops.permutation_test import PermutationTest
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table
from hornbeam.tree.walk import leaves

X, Y = np.arange(1.0, 9.0), [0, 0, 0, 1, 0, 1, 1, 1]


def eight_rows():
    return Table((numeric("x", X),), nominal("y", Y, ("a", "b")))


def noise(n=120, seed=3, columns=6):
    random = np.random.default_rng(seed)
    return Table(
        tuple(numeric(f"x{i}", random.normal(size=n)) for i in range(columns)),
        nominal("y", random.integers(0, 2, n).astype(np.int32), ("a", "b")),
    )


def view_of(table, seed=0, method=None):
    start = prepare(table, method or Method(), seed=seed)
    growth = _Growth(start, None)
    return NodeView(start.sample, np.arange(len(table)), start.sample.weights, best_score=growth.best_score)


def test_worked_example_e5_1_independence_at_a_node():
    want = EXAMPLES["E5.1"]["expected"]
    table = np.array(EXAMPLES["E5.1"]["input"]["table"], dtype=float)
    assert chi_square(table, yates=False) == pytest.approx((want["chi2"], want["p"]), abs=1e-12)
    assert chi_square(table) == pytest.approx((want["chi2_yates"], want["p_yates"]), abs=1e-12)
    assert fisher_p(table) == pytest.approx(want["fisher_two_sided"], abs=1e-12)
    assert adjust_p(want["p_yates"], 4, "bonferroni") == pytest.approx(want["bonferroni"], abs=1e-12)
    assert adjust_p(want["p_yates"], 4, "sidak") == pytest.approx(want["sidak"], abs=1e-12)
    # all expected counts are 4.5 or more and one is below 5: Fisher's test is the one that counts
    assert independence(table) == pytest.approx(want["fisher_two_sided"], abs=1e-12)


def test_the_tests_equal_scipys_on_random_tables():
    random = np.random.default_rng(1)
    for _ in range(200):
        shape = tuple(random.integers(2, 5, 2))
        table = random.integers(0, 12, shape).astype(float)
        cleared = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
        if min(cleared.shape) < 2:
            assert independence(table) == 1.0
            continue
        assert independence(table, fisher=False) == pytest.approx(stats.chi2_contingency(cleared)[1], abs=1e-12)
        if cleared.shape == (2, 2):
            assert fisher_p(cleared) == pytest.approx(stats.fisher_exact(cleared)[1], abs=1e-12)


def test_worked_example_e5_2_the_permutation_test_of_the_best_cut():
    want = EXAMPLES["E5.2"]["expected"]
    view = view_of(eight_rows(), seed=42)
    stop = PermutationTest(draws=199, max_exceedances=0)
    assert view.best_score(view) == pytest.approx(want["observed"], abs=1e-12)
    assert stop.exceedances(view) == (want["monte_carlo_hits"], 199)
    assert stop.p(view) == pytest.approx(want["monte_carlo_p"], abs=1e-12)
    # drawing ends at the twentieth hit, and p is then hits / draws
    hits, drawn = PermutationTest().exceedances(view)
    assert hits == 20
    assert PermutationTest().p(view) == hits / drawn
    # the exact p, by all 8! / (4! 4!) arrangements
    best = [best_gain([int(i in chosen) for i in range(8)]) for chosen in itertools.combinations(range(8), 4)]
    assert np.mean([gain >= want["observed"] - 1e-12 for gain in best]) == pytest.approx(want["exact_p"])


def best_gain(y):
    view = view_of(Table((numeric("x", X),), nominal("y", y, ("a", "b"))))
    return view.best_score(view)


def test_worked_example_e5_3_the_conditional_inference_statistic():
    want = EXAMPLES["E5.3"]["expected"]
    found = column_tests(view_of(eight_rows()))[0]
    assert found.statistic == pytest.approx(want["c_quad"], abs=1e-12)
    assert np.exp(found.log_p) == pytest.approx(want["p"], abs=1e-12)
    assert np.exp(adjusted_log_p(found.log_p, 3)) == pytest.approx(want["p_adjusted_m3"], abs=1e-12)


def test_the_adjustment_holds_where_p_is_no_double():
    assert adjusted_log_p(-2000.0, 8) == pytest.approx(-2000.0 + np.log(8))
    assert adjusted_log_p(-40.0 - 1e-9, 8) == pytest.approx(adjusted_log_p(-40.0 + 1e-9, 8), abs=1e-8)


def test_every_inner_node_passes_the_chi_square_test_and_every_such_leaf_fails_it():
    random = np.random.default_rng(5)
    x = random.normal(size=(300, 4))
    y = ((x[:, 0] > 0) ^ (random.random(300) < 0.25)).astype(np.int32)
    table = Table(tuple(numeric(f"x{i}", x[:, i]) for i in range(4)), nominal("y", y, ("a", "b")))
    plain = grow(table, Method(stops=({"name": "pure"}, {"name": "min_leaf", "rows": 2})))
    stop = ChiSquareTest(alpha=0.01, adjust="bonferroni")
    stopped = grow(table, Method(stops=({"name": "pure"}, {"name": "min_leaf", "rows": 2}, stop)))
    assert 1 < stopped.n_leaves < plain.n_leaves
    view = view_of(table)
    at = leaves(stopped, table.columns)
    for node in range(len(stopped)):
        children = stopped.nodes.children(node)
        if children:
            counts = stopped.nodes.stats[list(children)]
            assert min(1.0, 4 * independence(counts)) <= 0.01
    tested = [node for node in range(len(stopped)) if stopped.reason(node) == "not significant"]
    assert tested
    for node in tested:
        rows = np.flatnonzero(at == node)
        again = grow(
            table.take(rows), Method(stops=({"name": "max_depth", "depth": 1}, {"name": "min_leaf", "rows": 2}))
        )
        counts = again.nodes.stats[1:]
        assert min(1.0, 4 * independence(counts)) > 0.01
    assert stop.p(view, best_of(view)) < 1e-6


def best_of(view):
    from hornbeam.growing.in_python import _found

    candidates, _, chosen = _found(view, Method().for_target("class"))
    return candidates[chosen]


@pytest.mark.parametrize(
    "stop",
    [
        ChiSquareTest(alpha=1e-4, adjust="sidak"),
        PermutationTest(alpha=0.01, draws=99),
        ConditionalInference(alpha=0.01),
    ],
    ids=lambda stop: stop.name,
)
def test_pure_noise_is_not_split(stop):
    tree = grow(noise(), Method(stops=({"name": "pure"}, {"name": "min_leaf", "rows": 5}, stop)))
    assert tree.n_leaves == 1
    assert tree.reason(0) == "not significant"


@pytest.mark.parametrize("stop", [PermutationTest(draws=99), ConditionalInference()], ids=lambda stop: stop.name)
def test_numbers_are_tested_too_and_a_real_link_is_found(stop):
    random = np.random.default_rng(2)
    x = random.normal(size=(80, 3))
    table = Table(
        (*(numeric(f"x{i}", x[:, i]) for i in range(3)), nominal("g", np.arange(80) % 3, ("p", "q", "r"))),
        numeric("y", 3.0 * (x[:, 1] > 0) + random.normal(size=80)),
    )
    tree = grow(table, Method(stops=({"name": "min_leaf", "rows": 10}, stop)))
    assert tree.question(0).columns == (1,)
    shuffled = dataclasses.replace(table, target=numeric("y", random.permutation(table.target.values)))
    assert grow(shuffled, Method(stops=({"name": "min_leaf", "rows": 10}, stop))).n_leaves == 1


def test_the_permutation_test_gives_the_same_tree_in_every_order_of_growth():
    table = noise(n=60, seed=8, columns=3)
    stops = ({"name": "min_leaf", "rows": 5}, PermutationTest(alpha=0.4, draws=19))
    first, *others = (
        grow(table, Method(stops=stops, order={"name": order})) for order in ("depth_first", "level_wise", "best_first")
    )
    assert first.n_leaves > 1
    for other in others:
        np.testing.assert_array_equal(first.nodes.stats, other.nodes.stats)


def test_tests_count_weights_and_not_the_factors_of_priors():
    table = eight_rows()
    heavy = dataclasses.replace(table, weights=np.full(8, 2.0))
    twice = table.take(np.repeat(np.arange(8), 2))
    assert column_tests(view_of(heavy))[0].statistic == pytest.approx(column_tests(view_of(twice))[0].statistic)
    skewed = view_of(table, method=Method(priors={"a": 0.9, "b": 0.1}))
    assert column_tests(skewed)[0].statistic == pytest.approx(column_tests(view_of(table))[0].statistic)
    chosen = best_of(view_of(table))
    again = dataclasses.replace(chosen, branches=chosen.branches * skewed.sample.factors)
    assert ChiSquareTest().p(skewed, again) == pytest.approx(ChiSquareTest().p(view_of(table), chosen))


def test_a_permutation_test_outside_growth_is_refused():
    start = prepare(eight_rows(), Method())
    with pytest.raises(OptionError, match="a growing tree"):
        PermutationTest().exceedances(NodeView(start.sample, np.arange(8), start.sample.weights))


def test_the_chi_square_stop_is_for_classes():
    with pytest.raises(OptionError, match="'chi_square_test' requires a classification target"):
        grow(Table((numeric("x", X),), numeric("y", X)), Method(stops=({"name": "chi_square_test"},)))


def linked(is_class, seed=4, n=90, has_gaps=False):
    """Numbers and levels, weights, and a target that hangs on two of the columns."""
    random = np.random.default_rng(seed)
    x = np.round(random.normal(size=(n, 2)), 1)
    if has_gaps:
        x[random.random((n, 2)) < 0.1] = np.nan
    group = random.integers(0, 4, n)
    score = 2.0 * (np.nan_to_num(x[:, 0]) > 0.3) + (group % 2) + 0.6 * random.normal(size=n)
    target = nominal("y", (score > 1).astype(int) + (score > 2), ("a", "b", "c")) if is_class else numeric("y", score)
    columns = (numeric("x0", x[:, 0]), numeric("x1", x[:, 1]), nominal("g", group, ("p", "q", "r", "s")))
    return Table(columns, target, weights=random.integers(1, 4, n).astype(float))


@pytest.mark.parametrize("is_class", [True, False], ids=["classes", "numbers"])
@pytest.mark.parametrize("searches", [("sorted_cuts", "best_subset"), ("sorted_cuts", "multiway")], ids=" ".join)
@pytest.mark.parametrize("missing", ["", "learned", "own_branch", "skip_column"])
def test_the_permutation_test_is_the_same_whether_the_core_searches_or_not(is_class, searches, missing):
    stops = ({"name": "min_leaf", "rows": 4}, PermutationTest(alpha=0.3, draws=29))
    method = Method(searches=tuple({"name": name} for name in searches), stops=stops)
    if missing:
        method = dataclasses.replace(method, missing={"name": missing})
    table = linked(is_class, has_gaps=bool(missing))
    plain, quick = (grow(table, method, engine=engine, seed=7) for engine in ("python", "auto"))
    assert plain.n_leaves > 2
    np.testing.assert_array_equal(plain.nodes.reason, quick.nodes.reason)
    np.testing.assert_array_equal(plain.nodes.stats, quick.nodes.stats)


def test_the_core_repeats_the_search_of_a_permutation_test_to_the_last_draw():
    table = linked(is_class=True)
    start = prepare(table, Method(), seed=7)
    rows = np.arange(len(table))
    plain, quick = (_Growth(start, None, core) for core in (None, CoreSearch(start)))
    assert quick.core.is_available
    views = [
        NodeView(start.sample, rows, start.sample.weights, best_score=growth.best_score) for growth in (plain, quick)
    ]
    stop = PermutationTest(draws=60, max_exceedances=0)
    assert quick.core.score(views[1]) == pytest.approx(plain.best_score(views[0]), abs=1e-12)
    assert stop.exceedances(views[0]) == stop.exceedances(views[1])


def test_searches_that_draw_are_not_repeated_by_the_core():
    start = prepare(linked(is_class=True), Method(max_features=1))
    assert not CoreSearch(start).is_available
    start = prepare(linked(is_class=True), Method(searches=({"name": "random_cuts"}, {"name": "best_subset"})))
    assert not CoreSearch(start).is_available
