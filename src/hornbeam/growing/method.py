"""What does a grower need to know?  One part of each sort, and how rows count.

A method is checked once when made: parts given by name or as tables are found on their shelves, and parts that suit
no common target are refused in words derived from what they declare. `criterion` and `loss` may be left out: then
they follow the target.

    target   criterion       loss
    class    gini            zero_one
    number   squared_error   squared
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from hornbeam.errors import OptionError, Set, available, did_you_mean, short_repr
from hornbeam.growing.column_sampling import MaxFeatures, check_max_features
from hornbeam.growing.first_questions import check_first, plain_first
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
from hornbeam.parts.searches.many_columns import ManyColumnSearch
from hornbeam.parts.searches.sorted_cuts import SortedCuts
from hornbeam.parts.stops import Stage, Stop, stops
from hornbeam.parts.stops.min_leaf import MinLeaf
from hornbeam.parts.stops.min_split import MinSplit
from hornbeam.parts.stops.pure import Pure
from hornbeam.registry import Registry
from hornbeam.table.column import Kind
from hornbeam.tree.nodes import UNSEEN_POLICIES
from hornbeam.tree.questions.base import KIND_NAMES

TARGETS = ("class", "number")
WEIGHTS = ("frequency", "importance")
# The kinds of questions that can have a price: as model files know them, and those that a user gave a name.
PRICED = (*KIND_NAMES, "named")
_IN_WORDS = {"class": "classes", "number": "numbers"}


@dataclasses.dataclass(frozen=True)
class Method:
    """One part of each sort, priors, class weights, column costs, and whether weights are counts or importances.

    `priors` is "data", "equal" or a share for every class; `class_weight` is "balanced" or a factor for classes;
    `column_costs` divide a column's scores; `price` does so by kind of question: all searches compete at a node, and a
    question of price p must score more than 1 + p times the best free one ({"hyperplane": 0.05}); `collapse` is C4.5's
    collapse of useless questions after growth; `max_features` says how many columns, drawn for each node, compete there
    (`drawn.py`); `competitors` how many of the questions that came next each node keeps; `unseen` what becomes of new
    rows whose level a node has never met: "as_missing", "majority", "stay" or "error"; `admits_zero` lets a node that
    is not pure ask a question of gain 0, as scikit-learn's trees do (`asks_without_gain`); `first_question` holds the
    questions at the root and below it that the user chooses (`first_questions.py`).
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
    price: Mapping[str, float] | None = None
    weights: str = "frequency"
    collapse: bool = False
    max_features: MaxFeatures = None
    competitors: int = 0
    unseen: str = "as_missing"
    admits_zero: bool = False
    first_question: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        found: dict[str, Any] = {
            "criterion": _found(criteria, self.criterion),
            "loss": _found(losses, self.loss),
            "missing": missing.part(self.missing),
            "order": orders.part(self.order),
            "searches": _each(searches, self.searches),
            "stops": _each(stops, self.stops),
        }
        found["searches"] = _with_single(found["searches"])
        for name, part in found.items():
            object.__setattr__(self, name, part)
        _check_words("priors", self.priors, ("data", "equal"))
        _check_words("class_weight", self.class_weight, ("balanced",), none=True)
        _check_words("weights", self.weights, WEIGHTS)
        _check_words("unseen", self.unseen, UNSEEN_POLICIES)
        _check_shares("priors", self.priors)
        _check_shares("class_weight", self.class_weight)
        _check_shares("column_costs", self.column_costs, above=True)
        _check_shares("price", self.price)
        _check_kinds(self.price)
        check_max_features(self.max_features)
        if self.first_question is not None:
            check_first(self.first_question)
        if not is_integer(self.competitors) or self.competitors < 0:
            raise OptionError(
                f"competitors must be a whole number of 0 or more; got {short_repr(self.competitors)}.",
                option="competitors",
            )
        if not isinstance(self.admits_zero, bool):
            raise OptionError(
                f"admits_zero must be true or false; got {short_repr(self.admits_zero)}.", option="admits_zero"
            )
        if not self.searches:
            raise OptionError("A method needs at least one search; got none.", option="searches")
        self.targets()
        self._check_branches()
        self.missing.check(self.criterion, self.searches)

    def _check_branches(self) -> None:
        many = [search.name for search in self.searches if search.is_multiway]
        if self.criterion is not None and self.criterion.two_branches and many:
            raise OptionError(
                f"{self.criterion.name} compares two branches, and {many[0]} makes as many as there are answers.",
                fix=[Set("criterion", name) for name in ("gini", "entropy", "gain_ratio")],
                hint="or use searches with two branches.",
            )

    def parts(self) -> list[Part]:
        """All parts, in the order of the fields."""
        return [
            part for part in (self.criterion, *self.searches, self.missing, *self.stops, self.order, self.loss) if part
        ]

    def targets(self) -> tuple[str, ...]:
        """The targets that all parts serve; an error if there are none."""
        return self._targets

    # Found once a method, as every growth asks for it again.
    @functools.cached_property
    def _targets(self) -> tuple[str, ...]:
        left = list(TARGETS)
        first: Part | None = None
        for part in self.parts():
            serves = supported_targets(part)
            if not any(target in serves for target in left):
                assert first is not None
                raise OptionError(
                    f"{first.name} and {part.name} do not suit each other: "
                    f"{first.name} serves {_words(supported_targets(first))}, {part.name} serves {_words(serves)}.",
                    hint=f"Use another {part.part_type}.",
                )
            if any(target not in serves for target in left):
                first = part
            left = [target for target in left if target in serves]
        return tuple(left)

    def check_target(self, target: str) -> None:
        """Raise, in words, unless all parts serve a target."""
        if target not in self.targets():
            wrong = next(part for part in self.parts() if target not in supported_targets(part))
            shelf: Registry[Any] = _SHELVES[wrong.part_type]
            others = [kind.name for kind in shelf if target in getattr(kind, "supports", TARGETS)]
            raise OptionError(
                f"The target is a {target}, and the {wrong.part_type} {wrong.name} serves {_words(supported_targets(wrong))} only.",
                hint=available(others),
                option=wrong.part_type,
                got=wrong.name,
            )

    def for_target(self, target: str) -> Self:
        """The same method with criterion and loss filled in for a target."""
        self.check_target(target)
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

    # Many trees are grown by one method, and checking all its parts anew costs more than a small tree.
    @functools.cached_property
    def _filled(self) -> dict[str, Self]:
        return {}

    def with_changes(self, *, without: Sequence[str] = (), **changes: Any) -> Self:
        """The same with some fields changed; stops are merged by name, those named in `without` are dropped."""
        known = [field.name for field in dataclasses.fields(self)]
        for name in changes:
            if name not in known:
                raise OptionError(
                    f"A {type(self).__name__.lower()} has no {short_repr(name)}.",
                    hint=did_you_mean(name, known),
                    option=name,
                )
        kept = {stop.name: stop for stop in self.stops}
        for name in without:
            if name not in kept:
                raise OptionError(
                    f"There is no stop {short_repr(name)} here to leave out.", hint=did_you_mean(name, kept)
                )
            del kept[name]
        kept.update({stop.name: stop for stop in _each(stops, changes.get("stops", ()))})
        return dataclasses.replace(self, **{**changes, "stops": tuple(kept.values())})

    @functools.cached_property
    def limits(self) -> Limits:
        """The least that a branch must hold."""
        return next((stop.limits for stop in self.stops if isinstance(stop, MinLeaf)), Limits())

    @property
    def asks_without_gain(self) -> bool:
        """Whether a question of gain 0 may be asked: `admits_zero`, unless a part requires a gain.

        Pure nodes must be leaves: all their questions gain nothing.
        """
        must_gain = any(part.must_gain for part in (self.criterion, *self.searches) if part is not None)
        return self.admits_zero and not must_gain and any(isinstance(stop, Pure) for stop in self.stops)

    def stops_at(self, stage: Stage) -> list[Stop]:
        """The stops that are asked at a stage, in the order of definition 5.2."""
        return sorted((stop for stop in self.stops if stop.stage is stage), key=lambda stop: stop.rank)

    def as_table(self) -> dict[str, Any]:
        """The method as plain values for TOML and model files: parts as tables, defaults left out."""
        return dict(self._as_table)

    @functools.cached_property
    def _as_table(self) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for field in dataclasses.fields(Method):
            value = getattr(self, field.name)
            if isinstance(value, Part):
                out[field.name] = value.as_table()
            elif field.name == "first_question":
                out |= {field.name: plain_first(value)} if value is not None else {}
            elif field.name in ("searches", "stops"):
                out[field.name] = [part.as_table() for part in value]
            elif value != field.default:
                out[field.name] = dict(value) if isinstance(value, Mapping) else value
        return out


