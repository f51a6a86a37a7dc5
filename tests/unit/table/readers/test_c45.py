"""C4.5 names and data files: the names file declares the kinds, the class is the target."""

import numpy as np
import pytest

from hornbeam.errors import DataFileError
from hornbeam.table.column import Kind
from hornbeam.table.read import read
from hornbeam.table.readers import c45

NAMES = r"""| golf, with oddities
Play, Don't Play.

outlook: sunny, overcast, rain.
temp\:F: continuous.
id: ignore.
town: discrete 3.
windy: true,
   false.
"""
DATA = (
    "sunny, 75, 1, new  york, true, Play.\nrain, ?, 2, leeds, false, Don't Play\n\novercast,1.5,3,?,true,Play | end\n"
)


@pytest.fixture
def made(tmp_path):
    def write(names=NAMES, data=DATA):
        (tmp_path / "golf.names").write_text(names)
        (tmp_path / "golf.data").write_text(data)
        return tmp_path / "golf.data"

    return write


def cells(column):
    if column.numbers is not None:
        return [None if np.isnan(value) else value for value in column.numbers]
    return [None if code < 0 else column.distinct[code] for code in column.codes]


def test_names_and_data_make_a_table(made):
    table = c45.raw(made())
    assert table.names == ("outlook", "temp:F", "town", "windy", "class")
    assert [cells(column) for column in table.columns] == [
        ["sunny", "rain", "overcast"],
        [75, None, 1.5],
        ["new york", "leeds", None],
        ["true", "false", "true"],
        ["Play", "Don't Play", "Play"],
    ]
    assert table.target == "class"
    assert table.columns[0].levels == ("sunny", "overcast", "rain")
    assert table.columns[1].declared is Kind.NUMERIC
    assert table.notes == ("ignored as declared in the names file: id",)


def test_any_file_of_the_family_may_be_named(made):
    path = made()
    path.with_suffix(".test").write_text("rain, 60, 9, leeds, true, Play.\n")
    assert len(c45.raw(path.with_suffix(".names"))) == 3
    assert len(c45.raw(path.with_suffix(""))) == 3
    assert len(c45.raw(path.with_suffix(".test"))) == 1


def test_the_first_entry_may_name_the_target(made):
    table = c45.raw(made("windy.\nwindy: yes, no.\nx: continuous.\n", "yes,1\nno,2\n"))
    assert table.target == "windy"
    assert table.names == ("windy", "x")


def test_read_takes_the_class_as_target(made):
    table = read(made())
    assert table.target.name == "class"
    assert table.target.levels == ("Play", "Don't Play")
    assert table.names == ("outlook", "temp:F", "town", "windy")


@pytest.mark.parametrize(
    ("names", "data", "message"),
    [
        (NAMES, DATA + "sunny, 75, 1\n", "golf.data', line 5: 3 values, but the names file declares 6"),
        (NAMES, DATA + "foggy, 75, 1, x, true, Play\n", "line 5: 'foggy' is not a declared value of 'outlook'"),
        (NAMES, "sunny, warm, 1, x, true, Play\n", "line 1: 'temp:F': 'warm' is not a number"),
        (NAMES, "", "0 rows"),
        (NAMES, "\n".join(f"sunny, 7, 1, town{i}, true, Play" for i in range(4)), "discrete 3 but has 4 values"),
        ("a, b.\nx continuous.\n", DATA, "golf.names', line 2: expected 'name: values'"),
        ("a, b.\nx: discrete many.\n", DATA, "line 2: 'x': discrete must be followed by the number"),
        ("a, b.\nx: u, u.\n", DATA, "line 2: 'x' must have distinct values"),
        ("a.\nx: continuous.\n", DATA, "the first entry must list the classes"),
        ("a, b.\nx: continuous.\nx: continuous.\n", DATA, "line 3: 'x' is declared twice"),
        ("", DATA, "contains no declarations"),
    ],
)
def test_a_faulty_file_is_an_error_with_its_line(made, names, data, message):
    path = made(names, data)
    with pytest.raises(DataFileError) as caught:
        c45.raw(path)
    assert message in str(caught.value)


def test_data_without_names_is_an_error(tmp_path):
    (tmp_path / "iris.data").write_text("1,2,a\n")
    with pytest.raises(DataFileError, match=r"iris\.names that declares its columns is missing.*format='csv'"):
        c45.raw(tmp_path / "iris.data")
