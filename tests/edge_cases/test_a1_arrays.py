"""Bad and odd inputs, part A1: arrays and frames. One line an item; the id is the item's number."""

import datetime
import decimal
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

from hornbeam.errors import HornbeamWarning, InputError, MemoryLimitError
from hornbeam.table import Kind, read, table_from_arrays

NUMBERS = np.array([[1.0, 10.0], [2.0, 20.0], [3.0, 35.0], [4.0, 40.0], [5.0, 55.0], [6.5, 60.0]])
NAN = float("nan")
PACKED = np.dtype([("skip", "i1"), ("x0", "f8"), ("x1", "f8")])


def packed() -> np.ndarray:
    made = np.zeros(len(NUMBERS), dtype=PACKED)
    made["x0"], made["x1"] = NUMBERS.T
    return made[["x0", "x1"]]


def locked(array: np.ndarray) -> np.ndarray:
    array = array.copy()
    array.flags.writeable = False
    return array


class SpeaksArray:
    def __array__(self, dtype=None, copy=None):
        return NUMBERS


class SpeaksFrame:
    def __init__(self, frame):
        self.frame = frame

    def __dataframe__(self, nan_as_null=False, allow_copy=True):
        return self.frame.__dataframe__(nan_as_null, allow_copy)


class SpeaksArrow:
    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


class Raises:
    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("the sensor is off")


class Liar(np.ndarray):
    @property
    def shape(self):
        return (3, 4)


class OnCard:
    __cuda_array_interface__ = {"shape": (2, 2)}  # noqa: RUF012


FRAME = pd.DataFrame(NUMBERS, columns=["x0", "x1"])
STRIDED = np.full((12, 4), -1.0)
STRIDED[::2, ::2] = NUMBERS


SAME = {
    "007 list of lists": lambda: NUMBERS.tolist(),
    "007 tuple of arrays": lambda: tuple(NUMBERS),
    "008 list of dicts": lambda: FRAME.to_dict("records"),
    "009 dict of columns": lambda: {"x0": NUMBERS[:, 0], "x1": NUMBERS[:, 1].tolist()},
    "011 pandas": lambda: FRAME,
    "012 polars": lambda: pl.DataFrame(FRAME),
    "012 polars lazy": lambda: pl.DataFrame(FRAME).lazy(),
    "013 pyarrow table": lambda: pa.table(FRAME),
    "013 record batch": lambda: pa.RecordBatch.from_pandas(FRAME),
    "014 __array__": SpeaksArray,
    "014 __arrow_c_stream__": lambda: SpeaksArrow(pa.table(FRAME)),
    "015 sparse csr": lambda: scipy.sparse.csr_matrix(NUMBERS),
    "015 sparse csc": lambda: scipy.sparse.csc_array(NUMBERS),
    "015 sparse coo": lambda: scipy.sparse.coo_matrix(NUMBERS),
    "017 structured": packed,
    "018 matrix": lambda: np.asarray(NUMBERS).view(np.matrix),
    "019 Fortran order": lambda: np.asfortranarray(NUMBERS),
    "020 negative strides": lambda: NUMBERS[::-1, ::-1].copy()[::-1, ::-1],
    "021 slices": lambda: STRIDED[::2, ::2],
    "024 read-only": lambda: locked(NUMBERS),
    "026 unaligned": lambda: packed(),
    "027 big-endian": lambda: NUMBERS.astype(">f8"),
    "028 float16": lambda: NUMBERS.astype(np.float16),
    "028 float32": lambda: NUMBERS.astype(np.float32),
    "028 longdouble": lambda: NUMBERS.astype(np.longdouble),
    "033 object numbers": lambda: NUMBERS.astype(object),
    "037 nullable Float64": lambda: FRAME.astype("Float64"),
    "040 Decimal": lambda: {name: list(map(decimal.Decimal, map(str, FRAME[name]))) for name in FRAME},
    "051 odd index": lambda: FRAME.set_axis([1, 1, 2, 2, 3, 3], axis=0),
}


