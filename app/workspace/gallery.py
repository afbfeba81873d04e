"""The gallery of a level: the machines of its attempts as pictures, the best first, above the published results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPixmap, QShowEvent
from PySide6.QtWidgets import QLabel, QListView, QListWidget, QListWidgetItem, QPushButton, QWidget

from spatial_workbench.app.attempts.machine_pictures import MachinePictures
from spatial_workbench.app.frame.people import author_of
from spatial_workbench.engine.core import AnswerError, headline_of, task_of_address
from spatial_workbench.engine.core.reading.pipeline import read_answer
from spatial_workbench.engine.core.words import score_words
from spatial_workbench.engine.machines.results.published import published_best
from spatial_workbench.engine.tasks.machine.answer import MachineAnswer
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.layouts import column, row
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.engine.machines.building.tree import Tree
    from spatial_workbench.engine.store import AttemptRow

MOST = 60
"""The most attempts that are shown; those with the largest figures."""
_PICTURE = QSize(120, 90)
_CELL = QSize(140, 150)
_MOST_PUBLISHED = 3


class Gallery(QWidget):
    """Pictures of attempts; a click plays one over the current machine.

    level: the level's name, for what was published about it.

    Signals:
        shown(): it has come into sight, and wants `show_attempts`.
        played(int): play this attempt over the current machine.
        opened(int): put this attempt into the editor.
    """

    shown = Signal()
    played = Signal(int)
    opened = Signal(int)

    def __init__(self, level: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.pictures = MachinePictures(self)
        self.pictures.drawn.connect(self._put_picture)
        self.list = QListWidget()
        self.list.setViewMode(QListView.ViewMode.IconMode)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setMovement(QListView.Movement.Static)
        self.list.setIconSize(_PICTURE)
        self.list.setGridSize(_CELL)
        self.list.setWordWrap(True)
        self.list.setAccessibleName("Machines of this level")
        self.list.itemClicked.connect(lambda item: self.played.emit(_number(item)))
        self.list.currentItemChanged.connect(lambda *_: self._update_buttons())
        self.empty = QLabel("No machine was submitted for this level yet. Submit one, and it stands here.")
        self.empty.setObjectName("caption")
        self.empty.setWordWrap(True)
        self.published = QLabel(published_words(level))
        self.published.setObjectName("caption")
        self.published.setWordWrap(True)
        self.published.setVisible(bool(self.published.text()))
        self.play_button = self._button("Play", "Play this machine over the current one", self.played.emit)
        self.open_button = self._button("Open", "Put this machine into the editor; can be undone", self.opened.emit)
        buttons = QWidget()
        row(buttons, self.play_button, self.open_button, None, spacing=2 * SPACE)
        column(self, self.empty, self.list, buttons, self.published, margin=3 * SPACE, spacing=2 * SPACE)
        self._update_buttons()

    def show_attempts(self, attempts: Sequence[tuple[AttemptRow, str]]) -> None:
        """Shows attempts with their answers, the largest figure first."""
        ordered = sorted(attempts, key=lambda pair: -_figure(pair[0]))
        chosen = self.list.currentItem()
        before = _number(chosen) if chosen is not None else None
        self.list.clear()
        for place, (attempt, answer) in enumerate(ordered[:MOST]):
            item = QListWidgetItem(words_of(attempt, is_best=place == 0 and _figure(attempt) > 0))
            item.setData(Qt.ItemDataRole.UserRole, attempt.number)
            item.setIcon(QIcon(_blank()))
            self.list.addItem(item)
            if attempt.number == before:
                self.list.setCurrentItem(item)
            tree = _tree_of(answer)
            if tree is not None:
                self.pictures.want(str(attempt.number), tree)
        self.empty.setVisible(not ordered)
        self._update_buttons()

    def close_panel(self) -> None:
        """Ends the drawing of pictures."""
        self.pictures.close()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()

    def _put_picture(self, key: str, picture: QPixmap) -> None:
        for place in range(self.list.count()):
            item = self.list.item(place)
            if str(_number(item)) == key:
                item.setIcon(QIcon(picture))

    def _button(self, text: str, tip: str, send: Callable[[int], object]) -> QPushButton:
        button = QPushButton(text)
        button.setToolTip(tip)
        button.clicked.connect(lambda: self._send(send))
        return button

    def _send(self, send: Callable[[int], object]) -> None:
        item = self.list.currentItem()
        if item is not None:
            send(_number(item))

    def _update_buttons(self) -> None:
        for button in (self.play_button, self.open_button):
            button.setEnabled(self.list.currentItem() is not None)


def words_of(attempt: AttemptRow, is_best: bool) -> str:
    """The caption of a picture: the figure, the person or model, and whether it is the best."""
    headline = headline_of(task_of_address(attempt.address))
    if attempt.score is None:
        figure = "checking…"
    elif headline is None or attempt.measured is None:
        figure = f"score {score_words(attempt.score)}"
    else:
        figure = headline.text(attempt.measured)
    return f"{'Best: ' if is_best else ''}{figure}\n#{attempt.number} {author_of(attempt)}"


def published_words(level: str) -> str:
    """The farthest published machines of a level; "" where nothing was published."""
    bests = published_best(level)[:_MOST_PUBLISHED]
    if not bests:
        return ""
    listed = "; ".join(f"{best.metres:g} m by {best.model}, {best.workflow}" for best in bests)
    return f"Published, on another physics engine and not to be ranked with these: {listed}."


def _figure(attempt: AttemptRow) -> float:
    """The sort key of attempts."""
    return attempt.measured if attempt.measured is not None else attempt.score or 0.0


def _number(item: QListWidgetItem) -> int:
    return int(item.data(Qt.ItemDataRole.UserRole))


def _tree_of(answer: str) -> Tree | None:
    try:
        return read_answer(MachineAnswer, answer).reading.tree
    except AnswerError:
        return None


def _blank() -> QPixmap:
    """Stands for a picture that is not drawn yet."""
    picture = QPixmap(_PICTURE)
    picture.fill(appearance().theme.color("field"))
    return picture
