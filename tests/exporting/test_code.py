"""Exported code gives the predictions of `predict`: labels, probabilities and raw scores equal to the bit."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.exporting import runners
from tests.exporting.cases import expected, nested_cases, rows_of, small_cases, typed_case
from tests.strategies import trees_with_rows

import hornbeam as hb

LANGUAGES = {
    "python": runners.in_python,
    "c": runners.in_c,
    "javascript": runners.in_javascript,
    "java": runners.in_java,
}

# Compilers are slow: these cases cover every function of the engine, `make test-exports` runs all of them.
COMPILED = ("types of levels", "cart", "hostile", "fractional", "unseen error", "forest", "boosted 3", "rules vote")


@pytest.fixture(scope="module")
def cases():
    return small_cases()


@pytest.mark.parametrize("language", LANGUAGES)
def test_code_predicts_every_row_as_hornbeam_does(language, cases, tmp_path):
    cases = {**cases, "types of levels": typed_case()}
    cases = cases if language in ("python", "javascript") else {name: cases[name] for name in COMPILED}
    given_cases = [(model, rows_of(model, columns)) for model, columns in cases.values()]
    found = LANGUAGES[language](given_cases, tmp_path)
    for name, (model, columns), results in zip(cases, cases.values(), found, strict=True):
        assert results == expected(model, columns), name


@given(trees_with_rows(unseen=("as_missing", "majority", "stay", "error")), st.sampled_from(["unrolled", "tables"]))
@settings(max_examples=40)
def test_python_code_of_random_trees_predicts_as_hornbeam_does(case, style):
    tree, columns = case
    results = runners.in_python([(tree, rows_of(tree, columns))], None, style=style)[0]
    assert results == expected(tree, columns)


@pytest.mark.parametrize("language", ["python", "javascript", "c"])
def test_code_of_nested_dichotomies_predicts_as_the_estimator_does(language, tmp_path):
    given_cases = nested_cases()
    found = LANGUAGES[language]([case for case, _ in given_cases], tmp_path)
    assert found == [wanted for _, wanted in given_cases]


def test_conditions_are_the_default_of_c_for_larger_models_than_of_other_languages():
    model = hb.forest(hb.datasets.load("iris"), n_trees=100, seed=1)
    assert 600 < model.n_nodes < 20_000
    assert "_CHILD" not in hb.export(model, format="c")
    assert "CHILD" in hb.export(model, format="python")
    assert "_CHILD" in hb.export(model, format="c", style="tables")
