"""PMML files in the forms in which other programs write them, and hostile ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hornbeam as hb
from hornbeam.errors import HornbeamError, HornbeamWarning, InputError, ModelFileError
from hornbeam.tree.nodes import STAY


def document(model: str, *, version: str = "4.4") -> bytes:
    return f"""<?xml version="1.0"?>
<PMML version="{version}" xmlns="http://www.dmg.org/PMML-4_4">
 <Header copyright="none"><Application name="test"/></Header>
 <DataDictionary numberOfFields="4">
  <DataField name="Kyphosis" optype="categorical" dataType="string">
   <Value value="absent"/><Value value="present"/></DataField>
  <DataField name="Age" optype="continuous" dataType="double"/>
  <DataField name="Start" optype="continuous" dataType="double"/>
  <DataField name="Ward" optype="categorical" dataType="string">
   <Value value="north"/><Value value="south wing"/><Value value="west"/></DataField>
 </DataDictionary>
 {model}
</PMML>""".encode()


SCHEMA = """<MiningSchema>
 <MiningField name="Kyphosis" usageType="predicted"/><MiningField name="Age" usageType="active"/>
 <MiningField name="Start" usageType="active"/><MiningField name="Ward" usageType="active"/></MiningSchema>"""

# The layout of R's pmml package for an rpart tree: surrogates, default children, counts.
RPART = document(f"""<TreeModel modelName="RPart_Model" functionName="classification" algorithmName="rpart"
 splitCharacteristic="binarySplit" missingValueStrategy="defaultChild" noTrueChildStrategy="returnLastPrediction">
{SCHEMA}
<Node id="1" score="absent" recordCount="81" defaultChild="2"><True/>
 <ScoreDistribution value="absent" recordCount="64" confidence="0.79"/>
 <ScoreDistribution value="present" recordCount="17" confidence="0.21"/>
 <Node id="2" score="absent" recordCount="62">
  <CompoundPredicate booleanOperator="surrogate">
   <SimplePredicate field="Start" operator="greaterOrEqual" value="8.5"/>
   <SimplePredicate field="Age" operator="lessThan" value="120"/></CompoundPredicate>
  <ScoreDistribution value="absent" recordCount="56"/><ScoreDistribution value="present" recordCount="6"/></Node>
 <Node id="3" score="present" recordCount="19" defaultChild="7">
  <CompoundPredicate booleanOperator="surrogate">
   <SimplePredicate field="Start" operator="lessThan" value="8.5"/>
   <SimplePredicate field="Age" operator="greaterOrEqual" value="120"/></CompoundPredicate>
  <ScoreDistribution value="absent" recordCount="8"/><ScoreDistribution value="present" recordCount="11"/>
  <Node id="6" score="absent" recordCount="9">
   <SimpleSetPredicate field="Ward" booleanOperator="isIn">
    <Array n="2" type="string">north &quot;south wing&quot;</Array></SimpleSetPredicate>
   <ScoreDistribution value="absent" recordCount="6"/><ScoreDistribution value="present" recordCount="3"/></Node>
  <Node id="7" score="present" recordCount="10">
   <SimplePredicate field="Ward" operator="equal" value="west"/>
   <ScoreDistribution value="absent" recordCount="2"/><ScoreDistribution value="present" recordCount="8"/></Node>
 </Node></Node></TreeModel>""")


def probability(tree, age, start, ward):
    row = {"Age": [age], "Start": [start], "Ward": [ward]}
    return float(hb.predict(tree, row).probabilities[0, 1])


def test_an_rpart_tree_keeps_cuts_surrogates_default_children_and_counts():
    tree = hb.convert(RPART)
    assert tree.schema.target.name == "Kyphosis"
    assert tree.nodes.rows[0] == 81
    assert probability(tree, 50, 8.5, "west") == 6 / 62  # greaterOrEqual
    assert probability(tree, 50, np.nextafter(8.5, 0), "west") == 8 / 10
    assert probability(tree, 130, None, "north") == 3 / 9  # the surrogate
    assert probability(tree, 119.99, None, "north") == 6 / 62
    assert probability(tree, None, None, "north") == 6 / 62  # the default child
    assert probability(tree, None, 1, None) == 8 / 10
    assert probability(tree, None, 1, "south wing") == 3 / 9
    with pytest.raises(InputError, match="not in the training data"):
        hb.predict(tree, {"Age": [1.0], "Start": [1.0], "Ward": ["unknown ward"]})


def regression(nodes: str, more: str = "") -> bytes:
    return document(
        f'<TreeModel functionName="regression" {more}>{SCHEMA}<Node score="0"><True/>{nodes}</Node></TreeModel>'
    )


def numbers(model, **columns):
    full = {"Age": np.nan, "Start": np.nan, "Ward": None} | columns
    size = max(len(values) for values in columns.values())
    return hb.predict(model, {k: v if np.ndim(v) else [v] * size for k, v in full.items()}).numbers.tolist()


def test_intervals_in_any_order_and_a_child_for_missing_values():
    tree = hb.convert(
        regression("""
        <Node score="3"><SimplePredicate field="Age" operator="greaterThan" value="20"/></Node>
        <Node score="1"><SimplePredicate field="Age" operator="lessThan" value="10"/></Node>
        <Node score="9"><SimplePredicate field="Age" operator="isMissing"/></Node>
        <Node score="2"><True/></Node>""")
    )
    assert numbers(tree, Age=[9.99, 10, 20, 20.01, np.nan]) == [1, 2, 2, 3, 9]


def test_one_number_against_the_rest_and_several_columns():
    tree = hb.convert(
        regression("""
        <Node score="1"><SimplePredicate field="Age" operator="equal" value="5"/></Node>
        <Node score="0"><SimplePredicate field="Age" operator="notEqual" value="5"/>
         <Node score="7"><CompoundPredicate booleanOperator="and">
          <SimplePredicate field="Age" operator="lessThan" value="3"/>
          <SimplePredicate field="Start" operator="greaterThan" value="1"/></CompoundPredicate></Node>
         <Node score="8"><CompoundPredicate booleanOperator="or">
          <SimplePredicate field="Age" operator="greaterOrEqual" value="3"/>
          <SimplePredicate field="Start" operator="lessOrEqual" value="1"/></CompoundPredicate></Node></Node>""")
    )
    assert numbers(tree, Age=[5, 4.99, 2.0, 2.0], Start=[2.0, 2.0, 2.0, 1.0]) == [1, 8, 7, 8]


def test_a_missing_value_follows_the_strategy():
    children = """<Node id="a" score="1"><SimplePredicate field="Age" operator="lessThan" value="5"/></Node>
    <Node id="b" score="2"><SimplePredicate field="Age" operator="greaterOrEqual" value="5"/></Node>"""
    for strategy, branch in [("lastPrediction", STAY), ("none", STAY), ("weightedConfidence", -2)]:
        tree = hb.convert(regression(children, f'missingValueStrategy="{strategy}"'))
        assert tree.nodes.missing_branch[0] == branch
    with pytest.warns(HornbeamWarning, match="rows with missing values have no prediction in the source"):
        hb.convert(regression(children, 'missingValueStrategy="nullPrediction"'))


def test_float_fields_are_compared_as_float32():
    text = regression("""<Node score="1"><SimplePredicate field="Age" operator="lessThan" value="0.1"/></Node>
    <Node score="2"><SimplePredicate field="Age" operator="greaterOrEqual" value="0.1"/></Node>""")
    tree = hb.convert(
        text.replace(
            b'name="Age" optype="continuous" dataType="double"', b'name="Age" optype="continuous" dataType="float"'
        )
    )
    near = np.float32(0.1).astype(np.float64)
    values = [np.nextafter(near, 0), np.nextafter(np.float32(0.1), np.float32(0)).astype(float), near]
    assert numbers(tree, Age=values) == [1.0 if np.float32(value) < np.float32(0.1) else 2.0 for value in values]


REJECTED = [
    (document("", version="9.0"), "version 3.0 to 4.4"),
    (document("<ClusteringModel/>"), "no TreeModel or MiningModel"),
    (RPART.replace(b'field="Start"', b'field="Stop"', 1), "line 22, SimplePredicate: 'Stop' is not an active field"),
    (RPART.replace(b'value="8.5"', b'value="x"', 1), "a number is needed, got 'x'"),
    (RPART.replace(b'defaultChild="7"', b'defaultChild="8"'), "default child '8' is not one of its children"),
    (RPART.replace(b'operator="lessThan"', b'operator="near"', 1), "operator near is not known"),
    (RPART.replace(b'score="absent" recordCount="9"', b'score="maybe" recordCount="9"'), "'maybe' is not a class"),
    (RPART[:900], "the XML is damaged"),
    (regression('<Node score="1"><True/></Node>'), "a node with one child"),
    (regression('<Node><True/></Node><Node score="1"><False/></Node>'), "test nothing"),
]


@pytest.mark.parametrize(("content", "message"), REJECTED)
def test_what_cannot_be_converted_is_rejected_with_its_line(content, message):
    with pytest.raises(ModelFileError, match=message):
        hb.convert(content)


BOMB = b"""<?xml version="1.0"?><!DOCTYPE PMML [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><PMML version="4.4"><Header copyright="&c;"/></PMML>"""
EXTERNAL = b"""<?xml version="1.0"?><!DOCTYPE PMML [<!ENTITY a SYSTEM "file:///etc/hostname">]><PMML>&a;</PMML>"""


@pytest.mark.parametrize("content", [BOMB, EXTERNAL, b'<!DOCTYPE PMML SYSTEM "http://localhost/a.dtd"><PMML/>'])
def test_entities_and_document_types_are_rejected(content):
    with pytest.raises(ModelFileError, match="document type declarations and entities are not allowed"):
        hb.convert(content)


def test_nesting_is_limited():
    with pytest.raises(ModelFileError, match="levels and"):
        hb.convert(b"<PMML>" + b"<a>" * 30_000)
    nested = '<CompoundPredicate booleanOperator="and">' * 200 + "<True/>" + "</CompoundPredicate>" * 200
    with pytest.raises(ModelFileError, match="nested deeper than 50"):
        hb.convert(regression(f'<Node score="1">{nested}</Node><Node score="2"><True/></Node>'))


@pytest.mark.filterwarnings("ignore::hornbeam.errors.HornbeamWarning")
@settings(max_examples=80, deadline=None)
@given(st.data())
def test_a_damaged_file_is_converted_or_rejected(data):
    content = bytearray(RPART)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content) - 1))
        how = data.draw(st.sampled_from(["cut", "change", "repeat", "swap"]))
        if how == "cut":
            del content[at : at + data.draw(st.sampled_from([1, 3, 60]))]
        elif how == "change":
            content[at] = data.draw(st.sampled_from([*b'0179-."<>/&= anx', 0, 255]))
        elif how == "repeat":
            content[at:at] = content[at : at + 80]
        else:
            other = data.draw(st.integers(0, len(content) - 1))
            content[at : at + 9], content[other : other + 9] = content[other : other + 9], content[at : at + 9]
        if not content:
            break
    try:
        tree = hb.convert(bytes(content))
        row = {spec.name: [spec.levels[0] if spec.levels else 0.0] for spec in tree.schema.columns}
        n_predicted = len(hb.predict(tree, row))
    except HornbeamError:
        return
    assert n_predicted == 1
