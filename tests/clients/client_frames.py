"""Data of other libraries: pandas (NumPy, nullable and Arrow columns), polars, pyarrow, duckdb, sparse matrices."""

import numpy as np
import pytest
from scipy import sparse
from tests.clients.data import IRIS, client, mixed_frame

import hornbeam as hb


def expected():
    frame, truth = mixed_frame()
    return frame, truth, hb.TreeClassifier(max_depth=4).fit(frame, truth).predict(frame)


@pytest.mark.parametrize("backend", ["numpy_nullable", "pyarrow"])
@client("pandas", "NumPy, nullable and Arrow columns")
def test_pandas_columns_of_every_back_end(backend):
    frame, truth, answer = expected()
    other = frame.convert_dtypes(dtype_backend=backend)
    assert np.array_equal(hb.TreeClassifier(max_depth=4).fit(other, truth).predict(other), answer)


@client("polars", "data frames; tables of pyarrow")
def test_polars_and_pyarrow():
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    frame, truth, answer = expected()
    plain = frame.astype({"stage": str})
    reference = hb.TreeClassifier(max_depth=4).fit(plain, truth).predict(plain)
    for other in (polars.from_pandas(plain), pyarrow.Table.from_pandas(plain, preserve_index=False)):
        assert np.array_equal(hb.TreeClassifier(max_depth=4).fit(other, truth).predict(other), reference)
    assert len(answer) == len(reference)


@client("duckdb", "relations")
def test_duckdb_relations():
    duckdb = pytest.importorskip("duckdb")
    frame, truth, _ = expected()
    plain = frame.astype({"stage": str}).assign(y=truth)
    table = hb.read(duckdb.from_df(plain), target="y")
    assert len(table) == len(plain)


@client("scipy", "CSR and CSC matrices")
def test_sparse_matrices():
    rows, truth = IRIS
    dense = hb.TreeClassifier(max_depth=3).fit(rows, truth)
    for make in (sparse.csr_matrix, sparse.csc_matrix):
        assert np.array_equal(
            hb.TreeClassifier(max_depth=3).fit(make(rows), truth).predict(make(rows)), dense.predict(rows)
        )
