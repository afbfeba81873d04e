"""A card of the catalogue: one task with its picture and progress."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QSizePolicy, QVBoxLayout

from spatial_workbench.app.frame.added import added
from spatial_workbench.app.window.catalogue.subtask_menu import SubtaskMenu
from spatial_workbench.app.window.catalogue.thumbnails import rounded_thumbnail
from spatial_workbench.engine.core import Family, Task
from spatial_workbench.engine.core.words import score_words
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.engine.store import TaskProgress

CARD = QSize(263, 288)
PICTURE_HEIGHT = 150
ARROWS: dict[int, tuple[int, int]] = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
"""The direction of each arrow key; right and down are 1."""


class Card(QFrame):
    """One task: picture, title, bucket, progress; a click chooses among its instances.

    Signals:
        instance_chosen(str): an address.
        generate_chosen(str): the task's id.
        levels_wanted(): make or change levels of machines.
        left(int, int): move the focus in this direction; right and down are 1.
    """

    instance_chosen = Signal(str)
    generate_chosen = Signal(str)
    levels_wanted = Signal()
    left = Signal(int, int)

    def __init__(self, task: Task[Any]) -> None:
        super().__init__()
        self.task = task
        self._progress: TaskProgress | None = None
        self.setObjectName("card")
        self.setFixedHeight(CARD.height())
        self.setMinimumWidth(CARD.width())
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(task.title)
        self.setAccessibleDescription(task.summary)
        self.setToolTip(f"{task.summary}\nClick to choose a subtask.")
        self._picture = QLabel()
        self._picture.setMinimumWidth(1)
        self._picture.setFixedHeight(PICTURE_HEIGHT)
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._count = QLabel()
        self._count.setObjectName("caption")
        self._best = QLabel()
        self._best.setObjectName("caption")
        self._lay_out()
        self.load_picture()
        self.show_progress(None)

    def load_picture(self) -> None:
        """Shows the thumbnail for the current theme, cropped to the card's width."""
        width = max(CARD.width(), self.width()) - 2
        size = (width, PICTURE_HEIGHT)
        picture = rounded_thumbnail(self.task, appearance().theme.name, size, self.devicePixelRatioF())
        if picture is None:
            self._picture.setPixmap(icon("box", "secondary").pixmap(QSize(48, 48)))
            return
        self._picture.setPixmap(QPixmap.fromImage(picture))

    def sizeHint(self) -> QSize:
        return CARD

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.load_picture()

    def show_progress(self, progress: TaskProgress | None) -> None:
        """Shows how many subtasks are solved, and the best scores."""
        known = {instance.address for instance in self.task.instances()}
        entries = chain.from_iterable(added().to(self.task.id).values())
        known |= {f"{self.task.id}:{entry.name}" for entry in entries}
        self._progress = progress
        solved = len(progress.solved & known) if progress else 0
        with_help = len(progress.solved_with_help & known) if progress else 0
        begun = len(progress.drafts & known) if progress else 0
        helped = f" · {with_help} with help" if with_help else ""
        drafts = f" · {begun} started" if begun else ""
        self._count.setText(f"{solved} of {len(known)} solved{helped}{drafts}")
        self._count.setToolTip("Subtasks solved with a hint, a solver, the key or the reference are counted separately")
        best = progress.best_person if progress else None
        model = progress.best_model if progress else None
        parts = [
            f"{who} {score_words(score)}" for who, score in (("best", best), ("model", model)) if score is not None
        ]
        self._best.setText(" · ".join(parts))

    def menu(self) -> QMenu:
        """The subtasks to choose from."""
        menu = SubtaskMenu(self.task, self._progress, self.instance_chosen.emit, self)
        if self.task.generates:
            menu.addSeparator()
            generate = menu.addAction("Generate a new one…")
            generate.triggered.connect(lambda _=False: self.generate_chosen.emit(self.task.id))
        if self.task.family is Family.MACHINES:
            menu.addAction("Levels of your own…").triggered.connect(lambda _=False: self.levels_wanted.emit())
        return menu

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self._open_menu(event.globalPosition().toPoint())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._open_menu(self.mapToGlobal(QPoint(4 * SPACE, PICTURE_HEIGHT)))
        elif event.key() in ARROWS:
            self.left.emit(*ARROWS[event.key()])
        else:
            super().keyPressEvent(event)

    def _open_menu(self, where: QPoint) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(where)

    def _lay_out(self) -> None:
        title = QLabel(self.task.title)
        title.setObjectName("panelTitle")
        bucket = QLabel(f"{self.task.family.label} · {self.task.bucket.id}")
        bucket.setObjectName("caption")
        summary = QLabel(self.task.summary)
        summary.setObjectName("secondary")
        summary.setWordWrap(True)
        summary.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        summary.setAlignment(Qt.AlignmentFlag.AlignTop)
        foot = QHBoxLayout()
        foot.addWidget(self._count)
        foot.addStretch(1)
        foot.addWidget(self._best)
        words = QVBoxLayout()
        words.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 3 * SPACE)
        words.setSpacing(SPACE)
        for widget in (title, bucket, summary):
            words.addWidget(widget)
        words.addLayout(foot)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        layout.addWidget(self._picture)
        layout.addLayout(words, 1)