@pytest.mark.parametrize("item", SAME)
def test_every_container_of_the_same_numbers_gives_the_same_table(item):
    table = read(SAME[item]())
    assert table.names == ("x0", "x1")
    assert all(column.kind is Kind.NUMERIC for column in table.columns)
    np.testing.assert_array_equal(np.stack([column.values for column in table.columns], axis=1), NUMBERS)


@pytest.mark.filterwarnings("ignore:.*interchange.*:Warning", "ignore:.*__dataframe__.*:Warning")
def test_014_an_object_that_only_implements_the_frame_protocol_is_read():
    table = read(SpeaksFrame(pa.table(FRAME)))
    np.testing.assert_array_equal(np.stack([column.values for column in table.columns], axis=1), NUMBERS)


REFUSED = {
    "001 no rows": (np.empty((0, 3)), "0 rows"),
    "002 no columns": (np.empty((3, 0)), "0 columns"),
    "004 one dimension": (np.zeros(60), r"shape \(60,\).*reshape"),
    "004 one dimension, list": ([1.0, 2.0], "each a list of values"),
    "005 three dimensions": (np.zeros((2, 2, 2)), r"shape \(2, 2, 2\)"),
    "006 ragged": ([[1, 2], [1]], r"Row 1 must have 2 value\(s\) as row 0, got 1"),
    "010 unequal columns": ({"a": [1, 2], "b": [1]}, "got 2 rows in 'a' and 1 in 'b'"),
    "031 complex": (np.ones((2, 2), dtype=complex), "Complex data not supported: column 'x0'"),
    "035 mixed": (pd.DataFrame({"a": [1, "x"]}, dtype=object), "'a' mixes numbers and text: 1 in row 0, 'x' in row 1"),
    "036 lists inside": (pd.DataFrame({"a": [1, [2, 3]]}), "Column 'a'.*list"),
    "036 dict inside": ({"a": ["p", {"q": 1}]}, "'a'.*dict"),
    "036 nested polars": (pl.DataFrame({"a": [[1], [2]]}), "Column 'a', row 0.*List"),
    "039 bytes array": (np.array([[b"a"], [b"b"]]), "'x0'.*Decode"),
    "039 bytes objects": ({"a": [b"a", b"b"]}, "'a'.*bytes.*[Dd]ecode"),
    "043 interval": (pd.DataFrame({"a": pd.interval_range(0, 2)}), "'a' has dtype interval"),
    "043 period": (pd.DataFrame({"a": pd.period_range("2020", periods=2, freq="Y")}), "'a' has dtype period"),
    "044 same name twice": (pd.DataFrame(NUMBERS, columns=["a", "a"]), "Columns 0 and 1 have the same name: 'a'"),
    "046 no name": (pd.DataFrame(NUMBERS, columns=["a", None]), "The name of column 1 must be text"),
    "047 names equal as text": (pd.DataFrame(NUMBERS, columns=[1, "1"]), "Columns 0 and 1"),
    "049 same name in NFC": (pd.DataFrame(NUMBERS, columns=["é", "e\u0301"]), "NFC"),
    "050 header levels": (
        pd.DataFrame(NUMBERS, columns=[["a", "a"], ["b", "c"]]),
        "must have one level, got 2.*Flatten",
    ),
    "055 __array__ raises": (Raises(), "the sensor is off"),
    "056 a false report of shape": (NUMBERS.view(Liar), r"reports the shape \(3, 4\)"),
    "057 generator": ((row for row in NUMBERS), "got a generator"),
    "057 None": (None, "got None"),
    "058 graphics card": (OnCard(), "Copy it to the host"),
}


@pytest.mark.parametrize("item", REFUSED)
def test_what_cannot_be_read_is_refused_with_its_place(item):
    source, message = REFUSED[item]
    with pytest.raises(InputError, match=message):
        read(source)


