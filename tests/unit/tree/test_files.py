"""Battery A6, items 206 to 240: a model file is read whole and sound, or refused in one sentence."""

import datetime
import gc
import hashlib
import json
import os
import pickle
import struct
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import trees, trees_with_rows
from tests.unit.tree.example_trees import chain, golf_tree, mixed_columns, mixed_tree

from hornbeam.errors import HornbeamError, InputError, ModelFileError
from hornbeam.table.column import ColumnSpec, Kind
from hornbeam.table.table import Schema
from hornbeam.tree import walk
from hornbeam.tree.file import container, files, plain_values
from hornbeam.tree.nodes import Nodes, Tree
from hornbeam.tree.questions.table import empty_table


def stump(level="no"):
    arrays = {"parent": [-1], "first_child": [-1], "n_branches": [0], "question": [-1], "rows": [3]}
    arrays |= {"weight": [3], "stats": [[3.0]], "answer": [0]}
    nodes = Nodes(**{name: np.array(value) for name, value in arrays.items()})
    target = ColumnSpec("y", Kind.NOMINAL, (level,))
    return Tree(Schema((ColumnSpec("x", Kind.NUMERIC),), target), nodes, empty_table())


def rehashed(body):
    return body + hashlib.sha256(body).digest()


def repacked(data, change, about=None):
    """The file with changed arrays and a correct hash: what someone who means harm would write."""
    arrays, words, _ = container.read_container(data)
    arrays = {name: array.copy() for name, array in arrays.items()}
    change(arrays)
    return container.write_container(arrays, words if about is None else about)


def described(data, change):
    """The file with a changed description and a correct hash."""

    def edit(arrays):
        about = json.loads(arrays["description"].tobytes())
        text = change(about)
        text = json.dumps(about, sort_keys=True, separators=(",", ":")) if text is None else text
        arrays["description"] = np.frombuffer(text.encode() if isinstance(text, str) else text, dtype=np.uint8)

    return repacked(data, edit)


MIXED = files.to_bytes(mixed_tree())


# 206 to 209: truncated, foreign, damaged


@pytest.mark.parametrize("data", [b"", b"\x89", container.MAGIC], ids=["empty", "one byte", "magic only"])
def test_206_a_file_with_nearly_nothing_in_it_is_cut_short(data):
    with pytest.raises(ModelFileError, match="truncated"):
        files.from_bytes(data)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (pickle.dumps({"a": 1}), "pickle, which is never loaded"),
        (b'{"learner": {}}', "JSON"),
        (b"{L\x00\x00\x00", "XGBoost"),
        (b"\x08\x08\x12\x07skl2onnx", "ONNX"),
        (b"PK\x03\x04....", "zip"),
        (b"\x1f\x8b\x08....", "gzip"),
        (b"\x89PNG\r\n\x1a\n...", "PNG"),
        (MIXED.replace(b"\r\n", b"\n"), "copied as text"),
    ],
)
def test_207_a_foreign_file_is_called_by_its_name(data, words):
    with pytest.raises(ModelFileError, match=words):
        files.from_bytes(data)


def test_208_a_file_cut_at_any_byte_is_refused():
    data = files.to_bytes(stump())
    for length in range(len(data)):
        with pytest.raises(ModelFileError):
            files.from_bytes(data[:length])


def test_209_a_file_with_any_one_bit_flipped_is_refused():
    data = files.to_bytes(stump())
    for place in range(len(data)):
        for bit in range(8):
            wrong = bytearray(data)
            wrong[place] ^= 1 << bit
            with pytest.raises(ModelFileError):
                files.from_bytes(bytes(wrong))


def test_210_correct_hashes_over_random_changes_are_never_a_crash():
    # 3,000 files with some bytes changed and the hash made right again: each one is refused, or is sound and walks.
    rng = np.random.default_rng(5)
    base = np.frombuffer(MIXED[:-32], dtype=np.uint8)
    columns = mixed_columns(5)
    accepted = 0
    for _ in range(3_000):
        body = base.copy()
        places = rng.integers(24, len(body), rng.integers(1, 4))
        body[places] = rng.integers(0, 256, len(places))
        try:
            tree = files.from_bytes(rehashed(body.tobytes()))
        except HornbeamError:
            continue
        accepted += 1
        walk.leaves(tree, columns)
    assert accepted < 3_000  # some bytes are free: a gain, the digits of a number


