"""Prunings of trees from files: folds by a hash of the row, pruning sets in batches, cost tables, refusals."""

from __future__ import annotations

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import InputError, OptionError
from hornbeam.parts.prunings.machinery.pruning_data import Folds, PruningData
from hornbeam.scale import Dataset, new_rows
from hornbeam.scale.row_hash import fold_of_rows
from hornbeam.scale.sources import parquet
from hornbeam.tree.file.files import to_bytes

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

N_ROWS = 3000


def rows_of(n=N_ROWS, seed=0):
    random = np.random.default_rng(seed)
    few = random.integers(0, 50, n).astype(float)
    few[random.random(n) < 0.05] = np.nan
    color = random.choice(["red", "green", "blue"], size=n)
    score = np.nan_to_num(few) / 25 + (color == "red") + random.normal(size=n)
    return pa.table({"few": few, "color": color, "y": np.where(score > 1.5, "yes", "no"), "z": score})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "_MIN_PIECE_ROWS", 1)
    for number, start in enumerate(range(0, N_ROWS, 1100)):
        pq.write_table(rows_of().slice(start, 1100), tmp_path / f"{number}.parquet", row_group_size=500)
    pq.write_table(rows_of(), tmp_path / "whole.pq", row_group_size=N_ROWS)
    return tmp_path


def dataset(folder, target):
    return Dataset(str(folder / "*.parquet"), target, columns=["few", "color"])


@pytest.mark.parametrize("target", ["y", "z"])
@pytest.mark.parametrize("recipe", ["cart", "default"])
def test_the_tree_is_that_of_memory_with_folds_by_hash(folder, target, recipe):
    found = hb.grow(dataset(folder, target), recipe, memory="100MB", seed=7)
    table = hb.read(rows_of(), target=target, columns=["few", "color"])
    chosen = hb.recipe(recipe).for_table(table)
    bare = chosen.with_changes(pruning=None)
    folds = Folds(table, fold_of_rows(7, 10, 0, N_ROWS), lambda rows: hb.grow(rows, bare, seed=7))
    expected = hb.prune(hb.grow(table, bare, seed=7), chosen.pruning, PruningData(folds=folds))
    assert str(found) == str(expected)
    assert found.n_leaves < hb.grow(table, bare, seed=7).n_leaves
    assert np.array_equal(found.nodes.stats, expected.nodes.stats)


def test_neither_memory_nor_pieces_change_a_tree_pruned_by_folds(folder):
    sources = [(folder / "*.parquet", "64MB"), (folder / "*.parquet", "1GB"), (folder / "whole.pq", "100MB")]
    trees = [to_bytes(hb.grow(Dataset(str(path), "z", drop=["y"]), "cart", memory=size)) for path, size in sources]
    assert trees[0] == trees[1] == trees[2]


def test_the_complexity_table_of_files_is_that_of_memory_with_the_same_folds(folder):
    found = hb.complexity_table(dataset(folder, "y"), "cart", memory="100MB", folds=5)
    table = hb.read(rows_of(), target="y", columns=["few", "color"])
    expected = hb.complexity_table(table, "cart", folds=fold_of_rows(0, 5, 0, N_ROWS))
    np.testing.assert_allclose(found.xerror, expected.xerror)
    np.testing.assert_allclose(found.xstd, expected.xstd)
    assert str(found.tree) == str(expected.tree)
    assert hb.complexity_table(dataset(folder, "y"), "cart", memory="100MB", folds=0).xerror is None
    with pytest.raises(OptionError, match="folds must be 0 or at least 2 with memory=, got 1"):
        hb.complexity_table(dataset(folder, "y"), "cart", memory="100MB", folds=1)


def test_files_that_grew_a_tree_prune_it_by_folds(folder):
    tree = hb.grow(dataset(folder, "y"), hb.recipe("cart").with_changes(pruning=None), memory="100MB")
    pruned = hb.prune(tree, "one_se", str(folder / "*.parquet"), memory="100MB")
    assert str(pruned) == str(hb.grow(dataset(folder, "y"), "cart", memory="100MB"))
    assert str(hb.prune(tree, "one_se", dataset(folder, "y"), memory="100MB")) == str(pruned)


