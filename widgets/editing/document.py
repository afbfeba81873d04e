"""The document behind an editor: an instance, the current answer, and its history."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack
from shiboken6 import isValid

from spatial_workbench.engine.core import Answer, Instance, Openness, Task, Tells, Verdict
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr

UNDO_LIMIT = 1000
AnswerT = TypeVar("AnswerT", bound=Answer)
Change = Callable[[Any], Any]
"""Turns one answer into another."""


class AnswerDocument(QObject, Generic[AnswerT]):
    """An answer being edited. Answers are frozen: every edit replaces the answer with a new one.

    Signals:
        answer_changed(): the answer was replaced.
        edited(str, Answer, Answer): an edit happened (also undo and redo): its label, the answer before and after.
        verdict_changed(): `verdict` was replaced; it may be None.
        openness_changed(): `openness` was set to another value.
    """

    answer_changed = Signal()
    edited = Signal(str, object, object)
    verdict_changed = Signal()
    openness_changed = Signal()

    def __init__(self, task: Task[AnswerT], instance: Instance, answer: AnswerT | None = None) -> None:
        super().__init__()
        self.task = task
        self.instance = instance
        self.answer: AnswerT = task.empty(instance) if answer is None else answer
        self.verdict: Verdict | None = None
        self.is_verdict_current = False
        """Whether `verdict` belongs to the current answer; while someone edits it lags behind for a moment."""
        self.openness = Openness.RULE
        """How much more than the task's rule the verdict and the editor show while somebody builds."""
        self.revision = 0
        self.undo_stack = UndoStack(self)
        self.undo_stack.setUndoLimit(UNDO_LIMIT)
        self.step = 0
        """Where the history stands after the edit that is told; the stack itself counts it only afterwards.

        Steps that the stack has dropped since, because there were more than it keeps, are counted."""
        self._dropped = 0
        self._is_restoring = False

    def edit(self, label: str, answer: AnswerT, merge: str = "") -> None:
        """Replaces the answer, as one step of the history.

        label: what the undo menu calls it, such as "Place brick".
        merge: consecutive edits with the same non-empty word become one step (as with a slider or an arrow key).
        """
        if answer == self.answer:
            return
        self.undo_stack.push(_Edit(self, label, self.answer, answer, merge))

    def do(
        self,
        label: str,
        change: Callable[[AnswerT], AnswerT],
        inverse: Callable[[AnswerT], AnswerT],
        back: str = "",
        again: str = "",
    ) -> None:
        """Applies a step that has an inverse: undo applies `inverse` to the answer as it is by then.

        back, again: what the menu calls the inverse and the repetition, where they are more than undo and redo.
        """
        self.undo_stack.push(_InvertibleEdit(self, label, change, inverse, back, again))

    def replace_data(self, label: str, raw: Any) -> None:
        """Replaces the answer with typed or loaded data.

        Raises:
            AnswerError: the data cannot be read; nothing was changed.
        """
        self.edit(label, self.task.parse(raw))

    def restore_history(self, steps: Iterable[tuple[str, Any, Any]], index: int) -> None:
        """Fills the empty history with earlier steps, of which the first `index` are done; the answer stays as it is.

        steps: labels, and the answers before and after each step as plain data, which is read when it is needed.
        """
        self._is_restoring = True
        try:
            for label, before, after in steps:
                self.undo_stack.push(_RestoredEdit(self, label, before, after))
            self.undo_stack.setIndex(index - self._dropped)
        finally:
            self._is_restoring = False

    def set_verdict(self, verdict: Verdict | None, revision: int | None = None) -> None:
        """Sets the verdict that was computed for `revision`."""
        self.verdict = verdict
        self.is_verdict_current = revision is None or revision == self.revision
        self.verdict_changed.emit()

    def open_to(self, openness: Openness) -> None:
        """Sets how much the verdict and the editor tell from now on."""
        if openness != self.openness:
            self.openness = openness
            self.openness_changed.emit()

    @property
    def tells_faults(self) -> bool:
        """Whether faults are shown while somebody builds: by the task's rule, or because somebody asked."""
        return self.openness > Openness.RULE or self.task.live.tells is Tells.FAULTS

    @property
    def tells_all(self) -> bool:
        """Whether the live verdict shows as much as a submission: by the task's rule, or because somebody asked."""
        return self.openness > Openness.RULE or not self.task.live.withholds

    def judge_again(self) -> None:
        """Draws and judges the same answer again, after something outside it has changed."""
        self.revision += 1
        self.is_verdict_current = False
        self.answer_changed.emit()

    def _count_forward(self, adds: bool = True) -> None:
        """Counts a step that is done; one that does not add itself to the stack becomes a part of the last one."""
        index = self.undo_stack.index()
        if adds and index == UNDO_LIMIT:
            # The stack is about to drop its first step.
            self._dropped += 1
            index -= 1
        self.step = self._dropped + index + adds

    def _count_back(self) -> None:
        """Counts a step that is undone."""
        self.step = self._dropped + self.undo_stack.index() - 1

    def _restore_answer(self, label: str, raw: Any) -> None:
        if not self._is_restoring:
            self._set_answer(label, self.task.parse(raw))

    def _set_answer(self, label: str, answer: AnswerT) -> None:
        before = self.answer
        self.answer = answer
        self.judge_again()
        self.edited.emit(label, before, answer)


