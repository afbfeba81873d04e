"""Runs the gate of a workbench until it is told to end."""

from __future__ import annotations

import asyncio
import shutil
import signal
import socket
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path

from spatial_workbench.app.serving.addresses import ServingAddress
from spatial_workbench.app.serving.faults import tell_faults
from spatial_workbench.app.serving.system_parts import SystemParts
from spatial_workbench.app.serving.visits import Visits
from spatial_workbench.app.serving.web.server import web_server
from spatial_workbench.app.serving.workbench.exchange_folder import ExchangeFolder
from spatial_workbench.app.serving.workbench.gate import WorkbenchGate
from spatial_workbench.app.serving.workbench.pages import WorkbenchPages
from spatial_workbench.app.serving.workbench.window_host import BrowserLooks, WindowHost, WorkbenchChoices

_ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""The last one comes when the terminal is closed, or the connection to the machine breaks."""


class WorkbenchServer:
    """Serves a workbench; its window closes at the end.

    listening: the socket on which browsers reach it; it is closed at the end. tell: called with sentences about what
    happens.
    """

    def __init__(
        self,
        choices: WorkbenchChoices,
        address: ServingAddress,
        parts: SystemParts,
        listening: socket.socket,
        tell: Callable[[str], object],
    ) -> None:
        self._tell = tell
        self._listening = listening
        self._folder = Path(tempfile.mkdtemp(prefix="served-"))
        self._numbers = count(1)
        self._choices = choices
        self._xvnc = parts.xvnc
        self.gate = WorkbenchGate(
            address,
            parts.novnc,
            Visits(self._folder / "visits.json"),
            ExchangeFolder(choices.files),
            WorkbenchPages(choices),
            self._make_host,
        )
        self._server = web_server(self.gate.application(), address)

    def run(self, ready: Callable[[], object]) -> None:
        """Serves until the process is told to end. `ready` is called as soon as it may be told."""
        tell_faults(self._tell)
        asyncio.run(self.serve(ready))

    async def serve(self, ready: Callable[[], object] = lambda: None) -> None:
        """Serves until it is stopped, or the process is told to end."""
        loop = asyncio.get_running_loop()
        for ends in _ENDS:
            loop.add_signal_handler(ends, self.stop)
        ready()
        try:
            await self._server.serve(sockets=[self._listening])
        finally:
            for ends in _ENDS:
                loop.remove_signal_handler(ends)
            shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def is_started(self) -> bool:
        """Whether browsers can reach the gate."""
        return self._server.started

    def stop(self) -> None:
        """Closes the window, and lets `serve` end."""
        self._server.should_exit = True

    def _make_host(self, looks: BrowserLooks) -> WindowHost:
        folder = self._folder / f"{next(self._numbers)}"
        folder.mkdir(mode=0o700)
        return WindowHost(self._xvnc, folder, self._choices, looks)
