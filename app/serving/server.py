"""Runs the gate of a study, and merges results into the project as sessions end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from spatial_workbench.app.serving.faults import tell_faults
from spatial_workbench.app.serving.gate import StudyGate
from spatial_workbench.app.serving.pages.gate_pages import GatePages
from spatial_workbench.app.serving.pages.incompatible import RefusalCounts
from spatial_workbench.app.serving.recruiting.companion import join_companion
from spatial_workbench.app.serving.seats import Seats
from spatial_workbench.app.serving.served_study import BUNDLE, ServedStudy
from spatial_workbench.app.serving.session_host import SessionHost
from spatial_workbench.app.serving.system_parts import SystemParts
from spatial_workbench.app.serving.visits import Visits
from spatial_workbench.app.serving.web.server import allow_many_connections, web_server
from spatial_workbench.engine.store import Project, ProjectError
from spatial_workbench.engine.studies.files.results_file import ResultError
from spatial_workbench.engine.studies.files.serving_state import SeatedPerson, ServingState, clear_state, write_state

_ENDS = (signal.SIGINT, signal.SIGTERM)
LOOK_S = 1.0
"""How often ended sessions are looked for."""


class StudyServer:
    """Serves a study until it is stopped.

    listening: the socket on which browsers reach it; it is closed at the end.
    tell: called with sentences about what happens, for the person who leads the study.
    """

    def __init__(
        self, study: ServedStudy, parts: SystemParts, listening: socket.socket, tell: Callable[[str], object]
    ) -> None:
        self._study = study
        self._parts = parts
        self._tell = tell
        self._runs = Path(tempfile.mkdtemp(prefix="served-"))
        self._numbers = count(1)
        self._known: set[tuple[str, int, int]] = set()
        """The files that were merged, as they were then: a session of several sittings writes its file again."""
        self._listening = listening
        about = study.bundle.study
        self.gate = StudyGate(
            study.url,
            study.links(),
            GatePages(about.name, about.contact),
            parts.novnc,
            Seats(self._make_host, study.at_once),
            Visits(study.folder / "visits.json"),
            RefusalCounts(study.folder / "incompatible.json"),
            study.is_over,
            study.has_begun,
            study.drains,
            languages=about.languages,
        )
        self._companion = join_companion(self.gate, study, tell)
        self._faults: dict[str, str] = {}
        """Why something cannot be done at present, by what was said of it."""
        self._server = web_server(self.gate.application(), study.address)

    def run(self) -> None:
        """Serves until the process is told to end."""
        tell_faults(self._tell)
        allow_many_connections()
        asyncio.run(self.serve())

    async def serve(self) -> None:
        """Serves, and merges results meanwhile."""
        merging = asyncio.create_task(self._merge_results())
        loop = asyncio.get_running_loop()
        for ends in _ENDS:
            loop.add_signal_handler(ends, self.stop)
        loop.add_signal_handler(signal.SIGUSR1, self._set_drains, True)
        loop.add_signal_handler(signal.SIGUSR2, self._set_drains, False)
        try:
            await self._server.serve(sockets=[self._listening])
        finally:
            for handled in (*_ENDS, signal.SIGUSR1, signal.SIGUSR2):
                loop.remove_signal_handler(handled)
            merging.cancel()
            clear_state(self._study.folder)
            shutil.rmtree(self._runs, ignore_errors=True)
            if self._companion is not None:
                self._companion.close()
        await self._merge_new()

    @property
    def is_started(self) -> bool:
        """Whether browsers can reach the gate."""
        return self._server.started

    def stop(self) -> None:
        """Lets `serve` end soon; sessions go on another time."""
        self._server.should_exit = True

    def _set_drains(self, drains: bool) -> None:
        self.gate.drains = drains

    async def _tell_state(self) -> None:
        """Renews what the leader's page reads; a full disk is no reason to end."""
        seats = self.gate.seats
        state = ServingState(
            pid=os.getpid(),
            at=time.time(),
            url=self._study.url,
            at_once=seats.at_once,
            drains=self.gate.drains,
            waiting=seats.waiting,
            seated=tuple(map(self._seated, seats.taken)),
            **self._ways_in(),
        )
        with contextlib.suppress(OSError):
            await asyncio.to_thread(write_state, self._study.folder, state)

    def _ways_in(self) -> dict[str, Any]:
        links = self.gate.links
        if self._companion is not None:
            return {"links": dict.fromkeys(links.codes, ""), "entry": self._companion.entry}
        return {
            "links": {code: self.gate.link_of(code) for code in links.codes},
            "pins": {code: links.pin_of(code) for code in links.codes},
        }

    def _seated(self, code: str) -> SeatedPerson:
        host = self.gate.seats.host_of(code)
        is_seen = self.gate.seats.watchers_of(code) > 0
        if host is None:
            return SeatedPerson(code=code, page="", is_seen=is_seen)
        return SeatedPerson(code=code, page=host.page, cover=host.cover, is_seen=is_seen, is_over=host.is_over)

    def _make_host(self, code: str) -> SessionHost:
        folder = self._runs / f"{next(self._numbers)}"
        folder.mkdir(mode=0o700)
        own = self._study.folder_of(code)
        return SessionHost(self._parts.xvnc, folder, own / BUNDLE, own, code)

    async def _merge_results(self) -> None:
        while True:
            await self._tell_state()
            await asyncio.sleep(LOOK_S)
            await self._merge_new()
            await self.gate.seats.tidy()
            for sentence in await self.gate.seats.hold_to_limits():
                self._tell(sentence)
            await self._look_after_places()

    async def _look_after_places(self) -> None:
        """Deals places of recruited people again, where nobody takes part in them."""
        if self._companion is not None:
            with self._tried_again("The places could not be looked after yet."):
                await self._companion.sweep()

    async def _merge_new(self) -> None:
        """Merges results files that are new, or that have changed; merging one again would change nothing.

        Strangers' windows write these files: one that cannot be read holds up no other.
        """
        with self._tried_again("The results could not be looked for yet."):
            await asyncio.to_thread(self._study.forget_withdrawn)
            files = {_state_of(path): path for path in self._study.results_files()}
            for state in files.keys() - self._known:
                await self._merge_file(state, files[state])

    async def _merge_file(self, state: tuple[str, int, int], path: Path) -> None:
        with self._tried_again(f"{path.name} could not be merged yet."):
            try:
                await asyncio.to_thread(self._merge, path)
            except ResultError as error:
                self._tell(f"Not merged: {error}")
            else:
                where = "Merged into the project" if self._study.project else f"Written into {self._study.collected}"
                self._tell(f"{where}: {path.name}")
            self._known.add(state)

    @contextmanager
    def _tried_again(self, trouble: str) -> Iterator[None]:
        """Says once why something could not be done, such as on a full disk; it is tried again."""
        try:
            yield
        except (ProjectError, sqlite3.Error, OSError, ValueError) as error:
            if self._faults.get(trouble) != str(error):
                self._tell(f"{trouble} {error}")
            self._faults[trouble] = str(error)
        else:
            self._faults.pop(trouble, None)

    def _merge(self, path: Path) -> None:
        """Countersigns a results file, and merges it, or puts it where it is collected."""
        if self._study.project is None:
            self._study.collected.mkdir(mode=0o700, exist_ok=True)
            self._study.countersigned(path, self._study.collected)
            return
        with tempfile.TemporaryDirectory() as folder, Project.open(self._study.project) as project:
            project.merging.merge([self._study.countersigned(path, Path(folder))])


def _state_of(path: Path) -> tuple[str, int, int]:
    status = path.lstat()
    return path.name, status.st_mtime_ns, status.st_size
