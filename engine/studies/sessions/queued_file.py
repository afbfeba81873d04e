"""A session's file that is written in a thread of its own, so that a slow disk never holds up the window.

What is committed is written in the order in which it came; what comes while the disk is busy is written together. If
the disk takes nothing, the thread keeps what it has and tries again, and `fault` says so.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from spatial_workbench.engine.studies.sessions.edit_history import DraftEdit
from spatial_workbench.engine.studies.sessions.schema import SessionRecord, TrialRecord
from spatial_workbench.engine.studies.sessions.session_file import Changes, SessionFile

RETRY_S = 0.25


class QueuedSessionFile(SessionFile):
    """Commits return at once; whatever reads the file waits until they are on the disk.

    Attributes:
        fault: Why nothing can be written at present; None while writing works.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._state = threading.Condition()
        self._in_use = threading.RLock()
        self._pending: Changes | None = None
        self._wants_copy = self._is_busy = self._is_closing = False
        self._thread = threading.Thread(target=self._work, name="session file", daemon=True)
        self._thread.start()

    @property
    def is_stored(self) -> bool:
        """Whether everything that was committed is on the disk."""
        with self._state:
            return self._is_idle

    def commit(self, changes: Changes) -> None:
        """Has changes stored after those before.

        Raises:
            OSError, sqlite3.Error: Nothing can be written at present; these changes were not taken.
        """
        with self._state:
            if self.fault is not None:
                raise self.fault
            self._pending = changes if self._pending is None else self._pending.then(changes)
            self._state.notify_all()

    def keep_copy(self) -> None:
        with self._state:
            self._wants_copy = True
            self._state.notify_all()

    def flush(self) -> None:
        """Waits until everything is on the disk, or cannot be written."""
        with self._state:
            self._state.wait_for(lambda: self._is_idle or self.fault is not None)

    def close(self) -> None:
        self.flush()
        with self._state:
            self._is_closing = True
            self._state.notify_all()
        self._thread.join()
        super().close()

    # Reading -----------------------------------------------------------------------------------------------------

    @property
    def head(self) -> SessionRecord:
        with self._reading():
            return super().head

    @property
    def place(self) -> dict[str, Any]:
        with self._reading():
            return super().place

    def trials(self) -> list[TrialRecord]:
        with self._reading():
            return super().trials()

    def draft_and_edits(self, position: int) -> tuple[Any, list[DraftEdit]]:
        with self._reading():
            return super().draft_and_edits(position)

    def chunks(self) -> tuple[bytes, ...]:
        with self._reading():
            return super().chunks()

    def sealed(self, name: str, content: bytes, seal: Callable[[bytes], str]) -> str:
        with self._reading():
            return super().sealed(name, content, seal)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Waits until all is stored, and keeps the thread from writing meanwhile."""
        self.flush()
        with self._in_use:
            yield

    # The thread --------------------------------------------------------------------------------------------------

    @property
    def _is_idle(self) -> bool:
        return self._pending is None and not self._wants_copy and not self._is_busy

    def _work(self) -> None:
        while self._wait_for_work():
            changes, wants_copy = self._take_changes()
            fault: OSError | sqlite3.Error | None = None
            try:
                with self._in_use:
                    if changes is not None:
                        super().commit(changes)
                        changes = None
                    if wants_copy:
                        super().keep_copy()
                        wants_copy = False
            except (OSError, sqlite3.Error) as error:
                fault = error
            self._give_back(changes, wants_copy, fault)

    def _wait_for_work(self) -> bool:
        """Waits for something to write; False if there is nothing more to come."""
        with self._state:
            if self.fault is not None:
                self._state.wait_for(lambda: self._is_closing, RETRY_S)
                return not self._is_closing
            self._state.wait_for(lambda: self._pending is not None or self._wants_copy or self._is_closing)
            return self._pending is not None or self._wants_copy

    def _take_changes(self) -> tuple[Changes | None, bool]:
        with self._state:
            taken = self._pending, self._wants_copy
            self._pending = None
            self._wants_copy = False
            self._is_busy = True
            return taken

    def _give_back(self, changes: Changes | None, wants_copy: bool, fault: OSError | sqlite3.Error | None) -> None:
        """Keeps what could not be written for the next try, before what came meanwhile."""
        with self._state:
            if changes is not None:
                self._pending = changes if self._pending is None else changes.then(self._pending)
            self._wants_copy |= wants_copy
            self.fault = fault
            self._is_busy = False
            self._state.notify_all()