_SHELVES: dict[str, Any] = {shelf.part_type: shelf for shelf in (criteria, searches, missing, stops, orders, losses)}


def supported_targets(part: Part) -> tuple[str, ...]:
    """The targets that a part serves; parts that say nothing serve all."""
    if isinstance(part, Criterion):
        return part.serves
    found: tuple[str, ...] = getattr(part, "supports", TARGETS)
    return found


def _found(shelf: Registry[Any], wanted: Any) -> Any:
    return None if wanted is None else shelf.part(wanted)


def _each(shelf: Registry[Any], wanted: Any) -> tuple[Any, ...]:
    """Several parts; a single one may come alone. Two of one name are refused."""
    alone = isinstance(wanted, (str, Mapping, Part)) or not isinstance(wanted, Iterable)
    found = tuple(shelf.part(each) for each in ([wanted] if alone else wanted))
    names = [part.name for part in found]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise OptionError(f"The {shelf.part_type} {short_repr(twice[0])} is given twice.", hint="Omit one of them.")
    return found


def _with_single(given: tuple[Search, ...]) -> tuple[Search, ...]:
    """The searches, with those of single columns before the ones of many that are to compete with them."""
    many = [search for search in given if isinstance(search, ManyColumnSearch) and search.wants_cuts]
    alone = [search for search in given if not search.is_many and search.asks_values]
    usual: tuple[tuple[Kind, Search], ...] = ((Kind.NUMERIC, SortedCuts()), (Kind.NOMINAL, BestSubset()))
    more = [
        search
        for kind, search in usual
        if any(kind in each.kinds for each in many) and not any(kind in each.kinds for each in alone)
    ]
    return (*more, *given)


