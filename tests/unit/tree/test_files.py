"""Model files: items 233 to 240 of battery A6 (the file system), and what holds of every file that was saved."""

import datetime
import gc
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import trees, trees_with_rows
from tests.unit.tree.damaged_files import MIXED, stump
from tests.unit.tree.example_trees import chain, golf_tree, mixed_tree

from hornbeam.errors import InputError, ModelFileError
from hornbeam.tree import walk
from hornbeam.tree.file import container, files, plain_values


@pytest.mark.parametrize("kind", ["folder", "pipe", "device", "absent", "dangling"])
def test_233_what_is_not_a_regular_file_is_refused_at_once(tmp_path, kind):
    path = tmp_path / "m.tree"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "dangling":
        path.symlink_to(tmp_path / "nowhere")
    with pytest.raises(ModelFileError):
        files.load("/dev/zero" if kind == "device" else path)


def test_233_a_file_above_the_limit_is_not_read(tmp_path):
    files.save(stump(), tmp_path / "m.tree")
    with pytest.raises(ModelFileError, match="at most 10 are read"):
        files.load(tmp_path / "m.tree", max_bytes=10)


def test_a_misspelt_file_name_is_answered_with_the_nearest_one(tmp_path):
    files.save(stump(), tmp_path / "prostate.tree")
    with pytest.raises(ModelFileError, match=r"Did you mean 'prostate\.tree'"):
        files.load(tmp_path / "prostata.tree")


@pytest.mark.parametrize("step", ["open", "write", "fsync", "replace"])
def test_234_when_saving_fails_at_any_step_the_old_file_is_intact_and_nothing_is_left(tmp_path, monkeypatch, step):
    path = tmp_path / "m.tree"
    files.save(stump("old"), path)

    def fail(*args, **more):
        raise OSError(28, "No space left on device")

    from hornbeam.tree.file import atomic

    monkeypatch.setattr(atomic.os, "fsync" if step == "write" else step, fail)
    with pytest.raises(ModelFileError, match="No space left"):
        files.save(stump("new"), path)
    monkeypatch.undo()
    assert files.load(path).schema.classes == ("old",)
    assert os.listdir(tmp_path) == ["m.tree"]


def test_235_two_processes_saving_the_same_path_leave_one_whole_file(tmp_path):
    path = tmp_path / "m.tree"
    code = (
        "import sys; from tests.unit.tree.damaged_files import stump; from hornbeam.tree.file import files\n"
        "for _ in range(50): files.save(stump(sys.argv[2]), sys.argv[1])"
    )
    workers = [subprocess.Popen([sys.executable, "-c", code, str(path), name]) for name in ("one", "two")]
    assert [worker.wait(timeout=60) for worker in workers] == [0, 0]
    assert files.load(path).schema.classes[0] in ("one", "two")
    assert os.listdir(tmp_path) == ["m.tree"]


def test_236_saving_through_a_link_replaces_its_target_and_keeps_link_and_mode(tmp_path):
    target, link = tmp_path / "real.tree", tmp_path / "link.tree"
    files.save(stump("old"), target)
    target.chmod(0o640)
    link.symlink_to(target)
    files.save(stump("new"), link)
    assert link.is_symlink()
    assert files.load(link).schema.classes == ("new",)
    assert target.stat().st_mode & 0o777 == 0o640


def test_temporary_files_of_dead_processes_are_swept_and_others_left(tmp_path):
    finished = subprocess.Popen([sys.executable, "-c", ""])
    finished.wait()
    dead = tmp_path / f".m.tree.{finished.pid}.00000000.tmp"
    alive = tmp_path / f".m.tree.{os.getpid()}.00000000.tmp"
    dead.touch(), alive.touch()
    files.save(stump(), tmp_path / "m.tree")
    assert not dead.exists()
    assert alive.exists()


