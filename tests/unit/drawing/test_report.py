"""The report: one safe file that loads nothing, small, the same every time."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from tests.unit.drawing.trees import HOSTILE, chain, grown, hostile_table, numbers_table

import hornbeam as hb
from hornbeam.drawing import report
from hornbeam.drawing.report.page import json_block
from hornbeam.errors import OptionError
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

ROOT = Path(__file__).resolve().parents[3]


class Page(HTMLParser):
    """Every tag with its attributes, and the text of scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.inside = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.inside = tag

    def handle_data(self, data):
        if self.inside in ("script", "style"):
            self.scripts.append(data)
        self.inside = ""


def values_of(text: str) -> dict:
    return json.loads(re.search(r'id="values">(.*?)</script>', text, re.DOTALL)[1])


@pytest.fixture(scope="module")
def prostate():
    table = hb.datasets.load("prostate")
    rows = np.arange(len(table))
    training, test = table.take(rows[rows % 3 > 0]), table.take(rows[rows % 3 == 0])
    tree = grown(training)
    return tree, training, test, report(tree, training, test, positive="cancer")


def test_the_file_is_small_and_names_nothing_outside(prostate):
    text = prostate[3].html
    assert len(text.encode()) < 200_000
    spaces = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml", "http://www.w3.org/1998/Math/MathML"}
    assert set(re.findall(r"https?://[\w./-]+", text)) <= spaces  # names of markup languages, never fetched
    for tag, attributes in Page(text).tags:
        assert tag not in ("link", "img", "iframe", "object", "embed", "form", "base")
        assert not {"src", "srcset", "action", "style"} & set(attributes)


