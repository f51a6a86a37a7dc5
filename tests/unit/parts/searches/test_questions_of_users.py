"""Listed questions are read, checked, tried in order, and stored under their names."""

import numpy as np
import pytest
from tests.examples import EXAMPLES

import hornbeam as hb
from hornbeam.errors import DataFileError, OptionError
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.parts.searches.custom_questions import CustomQuestions
from hornbeam.recipes.recipe import Recipe
from hornbeam.table.column import nominal, numeric, ordinal
from hornbeam.table.table import Table
from hornbeam.tree.file.files import from_bytes, to_bytes
from hornbeam.tree.questions import Named
from hornbeam.tree.walk import leaves


def is_long(level):
    return None if level == "?" else len(level) > 3


COLUMNS = (
    nominal("word", [0, 1, 2, 3, -1], ("?", "ant", "bear", "horse")),
    ordinal("size", [0, 1, 2, -1, 1], ("small", "medium", "large")),
    numeric("age", [1.0, 5.0, np.nan, 9.0, 3.0]),
)


@pytest.mark.parametrize(
    ("table", "branch", "words"),
    [
        ({"column": "word", "in": ["ant", "zebra"]}, [1, 0, 1, 1, -1], "word = ant"),
        ({"column": "word", "like": ["*a*"]}, [1, 0, 0, 1, -1], "word in {ant, bear}"),
        ({"column": "word", "matches": "r(se)?$"}, [1, 1, 0, 0, -1], "word in {bear, horse}"),
        ({"column": "word", "predicate": is_long}, [-2, 1, 0, 0, -1], "word in {bear, horse}"),
        ({"column": "size", "at_most": "medium"}, [0, 0, 1, -1, 0], "size <= medium"),
        ({"column": "size", "in": ["small", "large"]}, [0, 1, 0, -1, 1], "size in {small, large}"),
        ({"column": "age", "at_most": 3}, [0, 1, -1, 1, 0], "age <= 3"),
        ({"column": "age", "above": 3}, [1, 0, -1, 0, 1], "age > 3"),
        ({"column": "age", "between": [1, 5]}, [1, 0, -1, 1, 0], "age > 1 and age <= 5"),
        ({"column": "age", "is_missing": True}, [1, 1, 0, 1, 1], "age is missing"),
        ({"column": "age", "is_missing": True, "not": True}, [0, 0, 1, 0, 0], "age is known"),
        (
            {"all": [{"column": "age", "above": 3}, {"column": "size", "at_most": "small"}]},
            [1, 1, 1, -1, 1],
            "age > 3 and size <= small",
        ),
        (
            {"name": "either", "any": [{"column": "age", "above": 3}, {"column": "word", "in": ["bear"]}]},
            None,
            "either",
        ),
    ],
)
def test_a_table_becomes_a_question(table, branch, words):
    (question,) = CustomQuestions(questions=[table]).questions_about(COLUMNS)
    schema = Table(COLUMNS).schema
    assert question.text(schema) == words
    if branch is not None:
        assert question.branch(COLUMNS).tolist() == branch


