"""Descriptions of tables: kinds, reasons and the flags that change them."""

import json

from hornbeam.table import describe, read

TABLE = read(
    {"age": [61, None, 44], "stage": ["T1", "T2", "T3"], "alive": [True, False, None], "y": ["a", "b", "a"]}, "y"
)


def test_every_column_is_described_with_what_would_change_it():
    assert str(describe(TABLE)).splitlines() == [
        "3 rows, 4 columns, from dict of columns",
        "",
        "column      kind     values       missing  why                     to change it",
        "age         numeric  44 to 61     1        all values are numbers  kinds={'age': 'nominal'}",
        "stage       nominal  T1, T2, T3   0        text                    kinds={'stage': ['T1', 'T2', 'T3']}",
        "alive       nominal  False, True  1        true or false           kinds={'alive': 'ordinal'}",
        "y (target)  nominal  a, b         0        text                    kinds={'y': 'ordinal'}",
    ]


def test_a_description_can_be_written_as_json():
    columns = json.loads(json.dumps(describe(TABLE).as_dict()))["columns"]
    assert columns[0]["low"] == 44
    assert columns[1]["n_levels"] == 3


def test_control_characters_in_names_and_levels_are_escaped():
    text = str(describe(read({"a\x1b[31m": ["x\x07", "y"]})))
    assert "\x1b" not in text
    assert "\x07" not in text


def test_a_long_level_is_truncated():
    assert len(str(describe(read({"a": ["x" * 1000, "y"]})))) < 1000
