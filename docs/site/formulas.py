"""Converts the LaTeX formulas of a page to MathML, so that the site needs no scripts, fonts or network access.

    $p_k$                      a formula in the text; no space inside the dollar signs, not in code
    a fence named math         a formula on lines of its own

GitHub renders both forms itself. The converter is `latex2mathml` of the docs extra.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

from latex2mathml.converter import convert

DISPLAYED = re.compile(r"^```math\n(.*?)^```[ ]*$", flags=re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"(^```.*?^```\s*?$)", flags=re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"(?P<code>`[^`]*`)|(?<!\\)\$(?P<formula>[^\s$](?:[^$]*[^\s$\\])?)\$(?!\d)")
_NAMESPACE = ' xmlns="http://www.w3.org/1998/Math/MathML"'
_MARKDOWN = str.maketrans({sign: f"&#x{ord(sign):X};" for sign in "[]*_`|"})


def with_mathml(text: str) -> str:
    """The Markdown of a page with every formula as MathML."""
    text = DISPLAYED.sub(
        lambda found: f'<div class="formula" style="overflow-x: auto">{mathml(found[1], "block")}</div>', text
    )
    chunks = FENCE.split(text)
    return "".join(each if each.startswith("```") else INLINE.sub(_in_text, each) for each in chunks)


def mathml(formula: str, display: str = "inline") -> str:
    """One formula as MathML that Markdown leaves unchanged; an unknown command is an error."""
    markup = str(convert(" ".join(formula.split()), display=display)).replace(_NAMESPACE, "")
    try:
        ElementTree.fromstring(markup)
    except ElementTree.ParseError as fault:
        raise ValueError(f"The formula {formula!r} has no valid MathML: {fault}.") from fault
    if "\\" in markup:
        raise ValueError(f"latex2mathml does not know a command of the formula {formula!r}.")
    markup = re.sub(r'columnalign="(\w+)"', r'style="text-align: \1"', markup)
    return re.sub(r"(?<=>)[^<>]+(?=<)", lambda found: found[0].translate(_MARKDOWN), markup)


def _in_text(found: re.Match[str]) -> str:
    """Code unchanged; a formula inside a span: a line that starts with a block element would end the paragraph."""
    return found[0] if found["code"] else f'<span class="formula">{mathml(found["formula"])}</span>'