@pytest.mark.parametrize("target", ["y", "z"])
def test_a_pruning_set_is_read_in_batches(folder, target, monkeypatch):
    tree = hb.grow(dataset(folder, target), "plain", memory="100MB")
    rows = rows_of(2500, seed=9)
    for number, start in enumerate(range(0, 2500, 800)):
        pq.write_table(rows.slice(start, 800), folder / f"prune-{number}.pq", row_group_size=300)
    expected = hb.prune(tree, "reduced_error", hb.read(rows, target=target, columns=["few", "color"]))
    for whole_bytes in (0, 1 << 30):
        monkeypatch.setattr(new_rows, "WHOLE_BYTES", whole_bytes)
        monkeypatch.setattr("hornbeam.scale.labeled_rows.BATCH_ROWS", 170)
        found = hb.prune(tree, "reduced_error", str(folder / "prune-*.pq"))
        assert str(found) == str(expected)
        assert found.metadata["prunings"] == expected.metadata["prunings"]


def test_reduced_error_holds_out_a_third(folder):
    recipe = hb.recipe("plain").with_changes(pruning="reduced_error")
    tree = hb.grow(dataset(folder, "y"), recipe, memory="100MB")
    entry = tree.metadata["prunings"][0]
    assert 900 < entry["pruning_rows"] < 1100
    assert tree.metadata["rows"] + entry["pruning_rows"] == N_ROWS


@pytest.mark.parametrize(
    ("pruning", "text"),
    [
        ("error_based", "memory= cannot raise subtrees in the pruning error_based"),
        ("risk_threshold", "memory= cannot estimate the Bayes risk that the pruning risk_threshold needs"),
    ],
)
def test_prunings_that_need_rows_in_memory_are_refused_before_growth(folder, pruning, text):
    seen = []
    with pytest.raises(OptionError, match=text):
        hb.grow(
            dataset(folder, "y"),
            hb.recipe("plain").with_changes(pruning=pruning),
            memory="100MB",
            progress=seen.append,
        )
    assert not seen


def test_a_pruning_set_without_the_target_is_an_error(folder):
    tree = hb.grow(dataset(folder, "y"), "plain", memory="100MB")
    pq.write_table(rows_of().drop_columns(["y"]), folder / "other.pq")
    with pytest.raises(InputError, match="must include the model's target, 'y'"):
        hb.prune(tree, "reduced_error", str(folder / "other.pq"))


def test_progress_of_folds_has_the_time_left(folder):
    lines: list[str] = []
    hb.grow(dataset(folder, "y"), "cart", memory="100MB", progress=lines.append)
    assert any("11 of 11 trees for the folds of the pruning, 0 s left" in line for line in lines)


def test_few_rows_are_not_pruned_by_folds(tmp_path):
    pq.write_table(pa.table({"x": [1.0, 2.0, 3.0], "y": ["a", "b", "a"]}), tmp_path / "rows.parquet")
    for seed in range(5):
        tree = hb.grow(tmp_path / "rows.parquet", "cart", target="y", memory="100MB", seed=seed)
        assert tree.metadata["rows"] == 3


def test_the_command_prunes_by_files(folder, tmp_path, capsys, monkeypatch):
    from hornbeam.cli.main import main

    tree = hb.grow(dataset(folder, "y"), hb.recipe("cart").with_changes(pruning=None), memory="100MB")
    model, small = tmp_path / "model.tree", tmp_path / "small.tree"
    hb.save(tree, model)
    training = str(folder / "*.parquet")
    arguments = ["prune", str(model), "--training", training, "--memory", "100MB", "--pruning", "one_se"]
    assert main([*arguments, "-o", str(small)]) == 0
    assert str(hb.load(small)) == str(hb.prune(tree, "one_se", training, memory="100MB"))
    assert main(["prune", str(model), "--training", training, "--memory", "100MB", "--complexity-table"]) == 0
    assert "xerror" in capsys.readouterr().out
    assert main(["prune", str(model), "--memory", "100MB"]) != 0
    assert "--memory requires one tree and its training rows" in capsys.readouterr().err
    monkeypatch.setattr(new_rows, "WHOLE_BYTES", 0)
    assert main(["prune", str(model), "--pruning-set", training, "--pruning", "reduced_error", "--json"]) == 0
    assert '"pruning_rows": 3000' in capsys.readouterr().out
