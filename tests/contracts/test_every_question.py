"""The questions of every search work everywhere. A new search is tested here with no new test.

Rows take the same branches in the core and in the reference implementation; trees are saved and loaded, printed, drawn,
pruned by every pruning, and grown in forests, bags and AdaBoost. Gradient boosting, which grows its own trees on bins,
rejects searches. A kernel in the core is required of hornbeam's own searches only.
"""

import functools
import re

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import OptionError
from hornbeam.growing.core_job import without_kernel
from hornbeam.growing.sample import prepare
from hornbeam.parts.prunings import Folds, PruningData, prunings
from hornbeam.parts.searches import searches
from hornbeam.parts.searches.machinery.plane_search import PlaneSearch
from hornbeam.table.column import Kind
from hornbeam.tree import walk
from hornbeam.tree.file import files
from hornbeam.tree.forest_walk import forest_totals
from hornbeam.tree.questions import Named

LISTED = {
    "name": "custom_questions",
    "questions": [
        {"name": "Tall", "column": "height", "above": 0.3},
        {"name": "Northern", "column": "place", "in": ["fell", "moor"]},
        {"name": "Both", "all": [{"column": "height", "above": -0.5}, {"column": "bulk", "above": 0.2}]},
    ],
}
# Searches with settings: those that they require, and those that make them quick.
SET = {
    "custom_questions": LISTED,
    "lookahead": {"name": "lookahead", "when": "always"},
    "oc1_plane": {"name": "oc1_plane", "restarts": 1},
    "perceptron_plane": {"name": "perceptron_plane", "epochs": 5},
}
# Searches that have no kernel where columns are sampled at every node.
SLOW = ("lookahead",)
# The kind of question that a search finds; searches that are not listed find hyperplanes or thresholds.
KINDS = {
    "intervals": "intervals",
    "multiway": "multiway",
    "c45_groups": "multiway",
    "is_missing": "is_missing",
    "conjunctions": "combined",
    "custom_questions": "named",
    "spheres": "sphere",
    "ball": "sphere",
    "pca_median": "hyperplane",
    "two_means": "hyperplane",
    "all_subsets": "subset",
    "best_subset": "subset",
    "chou": "subset",
    "many_levels": "subset",
    "level_vs_rest": "subset",
    "ordered_categories": "subset",
    "random_subsets": "subset",
    "superclasses": "subset",
}
LEVELS = ("subset", "multiway")
EVERY = [kind.name for kind in searches if kind.__module__.startswith("hornbeam.")]
SETTINGS = {"manual": {"nodes": [1]}, "critical_value": {"threshold": 0.05}, "cost_complexity": {"alpha": 0.01}}


@functools.cache
def table(search: str, seed: int = 0) -> hb.Table:
    """Three numbers, one with missing values, and a place; the class depends on all of them."""
    rng, n = np.random.default_rng(seed), 60 if search in SLOW else 120
    x = rng.normal(size=(n, 3))
    place = rng.integers(0, 4, n)
    x[rng.random(n) < 0.3, 2] = np.nan
    pull = x[:, 0] + x[:, 1] + np.array([0.0, 1.5, -1.0, 1.0])[place] + np.where(np.isnan(x[:, 2]), 3.0, 0.0)
    y = np.where(pull + 0.5 * rng.normal(size=n) > 0.3, "yes", "no")
    names = np.array(["coast", "fell", "lake", "moor"])
    whole = hb.read({"height": x[:, 0], "bulk": x[:, 1], "psa": x[:, 2], "place": names[place], "y": y}, target="y")
    return whole if Kind.NOMINAL in searches.part_class(search).kinds else whole.select(["height", "bulk", "psa"])


