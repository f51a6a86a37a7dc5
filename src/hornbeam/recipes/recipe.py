"""Recipe: a complete method as one value or one TOML file.

A recipe is a method with a name, a target type, a pruning and a seed; and, for several trees, an ensemble. Settings for
classes alone or numbers alone are in its sections `[by_target.class]` and `[by_target.number]` (`by_target.py`).

    recipe("c45").with_changes(stops=[MaxDepth(depth=3)])          recipe("mine.toml")          recipe("cart").to_toml()

`recipe(...)` takes a name, a path to a TOML file or a recipe. Parts are given by value, by name or as tables.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import importlib.resources
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from hornbeam.ensembles.methods import EnsembleMethod, ensembles
from hornbeam.errors import OptionError, Set, available, did_you_mean, short_repr
from hornbeam.functions import import_functions
from hornbeam.growing.method import Method
from hornbeam.growing.method_parts import TARGETS, each_part
from hornbeam.options import Part
from hornbeam.parts.searches.machinery.question_tables import read_tables
from hornbeam.parts.stops import stops
from hornbeam.recipes.by_target import Sections, checked_sections, section_tables, without_settings
from hornbeam.seeds import as_seed
from hornbeam.table.table import Table
from hornbeam.toml_text import parsed_toml, read_toml, toml_text

# The table of a method without settings.
_DEFAULTS: dict[str, Any] = collections.defaultdict(lambda: None, Method().as_table())
_TARGET_TEXT = {"class": "classification", "number": "numeric"}


@dataclasses.dataclass(frozen=True)
class Recipe(Method):
    """A method with a name.

    `target` is "class", "number" or "any"; `pruning` prunes the grown tree; `ensemble` grows several trees; `by_target`
    has the settings that apply to one target only: {"class": {...}, "number": {...}}.
    """

    name: str = ""
    target: str = "any"
    pruning: Part | Mapping[str, Any] | str | None = None
    seed: int = 0
    ensemble: EnsembleMethod | Mapping[str, Any] | str | None = None
    by_target: Sections | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.target not in (*TARGETS, "any"):
            raise OptionError(
                f"target must be one of class, number, any, got {short_repr(self.target)}.", option="target"
            )
        object.__setattr__(self, "by_target", checked_sections(self.by_target, self.target, _in_sections()))
        if self.target != "any":
            self.check_target(self.target)
        object.__setattr__(self, "seed", as_seed(self.seed))
        if self.ensemble is not None:
            object.__setattr__(self, "ensemble", ensembles.part(self.ensemble))
            self._check_ensemble()

    def _check_ensemble(self) -> None:
        """Raise if the recipe has parts that its ensemble ignores."""
        method = self.ensemble_method
        if method is None or method.uses_recipe:
            return
        changed = [key for key, value in super().as_table().items() if value != _DEFAULTS[key]]
        changed += [name for name in ("pruning", "by_target") if getattr(self, name)]
        ignored = next(iter(changed), None)
        if ignored is not None:
            raise OptionError(
                f"The ensemble {method.name} has its own settings and ignores {ignored}.",
                hint=available(list(method.settings())),
                option=ignored,
            )

    @property
    def ensemble_method(self) -> EnsembleMethod | None:
        """The ensemble as a part; None if the recipe grows a single tree."""
        return self.ensemble if isinstance(self.ensemble, EnsembleMethod) else None

    @property
    def tree_recipe(self) -> Recipe:
        """The recipe of one tree: the same without the ensemble."""
        return self if self.ensemble is None else dataclasses.replace(self, ensemble=None)

    def require_single_tree(self) -> Recipe:
        """The recipe itself; raises if it has an ensemble."""
        if self.ensemble_method is not None:
            raise OptionError(
                f"The recipe {short_repr(self.name)} has an ensemble, but a recipe of a single tree is required.",
                hint="Use another recipe, or remove its ensemble.",
                option="recipe",
            )
        return self

    def with_changes(self, *, without: Sequence[str] = (), **changes: Any) -> Self:
        """The same with some fields changed, also for each target; stops are merged by name or dropped (`without`)."""
        if not self.by_target or "by_target" in changes:
            return super().with_changes(without=without, **changes)
        in_sections = {stop.name for section in self.by_target.values() for stop in section.get("stops", ())}
        in_recipe = {stop.name for stop in self.stops}
        replaced = {*without, *(stop.name for stop in each_part(stops, changes.get("stops", ())))}
        return super().with_changes(
            without=[name for name in without if name in in_recipe or name not in in_sections],
            by_target=without_settings(self.by_target, changes, replaced),
            **changes,
        )

    def with_target(self, target: str | None) -> Self:
        """The recipe for one target, with the settings of its section; None (no target) drops the sections."""
        if not self.by_target:
            return self
        if target not in self._with_target:
            chosen = dataclasses.replace(self, by_target=None)
            if target is not None:
                chosen.check_target(target)  # names the part at fault, not a part of the section that it contradicts
                chosen = chosen.with_changes(**{"target": target, **self.by_target.get(target, {})})
            self._with_target[target] = chosen
        return self._with_target[target]

    # Many trees are grown by one recipe; see `Method._filled`.
    @functools.cached_property
    def _with_target(self) -> dict[str | None, Self]:
        return {}

    def for_table(self, table: Table) -> Self:
        """The recipe for the target of a table (`with_target`)."""
        if table.target is None:
            return self.with_target(None)
        return self.with_target("class" if table.schema.is_class else "number")

    def for_target(self, target: str, fix: Sequence[Set] = ()) -> Self:
        """The recipe for one target, with the default criterion and loss of the target in place of None."""
        return self.with_target(target).for_target(target, fix) if self.by_target else super().for_target(target, fix)

    def check_target(self, target: str, fix: Sequence[Set] = ()) -> None:
        """Raise unless the recipe and all its parts support a target; `fix` is the remedy."""
        if self.by_target:
            self.with_target(target).check_target(target, fix)
            return
        if self.target not in ("any", target):
            raise OptionError(
                f"The recipe {short_repr(self.name)} requires a {_TARGET_TEXT[self.target]} target, "
                f"but the target is {'categorical' if target == 'class' else 'numeric'}.",
                fix=fix,
                option="target",
            )
        super().check_target(target, fix)

    def as_table(self) -> dict[str, Any]:
        """The recipe as a table of TOML values."""
        pruning = self.pruning.as_table() if isinstance(self.pruning, Part) else self.pruning
        head = {"name": self.name, "target": self.target}
        ensemble = self.ensemble_method.as_table() if self.ensemble_method is not None else None
        sections = None if self.by_target is None else section_tables(self.by_target)
        tail = {"pruning": pruning, "seed": self.seed or None, "ensemble": ensemble, "by_target": sections}
        return {**head, **super().as_table(), **{key: value for key, value in tail.items() if value is not None}}

    def to_toml(self) -> str:
        """The recipe as the text of a TOML file."""
        table = self.as_table()
        sections = table.pop("by_target", {})
        return toml_text(table) + "".join(
            f"\n[by_target.{target}]\n{toml_text(section)}" for target, section in sections.items()
        )

    @classmethod
    def from_table(cls, table: Mapping[str, Any], *, trust: bool = False) -> Recipe:
        """A recipe from a table of TOML values; `trust` imports the functions that it names."""
        if trust:
            table = import_trusted(table)
        known = [field.name for field in dataclasses.fields(cls)]
        for key in table:
            if key not in known:
                raise OptionError(
                    f"Unknown key {short_repr(key)} of a recipe.", hint=did_you_mean(key, known), option=key
                )
        found = cls(**table)
        for target in found.by_target or ():
            found.check_target(target)
        return found

    @classmethod
    def from_toml(cls, text: str, source: str = "the recipe", *, trust: bool = False) -> Recipe:
        """A recipe from the text of a TOML file; `trust` imports the functions that it names."""
        return cls.from_table(parsed_toml(text, source), trust=trust)


def _in_sections() -> list[str]:
    """The fields that a section of `by_target` may have."""
    return [field.name for field in dataclasses.fields(Recipe) if field.name not in ("name", "target", "by_target")]


def recipe_names() -> list[str]:
    """The names of the recipes of the library."""
    files = importlib.resources.files(__package__).iterdir()
    return sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml"))


@functools.lru_cache(maxsize=64)
def _library_recipe(name: str) -> Recipe | None:
    """A recipe of the library, read once; None if the name is unknown."""
    if name not in recipe_names():
        return None
    text = importlib.resources.files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return Recipe.from_toml(text, source=f"{name}.toml")


def import_trusted(table: Mapping[str, Any]) -> dict[str, Any]:
    """A table with all functions imported that it, or a file of questions in it, names by address."""
    searches = table.get("searches", ())
    loaded = [
        {**{key: value for key, value in each.items() if key != "file"}, "questions": read_tables(each["file"])}
        if isinstance(each, Mapping) and each.get("name") == "custom_questions" and isinstance(each.get("file"), str)
        else each
        for each in (searches if isinstance(searches, (list, tuple)) else [searches])
    ]
    imported: dict[str, Any] = import_functions({**table, "searches": loaded} if loaded else table)
    return imported


def recipe(given: str | Path | Method, *, trust: bool = False) -> Recipe:
    """A recipe from its name, a path to its file, or itself.

    A file that names Python functions is rejected unless `trust` is true: its author chooses which code runs.
    """
    if isinstance(given, Recipe):
        return given
    if isinstance(given, Method):
        return Recipe(**{field.name: getattr(given, field.name) for field in dataclasses.fields(Method)})
    if not isinstance(given, (str, Path)):
        raise OptionError(
            f"recipe must be a name, a file or a Recipe, got {short_repr(given)} ({type(given).__name__}).",
            hint=available(recipe_names()),
        )
    known = _library_recipe(given) if isinstance(given, str) else None
    if known is not None:
        return known
    path = Path(given)
    if path.suffix == ".toml" or isinstance(given, Path):
        return Recipe.from_table(read_toml(path, f"The recipe {short_repr(str(path), 300)}"), trust=trust)
    raise OptionError(f"Unknown recipe {short_repr(given)}.", hint=did_you_mean(str(given), recipe_names()), got=given)
