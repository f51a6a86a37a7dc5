"""Notes: strings with a code that programs can test."""

import copy
import json
import pickle

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.table.notes import Note, NoteCode, has_note, missing_texts_note, skipped_rows_note


def test_a_note_is_a_string_with_a_code():
    note = Note("dates", NoteCode.DAYS)
    assert note == "dates"
    assert json.dumps([note]) == '["dates"]'
    for copied in (copy.deepcopy(note), pickle.loads(pickle.dumps(note))):
        assert (copied, copied.code) == ("dates", NoteCode.DAYS)


def test_a_note_is_found_by_its_code_and_not_by_its_text():
    notes = ("skipped bad rows: 3", Note("anything", NoteCode.ROUNDED))
    assert has_note(notes, NoteCode.ROUNDED)
    assert not has_note(notes, NoteCode.SKIPPED_ROWS)


def test_there_is_no_note_about_nothing():
    assert missing_texts_note([("NA", 0)]) == ()
    assert skipped_rows_note([]) == ()
    assert missing_texts_note([("NA", 2), ("?", 1)]) == ("read as missing: 2 x 'NA', 1 x '?'",)


def test_skipped_rows_are_noted(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("a,b\n1,2\n3\n4,5\n", encoding="utf-8")
    table = hb.read(path, bad_rows="skip")
    assert has_note(table.notes, NoteCode.SKIPPED_ROWS)
    assert table.notes[-1] == "skipped bad rows: 1 (lines 3)"


@pytest.mark.parametrize(
    ("values", "code"),
    [
        (["2020-01-31", "2020-02-01"], NoteCode.LOOKS_LIKE_DATES),
        (np.array(["2020-01-31", "2020-02-01"], dtype="datetime64[D]"), NoteCode.DAYS),
        ([2**53 + 1, 1], NoteCode.KEPT_INTEGERS),
    ],
)
def test_columns_have_notes_with_codes(values, code):
    assert has_note(hb.read({"a": values})["a"].notes, code)


def test_integers_that_would_be_rounded_are_a_warning():
    with pytest.warns(hb.errors.HornbeamWarning, match="too large for float64"):
        hb.table.table_from_arrays({"a": [2**53 + 1, 1]})
