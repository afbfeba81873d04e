"""The ordinary window of the application, on a screen of its own."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from spatial_workbench.app.serving.workbench.ready import READY
from spatial_workbench.app.serving.x_screen import END_WITH_SERVER, ScreenFailed, XScreen
from spatial_workbench.engine.core.interpreter import program_command, python_environment

START_S = 90
"""A window has to be there after so long."""
LEAVE_S = 30
"""A window has to have stored everything and closed after so long."""
_MOST_SAID_BYTES = 4000
_OTHER_DESKTOP = ("WAYLAND_", "GTK_", "QT_", "XDG_CURRENT_DESKTOP", "XDG_SESSION_", "DESKTOP_", "XMODIFIERS")
"""How the names of variables begin that speak of the desktop on which the server was started."""


class WindowFailed(RuntimeError):
    """The window did not start; says why."""


@dataclass(frozen=True)
class WorkbenchChoices:
    """What is opened, and for whom.

    Attributes:
        project: The project's file.
        person: The name of who solves.
        files: The folder in which dialogs for files start.
    """

    project: Path
    person: str
    files: Path


@dataclass(frozen=True)
class BrowserLooks:
    """How the browser looks that opens a window.

    Attributes:
        scheme: "light" or "dark"; a window that follows the system follows it.
        scale: How many pixels of its screen a pixel of its page takes.
    """

    scheme: str = "light"
    scale: float = 1.0


ORDINARY_LOOKS = BrowserLooks()


class WindowHost:
    """Runs the window of one person on a screen of its own. Neither is in a sandbox: the account is the person's.

    program: Xvnc. folder: a private folder for sockets and logs. looks: those of the browser.
    """

    def __init__(
        self, program: str, folder: Path, choices: WorkbenchChoices, looks: BrowserLooks = ORDINARY_LOOKS
    ) -> None:
        self._looks = looks
        self.screen = XScreen(program, folder, is_trusted=True)
        self._log = folder / "window.log"
        self._choices = choices
        self._window: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Starts the screen and the window, and waits until the window is there.

        Raises:
            WindowFailed: One of them did not start.
        """
        try:
            await self.screen.start(self._looks.scale)
            await self._start_window()
            await asyncio.wait_for(self._hear_of_window(), START_S)
        except TimeoutError:
            await self.stop()
            raise WindowFailed(f"The window was not there after {START_S} s.") from None
        except (ScreenFailed, OSError, WindowFailed) as error:
            await self.stop()
            raise WindowFailed(str(error)) from None

    async def stop(self) -> None:
        """Closes the window, which stores what has been done, and ends the screen."""
        if self._window is not None and self._window.returncode is None:
            self._window.terminate()
            try:
                await asyncio.wait_for(self._window.wait(), LEAVE_S)
            except TimeoutError:
                self._window.kill()
                await self._window.wait()
        await self.screen.stop()

    async def wait(self) -> None:
        """Waits until the window has closed."""
        if self._window is not None:
            await self._window.wait()

    @property
    def is_running(self) -> bool:
        """Whether the screen and the window are there."""
        return self.screen.is_running and self._window is not None and self._window.returncode is None

    @property
    def complaint(self) -> str:
        """What a window that has failed said last; empty if it was closed, or is still there."""
        if self._window is None or not self._window.returncode:
            return ""
        with open(self._log, "rb") as log:
            log.seek(max(0, self._log.stat().st_size - _MOST_SAID_BYTES))
            lines = log.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"It ended with the code {self._window.returncode}."

    async def _start_window(self) -> None:
        command = program_command(
            *("open", str(self._choices.project), "--person", self._choices.person),
            *("--files", str(self._choices.files), "--served", self._looks.scheme),
        )
        with open(self._log, "wb") as log:
            self._window = await asyncio.create_subprocess_exec(
                *END_WITH_SERVER,
                *command,
                env=self._environment(),
                # Some dialogs for files start in the working folder.
                cwd=self._choices.files,
                # Ctrl+C is for the server, which closes the window.
                start_new_session=True,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
            )

    async def _hear_of_window(self) -> None:
        """Waits until the window says that it is there. Raises WindowFailed if it ends before."""
        assert self._window is not None
        assert self._window.stdout is not None
        while (line := await self._window.stdout.readline()).strip() != READY.encode():
            if not line:
                await self._window.wait()
                raise WindowFailed(self.complaint or "The window was closed at once.")

    def _environment(self) -> dict[str, str]:
        """The person's own environment, but for the screen."""
        inherited = python_environment()
        kept = {name: value for name, value in inherited.items() if not name.startswith(_OTHER_DESKTOP)}
        # Dialogs of another desktop would open there.
        return {**kept, **self.screen.environment(), "QT_QPA_PLATFORMTHEME": "generic"}
