"""docs/guides/compiled.md shows what the compiled core has."""

from tools.compiled_page import PAGE, page


def test_the_page_is_what_the_core_declares():
    assert PAGE.read_text("utf-8") == page(), "python -m tools.compiled_page writes it"
