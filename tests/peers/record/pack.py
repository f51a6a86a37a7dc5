"""Keeps of the raw recordings what the tests compare, and packs it: `python -m tests.peers.record.pack RAW`.

Writes `tests/data/peers/<program>/<name>.json.gz`. The same recording always gives the same bytes.
"""

import gzip
import json
import sys
from pathlib import Path

from tests.peers import shared

NODE = ("id", "leaf", "n", "class", "prob", "mean")
NODE_with_missing_values = (*NODE, "primary", "known_weight_left_right", "competitors", "surrogates")
RPART = ("features", "parms", "control", "weights", "cost", "classes", "where", "rows_left_out", "masked")
FOLDS = ("features", "parms", "control", "weights", "cost", "cptable", "prune")


def only(given, names):
    return {name: given[name] for name in names if name in given}


def of_rpart(config, answer, has_missing):
    """Tables of complexity from the folds; trees from all others, with surrogates where values are missing."""
    if config.endswith("_xval"):
        return only(answer, FOLDS)
    nodes = []
    for node in answer["nodes"]:
        kept = only(node, NODE_with_missing_values if has_missing else NODE)
        if "primary" in node and not has_missing:
            kept["primary"] = only(node["primary"], ("var", "improve"))
        nodes.append(kept)
    return {**only(answer, RPART), "nodes": nodes}


def of_weka(config, answer, has_missing):
    """The tree; class probabilities of one configuration where values are missing."""
    kept = ("version", "options", "tree")
    if config == "j48_39_unpruned_nocollapse" and has_missing:
        kept = (*kept, "predictions", "distributions")
    found = only(answer, kept)
    if "prune_rows" in answer:
        found["prune_rows"] = sorted(answer["prune_rows"])
    return found


def as_is(_config, answer, _has_missing):
    return answer


def raw_weka(raw):
    """Both versions of Weka in one answer per table."""
    for place in sorted((raw / "weka").glob("*.3.6.json")):
        name = place.name.removesuffix(".3.6.json")
        newer = place.with_name(f"{name}.3.9.json")
        configs = json.loads(place.read_text("utf-8")) | json.loads(newer.read_text("utf-8"))
        yield name, {"oracle": "weka", "dataset": name, "configs": configs}


def raw_files(raw, program):
    for place in sorted((raw / program).glob("*.json")):
        yield place.stem, json.loads(place.read_text("utf-8"))


def write(place, value):
    """JSON without spaces, compressed without a time stamp."""
    place.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    place.write_bytes(gzip.compress(text.encode("utf-8"), 9, mtime=0))


def has_missing(name):
    schema = json.loads((shared.COPIES / "data" / f"{name}.schema.json").read_text("utf-8"))
    return any(spec.get("missing") for spec in schema["columns"])


def main(raw):
    """Packs every program's answers."""
    kept = {"rpart": of_rpart, "weka": of_weka, "ctree": as_is, "sklearn": as_is, "forests": as_is}
    for program, shortened in kept.items():
        for name, answer in raw_weka(raw) if program == "weka" else raw_files(raw, program):
            configs = {c: shortened(c, a, has_missing(name)) for c, a in answer["configs"].items()}
            write(shared.COPIES / program / f"{name}.json.gz", {**answer, "configs": configs})
    for name, answer in raw_files(raw, "metrics"):
        write(shared.COPIES / "metrics" / f"{name}.json.gz", answer)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
