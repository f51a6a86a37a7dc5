"""Texts of Parquet files are read as dictionaries where they repeat, and are the same texts."""

from __future__ import annotations

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import InputError
from hornbeam.scale.sources.parquet import parquet_source
from hornbeam.table.readers import frames

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

N_ROWS = 5000
RANDOM = np.random.default_rng(0)
REPEATED = [["a", "b", None, ""][at] for at in RANDOM.integers(0, 4, N_ROWS)]
DIFFERENT = [f"text {number}" for number in RANDOM.permutation(N_ROWS)]


def written(folder, use_dictionary):
    columns = {
        "repeated": pa.array(REPEATED),
        "different": pa.array(DIFFERENT),
        "large": pa.array(REPEATED, pa.large_string()),
        "category": pa.array(REPEATED).dictionary_encode(),
        "missing": pa.array([None] * N_ROWS, pa.string()),
        "number": pa.array(RANDOM.normal(size=N_ROWS)),
    }
    path = str(folder / "rows.parquet")
    pq.write_table(pa.table(columns), path, row_group_size=700, use_dictionary=use_dictionary)
    return parquet_source([path])


def values(tables):
    found = {}
    for table in tables:
        for column in frames.raw(table).columns:
            if column.numbers is None:
                known = [None if code < 0 else column.distinct[code] for code in column.codes]
            else:
                known = column.numbers.tolist()
            found.setdefault(column.name, []).extend(known)
    return found


@pytest.mark.parametrize("use_dictionary", [True, False])
@pytest.mark.parametrize("n_rows", [64, 1000, 10_000])
def test_texts_read_as_dictionaries_are_the_same(tmp_path, use_dictionary, n_rows):
    source = written(tmp_path, use_dictionary)
    names = list(source.names)
    found = values(table for piece in source.pieces for table in piece.batches(names, n_rows))
    assert found == values(source.batches(names, n_rows))
    assert (found["repeated"], found["different"]) == (REPEATED, DIFFERENT)


def test_only_texts_that_repeat_are_dictionaries(tmp_path):
    source = written(tmp_path, True)
    (piece,) = source.pieces
    for table in piece.batches(list(source.names), 500):
        types = {field.name: field.type for field in table.schema}
        assert pa.types.is_dictionary(types["repeated"])
        assert types["different"] == pa.string()
    for table in source.batches(list(source.names), 500):
        assert not any(pa.types.is_dictionary(field.type) for field in table.schema)


def texts_as_dictionaries(source):
    found = {}
    for piece in source.pieces:
        for table in piece.batches(list(source.names), 500):
            found |= {field.name: pa.types.is_dictionary(field.type) for field in table.schema}
    return found


def test_other_encodings_are_read_as_texts(tmp_path):
    path = str(tmp_path / "rows.parquet")
    rows = pa.table({"front": pa.array(REPEATED), "plain": pa.array(REPEATED), "mixed": pa.array(REPEATED)})
    encodings = {"front": "DELTA_BYTE_ARRAY", "plain": "PLAIN"}
    pq.write_table(
        rows, path, use_dictionary=["mixed"], column_encoding=encodings, row_group_size=700, data_page_version="2.0"
    )
    source = parquet_source([path])
    assert texts_as_dictionaries(source) == {"front": False, "plain": False, "mixed": True}
    found = values(table for piece in source.pieces for table in piece.batches(list(source.names), 500))
    assert found == dict.fromkeys(source.names, REPEATED)


def test_a_dictionary_that_was_given_up_when_it_was_written_is_read(tmp_path):
    path = str(tmp_path / "rows.parquet")
    pq.write_table(pa.table({"different": pa.array(DIFFERENT)}), path, dictionary_pagesize_limit=100)
    source = parquet_source([path])
    assert values(table for piece in source.pieces for table in piece.batches(["different"], 500)) == {
        "different": DIFFERENT
    }


def test_texts_that_are_not_utf8_are_an_error(tmp_path):
    path = str(tmp_path / "rows.parquet")
    content = pa.py_buffer(b"a\xff")
    offsets = pa.py_buffer(np.array([0, 1, 2], dtype=np.int32))
    texts = pa.Array.from_buffers(pa.string(), 2, [None, offsets, content])
    pq.write_table(pa.table({"c": texts, "y": ["u", "v"]}), path)
    with pytest.raises(InputError, match=r"Column 'c' of .*rows\.parquet' has texts that are not UTF-8"):
        hb.grow(path, target="y", memory="100MB")


def test_a_column_of_nulls_has_the_type_of_the_other_files(tmp_path):
    columns = {"number": [1.5, 2], "text": ["a", "b"], "truth": [True, False], "always": pa.nulls(2), "y": ["u", "v"]}
    whole = pa.table(columns)
    nulls = pa.table({name: pa.nulls(2) if name != "y" else values for name, values in columns.items()})
    for order in ([whole, nulls], [nulls, whole]):
        for number, table in enumerate(order):
            pq.write_table(table, tmp_path / f"{number}.parquet")
        data = hb.scale.Dataset(str(tmp_path / "*.parquet"), "y")
        memory = hb.grow(data.read(), "plain")
        files = hb.grow(data, "plain", memory="100MB")
        assert files.schema == memory.schema
        assert str(files) == str(memory)
        assert len(hb.predict(files, str(tmp_path / "*.parquet")).labels) == 4
    pq.write_table(whole.set_column(0, "number", pa.array(["c", "d"])), tmp_path / "2.parquet")
    with pytest.raises(InputError, match=r"Column 'number' is numeric in .*1\.parquet' and text in .*2\.parquet'"):
        hb.grow(data, "plain", memory="100MB")


def test_a_file_that_is_given_twice_is_an_error(tmp_path):
    written(tmp_path, True)
    paths = [str(tmp_path / "*.parquet"), str(tmp_path / "rows.parquet")]
    with pytest.raises(InputError, match=r"rows\.parquet' is given more than once"):
        hb.grow(paths, target="repeated", memory="100MB")
    with pytest.raises(InputError, match=r"rows\.parquet' is given more than once"):
        hb.grow(paths, target="repeated")
