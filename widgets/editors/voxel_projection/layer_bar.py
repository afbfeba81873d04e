"""The bar above the layer: which layer it is, and across which axis."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSlider, QToolButton, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.widgets.appearance import scaled
from spatial_workbench.widgets.theme import SPACE

SLIDER_PX = 36


class LayerBar(QWidget):
    """Buttons for the axes, a slider, and the layer's name.

    Signals:
        chosen(int): the person chose another layer.
    """

    chosen = Signal(int)

    def __init__(self, n: int) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = QLabel()
        self.title.setMinimumWidth(self.fontMetrics().horizontalAdvance(said("Layer x = 00")))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, n - 1)
        self.slider.setPageStep(1)
        self.slider.setMinimumWidth(scaled(SLIDER_PX))
        self.slider.setAccessibleName(tr("Layer"))
        self.slider.setToolTip(said("The layer that is painted on  (Page Up, Page Down)"))
        self.slider.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.slider.valueChanged.connect(self.chosen)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(3 * SPACE, SPACE, 2 * SPACE, SPACE)
        self._row.setSpacing(2 * SPACE)
        self._row.addWidget(self.title)
        self._row.addWidget(self.slider, 1)

    def add_button(self, action: QAction) -> None:
        """Adds a button on the right."""
        button = QToolButton()
        button.setDefaultAction(action)
        button.setIconSize(QSize(20, 20))
        button.setAutoRaise(True)
        button.setAccessibleName(action.text())
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._row.addWidget(button)

    def show_layer(self, axis: str, depth: int) -> None:
        """Shows a layer without emitting `chosen`."""
        self.title.setText(said(f"Layer {axis} = {depth}"))
        self.slider.blockSignals(True)
        self.slider.setValue(depth)
        self.slider.blockSignals(False)
