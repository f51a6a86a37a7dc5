"""Trees boosted from files: those of memory where bins are values, the same for any memory, pieces and source."""

from __future__ import annotations

import os

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import InputError, OptionError, OutputError
from hornbeam.scale import Dataset, boost_states
from hornbeam.scale.sources import parquet
from hornbeam.tree.file.files import to_bytes

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

N_ROWS = 4000
FEW = {"n_rounds": 4, "max_leaves": 8}


def rows_of(n=N_ROWS, seed=0):
    random = np.random.default_rng(seed)
    few = random.integers(0, 100, n).astype(float)
    few[random.random(n) < 0.05] = np.nan
    color = random.choice(["red", "green", "blue"], size=n)
    x = random.normal(size=n)
    score = np.nan_to_num(few) / 50 + (color == "red") + 0.5 * x + random.normal(size=n)
    classes = np.array(["low", "middle", "high"])[np.digitize(score, [1, 2])]
    return pa.table({"few": few, "x": x, "color": color, "y": classes, "z": score, "w": random.random(n) + 0.5})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "_MIN_PIECE_ROWS", 1)
    for number, start in enumerate(range(0, N_ROWS, 1500)):
        pq.write_table(rows_of().slice(start, 1500), tmp_path / f"{number}.parquet", row_group_size=700)
    return tmp_path


def same_trees(one, other):
    pairs = list(zip(one.trees, other.trees, strict=True))
    return all(np.array_equal(a.nodes.stats, b.nodes.stats) and str(a) == str(b) for a, b in pairs)


@pytest.mark.parametrize("target", ["y", "z"])
@pytest.mark.parametrize("weights", [None, "w"])
def test_where_bins_are_values_the_trees_are_those_of_memory(folder, target, weights):
    columns = ["few", "color"]
    names = [*columns, target, *([weights] if weights else [])]
    memory = hb.boost(hb.read(rows_of().select(names), target=target, weights=weights), **FEW)
    dataset = Dataset(str(folder / "*.parquet"), target, columns=columns, weights=weights)
    files = hb.boost(dataset, memory="100MB", **FEW)
    assert files.schema == memory.schema
    assert files.recipe == memory.recipe
    assert np.array_equal(files.base, memory.base)
    assert same_trees(files, memory)
    grown = hb.grow(dataset, hb.recipe("boosting").with_changes(ensemble={"name": "boosting", **FEW}), memory="100MB")
    assert same_trees(files, grown)
    assert grown.recipe["name"] == "boosting"


def test_neither_memory_nor_pieces_nor_the_source_change_the_model(folder, tmp_path):
    settings = {**FEW, "validation_fraction": 0.2, "rows_per_tree": 0.6}
    pq.write_table(rows_of(), tmp_path / "whole.pq", row_group_size=N_ROWS)
    reader = pa.RecordBatchReader.from_batches(rows_of().schema, rows_of().to_batches(max_chunksize=1000))

    def boosted(source, memory="100MB", **others):
        return to_bytes(hb.boost(Dataset(source, "y", drop=["z"]), memory=memory, **settings, **others))

    expected = boosted(str(folder / "*.parquet"))
    assert boosted(str(tmp_path / "whole.pq")) == expected
    assert boosted(reader) == expected
    assert boosted(str(folder / "*.parquet"), memory="40MB", threads=3) == expected
    assert boosted(str(tmp_path / "whole.pq"), work=tmp_path / "work") == expected
    assert boosted(str(tmp_path / "whole.pq"), work=tmp_path / "work") == expected
    assert not list((tmp_path / "work").glob("*.partial"))


def test_scores_in_files_are_those_in_memory_and_leave_no_file(folder, monkeypatch):
    dataset = Dataset(str(folder / "*.parquet"), "y", drop=["z"])
    expected = to_bytes(hb.boost(dataset, memory="100MB", **FEW))
    paths = []
    mapped = boost_states._StateFile.mapped

    def recorded(self, size):
        paths.append(self.path)
        return mapped(self, size)

    monkeypatch.setattr(boost_states._StateFile, "mapped", recorded)
    monkeypatch.setattr("hornbeam.scale.boost.state_bytes", lambda rows, outputs: 10**12)
    assert to_bytes(hb.boost(dataset, memory="100MB", **FEW)) == expected
    assert len(paths) == len(set(paths)) > 3
    assert not any(os.path.exists(path) for path in paths)


