"""The screen and the window of one participant."""

from __future__ import annotations

import asyncio
import contextlib
import json
from pathlib import Path
from typing import Any

from spatial_workbench.app.serving.confinement import confined, program_folders
from spatial_workbench.app.serving.consumption import ProcessTable, excess_of
from spatial_workbench.app.serving.pages.entry_form import NOTHING_TOLD, EntryForm
from spatial_workbench.app.serving.presence import PageAnswer
from spatial_workbench.app.serving.window_news import WindowNews
from spatial_workbench.app.serving.x_screen import ScreenFailed, XScreen
from spatial_workbench.engine.core.interpreter import program_command, python_environment
from spatial_workbench.engine.sandbox.bubblewrap import ENVIRONMENT
from spatial_workbench.engine.sandbox.contracts import SandboxUnavailable

START_S = 60
LEAVE_S = 10
_MOST_UNREAD_BYTES = 1 << 18
MOST_LINE_BYTES = 1 << 20
"""A longer line of the window ends the connection with it."""
_THREADS = "2"
"""Threads of the software renderer, and of numpy, in one window."""


class HostFailed(RuntimeError):
    """The window of a participant did not start; says why."""


class SessionHost:
    """Runs the window of one code on a screen of its own, each in a sandbox.

    program: Xvnc. folder: a private folder for sockets and logs. bundle: the file that the window opens; results are
    written beside it. sessions: where sessions are kept.
    """

    def __init__(self, program: str, folder: Path, bundle: Path, sessions: Path, code: str) -> None:
        self.code = code
        self.page = ""
        """The page that the window shows, as it has told."""
        self.cover = ""
        """What covers it; empty if nothing does."""
        self.is_over = False
        self._chosen_language = ""
        """The language that the person has chosen in the window."""
        self.news = WindowNews()
        self.screen = XScreen(program, folder)
        self._folder = folder
        self._bundle = bundle
        self._sessions = sessions
        self._ready = asyncio.Event()
        self._control = folder / "control"
        self._server: asyncio.AbstractServer | None = None
        self._window: asyncio.subprocess.Process | None = None
        self._to_window: asyncio.StreamWriter | None = None
        self.entry = NOTHING_TOLD
        """What the person has told on the page of the link."""

    async def start(self) -> None:
        """Starts the screen and the window, and waits until the window is there.

        Raises:
            HostFailed: One of them did not start.
        """
        try:
            await self.screen.start(self.entry.scale)
        except (ScreenFailed, SandboxUnavailable, OSError) as error:
            raise HostFailed(str(error)) from None
        self._server = await asyncio.start_unix_server(self._listen, self._control, limit=MOST_LINE_BYTES)
        command = program_command(
            *("study", "run", str(self._bundle), "--code", self.code),
            *("--sessions", str(self._sessions), "--control", str(self._control)),
        )
        writable = [self._bundle.parent, self._sessions, self._folder]
        with open(self._folder / "window.log", "wb") as log:
            self._window = await asyncio.create_subprocess_exec(
                *confined(command, self._environment(), self.screen.x_sockets, writable, program_folders()),
                env=ENVIRONMENT,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        if not await self._is_ready():
            await self.stop()
            raise HostFailed("The window did not start.")

    def tell_entry(self, entry: EntryForm) -> None:
        """Tells the window, now or once it is there, what the person has told on the page of the link."""
        self.entry = entry
        self.news.types_in_page = entry.types_in_page
        self._say(entry=entry.told())

    @property
    def scale(self) -> float:
        """How many pixels of the screen stand for one of the page that shows it."""
        return self.screen.scale

    @property
    def language(self) -> str:
        """The code of the language that is spoken with the person; "" if nothing is known of it."""
        return self._chosen_language or self.entry.language

    def tell_answer(self, answer: PageAnswer, behind_ms: int) -> None:
        """Tells the window that the page in the browser has answered, and shows it as it was so long ago."""
        told = {"round_trip_ms": answer.round_trip_ms, "behind_ms": behind_ms, "is_looked_at": answer.is_looked_at}
        self._say(answer=told)

    def tell_browser(self, description: dict[str, Any]) -> None:
        """Tells the window in which browser it is shown."""
        self._say(browser=description)

    def tell_typed(self, typed: dict[str, Any]) -> None:
        """Tells the window what was typed in a field of the page."""
        self._say(typed=typed)

    def _say(self, **message: Any) -> None:
        if self._to_window is None or self._to_window.is_closing():
            return
        # A window that does not read any more misses what it is told.
        if self._to_window.transport.get_write_buffer_size() < _MOST_UNREAD_BYTES:
            self._to_window.write(json.dumps(message).encode() + b"\n")

    @property
    def is_running(self) -> bool:
        """Whether the screen and the window are there."""
        return self.screen.is_running and self._window is not None and self._window.returncode is None

    def excess(self, table: ProcessTable) -> str:
        """What the session takes too much of; empty if it takes nothing too much."""
        roots = [*self.screen.processes, *([] if self._window is None else [self._window.pid])]
        return excess_of(table, roots, {self._bundle.parent, self._sessions, self._folder})

    async def kill(self) -> None:
        """Ends window and screen at once; what the window has stored is kept."""
        if self._window is not None and self._window.returncode is None:
            self._window.kill()
            await self._window.wait()
        await self.stop()

    async def stop(self) -> None:
        """Closes the window, which stores what has been done, and ends the screen."""
        if self._window is not None and self._window.returncode is None:
            self._say(leave=True)
            try:
                await asyncio.wait_for(self._window.wait(), LEAVE_S)
            except TimeoutError:
                self._window.kill()
                await self._window.wait()
        if self._server is not None:
            self._server.close()
        await self.screen.stop()

    def _environment(self) -> dict[str, str]:
        """All that the window sees of the environment."""
        modules = python_environment()
        return {
            **self.screen.environment(),
            "LP_NUM_THREADS": _THREADS,
            "OPENBLAS_NUM_THREADS": _THREADS,
            "PYTHONSAFEPATH": modules["PYTHONSAFEPATH"],
            "PYTHONPATH": modules["PYTHONPATH"],
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    async def _is_ready(self) -> bool:
        """Whether the window has told its first page; False if it has ended, or takes too long."""
        assert self._window is not None
        waits = {asyncio.create_task(self._ready.wait()), asyncio.create_task(self._window.wait())}
        _, pending = await asyncio.wait(waits, timeout=START_S, return_when=asyncio.FIRST_COMPLETED)
        for wait in pending:
            wait.cancel()
        return self._ready.is_set()

    async def _listen(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._to_window = writer
        self.tell_entry(self.entry)
        # Whatever else a window says, it says it no longer.
        with contextlib.suppress(ValueError, KeyError, TypeError):
            while line := await reader.readline():
                self._take(json.loads(line))
        writer.close()

    def _take(self, told: dict[str, Any]) -> None:
        self.news.take(told)
        if "page" in told:
            self.page = str(told["page"])
            self.cover = str(told["cover"])
            self._ready.set()
            self.is_over = bool(told["is_over"])
            self._chosen_language = str(told["language"])
