"""A line that says which judgings of steps wait to go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from spatial_workbench.engine.core.words import counted
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.app.evaluation.step_judgings import StepJudgings


class JudgingNotice(QFrame):
    """Shown while a judging of the project in use is paused or stopped.

    Signals:
        show_wanted(): show the judgings.
    """

    show_wanted = Signal()

    def __init__(self, judgings: StepJudgings, project: ProjectService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self._judgings = judgings
        self._signals = (judgings.changed, judgings.state_changed, project.opened)
        self.words = QLabel()
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setWordWrap(True)
        self.button = QPushButton("Judging of steps")
        self.button.setToolTip("Go on with it, or drop it")
        self.button.clicked.connect(self.show_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(3 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        row.setSpacing(4 * SPACE)
        row.addWidget(self.words, 1)
        row.addWidget(self.button)
        for signal in self._signals:
            signal.connect(self._show_waiting)
        self._show_waiting()

    def stop_following(self) -> None:
        """Shows no further changes."""
        for signal in self._signals:
            signal.disconnect(self._show_waiting)

    def _show_waiting(self) -> None:
        waiting = [f"{work.name} · {work.judging.scope}" for work in self._judgings.waiting]
        count = counted(len(waiting), "judging")
        self.words.setText(f"{count} of steps can go on: {'; '.join(waiting)}")
        self.setVisible(bool(waiting))
