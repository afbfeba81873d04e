"""The errors of a field, below it: an icon and a sentence for each problem."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from spatial_workbench.widgets.icons import IconLabel
from spatial_workbench.widgets.theme import SPACE

ICON = 14


class ToldProblem(Protocol):
    """A problem: its sentence, and whether it is an error or a warning."""

    @property
    def message(self) -> str: ...

    @property
    def is_error(self) -> bool: ...


P = TypeVar("P", bound=ToldProblem)


class ProblemLines(QWidget, Generic[P]):
    """The problems of a field; hidden while there are none.

    keeps_room: the room of problems that were seen stays when they are solved, so that nothing below moves.
    """

    def __init__(self, parent: QWidget | None = None, keeps_room: bool = False) -> None:
        super().__init__(parent)
        self.problems: tuple[P, ...] = ()
        self._keeps_room = keeps_room
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(SPACE // 2)
        self.hide()

    def show_problems(self, problems: Sequence[P]) -> None:
        """Shows these problems instead of the previous ones."""
        if tuple(problems) == self.problems:
            return
        self.problems = tuple(problems)
        if self._keeps_room and self.isVisible():
            self.setMinimumHeight(self.height())
        while (item := self._column.takeAt(0)) is not None:
            if (line := item.widget()) is not None:
                line.hide()
                line.deleteLater()
        for problem in self.problems:
            self._column.addWidget(problem_line(problem.message, problem.is_error))
        self.setVisible(bool(self.problems) or self.minimumHeight() > 0)


def problem_line(message: str, is_error: bool) -> QWidget:
    """An icon and a sentence."""
    line = QWidget()
    name = "failed" if is_error else "warning"
    mark = IconLabel(name, name)
    mark.setFixedSize(ICON, ICON)
    text = QLabel(message)
    text.setObjectName("error" if is_error else "caption")
    text.setWordWrap(True)
    row = QHBoxLayout(line)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(SPACE)
    row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
    row.addWidget(text, 1)
    return line
