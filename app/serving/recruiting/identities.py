"""The file of identities: who had which place, encrypted so that only the passphrase for the outcomes opens it.

A line of JSON for each person who has consented: the person's number, the place, the day of deletion, and the sealed
identity. A place can be dealt again, a number cannot: so nobody is paid under another's name. The server adds lines and
cannot read them back.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from spatial_workbench.app.serving.recruiting.arrivals import Arrival
from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.engine.studies.files.sealing import SealError, open_bytes, seal_bytes

SUFFIX = ".identities"


class IdentitiesError(ValueError):
    """The file of identities cannot be read; says why."""


@dataclass(frozen=True)
class KnownIdentity:
    """Who had a place.

    Attributes:
        person: The number of the person, as `RecruitedPerson.id`.
        delete_on: From this day on it is deleted.
    """

    person: int
    code: str
    arrival: Arrival
    delete_on: date


class Identities:
    """Adds identities to the file, and deletes them. Raises OSError where it cannot be written.

    path: the file. It is made with the first identity; only its owner can read it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, person: int, code: str, arrival: Arrival, public: str, keep_days: int, today: date) -> None:
        """Adds the identity of a person, sealed for a public key; nothing is added where there is one."""
        with self._locked():
            if any(line["person"] == person for line in self._lines()):
                return
            sealed = seal_bytes(public, json.dumps(asdict(arrival)).encode())
            delete_on = today + timedelta(days=keep_days)
            line = {"person": person, "code": code, "delete_on": delete_on.isoformat(), "sealed": sealed}
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "ab") as file:
                file.write(json.dumps(line).encode() + b"\n")

    def erase(self, person: int) -> bool:
        """Deletes the identity of a person; False if there is none."""
        return self._keep(lambda line: line["person"] != person) > 0

    def delete_due(self, today: date) -> int:
        """Deletes the identities whose day has come; returns how many."""
        return self._keep(lambda line: date.fromisoformat(line["delete_on"]) > today)

    def open(self, private: bytes) -> list[KnownIdentity]:
        """All identities, opened with the private key of the study.

        Raises:
            IdentitiesError: One of them cannot be opened, or the file is damaged.
        """
        return [_opened(line, private) for line in self._lines()]

    def codes(self) -> list[str]:
        """The places whose identities are held."""
        return [line["code"] for line in self._lines()]

    def _keep(self, keeps: Callable[[dict[str, Any]], bool]) -> int:
        """Deletes the lines that are not kept; returns how many there were."""
        if not self._path.exists():
            return 0
        with self._locked():
            lines = list(self._lines())
            kept = [line for line in lines if keeps(line)]
            if len(kept) < len(lines):
                self._write(kept)
            return len(lines) - len(kept)

    def _write(self, lines: Iterable[dict[str, Any]]) -> None:
        write_whole(self._path, b"".join(json.dumps(line).encode() + b"\n" for line in lines))
        self._path.chmod(0o600)

    def _lines(self) -> Iterator[dict[str, Any]]:
        try:
            content = self._path.read_bytes()
        except FileNotFoundError:
            return
        for line in content.splitlines():
            try:
                yield _checked(json.loads(line))
            except ValueError:
                raise IdentitiesError(f"{self._path} is damaged.") from None

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Nobody else changes the file meanwhile."""
        from filelock import FileLock

        with FileLock(self._path.with_name(f".{self._path.name}.lock"), mode=0o600):
            yield


def _checked(line: Any) -> dict[str, Any]:
    if not (isinstance(line, dict) and {"person", "code", "delete_on", "sealed"} <= line.keys()):
        raise ValueError("no identity")
    date.fromisoformat(line["delete_on"])
    return line


def _opened(line: dict[str, Any], private: bytes) -> KnownIdentity:
    try:
        arrival = Arrival(**json.loads(open_bytes(private, line["sealed"])))
    except (SealError, ValueError, TypeError):
        raise IdentitiesError(f"The identity of {line['code']} cannot be opened.") from None
    return KnownIdentity(line["person"], line["code"], arrival, date.fromisoformat(line["delete_on"]))
