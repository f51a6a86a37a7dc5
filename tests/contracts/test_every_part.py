"""Every part of every registry keeps what all parts promise. A new part is tested here with no new test."""

import importlib
import pkgutil

import numpy as np
import pytest
from tests.contracts.part_checks import CHECKS

from hornbeam.errors import OptionError
from hornbeam.parts.criteria import criteria
from hornbeam.parts.losses import losses
from hornbeam.parts.missing import missing
from hornbeam.parts.orders import orders
from hornbeam.parts.prunings import prunings
from hornbeam.parts.searches import searches
from hornbeam.parts.stops import stops
from hornbeam.tree.probabilities import probabilities

REGISTRIES = (criteria, losses, missing, orders, probabilities, prunings, searches, stops)
# The settings without which a part cannot be created.
REQUIRED = {
    ("criterion", "custom"): {"function": np.zeros_like},
    ("search", "custom_questions"): {"questions": [{"name": "old", "column": "age", "above": 60}]},
}
EVERY = [
    pytest.param(registry, kind, id=f"{registry.part_type}-{kind.name}") for registry in REGISTRIES for kind in registry
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(("registry", "kind"), EVERY)
def test_a_part_keeps_its_promises(registry, kind, check):
    check(registry, kind, REQUIRED.get((registry.part_type, kind.name), {}))


@pytest.mark.parametrize(("registry", "kind"), EVERY)
def test_a_part_has_a_file_of_its_name_that_opens_with_a_statement(registry, kind):
    assert kind.__module__ == f"{registry.package}.{kind.name}"
    first = (importlib.import_module(kind.__module__).__doc__ or "").split("\n")[0]
    assert first
    assert "?" not in first


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.part_type)
def test_the_files_of_a_registry_folder_are_its_parts(registry):
    folder = importlib.import_module(registry.package).__path__
    files = {module.name for module in pkgutil.iter_modules(folder)} - {"base", "machinery"}
    own = {part.name for part in registry if part.__module__.startswith("hornbeam.")}
    assert files == own


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.part_type)
def test_a_misspelt_name_is_answered_with_the_nearest(registry):
    name = max(registry.names(), key=len)
    with pytest.raises(OptionError, match=f"Did you mean.*'{name}'"):
        registry.part(name[:-1] + "q")