@pytest.mark.parametrize(
    ("questions", "message"),
    [
        ([], "either questions or file"),
        ([{"column": "age"}], "Question 0 must have one of"),
        ([{"column": "age", "above": 1, "at_most": 2}], "got at_most and above"),
        ([{"name": "old", "column": "age", "abov": 1}], "Question 'old' has an unknown key 'abov'"),
        ([{"in": ["a"]}], "has in, which requires a column"),
        ([{"column": "x", "all": [{"column": "x", "above": 1}]}], "which requires no column"),
        ([{"column": "x", "in": "abc"}], "in must be a list"),
        ([{"column": "x", "matches": "("}], "must be a regular expression"),
        ([{"column": "x", "predicate": "no such"}], "predicate must be a function"),
        ([{"column": "x", "predicate": "no.such:thing"}], "which is not imported"),
        ([{"column": "x", "between": [1]}], "between must be a list of two"),
        ([{"name": "q", "column": "x", "above": 1}] * 2, "two are named 'q'"),
        ([{"all": [{"column": "x", "frob": 1}]}], "Question 0, part 0 has an unknown key 'frob'"),
        ([{"name": 3, "column": "x", "above": 1}], "name must be text"),
    ],
)
def test_a_table_that_has_no_question_or_two_things_is_refused(questions, message):
    with pytest.raises(OptionError, match=message.replace("(", r"\(")):
        CustomQuestions(questions=questions)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"column": "agee", "above": 1}, "'agee', which is not a column. Did you mean 'age'"),
        ({"column": "age", "in": ["1"]}, "is numeric"),
        ({"column": "word", "above": 1}, "have no order"),
        ({"column": "size", "at_most": "smal"}, "not a level of 'size'. Did you mean 'small'"),
        ({"column": "age", "above": "old"}, "must be a number"),
    ],
)
def test_a_question_that_does_not_suit_the_table_is_refused(table, message):
    with pytest.raises(OptionError, match=message):
        CustomQuestions(questions=[table]).questions_about(COLUMNS)


def test_a_file_holds_the_list_and_the_recipe_the_questions_themselves(tmp_path):
    path = tmp_path / "questions.toml"
    path.write_text('[[questions]]\nname = "old"\ncolumn = "age"\nabove = 60\n', encoding="utf-8")
    from_file = CustomQuestions(file=str(path))
    assert from_file == CustomQuestions(questions=[{"name": "old", "column": "age", "above": 60}])
    recipe = Recipe(name="mine", searches=(from_file,))
    assert Recipe.from_toml(recipe.to_toml()) == recipe
    path.write_text("questions = 3\n", encoding="utf-8")
    with pytest.raises(DataFileError, match="one list called questions"):
        CustomQuestions(file=str(path))
    path.write_text("questions = [\n", encoding="utf-8")
    with pytest.raises(DataFileError, match="not valid TOML"):
        CustomQuestions(file=str(path))
    with pytest.raises(DataFileError, match="cannot be read"):
        CustomQuestions(file=str(tmp_path / "none.toml"))


def test_a_function_is_written_by_its_address():
    part = CustomQuestions(questions=[{"column": "word", "predicate": is_long}])
    assert part.as_table()["questions"] == [{"column": "word", "predicate": f"{__name__}:is_long"}]


def phones():
    """The states of E1.2, each as two rows a standard deviation from its mean: together they have its moments."""
    data = EXAMPLES["E1.2"]
    names = list(data["input"]["states"])
    states = np.array(list(data["input"]["states"].values()), dtype=float)
    occupancy, mean, spread = states[:, 0], states[:, 1], np.sqrt(states[:, 2])
    table = Table(
        (nominal("state", np.tile(np.arange(4), 2), tuple(names)),),
        numeric("value", np.concatenate([mean - spread, mean + spread])),
        np.tile(occupancy / 2, 2),
    )
    questions = [
        {"name": name, "column": "state", "in": members} for name, members in data["input"]["questions"].items()
    ]
    return table, questions, data


def likelihood(parent, branches):
    """The rise of the log-likelihood of a Gaussian for every branch, from (weight, sum, sum of squares)."""

    def log_likelihood(stats):
        weight, sums, squares = stats[..., 0], stats[..., 1], stats[..., 2]
        variance = squares / weight - (sums / weight) ** 2
        return -weight / 2 * (1 + np.log(2 * np.pi * variance))

    return log_likelihood(branches).sum(axis=-1) - log_likelihood(parent)


