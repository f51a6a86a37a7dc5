"""The bins of files equal those of the search in memory, for any pieces; bad sources are errors that name the piece."""

from __future__ import annotations

import datetime

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import DataFileError, InputError, OptionError, OutputError
from hornbeam.growing.sample import prepare as prepare_sample
from hornbeam.parts.searches.binned_cuts import bin_column
from hornbeam.scale import first_pass, work_folder
from hornbeam.scale.dataset import Dataset
from hornbeam.scale.prepare import prepared
from hornbeam.scale.sources import parquet

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

N_ROWS = 3000
LIMIT = 200 << 20


def rows_of(n=N_ROWS, seed=0):
    random = np.random.default_rng(seed)
    x = random.lognormal(size=n)
    x[random.random(n) < 0.1] = np.nan
    day = [datetime.date(2020, 1, 1) + datetime.timedelta(days=int(k)) for k in random.integers(0, 900, n)]
    return pa.table(
        {
            "x": x,
            "few": random.integers(0, 40, n),
            "color": pa.array(random.choice(["red", "green", None, "10", "9"], size=n).tolist()),
            "flag": random.random(n) < 0.3,
            "day": pa.array(day),
            "w": random.integers(0, 4, n).astype(float),
            "y": pa.array([None if k == 3 else "ab"[k % 2] for k in random.integers(0, 30, n).tolist()]),
        }
    )


@pytest.fixture
def written(tmp_path, monkeypatch):
    """A function that writes a table as files of some rows each."""
    monkeypatch.setattr(parquet, "_MIN_PIECE_ROWS", 1)

    def write(table, rows_per_file=700, rows_per_group=300, name="data"):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        for number, start in enumerate(range(0, table.num_rows, rows_per_file)):
            part = table.slice(start, rows_per_file)
            pq.write_table(part, folder / f"{number:03d}.parquet", row_group_size=rows_per_group)
        return str(folder / "*.parquet")

    return write


def contents(found):
    data = found.data
    arrays = [np.concatenate([piece.codes(i) for piece in data.pieces]) for i in range(len(data.columns))]
    target = np.concatenate([piece.target for piece in data.pieces])
    weights = None if data.pieces[0].weights is None else np.concatenate([piece.weights for piece in data.pieces])
    return arrays, target, weights


def test_bins_and_codes_equal_those_in_memory(written):
    table = rows_of()
    path = written(table)
    memory = hb.read(table, target="y", weights="w")
    sample = prepare_sample(
        memory, hb.recipe("plain").with_changes(searches=[hb.searches.BinnedCuts(), "best_subset"])
    ).sample
    with prepared(Dataset(path, "y", weights="w"), memory_limit=LIMIT) as found:
        codes, target, weights = contents(found)
        assert [column.name for column in found.data.columns] == ["x", "few", "color", "flag", "day"]
        assert found.schema.columns == memory.schema.columns
        assert found.schema.target == memory.schema.target
        assert found.data.n_rows == len(target) == sample.n_rows
        assert found.data.total_weight == weights.sum()
        np.testing.assert_array_equal(target, sample.target)
        for position, column in enumerate(found.data.columns):
            values = sample.columns[position]
            missing = codes[position] == len(column.low)
            np.testing.assert_array_equal(missing, values.is_missing)
            if column.levels:
                np.testing.assert_array_equal(codes[position][~missing], values.values[~missing])
                continue
            distinct, bin_of = bin_column(sample, position, 255)
            expected = bin_of[np.searchsorted(distinct, values.values[~missing])]
            np.testing.assert_array_equal(codes[position][~missing], expected)
            for b in range(len(column.low)):
                assert (column.low[b], column.high[b]) == (distinct[bin_of == b][0], distinct[bin_of == b][-1])


@pytest.mark.parametrize(
    ("per_file", "per_group", "memory"), [(3000, 3000, LIMIT), (250, 90, 40 << 20), (1000, 64, LIMIT)]
)
def test_pieces_batches_and_memory_do_not_change_the_bins(written, per_file, per_group, memory):
    table = rows_of(seed=4)
    results = []
    for number, (a, b, limit) in enumerate([(700, 300, LIMIT), (per_file, per_group, memory)]):
        path = written(table, a, b, f"data{number}")
        with prepared(Dataset(path, "y"), memory_limit=limit, bins_sample=1000, held_out=10) as found:
            columns = [(c.name, c.levels, c.low.tolist(), c.high.tolist()) for c in found.data.columns]
            results.append(
                (columns, [a.tolist() for a in contents(found)[0]], found.data.n_rows, found.plan.n_held_out)
            )
    assert results[0] == results[1]


