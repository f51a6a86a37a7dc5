"""Second-order gradient boosting: each tree is fitted to the gradients of the loss that the trees before it leave.

    boost(table, n_rounds=300, learning_rate=0.05, max_leaves=31)
    boost(table, loss="poisson", validation_fraction=0.1)      stops when the validation loss no longer falls
    boost(table, n_rounds=500, continue_from=forest)           continues from 300 rounds to 500

Columns are binned once (at most 255 bins by default); every tree is grown on the bins in the core (native/boosting),
which also stores the scores and computes the gradients. All sums are integers, so the same data and settings give the
same trees on any number of threads. Definitions 10.5, 7.6 and 12.6.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hornbeam.ensembles.boosting.early_stopping import improves
from hornbeam.ensembles.boosting.gradients import LINKS, LOSSES
from hornbeam.ensembles.boosting.plan import boosting_plan
from hornbeam.ensembles.boosting.reference_booster import ReferenceBooster
from hornbeam.ensembles.boosting.rows import MAX_LEVELS, check_boosting, split_rows
from hornbeam.ensembles.boosting.trees import booster_trees
from hornbeam.ensembles.methods.base import EnsembleMethod, EnsembleRun
from hornbeam.ensembles.progress import Progress, report_memory
from hornbeam.errors import OptionError, short_repr
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare, tree_metadata
from hornbeam.options import option
from hornbeam.parts.node import Sample
from hornbeam.table.divide import divide
from hornbeam.table.memory import require_memory
from hornbeam.table.table import Schema, Table, only_table
from hornbeam.tree.forest import Forest
from hornbeam.tree.nodes import Tree
from hornbeam.tree.training_rows import with_training_rows

ENGINES = ("core", "python")
_ROUNDS_PER_REPORT = 10


@dataclasses.dataclass(frozen=True)
class Boosting(EnsembleMethod):
    """Second-order gradient boosting."""

    name: ClassVar[str] = "boosting"
    uses_recipe: ClassVar[bool] = False
    loss: str | None = option(None, "loss to minimize; if None, chosen from the target type", choices=(*LOSSES,))
    quantile: float = option(0.5, "the quantile that the loss quantile estimates", above=0.0, below=1.0)
    n_rounds: int = option(100, "number of rounds; each adds one tree per output", at_least=1)
    learning_rate: float = option(0.1, "factor of every tree's prediction", above=0.0)
    max_depth: int | None = option(None, "maximum depth of a tree", at_least=1, at_most=1_000_000)
    max_leaves: int | None = option(31, "maximum number of leaves of a tree", at_least=2)
    order: str = option("best_first", "the node that is split next", choices=("best_first", "level_wise"))
    min_rows: int | None = option(
        None,
        "minimum number of rows of a leaf; if None, 10 for the losses squared, logistic and softmax, 20 for others; "
        "a leaf of softmax also requires 20 of its node's rows counted by second derivatives",
        at_least=1,
    )
    min_hessian: float = option(1e-3, "minimum sum of second derivatives of a leaf", at_least=0.0)
    l1: float = option(0.0, "L1 regularization of leaf values", at_least=0.0)
    l2: float | None = option(
        None,
        "added to the second derivative of a leaf; "
        "if None, 4 for the loss squared, 2 / K for logistic and softmax of K classes, 0 for others; "
        "in joint trees at least 0.25 / K, which is also their default",
        at_least=0.0,
    )
    categorical_l2: float | None = option(
        None,
        "added to l2 in the children of a split on a column of more than four levels; "
        "if None, 10 for regression and two classes, 0 for more classes",
        at_least=0.0,
    )
    categorical_smoothing: float = option(
        0.0, "added to the second derivative of a level before levels are sorted", at_least=0.0
    )
    gamma: float = option(0.0, "minimum decrease of the loss per split", at_least=0.0)
    min_f: float | None = option(
        None,
        "a split whose two leaves differ by less than this F statistic of their gradients is removed; 0 removes none; "
        "if None, 2 + 2 ln m for the loss logistic, 2 + ln m for softmax (m: number of cuts tried), 0 for others",
        at_least=0.0,
    )
    joint_trees: bool = option(
        True,
        "whether two of three rounds of the loss softmax grow one tree with a value of every class per leaf; "
        "not with monotone_constraints",
    )
    bins: int = option(255, "maximum number of bins of a column", at_least=2, at_most=MAX_LEVELS)
    rows_per_tree: float = option(1.0, "fraction of the rows sampled per round", above=0.0, at_most=1.0)
    columns_per_tree: float = option(1.0, "fraction of the columns sampled per tree", above=0.0, at_most=1.0)
    columns_per_node: float | None = option(
        None,
        "fraction of a tree's columns sampled per node; if None, half of them, but at least five",
        above=0.0,
        at_most=1.0,
    )
    validation_fraction: float | None = option(
        None, "fraction of the rows held out for early stopping", above=0.0, below=1.0
    )
    early_stopping_rounds: int = option(10, "rounds without improvement before boosting stops", at_least=1)
    min_improvement: float = option(1e-7, "minimum decrease of the validation loss per round", at_least=0.0)
    stop_by_training: bool = option(False, "whether boosting stops when the training loss no longer falls")
    monotone_constraints: Mapping[str, int] | None = option(
        None, "per column: 1 if predictions may only increase with it, -1 if they may only decrease"
    )
    interaction_constraints: tuple[Any, ...] | None = option(
        None, "groups of columns; all columns of a path belong to one group"
    )

    def grow(self, table: Table, method: Method, run: EnsembleRun) -> Forest:
        """Boosted trees."""
        return boost(
            table,
            self,
            seed=run.seed,
            threads=run.threads,
            progress=run.progress,
            continue_from=run.continue_from,
            engine="python" if run.engine == "python" else "core",
        )

    @property
    def n_steps(self) -> int:
        """The number of rounds."""
        return self.n_rounds

    def memory_bytes(self, table: Table, method: Method, threads: int | None = None) -> int:
        """The estimated memory of the rows while trees are boosted."""
        sample = prepare(table, Method()).sample
        return boosting_bytes(sample.n_rows, len(sample.columns), sample.n_classes if sample.n_classes > 2 else 1)


def boost(
    table: Table,
    boosting: Boosting | None = None,
    *,
    seed: int = 0,
    threads: int | None = None,
    validation: Table | None = None,
    groups: Any = None,
    times: Any = None,
    progress: Progress | None = None,
    continue_from: Forest | None = None,
    engine: str = "core",
    record_loss: bool = False,
    **settings: Any,
) -> Forest:
    """Boosted trees of a table; `settings` are those of `Boosting`, or changes of the given one.

    `validation` is a table of rows for early stopping, instead of `validation_fraction`. `groups` and `times` are names
    of columns, or one value per row: the validation rows are whole groups, or the latest rows. `continue_from` is a
    forest of the same settings with fewer rounds. `record_loss` stores the training loss of each round in the metadata.
    `progress(n)` is called with the number of rounds done.
    """
    if engine not in ENGINES:
        raise OptionError(f"engine must be one of {', '.join(ENGINES)}, got {short_repr(engine)}.", option="engine")
    chosen = (boosting or Boosting()).replace(**settings)
    table = divide(only_table(table, "Boosting"), groups=groups, times=times)
    start = prepare(table, Method(), seed=seed)
    check_boosting(start, chosen, continue_from)
    rows, held_out = split_rows(start, chosen, validation, seed)
    if chosen.stop_by_training and held_out is not None:
        raise OptionError(
            "stop_by_training and validation rows cannot be combined: the stop has one criterion.",
            option="stop_by_training",
        )
    plan = boosting_plan(rows, held_out, chosen, continue_from, seed, threads, record_loss)
    first = plan["first_round"]
    report_memory(progress, boosting_bytes(rows.n_rows, len(rows.columns), plan["outputs"]))
    booster = _booster(plan, rows, held_out, engine)
    results = _run(booster, chosen.n_rounds - first, progress, first)
    earlier = () if continue_from is None else continue_from.trees
    forest = boosted_forest(start.table.schema, chosen, results, plan, list(booster.base), earlier)
    return with_training_rows(dataclasses.replace(forest, metadata={**tree_metadata(start), **forest.metadata}), table)


def _booster(plan: dict[str, Any], rows: Sample, held_out: Sample | None, engine: str) -> Any:
    if engine == "python":
        return ReferenceBooster(plan, rows, held_out)
    from hornbeam import _native

    require_memory(boosting_bytes(rows.n_rows, len(rows.columns), plan["outputs"]), "boosting these trees")
    return _native.Booster(plan)


def boosting_bytes(n_rows: int, n_columns: int, outputs: int) -> int:
    """The estimated memory of the rows while trees are boosted."""
    return n_rows * (4 * n_columns + 48 + 24 * outputs)


def _run(booster: Any, n_rounds: int, progress: Progress | None, first: int) -> list[dict[str, Any]]:
    """All rounds at once, or a few at a time if there is a progress callback."""
    if progress is None:
        return [booster.run(n_rounds)]
    results: list[dict[str, Any]] = []
    done = 0
    while done < n_rounds:
        results.append(booster.run(min(_ROUNDS_PER_REPORT, n_rounds - done)))
        done += results[-1]["rounds"]
        progress(first + done)
        if results[-1]["has_stopped"]:
            break
    return results


def boosted_forest(
    schema: Schema,
    chosen: Boosting,
    results: Sequence[Mapping[str, Any]],
    plan: Mapping[str, Any],
    base: list[float],
    earlier: Sequence[Tree] = (),
) -> Forest:
    """The forest of the results of boosters; early stopping keeps the rounds up to the best."""
    outputs = plan["outputs"]
    held_out = np.concatenate([each["held_out_loss"] for each in results])
    training = np.concatenate([each["training_loss"] for each in results])
    trees = [tree for each in results for tree in booster_trees(each, schema)]
    stopped_by = held_out if len(held_out) else training[: len(training) * chosen.stop_by_training]
    if len(stopped_by):
        trees = trees[: outputs * max(1, _best_round(stopped_by, chosen.min_improvement))]
    losses = {"held_out_loss": held_out.tolist(), "training_loss": training.tolist()}
    trees = [*earlier, *trees]
    return Forest(
        schema=schema,
        trees=tuple(trees),
        combine="sum",
        link=LINKS.get(LOSSES[plan["loss"]], "identity"),
        base=np.array(base),
        output=np.arange(len(trees), dtype=np.int32) % outputs,
        recipe=chosen.as_table(),
        metadata={name: values for name, values in losses.items() if values},
    )


def _best_round(losses: npt.NDArray[np.float64], min_improvement: float) -> int:
    """The number of rounds up to the last that improved the loss."""
    best, n_rounds = np.inf, 0
    for index, loss in enumerate(losses.tolist()):
        if improves(loss, best, min_improvement):
            best, n_rounds = loss, index + 1
    return n_rounds
