"""Keeps hold of a project's file while a window has it open for hours.

On Linux and macOS, the locks of a process on a file end as soon as the process closes that file anywhere. A file dialog
does this, which looks into files of unknown kinds. Another program that closes the project then takes itself for the
last one and removes the journal, into which this one goes on writing.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from enum import Enum, auto
from pathlib import Path

_SHARED_START = 0x40000002
_SHARED_BYTES = 510
"""Where SQLite locks the file of a database for reading (os.h of SQLite, SHARED_FIRST and SHARED_SIZE)."""
_IN_USE_START = 128
"""The byte of the index of the journal that says that somebody uses it (os_unix.c of SQLite, UNIX_SHM_DMS)."""


class JournalState(Enum):
    """How a project's journal is."""

    HELD = auto()
    GONE = auto()
    """Another program has removed it, and nobody else has the project open."""
    REPLACED = auto()
    """Another program has removed it, and somebody writes a new one."""


class FileHold:
    """Takes the locks of an open project again and again, in whatever way they were lost. On Windows, none is lost.

    It has to be closed after the project, by the same thread.
    """

    def __init__(self, path: Path) -> None:
        """path: A project that is open in this process."""
        self._journal = path.with_name(f"{path.name}-wal")
        index = path.with_name(f"{path.name}-shm")
        self._locked: dict[int, tuple[int, int]] = {}
        self._held = -1
        # On a network drive, SQLite keeps to its older journal, without lasting locks.
        if sys.platform != "win32" and self._journal.exists() and index.exists():
            self._locked[os.open(path, os.O_RDONLY)] = _SHARED_START, _SHARED_BYTES
            self._locked[os.open(index, os.O_RDONLY)] = _IN_USE_START, 1
            self._held = os.open(self._journal, os.O_RDONLY)

    def renew(self) -> JournalState:
        """Takes the locks again if they were lost."""
        if sys.platform == "win32" or self._held < 0:
            return JournalState.HELD
        import fcntl

        for file, (start, length) in self._locked.items():
            # Whoever has locked the file against readers is closing it; the journal tells soon what came of it.
            with suppress(OSError):
                fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, length, start)
        try:
            now = self._journal.stat()
        except OSError:
            return JournalState.GONE
        return JournalState.HELD if os.path.samestat(now, os.fstat(self._held)) else JournalState.REPLACED

    def close(self) -> None:
        """Lets go of the files."""
        for file in (*self._locked, *([self._held] if self._held >= 0 else [])):
            os.close(file)
        self._locked.clear()
        self._held = -1
