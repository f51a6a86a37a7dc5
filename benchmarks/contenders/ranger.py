"""ranger (R): forests and extra trees, in a process of R's own beside the worker; `ranger.R` is its other half.

Data go to R as doubles before the clock starts, and R itself times ranger() alone: neither starting R nor the way
between the two processes counts. R ends with its input.
"""

import subprocess
from pathlib import Path

import numpy as np

from benchmarks.contenders.base import Contender


class RangerForest(Contender):
    """As many columns drawn at a node as scikit-learn draws; classes by vote, the same as shares from pure leaves."""

    name, library, language = "ranger", "ranger", "R"
    families, acts = frozenset({"forest"}), frozenset({"fit"})
    note = "ranger: a drawn column that is constant in a node is not replaced by another, so some leaves come early"
    is_extra = False

    def __init__(self, data, task, threads):
        super().__init__(data, task, threads)
        width = data.X.shape[1]
        drawn = max(1, int(width**0.5)) if self.is_class else width
        told = (self.trees, self.depth or 0, threads, int(self.is_class), drawn, int(self.is_extra))
        command = ["Rscript", "--vanilla", str(Path(__file__).with_suffix(".R")), *map(str, told)]
        self.r = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.process = self.r.pid
        self.line()  # R has started: it takes a second or two, which nobody else's turn should share

    def close(self):
        with self.r:  # no more input: R ends
            pass

    def inputs(self):
        (rows, width), held_out = self.data.X.shape, len(self.data.Xt)
        self.send(f"read {rows} {width} {held_out}")
        for part in (self.data.X.T, self.data.y, self.data.Xt.T):
            self.r.stdin.write(np.ascontiguousarray(part, dtype=np.float64))
        self.line()

    def send(self, words):
        self.r.stdin.write(f"{words}\n".encode())
        self.r.stdin.flush()

    def line(self):
        """R's next line; without one R has died, and its own words are in the log."""
        self.r.stdin.flush()
        said = self.r.stdout.readline()
        if not said:
            raise RuntimeError("R ended before it answered; what it said is in race.log")
        return said.decode().strip()

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
    """One random cut a drawn column; all rows, once each."""

    name, families, is_extra = "ranger extra trees", frozenset({"extra_trees"}), True


CONTENDERS = (RangerForest, RangerExtraTrees)
