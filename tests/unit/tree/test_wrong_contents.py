"""Battery A6, items 216 to 232: wrong contents of a model file under a correct hash are rejected by position."""

import json
import os

import numpy as np
import pytest
from tests.unit.tree.damaged_files import MIXED, described, repacked, stump
from tests.unit.tree.example_trees import mixed_tree

from hornbeam.errors import ModelFileError
from hornbeam.tree.file import files


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
