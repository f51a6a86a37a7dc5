"""The table of scikit-learn's tests: every row has a reason, and the page of the documentation is made from it."""

from tests.scikit_learn_suite.page import PAGE, page
from tests.scikit_learn_suite.run import REASONS, read_table


def test_every_test_that_does_not_pass_has_a_reason():
    rows = read_table()
    assert rows
    assert [row for row in rows if row.reason not in REASONS] == []
    assert all(0 < row.failed <= row.cases for row in rows)


def test_the_page_is_made_from_the_table():
    assert PAGE.read_text("utf-8") == page(read_table())
