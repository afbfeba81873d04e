"""The plan: the active layer from above, beside the 3D view."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from spatial_workbench.engine.tasks.lego_hemisphere.brick import HEIGHT
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.layouts import column, row
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.theme import SPACE

ROOM_FOR_HEIGHT = 280
"""The header shows the layer's height in plans that are at least this wide."""


class PlanView(QWidget):
    """A canvas with the layer's name above it.

    Signals:
        layer_stepped(int): the person wants the next layer up (1) or down (-1).
    """

    layer_stepped = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.canvas = Canvas2D()
        self.canvas.setAccessibleName(self.tr("Plan of the layer"))
        self._title = QLabel()
        self._height = QLabel()
        self._height.setObjectName("figures")
        self.setMinimumWidth(240)
        column(self, self._header(), self.canvas).setStretch(1, 1)

    def sizeHint(self) -> QSize:
        return QSize(320, 480)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._height.setVisible(self.width() >= ROOM_FOR_HEIGHT)

    def show_layer(self, layer: int) -> None:
        """Shows the layer's number and height in the header."""
        self._title.setText(f"Layer {layer}")
        self._height.setText(f"z {HEIGHT * layer:.1f}–{HEIGHT * (layer + 1):.1f} mm")

    def _header(self) -> QWidget:
        bar = QWidget()
        bar.setObjectName("panel")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        down = self._button("layer_down", "Layer down (Page Down)", -1)
        up = self._button("layer_up", "Layer up (Page Up)", 1)
        row(bar, self._title, self._height, None, down, up, margins=(3 * SPACE, SPACE), spacing=2 * SPACE)
        return bar

    def _button(self, name: str, tip: str, step: int) -> QToolButton:
        button = QToolButton()
        button.setIcon(icon(name))
        button.setIconSize(QSize(20, 20))
        button.setAutoRaise(True)
        button.setToolTip(tip)
        button.setAccessibleName(tip.partition(" (")[0])
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda: self.layer_stepped.emit(step))
        return button
