"""Arrays kept in fewer bytes are returned as ever, live on in copies and files, and are let go of."""

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.tree import forest_walk, walk
from hornbeam.tree.file.files import from_bytes, to_bytes
from hornbeam.tree.nodes import NODE_DTYPES, Nodes
from hornbeam.tree.packed import Inner, LazyArray, Narrow, Packed, lazy_arrays


def noise(n_rows, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n_rows, 4)), rng.integers(0, n_classes, n_rows)


def extra_trees(n_rows=400, trees=12, weights=None, **settings):
    X, y = noise(n_rows)
    return hb.ExtraTreesClassifier(trees, n_jobs=1, random_state=0, **settings).fit(X, y, sample_weight=weights), X, y


def kept_bytes(forest):
    """What all arrays of the members take, those that trees share counted once."""
    found = {}
    for tree in forest.trees:
        later = [each for each in tree.nodes.lazy.values() if isinstance(each, Packed)]
        held = [*vars(tree.nodes).values(), *vars(tree.questions).values(), *(each.kept for each in later)]
        held += [each._cached for each in later if each._cached is not None]
        found.update({(id(a.base), a.ctypes.data): a.nbytes for a in held if isinstance(a, np.ndarray)})
    return sum(found.values())


@pytest.mark.parametrize(("rows", "weight", "kept"), [(400, 1, np.uint8), (2000, 1, np.uint16), (400, 1000, np.uint32)])
def test_class_counts_take_the_narrowest_type_and_are_returned_as_float64(rows, weight, kept):
    model, X, y = extra_trees(rows, 2, np.full(rows, float(weight)))
    for tree in model.forest_.trees:
        assert tree.nodes.stored("stats").dtype == kept
        assert not tree.nodes.stats.flags.writeable
        for name, dtype in NODE_DTYPES.items():
            assert getattr(tree.nodes, name).dtype == dtype, name
        # Extra trees see every row once: the counts of a leaf are those of the rows that end there.
        ends = walk.leaves(tree, hb.table.table_from_arrays(X, y, target_kind="nominal").columns)
        counted = np.zeros(tree.nodes.stats.shape)
        np.add.at(counted, (ends, y), weight)
        is_leaf = tree.nodes.is_leaf
        np.testing.assert_array_equal(tree.nodes.stats[is_leaf], counted[is_leaf])
        np.testing.assert_array_equal(tree.nodes.rows[is_leaf], counted[is_leaf].sum(axis=1) / weight)
        np.testing.assert_array_equal(tree.nodes.weight, tree.nodes.stats.sum(axis=1))
        np.testing.assert_array_equal(tree.nodes.answer, tree.nodes.stats.argmax(axis=1))


def test_weights_with_fractions_stay_doubles():
    model, _, y = extra_trees(trees=1, weights=np.linspace(0.1, 2.0, 400))
    nodes = model.forest_[0].nodes
    assert nodes.stored("stats").dtype == np.float64
    np.testing.assert_allclose(nodes.stats[0], np.bincount(y, np.linspace(0.1, 2.0, 400)), rtol=1e-12)


def test_a_packed_tree_is_the_tree_that_the_plain_grower_writes():
    X, y = noise(300)
    table = hb.table.table_from_arrays(X, y, target_kind="nominal")
    tree, plain = (hb.grow(table, "plain", engine=engine) for engine in ("core", "python"))
    assert {name for name, each in tree.nodes.lazy.items() if isinstance(each, Packed)} >= {"stats", "rows", "gain"}
    for name in ("stats", "rows", "gain", "impurity", "weight", "answer", "first_child"):
        np.testing.assert_allclose(getattr(tree.nodes, name), getattr(plain.nodes, name), atol=1e-12, err_msg=name)


def test_small_trees_are_not_packed():
    nodes = hb.grow(hb.datasets.load("iris"), "plain").nodes
    assert not any(isinstance(each, Packed) for each in nodes.lazy.values())


def test_gain_and_impurity_keep_the_inner_nodes_where_leaves_have_none():
    X, y = noise(300)
    nodes = hb.grow(hb.table.table_from_arrays(X, y, target_kind="nominal"), "plain").nodes
    is_leaf = nodes.is_leaf
    for name in ("gain", "impurity"):
        assert len(nodes.lazy[name].kept) == np.count_nonzero(~is_leaf)
        array = getattr(nodes, name)
        assert len(array) == len(nodes)
        assert not array[is_leaf].any()
        assert (array[~is_leaf] > 0).all()
    mixed = extra_trees(600, 1, max_depth=6)[0].forest_[0].nodes
    assert "impurity" in vars(mixed)
    assert (mixed.impurity[mixed.is_leaf] > 0).any()


