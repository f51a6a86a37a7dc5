"""Every strategy for missing values does what docs/definitions/07-missing-values.md states, in Python."""

import numpy as np
import pytest
from tests.examples import EXAMPLES

import hornbeam as hb
from hornbeam.errors import OptionError
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.parts.missing import missing
from hornbeam.table.column import nominal, numeric, ordinal
from hornbeam.table.table import Table
from hornbeam.tree.file.files import from_bytes, to_bytes
from hornbeam.tree.nodes import STAY
from hornbeam.tree.questions import IsMissing, Subset, Threshold

NAN = float("nan")


def numbers(name, values):
    return numeric(name, [NAN if value is None else value for value in values])


def codes(name, values, levels):
    return nominal(name, [-1 if value is None else value for value in values], levels)


def one_split(table, way, **changes):
    method = Method(criterion="gini", missing=way, **changes).with_changes(stops=[{"name": "max_depth", "depth": 1}])
    return grow(table, method, engine="python")


def table_of_e71():
    rows = EXAMPLES["E7.1"]["input"]["X"]
    a, b, c = zip(*rows, strict=True)
    columns = (numbers("a", a), numbers("b", b), codes("c", c, ("0", "1")))
    return Table(columns, nominal("y", EXAMPLES["E7.1"]["input"]["y"], ("0", "1")))


def test_surrogates_and_competitors_of_e71_are_rparts():
    expected = EXAMPLES["E7.1"]["expected"]
    table = table_of_e71()
    tree = one_split(table, "surrogates", competitors=4)
    assert tree.question(0) == Threshold(0, 4.5)
    assert tree.nodes.gain[0] * 11 == pytest.approx(expected["primary"]["improve"], rel=1e-9)
    found = [(question.columns[0], gain * 11) for question, gain, _ in tree.competitors(0)]
    assert found == [(each["var"], pytest.approx(each["improve"], rel=1e-9)) for each in expected["competitors"]]
    instead = list(tree.surrogates(0))
    assert [each[0] for each in instead] == [Threshold(1, 12.5), Subset(2, (0,), (1,), 2)]
    for (_, is_flipped, agree, adjusted), theirs in zip(instead, expected["surrogates"], strict=True):
        assert not is_flipped
        assert (agree, adjusted) == pytest.approx((theirs["agree"], theirs["adj"]), rel=1e-9)
    assert tree.nodes.missing_branch[0] == 1
    # Row 9 has b = 23 and goes right by the first surrogate; row 10 has b = 13, which is above 12.5 too.
    ends = hb.predict(tree, table).nodes
    np.testing.assert_array_equal(np.flatnonzero(ends == 1), expected["left_rows"])
    np.testing.assert_array_equal(np.flatnonzero(ends == 2), expected["right_rows"])


def test_every_candidate_of_e72_has_its_gain():
    data = EXAMPLES["E7.2"]["input"]
    table = Table((numbers("x", data["x"]),), nominal("y", data["y"], ("0", "1")))
    trace = hb.Trace()
    tree = grow(table, Method(criterion="gini", missing="learned"), trace=trace)
    tried = trace.steps[0].tried
    # The side of larger known weight stands first: right, then (2 against 2) left, then left.
    order = [("1.5", "right"), ("1.5", "left"), ("2.5", "left"), ("2.5", "right"), ("3.5", "left"), ("3.5", "right")]
    expected = {(c["threshold"], c["missing"]): c["gain"] for c in EXAMPLES["E7.2"]["expected"]["candidates"]}
    assert [each.score for each in tried] == pytest.approx(
        [*(expected[each] for each in order), expected["inf", "right"]], abs=1e-12
    )
    assert tried[-1].question == IsMissing(0)
    assert (tree.question(0), int(tree.nodes.missing_branch[0])) == (Threshold(0, 2.5), 1)
    assert tree.nodes.gain[0] == pytest.approx(EXAMPLES["E7.2"]["expected"]["best"]["gain"])


def test_surrogates_of_iris_with_missing_values_are_rparts():
    iris = hb.datasets.load("iris")
    values = [column.values.copy() for column in iris.columns]
    row = np.arange(150)
    values[2][row % 7 == 0], values[1][row % 11 == 3], values[3][row % 13 == 5] = NAN, NAN, NAN
    table = Table(tuple(numeric(c.name, v) for c, v in zip(iris.columns, values, strict=True)), iris.target)
    expected = EXAMPLES["E7.3"]["expected"]["root"]
    tree = one_split(table, "surrogates")
    assert tree.question(0).columns == (expected["feature"],)
    assert tree.question(0).cut == pytest.approx(expected["threshold"])
    assert tree.nodes.gain[0] * 150 == pytest.approx(expected["improve"], rel=1e-9)
    for (question, _, agree, adjusted), theirs in zip(tree.surrogates(0), expected["surrogates"], strict=True):
        assert question.columns == (theirs["feature"],)
        assert (question.cut, agree, adjusted) == pytest.approx((theirs["threshold"], theirs["agree"], theirs["adj"]))