def _check_kinds(price: Mapping[str, float] | None) -> None:
    for kind in price or {}:
        if kind not in PRICED:
            raise OptionError(
                f"price names {short_repr(kind)}, which is no kind of question.",
                hint=did_you_mean(kind, PRICED),
                option="price",
            )


def _words(targets: Sequence[str]) -> str:
    return " and ".join(_IN_WORDS[target] for target in targets)


def _check_words(name: str, value: Any, known: tuple[str, ...], none: bool = False) -> None:
    is_plain = name in ("weights", "unseen")
    if isinstance(value, Mapping) and not is_plain:
        return
    if (value is None and none) or (isinstance(value, str) and value in known):
        return
    table = "" if is_plain else " or a table by class"
    raise OptionError(
        f"{name} must be one of {', '.join(known)}{table}; got {short_repr(value)}.",
        option=name,
        got=value,
    )


def _check_shares(name: str, value: Any, above: bool = False) -> None:
    if value is None or isinstance(value, str):
        return
    if not isinstance(value, Mapping):
        raise OptionError(
            f"{name} must be a table from names to numbers; got {short_repr(value)}.", option=name, got=value
        )
    for key, number in value.items():
        good = isinstance(number, (int, float)) and not isinstance(number, bool) and 0 <= number < float("inf")
        if not good or (above and number == 0):
            least = "above 0" if above else "0 or more"
            raise OptionError(
                f"{name}[{short_repr(key)}] must be a number {least}; got {short_repr(number)}.",
                option=name,
                got=number,
            )