def test_worked_example_e1_2_the_fricatives_come_first():
    table, questions, data = phones()
    trace = hb.Trace()
    method = Method(
        criterion={"name": "custom", "function": likelihood, "target": "number"},
        searches=({"name": "custom_questions", "questions": questions},),
        order="best_first",
    ).with_changes(without=["min_leaf"], stops=[{"name": "min_leaf", "weight": float(data["input"]["RO"])}])
    tree = grow(table, method, trace=trace)
    expected = data["expected"]["improvement"]
    scores = {each.question.name: each.score for each in trace.steps[0].tried}
    assert scores == pytest.approx(expected, abs=1e-9)
    assert tree.question(0) == Named("L_Fric", tree.question(0).question)
    assert tree.branch_text(0, 1) == "not L_Fric"
    assert tree.nodes.score[0] == pytest.approx(expected["L_Fric"], abs=1e-9)
    below = {tree.question(node).name: tree.nodes.score[node] for node in (1, 2) if tree.nodes.question[node] >= 0}
    # Without a threshold both branches are used once more; the scores are those of the second level.
    assert below["L_Voiced"] == pytest.approx(data["expected"]["second_level"]["fric/L_Voiced"], abs=1e-9)
    assert below["L_Nasal"] == pytest.approx(data["expected"]["second_level"]["nonfric/L_Nasal"], abs=1e-9)


def test_questions_are_tried_in_their_order_and_not_again_once_answered():
    x = np.array([0, 0, 1, 1])
    table = Table((nominal("a", x, ("p", "q")),), nominal("y", x, ("no", "yes")))
    same = [{"name": name, "column": "a", "in": ["p"]} for name in ("second", "first")]
    assert grow(table, Method(searches=({"name": "custom_questions", "questions": same},))).question(0).name == "second"
    noisy = Table((nominal("a", x, ("p", "q")),), nominal("y", [0, 0, 0, 1], ("no", "yes")))
    tree = grow(noisy, Method(searches=({"name": "custom_questions", "questions": same},)))
    assert tree.n_leaves == 2


def test_a_single_column_wins_a_tie_and_a_price_moves_the_choice():
    x = np.arange(8.0)
    table = Table((numeric("x", x),), nominal("y", (x > 3.5).astype(int), ("no", "yes")))
    good = {"name": "custom_questions", "questions": [{"name": "late", "column": "x", "above": 3.5}]}
    assert grow(table, Method(searches=("sorted_cuts", good))).question(0).kind == "threshold"
    expensive = Method(searches=("sorted_cuts", good), split_penalty={"threshold": 0.1})
    assert grow(table, expensive).question(0).kind == "named"
    with pytest.raises(OptionError, match="not a kind of question"):
        Method(split_penalty={"nam": 0.1})


def test_a_tree_of_given_questions_is_saved_drawn_pruned_and_walked():
    rng = np.random.default_rng(6)
    n = 200
    words = tuple(f"{a}{b}" for a in "abc" for b in "xyz")
    codes = rng.integers(0, 9, n)
    age = np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n))
    y = ((codes < 3) & (np.nan_to_num(age) > 0) | (rng.random(n) < 0.1)).astype(int)
    table = Table((nominal("word", codes, words), numeric("age", age)), nominal("y", y, ("no", "yes")))
    questions = [
        {"name": "begins with a", "column": "word", "matches": "^a"},
        {"name": "old", "column": "age", "above": 0},
        {"all": [{"column": "word", "like": ["?z"]}, {"column": "age", "between": [-1, 1]}]},
    ]
    tree = grow(table, Method(searches=({"name": "custom_questions", "questions": questions},)))
    again = from_bytes(to_bytes(tree))
    assert str(again) == str(tree)
    assert "begins with a" in str(tree)
    assert "begins with a" in hb.draw(tree).svg
    core, plain = (leaves(again, table.columns, engine=engine) for engine in ("core", "python"))
    np.testing.assert_array_equal(core, plain)
    assert hb.prune(tree, "pessimistic").n_leaves <= tree.n_leaves
    assert any("begins with a" in str(rule) for rule in str(hb.extract_rules(tree)).splitlines())
