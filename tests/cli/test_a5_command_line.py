"""Bad and unusual inputs, part A5: the command line. The number in a name is that of the item.

Exit codes follow the command's own rule (2 for anything that cannot be read or written).
"""

from __future__ import annotations

import json
import os
import pathlib
import stat

import pytest

from hornbeam.cli.commands import grow as grow_command
from hornbeam.cli.part_flags import flags_of, registries
from hornbeam.cli.setting_text import default_text, value_of
from hornbeam.json_text import json_text

FRUIT = ("grow", "fruit.csv", "--target", "ripe", "--drop", "id")
as_root = pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read and write everything")


def test_166_no_arguments_gives_usage_and_2(run):
    ran = run()
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("usage: hornbeam COMMAND")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["grwo"], "Did you mean 'grow'?"),
        (["grow", "--tarket", "y"], "Did you mean --target"),
        (["grow", "fruit.csv", "--max-dpeth=3"], "Did you mean --max-depth"),
        (["grow"], "Missing argument: DATA"),
        (["grow", "fruit.csv", "--targ", "ripe"], "Did you mean --target"),
        (["--jsn"], "Unknown option '--jsn'"),
        (["-q"], "Unknown option '-q'"),
        (["show", "a.tree", "b.tree"], "Unexpected argument 'b.tree'"),
        (["parts", "ginni"], "Did you mean 'gini'"),
        (["recipes", "plane"], "Did you mean 'plain'?"),
        (["grow", "fruit.csv", "--target", "ripe", "--criterion", "entrpy"], "Did you mean 'entropy'?"),
        (
            ["grow", "fruit.csv", "--target", "ripe", "--max-depth", "x"],
            "See `hornbeam parts max_depth` for --max-depth",
        ),
        (["grow", "fruit.csv", "--target", "ripe", "--without-stop", "depht"], "the stop 'depht'"),
        (["grow", "fruit.csv", "--target", "ripe", "--seed", "x"], "--seed"),
        (["grow", "fruit.csv", "--target", "ripe", "--kind", "grade"], "COLUMN=KIND"),
        (["grow", "fruit.csv", "--target", "ripe", "--kind", "grad=nominal"], "Did you mean 'grade'?"),
        (["grow", "fruit.csv", "--target", "ripe", "--drop", "sise"], "Did you mean 'size'?"),
        (["evaluate", "fruit.csv"], "A model and data are required"),
    ],
)
def test_167_unknown_names_get_the_nearest(run, arguments, expected):
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert expected in ran.err
    assert [line.split(":")[0] for line in ran.err.splitlines()][:2] == ["error", "cause"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("fruti.csv", "no such file or directory.\nhint: Did you mean 'fruit.csv'?"),
        (".", "it is a folder, not a file"),
        ("pipe.csv", "it is a FIFO"),
        ("none*.csv", "No file matches 'none*.csv'"),
        ("fruit.csv\0", "the name contains a null character"),
        ("fruit.xyz", "Unknown file suffix"),
    ],
)
def test_168_files_that_cannot_be_read_are_named_with_the_reason(run, path, expected):
    os.mkfifo("pipe.csv")
    pathlib.Path("fruit.xyz").write_text("a,b\n1,2\n")
    ran = run("grow", path, "--target", "ripe")
    assert ran.code == 2
    assert expected in ran.err


@as_root
def test_168_a_file_without_permission(run):
    os.chmod("fruit.csv", 0)
    assert "permission denied" in run(*FRUIT).err


@pytest.mark.parametrize("command", ["show", "rules", "inspect"])
@pytest.mark.parametrize("name", ["none.tree", "folder.tree", "text.tree"])
def test_168_models_that_cannot_be_read(run, command, name):
    pathlib.Path("folder.tree").mkdir()
    pathlib.Path("text.tree").write_text("not a model")
    ran = run(command, name)
    assert (ran.code, ran.out) == (2, "")
    assert name in ran.err


@pytest.mark.parametrize("text", ["", "\n", "a,b\n"])
def test_169_a_file_without_rows(run, text):
    pathlib.Path("empty.csv").write_text(text)
    ran = run("inspect", "empty.csv")
    assert ran.code == 2
    assert "empty.csv" in ran.err


