"""Views in tabs: hidden views release their graphics."""

import numpy as np
import pytest
from PySide6.QtWidgets import QTabWidget

from spatial_workbench.engine.core.scene import Scene
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.out_of_sight import KEPT
from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D
from tests.widgets.scenes import bricks, flat_scene
from tests.widgets.test_viewport3d import pixels

TABS = KEPT + 2


@pytest.fixture(params=[Viewport3D, Canvas2D])
def tabs(request, qtbot):
    tabs = QTabWidget()
    tabs.resize(300, 240)
    scene = flat_scene() if request.param is Canvas2D else Scene(items=(bricks(3),), unit="mm")
    for number in range(TABS):
        view = request.param()
        view.reduce_motion = True
        view.set_scene(scene)
        tabs.addTab(view, str(number))
    qtbot.addWidget(tabs, before_close_func=lambda w: [view.close_view() for view in views(w)])
    with qtbot.waitExposed(tabs):
        tabs.show()
    return tabs


def views(tabs):
    return [tabs.widget(i) for i in range(tabs.count())]


def look_at_all(tabs):
    pictures = []
    for number in range(tabs.count()):
        tabs.setCurrentIndex(number)
        tabs.currentWidget().flush()
        pictures.append(pixels(tabs.currentWidget().grab().toImage()))
    return pictures


def holds_graphics(view):
    return view._base is not None if isinstance(view, Canvas2D) else view.picture.is_held


def test_only_the_views_seen_last_keep_their_graphics(tabs):
    look_at_all(tabs)
    assert [holds_graphics(view) for view in views(tabs)] == [False] * (TABS - KEPT - 1) + [True] * (KEPT + 1)


def test_a_view_looks_the_same_when_it_is_seen_again(tabs):
    before, after = look_at_all(tabs), look_at_all(tabs)
    assert all(np.array_equal(first, second) for first, second in zip(before, after, strict=True))


def test_a_closed_view_holds_no_graphics_and_no_place_among_the_hidden(tabs):
    look_at_all(tabs)
    closed = tabs.widget(TABS - 2)
    closed.close_view()
    tabs.removeTab(TABS - 2)
    assert not holds_graphics(closed)
    assert holds_graphics(tabs.widget(TABS - 3))