# 211 to 215: versions, sections, sizes


@pytest.mark.parametrize(
    ("major", "words"),
    [(99, "format 99.1; this hornbeam reads up to 1.1. Upgrade"), (0, "format 0"), (2**32 - 1, "Upgrade")],
)
def test_211_212_an_unknown_version_is_refused(major, words):
    body = bytearray(MIXED[:-32])
    struct.pack_into("<I", body, 8, major)
    with pytest.raises(ModelFileError, match=words):
        files.from_bytes(rehashed(bytes(body)))


def test_213_an_unknown_array_is_refused_by_name_unless_it_is_optional():
    with pytest.raises(ModelFileError, match=r"'nodes\.extra'"):
        files.from_bytes(repacked(MIXED, lambda a: a.update({"nodes.extra": np.zeros(3)})))
    tree = files.from_bytes(repacked(MIXED, lambda a: a.update({"optional.extra": np.zeros(3)})))
    assert files.to_bytes(tree) == MIXED


def header_edit(data, change):
    """The file with a changed safetensors header, its length and the hash made right."""
    (length,) = struct.unpack_from("<Q", data, 24)
    header = change(data[32 : 32 + length].decode("ascii")).encode("ascii")
    body = struct.pack("<Q", len(header)) + header + data[32 + length : -32]
    head = container.HEAD.pack(container.MAGIC, 1, 0, container.HEAD.size + len(body) + 32)
    return rehashed(head + body)


def moved_section(text):
    entries = json.loads(text)
    entries["nodes.weight"]["data_offsets"] = entries["nodes.gain"]["data_offsets"]
    return json.dumps(entries, sort_keys=True, separators=(",", ":"))


HEADERS = {
    "repeated": lambda t: t.rstrip()[:-1] + ',"zz":{"data_offsets":[0,0],"dtype":"I8","shape":[0]},"zz":{}}',
    "overlapping": moved_section,
    "out of order": lambda t: json.dumps(dict(reversed(json.loads(t).items()))),
    "another spacing": lambda t: t.replace(":", ": ", 1),
    "not JSON": lambda t: t[:-9] + "!" * 9,
    "not a mapping": lambda t: "[]",
    "deep": lambda t: "[" * 100_000,
    "shape overflows": lambda t: t.replace('"shape":[', '"shape":[99999999999999999999,', 1),
    "shape negative": lambda t: t.replace('"shape":[', '"shape":[-', 1),
    "shape of truth": lambda t: t.replace('"shape":[', '"shape":[true,', 1),
    "dtype": lambda t: t.replace('"F64"', '"F16"', 1),
    "no metadata": lambda t: t.replace("__metadata__", "__metadatx__"),
}


@pytest.mark.parametrize("change", HEADERS.values(), ids=HEADERS)
def test_214_215_a_false_header_is_refused(change):
    with pytest.raises(ModelFileError):
        files.from_bytes(header_edit(MIXED, change))


def test_214_a_missing_array_is_refused_by_name_and_trailing_bytes_are_noticed():
    with pytest.raises(ModelFileError, match=r"lacks the array 'nodes\.gain'"):
        files.from_bytes(repacked(MIXED, lambda a: a.pop("nodes.gain")))
    with pytest.raises(ModelFileError, match="after its end"):
        files.from_bytes(MIXED + b"\0")
    body = MIXED[:-32] + bytes(8)
    longer = rehashed(body[:16] + struct.pack("<Q", len(body) + 32) + body[24:])
    with pytest.raises(ModelFileError, match="arrays take"):
        files.from_bytes(longer)


def test_215_a_header_longer_than_the_file_is_refused_before_anything_is_made():
    body = MIXED[:24] + struct.pack("<Q", 2**63) + MIXED[32:-32]
    with pytest.raises(ModelFileError, match="byte 24"):
        files.from_bytes(rehashed(body))


# 216 to 226: hash-correct wrong contents, one line each


