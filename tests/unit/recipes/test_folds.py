"""`folds_for`: stratified folds for classes, random folds for numbers."""

import warnings

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import HornbeamWarning
from hornbeam.evaluation import random_folds, stratified_folds
from hornbeam.recipes.folds import folds_for

IRIS = hb.datasets.load("iris")


def test_folds_of_classes_are_stratified():
    folds = folds_for(IRIS, 5, seed=3)
    np.testing.assert_array_equal(folds, stratified_folds(IRIS.target.values, 5, 3))
    assert all(np.bincount(IRIS.target.values[folds == fold]).tolist() == [10, 10, 10] for fold in range(5))


def test_folds_of_numbers_and_of_tables_without_target_are_random():
    numbers = hb.read({"x": list(range(20)), "y": [value / 2 for value in range(20)]}, target="y")
    np.testing.assert_array_equal(folds_for(numbers, 4, seed=1), random_folds(20, 4, 1))
    np.testing.assert_array_equal(folds_for(IRIS.without_target(), 4, seed=1), random_folds(150, 4, 1))


def test_repeats_have_other_folds():
    assert (folds_for(IRIS, 5, seed=3) != folds_for(IRIS, 5, seed=3, repeat=1)).any()


def test_a_rare_class_gives_a_warning_unless_it_is_turned_off():
    rare = hb.read({"x": list(range(12)), "y": ["a"] * 10 + ["b"] * 2}, target="y")
    with pytest.warns(HornbeamWarning, match="fewer rows than the 4 folds"):
        loud = folds_for(rare, 4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(folds_for(rare, 4, warn=False), loud)
