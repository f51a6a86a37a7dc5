"""Phonetic clustering (definition 1.5): the worked example E1.2, by the functions of examples/state_tying.py."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.examples import EXAMPLES

from hornbeam.parts.searches.custom_questions import CustomQuestions
from hornbeam.table.column import nominal

ROOT = Path(__file__).resolve().parents[2]
E1_2 = EXAMPLES["E1.2"]


@pytest.fixture(scope="module")
def tying():
    spec = importlib.util.spec_from_file_location("state_tying", ROOT / "examples" / "state_tying.py")
    module = importlib.util.module_from_spec(spec)
    # Its dataclass looks its own module up while it is made.
    sys.modules["state_tying"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["state_tying"]


@pytest.fixture(scope="module")
def example(tying):
    names = tuple(E1_2["input"]["states"])
    numbers = np.array(list(E1_2["input"]["states"].values()), dtype=float)
    states = tying.States(numbers[:, 0], numbers[:, 1:2], numbers[:, 2:3])
    column = nominal("state", np.arange(4), names)
    listed = [{"name": name, "column": "state", "in": inside} for name, inside in E1_2["input"]["questions"].items()]
    answers = [question.branch([column]) for question in CustomQuestions(questions=listed).questions_about([column])]
    return states, answers, names


def test_the_likelihoods_and_improvements_are_those_of_the_example(tying, example):
    states, answers, _ = example
    everyone = np.arange(4)
    expected = E1_2["expected"]
    assert states.likelihood(everyone) == pytest.approx(expected["root_loglik"], abs=1e-9)
    gains = tying.gains(states, everyone, answers, E1_2["input"]["RO"])
    assert gains.tolist() == pytest.approx(list(expected["improvement"].values()), abs=1e-9)
    second = tying.gains(states, np.array([2, 3]), answers, E1_2["input"]["RO"])
    assert second.max() == pytest.approx(expected["second_level"]["fric/L_Voiced"], abs=1e-9)


def test_at_a_threshold_of_20_there_are_two_leaves_and_nothing_to_merge(tying, example):
    states, answers, names = example
    leaves = tying.grow_leaves(states, answers, E1_2["input"]["TB"], E1_2["input"]["RO"])
    found = [[names[row] for row in rows] for _, rows in leaves]
    assert found == E1_2["expected"]["leaves_at_TB_20"]
    assert len(tying.merge_leaves(states, leaves, E1_2["input"]["TB"])) == 2
    # Their loss is what the question gained.
    assert len(tying.merge_leaves(states, leaves, 148.35)) == 1


def test_no_variance_no_likelihood(tying):
    states = tying.States(np.ones(2), np.ones((2, 1)), np.zeros((2, 1)))
    assert states.likelihood(np.arange(2)) == -np.inf


def test_leaves_that_sound_alike_are_merged(tying):
    table, states = tying.synthetic_states()
    questions = CustomQuestions(questions=tying.QUESTIONS).questions_about(table.columns)
    leaves = tying.grow_leaves(states, [question.branch(table.columns) for question in questions], 150.0, 50.0)
    tied = tying.merge_leaves(states, leaves, 150.0)
    assert (len(leaves), len(tied)) == (6, 4)
    assert sorted(np.concatenate([rows for _, rows in tied]).tolist()) == list(range(len(table)))