@pytest.mark.parametrize("text", ["größe,y\n1,a\n2,b\n", "size,y\ngroß,a\nklein,b\n"])
def test_170_text_that_is_not_utf_8_is_read_as_cp1252_with_the_flag(run, text):
    pathlib.Path("l.csv").write_bytes(text.encode("latin-1"))
    assert "read as cp1252; --encoding NAME sets another" in run("grow", "l.csv", "--target", "y").err
    assert run("grow", "l.csv", "--target", "y", "--encoding", "latin-1").code == 0


def test_174_bad_rows_are_an_error_or_skipped_with_exit_code_1(run):
    with open("fruit.csv", "a") as file:
        file.write("b4,red\n")
    assert run(*FRUIT).code == 2
    ran = run(*FRUIT, "--skip-bad-rows")
    assert ran.code == 1
    assert "skipped bad rows: 1 (lines 14)" in ran.err


def test_175_a_file_without_header_needs_a_flag(run):
    body = pathlib.Path("fruit.csv").read_text().partition("\n")[2]
    pathlib.Path("bare.csv").write_text(body)
    assert run("inspect", "bare.csv", "--no-header").code == 0


@pytest.mark.parametrize(
    "name",
    ["a b.csv", "qu'ote\".csv", "new\nline.csv", "-dash.csv", "🌳.csv", "a" * 251 + ".csv", "~tilde.csv", "[1].csv"],
)
def test_187_odd_paths_work(run, name):
    os.rename("fruit.csv", name)
    path = f"./{name}" if name.startswith("-") else name
    out = f"./{name[:200]}.tree"
    ran = run("grow", path, "--target", "ripe", "--drop", "id", "-o", out)
    assert ran.code == 0, ran.err
    assert run("show", out).out == ran.out
    assert "\n" not in ran.err.replace("\nnote", "").rstrip("\n")  # a newline in a name is escaped


@pytest.mark.parametrize("arguments", [["--", "-dash.csv"], ["./-dash.csv"]])
def test_187_a_path_that_begins_with_a_dash(run, arguments):
    os.rename("fruit.csv", "-dash.csv")
    assert run("inspect", *arguments).code == 0


def test_188_an_output_that_exists_needs_force(run, model):
    before = pathlib.Path(model).read_bytes()
    ran = run(*FRUIT, "--max-depth", "1", "-o", model)
    assert ran.code == 2
    assert "hint: Pass --force" in ran.err
    assert pathlib.Path(model).read_bytes() == before
    assert run(*FRUIT, "--max-depth", "1", "-o", model, "--force").code == 0
    assert pathlib.Path(model).read_bytes() != before


@pytest.mark.parametrize(
    ("path", "expected"),
    [("no/where.tree", "does not exist"), ("folder.tree", "is a folder"), ("fruit.txt", "Use one of .tree")],
)
def test_188_outputs_that_cannot_be(run, path, expected):
    pathlib.Path("folder.tree").mkdir()
    ran = run(*FRUIT, "-o", path)
    assert ran.code == 2
    assert expected in ran.err


@as_root
def test_188_a_folder_that_may_not_be_written_to(run):
    pathlib.Path("closed").mkdir(mode=stat.S_IRUSR | stat.S_IXUSR)
    assert "is not writable" in run(*FRUIT, "-o", "closed/a.tree").err


@pytest.mark.parametrize("other", ["fruit.csv", "./fruit.csv", "link.csv", "hard.csv"])
def test_189_an_output_is_never_an_input(run, model, other):
    os.symlink("fruit.csv", "link.csv")
    os.link("fruit.csv", "hard.csv")
    before = pathlib.Path("fruit.csv").read_bytes()
    ran = run("predict", model, "fruit.csv", "-o", other, "--force")
    assert ran.code == 2
    assert "is also an input" in ran.err
    assert pathlib.Path("fruit.csv").read_bytes() == before


def test_189_a_model_is_not_pruned_onto_itself(run, model):
    assert "is also an input" in run("prune", model, "--pruning", "pessimistic", "-o", model, "--force").err


