"""Prepared tables in processes of their own: memory of a growth, and a forked process that continues one."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.table.column import nominal, numeric
from hornbeam.tree.file.files import to_bytes

N_ROWS, N_COLUMNS = 200_000, 10

_GROWTH = f"""
    import sys
    import numpy as np
    import hornbeam as hb
    from hornbeam.table.column import nominal, numeric

    def resident(field):
        lines = open("/proc/self/status", encoding="ascii").read().splitlines()
        return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(field))

    rng = np.random.default_rng(0)
    columns = tuple(numeric(f"x{{i}}", rng.normal(size={N_ROWS})) for i in range({N_COLUMNS}))
    table = hb.Table(columns, nominal("y", rng.integers(0, 2, {N_ROWS}), ("no", "yes")))
    shallow = hb.recipe("plain").with_changes(stops=[hb.stops.MaxDepth(2)])
    hb.grow(table.take(np.arange(1000)), shallow, threads=1)
    rows = None
    if "prepared" in sys.argv:
        table = hb.prepare(table)
    if "fold" in sys.argv:
        rows = np.flatnonzero(np.arange({N_ROWS}) % 10)
    before = resident("VmRSS")
    hb.grow(table, shallow, rows=rows, threads=1)
    print((resident("VmHWM") - before) / {N_ROWS * N_COLUMNS})
"""


def bytes_per_value(*arguments):
    """The peak memory of a growth on top of the table, in a process of its own."""
    script = textwrap.dedent(_GROWTH)
    ran = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True)
    return float(ran.stdout)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_growth_has_one_list_per_column_and_a_prepared_table_adds_half_of_it():
    plain, prepared = bytes_per_value(), bytes_per_value("prepared")
    # Eight bytes per value in the lists of the growth; rows, target and buffers are the rest. Two lists would be 16.
    assert 8 <= plain < 15
    assert prepared < plain + 5.5


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_rows_of_a_prepared_table_are_not_copied_before_a_growth():
    # A table of the rows has copies of the values, 7.2 bytes each, where a prepared table has 4 bytes of ranks; with
    # copies of the values as well it would have 7 bytes more.
    assert bytes_per_value("prepared", "fold") < bytes_per_value("fold") + 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("is_ranked", [False, True])
def test_a_forked_process_grows_on_a_prepared_table(is_ranked):
    rng = np.random.default_rng(0)
    columns = tuple(numeric(f"x{i}", rng.normal(size=20_000)) for i in range(8))
    prepared = hb.prepare(hb.Table(columns, nominal("y", rng.integers(0, 2, 20_000), ("no", "yes"))))
    found = hb.recipe("plain").with_changes(stops=[hb.stops.MaxDepth(3)])
    expected = to_bytes(hb.grow(prepared, found)) if is_ranked else None
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receive)
        with os.fdopen(send, "wb") as out:
            out.write(to_bytes(hb.grow(prepared, found, threads=2)))
        os._exit(0)
    os.close(send)
    with os.fdopen(receive, "rb") as given:
        grown = given.read()
    assert os.waitpid(child, 0)[1] == 0
    assert grown == (expected or to_bytes(hb.grow(prepared, found)))
