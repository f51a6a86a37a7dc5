"""Tables matched to a schema: columns are used in place, levels are recoded by value."""

import numpy as np
import pytest

from hornbeam.errors import InputError
from hornbeam.table.borrowed import BorrowedColumn
from hornbeam.table.column import MISSING, UNSEEN, Kind, nominal, numeric, ordinal
from hornbeam.table.match import match_columns, recode
from hornbeam.table.read import read, table_from_arrays
from hornbeam.table.table import Table

TRAINING = Table(
    (numeric("x", [1.0, 2.0, 3.0]), nominal("c", [0, 1, 2], ("a", "b", "d"))), nominal("y", [0, 1, 0], (0, 1))
)


def test_columns_that_fit_are_not_copied():
    found = match_columns(TRAINING.schema, TRAINING, with_target=True)
    assert [mine is theirs for mine, theirs in zip(found.columns, TRAINING.columns, strict=True)] == [True, True]
    assert found.target is TRAINING.target


def test_a_borrowed_column_stays_borrowed():
    X = np.arange(12.0).reshape(6, 2)
    table = table_from_arrays(X, copy=False)
    found = match_columns(table.schema, table)
    assert all(isinstance(column, BorrowedColumn) and np.shares_memory(column.source, X) for column in found.columns)
    assert "values" not in vars(found.columns[0])


def test_levels_are_recoded_by_value():
    other = Table((nominal("c", [2, MISSING, 0, UNSEEN, 1], ("b", "e", "a")), numeric("x", np.zeros(5))))
    found = match_columns(TRAINING.schema, other)
    assert found.names == ("x", "c")
    assert found["c"].values.tolist() == [0, MISSING, 1, UNSEEN, UNSEEN]
    assert found["c"].levels == ("a", "b", "d")


def test_an_ordinal_column_matches_a_nominal_one():
    other = Table((numeric("x", [0.0]), ordinal("c", [1], ("a", "b", "d"))))
    assert match_columns(TRAINING.schema, other)["c"].kind is Kind.NOMINAL


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (nominal("c", [0], (1, 2)), "has levels such as 'a' in the model, but row 0 contains 1"),
        (numeric("c", [1.0]), "has levels such as 'a' in the model, but row 0 contains the number 1"),
    ],
)
def test_other_value_types_are_errors(column, message):
    with pytest.raises(InputError, match=message):
        match_columns(TRAINING.schema, Table((numeric("x", [0.0]), column)))


def test_text_in_a_numeric_column_is_an_error_and_an_infinite_value_too():
    levels = nominal("c", [0], ("a",))
    with pytest.raises(InputError, match="is numeric in the model, but row 0 contains the text 'u'"):
        match_columns(TRAINING.schema, Table((nominal("x", [0], ("u",)), levels)))
    infinite = Table((numeric("x", [np.inf]), levels))
    with pytest.raises(InputError, match="row 0, must be finite"):
        match_columns(TRAINING.schema, infinite)
    assert match_columns(TRAINING.schema, infinite, infinite="ordered")["x"].values[0] == np.inf


def test_na_values_apply_to_a_table_as_well():
    other = Table((numeric("x", [0.0, 1.0]), nominal("c", [0, 1], ("a", "none"))))
    assert match_columns(TRAINING.schema, other)["c"].values.tolist() == [0, UNSEEN]
    assert match_columns(TRAINING.schema, other, na_values=["none"])["c"].values.tolist() == [0, MISSING]


def test_a_table_keeps_its_weights_and_a_missing_target_is_an_error():
    weighted = read({"x": [1.0], "c": ["a"], "w": [2.0]}, weights="w")
    assert match_columns(TRAINING.schema, weighted).weights.tolist() == [2.0]
    with pytest.raises(InputError, match="Unknown column 'y'"):
        match_columns(TRAINING.schema, weighted, with_target=True)


def test_recoding_to_the_same_levels_returns_the_codes_themselves():
    codes = np.array([0, 1], dtype=np.int32)
    assert recode(codes, ("a", "b"), ("a", "b")) is codes
    assert recode(codes, ("a", "b"), ("b",)).tolist() == [UNSEEN, 0]
