"""Samples of whole groups: the rows of a group are in the sample of a tree together, or out of bag together."""

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.ensembles.out_of_bag import forest_sample_counts
from hornbeam.ensembles.row_sampling import RowSampling, reference_sample_counts, sample_counts
from hornbeam.errors import InputError, OptionError
from hornbeam.table.divide import divide


@pytest.fixture(scope="module")
def visits():
    """Forty patients with one to five visits. The class is that of the patient, x identifies the patient."""
    random = np.random.default_rng(3)
    patient = np.repeat(np.arange(40), random.integers(1, 6, 40))
    ill = np.isin(patient, random.choice(40, 12, replace=False))
    columns = {"x": patient + random.normal(0, 0.01, len(patient)), "noise": random.normal(size=len(patient))}
    return hb.read({**columns, "patient": patient, "y": np.where(ill, "ill", "well")}, target="y")


@pytest.fixture(scope="module")
def grouped(visits):
    return divide(visits, groups="patient")


def counts_by_group(counts, groups):
    return [set(counts[groups == group].tolist()) for group in np.unique(groups)]


@pytest.mark.parametrize("method", ["rows", "classes", "balanced"])
@pytest.mark.parametrize("with_replacement", [True, False])
def test_all_rows_of_a_group_are_sampled_equally_often(grouped, method, with_replacement):
    sampling = RowSampling(method=method, with_replacement=with_replacement, fraction=0.7)
    groups, target = grouped.division.groups, grouped.target.values
    for tree in range(5):
        counts = sample_counts(sampling, target, 2, 1, tree, groups)
        assert all(len(each) == 1 for each in counts_by_group(counts, groups))
        assert 0 < (counts == 0).sum() < len(counts)


def test_the_groups_of_a_sample_are_those_that_the_reference_samples_as_rows(grouped):
    groups, target = grouped.division.groups, grouped.target.values
    _, first = np.unique(groups, return_index=True)
    expected = reference_sample_counts(RowSampling(), target[first], 2, 7, 3)
    assert (sample_counts(RowSampling(), target, 2, 7, 3, groups)[first] == expected).all()


def test_balanced_samples_have_as_many_groups_of_each_class(grouped):
    groups, target = grouped.division.groups, grouped.target.values
    _, first = np.unique(groups, return_index=True)
    counts = sample_counts(RowSampling(method="balanced"), target, 2, 0, 0, groups)[first]
    assert counts[target[first] == 0].sum() == counts[target[first] == 1].sum() == 12


@pytest.mark.parametrize("grow", [hb.forest, hb.bag])
@pytest.mark.parametrize("recipe", ["plain", "default"])
def test_a_row_is_out_of_bag_only_with_its_whole_group(grouped, grow, recipe):
    forest = grow(grouped, recipe, n_trees=6, seed=2)
    for tree in range(6):
        counts = forest_sample_counts(forest, grouped, tree)
        assert all(len(each) == 1 for each in counts_by_group(counts, grouped.division.groups))
        assert forest[tree].metadata["rows"] == (counts > 0).sum()


def test_out_of_bag_predictions_of_groups_have_not_seen_the_group(visits, grouped):
    by_row = hb.out_of_bag(hb.forest(divide(visits, groups=None), n_trees=60, seed=1), visits)
    by_group = hb.out_of_bag(hb.forest(grouped, n_trees=60, seed=1), grouped)
    assert by_row.error < 0.15  # other visits of the patient are in the samples
    assert by_group.error > 0.25


def test_the_engines_and_threads_grow_the_same_trees(grouped):
    trees = [
        hb.forest(grouped, n_trees=3, seed=4, engine=engine, threads=threads)
        for engine, threads in (("auto", 1), ("auto", 2), ("python", 1))
    ]
    assert len({tuple(map(str, forest.trees)) for forest in trees}) == 1


def test_honest_trees_keep_groups_in_one_part(grouped):
    from hornbeam.ensembles.honest import divide_rows
    from hornbeam.growing.method import Method
    from hornbeam.growing.sample import prepare

    start = prepare(grouped, Method(), seed=1)
    groups = grouped.division.groups
    counts = sample_counts(RowSampling(), start.sample.target, 2, 1, 0, groups)
    growing, estimating = divide_rows(start, counts, 0.5, 0)
    assert not set(groups[growing > 0]) & set(groups[estimating > 0])
    assert (growing + estimating == counts).all()
    assert growing.any()
    assert estimating.any()


def test_a_saved_forest_needs_the_groups_for_its_out_of_bag_rows(visits, grouped, tmp_path):
    forest = hb.forest(grouped, n_trees=4, seed=2)
    hb.save(forest, tmp_path / "f.tree")
    loaded = hb.load(tmp_path / "f.tree")
    assert hb.out_of_bag(loaded, grouped).error == hb.out_of_bag(forest, grouped).error
    without = hb.forest(hb.datasets.load("penguins"), n_trees=2)
    assert "sampled_groups" not in without.metadata
    other = divide(grouped, groups=np.arange(len(grouped)))
    with pytest.raises(InputError, match="whole groups \\(40\\)"):
        hb.out_of_bag(loaded, other)
    with pytest.raises(OptionError, match="other rows or columns"):
        hb.forest(other, n_trees=6, seed=2, continue_from=forest)


def test_an_estimator_samples_whole_groups(visits):
    from hornbeam.estimators import ForestClassifier

    x = np.stack([column.values for column in visits.columns[:2]], axis=1)
    patient = visits.columns[2].values
    y = visits.target.values
    model = ForestClassifier(60, oob_score=True, random_state=1).fit(x, y, groups=patient)
    assert model.oob_score_ < 0.75 < ForestClassifier(60, oob_score=True, random_state=1).fit(x, y).oob_score_
    for rows in model.estimators_samples_:
        counts = np.bincount(rows, minlength=len(y))
        assert all(len(each) == 1 for each in counts_by_group(counts, patient))
