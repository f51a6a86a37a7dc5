"""Model files of every kind, kept in tests/data/models by version, load and predict the recorded bits."""

import json
import pathlib

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.tree.name_codes import KINDS

MODELS = pathlib.Path(__file__).parents[2] / "data" / "models"
VERSIONS = sorted(path.parent.name for path in MODELS.glob("*/predictions.json"))
FILES = [(version, path.stem) for version in VERSIONS for path in sorted((MODELS / version).glob("*.tree"))]
KEPT = {version: json.loads((MODELS / version / "predictions.json").read_text("utf-8")) for version in VERSIONS}


def inputs_of(model, rows):
    names = [column.name for column in model.schema.columns]
    if set(names) <= set(rows):
        return {name: rows[name] for name in names}
    return np.array([rows["x"], rows["z"]], dtype=float).T  # fitted on an array


@pytest.mark.filterwarnings("ignore:Values are missing more or less often")
@pytest.mark.parametrize(("version", "name"), FILES, ids=lambda text: text)
def test_a_kept_model_predicts_the_recorded_bits(version, name):
    model = hb.load(MODELS / version / f"{name}.tree")
    given = inputs_of(model, KEPT[version]["rows"])
    found = model.predict(given) if isinstance(model, hb.rules.RuleSet) else hb.predict(model, given)
    recorded = KEPT[version]["predictions"][name]
    expected = [recorded["values"][i] for i in recorded["index"]]
    assert [" ".join(value.hex() for value in row) for row in found.values.tolist()] == expected


@pytest.mark.parametrize("version", VERSIONS)
def test_every_recorded_model_is_there(version):
    assert {name for each, name in FILES if each == version} == set(KEPT[version]["predictions"])


def test_the_kept_trees_have_every_kind_of_question():
    used = set()
    for version, name in FILES:
        if name.startswith("tree-"):
            questions = hb.load(MODELS / version / f"{name}.tree").questions
            used |= {questions.kinds[kind] for kind in questions.kind}
    assert set(KINDS) <= used


def test_the_kept_trees_have_every_rule_for_missing_values():
    rules = {
        hb.load(MODELS / version / f"{name}.tree").recipe["missing"]["name"]
        for version, name in FILES
        if name.startswith(("tree-", "missing-"))
    }
    assert set(hb.missing.names()) <= rules


def test_the_kept_files_are_small():
    assert sum(path.stat().st_size for version in VERSIONS for path in (MODELS / version).iterdir()) < 300_000
