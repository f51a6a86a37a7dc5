"""The worked examples of `tests/data/examples.json`, by their id: input and expected numbers."""

import json
from pathlib import Path

_FILE = Path(__file__).parent / "data" / "examples.json"
EXAMPLES = {each["id"]: each for each in json.loads(_FILE.read_text("utf-8"))["examples"]}
