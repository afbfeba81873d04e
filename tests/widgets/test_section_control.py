"""A 3D view can be cut open across each axis."""

import numpy as np

from spatial_workbench.engine.core import Scene
from spatial_workbench.engine.core.scene import Boxes
from spatial_workbench.widgets.scene_views.section_control import SectionControl
from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D


def test_choosing_an_axis_cuts_the_view_and_the_slider_moves_the_cut(qtbot):
    view = Viewport3D()
    qtbot.addWidget(view, before_close_func=lambda closing: closing.close_view())
    box = Boxes(name="box", ids=["box 0"], centers=np.zeros((1, 3)), sizes=np.array([2.0, 2.0, 4.0]))
    view.set_scene(Scene(items=(box,), axes=("x", "y", "height")))
    control = SectionControl(view)
    qtbot.addWidget(control)
    assert control.axis.itemText(3) == "Cut across height"
    control.axis.setCurrentIndex(3)
    control.slider.setValue(0)
    assert (view.section.axis, view.section.offset) == (2, -2.0)
    control.axis.setCurrentIndex(0)
    assert view.section is None
