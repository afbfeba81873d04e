"""The plan: the active layer from above, beside the 3D view, and the room that it has there."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSettings, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.tasks.lego_hemisphere.brick import HEIGHT
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.layouts import column, row, split
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.theme import SPACE

SPLITTER_KEY = "editors/lego_hemisphere/splitter"
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
        self.canvas.setAccessibleName(tr("Plan of the layer"))
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
        self._title.setText(said(f"Layer {layer}"))
        self._height.setText(f"z {HEIGHT * layer:.1f}–{HEIGHT * (layer + 1):.1f} mm")

    def _header(self) -> QWidget:
        bar = QWidget()
        bar.setObjectName("panel")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        down = self._button("layer_down", tr("Layer down"), tr("Layer down (Page Down)"), -1)
        up = self._button("layer_up", tr("Layer up"), tr("Layer up (Page Up)"), 1)
        row(bar, self._title, self._height, None, down, up, margins=(3 * SPACE, SPACE), spacing=2 * SPACE)
        return bar

    def _button(self, picture: str, text: str, tip: str, step: int) -> QToolButton:
        button = QToolButton()
        button.setIcon(icon(picture))
        button.setIconSize(QSize(20, 20))
        button.setAutoRaise(True)
        button.setToolTip(tip)
        button.setAccessibleName(text)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda: self.layer_stepped.emit(step))
        return button


class PlanRoom:
    """How the room is divided between the 3D view and the plan; it is remembered when the editor is closed."""

    def __init__(self, view: QWidget, plan: QWidget) -> None:
        self.splitter = split(view, plan, shares=(5, 3))
        self.splitter.setCollapsible(0, False)
        self._plan = plan

    def restore(self, changed: Callable[[], object]) -> None:
        """Divides the room as it was; `changed` is called when the person divides it."""
        stored = _settings().value(SPLITTER_KEY) if appearance().remembers else None
        if stored is None or not self.splitter.restoreState(stored):
            self.share(True)
        self.splitter.splitterMoved.connect(lambda *_: changed())

    def store(self) -> None:
        """Stores how the room is divided."""
        if appearance().remembers:
            _settings().setValue(SPLITTER_KEY, self.splitter.saveState())

    @property
    def is_there(self) -> bool:
        """Whether the plan is shown and has room."""
        is_shown = self._plan.isVisibleTo(self.splitter)
        return is_shown and (not self.splitter.isVisible() or self.splitter.sizes()[1] > 0)

    def share(self, plan: bool) -> None:
        """Gives the plan a third of the width, or none."""
        self.splitter.setSizes([2000, 1000] if plan else [1, 0])


def _settings() -> QSettings:
    return QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "spatial-workbench", "workbench")