def test_a_full_disk_is_an_error_that_states_the_bytes(folder, monkeypatch):
    def full(handle, offset, size):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(boost_states.os, "posix_fallocate", full, raising=False)
    monkeypatch.setattr("hornbeam.scale.boost.state_bytes", lambda rows, outputs: 10**12)
    with pytest.raises(OutputError, match=r"The scores of boosting require .* of disk"):
        hb.boost(Dataset(str(folder / "*.parquet"), "y"), memory="100MB", **FEW)


def test_early_stopping_records_the_losses_and_keeps_the_best_rounds(folder):
    dataset = Dataset(str(folder / "*.parquet"), "z", columns=["few", "x", "color"])
    settings = {"n_rounds": 200, "learning_rate": 0.7, "validation_fraction": 0.25, "early_stopping_rounds": 3}
    forest = hb.boost(dataset, memory="100MB", **settings)
    recipe = hb.recipe("boosting").with_changes(ensemble={"name": "boosting", **settings})
    assert same_trees(hb.grow(dataset, recipe, memory="100MB"), forest)
    losses = forest.metadata["held_out_loss"]
    assert len(losses) == len(forest) + 3 < 200
    assert min(losses) == losses[len(forest) - 1]
    assert any("bins" in note for note in forest.metadata["notes"])


def test_a_file_without_memory_is_read_into_memory(folder):
    data = rows_of().select(["few", "color", "y"])
    pq.write_table(data, folder / "few.pq")
    found = hb.boost(str(folder / "few.pq"), target="y", **FEW)
    assert to_bytes(found) == to_bytes(hb.boost(hb.read(data, target="y"), **FEW))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"loss": "absolute"}, r"cannot use the loss absolute: its leaves are quantiles.*Pass loss='squared'"),
        ({"loss": "quantile"}, r"cannot use the loss quantile"),
        ({"loss": "logistic"}, r"loss logistic requires a classification target"),
        ({"stop_by_training": True, "validation_fraction": 0.1}, r"stop_by_training and validation rows"),
        ({"continue_from": "forest"}, r"continue_from cannot be used with memory="),
        ({"validation": "table"}, r"validation cannot be used with memory=.*validation_fraction"),
        ({"engine": "python"}, r"engine cannot be used with memory="),
        ({"groups": "color"}, r"groups cannot be used with memory="),
        ({"monotone_constraints": {"color": 1}}, r"requires ordered columns, but column 'color' is nominal"),
        ({"monotone_constraints": {"fewer": 1}}, r"'fewer', which is not a column"),
        ({"memory": "lots"}, r"memory must be a size such as '2GB'"),
    ],
)
def test_what_cannot_be_boosted_from_files_is_refused_in_words(folder, settings, message):
    dataset = Dataset(str(folder / "*.parquet"), "z", columns=["few", "x", "color"])
    with pytest.raises(OptionError, match=f"(?s){message}"):
        hb.boost(dataset, **{"memory": "100MB", **settings})


def test_targets_that_a_loss_does_not_support_are_errors(folder):
    dataset = Dataset(str(folder / "*.parquet"), "z", columns=["few"])
    with pytest.raises(InputError, match="loss poisson requires targets of at least 0"):
        hb.boost(dataset, memory="100MB", loss="poisson")
    with pytest.raises(OptionError, match="logistic requires two classes; there are 3"):
        hb.boost(Dataset(str(folder / "*.parquet"), "y"), memory="100MB", loss="logistic")


def test_too_few_rows_for_validation_are_an_error(tmp_path):
    pq.write_table(rows_of(3), tmp_path / "few.parquet")
    with pytest.raises(InputError, match=r"3 rows are too few for a validation_fraction of 0\.01"):
        hb.boost(str(tmp_path / "few.parquet"), target="z", memory="100MB", validation_fraction=0.01)


def test_files_are_required_for_memory():
    with pytest.raises(OptionError, match="memory requires files, got a Table"):
        hb.boost(hb.read(rows_of(50), target="y"), memory="1GB")
