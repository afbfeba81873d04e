"""What the server of a study says of itself, in a file beside the sessions: a page that leads a collection reads it."""

from __future__ import annotations

import os
import time
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from spatial_workbench.engine.core.files import write_whole

FILE = "server.json"
FRESH_S = 10.0
"""A server renews its state every second; one that has not for so long has ended, or hangs."""


class _StatePart(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SeatedPerson(_StatePart):
    """Somebody who has a window on the server.

    Attributes:
        page: The page that the window shows.
        cover: What covers it; empty if nothing does.
        is_seen: Whether a browser shows the window.
        is_over: Whether the session has ended.
    """

    code: str
    page: str
    cover: str = ""
    is_seen: bool = False
    is_over: bool = False


class ServingState(_StatePart):
    """The state of a server.

    Attributes:
        pid: Of its process.
        at: When this was written; seconds since 1970.
        url: The address under which browsers reach it.
        at_once: How many people can take part at the same time.
        drains: Whether nobody begins any more.
        waiting: How many people wait for a seat.
        seated: The people who have a window.
        links: The link of each code.
        pins: The digits with which each code can be typed; none where people come from a recruiter.
        entry: The address that a recruiter shows to people; empty without one.
    """

    pid: int
    at: float
    url: str
    at_once: int
    drains: bool = False
    waiting: int = 0
    seated: tuple[SeatedPerson, ...] = ()
    links: dict[str, str] = {}
    pins: dict[str, str] = {}
    entry: str = ""

    @property
    def is_running(self) -> bool:
        """Whether its process is there, and has renewed the state a moment ago."""
        if abs(time.time() - self.at) > FRESH_S:
            return False
        try:
            os.kill(self.pid, 0)
        except OSError:
            return False
        return True


def served_folder(project: Path, study: str) -> Path:
    """The folder beside a project in which a study is served."""
    return project.parent / f"{project.stem}-{study}.served"


def write_state(folder: Path, state: ServingState) -> None:
    """Writes the state for the owner of the folder alone, since it holds the links. Raises OSError."""
    path = folder / FILE
    write_whole(path, state.model_dump_json().encode())
    path.chmod(0o600)


def clear_state(folder: Path) -> None:
    """Says that no server runs any more. Raises OSError."""
    (folder / FILE).unlink(missing_ok=True)


def running_server(folder: Path) -> ServingState | None:
    """The server of a folder, if one runs."""
    try:
        state = ServingState.model_validate_json((folder / FILE).read_bytes())
    except (OSError, ValidationError):
        return None
    return state if state.is_running else None