def test_files_are_those_of_the_tree_in_full():
    forest = extra_trees(trees=2)[0].forest_
    for tree in forest.trees:
        whole = hb.Tree(tree.schema, tree.nodes.in_full(), tree.questions, tree.recipe, tree.metadata, tree.unseen)
        assert not whole.nodes.lazy
        assert to_bytes(tree) == to_bytes(whole)
    again = from_bytes(to_bytes(forest))
    assert to_bytes(again) == to_bytes(forest)
    for name, array in forest[1].nodes.arrays().items():
        np.testing.assert_array_equal(getattr(again[1].nodes, name), array, err_msg=name)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_copies_and_pickles_have_the_same_arrays(copied):
    tree = extra_trees(trees=1)[0].forest_[0]
    before = tree.nodes.stats
    for nodes in (copied(tree).nodes, copied(tree.nodes)):
        assert nodes.stats.dtype == np.float64
        for name in ("stats", "rows", "gain", "impurity", "weight", "parent"):
            np.testing.assert_array_equal(getattr(nodes, name), getattr(tree.nodes, name), err_msg=name)
    assert tree.nodes.stats is before


def test_a_grown_forest_keeps_few_bytes_per_node_also_after_it_was_called():
    model, X, _ = extra_trees(2000, 20)
    forest = model.forest_
    # Impurity 8, three counts 6, first child 4, rows 2, reason 1; an inner node: gain 8, cut 8, column 4.
    assert kept_bytes(forest) <= 32 * forest.n_nodes
    model.predict_proba(X)
    to_bytes(forest)
    assert kept_bytes(forest) <= 32 * forest.n_nodes
    for tree in forest.trees:
        assert tree.nodes.stats.sum() > 0
    # Three counts in full are 24 bytes per node, and those of eight trees are held.
    assert kept_bytes(forest) <= (32 + 24 * 8 / 20 * 1.1) * forest.n_nodes


def test_the_arrays_requested_last_are_held_and_the_others_let_go_of():
    made = []

    class Counted(LazyArray):
        __slots__ = ()

        def make(self, of):
            made.append(of)
            return np.zeros(10_000)

    first, *others = (Counted() for _ in range(9))
    for _ in range(3):
        first.cached("first")
    assert made == ["first"]
    seen = weakref.ref(first.cached("first"))
    for each in others[:7]:
        each.cached("other")
    assert seen() is not None
    others[7].cached("other")
    gc.collect()
    assert seen() is None
    last = weakref.ref(others[7].cached("other"))
    del others, each
    gc.collect()
    assert last() is None
    assert len(made) == 9


def test_short_arrays_stay_and_who_holds_one_in_full_shares_it():
    short = Narrow(np.arange(10, dtype=np.uint8), np.float64)
    long = Narrow(np.zeros(10_000, dtype=np.uint8), np.float64)
    seen, held = short.cached(None), long(None)
    for _ in range(20):
        Narrow(np.zeros(10_000, dtype=np.uint8), np.float64).cached(None)
    assert short.cached(None) is seen
    assert long(None) is held


def test_what_the_core_packs_is_recognized_by_type_and_length():
    first_child = np.array([1, -1, -1], dtype=np.int32)
    given = {
        "first_child": first_child,
        "stats": np.array([[1, 2], [1, 0], [0, 2]], dtype=np.uint16),
        "rows": np.array([3, 1, 2], dtype=np.int64),
        "gain": np.array([0.5]),
        "impurity": np.array([0.4, 0.0, 0.1]),
    }
    found = lazy_arrays(given)
    assert isinstance(found["stats"], Narrow)
    assert isinstance(found["gain"], Inner)
    assert found["rows"] is given["rows"]
    assert found["impurity"] is given["impurity"]
    nodes = Nodes(**{**found, "question": np.array([0, -1, -1]), "weight": np.ones(3), "answer": np.zeros(3)})
    np.testing.assert_array_equal(nodes.gain, [0.5, 0.0, 0.0])
    np.testing.assert_array_equal(nodes.score, nodes.gain)


@pytest.mark.parametrize("combine", ["mean", "vote", "confidence"])
@pytest.mark.parametrize("classes", [2, 3, 40])
def test_the_compiled_walk_gives_the_prediction_of_its_reference_for_pure_and_mixed_leaves(classes, combine):
    X, y = noise(400, classes)
    table = hb.table.table_from_arrays(X, y, target_kind="nominal")
    grown = [hb.ExtraTreesClassifier(2, n_jobs=1, max_depth=depth).fit(X, y).forest_.trees for depth in (None, 4)]
    trees = [tree for pair in grown for tree in pair]
    forest = hb.Forest(table.schema, tuple(trees), weights=np.array([1.0, 0.5, 2.0, 0.25]), combine=combine)
    with_missing = X.copy()
    with_missing[::7, 1] = np.nan
    for rows in (X, with_missing):
        columns = hb.table.table_from_arrays(rows, y, target_kind="nominal").columns
        core, plain = (forest_walk.forest_totals(forest, columns, engine=engine) for engine in ("core", "python"))
        np.testing.assert_array_equal(core.totals, plain.totals)
