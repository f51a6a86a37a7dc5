"""Growth of a tree from a table and a method.

The core grows it if all parts have kernels, else the reference implementation in Python. Only the latter records a
trace.
"""

from __future__ import annotations

from hornbeam.errors import OptionError, Set, short_repr
from hornbeam.growing import in_core, in_python
from hornbeam.growing.chi_square_afterwards import test_afterwards, without_test
from hornbeam.growing.core_job import without_kernel
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.growing.trace import Trace
from hornbeam.growing.without_target import add_single_class, drop_single_class
from hornbeam.options import thread_count
from hornbeam.table.table import Table, only_table
from hornbeam.tree.nodes import Tree

ENGINES = ("auto", "core", "python")


def grow(
    table: Table,
    method: Method,
    *,
    engine: str = "auto",
    trace: Trace | None = None,
    seed: int = 0,
    tree: int = 0,
    threads: int | None = None,
) -> Tree:
    """A tree for the target of the table, or from the columns alone if there is no target (`without_target.py`).

    `engine` is "auto" (the core if it has all kernels), "core" (an error names the part that has no kernel) or
    "python" (the reference implementation). `trace` records every candidate and every reason, and needs the reference
    implementation. `threads` is the number of threads; None uses all that are available.
    """
    if engine not in ENGINES:
        raise OptionError(f"engine must be one of {', '.join(ENGINES)}, got {short_repr(engine)}.", option="engine")
    thread_count(threads)
    table = only_table(table, "Growing")
    if table.target is None:
        if trace is not None:
            raise OptionError("trace requires a table with a target.", option="trace")
        one_class, bare = add_single_class(table, method)
        grown = grow(one_class, bare, engine=engine, seed=seed, tree=tree, threads=threads)
        return drop_single_class(grown, method)
    start = prepare(table, method, seed=seed, tree=tree)
    if engine != "python" and trace is None:
        reduced = without_test(start)
        if reduced is not None and not without_kernel(reduced[0]):
            return test_afterwards(in_core.grow(reduced[0], threads=thread_count(threads)), start, reduced[1])
    lacking = without_kernel(start) if engine != "python" else ""
    if engine == "core" and lacking:
        raise OptionError(
            f"The core has no kernel for {lacking}.", fix=(Set("engine", "auto"), Set("engine", "python"))
        )
    if engine == "python" or lacking or trace is not None:
        return in_python.grow_prepared(start, trace, use_core_search=engine != "python")
    return in_core.grow(start, threads=thread_count(threads))
