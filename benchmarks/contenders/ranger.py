"""ranger (R): forests and extra trees in an R process that the worker starts; `ranger.R` is its program.

Data are sent to R as doubles before the timing starts, and R itself times ranger() alone: neither the start of R nor
the transfer between the processes is measured. R ends when its input ends.
"""

import subprocess
from pathlib import Path

import numpy as np

from benchmarks.contenders.base import Contender


class RangerForest(Contender):
    """The same number of sampled columns per node as scikit-learn; votes, which equal probabilities for pure leaves."""

    name, library, language = "ranger", "ranger", "R"
    families, acts = frozenset({"forest"}), frozenset({"fit"})
    note = "ranger: a sampled column that is constant at a node is not replaced by another, so some branches end early"
    is_extra = False

    def __init__(self, data, task, threads):
        super().__init__(data, task, threads)
        width = data.X.shape[1]
        columns = max(1, int(width**0.5)) if self.is_class else width
        arguments = (self.trees, self.depth or 0, threads, int(self.is_class), columns, int(self.is_extra))
        command = ["Rscript", "--vanilla", str(Path(__file__).with_suffix(".R")), *map(str, arguments)]
        self.r = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.process = self.r.pid
        self.line()  # wait until R has started, so that its start does not slow down other libraries

    def close(self):
        with self.r:  # no more input: R ends
            pass

    def inputs(self):
        (rows, width), held_out = self.data.X.shape, len(self.data.Xt)
        self.send(f"read {rows} {width} {held_out}")
        for part in (self.data.X.T, self.data.y, self.data.Xt.T):
            self.r.stdin.write(np.ascontiguousarray(part, dtype=np.float64))
        self.line()

    def send(self, command):
        self.r.stdin.write(f"{command}\n".encode())
        self.r.stdin.flush()

    def line(self):
        """The next line of R; without one R has died, and its error message is in the log."""
        self.r.stdin.flush()
        line = self.r.stdout.readline()
        if not line:
            raise RuntimeError("R ended without a reply; its output is in race.log")
        return line.decode().strip()

    def fit(self):
        self.send("fit")
        self.counted = float(self.line())

    def predict(self):
        self.send("predict")
        return np.frombuffer(self.r.stdout.read(8 * len(self.data.Xt)), dtype=np.float64)

    def nodes(self):
        self.send("nodes")
        return int(self.line())


class RangerExtraTrees(RangerForest):
    """One random cut per sampled column; all rows, once each."""

    name, families, is_extra = "ranger extra trees", frozenset({"extra_trees"}), True


CONTENDERS = (RangerForest, RangerExtraTrees)
