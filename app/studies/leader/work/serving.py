"""Serving a study to browsers: what is asked of the server's process, and what it says of itself."""

from __future__ import annotations

import csv
import io
import os
import signal
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.engine.studies.files.serving_state import ServingState, running_server, served_folder

_MOST_LOG_BYTES = 20_000


@dataclass(frozen=True)
class ServingOrder:
    """How a study is to be served.

    Attributes:
        codes: The places, such as "P001-P020"; empty: all without the reserves.
        at_once: How many people can take part at the same time.
        listen: Address and port on this machine.
        url: The address that browsers open, where a proxy stands in front; empty: the same.
        recruiter: The recruiter's file; empty: people have links.
        certificate, key: Files for https; empty: a proxy encrypts, or nobody else can reach the server.
    """

    codes: str = ""
    at_once: int = 10
    listen: str = "127.0.0.1:8420"
    url: str = ""
    recruiter: str = ""
    certificate: str = ""
    key: str = ""

    def arguments(self, project: Path, study: str) -> list[str]:
        """The words of the command that serves."""
        words = ["study", "serve", str(project), study, "--listen", self.listen, "--at-once", str(self.at_once)]
        words += ["--codes", self.codes] if self.codes else []
        words += ["--url", self.url] if self.url else []
        words += ["--trusted-proxy", "127.0.0.1"] if self.url and not self.certificate else []
        files = {"--recruit": self.recruiter, "--certificate": self.certificate, "--key": self.key}
        for option, file in files.items():
            words += [option, file] if file else []
        return words


class ServerWish(Enum):
    """What a running server is asked to do, by the name of a signal; not every system has these."""

    STOP = "SIGTERM"
    DRAIN = "SIGUSR1"
    ADMIT = "SIGUSR2"


def present_server(project: Path, study: str, progress: Progress = silent) -> ServingState | None:
    """The server of a study, if one runs."""
    return running_server(served_folder(project, study))


def ask_server(project: Path, study: str, wish: ServerWish, progress: Progress = silent) -> ServingState | None:
    """Asks the server to do something, and returns it as it was before; None if none runs."""
    state = present_server(project, study)
    if state is not None:
        os.kill(state.pid, getattr(signal, wish.value))
    return state


def last_words(log: Path, progress: Progress = silent) -> str:
    """The last line that a server wrote before it ended."""
    try:
        text = log.read_bytes()[-_MOST_LOG_BYTES:].decode("utf-8", "replace")
    except OSError:
        return ""
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")


def server_log(project: Path, study: str) -> Path:
    """The file into which a server writes, in the folder that only its owner can read. Raises OSError."""
    folder = served_folder(project, study)
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder / "server.log"


def write_links(file: Path, state: ServingState, progress: Progress = silent) -> str:
    """Writes a table of codes, links and PINs that only its owner can read; says so. Raises OSError."""
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(("code", "link", "pin"))
    rows.writerows((code, link, state.pins.get(code, "")) for code, link in state.links.items())
    write_whole(file, text.getvalue().encode())
    file.chmod(0o600)
    return f"The links were written to {file.name}. Whoever has a link takes part under its code."
