"""The method that a grower runs: one part of each type, and how rows and classes count.

A method is checked once when it is created: parts given by name or as tables are looked up in their registries, and
parts without a common target are rejected with a message derived from what they declare. If `criterion` or `loss` is
None, it is chosen from the target:

    target   criterion       loss
    class    gini            zero_one
    number   squared_error   squared
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from typing import Any, Self

from hornbeam.errors import OptionError, Set, available, did_you_mean, short_repr
from hornbeam.growing.column_sampling import MaxFeatures, check_max_features
from hornbeam.growing.first_questions import check_first, plain_first
from hornbeam.growing.method_checks import check_choice, check_kinds, check_numbers
from hornbeam.growing.method_parts import (
    TARGETS,
    each_part,
    found_part,
    part_label,
    supported_targets,
    with_single_searches,
)
from hornbeam.options import Part, is_integer
from hornbeam.parts.criteria import Criterion, criteria
from hornbeam.parts.criteria.gini import Gini
from hornbeam.parts.criteria.squared_error import SquaredError
from hornbeam.parts.losses import Loss, losses
from hornbeam.parts.losses.squared import Squared
from hornbeam.parts.losses.zero_one import ZeroOne
from hornbeam.parts.missing import Missing, missing
from hornbeam.parts.missing.skip_column import SkipColumn
from hornbeam.parts.node import Limits
from hornbeam.parts.orders import Order, orders
from hornbeam.parts.orders.depth_first import DepthFirst
from hornbeam.parts.searches import Search, searches
from hornbeam.parts.searches.best_subset import BestSubset
from hornbeam.parts.searches.sorted_cuts import SortedCuts
from hornbeam.parts.stops import Stage, Stop, stops
from hornbeam.parts.stops.min_leaf import MinLeaf
from hornbeam.parts.stops.min_split import MinSplit
from hornbeam.parts.stops.pure import Pure
from hornbeam.registry import Registry
from hornbeam.table.column import Kind
from hornbeam.tree.nodes import UNSEEN_POLICIES
from hornbeam.tree.probabilities import Probabilities, probabilities
from hornbeam.tree.probabilities.frequencies import Frequencies

WEIGHTS = ("frequency", "importance")
_PLURALS = {"class": "classes", "number": "numbers"}
_KINDS = {"class": "classification", "number": "numeric"}


@dataclasses.dataclass(frozen=True)
class Method:
    """One part of each type, priors, class weights, column costs, and whether weights are counts or importances.

    priors            "data", "equal" or a probability per class
    class_weight      "balanced" or a factor per class
    column_costs      the scores of a column are divided by its cost
    split_penalty     penalties by kind of question: a question with penalty p must score more than 1 + p times the best
                      question without one ({"hyperplane": 0.05})
    weights           "frequency" (counts) or "importance"
    collapse          whether useless questions are removed after growth, as in C4.5
    max_features      the number of columns, sampled for each node, that compete there (`column_sampling.py`)
    competitors       the number of competing questions that each node stores
    unseen            where new rows with an unseen level go: "as_missing", "majority", "stay" or "error"
    probabilities     the estimate of class probabilities that predictions use (`tree/probabilities/`)
    allow_zero_gain   whether a node that is not pure may use a question of gain 0, as in scikit-learn
                      (`zero_gain_is_allowed`)
    first_question    the user's questions for the root and below it (`first_questions.py`)
    """

    criterion: Criterion | None = None
    searches: tuple[Search, ...] = (SortedCuts(), BestSubset())
    missing: Missing = SkipColumn()  # noqa: RUF009 - frozen
    stops: tuple[Stop, ...] = (Pure(), MinSplit(), MinLeaf())
    order: Order = DepthFirst()  # noqa: RUF009 - frozen
    loss: Loss | None = None
    priors: str | Mapping[str, float] = "data"
    class_weight: str | Mapping[str, float] | None = None
    column_costs: Mapping[str, float] | None = None
    split_penalty: Mapping[str, float] | None = None
    weights: str = "frequency"
    collapse: bool = False
    max_features: MaxFeatures = None
    competitors: int = 0
    unseen: str = "as_missing"
    allow_zero_gain: bool = False
    first_question: Mapping[str, Any] | None = None
    probabilities: Probabilities = Frequencies()  # noqa: RUF009 - frozen

    def __post_init__(self) -> None:
        found: dict[str, Any] = {
            "criterion": found_part(criteria, self.criterion),
            "loss": found_part(losses, self.loss),
            "missing": missing.part(self.missing),
            "order": orders.part(self.order),
            "probabilities": probabilities.part(self.probabilities),
            "searches": each_part(searches, self.searches),
            "stops": each_part(stops, self.stops),
        }
        found["searches"] = with_single_searches(found["searches"])
        for name, part in found.items():
            object.__setattr__(self, name, part)
        check_choice("priors", self.priors, ("data", "equal"))
        check_choice("class_weight", self.class_weight, ("balanced",), none=True)
        check_choice("weights", self.weights, WEIGHTS)
        check_choice("unseen", self.unseen, UNSEEN_POLICIES)
        check_numbers("priors", self.priors)
        check_numbers("class_weight", self.class_weight)
        check_numbers("column_costs", self.column_costs, above=True)
        check_numbers("split_penalty", self.split_penalty)
        check_kinds(self.split_penalty)
        check_max_features(self.max_features)
        if self.first_question is not None:
            check_first(self.first_question)
        if not is_integer(self.competitors) or self.competitors < 0:
            raise OptionError(
                f"competitors must be an integer of 0 or more, got {short_repr(self.competitors)}.",
                option="competitors",
            )
        if not isinstance(self.allow_zero_gain, bool):
            raise OptionError(
                f"allow_zero_gain must be true or false, got {short_repr(self.allow_zero_gain)}.",
                option="allow_zero_gain",
            )
        if not self.searches:
            raise OptionError("searches must contain at least one search, got none.", option="searches")
        self.targets()
        self._check_branches()
        self.missing.check(self.criterion, self.searches)

    def _check_branches(self) -> None:
        many = [search.name for search in self.searches if search.is_multiway]
        if self.criterion is not None and self.criterion.two_branches and many:
            raise OptionError(
                f"Criterion {self.criterion.name!r} requires searches of two branches, but {many[0]!r} makes more.",
                fix=[Set("criterion", name) for name in ("gini", "entropy", "gain_ratio")],
                hint="or use searches with two branches.",
            )

    def parts(self) -> list[Part]:
        """All parts, in the order of the fields."""
        one_each = (self.missing, *self.stops, self.order, self.loss, self.probabilities)
        return [part for part in (self.criterion, *self.searches, *one_each) if part]

    @functools.cached_property
    def kinds(self) -> frozenset[Kind]:
        """The kinds of columns that some search supports."""
        return frozenset(kind for search in self.searches for kind in search.kinds)

    # Many trees are grown by one method.
    @functools.cached_property
    def parts_in_core(self) -> dict[str, Any]:
        """The parts as the compiled core receives them, without the loss."""
        assert self.criterion is not None
        return {
            "criterion": self.criterion.in_core(),
            "searches": [search.in_core() for search in self.searches],
            "missing": self.missing.in_core(),
            "stops": [stop.in_core() for stop in self.stops],
            "order": self.order.in_core(),
        }

    def targets(self) -> tuple[str, ...]:
        """The targets that all parts support; an error if there are none."""
        return self._targets

    # Computed once per method, as every growth needs it.
    @functools.cached_property
    def _targets(self) -> tuple[str, ...]:
        left = list(TARGETS)
        first: Part | None = None
        for part in self.parts():
            supported = supported_targets(part)
            if not any(target in supported for target in left):
                assert first is not None
                raise OptionError(
                    f"{first.name!r} and {part.name!r} cannot be combined: {first.name!r} supports "
                    f"{_plural(supported_targets(first))}, {part.name!r} supports {_plural(supported)}.",
                    hint=f"Use another {part.part_type}.",
                )
            if any(target not in supported for target in left):
                first = part
            left = [target for target in left if target in supported]
        return tuple(left)

    def check_target(self, target: str, fix: Sequence[Set] = ()) -> None:
        """Raise an error unless all parts support a target; `fix` is the remedy."""
        if target not in self.targets():
            wrong = next(part for part in self.parts() if target not in supported_targets(part))
            registry: Registry[Any] = _REGISTRIES[wrong.part_type]
            others = [kind.name for kind in registry if target in getattr(kind, "supports", TARGETS)]
            raise OptionError(
                f"{part_label(wrong)} requires a {_KINDS[supported_targets(wrong)[0]]} target, but the target is "
                f"{'numeric' if target == 'number' else 'categorical'}.",
                fix=fix,
                hint=available(others),
                option=wrong.part_type,
                got=wrong.name,
            )

    def for_target(self, target: str, fix: Sequence[Set] = ()) -> Self:
        """The same method with the default criterion and loss of a target in place of None.

        `fix` is the remedy of the error that a part does not support the target.
        """
        self.check_target(target, fix)
        if self.criterion is not None and self.loss is not None:
            return self
        if target not in self._filled:
            is_class = target == "class"
            self._filled[target] = dataclasses.replace(
                self,
                criterion=self.criterion or (Gini() if is_class else SquaredError()),
                loss=self.loss or (ZeroOne() if is_class else Squared()),
            )
        return self._filled[target]

    # Many trees are grown by one method, and checking all its parts again costs more than a small tree.
    @functools.cached_property
    def _filled(self) -> dict[str, Self]:
        return {}

    def with_changes(self, *, without: Sequence[str] = (), **changes: Any) -> Self:
        """The same with some fields changed; stops are merged by name, those named in `without` are dropped."""
        known = [field.name for field in dataclasses.fields(self)]
        for name in changes:
            if name not in known:
                raise OptionError(
                    f"Unknown field {short_repr(name)} of a {type(self).__name__.lower()}.",
                    hint=did_you_mean(name, known),
                    option=name,
                )
        kept = {stop.name: stop for stop in self.stops}
        for name in without:
            if name not in kept:
                raise OptionError(
                    f"Cannot drop the stop {short_repr(name)}: the {type(self).__name__.lower()} does not have it.",
                    hint=did_you_mean(name, kept),
                )
            del kept[name]
        kept.update({stop.name: stop for stop in each_part(stops, changes.get("stops", ()))})
        return dataclasses.replace(self, **{**changes, "stops": tuple(kept.values())})

    @functools.cached_property
    def limits(self) -> Limits:
        """The minimum size of a branch."""
        return next((stop.limits for stop in self.stops if isinstance(stop, MinLeaf)), Limits())

    @functools.cached_property
    def zero_gain_is_allowed(self) -> bool:
        """Whether a question of gain 0 may be used: `allow_zero_gain`, unless a part requires a gain.

        Pure nodes must be leaves: all their questions have gain 0.
        """
        must_gain = any(part.must_gain for part in (self.criterion, *self.searches) if part is not None)
        return self.allow_zero_gain and not must_gain and any(isinstance(stop, Pure) for stop in self.stops)

    def stops_at(self, stage: Stage) -> list[Stop]:
        """The stops that apply at a stage, in the order of definition 5.2."""
        return sorted((stop for stop in self.stops if stop.stage is stage), key=lambda stop: stop.rank)

    def as_table(self) -> dict[str, Any]:
        """The method as plain values for TOML and model files: parts as tables, defaults omitted."""
        return dict(self._as_table)

    @functools.cached_property
    def _as_table(self) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for field in dataclasses.fields(Method):
            value = getattr(self, field.name)
            if isinstance(value, Frequencies):
                continue
            elif isinstance(value, Part):
                out[field.name] = value.as_table()
            elif field.name == "first_question":
                out |= {field.name: plain_first(value)} if value is not None else {}
            elif field.name in ("searches", "stops"):
                out[field.name] = [part.as_table() for part in value]
            elif value != field.default:
                out[field.name] = dict(value) if isinstance(value, Mapping) else value
        return out


_REGISTRIES: dict[str, Any] = {
    registry.part_type: registry for registry in (criteria, searches, missing, stops, orders, losses, probabilities)
}


def _plural(targets: Sequence[str]) -> str:
    return " and ".join(_PLURALS[target] for target in targets)
