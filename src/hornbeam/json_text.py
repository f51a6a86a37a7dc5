"""Values as JSON text. JSON has no NaN and no infinity: both become null."""

from __future__ import annotations

import math
from typing import Any


def json_text(value: Any, *, indent: int | None = 2) -> str:
    """A value as valid JSON: null for NaN and infinities."""
    import json

    return json.dumps(to_json_value(value), indent=indent, ensure_ascii=False, allow_nan=False)


def to_json_value(value: Any) -> Any:
    """A value that JSON can represent."""
    if isinstance(value, dict):
        return {str(key): to_json_value(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_json_value(inner) for inner in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, (str, int, bool)):
        return value
    if hasattr(value, "tolist"):
        return to_json_value(value.tolist())
    return str(value)
