"""A random secret of this user, made at first use: it signs what hornbeam wrote and will trust later.

It is in the state folder of the user, `$XDG_STATE_HOME/hornbeam` or `~/.local/state/hornbeam`. Without such a folder
the secret is that of this process.
"""

from __future__ import annotations

import functools
import os
import secrets
from pathlib import Path

_BYTES = 32


def user_secret() -> bytes:
    """The secret."""
    return _secret_in(os.environ.get("XDG_STATE_HOME") or os.path.join("~", ".local", "state"))


@functools.cache
def _secret_in(state: str) -> bytes:
    try:
        folder = Path(state).expanduser() / "hornbeam"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / "secret"
        try:
            with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                file.write(secrets.token_bytes(_BYTES))
        except FileExistsError:
            pass
        found = path.read_bytes()
    except (OSError, RuntimeError):
        found = b""
    return found if len(found) == _BYTES else secrets.token_bytes(_BYTES)