def test_191_a_full_disk_leaves_the_old_file(run, model, monkeypatch):
    def full(path, data):
        raise OSError(28, "No space left on device")

    before = pathlib.Path(model).read_bytes()
    monkeypatch.setattr("hornbeam.tree.file.atomic.write_atomically", full)
    ran = run(*FRUIT, "-o", model, "--force")
    assert ran.code == 2
    assert "No space left on device" in ran.err
    assert "The previous content is unchanged." in ran.err
    assert pathlib.Path(model).read_bytes() == before


def test_192_ctrl_c_is_one_line_and_130_and_leaves_no_file(run, monkeypatch):
    def stop(args):
        raise KeyboardInterrupt

    monkeypatch.setattr(grow_command, "method_of", stop)
    ran = run(*FRUIT, "-o", "new.tree")
    assert ran.code == 130
    assert ran.err.strip() == "stopped; nothing was written"
    assert not [name for name in os.listdir(".") if name.endswith((".tree", ".tmp"))]


@pytest.mark.parametrize(("name", "value"), [("TERM", "dumb"), ("NO_COLOR", "1"), ("COLUMNS", "20")])
def test_194_odd_terminals_work(run, model, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    ran = run("show", model)
    assert ran.code == 0
    assert "\x1b" not in ran.out
    if name == "COLUMNS":
        assert max(map(len, ran.out.splitlines())) <= 20
    failed = run("show", "none.tree")
    assert ("\x1b" in failed.err) == (name == "COLUMNS")  # colour only where nothing forbids it


HOSTILE = "col\x1b[31mred\x07"


@pytest.mark.parametrize("command", ["inspect", "grow", "show", "rules", "evaluate", "predict"])
def test_195_escapes_in_names_and_levels_are_escaped(run, command):
    text = f"{HOSTILE},y\nx\x1b[2J,y\x9b\n{'z,n'}\nx\x1b[2J,y\x9b\nz,n\n"
    pathlib.Path("h.csv").write_text(text, encoding="utf-8")
    grown = run("grow", "h.csv", "--target", "y", "-o", "h.tree")
    assert grown.code == 0, grown.err
    arguments = {"inspect": ["h.csv"], "grow": ["h.csv", "--target", "y"], "evaluate": ["h.tree", "h.csv"]}
    ran = run(command, *arguments.get(command, ["h.tree", *(["h.csv"] if command == "predict" else [])]))
    assert ran.code == 0, ran.err
    if command == "predict":
        assert "\x9b" in ran.out  # machine CSV is the data as it is
    else:
        assert not [c for c in ran.out + ran.err if not c.isprintable() and c != "\n"]


def test_195_errors_escape_names_too(run):
    ran = run("grow", "fruit.csv", "--target", "\x1b[31mripe")
    assert "\x1b" not in ran.err
    assert "\\x1b" in ran.err


def test_196_text_for_a_spreadsheet_is_prefixed_and_machine_csv_is_not(run):
    pathlib.Path("f.csv").write_text("a,y\n1,=1+1\n2,+x\n1,=1+1\n2,+x\n")
    run("grow", "f.csv", "--target", "y", "--recipe", "plain", "-o", "f.tree")
    assert run("predict", "f.tree", "f.csv").out.splitlines()[1].startswith("0,=1+1,")
    assert run("predict", "f.tree", "f.csv", "--for-spreadsheet").out.splitlines()[1].startswith("0,'=1+1,")


def test_197_json_never_holds_nan(run, model):
    for arguments in (
        ("evaluate", model, "fruit.csv"),
        ("show", model),
        ("inspect", "fruit.csv"),
        ("parts",),
        ("recipes",),
    ):
        ran = run(*arguments, "--json")
        assert ran.code == 0
        assert ran.json  # the fixture's reader refuses NaN and Infinity
    assert json_text({"a": float("nan"), "b": [float("inf")]}, indent=None) == '{"a": null, "b": [null]}'


@pytest.mark.parametrize(
    ("arguments", "code", "location"),
    [
        (["grwo"], "usage", {}),
        (["grow", "none.csv", "--target", "y"], "data_file", {"path": "none.csv"}),
        (["grow", "fruit.csv", "--target", "rip"], "input", {"column": "rip", "path": "fruit.csv"}),
        (["grow", "fruit.csv", "--target", "ripe", "--max-depth=-1"], "option", {"option": "--max-depth"}),
        (["show", "none.tree"], "model_file", {"path": "none.tree"}),
        (["grow", "fruit.csv", "--target", "ripe", "-o", "x.y"], "cannot_write", {"path": "x.y"}),
    ],
)
def test_198_errors_in_json_mode_are_json_objects(run, arguments, code, location):
    ran = run(*arguments, "--json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.error["code"] == code
    assert ran.error["message"]
    assert ran.error["location"] == location
    assert ran.error["exit_code"] == 2


def test_199_a_target_that_is_not_there_or_is_called_like_an_option(run):
    assert "Did you mean 'ripe'?" in run("grow", "fruit.csv", "--target", "rippe").err
    text = pathlib.Path("fruit.csv").read_text().replace("ripe", "--target", 1)
    pathlib.Path("odd.csv").write_text(text)
    assert run("grow", "odd.csv", "--target=--target", "--drop", "id").code == 0


def test_199_without_a_target_the_columns_are_named(run):
    assert "Pass --target COLUMN. Available: id, colour, size, grade, ripe." in run("grow", "fruit.csv").err


def test_200_predict_needs_no_target_and_ignores_more_columns(run, model):
    lines = [line.rpartition(",")[0] for line in pathlib.Path("fruit.csv").read_text().splitlines()]
    pathlib.Path("new.csv").write_text("\n".join(lines) + "\n")
    ran = run("predict", model, "new.csv")
    assert ran.code == 0
    assert ran.out == run("predict", model, "fruit.csv").out
    assert "note: Columns that the model does not have are ignored: 'id'." in ran.err


def test_200_evaluate_refuses_a_class_that_the_model_does_not_know(run, model):
    pathlib.Path("other.csv").write_text("colour,size,grade,ripe\nred,1,low,maybe\n")
    assert "that the model lacks, first row 0" in run("evaluate", model, "other.csv").err


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("depht = 3", "Unknown key 'depht' of a recipe"),
        ('criterion = "ginni"', "Did you mean 'gini'?"),
        ('stops = [{ name = "max_depth", depth = "3" }]', "must be an integer"),
        ("criterion = !!python/object:os.system", "is not valid TOML"),
    ],
)
def test_204_a_recipe_file_with_a_wrong_key_type_or_tag(run, text, expected):
    pathlib.Path("r.toml").write_text(text)
    ran = run(*FRUIT, "--recipe", "r.toml")
    assert ran.code == 2
    assert expected in ran.err


