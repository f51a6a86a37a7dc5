"""The numbers that lecture note 4 prints for PlayTennis, computed by the library."""

from dataclasses import replace

import numpy as np
import pytest

from hornbeam import datasets
from hornbeam.growing.in_python import grow
from hornbeam.growing.trace import Trace, format_trace
from hornbeam.recipes import recipe
from hornbeam.table.column import nominal


def play_tennis(date=False):
    days = datasets.load("play_tennis")
    if not date:
        return days
    return replace(days, columns=(nominal("Date", np.arange(14), tuple(f"D{i + 1}" for i in range(14))), *days.columns))


def gains(trace, step=0):
    names = trace.tree.schema.names
    return {names[each.candidate.column]: each.candidate.gain for each in trace.steps[step].considered}


def test_the_gains_of_the_root_are_those_of_the_notes():
    trace = Trace()
    grow(play_tennis(), recipe("id3"), trace=trace)
    # Lecture note 4 prints .246, .151, .048, .029: truncated, not rounded.
    assert gains(trace) == pytest.approx(
        {"Outlook": 0.2467, "Humidity": 0.1518, "Wind": 0.0481, "Temperature": 0.0292}, abs=5e-5
    )
    assert trace.steps[0].impurity == pytest.approx(0.940, abs=5e-4)


def test_the_gains_of_sunny_days_are_those_of_the_notes():
    trace = Trace()
    tree = grow(play_tennis(), recipe("id3"), trace=trace)
    sunny = next(
        child for child in tree.nodes.children(0) if tree.question(0).text(tree.schema, child - 1) == "Outlook = Sunny"
    )
    # Lecture note 4: Gain(Ssunny, Humidity) = .970, Temperature .570, Wind .019, truncated.
    assert gains(trace, sunny) == pytest.approx({"Temperature": 0.571, "Humidity": 0.971, "Wind": 0.020}, abs=5e-4)


def test_id3_grows_the_tree_of_the_notes():
    tree = grow(play_tennis(), recipe("id3"))
    found = {}
    for leaf in np.flatnonzero(tree.nodes.is_leaf).tolist():
        way, node = [], leaf
        while node:
            above = int(tree.nodes.parent[node])
            way.append(tree.question(above).text(tree.schema, node - int(tree.nodes.first_child[above])))
            node = above
        found[" and ".join(reversed(way))] = tree.prediction_text(leaf)
        assert tree.reason(leaf) == "pure"
    # Lecture note 4 prints the three rules for Yes; the other leaves say No.
    assert found == {
        "Outlook = Sunny and Humidity = High": "No",
        "Outlook = Sunny and Humidity = Normal": "Yes",
        "Outlook = Overcast": "Yes",
        "Outlook = Rain and Wind = Strong": "No",
        "Outlook = Rain and Wind = Weak": "Yes",
    }


def test_the_table_of_gains_reads_as_in_the_lecture():
    trace = Trace()
    tree = grow(play_tennis(), recipe("id3"), trace=trace)
    assert format_trace(tree).split("\n")[:3] == [
        "Node 0: 14 rows, No 5, Yes 9; Entropy(S) = 0.940",
        "  Gain(S, Outlook)     = 0.247   Sunny [3, 2]  Overcast [0, 4]  Rain [2, 3]   <- best",
        "  Gain(S, Temperature) = 0.029   Hot [2, 2]  Mild [2, 4]  Cool [1, 3]",
    ]
    assert "  leaf: Yes, because pure" in format_trace(trace)


def test_the_gain_ratio_does_not_stop_a_date_but_the_rule_of_two_branches_does():
    # E4.1: Date has ratio .247, Outlook .156.
    by_ratio = recipe("id3").with_changes(criterion="gain_ratio")
    assert grow(play_tennis(date=True), by_ratio).question(0).columns == (0,)
    assert grow(play_tennis(date=True), recipe("c45")).question(0).columns == (1,)


def test_split_information_and_ratio_are_printed():
    trace = Trace()
    grow(play_tennis(), recipe("id3").with_changes(criterion="gain_ratio"), trace=trace)
    assert "SplitInformation = 1.577   GainRatio = 0.156" in format_trace(trace)