def test_summaries_merge_in_any_order(written):
    dataset = Dataset(written(rows_of()), "y", weights="w")
    totals = []
    with prepared(dataset, memory_limit=LIMIT, bins_sample=1000) as found:
        for step in (1, -1):
            total = first_pass.empty_summary(found.roles)
            for piece in found.source.pieces[::step]:
                total.merge(first_pass.summarize_piece(piece, found.roles, 200))
            sample = total.sample.in_order()
            totals.append(
                (
                    total.weight.value(),
                    sample.rows.tolist(),
                    [sample.column(position).tobytes() for position in range(len(total.columns))],
                    total.columns["color"].counts,
                    total.columns["few"].distinct.tolist(),
                    (total.columns["x"].minimum, total.columns["x"].maximum, total.columns["x"].n_missing),
                )
            )
        assert totals[0][0] == found.plan.total_weight
    assert totals[0] == totals[1]
    assert 700 < len(totals[0][1]) <= 1000


def test_a_value_outside_the_sample_is_routed_as_its_question(written):
    table = rows_of(n=5000, seed=2).select(["x", "y"])
    with prepared(Dataset(written(table), "y"), memory_limit=LIMIT, bins_sample=1000, bins=20) as found:
        column, cuts = found.data.columns[0], found.plan.columns[0].cuts
        codes = contents(found)[0][0]
        values = hb.read(table, target="y").columns[0].values
        for b, cut in enumerate(cuts.tolist()):
            known = codes < len(column.low)
            np.testing.assert_array_equal(codes[known] <= b, values[known] <= cut)


def test_ids_and_free_text_are_excluded_as_in_memory(written):
    n = 2000
    table = pa.table(
        {
            "id": np.arange(n),
            "key": [f"k{i}" for i in range(n)],
            "x": np.random.default_rng(0).normal(size=n),
            "y": [i % 7 < 3 for i in range(n)],
        }
    )
    path = written(table)
    with prepared(Dataset(path, "y"), memory_limit=LIMIT) as found:
        assert [column.name for column in found.data.columns] == ["x"]
        assert any("column 'id' is excluded: it looks like an id" in note for note in found.notes)
    with prepared(Dataset(path, "y", keep_ids=True), memory_limit=LIMIT) as found:
        assert [column.name for column in found.data.columns] == ["id", "key", "x"]
        assert found.data.columns[1].levels[:2] == ("k0", "k1")


def test_two_integers_are_classes_and_more_are_numbers(written):
    table = pa.table({"x": np.arange(100.0) % 13, "two": np.arange(100) % 2, "many": np.arange(100) % 5})
    path = written(table)
    with prepared(Dataset(path, "two"), memory_limit=LIMIT) as found:
        assert found.data.target.levels == (0, 1)
    with prepared(Dataset(path, "many"), memory_limit=LIMIT) as found:
        assert (found.data.target.levels, found.data.target.minimum, found.data.target.maximum) == ((), 0.0, 4.0)
        assert contents(found)[1].dtype == np.float64
    with prepared(Dataset(path, "many", kinds={"many": "nominal"}), memory_limit=LIMIT) as found:
        assert found.data.target.levels == (0, 1, 2, 3, 4)


def test_no_file_remains_after_the_end_an_error_and_ctrl_c(written, tmp_path, monkeypatch):
    monkeypatch.setattr(work_folder.tempfile, "mkdtemp", lambda prefix: str(_made(tmp_path / "work")))
    path = written(rows_of())
    with prepared(Dataset(path, "y"), memory_limit=LIMIT) as found:
        assert found.data.pieces[0].path.startswith(str(tmp_path / "work"))
    assert not (tmp_path / "work").exists()

    def interrupt(text):
        if text.startswith("pass 2"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), prepared(Dataset(path, "y"), memory_limit=LIMIT, report=interrupt):
        pass
    assert not (tmp_path / "work").exists()


def _made(path):
    path.mkdir()
    return path


def test_a_named_folder_is_resumed_for_the_same_files_only(written, tmp_path):
    path, reports = written(rows_of()), []

    def interrupt(text):
        if text.startswith("pass 2") and len(list((tmp_path / "work").glob("*.bins"))) == 3:
            raise KeyboardInterrupt

    work = tmp_path / "work"
    with (
        pytest.raises(KeyboardInterrupt),
        prepared(Dataset(path, "y"), memory_limit=LIMIT, work=work, report=interrupt),
    ):
        pass
    first = work / "000000.bins"
    before = first.stat().st_mtime_ns
    with prepared(Dataset(path, "y"), memory_limit=LIMIT, work=work, report=reports.append) as found:
        resumed = [array.tolist() for array in contents(found)[0]]
    assert reports[0] == "the first pass is complete already"
    assert first.stat().st_mtime_ns == before
    with prepared(Dataset(path, "y"), memory_limit=LIMIT) as found:
        assert resumed == [array.tolist() for array in contents(found)[0]]
    written(rows_of(seed=9))
    with prepared(Dataset(path, "y"), memory_limit=LIMIT, work=work) as found:
        assert [array.tolist() for array in contents(found)[0]] != resumed


