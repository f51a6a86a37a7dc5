"""One row at a time predicts what many rows predict: any tree, any questions, missing values and unseen levels."""

import numpy as np
from hypothesis import given

import hornbeam as hb
from hornbeam.errors import InputError
from hornbeam.table.column import UNSEEN
from strategies import trees_with_rows


def plain_rows(columns):
    """Rows as Python holds them: numbers, levels, None where missing."""
    lists = []
    for column in columns:
        if not column.levels:
            lists.append(column.values.tolist())
            continue
        words = [*column.levels, "unseen", None]
        lists.append([words[code] if code >= 0 else words[-2 if code == UNSEEN else -1] for code in column.values])
    return [list(row) for row in zip(*lists)]


@given(trees_with_rows())
def test_a_predictor_and_predict_agree(given_):
    tree, columns = given_
    predictor = hb.Predictor(tree)
    for index, row in enumerate(plain_rows(columns)):
        one = [column.take(np.array([index])) for column in columns]
        try:
            predicted = hb.predict(tree, one)
        except InputError:
            predicted = None
        if predicted is None or any(isinstance(value, float) and np.isinf(value) for value in row):
            try:
                predictor(row)
            except InputError:
                continue
            raise AssertionError("predict refuses the row, the predictor does not")
        if tree.is_class:
            assert predictor(row) == predicted.labels[0]
            assert list(predictor.probabilities(row)) == predicted.probabilities[0].tolist()
        else:
            np.testing.assert_equal(predictor(row), predicted.numbers[0])
