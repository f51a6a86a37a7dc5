"""`grow`, `boost` and `complexity_table` take a table, data in memory with a target, or files."""

from __future__ import annotations

import pytest

import hornbeam as hb
from hornbeam.errors import InputError, OptionError

ROWS = {"x": list(range(20)), "y": ["u"] * 8 + ["v"] * 12}


def saved(model, folder):
    hb.save(model, folder / "model")
    return (folder / "model").read_bytes()


def test_data_in_memory_is_read_with_the_target(tmp_path):
    table = hb.read(ROWS, target="y")
    assert saved(hb.grow(ROWS, "plain", target="y"), tmp_path) == saved(hb.grow(table, "plain"), tmp_path)
    assert saved(hb.boost(ROWS, target="y", n_rounds=3), tmp_path) == saved(hb.boost(table, n_rounds=3), tmp_path)
    assert repr(hb.complexity_table(ROWS, "cart", target="y", folds=0)) == repr(
        hb.complexity_table(table, "cart", folds=0)
    )


def test_a_data_frame_is_read_with_the_target(tmp_path):
    pd = pytest.importorskip("pandas")
    expected = saved(hb.grow(hb.read(ROWS, target="y"), "plain"), tmp_path)
    assert saved(hb.grow(pd.DataFrame(ROWS), "plain", target="y"), tmp_path) == expected


@pytest.mark.parametrize("call", [hb.grow, hb.boost, lambda rows: hb.complexity_table(rows, "cart")])
def test_data_without_a_target_are_an_error_that_names_it(call):
    with pytest.raises(InputError, match=r"requires a table, got a dict\. Pass target=.* make a table with"):
        call(ROWS)


def test_settings_that_do_not_fit_the_data_are_errors():
    with pytest.raises(OptionError, match="target requires files or a data frame, got a Table"):
        hb.grow(hb.read(ROWS, target="y"), target="y")
    with pytest.raises(OptionError, match="memory requires files, got a dict"):
        hb.grow(ROWS, target="y", memory="1GB")
    with pytest.raises(InputError, match="Unknown column 'z'"):
        hb.grow(ROWS, target="z")