def test_055_the_error_of_the_source_is_chained():
    with pytest.raises(InputError) as caught:
        read(Raises())
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_003_one_row_is_a_table():
    assert len(read([[1.0, 2.0]])) == 1


def test_008_a_key_that_is_not_there_is_missing():
    table = read([{"a": 1, "b": "x"}, {"a": 2}])
    assert table["b"].values.tolist() == [0, -1]


def test_015_a_sparse_matrix_too_large_to_be_dense_is_refused_with_the_number():
    with pytest.raises(MemoryLimitError, match=r"sparse matrix.*80 GB"):
        read(scipy.sparse.csr_matrix((100_000, 100_000)))


def test_015_the_size_of_a_sparse_matrix_made_dense_is_reported():
    assert "sparse" in read(scipy.sparse.csr_matrix(NUMBERS)).notes[0]


def test_016_the_mask_is_missing():
    masked = np.ma.masked_array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])
    assert np.isnan(read(masked)["x1"].values).tolist() == [True, False]
    texts = np.ma.masked_array([["a"], ["b"]], mask=[[True], [False]])
    assert read(texts)["x0"].values.tolist() == [-1, 0]


def test_017_the_fields_of_a_structured_array_are_columns():
    array = np.array([(1, "p", [0.5, 1.5]), (2, "q", [2.5, 3.5])], dtype=[("a", "i4"), ("b", "U1"), ("c", "f8", 2)])
    table = read(array)
    assert table.names == ("a", "b", "c_0", "c_1")
    assert table["b"].levels == ("p", "q")
    assert table["c_1"].values.tolist() == [1.5, 3.5]


def test_022_a_broadcast_array_is_read_like_its_copy():
    array = np.broadcast_to(np.array([1.0, 2.0]), (5, 2))
    assert read(array)["x1"].values.tolist() == [2.0] * 5


def test_023_a_broadcast_array_beyond_memory_is_refused_with_the_number(monkeypatch):
    monkeypatch.setattr("hornbeam.table.memory.available_bytes", lambda: 2**30)
    with pytest.raises(MemoryLimitError, match=r"17\.2 GB"):
        read(np.broadcast_to(np.float64(1), (2**31 + 5, 1)))


def test_025_a_read_only_memory_map_is_read(tmp_path):
    np.save(tmp_path / "x.npy", NUMBERS)
    table = read(np.load(tmp_path / "x.npy", mmap_mode="r"))
    assert table["x1"].values.tolist() == NUMBERS[:, 1].tolist()


def test_028_a_long_double_beyond_doubles_is_refused():
    if np.finfo(np.longdouble).max == np.finfo(np.float64).max:
        pytest.skip("long doubles are doubles on this machine")
    with pytest.raises(InputError, match=r"'x0', row 1"):
        read(np.array([[1], [np.longdouble("1e400")]], dtype=np.longdouble))


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">u8"])
def test_029_integers_of_every_width_are_exact(dtype):
    info = np.iinfo(dtype)
    values = [max(info.min, -(2**53)), 0, min(info.max, 2**53)]
    table = read(np.array([values], dtype=dtype).T)
    assert table["x0"].values.tolist() == [float(value) for value in values]


@pytest.mark.parametrize("make", [lambda v: np.array([v]).T, lambda v: pd.DataFrame({"x0": v}), lambda v: {"x0": v}])
def test_029_ids_that_would_collide_as_doubles_stay_apart_and_it_is_reported(make):
    with pytest.warns(HornbeamWarning, match=r"'x0'.*too large for float64"):
        column = table_from_arrays(make([2**53, 2**53 + 1, 5])).columns[0]
    assert column.kind is Kind.NOMINAL
    assert column.levels == (5, 2**53, 2**53 + 1)


def test_029_large_integers_that_are_exact_are_numbers():
    assert read(np.array([[2**63], [2**60]], dtype=np.uint64))["x0"].values.tolist() == [2.0**63, 2.0**60]