def put(name, place, value):
    def change(arrays):
        arrays[name][place] = value

    return change


def cut(name):
    def change(arrays):
        arrays[name] = arrays[name][:-1]

    return change


def no_nodes(arrays):
    for name in list(arrays):
        if name.startswith("nodes."):
            arrays[name] = arrays[name][:0]
    arrays["nodes.surrogate_start"] = np.zeros(1, dtype=np.int64)


def too_deep(arrays):
    arrays["nodes.depth"] = arrays["nodes.depth"] + np.int32(100_001) * (arrays["nodes.parent"] >= 0).astype(np.int32)


def place_of(kind, pool="reals"):
    """Where the numbers of the first question of a kind begin in the mixed tree's pool."""
    table = mixed_tree().questions
    from hornbeam.tree.name_codes import KINDS

    row = table.kind.tolist().index(KINDS.index(kind))
    return row, int(getattr(table, f"{pool}_start")[row])


THRESHOLD, THRESHOLD_AT = place_of("threshold")
INTERVALS, INTERVALS_AT = place_of("intervals")
PLANE, PLANE_AT = place_of("hyperplane")
BALL, BALL_AT = place_of("sphere")
_, PLANE_COLUMNS = place_of("hyperplane", "whole")
SUBSET, SUBSET_AT = place_of("subset", "whole")
VALUES, VALUES_AT = place_of("multiway", "whole")
COMBINED, COMBINED_AT = place_of("combined", "whole")
IS_MISSING, IS_MISSING_AT = place_of("is_missing", "whole")

