"""The registries of the compiled core agree with the declarations of the parts: names, settings, defaults."""

import pytest

from hornbeam import _native, datasets
from hornbeam.growing.core_job import without_kernel
from hornbeam.growing.method import Method
from hornbeam.growing.sample import prepare
from hornbeam.options import Part, defaults_of
from hornbeam.parts.criteria import criteria
from hornbeam.parts.losses import losses
from hornbeam.parts.missing import missing
from hornbeam.parts.orders import orders
from hornbeam.parts.searches import searches
from hornbeam.parts.stops import stops

REGISTRIES = {each.part_type: each for each in (criteria, losses, missing, orders, searches, stops)}
IN_CORE = [(part_type, name) for part_type, parts in _native.parts().items() for name in parts]
# The core receives the questions of the list as columns.
NOT_PASSED = {"custom_questions": {"questions", "file"}}


def test_the_core_has_all_part_types_of_a_method():
    assert set(_native.parts()) == set(REGISTRIES)


@pytest.mark.parametrize(("part_type", "name"), IN_CORE)
def test_the_core_declares_the_settings_and_defaults_of_the_part(part_type, name):
    declared = defaults_of(REGISTRIES[part_type].part_class(name))
    expected = {
        key: value.name if isinstance(value, Part) else value
        for key, value in declared.items()
        if key not in NOT_PASSED.get(name, ())
    }
    found = _native.parts()[part_type][name]
    assert found == expected
    assert {key: type(value) for key, value in found.items()} == {key: type(value) for key, value in expected.items()}


@pytest.mark.parametrize(("part_type", "name"), [each for each in IN_CORE if each[1] not in NOT_PASSED])
def test_a_part_goes_to_the_core_as_its_type_name_and_settings(part_type, name):
    part = REGISTRIES[part_type].part(name)
    found = part.in_core()
    assert (found.part_type, found.name) == (part_type, name)
    assert set(found.settings) == set(part.settings())


def test_a_part_that_the_core_lacks_is_named():
    table = datasets.load("play_tennis")
    assert without_kernel(prepare(table, Method())) == ""
    assert without_kernel(prepare(table, Method(stops=("permutation_test",)))) == "the stop permutation_test"
    costs = {"name": "cost_matrix", "costs": {"Yes": {"No": 2}}}
    method = Method(criterion={"name": "loss_decrease", "loss": costs})
    assert without_kernel(prepare(table, method)) == ""


def test_every_combination_without_a_kernel_has_a_text_of_its_own():
    texts = _native.combinations_without_kernel()
    assert all(texts)
    assert len(set(texts)) == len(texts)
