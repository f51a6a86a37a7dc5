"""ARFF: nominal, numeric, string and date attributes, weights, sparse rows, quotes; errors name the line."""

import numpy as np
import pytest

from hornbeam.errors import DataFileError
from hornbeam.table.column import Kind
from hornbeam.table.read import read
from hornbeam.table.readers import arff

WHOLE = r"""% a comment
@RELATION 'two words'
@attribute 'out look' {sunny, 'half sun', very cloudy}
@ATTRIBUTE "t\"x" real
@attribute note string
@attribute day date "yyyy-MM-dd"
@attribute	class	{yes,no}  % at the end

@DATA
sunny, 1.5, 'it\'s, ok', 2024-05-01, yes
'half sun', ?, ?, ?, no, {0.5}
% another
very cloudy,2e3,"a b",2024-01-02,no
{0 'half sun', 2 'x, y', 4 no}, {2}
"""


@pytest.fixture
def raw(tmp_path):
    def made(text):
        path = tmp_path / "data.arff"
        path.write_text(text, encoding="utf-8")
        return arff.raw(path)

    return made


def cells(column):
    if column.numbers is not None:
        return [None if np.isnan(value) else value for value in column.numbers]
    return [None if code < 0 else column.distinct[code] for code in column.codes]


def test_every_type_of_attribute_is_read(raw):
    table = raw(WHOLE)
    outlook, number, note, day, label = table.columns
    assert table.names == ("out look", 't"x', "note", "day", "class")
    assert cells(outlook) == ["sunny", "half sun", "very cloudy", "half sun"]
    assert outlook.levels == ("sunny", "half sun", "very cloudy")
    assert outlook.declared is Kind.NOMINAL
    assert cells(number) == [1.5, None, 2000, 0]
    assert cells(note) == ["it's, ok", None, "a b", "x, y"]
    assert cells(day) == ["2024-05-01", None, "2024-01-02", None]
    assert cells(label) == ["yes", "no", "no", "no"]
    assert table.weights.tolist() == [1, 0.5, 1, 2]


def test_rows_without_weights_have_none(raw):
    assert raw("@relation r\n@attribute a numeric\n@data\n1\n").weights is None


def test_an_empty_sparse_row_is_all_defaults(raw):
    table = raw("@relation r\n@attribute a {x,y}\n@attribute b numeric\n@data\n{}\n{1 3, 0 y}\n")
    assert cells(table.columns[0]) == ["x", "y"]
    assert cells(table.columns[1]) == [0, 3]


def test_a_quoted_question_mark_is_a_level_and_not_missing(raw):
    assert cells(raw("@relation r\n@attribute a {'?',y}\n@data\n'?'\n?\n").columns[0]) == ["?", None]


def test_a_date_with_a_time_is_kept_in_iso_form(raw):
    table = raw('@relation r\n@attribute a date "dd.MM.yyyy HH:mm"\n@data\n"03.02.2001 14:30"\n')
    assert cells(table.columns[0]) == ["2001-02-03T14:30:00"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@relation r\n@attribute a relational\n@end a\n@data\n1\n", "line 2: attribute 'a' has the type 'relational'"),
        ("@relation r\n@attribute a numeric\n@data\nx\n", "row 0, attribute 'a': 'x' is not a number"),
        ("@relation r\n@attribute a numeric\n@data\n1,2\n", "line 4: 2 values, but 1 attributes"),
        ("@relation r\n@attribute a {x,y}\n@data\nx\nz\n", "row 1, attribute 'a': 'z' is not one of its declared"),
        ("@relation r\n@attribute a {x,y\n@data\nx\n", "line 2: the levels of 'a' do not end with a brace"),
        ("@relation r\n@attribute a {x,x}\n@data\nx\n", "line 2: attribute 'a' names the level 'x' twice"),
        ("@relation r\n@attribute a numeric\n@attribute a numeric\n@data\n1,1\n", "line 3: attribute 'a' is declared"),
        ("@relation r\n@attribute a {x,y}\n@data\n'x\n", "line 4: an unclosed quote"),
        ("@relation r\n@attribute a numeric\n@data\n1, {-1}\n", "line 4: the weight must be"),
        ("@relation r\n@attribute a numeric\n@data\n{3 4}\n", "line 4: a sparse entry must be"),
        ("@relation r\n@attribute a numeric\n@data\n", "0 rows"),
        ("@relation r\n@attribute a date yyyy-QQ\n@data\n1\n", "line 2: the date format"),
        ("@relation r\n@attribute a date yyyy-MM-dd\n@data\n2001-13-01\n", "'2001-13-01' is not a date"),
        ("@relation r\n@attribute a numeric\n", "it has no @data line"),
        ("a,b\n1,2\n", "line 1: expected @relation"),
    ],
)
def test_a_faulty_file_is_an_error_with_its_line(raw, text, message):
    with pytest.raises(DataFileError) as caught:
        raw(text)
    assert message in str(caught.value)


def test_the_table_keeps_declared_levels_and_weights(tmp_path):
    path = tmp_path / "data.arff"
    path.write_text(WHOLE, encoding="utf-8")
    table = read(path, target="class")
    assert table.target.levels == ("yes", "no")
    assert table["out look"].kind is Kind.NOMINAL
    assert table['t"x'].kind is Kind.NUMERIC
    assert table.weights.tolist() == [1, 0.5, 1, 2]
