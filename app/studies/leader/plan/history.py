"""Steps of the history of a plan."""

from __future__ import annotations

import time
import weakref
from typing import Protocol

from PySide6.QtGui import QUndoCommand

from app.studies.leader.plan.fields import Data

SAME_EDIT_S = 1.5
"""Letters typed into a field without a longer pause are one step of the history."""


class Holder(Protocol):
    """What shows a plan: its form."""

    def show_step(self, data: Data) -> None:
        """Shows a state of the document."""


class PlanChange(QUndoCommand):
    """A change of the document. What is typed into the same field without a pause becomes one step."""

    def __init__(self, form: Holder, label: str, before: Data, after: Data, key: str) -> None:
        super().__init__(label)
        self._form = weakref.ref(form)
        self._before, self._after, self._key = before, after, key
        self._at = time.monotonic()
        self._is_shown = True

    def redo(self) -> None:
        # The first time, the fields show it already.
        if not self._is_shown:
            self._show(self._after)
        self._is_shown = False

    def undo(self) -> None:
        self._show(self._before)

    def id(self) -> int:
        return 0x57D1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, PlanChange) or not self._key or other._key != self._key:
            return False
        if other._at - self._at > SAME_EDIT_S:
            return False
        self._after, self._at = other._after, other._at
        return True

    def _show(self, data: Data) -> None:
        form = self._form()
        if form is not None:
            form.show_step(data)