def test_237_loading_many_times_keeps_no_files_open(tmp_path):
    """Looks for this one file: the threads of other tests in this process may open and close files meanwhile."""
    path = tmp_path / "m.tree"
    files.save(stump(), path)
    with path.open("rb"):
        assert opened(path) == 1
        for _ in range(200):
            files.load(path)
        gc.collect()
        assert opened(path) == 1


def opened(path):
    """How often this process has a file open."""
    links = Path("/proc/self/fd").iterdir()
    return sum(os.path.realpath(link) == os.path.realpath(path) for link in links)


def test_240_the_error_of_a_damaged_file_names_the_file(tmp_path):
    path = tmp_path / "m.tree"
    path.write_bytes(MIXED[:-1] + b"\0")
    with pytest.raises(ModelFileError, match=r"m\.tree.*byte \d+.*damaged"):
        files.load(path)


# what must hold of sound files


@given(trees())
def test_b78_save_load_save_gives_the_same_bytes(tree):
    data = files.to_bytes(tree)
    assert files.to_bytes(files.from_bytes(data)) == data


@given(trees_with_rows(unseen=("as_missing", "majority", "stay")))
@settings(max_examples=50)
def test_b78_b79_a_loaded_or_unpickled_tree_predicts_the_same_bits(case):
    tree, columns = case
    for copy in (files.from_bytes(files.to_bytes(tree)), pickle.loads(pickle.dumps(tree))):
        np.testing.assert_array_equal(walk.values(copy, columns), walk.values(tree, columns))
        assert copy.schema == tree.schema
        assert copy.recipe == tree.recipe


@given(trees(most_inner=2), st.data())
def test_b80_one_changed_byte_is_an_error(tree, data):
    whole = bytearray(files.to_bytes(tree))
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(ModelFileError):
        files.from_bytes(bytes(whole))


def test_the_same_tree_is_the_same_bytes_whatever_the_order_of_its_facts():
    one = golf_tree(recipe={"a": 1, "b": 2}, metadata={"x": 1.5, "y": [1, 2]})
    two = golf_tree(recipe={"b": 2, "a": 1}, metadata={"y": [1, 2], "x": 1.5})
    assert files.to_bytes(one) == files.to_bytes(two)


def test_the_payload_is_a_safetensors_file_that_its_own_library_reads():
    from safetensors.numpy import load

    arrays = load(MIXED[24:-32])
    np.testing.assert_array_equal(arrays["nodes.stats"], mixed_tree().nodes.stats)
    assert set(arrays) == set(container.read_container(MIXED)[0])


def test_a_chain_of_100_000_is_saved_and_loaded():
    data = files.to_bytes(chain(100_000))
    tree = files.from_bytes(data)
    assert tree.depth == 100_000
    assert files.to_bytes(tree) == data


def test_a_chain_one_deeper_than_the_limit_is_refused():
    with pytest.raises(ModelFileError, match="at most 100000"):
        files.to_bytes(chain(100_001))


LEVELS = [
    ("a", "ü", "1"),
    (1, 2, 10**30),
    (1.0, 1, 0.1, -0.0),
    (True, False),
    (datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 1, 2, 3, 4), datetime.time(5, 6)),
    (None, "None"),
]


@pytest.mark.parametrize("levels", LEVELS)
def test_levels_come_back_with_their_types(levels):
    back = plain_values.parse_canonical_json(plain_values.canonical_json(list(levels)))
    assert back == list(levels)
    assert [type(level) for level in back] == [type(level) for level in levels]


def test_numpy_scalars_become_plain_ones_and_odd_values_survive():
    value = {"a": np.float64(0.5), "b": np.int64(3), "$": (1, [2]), "inf": float("inf"), "deep": {"$": 1}}
    assert plain_values.parse_canonical_json(plain_values.canonical_json(value)) == value


def test_a_value_that_no_file_can_hold_is_named():
    with pytest.raises(InputError, match=r"A model file cannot store .*object"):
        plain_values.canonical_json({"a": object()})
