"""What the tests of hostile files need: the scripts of child processes, and model files crafted with correct hashes."""

from __future__ import annotations

import subprocess
import sys

import numpy as np

import hornbeam as hb
from hornbeam.tree.file import container, plain_values
from hornbeam.tree.file.files import to_bytes

# What the child does with every command and every public name. It prints what the audit hook saw.
WATCHED = r"""
import contextlib, inspect, io, json, os, sys, warnings
import numpy as np
import hornbeam as hb
from hornbeam.cli.command import command_names
from hornbeam.cli.main import main
warnings.simplefilter("ignore")
seen, faults, called = [], [], set()
STARTS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty", "ctypes.dlopen")

def watch(event, args):
    if event == "import" and str(args[0]).split(".")[0] == "stranger":
        seen.append([event, str(args[0])])
    elif event in STARTS or (event == "open" and str(args[0]).endswith("secret.toml")):
        seen.append([event, str(args[0])])

models, recipes, rules = sys.argv[1].split(","), sys.argv[2].split(","), sys.argv[3]
MODEL = {
    "show": [], "inspect": [], "evaluate": ["d.csv"], "predict": ["d.csv"], "draw": ["-o", "out.svg", "--force"],
    "report": ["d.csv", "-o", "out.html", "--force"], "rules": [], "explain": ["d.csv", "--row", "0"],
    "prune": ["--pruning", "cost_complexity", "--training", "d.csv", "--folds", "3"],
    "relabel": ["d.csv", "--target", "species", "-o", "relabeled.tree", "--force"],
    "ask": [], "questionnaire": [],
    "export": ["-o", "out.json", "--force"], "convert": ["-o", "converted.tree", "--force"],
}
MORE = [
    ["prune", "MODEL", "--complexity-table", "--training", "d.csv", "--folds", "3"],
    ["rules", "MODEL", "--method", "postpruned", "--training", "d.csv"],
    ["rules", "MODEL", "--method", "c45rules", "--training", "d.csv"],
    ["explain", "MODEL", "d.csv", "--importance", "permutation"],
    ["explain", "MODEL", "d.csv", "--diagnostics"],
    ["predict", rules, "d.csv"], ["rules", rules], ["show", rules], ["inspect", rules],
]
RECIPE = {
    "grow": ["d.csv", "--target", "species"], "compare": ["d.csv", "--target", "species", "--folds", "2"],
    "recipes": None, "demo": ["-o", "demo.html", "--force"], "parts": [],
    "help": ["grow"], "completion": ["bash"], "estimate": ["d.csv", "--target", "species"],
}
assert set(MODEL) | set(RECIPE) == set(command_names()), set(command_names()) ^ (set(MODEL) | set(RECIPE))

def command(*words):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(list(words))
    if "fault of hornbeam" in err.getvalue():
        faults.append([list(words), err.getvalue()])

def tried(label, call):
    called.add(label)
    with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
        call()

sys.addaudithook(watch)
for model in models:
    for verb, words in MODEL.items():
        command(verb, model, *words)
    for words in MORE:
        command(*[model if word == "MODEL" else word for word in words])
for recipe in recipes:
    for verb, words in RECIPE.items():
        if words is None:
            command(verb, recipe)
        elif verb in ("grow", "compare"):
            command(verb, *words, "--recipe", recipe)
        else:
            command(verb, *words)
    command("evaluate", "d.csv", "--target", "species", "--folds", "2", "--recipe", recipe)
    command("compare", "d.csv", "--target", "species", "--folds", "2", "--prunings", "--recipe", recipe)
table = hb.read("d.csv", target="species")
X, y = np.random.default_rng(0).normal(size=(30, 4)), np.arange(30) % 3
models = [model for model in models if not model.startswith("file")]
loaded = [hb.load(model) for model in models] + [hb.load(rules)]
for name in hb.__all__:
    thing = getattr(hb, name)
    if not callable(thing):
        continue
    for model, path in zip(loaded, [*models, rules]):
        for args in ((model,), (path,), (model, table), (table, model), (model, table, "training"), (model, 0)):
            tried(name, lambda: str(thing(*args)))
        tried(name, lambda: thing(table, continue_from=model, n_trees=3))
        with contextlib.suppress(Exception):
            stored = hb.load(path).recipe
            for call in (lambda: thing(stored), lambda: thing(table, stored), lambda: thing(**stored)):
                tried(name, call)
    for recipe in recipes:
        for args in ((recipe,), (table, recipe), (table, recipe, 2)):
            tried(name, lambda: thing(*args))
        if isinstance(thing, type) and hasattr(thing, "fit"):
            for key in ("recipe", "estimator"):
                tried(name, lambda: thing(**{key: recipe}).fit(X, y))
            for key in ("criterion", "searches"):
                tried(name, lambda: thing(**{key: {"name": "custom", "function": "stranger:attack"}}).fit(X, y))
print(json.dumps({"seen": seen, "faults": faults, "called": sorted(called)}))
"""