def test_a_nominal_surrogate_with_one_disagreement_is_kept():
    example = EXAMPLES["E7.4"]
    columns = (numbers("a", example["input"]["a"]), codes("c", example["input"]["c"], ("0", "1")))
    tree = one_split(Table(columns, nominal("y", example["input"]["y"], ("0", "1"))), "surrogates")
    instead = list(tree.surrogates(0))
    theirs = example["expected"]
    assert len(instead) == 1
    assert instead[0][2:] == pytest.approx((theirs["agree"], theirs["adj"]), rel=1e-9), theirs


def test_agreement_is_a_share_of_all_rows_or_of_those_known():
    # x splits 8 rows 4 : 4; z agrees on the 6 rows where it is known.
    x = numbers("x", [1, 2, 3, 4, 5, 6, 7, 8])
    z = numbers("z", [1, 1, 1, None, 2, 2, 2, None])
    table = Table((x, z), nominal("y", [0, 0, 0, 0, 1, 1, 1, 1], ("A", "B")))
    for style, agree, adjusted in (("all", 0.75, 0.5), ("known", 1.0, 1.0)):
        tree = one_split(table, {"name": "surrogates", "style": style})
        assert next(tree.surrogates(0))[2:] == (agree, adjusted)


def test_a_tie_of_both_branches_lets_rows_stay_without_surrogates():
    table = Table((numbers("x", [1, 2, 3, 4, None]),), nominal("y", [0, 0, 1, 1, 1], ("A", "B")))
    tree = one_split(table, "surrogates")
    assert tree.nodes.missing_branch[0] == STAY
    assert tree.nodes.rows.tolist() == [5, 2, 2]


def test_missing_values_get_a_branch_of_their_own():
    x = numbers("x", [1, 2, 3, 4, None, None, None])
    table = Table((x,), nominal("y", [0, 0, 1, 1, 2, 2, 2], ("A", "B", "C")))
    tree = one_split(table, "own_branch")
    assert tree.nodes.n_branches[0] == 3
    assert tree.nodes.stats[1:].tolist() == [[2, 0, 0], [0, 2, 0], [0, 0, 3]]
    # 3 branches, all pure: the whole impurity 1 - (4 + 4 + 9) / 49 goes.
    assert tree.nodes.gain[0] == pytest.approx(1 - 17 / 49)
    assert "x is missing: C" in str(tree)
    assert hb.predict(tree, table).codes.tolist() == [0, 0, 1, 1, 2, 2, 2]
    assert to_bytes(from_bytes(to_bytes(tree))) == to_bytes(tree)


def test_too_few_missing_values_follow_the_larger_branch():
    table = Table((numbers("x", [1, 2, 3, 4, 5, None]),), nominal("y", [0, 0, 1, 1, 1, 0], ("A", "B")))
    method = Method(criterion="gini", missing="own_branch").with_changes(stops=[{"name": "min_leaf", "rows": 2}])
    tree = grow(table, method, engine="python")
    assert (int(tree.nodes.n_branches[0]), int(tree.nodes.missing_branch[0])) == (2, 1)
    # Scored on the known rows, times their share: 5/6 of Gini(2, 3).
    assert tree.nodes.gain[0] == pytest.approx(5 / 6 * (1 - (4 + 9) / 25))


@pytest.mark.parametrize("way", ["own_branch", "learned"])
@pytest.mark.parametrize("make", [numbers, lambda name, values: codes(name, values, ("a", "b"))])
def test_a_constant_column_is_tested_for_whether_it_is_missing(way, make):
    table = Table((make("x", [1, 1, None, None]),), nominal("y", [0, 0, 1, 1], ("A", "B")))
    tree = grow(table, Method(missing=way), engine="python")
    assert isinstance(tree.question(0), IsMissing)
    assert hb.predict(tree, table).codes.tolist() == [0, 0, 1, 1]


def test_learned_direction_puts_missing_levels_into_the_best_set():
    c = codes("c", [0, 0, 1, 1, 2, 2, None, None], ("a", "b", "c"))
    table = Table((c,), nominal("y", [0, 0, 1, 1, 1, 0, 1, 1], ("A", "B")))
    tree = one_split(table, "learned")
    # {b, missing} holds 4 B and {a, c} 3 A and 1 B: what is left is 4/8 of .375.
    assert tree.question(0) == Subset(0, (1,), (0, 2), 3)
    assert tree.nodes.missing_branch[0] == 0
    assert tree.nodes.gain[0] == pytest.approx(1 - (25 + 9) / 64 - 0.375 / 2)


