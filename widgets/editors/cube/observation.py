"""Shows what an agent would see, for a person who plays under the same conditions."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.cube.letters import Colours
from spatial_workbench.engine.cube.pictures import Picture, face_picture, net_picture, vertex_picture
from spatial_workbench.engine.cube.views import INITIAL_FACE_VIEW, INITIAL_VERTEX_VIEW, VertexView, View, transform
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.rich_text import make_rich

ARROWS = {"up": (0, 1, "▲"), "left": (1, 0, "◀"), "right": (1, 2, "▶"), "down": (2, 1, "▼")}
KEYS = {Qt.Key.Key_Up: "up", Qt.Key.Key_Down: "down", Qt.Key.Key_Left: "left", Qt.Key.Key_Right: "right"}


class PictureView(QWidget):
    """A picture as large as possible, with square pixels."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumSize(180, 180)
        self._image: QImage | None = None

    def sizeHint(self) -> QSize:
        return QSize(420, 420)

    def show_picture(self, picture: Picture) -> None:
        """Shows an array (h, w, 3)."""
        height, width = picture.shape[:2]
        self._image = QImage(picture.tobytes(), width, height, width * 3, QImage.Format.Format_RGB888).copy()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._image is None:
            return
        painter = QPainter(self)
        scale = min(self.width() / self._image.width(), self.height() / self._image.height()) * 0.9
        w, h = self._image.width() * scale, self._image.height() * scale
        painter.drawImage(QRectF((self.width() - w) / 2, (self.height() - h) / 2, w, h), self._image)


class ObservationPane(QWidget):
    """The observation in one setting: a string, the net, a face or a corner; arrows move the camera of the last two.

    Signals:
        view_moved(str): the camera moved "up", "down", "left" or "right", and the view changed.
        message(str): why the camera did not move.
    """

    view_moved = Signal(str)
    message = Signal(str)

    def __init__(self, setting: str) -> None:
        super().__init__()
        self._setting = setting
        self.view: View = INITIAL_VERTEX_VIEW if setting == "vertex_view" else INITIAL_FACE_VIEW
        self._state: Colours | None = None
        self._picture = PictureView()
        self._picture.setAccessibleName(tr("What an agent sees"))
        self._text = make_rich(QLabel(alignment=Qt.AlignmentFlag.AlignCenter))
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setAccessibleName(tr("What an agent sees"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.column = QVBoxLayout(self)
        self.column.addWidget(self._text if setting == "full_symbolic" else self._picture, 1)

    @property
    def can_move(self) -> bool:
        """Whether there is a camera to move."""
        return self._setting in ("face_view", "vertex_view")

    def show_state(self, state: Colours) -> None:
        """Shows what an agent sees of a state."""
        self._state = state
        if self._setting == "full_symbolic":
            self._text.setText(_as_rows(state))
        elif self._setting == "full_visual":
            self._picture.show_picture(net_picture(state))
        elif isinstance(self.view, VertexView):
            self._picture.show_picture(vertex_picture(state, self.view))
        else:
            self._picture.show_picture(face_picture(state, self.view))

    def move_view(self, direction: str) -> None:
        """Moves the camera."""
        self.view, outcome = transform(self.view, direction)
        if outcome != "ok":
            self.message.emit(outcome.capitalize() + ".")
            return
        self.view_moved.emit(direction)
        if self._state is not None:
            self.show_state(self._state)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        direction = KEYS.get(Qt.Key(event.key()))
        if direction and self.can_move:
            self.move_view(direction)
        else:
            super().keyPressEvent(event)

    def make_arrows(self) -> QWidget:
        """Buttons that move the camera."""
        box = QWidget()
        grid = QGridLayout(box)
        for direction, (row, column, sign) in ARROWS.items():
            button = QToolButton()
            button.setText(sign)
            button.setToolTip(said(f"Move the camera {direction} (arrow key)"))
            button.setAccessibleName(said(f"Camera {direction}"))
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.clicked.connect(lambda _=False, direction=direction: self.move_view(direction))
            grid.addWidget(button, row, column)
        return box


def _as_rows(state: Colours) -> str:
    """The string with one face per line, and the faces' names beside it."""
    secondary = appearance().theme.secondary
    rows = [
        f'<span style="color:{secondary}">{face}&nbsp;&nbsp;</span>{state[9 * i : 9 * i + 9]}'
        for i, face in enumerate("ULFRDB")
    ]
    return f'<div style="font-family:monospace;font-size:18pt;line-height:140%">{"<br>".join(rows)}</div>'