def test_205_no_home_folder(run, monkeypatch):
    monkeypatch.delenv("HOME", raising=False)
    assert run(*FRUIT).code == 0


@as_root
def test_205_a_folder_that_is_read_only(run, tmp_path):
    os.chmod(tmp_path, 0o555)
    try:
        assert "is not writable" in run("demo").err
    finally:
        os.chmod(tmp_path, 0o755)


def test_debug_shows_where_an_error_arose_and_nothing_else_does(run):
    assert "Traceback" in run("show", "none.tree", "--debug").err
    assert "Traceback" not in run("show", "none.tree").err


def test_a_fault_of_the_program_reports_it(run, monkeypatch):
    def broken(args):
        raise RuntimeError("loose screw")

    monkeypatch.setattr(grow_command, "method_of", broken)
    ran = run(*FRUIT)
    assert ran.code == 2
    assert "Unexpected RuntimeError: loose screw" in ran.err
    assert "--debug" in ran.err


def test_flags_are_unique_and_every_setting_that_text_can_spell_has_one():
    flags = flags_of(list(registries()))
    names = [flag.name for flag in flags]
    assert len(set(names)) == len(names)
    assert {"--max-depth", "--cost-complexity-alpha", "--min-leaf"} <= set(names)


@pytest.mark.parametrize("flag", flags_of(list(registries())), ids=lambda flag: flag.name)
def test_every_default_can_be_typed(run, flag):
    typed = "" if flag.setting.default == () else default_text(flag.setting.default)
    if not isinstance(flag.setting.default, dict):
        assert value_of(flag.setting.type, typed) == flag.setting.default
    assert json.dumps(typed)
