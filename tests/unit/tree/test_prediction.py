"""What rows get: labels, shares, numbers; missing and unseen values; tables matched by name."""

import dataclasses
import threading

import numpy as np
import pytest
from hypothesis import given
from tests.strategies import trees_with_rows
from tests.unit.tree.example_trees import OUTLOOK, chain, golf_rows, golf_tree, grown, mixed_columns, mixed_tree

from hornbeam.errors import InputError, OptionError
from hornbeam.table.column import ColumnSpec, Kind, nominal, numeric
from hornbeam.table.table import Schema, Table
from hornbeam.tree import walk
from hornbeam.tree.forest import Forest
from hornbeam.tree.prediction import level_array, predict
from hornbeam.tree.questions import Multiway, Threshold


def test_a_row_with_known_values_gets_its_leafs_class():
    found = predict(golf_tree(), golf_rows([0, 0, 1, 2], [70, 80, 0, 0]))
    assert found.labels.tolist() == ["Play", "Don't Play", "Play", "Don't Play"]
    assert found.nodes.tolist() == [4, 5, 2, 6]
    assert not found.is_fractional.any()


def test_a_row_of_unknown_outlook_is_shared_out_as_c45_does():
    # Definition 4.2.8: 5/14 sunny (humidity 70: Play), 4/14 overcast (Play), 5/14 rain (windy: Don't Play)
    found = predict(golf_tree(), golf_rows([-1], [70.0]))
    np.testing.assert_allclose(found.probabilities, [[9 / 14, 5 / 14]], rtol=1e-15)
    assert found.labels.tolist() == ["Play"]
    assert found.nodes.tolist() == [0]
    assert found.is_fractional.tolist() == [True]


def test_shares_multiply_along_nested_unknown_answers():
    # sunny 5/14 is shared again by humidity: 2/5 Play, 3/5 Don't Play
    found = predict(golf_tree(), golf_rows([-1], [np.nan]))
    np.testing.assert_allclose(found.probabilities, [[(2 + 4) / 14, (3 + 5) / 14]], rtol=1e-15)


def test_an_empty_leaf_gives_all_to_its_class():
    schema = Schema((ColumnSpec("c", Kind.NOMINAL, ("u", "v")),), ColumnSpec("y", Kind.NOMINAL, ("a", "b")))
    tree = grown(schema, (Multiway(0, (0, 1)), [[0, 3], [0, 0]]))
    assert predict(tree, [nominal("c", [1], ("u", "v"))]).probabilities.tolist() == [[1.0, 0.0]]


def unseen_tree(policy):
    schema = Schema((ColumnSpec("c", Kind.NOMINAL, ("u", "v", "w")),), ColumnSpec("y", Kind.NOMINAL, ("a", "b")))
    return grown(schema, (Multiway(0, (0, 1, -1)), [[1, 0], [0, 3]], 0), unseen=policy)


@pytest.mark.parametrize(("policy", "node"), [("as_missing", 1), ("majority", 2), ("stay", 0)])
@pytest.mark.parametrize("code", [-2, 2], ids=["unseen in training", "not met at this node"])
def test_154_155_an_unseen_level_follows_the_trees_policy_and_is_marked(policy, node, code):
    found = predict(unseen_tree(policy), [nominal("c", [code, 0], ("u", "v", "w"))])
    assert found.nodes.tolist() == [node, 1]
    assert found.has_unseen_level.tolist() == [True, False]


@pytest.mark.parametrize("engine", walk.ENGINES)
def test_an_unseen_level_that_is_an_error_names_column_level_and_row(engine):
    column = nominal("c", [0, 1, 2, -2], ("u", "v", "w"))
    with pytest.raises(InputError, match=r"Row 2: column 'c' has level 'w', which has no branch at node 0"):
        walk.leaves(unseen_tree("error"), [column], engine=engine)
    with pytest.raises(InputError, match=r"Row 0: column 'c' has a level that is not in the training data"):
        walk.leaves(unseen_tree("error"), [column.take(np.array([3]))], engine=engine)


def test_159_a_value_at_the_threshold_goes_to_branch_0():
    rows = golf_rows([0, 0, 0], [75.0, np.nextafter(75.0, np.inf), np.nextafter(75.0, -np.inf)])
    assert walk.leaves(golf_tree(), rows).tolist() == [4, 5, 4]


def test_157_infinities_are_ordered():
    assert walk.leaves(golf_tree(), golf_rows([0, 0], [np.inf, -np.inf])).tolist() == [5, 4]


def test_142_no_rows_give_empty_results_of_the_right_shape():
    found = predict(golf_tree(), golf_rows([], []))
    assert found.probabilities.shape == (0, 2)
    assert found.labels.shape == (0,)
    assert found.labels.dtype.kind == "U"


def test_numbers_are_predicted_and_classes_refused():
    schema = Schema((ColumnSpec("x", Kind.NUMERIC),), ColumnSpec("price", Kind.NUMERIC))
    tree = grown(schema, (Threshold(0, 1.0), [[2, 10.5, 32.0], [1, 3.0, 0.0]]))
    found = predict(tree, [numeric("x", [0.0, 2.0])])
    assert found.numbers.tolist() == [10.5, 3.0]
    assert found.labels.tolist() == [10.5, 3.0]
    with pytest.raises(InputError, match="no class probabilities"):
        _ = found.probabilities
    with pytest.raises(InputError, match="no numbers"):
        _ = predict(golf_tree(), golf_rows([0], [1.0])).numbers


