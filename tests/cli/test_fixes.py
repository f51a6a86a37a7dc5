"""Fixes of errors: every setting that an error recommends exists in Python and, if it is there, on the command line."""

from __future__ import annotations

import ast
import copy
import dataclasses
import functools
import inspect
import pathlib
import pickle
import re

import pytest

import hornbeam as hb
from hornbeam.cli.command import command_names, command_parser
from hornbeam.cli.fixes import FLAGS, NOT_ON_THE_COMMAND_LINE, fix_values, spelling_for
from hornbeam.cli.part_flags import registries
from hornbeam.errors import DataFileError, InputError, OptionError, Set, advice
from hornbeam.options import settings_of

SOURCE = pathlib.Path(hb.__file__).parent


@functools.cache
def recommended() -> list[tuple[str, Set]]:
    """Every `Set(...)` in the source, with its place; a name that is computed stands for all fields of its class."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        if path.name == "fixes.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Set":
                found += [(f"{path.name}:{node.lineno}", fix) for fix in _fixes(node)]
    return found


def _fixes(call: ast.Call) -> list[Set]:
    given = dict(zip(("setting", "value", "purpose", "inside"), call.args)) | {
        each.arg: each.value for each in call.keywords
    }
    inside = given["inside"].value if "inside" in given else ""
    value = given["value"].value if isinstance(given.get("value"), ast.Constant) else ...
    if isinstance(given["setting"], ast.Constant):
        return [Set(given["setting"].value, value, inside=inside)]
    return [Set(field.name, value, inside=inside) for field in dataclasses.fields(getattr(hb, inside))]


@functools.cache
def parts() -> dict[str, list[type]]:
    named: dict[str, list[type]] = {}
    for registry in registries().values():
        for part in registry:
            named.setdefault(part.name, []).append(part)
    return named


@functools.cache
def arguments() -> set[str]:
    """The names of the arguments of all public functions and classes."""
    found: set[str] = set()
    for name in hb.__all__:
        public = getattr(hb, name)
        if callable(public):
            found |= set(inspect.signature(public).parameters)
    from hornbeam import drawing, explanation
    from hornbeam.growing.method import Method
    from hornbeam.table.readers import csv
    from hornbeam.tree.file.files import load_tree

    for function in (
        csv.raw,
        load_tree,
        Method,
        drawing.regions,
        *(getattr(explanation, name) for name in explanation.__all__),
    ):
        found |= set(inspect.signature(function).parameters) if callable(function) else set()
    return found


def ids(each: tuple[str, Set]) -> str:
    return f"{each[0]} {each[1].setting}"


@pytest.mark.parametrize("each", recommended(), ids=ids)
def test_every_recommended_setting_is_an_argument_in_python(each):
    _, fix = each
    part, _, name = fix.setting.rpartition(".")
    if part:
        settings = {setting.name: setting for kind in parts()[part] for setting in settings_of(kind)}
        assert name in settings
        choices = settings[name].option.choices
        assert fix.value in (..., None) or not choices or fix.value in choices
    elif fix.inside[:1].isupper():
        assert name in inspect.signature(getattr(hb, fix.inside)).parameters
    elif fix.inside:
        assert name in inspect.signature(getattr(hb, fix.inside)).parameters or name in arguments()
    else:
        assert name in arguments()


@pytest.mark.parametrize("each", recommended(), ids=ids)
def test_every_recommended_setting_has_a_flag_or_is_listed_as_having_none(each):
    _, fix = each
    spelled = [spelling_for(command_parser(name))(fix) for name in command_names()]
    key = f"{fix.inside}.{fix.setting}" if fix.inside[:1].isupper() else fix.setting
    if key in NOT_ON_THE_COMMAND_LINE:
        assert spelled == [None] * len(spelled)
    else:
        assert any(spelled) or (fix.setting, fix.value) == ("header", True)  # names in the first line are the default


def test_the_explicit_tables_name_only_settings_that_are_recommended():
    named = {name for _, fix in recommended() for name in (fix.setting, f"{fix.inside}.{fix.setting}")}
    assert set(FLAGS) | NOT_ON_THE_COMMAND_LINE <= named


@pytest.mark.parametrize(
    ("command", "fix", "text"),
    [
        ("grow", Set("encoding", "latin-1"), "--encoding latin-1"),
        ("grow", Set("delimiter", "\t"), "--delimiter '\\t'"),
        ("grow", Set("header", False), "--no-header"),
        ("grow", Set("header", True), None),
        ("grow", Set("bad_rows", "skip"), "--skip-bad-rows"),
        ("grow", Set("kinds", {"age": "nominal"}), "--kind age=nominal"),
        ("grow", Set("kinds", {"a b": ["x", "y"]}), "--kind 'a b=x<y'"),
        ("grow", Set("target", inside="read"), "--target COLUMN"),
        ("predict", Set("target", inside="read"), None),
        ("grow", Set("impute.method", "median"), "--impute-method median"),
        ("grow", Set("boosting.validation_fraction", None), "--boosting-validation-fraction none"),
        ("grow", Set("trust", True, inside="recipe"), "--trust-recipe"),
        ("show", Set("member"), "--tree-index N"),
        ("prune", Set("folds", inside="PruningData"), "--folds N --training DATA"),
        ("evaluate", Set("folds", inside="PruningData"), None),
        ("predict", Set("unseen", "stay", inside="grow"), "--unseen stay to hornbeam grow"),
        ("explain", Set("background", None), "no --background"),
        ("explain", Set("table"), "DATA"),
        ("grow", Set("engine", "python"), None),
    ],
)
def test_fixes_are_spelled_as_flags_of_the_command(command, fix, text):
    spelling = spelling_for(command_parser(command))
    assert fix_values(fix, spelling)["flag"] == text
    assert advice([fix], spelling=spelling) == (f"Pass {text}." if text else "")


def test_fixes_are_spelled_as_arguments_in_python():
    error = DataFileError("No.", fix=[Set("unseen", "stay"), Set("unseen", "majority"), Set("header", False, "if so")])
    assert str(error) == "No. Pass unseen='stay' or 'majority', or header=False if so."
    assert InputError("No.", fix=Set("folds", inside="PruningData")).hint == "Pass PruningData(folds=...)."
    assert OptionError("No.", fix=Set("impute.method", "mode")).hint == "Pass method='mode' to impute."
    assert InputError("No.", fix=Set("target", inside="read")).hint == "Pass target=... to read."


def test_a_hint_that_begins_with_or_continues_the_sentence():
    assert advice([Set("target")], "or omit the loss.") == "Pass target=..., or omit the loss."
    assert advice([], "or omit the loss.") == "Omit the loss."
    assert advice([Set("target")], "See the guide.") == "Pass target=... See the guide."


def test_errors_with_fixes_are_pickled_and_copied():
    error = InputError("No.", hint="or stop.", fix=Set("kinds", {"a": "nominal"}), column="a")
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert str(other) == str(error) == "No. Pass kinds={'a': 'nominal'}, or stop."
        assert (other.fix, other.details) == (error.fix, {"column": "a"})


def test_json_lists_the_fixes(run):
    pathlib.Path("l.csv").write_bytes("größe,y\n1,a\n2,b\n".encode() + b"3,\xff\n")
    found = run("grow", "l.csv", "--target", "y", "--json").error
    assert found["fix"] == [{"set": "encoding", "value": "latin-1", "flag": "--encoding latin-1"}]
    assert found["hint"].startswith("Pass --encoding latin-1")


def test_only_the_command_line_names_flags():
    flag = re.compile(r"(?<![\w-])--[a-z]+(-[a-z]+)*(?![\w>-])")
    commands = {"rerun.py"}  # the report prints whole commands
    found = []
    for path in SOURCE.rglob("*.py"):
        if "cli" in path.relative_to(SOURCE).parts or path.name in commands:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and flag.search(node.value):
                found.append(f"{path.name}:{node.lineno}")
    assert found == []


def test_hints_begin_with_a_verb_of_plain_english():
    dialect = re.compile(r"\b(Say|Known are|Name one|Leave \w+ out)\b")
    found = []
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "hint" and dialect.search(ast.unparse(node.value)):
                found.append(f"{path.name}:{node.value.lineno}")
    assert found == []


@pytest.mark.parametrize("name", command_names())
def test_flags_that_are_added_later_parse_as_before(name):
    complete = command_parser(name)
    for flag in complete.flags():
        action = complete.find(flag)
        assert action is not None
        if "." in action.dest and not action.dest.startswith("part."):
            arguments = ["MODEL.tree" for each in complete._actions if not each.option_strings]
            parsed = vars(command_parser(name).parse_args([*arguments, f"{flag}=x"]))
            assert [parsed[key] for key in parsed if key == action.dest] == ["x"]


def test_a_parser_has_only_the_part_flags_that_occur():
    parser = command_parser("grow")
    parser.parse_args(["d.csv", "--max-depth", "2", "--forest-n-trees=3"])
    later = [action.option_strings[0] for action in parser._actions if action.dest.count(".") > 1]
    assert sorted(later) == ["--forest-n-trees", "--max-depth"]
    assert len(parser.flags()) > 100
