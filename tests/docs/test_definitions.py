"""Every citation of a definition, a worked example or a lecture note leads to a page of the repository."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from docs.site import definitions
from tests.architecture.repository import ROOT, tracked

from hornbeam.cli.part_flags import registries

TEXT = {".py", ".cpp", ".hpp", ".md", ".toml", ".ts", ".js", ".css", ".html", ".sh", ".yml", ".json", ".pyi", ""}
PAGES = {path.name: path.read_text("utf-8") for path in sorted(definitions.FOLDER.glob("*.md"))}
EXAMPLE = re.compile(r"\bE\d+\.\d+\b")
LECTURE_NOTE = re.compile(r"\b[Ll]ecture notes? (\d+)((?:(?:, | and | to )\d+)*)")
# Documents that readers of the repository do not have; the words are split so that this file does not cite them.
OUTSIDE = re.compile(
    r"\bALGO" + r"RITHMS(?:\.md| (?:section )?E?\d)|\bRELIA" + r"BILITY(?:\.md| [A-Z]\d)"
    r'|(?<!"\.\./)(?<!src/)\bshar' + r"ed/"  # imports of the page's sources have a folder of that name
    r"|\b(?:METHODS|REVIEW|WORDS|DESIGN|HEART|CLUSTER)" + r"\.md|\b[Nn]otes? 00\d"
)


def texts(*folders: str) -> dict[str, str]:
    """The tracked text files of these folders, or of the whole repository."""
    found = [path for path in tracked() if path.suffix in TEXT and (not folders or path.parts[0] in folders)]
    return {str(path): (ROOT / path).read_text("utf-8") for path in found if (ROOT / path).is_file()}


def examples() -> dict[str, object]:
    """The worked examples whose numbers are recorded."""
    recorded = json.loads((ROOT / "tests" / "data" / "examples.json").read_text("utf-8"))
    return {each["id"]: each for each in recorded["examples"]}


def numbers_in(value: object) -> list[float]:
    """All numbers inside a recorded example, those in texts included."""
    if isinstance(value, dict):
        return [number for pair in value.items() for each in pair for number in numbers_in(each)]
    if isinstance(value, list):
        return [number for each in value for number in numbers_in(each)]
    return [float(each) for each in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", str(value))]


def test_every_citation_of_a_definition_has_its_heading():
    wrong = {
        f"{path}: definition {number}"
        for path, text in texts("src", "native", "tests", "docs", "benchmarks", "examples").items()
        for number in definitions.cited(text)
        if number not in definitions.known()
    }
    assert wrong == set()


def test_a_citation_is_found_across_lines_and_in_lists():
    assert definitions.cited("see Definitions 4.1, 4.2.4 and 0.3, or definition\n    // 7.6") == [
        *("4.1", "4.2.4", "0.3"),
        "7.6",
    ]
    assert definitions.cited("the definition 12 gives") == []


def test_a_citation_becomes_a_link_to_the_heading():
    shown = definitions.linked("as in definitions 4.2.7 and 0.3", "guides/recipes.md")
    assert "[definitions 4.2.7](../definitions/04-named-methods.md#definition-4-2-7)" in shown
    assert "and [0.3](../definitions/00-conventions.md#definition-0-3)" in shown
    assert definitions.linked("of lecture note 3", "start.md") == "of [lecture note 3](lecture-notes/note-3.md)"
    heading = definitions.with_anchors("### 4.2.7 Grouping of levels")
    assert heading == "### 4.2.7 Grouping of levels { #definition-4-2-7 }"


def test_the_numbers_of_a_page_ascend_and_begin_with_the_number_of_the_page():
    for name, text in PAGES.items():
        numbers = [tuple(map(int, each.split("."))) for each in re.findall(r"^#+ (\d+(?:\.\d+)*) ", text, re.MULTILINE)]
        assert numbers == sorted(set(numbers)), name
        assert {each[0] for each in numbers} <= {int(name[:2])} if name[:2].isdigit() else not numbers


def test_every_worked_example_that_is_cited_is_on_a_page():
    cited = {each for text in texts("src", "native", "tests").values() for each in EXAMPLE.findall(text)}
    shown = {each for text in PAGES.values() for each in re.findall(rf"\*\*({EXAMPLE.pattern})", text)}
    assert cited - shown == set()


def test_every_worked_example_on_a_page_is_recorded():
    assert {each for text in PAGES.values() for each in EXAMPLE.findall(text)} <= set(examples())


@pytest.mark.parametrize("name", sorted(PAGES))
def test_the_numbers_of_a_worked_example_are_the_recorded_ones_rounded(name):
    recorded, wrong = examples(), []
    for example, text in re.findall(r"^\*\*(E\d+\.\d+)\.\*\*(.*?)(?=\n\n|\Z)", PAGES[name], re.MULTILINE | re.DOTALL):
        known = numbers_in(recorded[example])
        text = re.sub(r"\$\S+ \\cdot 10\^\{-\d+\}\$", "", text)  # powers of ten
        for token in re.findall(r"(?<![\w.])-?\d+\.\d+(?!\w)", text):
            half = 0.5001 * 10.0 ** -len(token.partition(".")[2])
            if not any(abs(scale * each - float(token)) <= half for each in known for scale in (1, 100)):
                wrong.append(f"{example}: {token}")
    assert wrong == []


def test_every_part_has_a_definition_and_every_part_of_a_definition_exists():
    names = {part.name for parts in registries().values() for part in parts if part.__module__.startswith("hornbeam.")}
    assert names - set(definitions.parts()) == set(), "parts without a definition"
    assert set(definitions.parts()) - names == set(), "definitions of parts that do not exist"


def test_every_lecture_note_that_is_cited_has_its_page():
    pages = {path.stem.removeprefix("note-") for path in (ROOT / "docs" / "lecture-notes").glob("note-*.md")}
    cited = {
        number
        for text in texts("src", "native", "tests", "docs").values()
        for found in LECTURE_NOTE.finditer(text)
        for number in re.findall(r"\d+", found[0])
    }
    assert cited <= pages


def test_no_text_cites_a_document_outside_the_repository():
    found = {f"{path}: {each[0]}" for path, text in texts().items() for each in OUTSIDE.finditer(text)}
    assert found == set()


@pytest.mark.parametrize("name", sorted(PAGES))
def test_every_formula_of_a_page_becomes_mathml(name):
    pytest.importorskip("latex2mathml", reason="latex2mathml is not installed")
    from docs.site import formulas

    made = formulas.with_mathml(PAGES[name])
    prose = "".join(each for each in formulas.FENCE.split(made) if not each.startswith("```"))
    assert "```math" not in made
    assert "$" not in prose
    assert "http" not in "".join(re.findall(r"<math.*?</math>", made))


def test_files_named_on_the_pages_exist():
    named = {each for text in PAGES.values() for each in re.findall(r"`((?:tests|examples|docs)/[\w./-]+)`", text)}
    assert {each for each in named if not Path(ROOT / each).exists()} == set()
