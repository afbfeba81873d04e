"""The bar above the page: tools, colours, width and opacity, and how the page is seen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QColor, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.puzzles.annotation.layers import COLORS, WIDTHS_PX
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.flow_layout import FlowLayout
from spatial_workbench.widgets.number_box import number_field
from spatial_workbench.widgets.sketch.desk import Look
from spatial_workbench.widgets.theme import SPACE

ICON_PX = 18


class SketchBar(QWidget):
    """Groups of buttons, in as many rows as are needed.

    Signals:
        styled(str, object): the person chose a "color", "width" or "opacity".
    """

    styled = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._flow = FlowLayout(self)
        self._flow.setSpacing(2 * SPACE)
        self._flow.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, SPACE)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._swatches: dict[str, QAction] = {}

    def add_group(self, actions: Sequence[QAction], exclusive: bool = False) -> QWidget:
        """Adds buttons side by side; one of `exclusive` buttons is always down."""
        group = QActionGroup(self) if exclusive else None
        row, layout = _row()
        for action in actions:
            if group is not None:
                action.setCheckable(True)
                group.addAction(action)
            layout.addWidget(_button(action))
        self._flow.addWidget(row)
        return row

    def add_look(self, look: Look) -> QWidget:
        """Adds the six colours, the width and the opacity."""
        row, layout = _row()
        group = QActionGroup(self)
        for name, color in COLORS.items():
            action = self._swatches[color] = QAction(_swatch(color), said(name.capitalize()), self)
            action.setToolTip(tr("{colour}; recolours what is selected", colour=said(name.capitalize())))
            action.setCheckable(True)
            action.triggered.connect(partial(self._choose, "color", color))
            group.addAction(action)
            layout.addWidget(_button(action))
        self.width_field = number_field(
            "Line width",
            WIDTHS_PX,
            1,
            0,
            "px",
            "Line width on a page of 1,500 pixels, more on larger pages; [ thinner, ] thicker",
        )
        self.opacity_field = number_field("Opacity", (5, 100), 5, 0, "%")
        self.width_field.valueChanged.connect(partial(self._choose, "width"))
        self.opacity_field.valueChanged.connect(lambda percent: self._choose("opacity", percent / 100))
        for field in (self.width_field, self.opacity_field):
            field.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            layout.addWidget(field)
        self._flow.addWidget(row)
        self.show_look(look)
        appearance().changed.connect(self._retint)
        return row

    def show_look(self, look: Look) -> None:
        """Shows a look without telling that it was chosen."""
        with QSignalBlocker(self.width_field), QSignalBlocker(self.opacity_field):
            self.width_field.setValue(look.width)
            self.opacity_field.setValue(100 * look.opacity)
        if look.color in self._swatches:
            self._swatches[look.color].setChecked(True)

    def _choose(self, what: str, value: object, *_: object) -> None:
        self.styled.emit(what, value)

    def _retint(self) -> None:
        for color, action in self._swatches.items():
            action.setIcon(_swatch(color))


def _row() -> tuple[QWidget, QHBoxLayout]:
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(1)
    return row, layout


def _button(action: QAction) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(action)
    button.setIconSize(QSize(ICON_PX, ICON_PX))
    button.setAutoRaise(True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAccessibleName(action.text())
    if not action.isVisible():
        button.hide()
    action.changed.connect(partial(_follow, button, action))
    return button


def _follow(button: QToolButton, action: QAction) -> None:
    button.setAccessibleName(action.text())
    button.setVisible(action.isVisible())


def _swatch(color: str) -> QIcon:
    ratio = 2
    picture = QPixmap(ICON_PX * ratio, ICON_PX * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(QColor(color))
    painter.setPen(QPen(appearance().theme.color("secondary"), 1))
    painter.drawEllipse(QRectF(2, 2, ICON_PX - 4, ICON_PX - 4))
    painter.end()
    return QIcon(picture)