class UndoStack(QUndoStack):
    """A history that deletes its commands before Python's garbage collector can.

    The collector frees the objects of a reference cycle in any order. A command that it frees before the stack leaves
    the stack with a dangling pointer, and the process crashes when the stack is destroyed.
    """

    def undo_words(self) -> str:
        """What the menu says that undo does; "" if it does nothing now."""
        return _words(self.command(self.index() - 1), back=True) if self.canUndo() else ""

    def redo_words(self) -> str:
        """What the menu says that redo does; "" if it does nothing now."""
        return _words(self.command(self.index()), back=False) if self.canRedo() else ""

    def __del__(self) -> None:
        if not isValid(self):
            return
        document = self.parent()  # It owns this stack, and the commands may hold the last references to it.
        with QSignalBlocker(self):
            self.clear()
        del document


def _words(command: QUndoCommand, back: bool) -> str:
    if isinstance(command, _InvertibleEdit):
        return command.back_words() if back else command.again_words()
    return _undo_words(command.text()) if back else _redo_words(command.text())


def _undo_words(label: str) -> str:
    return tr("Undo {step}", step=said(label)).strip()


def _redo_words(label: str) -> str:
    return tr("Redo {step}", step=said(label)).strip()


class _InvertibleEdit(QUndoCommand):
    def __init__(
        self, document: AnswerDocument[Any], label: str, change: Change, inverse: Change, back: str, again: str
    ) -> None:
        super().__init__(label)
        self._back = back or _undo_words(label)
        self._again = again or _redo_words(label)
        self._document = document
        self._change = change
        self._inverse = inverse
        self._done_once = False

    def redo(self) -> None:
        label = f"Redo {self.text()}" if self._done_once else self.text()
        self._done_once = True
        self._document._count_forward()
        self._apply_change(label, self._change)

    def undo(self) -> None:
        self._document._count_back()
        self._apply_change(f"Undo {self.text()}", self._inverse)

    def back_words(self) -> str:
        """The name of undoing it; "" while that would change nothing."""
        answer = self._document.answer
        return self._back if self._inverse(answer) != answer else ""

    def again_words(self) -> str:
        """The name of redoing it; "" while that would change nothing."""
        answer = self._document.answer
        return self._again if self._change(answer) != answer else ""

    def _apply_change(self, label: str, change: Change) -> None:
        answer = change(self._document.answer)
        if answer != self._document.answer:
            self._document._set_answer(label, answer)


class _RestoredEdit(QUndoCommand):
    """A step of an earlier run of the program."""

    def __init__(self, document: AnswerDocument[Any], label: str, before: Any, after: Any) -> None:
        super().__init__(label)
        self._document = document
        self._before = before
        self._after = after

    def redo(self) -> None:
        self._document._count_forward()
        self._document._restore_answer(f"Redo {self.text()}", self._after)

    def undo(self) -> None:
        self._document._count_back()
        self._document._restore_answer(f"Undo {self.text()}", self._before)


class _Edit(QUndoCommand):
    def __init__(self, document: AnswerDocument[Any], label: str, before: Answer, after: Answer, merge: str) -> None:
        super().__init__(label)
        self._document = document
        self._before = before
        self._after = after
        self._merge = merge
        self._done_once = False

    def redo(self) -> None:
        label = f"Redo {self.text()}" if self._done_once else self.text()
        merges = not self._done_once and self._merges()
        self._done_once = True
        self._document._count_forward(adds=not merges)
        self._document._set_answer(label, self._after)

    def undo(self) -> None:
        self._document._count_back()
        self._document._set_answer(f"Undo {self.text()}", self._before)

    def _merges(self) -> bool:
        """Whether the stack, to which this is being added, will make one step of it and the last one."""
        stack = self._document.undo_stack
        last = stack.command(stack.index() - 1) if stack.index() else None
        return isinstance(last, _Edit) and bool(self._merge) and last._merge == self._merge and not stack.isClean()

    def id(self) -> int:
        return hash(self._merge) & 0x3FFFFFFF if self._merge else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Edit) or other._merge != self._merge:
            return False
        self._after = other._after
        self.setObsolete(self._after == self._before)
        return True
