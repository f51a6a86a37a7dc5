"""How does a table become boosted trees?  Each tree is fitted to the gradients that those before it left over.

    boost(table, rounds=300, rate=0.05, leaves=31)
    boost(table, loss="poisson", held_out=0.1, patience=10)            stops when the rows left out gain no more
    boost(table, rounds=500, after=forest)                             goes on from 300 rounds to 500

Columns become at most 255 bins once; every tree is grown on them in the core (native/boosting), which keeps the scores
and computes the gradients too. All sums are whole numbers, so the same data and settings give the same trees on any
number of threads. Definitions 10.5, 7.6 and 12.6.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.ensembles.boosted_trees import trees_of
from hornbeam.ensembles.boosting_plan import plan_of
from hornbeam.ensembles.gradients import LINKS, LOSSES
from hornbeam.ensembles.methods.base import EnsembleMethod
from hornbeam.ensembles.progress import report_memory
from hornbeam.ensembles.reference_booster import ReferenceBooster
from hornbeam.errors import InputError, OptionError, short_repr
from hornbeam.growing.method import Method
from hornbeam.growing.sample import PreparedData, prepare, tree_metadata
from hornbeam.options import option
from hornbeam.parts.node import Sample
from hornbeam.seeds import Purpose, Stream
from hornbeam.table.memory import require_memory
from hornbeam.table.table import Table
from hornbeam.tree.forest import Forest

ENGINES = ("core", "python")
# Called with the number of rounds done so far, now and then, and after the last.
Progress = Callable[[int], Any]
_MOST_CODES = 65_535
_TOLD_EVERY = 10


@dataclasses.dataclass(frozen=True)
class Boosting(EnsembleMethod):
    """Second-order gradient boosting."""

    name: ClassVar[str] = "boosting"
    grows_by_recipe: ClassVar[bool] = False
    loss: str | None = option(None, "what is lowered; none: by the target", choices=(*LOSSES,))
    quantile: float = option(0.5, "the quantile that the loss quantile aims at", above=0.0, below=1.0)
    rounds: int = option(100, "how many trees are added an output", at_least=1)
    rate: float = option(0.1, "the share of a tree's answer that is added", above=0.0, at_most=1.0)
    depth: int | None = option(None, "the longest path from the root", at_least=1, at_most=1_000_000)
    leaves: int | None = option(31, "the most leaves of a tree", at_least=2)
    order: str = option("best_first", "which node is split next", choices=("best_first", "level_wise"))
    min_rows: int | None = option(
        None,
        "the fewest rows of a leaf; if None, 10 for the losses squared, logistic and softmax, 20 for others; "
        "a leaf of softmax needs 20 of its node's rows counted by second derivatives too",
        at_least=1,
    )
    min_hessian: float = option(1e-3, "the least sum of second derivatives in a leaf", at_least=0.0)
    l1: float = option(0.0, "how much a leaf's gradient is pulled towards 0", at_least=0.0)
    l2: float | None = option(
        None,
        "added to the second derivative of a leaf; "
        "if None, 4 for the losses squared and logistic, 2 / K for softmax of K classes, 0 for others",
        at_least=0.0,
    )
    categorical_l2: float | None = option(
        None,
        "added to l2 in the children of a split on the levels of a column with more than four; "
        "if None, 10 for numbers and two classes, 0 for more classes",
        at_least=0.0,
    )
    categorical_smoothing: float = option(
        0.0, "added to the second derivative of a level before levels are sorted", at_least=0.0
    )
    gamma: float = option(0.0, "the least that a split must lower the loss", at_least=0.0)
    min_f: float | None = option(
        None,
        "a split whose two leaves differ by less than this F statistic of their gradients is removed; 0 removes none; "
        "if None, 5 for the losses logistic and softmax, 0 for others",
        at_least=0.0,
    )
    bins: int = option(255, "the most bins of a column", at_least=2, at_most=_MOST_CODES)
    rows_per_tree: float = option(1.0, "the share of rows drawn for a round", above=0.0, at_most=1.0)
    columns_per_tree: float = option(1.0, "the share of columns drawn for a tree", above=0.0, at_most=1.0)
    columns_per_node: float | None = option(
        None,
        "the fraction of a tree's columns sampled at a node; if None, half of them, but at least five",
        above=0.0,
        at_most=1.0,
    )
    held_out: float | None = option(None, "the share of rows left out to judge by", above=0.0, below=1.0)
    patience: int = option(10, "how many rounds may pass without the rows left out gaining", at_least=1)
    least: float = option(1e-7, "what counts as a gain of the rows left out", at_least=0.0)
    stop_by_training: bool = option(False, "whether growth stops when the training loss no longer falls")
    monotone: Mapping[str, int] | None = option(None, "by column: 1 if answers may only rise with it, -1 fall")
    together: tuple[Any, ...] | None = option(None, "groups of columns; a path asks columns of one group only")


def boost(
    table: Table,
    boosting: Boosting | None = None,
    *,
    seed: int = 0,
    threads: int | None = None,
    judge: Table | None = None,
    progress: Progress | None = None,
    after: Forest | None = None,
    engine: str = "core",
    watch: bool = False,
    **settings: Any,
) -> Forest:
    """Boosted trees of a table; `settings` are those of `Boosting`, or changes of the one given.

    `judge` is a table of rows to stop by, instead of a share held out; `after` is a forest of the same settings to go
    on from; `watch` keeps the training loss of every round in the facts; `progress(n)` is told the rounds done.
    """
    if engine not in ENGINES:
        raise OptionError(f"engine must be one of {', '.join(ENGINES)}; got {short_repr(engine)}.", option="engine")
    chosen = (boosting or Boosting()).replace(**settings)
    start = prepare(table, Method(), seed=seed)
    _check(start, chosen, after)
    rows, judging = _parts(start, chosen, judge, seed)
    if chosen.stop_by_training and judging is not None:
        raise OptionError(
            "Growth stops by the training loss or by rows held out, not by both.", option="stop_by_training"
        )
    plan = plan_of(rows, judging, chosen, after, seed, threads, watch)
    first = plan["first_round"]
    report_memory(progress, boosting_bytes(rows, plan["outputs"]))
    booster = _booster(plan, rows, judging, engine)
    made = _run(booster, chosen.rounds - first, progress, first)
    return _forest(start, chosen, after, made, plan, list(booster.base))


def _booster(plan: dict[str, Any], rows: Sample, judging: Sample | None, engine: str) -> Any:
    if engine == "python":
        return ReferenceBooster(plan, rows, judging)
    from hornbeam import _native

    require_memory(boosting_bytes(rows, plan["outputs"]), "boosting these trees")
    return _native.Booster(plan)


def boosting_bytes(rows: Sample, outputs: int) -> int:
    """About what the rows take while trees are boosted."""
    return rows.n_rows * (4 * len(rows.columns) + 48 + 24 * outputs)


def _run(booster: Any, rounds: int, progress: Progress | None, first: int) -> list[dict[str, Any]]:
    """All rounds at once, or some at a time where somebody wants to be told."""
    if progress is None:
        return [booster.run(rounds)]
    made: list[dict[str, Any]] = []
    done = 0
    while done < rounds:
        made.append(booster.run(min(_TOLD_EVERY, rounds - done)))
        done += made[-1]["rounds"]
        progress(first + done)
        if made[-1]["has_stopped"]:
            break
    return made


def _forest(
    start: PreparedData,
    chosen: Boosting,
    after: Forest | None,
    made: list[dict[str, Any]],
    plan: Mapping[str, Any],
    base: list[float],
) -> Forest:
    outputs = plan["outputs"]
    held_out = np.concatenate([each["held_out_loss"] for each in made])
    training = np.concatenate([each["training_loss"] for each in made])
    trees = [tree for each in made for tree in trees_of(each, start.table.schema)]
    stopped_by = held_out if len(held_out) else training[: len(training) * chosen.stop_by_training]
    if len(stopped_by):
        trees = trees[: outputs * max(1, _best_round(stopped_by, chosen.least))]
    metadata = tree_metadata(start)
    if len(held_out):
        metadata["held_out_loss"] = held_out.tolist()
    if len(training):
        metadata["training_loss"] = training.tolist()
    trees = [*(after.trees if after is not None else ()), *trees]
    loss = LOSSES[plan["loss"]]
    return Forest(
        schema=start.table.schema,
        trees=tuple(trees),
        combine="sum",
        link=LINKS.get(loss, "identity"),
        base=np.array(base),
        output=np.arange(len(trees), dtype=np.int32) % outputs,
        recipe=chosen.as_table(),
        metadata=metadata,
    )


def _best_round(losses: npt.NDArray[np.float64], least: float) -> int:
    """The last round that gained."""
    best, at = np.inf, 0
    for place, loss in enumerate(losses.tolist()):
        if loss < best - least:
            best, at = loss, place + 1
    return at


# ---- what the core is told ---------------------------------------------------------------------------------------


def _check(start: PreparedData, chosen: Boosting, after: Forest | None) -> None:
    target = start.table.target
    assert target is not None
    is_class = start.sample.n_classes > 0
    if chosen.loss is not None and is_class != (chosen.loss in ("logistic", "softmax")):
        what = "a class" if is_class else "a number"
        raise OptionError(f"The target is {what}, and the loss {chosen.loss} is for others.", option="loss")
    if chosen.loss == "logistic" and start.sample.n_classes != 2:
        raise OptionError(f"The loss logistic needs two classes; there are {start.sample.n_classes}.", option="loss")
    if chosen.loss == "poisson" and not (start.sample.target >= 0).all():
        raise InputError("The loss poisson needs targets of 0 or more.", hint="Choose squared, or shift the target.")
    if chosen.loss == "poisson" and not start.sample.target.any():
        raise InputError("The loss poisson needs a target that is not 0 everywhere.")
    wide = [column for column in start.sample.columns if len(column.levels) > _MOST_CODES]
    if wide:
        raise InputError(
            f"Column {short_repr(wide[0].name)} has more than {_MOST_CODES} levels.", hint="Join rare levels."
        )
    if after is None:
        return
    if after.combine != "sum" or after.schema.columns != start.table.schema.columns:
        raise InputError("The forest to go on from was boosted on other columns.")
    if chosen.rounds < len(after) // len(after.base):
        raise OptionError(
            f"rounds must be at least the {len(after) // len(after.base)} of the forest to go on from; "
            f"got {chosen.rounds}.",
            option="rounds",
        )


def _parts(start: PreparedData, chosen: Boosting, judge: Table | None, seed: int) -> tuple[Sample, Sample | None]:
    """The rows to grow on, and those to judge by."""
    sample = start.sample
    if judge is not None:
        if judge.schema.columns != start.table.schema.columns or judge.target is None:
            raise InputError("The rows to judge by must have the columns and the target of the others.")
        return sample, prepare(judge, Method()).sample
    if chosen.held_out is None:
        return sample, None
    rows = held_out_rows(sample.target, sample.n_classes, chosen.held_out, seed)
    kept = np.ones(sample.n_rows, dtype=np.bool_)
    kept[rows] = False
    if not len(rows) or not kept.any():
        raise InputError(
            f"{sample.n_rows} rows are too few to hold out a share of {chosen.held_out:g}.", hint="Use held_out=None."
        )
    return _some(sample, np.flatnonzero(kept)), _some(sample, rows)


def held_out_rows(target: Any, n_classes: int, share: float, seed: int) -> npt.NDArray[np.int64]:
    """A share of the rows, of every class alike: drawn with purpose 7, node 1."""
    stream = Stream.of(seed, Purpose.SUBSAMPLE, 0, 1)
    pools = [np.flatnonzero(target == k) for k in range(n_classes)] if n_classes else [np.arange(len(target))]
    drawn = [pool[stream.shuffled(len(pool))[: round(share * len(pool))]] for pool in pools]
    found: npt.NDArray[np.int64] = np.sort(np.concatenate(drawn))
    return found


def _some(sample: Sample, rows: npt.NDArray[np.int64]) -> Sample:
    columns = tuple(dataclasses.replace(column, values=column.values[rows]) for column in sample.columns)
    return dataclasses.replace(
        sample, columns=columns, target=sample.target[rows], weights=sample.weights[rows], memo={}
    )
