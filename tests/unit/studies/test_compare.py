"""`compare`: recipes on the same folds, the best first."""

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import OptionError
from hornbeam.evaluation import compare_cross_validated
from hornbeam.studies.compare import compare
from hornbeam.studies.cross_validate import cross_validate

PENGUINS = hb.datasets.load("penguins")
STUMP = hb.recipe("plain").with_changes(name="stump", stops=[{"name": "max_depth", "depth": 1}])


@pytest.fixture(scope="module")
def found():
    return compare(PENGUINS, ("id3", STUMP, "cart"), folds=4, seed=1)


def test_the_best_recipe_is_first_and_one_that_fails_is_last(found):
    assert [line.name for line in found.lines] == ["cart", "stump", "id3"]
    assert found.best == "cart"
    assert "missing values" in found["id3"].error.message
    assert found["id3"].result is None


def test_each_line_has_the_metrics_of_cross_validate_and_the_corrected_test(found):
    cart, stump = (cross_validate(PENGUINS, recipe, folds=4, seed=1) for recipe in ("cart", STUMP))
    line = found.as_dicts()[1]
    assert line["mean"] == stump["accuracy"].mean.value
    assert line["metrics"]["log_loss"] == stump["log_loss"].mean.value
    test = compare_cross_validated(stump, cart, "accuracy")
    assert (line["difference"], line["p"]) == (test.difference, test.p)
    assert line["difference"] < 0
    assert found.as_dicts()[0]["p"] is None


def test_it_prints_a_table_and_html(found):
    lines = str(found).splitlines()
    assert lines[0] == "accuracy over 4 folds of 344 rows, the best recipe first"
    assert " ".join(lines[2].split()) == "recipe accuracy two standard errors difference p log loss Brier score"
    assert lines[3].startswith("  1  cart")
    assert lines[5].startswith("  -  id3     Column 'bill_length_mm' has 2 missing values")
    assert "<td>stump</td>" in found._repr_html_()


def test_another_metric_may_decide_and_smaller_errors_are_better():
    numbers = hb.read({"x": list(range(120)), "y": [value // 30 + 0.5 for value in range(120)]}, target="y")
    by_error = compare(numbers, (STUMP, "cart"), folds=3)
    assert (by_error.metric, by_error.best) == ("rmse", "cart")
    assert compare(numbers, (STUMP, "cart"), folds=3, metric="r2").best == "cart"
    with pytest.raises(OptionError, match="Unknown metric 'accuracy'"):
        compare(numbers, (STUMP,), folds=3, metric="accuracy")


def test_two_recipes_of_one_name_are_numbered():
    names = [line.name for line in compare(PENGUINS, (STUMP, STUMP), folds=2).lines]
    assert sorted(names) == ["stump", "stump (2)"]


def test_recipes_that_all_fail_and_wrong_arguments_raise_an_error():
    with pytest.raises(OptionError, match="requires a numeric target"):
        compare(PENGUINS, ("regression",), folds=2)
    with pytest.raises(OptionError, match="must be a list of recipes"):
        compare(PENGUINS, "cart")
    with pytest.raises(OptionError, match="must not be empty"):
        compare(PENGUINS, ())


def test_all_recipes_are_compared_on_the_same_groups():
    by_island = compare(PENGUINS, (STUMP, "cart"), folds=3, groups=np.arange(344) // 10)
    assert by_island.about == "accuracy over 3 folds of 344 rows by 'groups' (35 groups), the best recipe first"
    for rows in by_island["cart"].result.rows:
        assert not set(rows // 10) & set(np.delete(np.arange(344), rows) // 10)