LIMITED = r"""
import resource, sys, time
import hornbeam as hb
from hornbeam.errors import HornbeamError
import hornbeam.tree.file.files, hornbeam.rules.files, hornbeam.tree.file.forest_arrays, hornbeam.recipes.grow
import tracemalloc
size = next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmSize"))
resource.setrlimit(resource.RLIMIT_AS, (size + int(sys.argv[1]),) * 2)
for path in sys.argv[2:]:
    try:
        model = hb.load(path) if path.endswith(".rules") else hb.load(path)
        print("loaded")
    except HornbeamError as error:
        print(type(error).__name__, error.message[:200].replace("\n", " "))
"""


def limited(tmp_path, files: dict[str, bytes], memory: int = 200 << 20) -> list[str]:
    """What loading each file gives, in a child process that may allocate a given number of bytes more than it has."""
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    words = [sys.executable, "-c", LIMITED, str(memory), *files]
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr[-3000:]
    lines = ran.stdout.splitlines()
    assert len(lines) == len(files)
    return lines


def crafted(model, change) -> bytes:
    """The bytes of a model whose arrays and description were changed, its hash correct."""
    arrays, about, _ = container.read_container(to_bytes(model) if not isinstance(model, bytes) else model)
    mine = {name: array.copy() for name, array in arrays.items()}
    text = plain_values.parse_canonical_json(mine.pop("description").tobytes())
    change(mine, text)
    mine["description"] = np.frombuffer(plain_values.canonical_json(text), dtype=np.uint8)
    return container.write_container(mine, about)


def small_forest(rows: int = 40) -> hb.Forest:
    random = np.random.default_rng(0)
    table = hb.table.table_from_arrays(random.normal(size=(rows, 2)), np.where(random.random(rows) < 0.5, "a", "b"))
    return hb.forest(table, n_trees=2)


def all_inner(n: int, width: int):
    """One tree of n nodes, all but one of them inner nodes with the same children, and wide statistics of the leaf."""

    def change(arrays, text):
        for name in list(arrays):
            if name.startswith(("nodes.", "questions.")):
                del arrays[name]
        first = np.full(n, n - 2, dtype=np.int32)
        first[n - 2 :] = -1
        is_leaf = first < 0
        zeros = np.zeros(n, dtype=np.int8)
        arrays.update(
            {
                "nodes.first_child": first,
                "nodes.depth": zeros,
                "nodes.rows": zeros,
                "nodes.missing_branch": np.zeros(n - 2, dtype=np.int8),
                "nodes.gain": np.zeros(n - 2, dtype=np.int8),
                "nodes.impurity": np.zeros(n - 2, dtype=np.int8),
                "nodes.reason": np.zeros(2, dtype=np.int8),
                "nodes.stats": np.ones((int(is_leaf.sum()), width), dtype=np.int8),
                "nodes.surrogate_start": np.zeros(1, dtype=np.int8),
                **{f"nodes.surrogate_{each}": np.zeros(0, dtype=np.int8) for each in ("question", "flipped")},
                **{f"nodes.surrogate_{each}": np.zeros(0, dtype=np.int8) for each in ("agree", "adjusted")},
                "questions.column": np.zeros(n - 2, dtype=np.int8),
                "questions.reals": np.zeros(n - 2, dtype=np.int8),
                "questions.whole": np.zeros(0, dtype=np.int8),
                **{
                    f"questions.{each}": np.full(1, value, dtype=np.int8)
                    for each, value in (("kind", 0), ("encoding", 0), ("first", 0), ("missing_answer", -1))
                },
                "questions.whole_start": np.zeros(1, dtype=np.int8),
                "questions.name": np.full(1, -1, dtype=np.int8),
                "forest.lengths": np.array([[n, n - 2, 0, 0, n - 2]], dtype=np.int32),
                "forest.weights": np.ones(1),
                "forest.output": np.zeros(1, dtype=np.int8),
                "forest.about": np.zeros(1, dtype=np.int8),
            }
        )
        levels = [f"{i}" for i in range(width)]
        text["schema"]["target"]["levels"] = levels

    return change


def overlapping(n: int):
    """Every inner node claims almost all nodes as its children."""

    def change(arrays, text):
        all_inner(n, 2)(arrays, text)
        first = np.arange(1, n + 1, dtype=np.int32)
        first[n // 3 :] = -1
        arrays["nodes.first_child"] = first
        arrays["nodes.n_branches"] = np.where(first >= 0, n - first, 0).astype(np.int32)
        arrays["nodes.stats"] = np.ones((n, 2), dtype=np.int8)
        for name in ("missing_branch", "gain", "impurity", "reason"):
            arrays[f"nodes.{name}"] = np.zeros(n, dtype=np.int8)

    return change


def lengths(values):
    def change(arrays, text):
        arrays["forest.lengths"] = np.array(values, dtype=np.int64)

    return change


def wide_nothing(arrays, text):
    arrays["nodes.stats"] = np.zeros((0, 2**39), dtype=np.float64)


def strange_parents(arrays, text):
    n = int(arrays["forest.lengths"][:, 0].sum())
    arrays["nodes.parent"] = np.full(n, 2**30, dtype=np.int32)
