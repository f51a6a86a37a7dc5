"""`export`: the format is found by name or suffix, unsupported models are rejected before anything is written."""

from __future__ import annotations

import dataclasses
import io
import json
from typing import ClassVar

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import HornbeamWarning, InputError, OptionError, OutputError
from hornbeam.exporting import Format, formats
from hornbeam.exporting.features import Feature


@dataclasses.dataclass(frozen=True)
class Ends(Format):
    """Writes the number of trees; cannot express surrogates."""

    name: ClassVar[str] = "ends"
    suffixes: ClassVar[tuple[str, ...]] = (".ends",)
    cannot: ClassVar = {Feature.SURROGATES: "It has no surrogates."}

    def notes(self, model):
        return ["Only the number of trees is written."]

    def write(self, model):
        return f"{len(model.trees)}\n"


@pytest.fixture(scope="module")
def tree():
    return hb.grow(hb.datasets.load("penguins"), "cart")


def test_the_suffix_selects_the_format(tree, tmp_path):
    hb.export(tree, tmp_path / "m.JSON")
    assert json.loads((tmp_path / "m.JSON").read_text("utf-8"))["target"] == "species"


def test_without_a_path_the_contents_are_returned_and_a_stream_is_written_to(tree):
    text = hb.export(tree, format="json", indent=0)
    written, raw = io.StringIO(), io.BytesIO()
    hb.export(tree, written, format="json", indent=0)
    hb.export(tree, raw, format="json", indent=0)
    assert text == written.getvalue() == raw.getvalue().decode("utf-8")
    with pytest.raises(OutputError, match="a path or a stream"):
        hb.export(tree, 3, format="json")


def test_an_unknown_suffix_or_setting_is_an_error_that_lists_what_is_known(tree, tmp_path):
    with pytest.raises(OptionError, match=r"'\.jsn' selects no format"):
        hb.export(tree, tmp_path / "m.jsn")
    with pytest.raises(OptionError, match="No format is given"):
        hb.export(tree)
    with pytest.raises(OptionError, match="Unknown format 'jsno'"):
        hb.export(tree, format="jsno")
    with pytest.raises(OptionError, match="Unknown setting 'table'"):
        hb.export(tree, format="json", table="t")


def test_a_format_of_another_package_is_found_and_its_notes_are_warnings(tree, tmp_path):
    formats.refresh()
    with pytest.warns(HornbeamWarning, match="Only the number of trees"):
        hb.export(hb.grow(hb.datasets.load("iris"), "plain"), tmp_path / "m.ends")
    assert (tmp_path / "m.ends").read_text() == "1\n"


def test_what_a_format_cannot_express_is_an_error_before_anything_is_written(tree, tmp_path):
    with pytest.raises(InputError, match="The format ends cannot express this model: It has no surrogates"):
        hb.export(tree, tmp_path / "m.ends", format=Ends())
    assert not (tmp_path / "m.ends").exists()


@pytest.mark.parametrize("name", ["sql", "c", "java", "javascript", "python", "onnx", "pmml"])
def test_medians_of_trees_are_refused_where_trees_are_added(name):
    rows = np.random.default_rng(0).normal(size=(60, 2))
    model = hb.AdaBoostTreeRegressor(n_estimators=3).fit(rows, rows[:, 0])
    with pytest.raises(InputError, match="median"):
        hb.export(model, format=name)
    assert '"median"' in hb.export(model, format="json")