def test_a_folder_with_other_files_is_not_used(written, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("mine")
    with (
        pytest.raises(OutputError, match=r"contains other files, such as 'letter\.txt'"),
        prepared(Dataset(written(rows_of()), "y"), memory_limit=LIMIT, work=tmp_path / "mine"),
    ):
        pass


def test_a_full_disk_is_an_error_before_any_bins_are_written(written, monkeypatch):
    usage = type("Usage", (), {"free": 1000})
    monkeypatch.setattr(work_folder.shutil, "disk_usage", lambda path: usage)
    with (
        pytest.raises(OutputError, match=r"Growing from files requires .* of disk in .* 1 kB free"),
        prepared(Dataset(written(rows_of()), "y"), memory_limit=LIMIT),
    ):
        pass


def changed(column, values):
    table = rows_of()
    return table.set_column(table.schema.names.index(column), column, pa.array(values))


@pytest.mark.parametrize(
    ("second", "error", "message"),
    [
        (lambda: rows_of().rename_columns(["z", *rows_of().schema.names[1:]]), InputError, "lacks the column 'x'"),
        (lambda: changed("few", ["a"] * N_ROWS), InputError, "Column 'few' is numeric in .* and text in"),
        (lambda: rows_of().slice(0, 0), DataFileError, r"001\.parquet' has no rows"),
        (lambda: changed("x", [np.inf] * N_ROWS), InputError, r"001\.parquet.*column 'x', row 3000, must be finite"),
    ],
)
def test_a_bad_piece_is_an_error_that_names_it(written, tmp_path, second, error, message):
    path = written(rows_of(), N_ROWS, N_ROWS)
    pq.write_table(second(), tmp_path / "data" / "001.parquet")
    with pytest.raises(error, match=message), prepared(Dataset(path, "y"), memory_limit=LIMIT):
        pass


def test_a_truncated_and_a_replaced_file_are_errors(written, tmp_path):
    path = written(rows_of(), 1000, 1000)
    last = tmp_path / "data" / "002.parquet"

    def replace(text):
        if text.startswith("pass 2"):
            pq.write_table(rows_of(1000, seed=8), last)

    with (
        pytest.raises(DataFileError, match=r"002\.parquet' has changed since it was first read"),
        prepared(Dataset(path, "y"), memory_limit=LIMIT, report=replace),
    ):
        pass
    last.write_bytes(last.read_bytes()[:-500])
    with (
        pytest.raises(DataFileError, match=r"002\.parquet' is damaged Parquet"),
        prepared(Dataset(path, "y"), memory_limit=LIMIT),
    ):
        pass


def test_wrong_settings_are_errors(written):
    path = written(rows_of())
    for dataset, message in (
        (Dataset(path), "No target is given"),
        (Dataset(path, "yy"), "Unknown column 'yy'"),
        (Dataset(path, "y", columns=["y"]), "has no predictors"),
        (Dataset("data.arff", "y"), "supports Parquet, CSV"),
    ):
        with pytest.raises((OptionError, InputError), match=message), prepared(dataset, memory_limit=LIMIT):
            pass
    with pytest.raises(InputError, match="A dataset needs files"):
        Dataset({"x": [1]}, "x")


@pytest.mark.parametrize("n_cuts", [0, 1, 2, 7, 254, 255, 1000])
def test_the_kernel_counts_the_cuts_below_a_value(n_cuts):
    from hornbeam import _native

    random = np.random.default_rng(n_cuts)
    cuts = np.unique(random.normal(size=n_cuts))
    values = np.concatenate([random.normal(size=101), cuts, [np.nan, -1e300, 1e300, 0.0, -0.0]])
    expected = np.where(np.isnan(values), n_cuts + 1, np.searchsorted(cuts, values, side="left"))
    dtypes = [np.uint16] if n_cuts > 254 else [np.uint8, np.uint16]
    for dtype in dtypes:
        codes = np.empty(len(values), dtype=dtype)
        _native.code_values(values, cuts, n_cuts + 1, codes)
        np.testing.assert_array_equal(codes, expected)


def test_the_mean_of_a_bin_weighs_each_value_by_its_own_weight(written):
    rng = np.random.default_rng(8)
    x = rng.normal(size=2000)
    table = pa.table({"x": x, "w": np.exp(3 * x), "y": rng.integers(0, 2, 2000).astype(str)})
    with prepared(Dataset(written(table), "y", weights="w"), memory_limit=LIMIT) as found:
        column = found.data.columns[0]
    assert column.middle is not None
    inside = [(column.low[b] <= x) & (x <= column.high[b]) for b in range(len(column.low))]
    expected = [np.average(x[rows], weights=np.exp(3 * x[rows])) for rows in inside]
    np.testing.assert_allclose(column.middle, expected, rtol=1e-9)  # weights are rounded to units
