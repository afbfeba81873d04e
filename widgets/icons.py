"""The application's line icons, in the colours of the theme."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPaintEvent, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QWidget

from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.widgets.appearance import appearance

ICON_PX = 16
APPLICATION_ICON_PX = (16, 22, 24, 32, 48, 64, 128, 256)


class PaintedIcon(QIconEngine):
    """An icon that is painted when it is shown, and so follows the theme."""

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, pixmap.rect(), mode, state)
        painter.end()
        return pixmap


class _LineIcon(PaintedIcon):
    """Draws an SVG whose strokes are `currentColor`, in the colour for the button's state."""

    def __init__(self, name: str, role: str) -> None:
        super().__init__()
        self._name = name
        self._role = role

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        theme = appearance().theme
        role = "disabled" if mode == QIcon.Mode.Disabled else self._role
        if state == QIcon.State.On and role == "text":
            role = "accent"
        if mode == QIcon.Mode.Selected:
            role = "on_accent"
        _renderer(self._name, theme.color(role).name()).render(painter, QRectF(rect))

    def clone(self) -> QIconEngine:
        return _LineIcon(self._name, self._role)


def icon(name: str, role: str = "text") -> QIcon:
    """The icon of that name (a file in resources/icons), in a role of the theme; follows the theme by itself.

    Raises:
        FileNotFoundError: there is no such icon.
    """
    _source(name)
    return QIcon(_LineIcon(name, role))


def pixmap(name: str, size: int, role: str = "text", ratio: float = 1.0) -> QPixmap:
    """The icon as a picture of `size` logical pixels in the current theme."""
    picture = QPixmap(round(size * ratio), round(size * ratio))
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    _renderer(name, appearance().theme.color(role).name()).render(painter)
    painter.end()
    picture.setDevicePixelRatio(ratio)
    return picture


def application_icon() -> QIcon:
    """The application's own icon, in the sizes that windows, task bars and docks ask for."""
    renderer = QSvgRenderer(QByteArray(resource("spatial-workbench.svg").read_bytes()))
    result = QIcon()
    for size in APPLICATION_ICON_PX:
        picture = QPixmap(size, size)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        renderer.render(painter)
        painter.end()
        result.addPixmap(picture)
    return result


class IconLabel(QWidget):
    """An icon in the colours of the current theme; empty while it has no name."""

    def __init__(self, name: str = "", role: str = "text") -> None:
        super().__init__()
        self.name = name
        self._role = role
        self.setFixedSize(ICON_PX, ICON_PX)

    def show_icon(self, name: str, role: str = "") -> None:
        """Shows another icon, in the given role or else in the role with the icon's name."""
        self.name = name
        self._role = role or name
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.name:
            icon(self.name, self._role).paint(QPainter(self), self.rect())


@lru_cache(maxsize=512)
def _renderer(name: str, color: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(_source(name).replace("currentColor", color).encode()))


@lru_cache(maxsize=256)
def _source(name: str) -> str:
    return resource("icons", f"{name}.svg").read_text()
