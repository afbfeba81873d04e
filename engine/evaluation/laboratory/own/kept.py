"""Which verifiers of somebody else's a user has: a list in the user's settings.

A project holds the names, versions and verdicts of such verifiers, and never what runs them, so that opening a project
runs nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from enum import StrEnum
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.store.facts import CROSSCHECK, OWN_PREFIX, THEIR_SCORE

GROUP = "spatial_workbench.verifiers"
"""The entry points of packages that bring verifiers; each is called TASK.NAME and names a function."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,59}")
_DIGITS = 12


class OwnVerifierError(ValueError):
    """A verifier cannot be taken, or is not there; says why."""


class OwnKind(StrEnum):
    """What runs a verifier."""

    FILE = "file"
    COMMAND = "command"
    PACKAGE = "package"


class OwnVerifier(BaseModel):
    """A verifier of somebody else's.

    Attributes:
        name: What the user calls it.
        task: The id of the task whose answers it judges.
        kind: What runs it.
        path: The file with the function `verify(instance, answer)`; for a package its entry point.
        command: The words of the command.
        seconds: How long judging one answer may take.
        lasting: Whether the command stays: it reads a case on each line, and prints a verdict on a line for each.
        trusted: The SHA-256 of the file that the user has said may run outside of the sandbox; empty: it runs inside.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    task: str
    kind: OwnKind
    path: str = ""
    command: tuple[str, ...] = ()
    seconds: float = Field(default=60.0, gt=0, le=3600)
    lasting: bool = False
    trusted: str = ""

    def with_trust(self) -> OwnVerifier:
        """The same, whose file may run outside of the sandbox as it is now.

        Raises:
            OwnVerifierError: It is no file, or cannot be read.
        """
        if self.kind is not OwnKind.FILE:
            raise OwnVerifierError("Only a file is trusted; a command runs outside of the sandbox anyway.")
        return self.model_copy(update={"trusted": hashlib.sha256(_contents(Path(self.path))).hexdigest()})

    @property
    def version(self) -> str:
        """The beginning of the SHA-256 of what it consists of: its file, or the words and files of its command.

        Raises:
            OwnVerifierError: Its file cannot be read.
        """
        return self.version_of(self.contents())

    def contents(self) -> bytes:
        """Its file; nothing for what is no file.

        Raises:
            OwnVerifierError: It cannot be read, or is another one than was trusted.
        """
        if self.kind is not OwnKind.FILE:
            return b""
        contents = _contents(Path(self.path))
        if self.trusted and hashlib.sha256(contents).hexdigest() != self.trusted:
            raise OwnVerifierError(f"{self.path} has changed since you trusted it. Add it again to trust it now.")
        return contents

    def version_of(self, contents: bytes) -> str:
        """Its version if its file has these contents."""
        digest = hashlib.sha256(contents)
        if self.kind is not OwnKind.FILE:
            digest.update("\0".join((self.path, *self.command)).encode())
            for word in self.command:
                if Path(word).is_file():
                    digest.update(_contents(Path(word)))
        return digest.hexdigest()[:_DIGITS]


class OwnVerifiers:
    """The verifiers that a user has added, in a file of the user's settings.

    path: The file; by default that of this user.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or _default_path()

    def all(self) -> tuple[OwnVerifier, ...]:
        """All that were added, in their order.

        Raises:
            OwnVerifierError: The file is damaged.
        """
        if not self._path.is_file():
            return ()
        try:
            rows = json.loads(self._path.read_text("utf-8"))["verifiers"]
            return tuple(OwnVerifier.model_validate(row) for row in rows)
        except (ValueError, KeyError, TypeError, ValidationError) as error:
            raise OwnVerifierError(f"{self._path}: the list of verifiers cannot be read ({error}).") from None

    def get(self, name: str) -> OwnVerifier:
        """The verifier of that name, added or brought by a package.

        Raises:
            OwnVerifierError: There is none; names those that there are.
        """
        known = {verifier.name: verifier for verifier in (*plugged_in(), *self.all())}
        if name not in known:
            raise OwnVerifierError(f"There is no verifier “{name}”. Those that were added: {_listed(known)}.")
        return known[name]

    def add(self, verifier: OwnVerifier) -> None:
        """Adds a verifier; one of the same name and task is replaced.

        Raises:
            OwnVerifierError: Its name is taken or holds other signs, its task is unknown, or its file is not there.
        """
        _examine(verifier)
        for known in (*plugged_in(), *self.all()):
            if known.name == verifier.name and (known.task, known.kind is OwnKind.PACKAGE) != (verifier.task, False):
                raise OwnVerifierError(f"“{known.name}” is a verifier of {known.task} already; choose another name.")
        rest = [known for known in self.all() if known.name != verifier.name]
        self._write([*rest, verifier])

    def remove(self, name: str) -> None:
        """Removes a verifier; its verdicts stay where they are stored.

        Raises:
            OwnVerifierError: There is none of that name.
        """
        known = self.all()
        if name not in {verifier.name for verifier in known}:
            raise OwnVerifierError(f"There is no verifier “{name}”. Those that were added: {_listed(known)}.")
        self._write([verifier for verifier in known if verifier.name != name])

    def _write(self, verifiers: Sequence[OwnVerifier]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        rows = [verifier.model_dump(mode="json", exclude_defaults=True) for verifier in verifiers]
        write_whole(self._path, json.dumps({"verifiers": rows}, ensure_ascii=False, indent=1).encode())


def plugged_in() -> tuple[OwnVerifier, ...]:
    """The verifiers that installed packages bring; those whose names are not TASK.NAME, or taken, are left out."""
    found: dict[str, OwnVerifier] = {}
    for point in entry_points(group=GROUP):
        task_id, _, name = point.name.partition(".")
        try:
            verifier = OwnVerifier(name=name, task=task_id, kind=OwnKind.PACKAGE, path=_place_of(point))
            _examine(verifier)
        except OwnVerifierError:
            continue
        found.setdefault(name, verifier)
    return tuple(found.values())


def _place_of(point: EntryPoint) -> str:
    """An entry point with the version of its package, which changes with what it does."""
    version = point.dist.version if point.dist is not None else ""
    return f"{point.value} {version}".strip()


def _examine(verifier: OwnVerifier) -> None:
    if not _NAME.fullmatch(verifier.name):
        raise OwnVerifierError("A name has letters, digits, “.”, “-” and “_”, and begins with a letter or a digit.")
    try:
        ours = {*task(verifier.task).verifiers(), CROSSCHECK}
    except KeyError:
        raise OwnVerifierError(f"There is no task “{verifier.task}”.") from None
    if verifier.name in ours or OWN_PREFIX + verifier.name == THEIR_SCORE:
        raise OwnVerifierError(f"“{verifier.name}” is a verifier of ours; choose another name.")
    if verifier.kind is OwnKind.FILE and not Path(verifier.path).is_file():
        raise OwnVerifierError(f"There is no file “{verifier.path}”.")
    if verifier.kind is OwnKind.COMMAND and not verifier.command:
        raise OwnVerifierError("A command has at least one word.")


def _contents(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise OwnVerifierError(f"{path}: {error.strerror}") from None


def _listed(verifiers: Sequence[OwnVerifier] | dict[str, OwnVerifier]) -> str:
    names = [verifier if isinstance(verifier, str) else verifier.name for verifier in verifiers]
    return ", ".join(sorted(names)) or "none"


def _default_path() -> Path:
    from platformdirs import user_config_path

    return user_config_path("spatial-workbench", appauthor=False) / "verifiers.json"
