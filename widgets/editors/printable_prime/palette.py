"""The palette: every digit in every orientation; those that cannot come next are greyed, with the reason as a tip."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QGridLayout, QLabel, QToolButton, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.tasks.printable_prime.digits import DigitPlaced, Orientation, segments
from spatial_workbench.engine.tasks.printable_prime.solids import bars
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.theme import Theme

ICON = QSize(20, 26)
NAMES = {
    Orientation.FLAT: marked("flat"),
    Orientation.FLIPPED_X: "mirrored left to right",
    Orientation.FLIPPED_Y: "mirrored top to bottom",
    Orientation.ROTATE_180_Z: "turned by half",
    Orientation.HEAD: "on its head",
    Orientation.SIDE: "on its long side",
}
Refuses = Callable[[DigitPlaced], str]
"""Returns why a digit cannot come next, or ""."""


class DigitPalette(QWidget):
    """Ten rows of up to six buttons; orientations that look the same are offered once.

    Signals:
        chosen(Placed): this digit, in this orientation, was chosen.
    """

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._buttons: dict[DigitPlaced, QToolButton] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(1)
        for digit in range(10):
            label = QLabel(str(digit))
            label.setObjectName("caption")
            grid.addWidget(label, digit, 0, Qt.AlignmentFlag.AlignCenter)
            for column, placed in enumerate(distinct_ways(digit), 1):
                grid.addWidget(self._make_button(placed), digit, column)
        self._theme: Theme | None = None

    def _make_button(self, placed: DigitPlaced) -> QToolButton:
        button = QToolButton()
        button.setAutoRaise(True)
        button.setIconSize(ICON)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(f"{placed.digit} {said(NAMES[placed.orientation])}")
        button.clicked.connect(lambda _=False: self.chosen.emit(placed))
        self._buttons[placed] = button
        return button

    def offer(self, refuses: Refuses) -> None:
        """Greys out what cannot come next; the digits take the colours of the current theme."""
        self._draw_digits()
        for placed, button in self._buttons.items():
            why = refuses(placed)
            button.setEnabled(not why)
            title = f"{placed.digit}, {said(NAMES[placed.orientation])}"
            button.setToolTip(f"{title}\n{said(f'Not here: {why}.')}" if why else title)

    def _draw_digits(self) -> None:
        if self._theme is appearance().theme:
            return
        self._theme = appearance().theme
        for placed, button in self._buttons.items():
            button.setIcon(digit_icon(placed))


def distinct_ways(digit: int) -> list[DigitPlaced]:
    """The orientations of a digit that can be printed and differ in shape, flat ones first."""
    from spatial_workbench.engine.tasks.printable_prime.digits import prints

    ways: list[DigitPlaced] = []
    shapes = set()
    for orientation in Orientation:
        placed = DigitPlaced(digit, orientation)
        shape = segments(placed) if orientation.is_flat else orientation
        if prints(placed) and shape not in shapes:
            shapes.add(shape)
            ways.append(placed)
    return ways


def digit_icon(placed: DigitPlaced) -> QIcon:
    """A digit seen from above if it lies flat, and from the side if it stands."""
    icon = QIcon()
    for mode, role in ((QIcon.Mode.Normal, "text"), (QIcon.Mode.Disabled, "disabled")):
        icon.addPixmap(_picture(placed, role, faint=mode == QIcon.Mode.Disabled), mode)
    return icon


def _picture(placed: DigitPlaced, role: str, faint: bool) -> QPixmap:
    ratio = 2
    picture = QPixmap(ICON * ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setOpacity(0.45 if faint else 1.0)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(appearance().theme.color(role))
    scale = ICON.height() * ratio / 24
    painter.translate(picture.width() / 2, picture.height() / 2)
    across, up = {Orientation.HEAD: (0, 2), Orientation.SIDE: (1, 2)}.get(placed.orientation, (0, 1))
    boxes = bars(placed)
    middle = 0.0 if placed.orientation.is_flat else float(boxes[:, 1, 2].max()) / 2
    for low, high in boxes:
        x = (low[across] + high[across]) / 2
        y = (low[up] + high[up]) / 2 - middle
        w, h = high[across] - low[across], high[up] - low[up]
        w, h = (w - 1.2, 2.0) if w > h else (2.0, h - 1.2) if h > w else (2.0, 2.0)
        painter.drawRoundedRect(
            QRectF((x - w / 2) * scale, (-y - h / 2) * scale, w * scale, h * scale), scale * 0.6, scale * 0.6
        )
    painter.end()
    return picture