def test_146_152_a_table_is_matched_by_name_with_levels_in_any_order():
    columns = golf_rows([0, 1, -1], [70, 80, 90])
    turned = nominal("outlook", [2, 1, -1], tuple(reversed(OUTLOOK)))
    table = Table((numeric("more", [0, 0, 0]), *reversed(columns[1:]), turned))
    assert predict(golf_tree(), table).nodes.tolist() == predict(golf_tree(), columns).nodes.tolist()


def test_a_level_of_a_table_that_the_tree_has_not_seen_is_marked():
    columns = (nominal("outlook", [0, 1], ("snow", "rain")), *golf_rows([0, 0], [70, 80])[1:])
    assert predict(golf_tree(), Table(columns)).has_unseen_level.tolist() == [True, False]


def test_143_a_table_that_lacks_columns_is_refused_by_name():
    table = Table((nominal("outlok", [0], OUTLOOK), *golf_rows([0], [1.0])[1:]))
    with pytest.raises(InputError, match=r"missing from the new rows: 'outlook'.*Did you mean 'outlok'"):
        predict(golf_tree(), table)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda c: c[:2], "4 columns; got 2"),
        (lambda c: (numeric("outlook", [0.0]), *c[1:]), "'outlook' is nominal in the tree; got a numeric one"),
        (lambda c: (*c[:3], nominal("windy", [0, 0], ("true", "false"))), "'windy' has 2 rows; 'outlook' has 1"),
        (lambda c: (nominal("outlook", [3], OUTLOOK), *c[1:]), "'outlook' has 3 levels; row 0 has code 3"),
    ],
)
def test_columns_that_do_not_fit_are_refused(change, words):
    with pytest.raises(InputError, match=words):
        predict(golf_tree(), change(golf_rows([0], [1.0])))


def test_an_unknown_engine_is_refused():
    with pytest.raises(OptionError, match="core, python"):
        walk.leaves(golf_tree(), golf_rows([0], [1.0]), engine="gpu")


def test_paths_lead_from_the_root_to_the_end():
    start, nodes = walk.paths(golf_tree(), walk.leaves(golf_tree(), golf_rows([0, 1, -1], [70, 0, 0])))
    assert start.tolist() == [0, 3, 5, 6]
    assert nodes.tolist() == [0, 1, 4, 0, 2, 0]
    assert walk.path(golf_tree(), 7) == [0, 3, 7]


@given(trees_with_rows(unseen=("as_missing", "majority", "stay")))
def test_shares_add_up_to_one_and_labels_follow_the_answers(case):
    tree, columns = case
    found = predict(tree, columns)
    if tree.is_class:
        np.testing.assert_allclose(found.probabilities.sum(axis=1), 1.0, rtol=1e-12)
        direct = ~found.is_fractional
        assert found.codes[direct].tolist() == tree.nodes.answer[found.nodes[direct]].tolist()
        assert (
            found.codes[found.is_fractional].tolist()
            == found.probabilities[found.is_fractional].argmax(axis=1).tolist()
        )


def test_b43_b83_blocks_of_rows_give_the_same_as_all_at_once():
    tree, columns = mixed_tree(), mixed_columns(5_000)
    whole = walk.values(tree, columns)
    for size in (1, 7, 4096):
        for begin in range(0, 5_000, 997):
            rows = np.arange(begin, min(begin + size, 5_000))
            part = walk.values(tree, [column.take(rows) for column in columns])
            np.testing.assert_array_equal(part, whole[rows])


def test_162_sixteen_threads_predicting_at_once_get_the_same():
    tree, columns = mixed_tree(), mixed_columns(20_000)
    expected = walk.values(mixed_tree(), columns)
    found = [None] * 16

    def work(i):
        found[i] = walk.values(tree, columns)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(16)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    for values in found:
        np.testing.assert_array_equal(values, expected)


def test_a_chain_of_100_000_is_walked():
    rows = [numeric("x", [-1.0, 0.5, 99_998.5, 1e9, np.nan])]
    assert walk.leaves(chain(100_000), rows).tolist() == [1, 3, 199_999, 200_000, 0]


def test_labels_keep_the_type_of_the_levels():
    assert level_array(("a", "b")).dtype.kind == "U"
    assert level_array((1, 2)).dtype == np.int64
    assert level_array((True, False)).dtype == np.bool_
    assert level_array((1, "a")).dtype == object
    assert level_array((10**30, 1)).tolist() == [10**30, 1]


def test_the_walk_of_a_tree_whose_numbers_point_outside_is_refused():
    tree = golf_tree()
    wrong = np.array(tree.nodes.first_child)
    wrong[3] = 7
    broken = dataclasses.replace(tree, nodes=tree.nodes.in_full().replace(first_child=wrong))
    with pytest.raises(ValueError, match="children of node"):
        walk.leaves(broken, golf_rows([0], [1.0]))


def test_a_tree_and_a_forest_predict_as_the_function_does():
    tree = golf_tree()
    rows = golf_rows([0, 1, -1], [70, 0, 0])
    forest = Forest(tree.schema, (tree, tree))
    for model in (tree, forest):
        assert (model.predict(rows).values == predict(model, rows).values).all()