def test_029_two_ids_that_collide_cannot_be_declared_numeric():
    with pytest.raises(InputError, match=r"'x0'.*equal as float64"):
        read(np.array([[2**53], [2**53 + 1]]), kinds={"x0": "numeric"})


@pytest.mark.parametrize(
    "values", [np.array([True, False]), [True, False], pd.Series([True, False]), pl.Series([True, False])]
)
def test_030_true_and_false_are_two_levels(values):
    column = read({"a": values})["a"]
    assert column.kind is Kind.NOMINAL
    assert column.levels == (False, True)
    assert column.values.tolist() == [1, 0]


DATES = [datetime.date(1970, 1, 2), None, datetime.date(2020, 1, 1)]  # 18262 days after 1970-01-01


@pytest.mark.parametrize(
    "values",
    [
        np.array(DATES, dtype="datetime64[D]"),
        DATES,
        pd.Series(pd.to_datetime(DATES)),
        pd.Series(pd.to_datetime(DATES)).dt.tz_localize("UTC"),
        pl.Series(DATES),
        pa.chunked_array([DATES]),
    ],
    ids=["numpy", "objects", "pandas", "pandas with zone", "polars", "pyarrow"],
)
def test_032_dates_are_days_and_the_unit_is_reported(values):
    column = read({"a": values})["a"]
    np.testing.assert_array_equal(column.values, [1.0, NAN, 18262.0])
    assert "days since 1970-01-01" in " ".join(column.notes)


def test_032_lengths_of_time_are_days():
    lengths = [datetime.timedelta(hours=12), None]
    for values in (lengths, pd.Series(lengths, dtype="timedelta64[ns]"), pl.Series(lengths)):
        np.testing.assert_array_equal(read({"a": values})["a"].values, [0.5, NAN])


@pytest.mark.parametrize(
    "values",
    [
        np.array(["b", "a", None], dtype=object),
        ["b", "a", None],
        pd.Series(["b", "a", None]),
        pd.Series(["b", "a", None], dtype=object),
        pd.Series(["b", "a", pd.NA], dtype="string"),
        pd.Series(["b", "a", None], dtype="category"),
        pl.Series(["b", "a", None]),
        pl.Series(["b", "a", None], dtype=pl.Categorical),
        pa.chunked_array([["b", "a", None]]),
        pa.array(["b", "a", None]).dictionary_encode(),
    ],
    ids=lambda values: (
        f"{type(values).__module__.split('.')[0]}-{getattr(values, 'dtype', getattr(values, 'type', ''))}"
    ),
)
def test_034_038_texts_are_a_category_with_missing(values):
    column = read({"a": values})["a"]
    assert column.kind is Kind.NOMINAL
    assert column.levels == ("a", "b")
    assert column.values.tolist() == [1, 0, -1]


@pytest.mark.parametrize("dtype", ["Int64", "Float64", "UInt8"])
def test_037_na_in_nullable_columns_is_missing(dtype):
    np.testing.assert_array_equal(read({"a": pd.Series([1, None], dtype=dtype)})["a"].values, [1, NAN])


def test_037_na_in_a_nullable_boolean_is_missing():
    column = read({"a": pd.Series([True, None, False], dtype="boolean")})["a"]
    assert column.values.tolist() == [1, -1, 0]


def test_037_na_among_plain_objects_is_missing():
    np.testing.assert_array_equal(read({"a": [1, pd.NA, pd.NaT, None, NAN]})["a"].values, [1] + [NAN] * 4)


def test_040_a_decimal_with_more_digits_than_a_double_is_reported():
    column = read({"a": [decimal.Decimal("0.12345678901234567890123"), decimal.Decimal(2)]})["a"]
    assert column.values.tolist() == [0.12345678901234567890123, 2.0]
    assert "rounded" in column.notes[0]