def test_the_policy_allows_the_one_script_and_the_one_style_by_their_hashes(prostate):
    page = Page(prostate[3].html)
    policy = next(a["content"] for t, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    style, _, script = page.scripts
    for kind, text in (("script", script), ("style", style)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy


def test_hostile_names_stay_text():
    table = hostile_table()
    page = report(grown(table), table, title=HOSTILE[1], more_diagnostics=[HOSTILE[0]], rerun={HOSTILE[0]: HOSTILE[1]})
    parsed = Page(page.html)
    assert [tag for tag, _ in parsed.tags].count("script") == 2
    assert "img" not in [tag for tag, _ in parsed.tags]
    assert not any(name.startswith("on") for _, attributes in parsed.tags for name in attributes)
    found = values_of(page.html)
    assert found["columns"][0]["name"] == HOSTILE[0]
    assert found["classes"][1] == HOSTILE[1]
    assert "\u202e" not in page.html
    assert len(page.html) < 400_000


def test_json_between_script_tags_cannot_end_them():
    value = {"a": "</script><!-- & \u2028 \u2029"}
    block = json_block(value)
    assert not set("<>&\u2028\u2029") & set(block)
    assert json.loads(block) == value


def test_the_same_tree_and_rows_give_the_same_bytes(prostate):
    tree, training, test, page = prostate
    assert report(tree, training, test, positive="cancer").html == page.html


def test_the_page_is_written_whole_or_not_at_all(prostate, tmp_path):
    tree, training, _, _ = prostate
    page = report(tree, training, path=tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text("utf-8") == page.html
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    with pytest.raises(OptionError, match="html"):
        page.save(tmp_path / "report.pdf")
    with pytest.raises(OptionError, match="positive"):
        report(tree, training, positive="cancre")


def test_the_errors_of_pruned_trees_follow_from_the_values(prostate):
    tree, _, test, page = prostate
    nodes = values_of(page.html)["nodes"]
    wrong = (hb.predict(tree, test).codes != test.target.values).sum()
    leaves = [node for node, first in enumerate(nodes["first"]) if first < 0]
    inner = [node for node, first in enumerate(nodes["first"]) if first >= 0]
    assert sum(nodes["test"]["loss"][n] for n in leaves) + sum(nodes["test"]["ended"][n] for n in inner) == wrong
    assert nodes["test"]["loss"][0] == (test.target.values != tree.nodes.answer[0]).sum()


def test_numbers_have_scores_and_a_report_without_rows_has_none():
    table = numbers_table()
    tree = grown(table)
    found = values_of(report(tree, table, table).html)
    assert found["scores"]["tables"][0]["rows"]
    assert found["roc"] == []
    bare = values_of(report(tree).html)
    assert bare["scores"] is None
    assert bare["data"] is None
    assert bare["columns"][1]["low"] is not None  # from the cuts


def test_diagnostics_name_what_is_wrong():
    codes = np.repeat([0, 1], [60, 6])
    table = Table((nominal("copy", codes, ("a", "b")),), nominal("y", codes, ("no", "yes")))
    message = " ".join(values_of(report(grown(table), table).html)["diagnostics"])
    assert "copy" in message
    assert "yes" in message
    assert "No test rows" in message


def test_fifty_thousand_nodes_stay_under_five_megabytes():
    rng = np.random.default_rng(0)
    n = 80_000
    columns = tuple(numeric(f"x{i}", rng.normal(size=n)) for i in range(3))
    table = Table(columns, nominal("y", rng.integers(0, 2, n), ("no", "yes")))
    tree = grown(table)
    assert len(tree) > 45_000
    page = report(tree, table, table)
    assert len(page.html.encode()) < 5_000_000


def test_a_tree_too_large_for_the_file_is_truncated_with_a_diagnostic():
    tree = chain(60_000)
    page = report(tree)
    found = values_of(page.html)
    assert len(page.html.encode()) < 5_000_000
    kept = len(found["nodes"]["first"])
    assert sum(found["nodes"]["hidden"].values()) + kept == len(tree) == 120_001
    assert any("120,001 nodes" in each for each in found["diagnostics"])


def test_a_notebook_shows_the_page_in_a_closed_frame(prostate):
    shown = prostate[3]._repr_html_()
    (_, attributes), *rest = Page(shown).tags
    assert rest == []
    assert attributes["sandbox"] == "allow-scripts"
    assert attributes["srcdoc"] == prostate[3].html


@pytest.mark.skipif(
    not (ROOT / "web/node_modules/.bin/esbuild").exists() or shutil.which("node") is None,
    reason="the bundle is compared where node and the page's packages are installed",
)
def test_the_bundle_is_what_its_source_gives(tmp_path):
    subprocess.run([str(ROOT / "web/build.sh"), str(tmp_path)], check=True, timeout=120)
    for name in ("page.js", "page.css"):
        kept = (ROOT / "src/hornbeam/drawing/report" / name).read_bytes()
        assert (tmp_path / name).read_bytes() == kept, f"run web/build.sh and commit {name}"


def test_the_lock_file_names_no_registry():
    assert "http" not in re.sub(r'"(funding|url)":[^\n]*', "", (ROOT / "web/package-lock.json").read_text("utf-8"))


def declared(name: str) -> set[str]:
    """The keys of an interface in web/src/report/values.ts."""
    source = (ROOT / "web/src/report/values.ts").read_text("utf-8")
    body = re.search(rf"export interface {name} {{\n(.*?)\n}}", source, re.DOTALL)[1]
    return set(re.findall(r"^  (\w+):", body, re.MULTILINE))


def test_the_page_declares_the_values_that_python_writes(prostate):
    found = values_of(prostate[3].html)
    assert set(found) == declared("ReportValues")
    assert set(found["nodes"]) == declared("NodeValues")
    assert set(found["rows"]) == declared("RowValues")
    assert set(found["columns"][0]) == declared("ColumnValues")
    assert set(found["roc"][0]) == declared("RocValues")
    assert len(next(each for each in found["questions"] if each)) == len(declared("QuestionValues"))
    assert set(found["pruning"]) == declared("PruningValues")
    assert set(next(iter(found["profiles"].values()))) == declared("ProfileValues")
    assert {key for each in found["rerun"] for key in each} == {"title", "code"}
    assert {key for each in found["card"] for key in each} == {"title", "sentences", "head", "rows"}


def test_the_card_names_the_model_and_its_digest_unless_counts_are_hidden(prostate):
    tree, table = prostate[0], prostate[1]
    digest = hb.card(tree).content["digest"]
    sections = {each["title"]: each for each in values_of(report(tree, table).html)["card"]}
    assert list(sections) == ["Model", "Recipe", "Identity"]
    assert f"digest {digest}" in sections["Identity"]["sentences"]
    assert ["name", tree.recipe["name"]] in sections["Recipe"]["rows"]
    assert values_of(report(tree, table, min_count=5).html)["card"] == []
