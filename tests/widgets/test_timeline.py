"""The timeline plays scenes with frames."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QToolButton, QToolTip, QVBoxLayout, QWidget

from spatial_workbench.engine.core.scene import Frame, Points, Scene
from spatial_workbench.widgets.scene_views.timeline import SPEEDS, WIDE_PX, Timeline
from spatial_workbench.widgets.theme import LIGHT
from tests.widgets.test_viewport3d import pixels

MARKS = ((0.5, "block 3 breaks off"), (0.51, "block 4 breaks off"), (1.7, "block 7 breaks off"))
LEFT = Qt.MouseButton.LeftButton


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self):
        self.seconds = 0.0

    def __call__(self):
        return self.seconds


def scene(unit="s", marks=(), start=0.0):
    """61 frames in two seconds."""
    frames = [
        Frame(start + i / 30, [Points(name="p", ids=["p"], positions=np.array([[i, 0, 0.0]]))]) for i in range(61)
    ]
    return Scene(items=(), frames=frames, frame_unit=unit, marks=marks)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def line(qtbot, clock):
    timeline = Timeline(clock=clock)
    qtbot.addWidget(timeline)
    timeline.resize(700, 40)
    timeline.set_scene(scene())
    timeline.show()
    return timeline


def reached(qtbot, line, index):
    qtbot.waitUntil(lambda: line.index == index)
    return True


def caption(line):
    return line.findChild(QLabel, "figures").text()


def press(line, name):
    next(button for button in line.findChildren(QToolButton) if button.accessibleName().startswith(name)).click()


@pytest.mark.parametrize("start", [0.0, -1.0])
def test_frames_that_count_seconds_are_shown_when_their_time_comes(line, clock, qtbot, start):
    line.set_scene(scene(start=start))
    line.play()
    clock.seconds = 0.51
    assert reached(qtbot, line, 15)


def test_frames_that_count_something_else_are_all_shown(line, clock, qtbot):
    line.set_scene(scene("moves"))
    shown = []
    line.frame_changed.connect(shown.append)
    line.play()
    clock.seconds = 0.31
    assert reached(qtbot, line, 5)
    assert shown == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(("speed", "index"), [(0.1, 3), (0.5, 15), (2.0, 60)])
def test_it_plays_at_the_chosen_speed(line, clock, qtbot, speed, index):
    line.speed.setCurrentIndex(SPEEDS.index(speed))
    line.play()
    clock.seconds = 1.005
    assert reached(qtbot, line, index)


def test_another_speed_goes_on_from_the_present_moment(line, clock, qtbot):
    line.play()
    clock.seconds = 1.005
    line.speed.setCurrentIndex(SPEEDS.index(0.1))
    clock.seconds = 2.005
    assert reached(qtbot, line, 33)


def test_it_stops_at_the_end_unless_it_loops(line, clock, qtbot):
    line.play()
    clock.seconds = 2.1
    qtbot.waitUntil(lambda: not line.is_playing)
    assert line.index == 60


def test_a_loop_starts_again(line, clock, qtbot):
    line.loop.click()
    line.play()
    clock.seconds = 2.1
    assert reached(qtbot, line, 60)
    assert reached(qtbot, line, 0)
    clock.seconds = 2.65
    assert reached(qtbot, line, 16)
    assert line.is_playing


def test_it_tells_when_it_begins_and_ends_to_play(line):
    told = []
    line.playing_changed.connect(told.append)
    for act in (line.play, line.toggle, line.pause):
        act()
    assert told == [True, False]


def test_scrubbing_while_it_plays_goes_on_from_there(line, clock, qtbot):
    line.play()
    line._slider.setValue(45)
    clock.seconds = 0.105
    assert reached(qtbot, line, 48)


def test_buttons_step_frame_by_frame_and_stop_it(line):
    line.play()
    press(line, "Next frame")
    press(line, "Next frame")
    press(line, "Previous frame")
    assert (line.index, line.is_playing) == (1, False)


@pytest.fixture
def host(qtbot, line):
    widget = QWidget()
    qtbot.addWidget(widget)
    layout = QVBoxLayout(widget)
    widget.field = QLineEdit()
    for child in (widget.field, line):
        layout.addWidget(child)
    line.listen_in(widget)
    widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    widget.show()
    widget.activateWindow()
    qtbot.waitUntil(widget.isActiveWindow)
    widget.setFocus()
    return widget


def test_keys_step_frame_by_frame_wherever_the_focus_is(host, line, qtbot):
    for key in "..,":
        qtbot.keyClick(host, key)
    assert line.index == 1


def test_typing_a_full_stop_steps_nowhere(host, line, qtbot):
    host.field.setFocus()
    qtbot.keyClick(host.field, ".")
    assert (line.index, host.field.text()) == (0, ".")


def test_keys_are_free_while_the_timeline_is_hidden(host, line, qtbot):
    line.hide()
    qtbot.keyClick(host, ".")
    assert line.index == 0


def test_seconds_are_told_with_two_decimals(line):
    line.set_scene(scene(start=-1.0))
    assert caption(line) == "−1.00 s"
    line.go_to(31)
    assert caption(line) == "0.03 s"


def test_the_slider_keeps_its_length_while_it_plays(line):
    line.set_scene(scene(start=-1.0))
    QApplication.processEvents()
    width = line._slider.width()
    line.go_to(60)
    QApplication.processEvents()
    assert line._slider.width() == width


@pytest.mark.parametrize(("width", "shown"), [(WIDE_PX, True), (WIDE_PX - 1, False)])
def test_a_narrow_timeline_spares_the_buttons_for_start_and_end(line, width, shown):
    line.resize(width, 40)
    assert {button.isVisible() for button in line._ends} == {shown}
    assert line.minimumSizeHint().width() < WIDE_PX


# Marks ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def slider(line):
    line.set_scene(scene(marks=MARKS))
    QApplication.processEvents()
    return line._slider


def place(slider, seconds):
    return QPoint(round(slider.x_of(30 * seconds)), slider.height() // 2)


def ask(qtbot, slider, point):
    """The tooltip at a point; a tooltip that was hidden keeps its text until it is deleted."""
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
    QApplication.sendEvent(slider, QHelpEvent(QEvent.Type.ToolTip, point, slider.mapToGlobal(point)))
    return QToolTip.text() if QToolTip.isVisible() else ""


def test_marks_are_drawn_in_the_colour_of_failures(line, slider):
    x, y = place(slider, 1.7).toTuple()
    picture = pixels(slider.grab().toImage())[:, :, :3]
    red = 255 * np.array(LIGHT.rgb("failed"))
    assert np.abs(picture[y - 5, x - 1 : x + 2] - red).max(axis=1).min() < 40
    assert np.abs(picture[y - 5, x + 8] - red).max() > 40


def test_pointing_at_a_mark_tells_what_happens(slider, qtbot):
    assert ask(qtbot, slider, place(slider, 1.7)) == "block 7 breaks off"
    assert ask(qtbot, slider, place(slider, 0.505)) == "block 3 breaks off\nblock 4 breaks off"
    assert ask(qtbot, slider, place(slider, 1.2)) == ""


def test_many_things_at_a_time_are_told_in_part(line, qtbot):
    line.set_scene(scene(marks=[(1.0, f"block {i} breaks off") for i in range(9)]))
    assert ask(qtbot, line._slider, place(line._slider, 1.0)).splitlines()[-1] == "and 4 more"


def test_clicking_a_mark_goes_to_the_first_frame_in_which_it_has_happened(line, slider, qtbot):
    qtbot.mouseClick(slider, LEFT, pos=place(slider, 1.7) + QPoint(2, 0))
    assert line.index == 51


def test_clicking_beside_the_handle_goes_there(line, slider, qtbot):
    qtbot.mouseClick(slider, LEFT, pos=place(slider, 1.2))
    assert line.index == 36


def test_screen_readers_are_told_the_marks(slider):
    assert slider.accessibleDescription() == "; ".join(text for _, text in MARKS)


def test_a_moment_of_a_scene_has_no_marks():
    assert scene(marks=MARKS).at(3).marks == ()