def test_041_levels_that_no_row_has_are_dropped():
    values = pd.Categorical(["b", "a"], categories=["z", "b", "a", "y"])
    assert read(pd.DataFrame({"a": values}))["a"].levels == ("a", "b")


@pytest.mark.parametrize(
    "levels", [[3, 1], [2.5, 1.5], [True, False], [("a", 1), ("b", 2)], [datetime.date(2020, 1, 1)]]
)
def test_042_categories_of_any_value_keep_their_values(levels):
    series = pd.Series(
        pd.Categorical.from_codes(list(range(len(levels))), categories=pd.Index(levels, tupleize_cols=False))
    )
    column = read({"a": series})["a"]
    assert column.kind is Kind.NOMINAL
    assert set(column.levels) == set(levels)
    assert [column.levels[code] for code in column.values] == levels


@pytest.mark.parametrize(
    "values",
    [
        pd.Series(pd.Categorical(["lo", "hi"], categories=["lo", "mid", "hi"], ordered=True)),
        pl.Series(["lo", "hi"], dtype=pl.Enum(["lo", "mid", "hi"])),
    ],
    ids=["pandas", "polars"],
)
def test_042_an_ordered_category_is_ordinal_in_its_own_order(values):
    column = read({"a": values})["a"]
    assert column.kind is Kind.ORDINAL
    assert column.levels == ("lo", "mid", "hi")
    assert column.values.tolist() == [0, 2]


ODD_NAMES = ["", '"', "[x]", "\\", "<", "&", "%", ",", "\t", "\n", "\0", "\u202e", "\N{HERB}", "n" * 10_000, "a b"]


@pytest.mark.parametrize("name", ODD_NAMES, ids=range(len(ODD_NAMES)))
def test_045_048_any_text_is_a_name(name):
    for source in (pd.DataFrame({name: [1.0, 2.0]}), pl.DataFrame({name: [1.0, 2.0]}), {name: [1.0, 2.0]}):
        assert read(source).names == (name,)


def test_047_names_that_are_numbers_become_text():
    assert read(pd.DataFrame(NUMBERS, columns=[7, "b"])).names == ("7", "b")


def test_051_rows_are_matched_by_position_and_other_labels_are_reported():
    y = pd.Series(["a"] * 3 + ["b"] * 3, index=[5, 4, 3, 2, 1, 0])
    with pytest.warns(HornbeamWarning, match="by position"):
        table = table_from_arrays(FRAME, y)
    assert table.target.values.tolist() == [0, 0, 0, 1, 1, 1]


def test_052_a_target_frame_has_one_column():
    with pytest.warns(HornbeamWarning, match="column-vector"):
        assert table_from_arrays(NUMBERS, pd.DataFrame({"z": list("aabbab")})).target.levels == ("a", "b")
    with pytest.raises(InputError, match="one column, got 2"):
        table_from_arrays(NUMBERS, FRAME)


@pytest.mark.parametrize("order", ["C", "F"])
def test_053_054_the_table_does_not_change_with_its_source(order):
    source = np.array(NUMBERS, order=order)
    frame = pd.DataFrame({"x0": source[:, 0].copy(), "s": list("abcdef")})
    of_array, of_frame = read(source), read(frame)
    source[:] = 0
    frame.loc[:, "x0"] = 0.0
    assert of_array["x0"].values.tolist() == NUMBERS[:, 0].tolist()
    assert of_frame["x0"].values.tolist() == NUMBERS[:, 0].tolist()


def test_053_the_source_is_not_changed():
    source = NUMBERS.copy()
    table_from_arrays(source, source[:, 0])
    np.testing.assert_array_equal(source, NUMBERS)
    assert source.flags.writeable


def test_059_very_many_columns_are_read():
    assert len(read(np.zeros((10, 20_000))).columns) == 20_000


def test_reading_warns_of_nothing_when_all_is_well():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table_from_arrays(FRAME, np.arange(6) % 2, np.ones(6))
