"""Rows of a matrix walked in place end where their columns lead."""

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import InputError
from hornbeam.tree import walk


def made(n_rows, n_columns, dtype, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns)).round(1).astype(dtype)
    y = (X[:, 0] + X[:, 1] ** 2 + rng.normal(size=n_rows) > 1).astype(int)
    return X, y


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_rows", [1, 511, 512, 3000, 20_000])
@pytest.mark.parametrize("threads", [1, 2, 8])
def test_rows_of_a_matrix_end_where_their_columns_end(dtype, n_rows, threads):
    X, y = made(2000, 6, dtype, 1)
    tree = hb.TreeClassifier().fit(X, y).tree_
    new = made(n_rows, 6, dtype, 2)[0]
    new[::7, 0] = np.nan
    ends = walk.ends_of_matrix(tree, new, threads=threads)
    columns = [hb.table.column.numeric(f"x{place}", new[:, place]) for place in range(6)]
    assert ends is not None
    assert np.array_equal(ends, walk.leaves(tree, columns, engine="python"))


def test_an_infinite_value_is_refused_as_ever_even_in_a_column_that_no_node_uses():
    X, y = made(3000, 4, np.float64, 3)
    model = hb.TreeClassifier(max_depth=1).fit(X, y)
    X[2345, 3] = np.inf
    with pytest.raises(InputError, match="row 2345, must be finite"):
        model.predict(X)
    with pytest.raises(InputError, match="row 2345, must be finite"):
        hb.predict(model.tree_, X)


@pytest.mark.parametrize("missing", ["skip_column", "surrogates", "fractional", "learned", "own_branch"])
def test_every_way_with_missing_values_gives_the_same_of_a_matrix_and_of_a_frame(missing):
    pd = pytest.importorskip("pandas")
    X, y = made(400, 3, np.float64, 4)
    X[::5, 1] = np.nan
    model = hb.TreeClassifier(missing=missing, max_depth=4).fit(X, y)
    frame = pd.DataFrame(X, columns=["x0", "x1", "x2"])
    assert np.array_equal(model.predict_proba(X), hb.predict(model.tree_, frame).probabilities)


def test_rows_with_another_layout_become_columns_first():
    X, y = made(50, 3, np.float64, 5)
    tree = hb.TreeClassifier().fit(X, y).tree_
    for rows in (X.T.copy().T, X[:, :2], X.astype(np.int64), X.tolist(), np.asfortranarray(X), X[0]):
        assert walk.ends_of_matrix(tree, rows) is None
    assert np.array_equal(hb.predict(tree, np.asfortranarray(X)).codes, hb.predict(tree, X).codes)
