"""A screen without a monitor: Xvnc, which a browser reaches through a Unix socket and a window through its display."""

from __future__ import annotations

import asyncio
import os
import secrets
import struct
from pathlib import Path

from spatial_workbench.app.serving.confinement import confined
from spatial_workbench.app.serving.rfb import smallest_screen
from spatial_workbench.engine.sandbox.bubblewrap import ENVIRONMENT

DISPLAY = ":0"
"""Each screen is alone in its sandbox."""
MOST_CUT_BYTES = 900_000
"""How long a text of a connected clipboard may be; the server's frames hold more."""
END_WITH_SERVER = ("/usr/bin/setpriv", "--pdeathsig", "TERM")
"""Before a command: it is asked to end as soon as this program has ended."""
START_S = 20
_FAMILY_WILD = 0xFFFF
_PROTOCOL = b"MIT-MAGIC-COOKIE-1"


class ScreenFailed(RuntimeError):
    """The screen did not start; says why."""


class XScreen:
    """One Xvnc with a cookie of its own. No TCP, one browser at a time.

    program: Xvnc. folder: a folder that only this user can read, for the sockets and the cookie. is_trusted: whether
    whoever sees it has an account here anyway: then it runs in no sandbox, and is connected with the clipboard of the
    browser's machine.
    """

    def __init__(self, program: str, folder: Path, is_trusted: bool = False) -> None:
        self.scale = 1.0
        """How many of its pixels stand for one of the page that shows it."""
        self._is_trusted = is_trusted
        self._display = DISPLAY
        self.rfb_socket = folder / "rfb"
        self.x_sockets = folder / "x"
        self.authority = folder / "authority"
        self._folder = folder
        self._program = program
        self._log = folder / "screen.log"
        self._process: asyncio.subprocess.Process | None = None

    async def start(self, scale: float = 1.0) -> None:
        """Starts Xvnc, and waits until its display can be used.

        scale: how many of its pixels stand for one of the page that shows it.

        Raises:
            ScreenFailed: It ends at once, or is not ready after some seconds.
        """
        self.scale = scale
        self.x_sockets.mkdir(mode=0o700)
        write_cookie(self.authority)
        reads, writes = os.pipe()
        with open(self._log, "wb") as log:
            try:
                self._process = await asyncio.create_subprocess_exec(
                    *self._started(self._command(writes)),
                    env=ENVIRONMENT,
                    start_new_session=self._is_trusted,
                    pass_fds=(writes,),
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                )
            finally:
                os.close(writes)
        with os.fdopen(reads, "rb") as pipe:
            try:
                number = await asyncio.wait_for(asyncio.to_thread(pipe.readline), START_S)
            except TimeoutError:
                number = b""
        if not number.strip().isdigit():
            await self.stop()
            raise ScreenFailed(f"Xvnc did not start. {self._last_words()}")
        if self._is_trusted:
            self._display = f":{number.strip().decode()}"

    async def stop(self) -> None:
        """Ends Xvnc."""
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()
            await self._process.wait()

    @property
    def is_running(self) -> bool:
        """Whether Xvnc has not ended."""
        return self._process is not None and self._process.returncode is None

    @property
    def processes(self) -> tuple[int, ...]:
        """The process that was started."""
        return () if self._process is None else (self._process.pid,)

    def environment(self) -> dict[str, str]:
        """What a program needs to draw on this screen."""
        return {
            "DISPLAY": self._display,
            "XAUTHORITY": str(self.authority),
            "QT_QPA_PLATFORM": "xcb",
            "QT_SCALE_FACTOR": f"{self.scale:g}",
        }

    def _started(self, command: list[str]) -> list[str]:
        if self._is_trusted:
            return [*END_WITH_SERVER, *command]
        return confined(command, {}, self.x_sockets, [self._folder])

    def _command(self, ready: int) -> list[str]:
        width, height = smallest_screen(self.scale)
        return [
            self._program,
            # Outside of a sandbox, Xvnc chooses a display that nobody else uses.
            *([] if self._is_trusted else [DISPLAY]),
            *("-displayfd", str(ready)),
            *("-auth", str(self.authority)),
            *("-geometry", f"{width}x{height}"),
            *("-depth", "24"),
            *("-nolisten", "tcp"),
            # Outside of a sandbox, two that start at once take different displays by their abstract sockets.
            *([] if self._is_trusted else ["-nolisten", "local"]),
            *("-rfbport", "-1"),
            *("-rfbunixpath", str(self.rfb_socket)),
            *("-SecurityTypes", "None"),
            # Once the window has gone, so does the screen, even if the server was killed.
            "-terminate",
            "-UseBlacklist=0",
            "-NeverShared",
            *("-SendPrimary=0", "-SetPrimary=0"),
            *([f"-MaxCutText={MOST_CUT_BYTES}"] if self._is_trusted else ["-AcceptCutText=0", "-SendCutText=0"]),
        ]

    def _last_words(self) -> str:
        lines = self._log.read_text("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""


def write_cookie(path: Path) -> None:
    """Writes a fresh cookie for any display into a file that only its owner can read (the format of xauth)."""
    parts = (b"", b"", _PROTOCOL, secrets.token_bytes(16))
    entry = struct.pack(">H", _FAMILY_WILD) + b"".join(struct.pack(">H", len(part)) + part for part in parts)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(entry)