def recipe(search: str) -> hb.Recipe:
    """The search alone if it supports numbers; with cuts if it supports levels only or requires others."""
    stops = [{"name": "max_depth", "depth": 3}, {"name": "min_leaf", "rows": 3}]
    own = SET.get(search, search)
    is_alone = Kind.NUMERIC in searches.part_class(search).kinds and search not in ("is_missing", "lookahead")
    others = () if is_alone else ("sorted_cuts",) if kind_of(search) in LEVELS else ("sorted_cuts", "best_subset")
    return hb.recipe("plain").with_changes(searches=[*others, own], stops=stops, missing="skip_column")


def kind_of(search: str) -> str:
    return KINDS.get(search, "hyperplane" if issubclass(searches.part_class(search), PlaneSearch) else "threshold")


def questions_of(tree: hb.Tree) -> list:
    return [tree.question(node) for node in np.flatnonzero(tree.nodes.question >= 0).tolist()]


@functools.cache
def grown(search: str) -> hb.Tree:
    return hb.grow(table(search), recipe(search), seed=3)


def assert_walked_and_saved_alike(tree: hb.Tree, search: str) -> None:
    for rows in (table(search), table(search, seed=1)):
        ends = walk.leaves(tree, rows.columns)
        assert (ends == walk.leaves(tree, rows.columns, engine="python")).all()
    back = files.from_bytes(files.to_bytes(tree))
    assert questions_of(back) == questions_of(tree)
    assert (walk.leaves(back, rows.columns) == ends).all()


@pytest.mark.parametrize("search", EVERY)
def test_a_search_of_hornbeam_has_a_kernel_in_the_core(search):
    assert without_kernel(prepare(table(search), recipe(search))) == ""


@pytest.mark.parametrize("search", EVERY)
def test_its_questions_are_walked_by_the_core_saved_printed_and_drawn(search):
    check_questions(grown(search), search)


def check_questions(tree: hb.Tree, search: str) -> None:
    assert kind_of(search) in {question.kind for question in questions_of(tree)}
    assert_walked_and_saved_alike(tree, search)
    text, drawn = hb.tree.format_tree(tree), " ".join(re.findall(r">([^<]+)<", hb.draw(tree).svg))
    for question in questions_of(tree):
        named = question.name if isinstance(question, Named) else tree.schema.columns[question.columns[0]].name
        assert named in question.text(tree.schema)
        assert named in text
        assert named in drawn


@pytest.mark.parametrize("search", EVERY)
def test_every_pruning_cuts_its_trees(search):
    tree, rows = grown(search), table(search)
    folds = Folds(rows, np.arange(len(rows)) % 2, lambda part: hb.grow(part, recipe(search), seed=3))
    data = PruningData(pruning_set=table(search, seed=2), training=rows, folds=folds, bayes_risk=0.1)
    for name in prunings.names():
        pruned = hb.prune(tree, {"name": name, **SETTINGS.get(name, {})}, data)
        assert pruned.n_leaves <= tree.n_leaves, name
        assert_walked_and_saved_alike(pruned, search)


@pytest.mark.parametrize("search", EVERY)
def test_forests_bags_and_adaboost_use_its_questions(search):
    rows, method = table(search), recipe(search)
    models = {
        "forest": hb.forest(rows, method, n_trees=3, max_features=0.8, seed=1),
        "bag": hb.bag(rows, method.with_changes(pruning="pessimistic"), n_trees=3, seed=1),
        "adaboost": hb.adaboost(rows, method, n_trees=3, seed=1),
    }
    for name, forest in models.items():
        kinds = {question.kind for member in forest for question in questions_of(member)}
        assert kind_of(search) in kinds or name == "bag", name  # pruning may leave a single leaf
        totals = forest_totals(forest, rows.columns).totals
        assert (totals == forest_totals(files.from_bytes(files.to_bytes(forest)), rows.columns).totals).all()
        assert totals == pytest.approx(forest_totals(forest, rows.columns, engine="python").totals, abs=1e-12)


@pytest.mark.parametrize("search", [name for name in EVERY if name != "binned_cuts"])
def test_gradient_boosting_rejects_searches(search):
    with pytest.raises(OptionError, match="searches"):
        hb.recipe("boosting").with_changes(searches=SET.get(search, search))
