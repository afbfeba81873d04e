"""The browsers that have come with a link: a cookie each, of which only its hash is kept."""

from __future__ import annotations

import hashlib
import json
import secrets
from pathlib import Path

from spatial_workbench.engine.core.files import write_whole

_COOKIE_BYTES = 32
_SEPARATOR = "."


class Visits:
    """Which code a browser takes part with. The last browser of a code counts; the file outlives the server.

    path: where they are kept; only the owner can read it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._codes = _kept(path)

    def admit(self, code: str, carried: str = "") -> str:
        """The cookie of a browser that takes part with a code from now on. Raises OSError.

        carried: what the browser keeps for the server, which does not keep it.
        """
        cookie = secrets.token_urlsafe(_COOKIE_BYTES) + (_SEPARATOR + carried if carried else "")
        self._keep({**self._without(code), _hash(cookie): code})
        return cookie

    def dismiss(self, code: str) -> None:
        """No browser takes part with a code any more. Raises OSError."""
        self._keep(self._without(code))

    def code_of(self, cookie: str) -> str | None:
        """The code of a cookie; None if it is unknown, or if the code goes on in another browser."""
        return self._codes.get(_hash(cookie))

    def _without(self, code: str) -> dict[str, str]:
        return {key: other for key, other in self._codes.items() if other != code}

    def _keep(self, codes: dict[str, str]) -> None:
        self._codes = codes
        write_whole(self._path, json.dumps(codes).encode())
        self._path.chmod(0o600)


def carried_by(cookie: str) -> str:
    """What a browser keeps for the server in its cookie."""
    return cookie.partition(_SEPARATOR)[2]


def _hash(cookie: str) -> str:
    return hashlib.sha256(cookie.encode("utf-8", "surrogateescape")).hexdigest()


def _kept(path: Path) -> dict[str, str]:
    """The visits in a file; none if there is no such file, or if it is damaged: links still open."""
    try:
        kept = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return {str(key): str(code) for key, code in kept.items()} if isinstance(kept, dict) else {}