WRONG = {
    "216 no nodes": no_nodes,
    "216 lengths differ": cut("nodes.weight"),
    "216 statistics too narrow": lambda a: a.update({"nodes.stats": np.ascontiguousarray(a["nodes.stats"][:, :2])}),
    "217 child negative": put("nodes.first_child", 0, -7),
    "217 child is self": put("nodes.first_child", 0, 0),
    "217 child before parent": put("nodes.first_child", 2, 1),
    "217 child beyond the end": put("nodes.first_child", 0, 10_000),
    "217 too many branches": put("nodes.n_branches", 0, 2**31 - 1),
    "217 branches negative": put("nodes.n_branches", 0, -2),
    "217 a leaf with branches": put("nodes.n_branches", -1, 2),
    "218 two parents": put("nodes.first_child", 1, 4),
    "218 unreachable": put("nodes.n_branches", 1, 3),
    "218 parent is a leaf": put("nodes.parent", -1, 3),
    "218 root has a parent": put("nodes.parent", 0, 1),
    "218 parent after child": put("nodes.parent", 1, 5),
    "219 too deep": too_deep,
    "219 depth wrong": put("nodes.depth", 3, 1),
    "220 column out of range": put("questions.column", THRESHOLD, 4),
    "220 column negative": put("questions.column", THRESHOLD, -1),
    "220 cut of a nominal column": put("questions.column", THRESHOLD, 3),
    "220 levels of a numeric column": put("questions.column", SUBSET, 0),
    "220 question out of range": put("nodes.question", 0, 99),
    "220 inner node without question": put("nodes.question", 0, -1),
    "220 leaf with a question": put("nodes.question", -1, 0),
    "220 unknown kind": put("questions.kind", 0, 77),
    "220 kind negative": put("questions.kind", 0, -1),
    "220 wrong encoding": put("questions.encoding", THRESHOLD, 1),
    "220 first branch wrong": put("questions.first", THRESHOLD, 1),
    "220 missing answer wrong": put("questions.missing_answer", THRESHOLD, 0),
    "220 is_missing with other levels": put("questions.whole", IS_MISSING_AT, 9),
    "220 pool beyond its end": put("questions.reals_start", 1, 10_000),
    "220 pool runs backwards": put("questions.whole_start", 1, -3),
    "220 pool not used up": put("questions.reals_start", -1, 3),
    "220 name out of range": put("questions.name", 0, 5),
    "221 threshold NaN": put("questions.reals", THRESHOLD_AT, np.nan),
    "221 threshold infinite": put("questions.reals", THRESHOLD_AT, np.inf),
    "221 cuts fall": put("questions.reals", INTERVALS_AT, 5.0),
    "221 cuts equal": put("questions.reals", INTERVALS_AT, 0.25),
    "222 level branch out of range": put("questions.whole", SUBSET_AT, 2),
    "222 subset full": put("questions.whole", slice(SUBSET_AT, SUBSET_AT + 4), 0),
    "222 subset empty": put("questions.whole", slice(SUBSET_AT, SUBSET_AT + 4), 1),
    "222 no level at all": put("questions.whole", slice(SUBSET_AT, SUBSET_AT + 4), -1),
    "222 branch without level": put("questions.whole", VALUES_AT + 1, 2),
    "222 branch below none": put("questions.whole", VALUES_AT, -2),
    "223 class out of range": put("nodes.answer", 3, 3.0),
    "223 class negative": put("nodes.answer", 3, -1.0),
    "223 class not whole": put("nodes.answer", 3, 0.5),
    "223 class NaN": put("nodes.answer", 3, np.nan),
    "223 count negative": put("nodes.stats", (3, 0), -1.0),
    "223 count NaN": put("nodes.stats", (3, 0), np.nan),
    "223 counts above the parent's": put("nodes.stats", (3, 0), 1e6),
    "223 counts do not add up": put("nodes.stats", (3, 0), 0.0),
    "223 weight infinite": put("nodes.weight", 0, np.inf),
    "223 rows negative": put("nodes.rows", 0, -1),
    "224 gain infinite": put("nodes.gain", 0, np.inf),
    "225 oblique weight NaN": put("questions.reals", PLANE_AT, np.nan),
    "225 oblique weight infinite": put("questions.reals", PLANE_AT + 1, -np.inf),
    "225 oblique bound NaN": put("questions.reals", PLANE_AT + 2, np.nan),
    "225 oblique weights all 0": put("questions.reals", slice(PLANE_AT, PLANE_AT + 2), 0.0),
    "225 oblique column twice": put("questions.whole", PLANE_COLUMNS, 1),
    "225 oblique column nominal": put("questions.whole", PLANE_COLUMNS, 3),
    "225 oblique column out of range": put("questions.whole", PLANE_COLUMNS, 44),
    "225 sphere scale 0": put("questions.reals", BALL_AT + 2, 0.0),
    "225 sphere radius negative": put("questions.reals", BALL_AT + 4, -1.0),
    "225 sphere radius NaN": put("questions.reals", BALL_AT + 4, np.nan),
    "225 combined contains itself": put("questions.whole", COMBINED_AT + 1, COMBINED),
    "225 combined uses what comes later": put("questions.whole", COMBINED_AT + 1, 99),
    "225 combined literal twice": lambda a: a["questions.whole"].__setitem__(
        COMBINED_AT + 1, a["questions.whole"][COMBINED_AT + 3]
    ),
    "225 combined with a wrong mark": put("questions.whole", COMBINED_AT, 2),
    "225 combined negation wrong": put("questions.whole", COMBINED_AT + 2, 5),
    "226 surrogate has the node's question": lambda a: a["nodes.surrogate_question"].__setitem__(
        0, a["nodes.question"][0]
    ),
    "226 surrogate twice": lambda a: a["nodes.surrogate_question"].__setitem__(0, a["nodes.surrogate_question"][1]),
    "226 surrogate out of range": put("nodes.surrogate_question", 0, 99),
    "226 surrogate flipped twice": put("nodes.surrogate_flipped", 0, 2),
    "226 surrogates of a leaf": put("nodes.surrogate_start", -2, 1),
    "226 surrogates run backwards": put("nodes.surrogate_start", 1, -1),
    "226 agreement above 1": put("nodes.surrogate_agree", 0, 1.5),
    "226 missing branch out of range": put("nodes.missing_branch", 0, 2),
    "226 missing branch unknown": put("nodes.missing_branch", 0, -3),
    "226 missing branch of a leaf": put("nodes.missing_branch", -1, 0),
    "226 reason unknown": put("nodes.reason", -1, 99),
}


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG)
def test_216_to_226_wrong_contents_under_a_correct_hash_are_refused_with_their_place(change):
    with pytest.raises(ModelFileError, match=r"byte \d+|Array") as caught:
        files.from_bytes(repacked(MIXED, change))
    assert len(str(caught.value)) < 300


