"""The welcome for newcomers above the cards."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from spatial_workbench.engine.core import tasks
from spatial_workbench.widgets.theme import SPACE

STARTERS = ("lego_hemisphere", "two_segments", "fluid_simulation")
"""Tasks that a newcomer is shown first: one in space, one in the plane, one simulated."""


class Welcome(QFrame):
    """The welcome for newcomers above the cards.

    Signals:
        task_chosen(str): a task to try.
    """

    task_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        title = QLabel("Start here")
        title.setObjectName("panelTitle")
        text = QLabel(
            "Pick a task, build an answer with mouse and keyboard, and watch the verdict change as you go. "
            "Everything you do is stored. The example project shows drafts and attempts to look at."
        )
        text.setWordWrap(True)
        text.setObjectName("secondary")
        self.example = QPushButton("Open the example project")
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        for task in tasks():
            if task.id in STARTERS:
                button = QPushButton(f"Try {task.title}")
                button.clicked.connect(lambda _=False, chosen=task.id: self.task_chosen.emit(chosen))
                row.addWidget(button)
        row.addWidget(self.example)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        layout.setSpacing(2 * SPACE)
        layout.addWidget(title)
        layout.addWidget(text)
        layout.addLayout(row)
