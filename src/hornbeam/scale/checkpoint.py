"""Checkpoint: a file with what is complete of a growth, from which it continues and gives the same model.

The file has the result of the first pass and the model so far, each with a key: a digest of the data and the settings
that it depends on. A file that the user names is refused if its keys are others; that of a work folder is replaced.

The core takes the model so far as it is, so it must come from this user: it is signed with a secret of the user
(`user_secret.py`). What another user or machine wrote is not passed to the core, and growth starts again.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import json
import os
import time
import warnings
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hornbeam.errors import DataFileError, HornbeamWarning, OptionError, OutputError, short_repr
from hornbeam.scale.user_secret import user_secret

_FORMAT = 1
_PAUSE = 20.0  # between two writes, as a multiple of the time that the last one took


class Checkpoint:
    """The file of a growth, which is read when this object is created."""

    def __init__(self, path: str | os.PathLike[str], *, is_named: bool) -> None:
        self.path = Path(path)
        self.is_named = is_named
        self._values = self._read()
        self._next = 0.0

    @property
    def label(self) -> str:
        """The name of the file in messages."""
        return short_repr(str(self.path), 200)

    def first_pass(self, key: str) -> dict[str, Any]:
        """The result of the first pass over the data with this key; empty if there is none."""
        if self._values.get("key") == key:
            return self._values
        if self._values and self.is_named:
            raise OptionError(
                f"The checkpoint {self.label} is of other data, columns or settings for reading them.",
                hint="Pass the data and settings of the interrupted growth, or remove the file to start again.",
                option="resume",
                path=str(self.path),
            )
        self._values = {}
        return {}

    def save_first_pass(self, key: str, values: dict[str, Any]) -> None:
        """Store the result of the first pass; what was stored before is replaced."""
        self._values = {"key": key, **values}
        self._write()

    def growth(self, key: str) -> Growth:
        """The part of the file that is about the model, for data and a method with this key."""
        found = self._values.get("growth_key")
        if found != key and found is not None and self.is_named:
            raise OptionError(
                f"The checkpoint {self.label} is of another recipe, other settings or another seed.",
                hint="Pass the recipe and the seed of the interrupted growth, or remove the file to start again.",
                option="resume",
                path=str(self.path),
            )
        text = self._values.get("growth") if found == key else None
        if text and not hmac.compare_digest(_signature(key, text), str(self._values.get("signature"))):
            warnings.warn(
                f"The model so far in the checkpoint {self.label} was written by another user or on another machine; "
                "growth starts again.",
                HornbeamWarning,
                stacklevel=2,
            )
            text = None
        return Growth(self, key, zlib.decompress(base64.b64decode(text)) if text else None)

    def store_growth(self, key: str, state: Callable[[], bytes | None]) -> None:
        """Store the model so far, unless the last write was too recent for its duration."""
        start = time.monotonic()
        if start < self._next:
            return
        found = state()
        if found is None:
            return
        text = base64.b64encode(zlib.compress(found, 1)).decode()
        self._values |= {"growth_key": key, "growth": text, "signature": _signature(key, text)}
        self._write()
        now = time.monotonic()
        self._next = now + _PAUSE * (now - start)

    def complete(self) -> None:
        """Remove the model so far, and a file that the user named: the model is complete."""
        if self.is_named:
            with contextlib.suppress(OSError):
                self.path.unlink()
        elif self._values.pop("growth_key", None) is not None:
            del self._values["growth"], self._values["signature"]
            self._write()

    def clear(self) -> None:
        """Remove the file."""
        self._values = {}
        with contextlib.suppress(FileNotFoundError):
            self.path.unlink()

    def _read(self) -> dict[str, Any]:
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            return self._unusable(f"cannot be read: {getattr(error, 'strerror', None) or error}")
        try:
            values = json.loads(text)
            digest = values.pop("digest")
            is_whole = digest == _digest(values) and values.pop("format") == _FORMAT
        except (ValueError, KeyError, AttributeError, TypeError):
            return self._unusable("is damaged or no checkpoint of this version")
        return values if is_whole else self._unusable("is damaged or no checkpoint of this version")

    def _unusable(self, reason: str) -> dict[str, Any]:
        if not self.is_named:
            return {}
        raise DataFileError(
            f"The checkpoint {self.label} {reason}.", hint="Remove the file to start again.", path=str(self.path)
        )

    def _write(self) -> None:
        values = {"format": _FORMAT, **self._values}
        partial = self.path.with_name(f"{self.path.name}.partial")
        try:
            partial.write_text(json.dumps({**values, "digest": _digest(values)}), encoding="utf-8")
            os.replace(partial, self.path)
        except OSError as error:
            with contextlib.suppress(OSError):
                partial.unlink()
            raise OutputError(
                f"Cannot write the checkpoint {self.label}: {error.strerror or error}.", path=str(self.path)
            ) from None


def _signature(key: str, text: str) -> str:
    return hmac.new(user_secret(), f"{key}:{text}".encode(), hashlib.sha256).hexdigest()


class Growth:
    """The model so far of one growth; `state` is what an interrupted one has left, None at the beginning."""

    def __init__(self, checkpoint: Checkpoint, key: str, state: bytes | None) -> None:
        self._checkpoint = checkpoint
        self._key = key
        self.state = state

    def save(self, state: Callable[[], bytes | None]) -> None:
        """Store the model so far; `state` is called only if it is stored."""
        self._checkpoint.store_growth(self._key, state)

    def complete(self) -> None:
        """The model is complete."""
        self._checkpoint.complete()


def _digest(values: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()
