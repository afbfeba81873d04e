"""Cuts a 3D view open: a choice of axis, and a slider along it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSlider, QVBoxLayout, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.widgets.render3d.extent import shown_bounds
from spatial_workbench.widgets.render3d.section import CuttingPlane
from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

_STEPS = 200


class SectionControl(QWidget):
    """Chooses the section plane of a viewport."""

    def __init__(self, view: Viewport3D) -> None:
        super().__init__()
        self._view = view
        self.axis = ChoiceBox()
        self.axis.setAccessibleName(tr("Section across"))
        self.axis.setToolTip(tr("Cut the view open across an axis"))
        self.axis.addItem(tr("Nothing cut away"))
        self.axis.addItems([tr("Cut across {axis}", axis=said(name)) for name in view.scene.axes])
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, _STEPS)
        self.slider.setValue(_STEPS // 2)
        self.slider.setAccessibleName(tr("Place of the section"))
        self.slider.setToolTip(tr("Where the view is cut"))
        self.slider.setEnabled(False)
        self.axis.currentIndexChanged.connect(self._apply)
        self.slider.valueChanged.connect(self._apply)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        layout.addWidget(self.axis)
        layout.addWidget(self.slider)

    def _apply(self) -> None:
        axis = self.axis.currentIndex() - 1
        self.slider.setEnabled(axis >= 0)
        if axis < 0:
            self._view.set_section(None)
            return
        low, high = (bound[axis] for bound in shown_bounds(self._view.scene))
        share = self.slider.value() / _STEPS
        self._view.set_section(CuttingPlane(axis, float(low + share * (high - low)), keep_above=axis == 1))
