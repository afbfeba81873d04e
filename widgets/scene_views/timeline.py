"""The timeline below a view, for scenes with frames: play, pause, step, scrub, loop, speed."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QHideEvent, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from spatial_workbench.engine.core import Scene
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.core.scene import Floats, Frame
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.marked_slider import MarkedSlider, SliderMark
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
FRAME_S = 0.06
"""Time between two frames at normal speed, in scenes whose frames do not count seconds."""
TICK_MS = 15
CAPTION_PX = 140
"""The most room that is kept free for the time and a frame's caption."""
WIDE_PX = 480
"""From this width on, there are buttons for the start and the end."""


def moments_of(scene: Scene, frame_s: float = FRAME_S) -> Floats:
    """When each frame is due, s: at its own time if frames count seconds, otherwise `frame_s` after the one before."""
    times = np.array([frame.time for frame in scene.frames] or [0.0], float)
    return times if scene.frame_unit == "s" else frame_s * np.arange(float(len(times)))


class FrameClock:
    """When each frame of a scene is due.

    now: returns the present time, in seconds.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self.counts_seconds = False
        """Whether the frames count seconds; otherwise they follow each other evenly."""
        self._moments: Floats = np.zeros(1)
        self._now = now
        self._rate = 1.0
        self._started = self._started_at = 0.0

    def take(self, scene: Scene) -> None:
        """Sets the frames of a scene."""
        self.counts_seconds = scene.frame_unit == "s"
        self._moments = moments_of(scene)

    def start(self, index: int) -> None:
        """Begins to run at a frame."""
        self._begin(float(self._moments[index]))

    def set_rate(self, rate: float, index: int | None) -> None:
        """Runs at another rate from now on, or from a frame if it stands there."""
        self._begin(self._moment() if index is None else float(self._moments[index]))
        self._rate = rate

    def due(self, index: int) -> int:
        """The frame that is to be shown by now, if `index` is shown."""
        due = int(np.searchsorted(self._moments, self._moment() + 1e-9, side="right")) - 1
        return max(index, due if self.counts_seconds else min(due, index + 1))

    def _begin(self, moment: float) -> None:
        self._started = self._now()
        self._started_at = moment

    def _moment(self) -> float:
        return self._started_at + (self._now() - self._started) * self._rate


class Timeline(QWidget):
    """Walks through the frames of a scene.

    Frames that count seconds are shown when their time comes, and left out if drawing cannot keep up. Others follow
    each other evenly, and none is left out.

    Signals:
        frame_changed(int): this frame is to be shown.
        playing_changed(bool): it begins or ends to play.
        closed(): the person closed it.
        following_changed(): the camera is to follow what moves, or no longer; see `follows`.
    """

    frame_changed = Signal(int)
    playing_changed = Signal(bool)
    closed = Signal()
    following_changed = Signal()

    def __init__(
        self,
        parent: QWidget | None = None,
        clock: Callable[[], float] = time.perf_counter,
        offers_following: bool = False,
    ) -> None:
        """offers_following: Whether a button says that the camera follows what a scene is about."""
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._scene: Scene | None = None
        self._clock = FrameClock(clock)
        self._is_advancing = False
        self._shortcuts: list[QShortcut] = []
        self._timer = QTimer(self, interval=TICK_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._advance)
        self._slider = MarkedSlider()
        self._slider.setAccessibleName(tr("Moment"))
        self._slider.valueChanged.connect(self._moved)
        self._caption = QLabel()
        self._caption.setObjectName("figures")
        self.speed = ChoiceBox()
        self.speed.addItems([f"{speed:g}×" for speed in SPEEDS])
        self.speed.setCurrentIndex(SPEEDS.index(1.0))
        self.speed.setAccessibleName(tr("Speed"))
        self.speed.setToolTip(tr("How fast it plays"))
        self.speed.currentIndexChanged.connect(self._set_speed)
        self.shows_captions = True
        """Whether the caption of a frame stands beside its time."""
        self._play_button = self._button("play", tr("Play or pause"), self.toggle)
        self.loop = self._button("loop", tr("Start again at the end"), lambda: None)
        self.loop.setCheckable(True)
        self._offers_following = offers_following
        self._follow_button = self._button("follow", tr("The camera follows what moves"), self.following_changed.emit)
        self._follow_button.setCheckable(True)
        self._follow_button.setChecked(True)
        self._ends = [
            self._button("first", tr("To the start"), lambda: self.go_to(0)),
            self._button("last", tr("To the end"), lambda: self.go_to(self._slider.maximum())),
        ]
        self._lay_out()

    def listen_in(self, host: QWidget) -> None:
        """Takes the keys for single frames wherever the focus is inside a widget, while the timeline is shown."""
        for key, step in ((",", -1), (".", 1)):
            shortcut = QShortcut(QKeySequence(key), host, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda step=step: self.step(step))
            shortcut.setEnabled(self.isVisible())
            self._shortcuts.append(shortcut)

    def offer(self, action: QAction) -> None:
        """Adds a button for an action of the window, unless it is there already."""
        if any(button.defaultAction() is action for button in self.findChildren(QToolButton)):
            return
        button = QToolButton()
        button.setDefaultAction(action)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        button.setIconSize(QSize(20, 20))
        button.setAutoRaise(True)
        button.setAccessibleName(action.statusTip())
        button.setToolTip(action.statusTip())
        self._actions.addWidget(button)

    def set_scene(self, scene: Scene) -> None:
        """Sets a scene with frames and goes to the first one."""
        self._scene = scene
        times = np.array([frame.time for frame in scene.frames] or [0.0], float)
        self._clock.take(scene)
        self._slider.setRange(0, max(0, len(scene.frames) - 1))
        self._slider.set_marks([_mark(times, moment, text) for moment, text in scene.marks])
        self._slider.setValue(0)
        self._follow_button.setVisible(self._offers_following and bool(scene.tracks))
        self._reserve_room()
        self._moved(0)

    @property
    def index(self) -> int:
        """The frame that is shown."""
        return self._slider.value()

    @property
    def follows(self) -> bool:
        """Whether the camera is to follow what the scene is about."""
        return self._follow_button.isChecked()

    @property
    def is_playing(self) -> bool:
        """Whether it is playing."""
        return self._timer.isActive()

    def play(self) -> None:
        """Plays on, from the start if it is at the end."""
        if self.index == self._slider.maximum():
            self._slider.setValue(0)
        self._clock.start(self.index)
        self._set_playing(True)

    def pause(self) -> None:
        """Stops at the current frame."""
        self._set_playing(False)

    def toggle(self) -> None:
        """Plays or pauses."""
        if self.is_playing:
            self.pause()
        else:
            self.play()

    def go_to(self, index: int) -> None:
        """Shows a frame, and stays there."""
        self.pause()
        self._slider.setValue(index)

    def step(self, frames: int) -> None:
        """Goes so many frames on, or back, and stays there."""
        self.go_to(self.index + frames)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._listen(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._listen(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for button in self._ends:
            button.setVisible(self.width() >= WIDE_PX)

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        spared = sum(button.sizeHint().width() for button in self._ends if not button.isHidden())
        return QSize(hint.width() - spared, hint.height())

    def _set_playing(self, playing: bool) -> None:
        if playing == self.is_playing:
            return
        if playing:
            self._timer.start()
        else:
            self._timer.stop()
        self._play_button.setIcon(icon("pause" if playing else "play"))
        self.playing_changed.emit(playing)

    # Playing -----------------------------------------------------------------------------------------------------

    def _advance(self) -> None:
        if self._slider.isSliderDown():
            self._clock.start(self.index)
        elif self.index < self._slider.maximum():
            self._is_advancing = True
            self._slider.setValue(self._clock.due(self.index))
            self._is_advancing = False
        elif self.loop.isChecked():
            self._slider.setValue(0)
        else:
            self.pause()

    def _moved(self, index: int) -> None:
        if self._scene is None or not self._scene.frames:
            return
        if not self._is_advancing:
            self._clock.start(index)
        self._caption.setText(self._words(index))
        self.frame_changed.emit(index)

    def _set_speed(self, index: int) -> None:
        self._clock.set_rate(SPEEDS[index], None if self.is_playing else self.index)

    # Looks -------------------------------------------------------------------------------------------------------

    def _words(self, index: int) -> str:
        assert self._scene is not None
        return words_of_frame(self._scene, self._scene.frames[index], self.shows_captions)

    def _reserve_room(self) -> None:
        """Keeps the slider's length while a time passes: nothing moves under the pointer."""
        longest = max(map(self._words, range(len(self._scene.frames))), key=len) if self._scene else ""
        width = self._caption.fontMetrics().horizontalAdvance(longest)
        self._caption.setMinimumWidth(min(width, CAPTION_PX))

    def _listen(self, shown: bool) -> None:
        for shortcut in self._shortcuts:
            shortcut.setEnabled(shown)

    def _button(self, name: str, tip: str, slot: Callable[[], object]) -> QToolButton:
        button = QToolButton()
        button.setIcon(icon(name))
        button.setIconSize(QSize(20, 20))
        button.setAutoRaise(True)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.clicked.connect(lambda: slot())
        return button

    def _lay_out(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, SPACE, 3 * SPACE, SPACE)
        layout.setSpacing(2 * SPACE)
        steps = QHBoxLayout()
        steps.setSpacing(0)
        first, last = self._ends
        steps.addWidget(first)
        steps.addWidget(self._button("frame_back", tr("Previous frame") + "  (,)", lambda: self.step(-1)))
        steps.addWidget(self._play_button)
        steps.addWidget(self._button("frame_on", tr("Next frame") + "  (.)", lambda: self.step(1)))
        steps.addWidget(last)
        layout.addLayout(steps)
        layout.addWidget(self._slider, 1)
        layout.addWidget(self._caption)
        layout.addWidget(self._follow_button)
        layout.addWidget(self.loop)
        layout.addWidget(self.speed)
        self._actions = QHBoxLayout()
        self._actions.setSpacing(0)
        layout.addLayout(self._actions)
        layout.addWidget(self._button("close", tr("Close the timeline"), self.closed.emit))


def words_of_frame(scene: Scene, frame: Frame, shows_caption: bool = True) -> str:
    """The time of a frame, and its caption, in the language that is spoken."""
    figure = f"{frame.time:.2f}" if scene.frame_unit == "s" else f"{frame.time:g}"
    unit = f" {said(scene.frame_unit)}" if scene.frame_unit else ""
    caption = f" · {said(frame.caption)}" if frame.caption and shows_caption else ""
    return figure.replace("-", "−") + unit + caption


def _mark(times: Floats, moment: float, text: str) -> SliderMark:
    """A mark at a moment; a click shows the first frame by which it has happened."""
    index = np.arange(len(times))
    value = int(np.searchsorted(times, moment - 1e-9))
    return SliderMark(float(np.interp(moment, times, index)), min(value, len(times) - 1), text)