def test_learned_direction_tries_every_branch_of_many():
    c = codes("c", [0, 0, 0, 1, 1, 2, 2, None, None], ("a", "b", "c"))
    table = Table((c,), nominal("y", [0, 0, 0, 1, 1, 2, 2, 2, 2], ("A", "B", "C")))
    tree = one_split(table, "learned", searches=("multiway",))
    assert tree.nodes.missing_branch[0] == 2
    assert tree.nodes.stats[1:].tolist() == [[3, 0, 0], [0, 2, 0], [0, 0, 4]]


def test_nothing_missing_in_training_sends_new_rows_to_the_larger_branch():
    table = Table((numbers("x", [1, 2, 3]),), nominal("y", [0, 0, 1], ("A", "B")))
    for way in ("learned", "own_branch", "surrogates", "skip_column"):
        assert one_split(table, way).nodes.missing_branch[0] == 0, way


@pytest.mark.parametrize(("by", "value"), [("mean", 3.0), ("median", 1.0), ("mode", 1.0)])
def test_a_number_is_filled_by_mean_median_or_mode(by, value):
    # Known: 1, 1, 2, 8: mean 3, lower median 1, mode 1; weights 1.
    table = Table((numbers("x", [1, 1, 2, 8, None]),), nominal("y", [0, 0, 1, 1, 1], ("A", "B")))
    tree = one_split(table, {"name": "impute", "method": by})
    assert tree.metadata["fill_values"] == [value]
    branch = int(tree.question(0).branch((numbers("x", [value]),))[0])
    assert tree.nodes.missing_branch[0] == branch


def test_levels_are_filled_by_the_mode_and_ordered_ones_by_the_lower_median():
    columns = (
        codes("c", [2, 1, 1, 2, None], ("a", "b", "c")),
        ordinal("o", [0, 1, 2, 2, -1], ("low", "mid", "high")),
    )
    tree = one_split(Table(columns, nominal("y", [0, 1, 0, 1, 1], ("A", "B"))), "impute")
    assert tree.metadata["fill_values"] == [1.0, 1.0]


def test_weights_count_in_what_fills():
    table = Table((numbers("x", [0, 10, None]),), nominal("y", [0, 1, 1], ("A", "B")), np.array([3.0, 1.0, 1.0]))
    assert one_split(table, "impute").metadata["fill_values"] == [2.5]
    assert one_split(table, {"name": "impute", "method": "median"}).metadata["fill_values"] == [0.0]


def test_a_node_fills_with_its_own_mean():
    # At the root x is filled with 5.5; below x <= 5.75 node 1 would fill with its own mean.
    x = numbers("x", [1, 2, 3, 4, 8, 9, 10, 7, None])
    z = numbers("z", [0, 0, 1, 1, 0, 0, 1, 1, 1])
    table = Table((x, z), nominal("y", [0, 0, 1, 1, 2, 2, 2, 2, 1], ("A", "B", "C")))
    tree = grow(table, Method(missing={"name": "impute", "scope": "node"}), engine="python")
    assert "fill_values" not in tree.metadata
    assert tree.question(0) == Threshold(0, 5.5 + 0.75)
    assert tree.nodes.rows[1:3].tolist() == [5, 4]
    assert hb.predict(tree, table).codes.tolist() == [0, 0, 1, 1, 2, 2, 2, 2, 1]


def test_a_column_of_which_nothing_is_known_is_no_obstacle():
    columns = (numbers("x", [None, None, None, None]), numbers("z", [1, 2, 3, 4]))
    table = Table(columns, nominal("y", [0, 0, 1, 1], ("A", "B")))
    for name in missing.names():
        if name not in ("error", "drop_rows"):
            tree = grow(table, Method(missing=name), engine="python")
            assert tree.question(0) == Threshold(1, 2.5), name


@pytest.mark.parametrize(
    ("way", "changes", "words"),
    [
        ("surrogates", {"searches": ("sorted_cuts", "multiway")}, "requires searches of two branches, but 'multiway'"),
        ("own_branch", {"criterion": "twoing"}, "twoing.* requires two branches"),
        (
            {"name": "impute", "scope": "node"},
            {"searches": ("binned_cuts",)},
            "by the mean at each node excludes 'binned_cuts'",
        ),
    ],
)
def test_what_does_not_suit_is_refused_in_words_before_growing(way, changes, words):
    with pytest.raises(OptionError, match=words):
        Method(missing=way, **changes)


CLASS_CRITERIA = ("gini", "entropy", "c45", "gain_ratio", "misclassification", "cart_measure", "twoing", "chi_square")


