"""A path describes what happened where a value was unknown; a summary has the competitors and the surrogates."""

import warnings

import numpy as np
import pytest

import hornbeam as hb
from hornbeam.errors import HornbeamWarning, InputError
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table
from hornbeam.tree.paths import path_steps

NAN = float("nan")


def patients():
    """psa splits eleven men; gleason agrees with it on 10 of 11, stage on 9."""
    psa = numeric("psa", [1, 2, 3, 4, 5, 11, 12, 13, 14, 15, 16])
    gleason = numeric("gleason", [5, 5, 5, 6, 6, 7, 8, 8, 9, 9, 6])
    stage = nominal("stage", [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0], ("T1", "T2"))
    return Table((psa, gleason, stage), nominal("cancer", [0] * 5 + [1] * 6, ("no", "yes")))


def man(psa=NAN, gleason=NAN, stage=-1):
    return [numeric("psa", [psa]), numeric("gleason", [gleason]), nominal("stage", [stage], ("T1", "T2"))]


def words(way, row, **more):
    return hb.tree.format_path(grow(patients(), Method(missing=way, **more)), row)


def test_a_known_answer_is_the_question_in_words():
    assert words("surrogates", man(psa=3)) == ["psa <= 8"]


def test_an_unknown_answer_names_the_surrogate_and_its_agreement():
    steps = words("surrogates", man(gleason=9))
    assert steps == ["psa missing: surrogate gleason (agrees for 91% of the rows): gleason > 6.5"]
    steps = words("surrogates", man(stage=0))
    assert steps == ["psa missing: surrogate stage (agrees for 82% of the rows): stage = T1"]


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        ("surrogates", "psa missing: majority branch: psa > 8"),
        ("skip_column", "psa missing: majority branch: psa > 8"),
        ({"name": "skip_column", "route": "stay"}, "psa missing: ends here"),
        ("fractional", "psa missing: all branches with fractions (45% psa <= 8, 55% psa > 8)"),
        ("learned", "psa missing: learned branch: psa > 8"),
        ("impute", "psa missing: imputed with 8.72727: psa > 8"),
        ({"name": "impute", "scope": "node"}, "psa missing: imputed with the mean at this node: psa > 8"),
    ],
)
def test_every_strategy_gives_the_reason_why_a_row_goes_where_it_goes(way, expected):
    assert words(way, man()) == [expected]


def test_an_own_branch_is_named():
    table = patients()
    values = table.columns[0].values.copy()
    values[[2, 3, 8]] = NAN
    holed = Table((numeric("psa", values),), table.target)
    tree = grow(holed, Method(missing="own_branch"))
    steps = hb.tree.format_path(tree, [numeric("psa", [NAN])])
    assert steps[0] in ("psa missing: separate branch for missing values", "psa is missing")


def test_steps_show_how_the_branch_was_found():
    tree = grow(patients(), Method(missing="surrogates"))
    step = path_steps(tree, man(gleason=9))[0]
    assert (step.node, step.branch, step.how, step.surrogate) == (0, 1, "surrogate", 0)
    with pytest.raises(InputError, match="There are 1 rows"):
        hb.tree.format_path(tree, man(), 1)


def test_a_summary_shows_split_competitors_surrogates_and_missing_values():
    tree = grow(patients(), Method(missing="surrogates", competitors=2))
    lines = hb.tree.summary(tree).split("\n")
    # 11 rows, 5 : 6: gain 11 (1 - (25 + 36) / 121) = 60 / 11.
    assert lines[0] == "Node 0: 11 rows, yes 55%, no 45%"
    assert lines[1].split() == ["split", "psa", "<=", "8", "gain", "5.455"]
    assert lines[2].split()[:4] == ["competitors", "gleason", "<=", "6.5"]
    assert lines[4].split() == ["surrogates", "gleason", "<=", "6.5", "agrees", "0.909,", "adjusted", "0.8"]
    assert lines[-1].split() == ["missing", "goes", "to", "psa", ">", "8"]


def test_a_summary_is_short_unless_all_is_requested():
    tree = hb.grow(hb.datasets.load("penguins"), hb.recipe("cart").with_changes(pruning=None))
    short, full = hb.tree.summary(tree, depth=1), hb.tree.summary(tree, full=True)
    assert "more inner nodes below" in short
    assert len(short) < len(full)
    assert full.count("Node ") == len(tree)
    assert hb.tree.summary(tree, 0).split("\n")[0] == full.split("\n")[0]


def test_missing_values_that_are_a_sign_in_training_and_gone_in_use_are_warned_about():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 300)
    x = np.where((y == 1) & (rng.random(300) < 0.8), NAN, rng.normal(size=300))
    tree = grow(Table((numeric("x", x),), nominal("y", y, ("A", "B"))), Method(missing="learned"))
    with pytest.warns(HornbeamWarning, match=r"'x' \(\d\d% in training, 0% now\)"):
        hb.predict(tree, [numeric("x", np.nan_to_num(x))])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hb.predict(tree, [numeric("x", x)])
        hb.predict(tree, [numeric("x", [0.5])])
