"""Trees without a target on the command line: grown, relabeled, and the statistics of their leaves."""

from __future__ import annotations

SHAPE = ("grow", "fruit.csv", "--drop", "id", "--drop", "colour", "--drop", "grade", "--drop", "ripe")


def grown(run):
    return run(*SHAPE, "--search", "kd_median", "--max-depth", "1", "--without-stop", "pure", "-o", "shape.tree")


def test_a_search_without_target_needs_no_target(run):
    ran = grown(run)
    # The lower median of 1 2 5 6 6 7 7 8 8 9 9 is 7; the row without a size follows the majority.
    assert ran.code == 0
    assert ran.out == "no target   (12)\n├─ size <= 7.5   (8)\n└─ size > 7.5    (4)\n"


def test_other_searches_require_a_target(run):
    ran = run(*SHAPE)
    assert ran.code == 2
    assert "No target is given" in ran.err


def test_relabel_labels_the_tree_from_a_file(run):
    grown(run)
    ran = run("relabel", "shape.tree", "fruit.csv", "--target", "ripe", "--criterion", "entropy", "-o", "ripe.tree")
    assert ran.code == 0
    assert "note: saved ripe.tree: 2 leaves, depth 1" in ran.err
    assert ran.out == (
        "ripe: no 67%, yes 33%   (12 / 4)\n"
        "├─ size <= 7.5: no   (8 / 2)   no 75%, yes 25%\n"
        "└─ size > 7.5: no    (4 / 2)   no 50%, yes 50%\n"
    )
    assert run("show", "ripe.tree").out == ran.out


def test_relabel_prints_json(run):
    grown(run)
    found = run("relabel", "shape.tree", "fruit.csv", "--target", "ripe", "--json").json
    assert found["target"] == "ripe"
    assert found["tree"][1]["class_weights"] == [6.0, 2.0]


def test_a_tree_without_labels_has_no_predictions(run):
    grown(run)
    assert run("show", "shape.tree", "--json").json["tree"][0]["prediction"] is None
    ran = run("predict", "shape.tree", "fruit.csv")
    assert ran.out.split("\n")[:3] == ["row,prediction,node", "0,,1", "1,,1"]
    lines = run("predict", "shape.tree", "fruit.csv", "--json").out.split("\n")
    assert lines[0] == '{"row": 0, "prediction": null, "node": 1}'


def test_explanations_require_labels(run):
    grown(run)
    ran = run("explain", "shape.tree", "--importance")
    assert ran.code == 2
    assert "without a target" in ran.err


def test_relabel_does_not_overwrite_the_model(run):
    grown(run)
    ran = run("relabel", "shape.tree", "fruit.csv", "--target", "ripe", "-o", "shape.tree", "--force")
    assert ran.code == 2


def test_leaves_are_reported_for_a_loss(run):
    run("grow", "fruit.csv", "--target", "ripe", "--drop", "id", "--max-depth", "1", "-o", "f.tree")
    ran = run("explain", "f.tree", "--leaves")
    assert ran.out == (
        "Loss zero_one: risk 0.1667 of the tree, 0.3333 of the root; divergence of the predictions 0\n"
        "leaf   rows   P(leaf)   centroid     risk   divergence   from root\n"
        "1         6       0.5         no        0            0           0   colour = green\n"
        "2         6       0.5        yes   0.3333            0      0.3333   colour = red\n"
    )
    found = run("explain", "f.tree", "fruit.csv", "--leaves", "log", "--json").json["leaves"]
    assert found["loss"] == "log"
    assert found["leaves"][1]["centroid"] == {"no": 2 / 6, "yes": 4 / 6}


def test_an_unknown_loss_is_named(run):
    run("grow", "fruit.csv", "--target", "ripe", "--drop", "id", "-o", "f.tree")
    ran = run("explain", "f.tree", "--leaves", "brie")
    assert ran.code == 2
    assert "brier" in ran.err