@pytest.mark.parametrize("way", ["impute", "surrogates", "own_branch", "learned", "fractional", "skip_column"])
@pytest.mark.parametrize("criterion", [*CLASS_CRITERIA, "hellinger", "squared_error", "poisson", "absolute_error"])
def test_every_way_serves_every_criterion_and_kind_of_column(way, criterion):
    if (way, criterion) == ("own_branch", "twoing"):
        return
    rng = np.random.default_rng(1)
    n = 60
    is_missing = rng.random((n, 3)) < 0.2
    columns = (
        numeric("x", np.where(is_missing[:, 0], NAN, rng.integers(0, 9, n))),
        nominal("c", np.where(is_missing[:, 1], -1, rng.integers(0, 4, n)), tuple("abcd")),
        ordinal("o", np.where(is_missing[:, 2], -1, rng.integers(0, 4, n)), tuple("abcd")),
    )
    is_number = criterion in ("squared_error", "poisson", "absolute_error")
    target = numeric("y", rng.integers(0, 5, n)) if is_number else nominal("y", rng.integers(0, 3, n), tuple("ABC"))
    table = Table(columns, target, rng.integers(1, 4, n).astype(float))
    loss = {"absolute_error": "absolute", "poisson": "poisson"}.get(criterion)
    min_size = "c45" if criterion == "c45" else "min_leaf"
    searches = ({"name": "sorted_cuts", "min_size": min_size}, "best_subset")
    method = Method(criterion=criterion, missing=way, loss=loss, searches=searches, competitors=2)
    tree = grow(table, method.with_changes(stops=[{"name": "max_depth", "depth": 3}]))
    assert len(tree) > 3
    again = from_bytes(to_bytes(tree))
    np.testing.assert_array_equal(hb.predict(tree, table).values, hb.predict(again, table).values)
    hb.draw(tree)
    assert hb.tree.summary(tree, full=True)
    if way not in ("fractional",):
        # Training rows end where they ended while growing: leaves hold as many rows as they did.
        ends = np.bincount(hb.predict(tree, table).nodes, minlength=len(tree))
        leaves = tree.nodes.is_leaf
        np.testing.assert_array_equal(ends[leaves], tree.nodes.rows[leaves])


@pytest.mark.parametrize("by", ["mean", "median", "mode"])
def test_a_node_fills_levels_of_questions_with_many_branches(by):
    # Level b is met most; with the unknown row it is the second branch, and new unknown rows follow it.
    table = Table((codes("c", [0, 0, 1, 1, 1, 2, None], "abc"),), nominal("y", [0, 0, 1, 1, 1, 0, 1], ("A", "B")))
    tree = one_split(table, {"name": "impute", "method": by, "scope": "node"}, searches=("multiway",))
    assert tree.nodes.rows.tolist() == [7, 2, 4, 1]
    assert tree.nodes.missing_branch[0] == 1


@pytest.mark.parametrize("engine", ["core", "python"])
def test_a_method_defines_what_happens_of_unseen_levels(engine):
    table = Table((codes("c", [0, 0, 0, 1, 1, 2], "abc"),), nominal("y", [0, 0, 0, 1, 1, 1], ("A", "B")))
    new = {"c": ["z", "a"]}
    # Branches {a} and {b, c} weigh 3 each: the first has the largest weight; at the root both classes weigh the same.
    for unseen, node in (("as_missing", 1), ("majority", 1), ("stay", 0)):
        tree = grow(table, Method(searches="multiway", missing="skip_column", unseen=unseen), engine=engine)
        predicted = hb.predict(from_bytes(to_bytes(tree)), new)
        assert (tree.unseen, predicted.nodes.tolist(), predicted.has_unseen_level.tolist()) == (
            unseen,
            [node, 1],
            [True, False],
        )
        assert "unseen level" in hb.tree.format_path(tree, new, 0)[0]
    with pytest.raises(hb.errors.InputError, match="not in the training data"):
        hb.predict(grow(table, Method(searches="multiway", unseen="error"), engine=engine), new)
    with pytest.raises(OptionError, match="unseen must be one of as_missing, majority, stay, error; got 'pray'"):
        Method(unseen="pray")


@pytest.mark.parametrize("scope", ["global", "node"])
def test_the_mean_of_equal_numbers_is_that_number(scope):
    # 0.1 + 0.1 + 0.1 over 3 is not 0.1 in doubles: the unknown rows must not seem to differ.
    table = Table((numbers("x", [0.1, 0.1, 0.1, None, None]),), nominal("y", [0, 0, 0, 1, 1], ("A", "B")))
    assert len(one_split(table, {"name": "impute", "scope": scope})) == 1
