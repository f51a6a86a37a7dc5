"""What every part promises, as functions of a registry, a class and the settings that the class requires."""

import dataclasses
import pickle
import tomllib

import pytest

from hornbeam.errors import OptionError
from hornbeam.functions import import_functions
from hornbeam.options import defaults_of, settings_of
from hornbeam.toml_text import toml_text

BAD = {int: -(10**9), float: float("nan"), str: "no such word", bool: "yes"}


def check_frozen(registry, kind, required):
    part = kind(**required)
    assert part == kind(**required)
    with pytest.raises(dataclasses.FrozenInstanceError):
        part.anything = 1


def check_described(registry, kind, required):
    assert kind.text()
    assert kind.part_type == registry.part_type


def check_found(registry, kind, required):
    part = kind(**required)
    assert registry.part(part) is part
    assert registry.part({"name": kind.name, **required}) == part
    assert registry.part_class(kind.name) is kind


def check_toml_and_pickle(registry, kind, required):
    part = kind(**required)
    assert registry.part(import_functions(tomllib.loads(toml_text(part.as_table())))) == part
    assert pickle.loads(pickle.dumps(part)) == part


def check_settings(registry, kind, required):
    for setting in settings_of(kind):
        assert setting.option.text
        base = setting.type if setting.type in BAD else type(defaults_of(kind)[setting.name])
        bad = BAD.get(base)
        if bad is None or (base is str and setting.option.choices is None):
            continue
        with pytest.raises(OptionError, match=f"{kind.__name__}.{setting.name}"):
            kind(**required).replace(**{setting.name: bad})


def check_misspelt_setting(registry, kind, required):
    with pytest.raises(OptionError, match="'frobnicate'"):
        registry.part({"name": kind.name, "frobnicate": 1})


def check_reasons(registry, kind, required):
    """A stop declares the texts of its reasons; other parts have none."""
    reasons = getattr(kind, "reasons", ())
    assert bool(reasons) == (registry.part_type == "stop")
    assert all(isinstance(reason, str) and reason for reason in reasons)


CHECKS = (
    check_frozen,
    check_described,
    check_found,
    check_toml_and_pickle,
    check_settings,
    check_misspelt_setting,
    check_reasons,
)
