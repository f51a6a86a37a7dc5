"""Growth continues from a checkpoint with the same bytes; a checkpoint of other data or settings is refused."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import DataFileError, HornbeamWarning, OptionError, OutputError
from hornbeam.scale import Dataset, checkpoint, grow
from hornbeam.scale.counting import Root, count_rows
from hornbeam.scale.in_memory import binned_in_memory
from hornbeam.scale.rounds import LocalRounds
from hornbeam.scale.sources import parquet
from hornbeam.tree.file.files import to_bytes

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

N_ROWS = 4000


class Interrupted(Exception):
    """Raised by a progress function, as Ctrl-C is."""


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "_MIN_PIECE_ROWS", 1)
    monkeypatch.setattr(checkpoint, "_PAUSE", 0.0)
    random = np.random.default_rng(0)
    few = random.integers(0, 100, N_ROWS).astype(float)
    few[random.random(N_ROWS) < 0.05] = np.nan
    x, color = random.normal(size=N_ROWS), random.choice(["red", "green", "blue"], size=N_ROWS)
    score = np.nan_to_num(few) / 50 + (color == "red") + 0.5 * x + random.normal(size=N_ROWS)
    weights = random.integers(1, 4, N_ROWS)
    columns = {"few": few, "x": x, "color": color, "y": np.where(score > 1.5, "yes", "no"), "z": score, "w": weights}
    (tmp_path / "data").mkdir()
    for number, start in enumerate(range(0, N_ROWS, 1500)):
        table = pa.table(columns).slice(start, 1500)
        pq.write_table(table, tmp_path / "data" / f"{number}.parquet", row_group_size=700)
    return Dataset(str(tmp_path / "data" / "*.parquet"), "y", drop=["z"], weights="w")


def stop_at(n_lines, what="nodes grown"):
    """A progress function that interrupts at the n-th line with some text."""
    seen = []

    def progress(text):
        seen.append(text)
        if sum(what in line for line in seen) == n_lines:
            raise Interrupted

    return progress, seen


def interrupted(dataset, recipe, n_lines, what="nodes grown", **settings):
    """Interrupt a growth; its progress."""
    progress, seen = stop_at(n_lines, what)
    with pytest.raises(Interrupted):
        hb.grow(dataset, recipe, memory="64MB", progress=progress, **settings)
    return seen


def surrogates():
    return hb.recipe("plain").with_changes(missing="surrogates", searches=["binned_cuts", "best_subset"])


RECIPES = {
    "plain": lambda: hb.recipe("plain"),
    "pruned": lambda: hb.recipe("default"),
    "best first": lambda: hb.recipe("plain").with_changes(
        order="best_first", stops=[{"name": "max_leaves", "leaves": 12}]
    ),
    "surrogates": surrogates,
}


@pytest.mark.parametrize("name", RECIPES)
@pytest.mark.parametrize("target", ["y", "z"])
@pytest.mark.parametrize("at", [1, 3])
def test_a_tree_continues_with_the_same_bytes(data, tmp_path, monkeypatch, name, target, at):
    monkeypatch.setattr("hornbeam.scale.grow._SMALL_NODE", 50)
    dataset = dataclasses.replace(data, target=target, drop=["z" if target == "y" else "y"])
    recipe = RECIPES[name]()
    path = tmp_path / "growth.json"
    expected = to_bytes(hb.grow(dataset, recipe, memory="64MB"))
    interrupted(dataset, recipe, at, resume=path)
    # The first round of surrogates only adds to the splits of the root.
    assert ("growth" in json.loads(path.read_text())) == ((name, at) != ("surrogates", 1))
    lines = []
    found = hb.grow(dataset, recipe, memory="1GB", resume=path, progress=lines.append)
    assert to_bytes(found) == expected
    assert lines[0] == "the first pass is complete already"
    assert not path.exists()


def test_a_forest_continues_after_its_complete_trees(data, tmp_path, monkeypatch):
    monkeypatch.setattr("hornbeam.scale.forest._MOST_TOGETHER", 2)
    recipe = hb.recipe("forest")
    recipe = recipe.with_changes(ensemble=dataclasses.replace(recipe.ensemble_method, n_trees=5))
    expected = to_bytes(hb.grow(data, recipe, memory="64MB", seed=3))
    interrupted(data, recipe, 2, "trees grown", seed=3, resume=tmp_path / "a")
    lines = []
    found = hb.grow(data, recipe, memory="64MB", seed=3, resume=tmp_path / "a", progress=lines.append)
    assert to_bytes(found) == expected
    assert [line.partition(",")[0] for line in lines if "trees" in line] == ["5 of 5 trees grown"]


def test_a_work_folder_continues_by_itself_and_takes_another_recipe(data, tmp_path):
    work = tmp_path / "work"
    interrupted(data, "plain", 2, work=work)
    assert "growth" in json.loads((work / "hornbeam.json").read_text())
    other = hb.recipe("plain").with_changes(criterion="entropy")
    assert to_bytes(hb.grow(data, other, memory="64MB", work=work)) == to_bytes(hb.grow(data, other, memory="64MB"))
    interrupted(data, "plain", 2, work=work)
    assert to_bytes(hb.grow(data, "plain", memory="64MB", work=work)) == to_bytes(hb.grow(data, "plain", memory="64MB"))
    assert "growth" not in json.loads((work / "hornbeam.json").read_text())


def test_a_checkpoint_of_other_data_or_settings_is_refused_in_words(data, tmp_path):
    path = tmp_path / "growth.json"
    interrupted(data, "plain", 2, resume=path)
    before = path.read_bytes()
    for dataset, recipe, seed, message in (
        (dataclasses.replace(data, weights=None), "plain", 0, "is of other data, columns or settings"),
        (data, hb.recipe("plain").with_changes(pruning="reduced_error"), 0, "is of other data"),  # holds rows out
        (data, "cart", 0, "is of another recipe"),
        (data, hb.recipe("plain").with_changes(criterion="entropy"), 0, "is of another recipe, other settings"),
        (data, "plain", 7, "is of another recipe, other settings or another seed"),
    ):
        with pytest.raises(OptionError, match=message):
            hb.grow(dataset, recipe, seed=seed, memory="64MB", resume=path)
        assert path.read_bytes() == before
    table = pq.read_table(tmp_path / "data" / "1.parquet")
    pq.write_table(table, tmp_path / "data" / "1.parquet")
    with pytest.raises(OptionError, match="is of other data"):
        hb.grow(data, "plain", memory="64MB", resume=path)


def test_a_damaged_checkpoint_is_an_error_and_stays(data, tmp_path):
    path = tmp_path / "growth.json"
    interrupted(data, "plain", 2, resume=path)
    whole = path.read_text()
    for text in ("", "{}", whole[:-20], whole.replace('"growth": "', '"growth": "A'), "[1]", "\0"):
        path.write_text(text)
        with pytest.raises(DataFileError, match=r"growth\.json' is damaged or no checkpoint"):
            hb.grow(data, "plain", memory="64MB", resume=path)
        assert path.read_text() == text
    with pytest.raises(DataFileError, match="cannot be read"):
        hb.grow(data, "plain", memory="64MB", resume=tmp_path)


def test_settings_that_do_not_fit_are_refused(data, tmp_path):
    with pytest.raises(OptionError, match="resume cannot be combined with work="):
        hb.grow(data, "plain", memory="64MB", resume=tmp_path / "a", work=tmp_path / "b")
    with pytest.raises(OptionError, match="resume requires memory="):
        hb.grow(data, "plain", resume=tmp_path / "a")
    (tmp_path / "a.csv").write_text("x,y\n1,a\n2,b\n")
    with pytest.raises(OptionError, match="resume requires Parquet files or a Dask collection, got csv"):
        hb.grow(tmp_path / "a.csv", "plain", target="y", memory="64MB", resume=tmp_path / "a")
    with pytest.raises(OutputError, match="Cannot write the checkpoint"):
        hb.grow(data, "plain", memory="64MB", resume=tmp_path / "absent" / "a")


def test_a_state_that_is_cut_off_is_an_error():
    random = np.random.default_rng(0)
    table = hb.read({"x": random.normal(size=500), "y": random.choice(["a", "b"], 500)}, target="y")
    binned = binned_in_memory(table)
    rounds = LocalRounds(binned.pieces)
    method = hb.recipe("plain").with_changes(searches=["binned_cuts", "best_subset"])
    counting = count_rows(binned, method, rounds)
    root = Root(counting, rounds.statistics([counting.root_request()])[0])

    def growth():
        return grow.TreeGrowth(binned, method, root, seed=0, memory=2**26)

    first = growth()
    assert first.core.state() is None  # nothing is complete yet
    request = first.request()
    assert first.needs_rows
    first.finish(request, rounds)
    state = first.core.state()
    for damaged in (state[:-1], state + b"\0", b""):
        with pytest.raises(ValueError, match="state of a growth"):
            growth().restore(damaged)


def test_what_another_user_wrote_is_not_passed_to_the_core(data, tmp_path, monkeypatch):
    path = tmp_path / "growth.json"
    expected = to_bytes(hb.grow(data, "plain", memory="64MB"))
    interrupted(data, "plain", 2, resume=path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    monkeypatch.setattr(grow.TreeGrowth, "restore", lambda *_: pytest.fail("the state was used"))
    with pytest.warns(HornbeamWarning, match="written by another user or on another machine"):
        found = hb.grow(data, "plain", memory="64MB", resume=path)
    assert to_bytes(found) == expected


@pytest.mark.parametrize(("target", "loss"), [("y", None), ("color", None), ("z", "squared"), ("z", "poisson")])
@pytest.mark.parametrize("at", [1, 2])
def test_boosting_continues_with_the_same_bytes(data, tmp_path, target, loss, at):
    dropped = [name for name in ("y", "z", "color") if name != target]
    dataset = dataclasses.replace(data, target=target, drop=[*dropped, *(["x"] if loss == "poisson" else [])])
    if loss == "poisson":
        dataset = dataclasses.replace(dataset, target="few", drop=["y", "z", "color"], weights=None)
    settings = {
        "n_rounds": 7,
        "loss": loss,
        "validation_fraction": 0.2,
        "early_stopping_rounds": 2,
        "record_loss": True,
    }
    path = tmp_path / "growth.json"
    expected = to_bytes(hb.boost(dataset, memory="64MB", **settings))
    progress, _ = stop_at(at, "rounds boosted")
    with pytest.raises(Interrupted):
        hb.boost(dataset, memory="64MB", progress=progress, resume=path, **settings)
    assert "growth" in json.loads(path.read_text())
    lines = []
    assert to_bytes(hb.boost(dataset, memory="1GB", resume=path, progress=lines.append, **settings)) == expected
    assert not any(line.startswith("1 of 7 rounds") for line in lines)
    assert not path.exists()


def test_boosting_does_not_take_the_trees_of_other_settings(data, tmp_path):
    path = tmp_path / "growth.json"
    progress, _ = stop_at(2, "rounds boosted")
    with pytest.raises(Interrupted):
        hb.boost(data, memory="64MB", progress=progress, resume=path, n_rounds=5)
    with pytest.raises(OptionError, match="is of another recipe, other settings"):
        hb.boost(data, memory="64MB", resume=path, n_rounds=5, learning_rate=0.3)
    with pytest.raises(OptionError, match="resume requires memory="):
        hb.boost(data, resume=path)