# 227 to 232: the description


def spec(about, position=0):
    return about["schema"]["columns"][position]


DESCRIPTIONS = {
    "227 not UTF-8": lambda d: b"\xff\xfe",
    "227 NUL in a name": lambda d: spec(d).update(name="a\0b"),
    "227 lone surrogate": lambda d: spec(d).update(name="\ud800"),
    "227 endless name": lambda d: spec(d).update(name="a" * 2_000_000),
    "227 name is a number": lambda d: spec(d).update(name=5),
    "227 two columns of one name": lambda d: spec(d).update(name="weight"),
    "227 target named as a column": lambda d: d["schema"]["target"].update(name="size"),
    "227 level twice": lambda d: spec(d, 3).update(levels=["red", "red", "blue", "grey"]),
    "227 level is a list": lambda d: spec(d, 3).update(levels=[["red"], "green", "blue", "grey"]),
    "227 levels of a numeric column": lambda d: spec(d).update(levels=["a"]),
    "222 fewer levels than the map": lambda d: spec(d, 3).update(levels=["red"]),
    "223 no classes": lambda d: d["schema"]["target"].update(levels=[]),
    "223 fewer classes than statistics": lambda d: d["schema"]["target"].update(levels=["a"]),
    "unknown kind of column": lambda d: spec(d).update(kind="fuzzy"),
    "unknown policy": lambda d: d.update(unseen="pray"),
    "policy is a list": lambda d: d.update(unseen=["stay"]),
    "names not sorted": lambda d: d.update(names=["z", "a"]),
    "name not in use": lambda d: d.update(names=["is pale", "never used"]),
    "no schema": lambda d: d.pop("schema") and None,
    "one key more": lambda d: d.update(extra=1),
    "recipe is a list": lambda d: d.update(recipe=[]),
    "228 deep": lambda d: "[" * 1_000_000 + "]" * 1_000_000,
    "228 nested 40 deep": lambda d: d.update(metadata=eval("[" * 40 + "]" * 40)),
    "228 key twice": lambda d: json.dumps(d, separators=(",", ":"))[:-1] + ',"unseen":"stay"}',
    "228 number of 10,000 digits": lambda d: '{"facts":{"n":' + "9" * 10_000 + "}}",
    "228 NaN literal": lambda d: '{"facts":{"n":NaN}}',
    "228 Infinity literal": lambda d: '{"facts":{"n":Infinity}}',
    "228 spaces": lambda d: json.dumps(d, sort_keys=True),
    "228 not JSON": lambda d: "hello",
    "231 a marked function": lambda d: d.update(recipe={"step": {"$": "function", "v": "os.system"}}),
    "231 a mark that is no text": lambda d: d.update(recipe={"step": {"$": ["date"], "v": "2024-01-01"}}),
    "231 a date that is none": lambda d: d.update(metadata={"when": {"$": "date", "v": "2024-02-31"}}),
}


@pytest.mark.parametrize("change", DESCRIPTIONS.values(), ids=DESCRIPTIONS)
def test_227_228_231_a_wrong_description_under_a_correct_hash_is_refused(change):
    with pytest.raises(ModelFileError):
        files.from_bytes(described(MIXED, change))


def test_230_another_kind_of_model_is_refused():
    with pytest.raises(ModelFileError, match="'thicket'"):
        files.from_bytes(repacked(MIXED, lambda a: None, {"hornbeam": "9", "kind": "thicket"}))


def test_232_names_that_look_like_paths_are_only_text(tmp_path):
    tree = stump("../../x")
    files.save(tree, tmp_path / "m.tree")
    assert files.load(tmp_path / "m.tree").schema.classes == ("../../x",)
    assert os.listdir(tmp_path) == ["m.tree"]


# 233 to 240: the file system


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
        "import sys; from tests.unit.tree.test_files import stump; from hornbeam.tree.file import files\n"
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
    files.save(stump(), tmp_path / "m.tree")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(200):
        files.load(tmp_path / "m.tree")
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == before


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
