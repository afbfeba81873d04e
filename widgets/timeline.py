"""The timeline below a view, for scenes with frames: play, pause, scrub, speed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSlider, QToolButton, QWidget

from engine.core import Scene
from widgets.icons import icon
from widgets.theme import SPACE

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0)
FRAME_MS = 60
"""Time between two frames at normal speed."""


class Timeline(QWidget):
    """Walks through the frames of a scene.

    Signals:
        frame_changed(int): this frame is to be shown.
        closed(): the person closed it.
    """

    frame_changed = Signal(int)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._scene: Scene | None = None
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._advance)
        self._slider = QSlider(Qt.Orientation.Horizontal)
        self._slider.setAccessibleName("Moment")
        self._slider.valueChanged.connect(self._moved)
        self._caption = QLabel()
        self._caption.setObjectName("figures")
        self._speed = QComboBox()
        self._speed.addItems([f"{speed:g}×" for speed in SPEEDS])
        self._speed.setCurrentIndex(SPEEDS.index(1.0))
        self._speed.setAccessibleName("Speed")
        self._speed.setToolTip("How fast it plays")
        self._speed.currentIndexChanged.connect(self._apply_speed)
        self._play_button = self._button("play", "Play or pause", self.toggle)
        self._lay_out()

    def set_scene(self, scene: Scene) -> None:
        """Takes a scene with frames and goes to the first one."""
        self._scene = scene
        self._slider.setRange(0, max(0, len(scene.frames) - 1))
        self._slider.setValue(0)
        self._moved(0)

    @property
    def index(self) -> int:
        """The frame that is shown."""
        return self._slider.value()

    @property
    def is_playing(self) -> bool:
        """Whether it is playing."""
        return self._timer.isActive()

    def play(self) -> None:
        """Plays on, from the start if it is at the end."""
        if self._slider.value() == self._slider.maximum():
            self._slider.setValue(0)
        self._apply_speed()
        self._timer.start()
        self._play_button.setIcon(icon("pause"))

    def pause(self) -> None:
        """Stops at the present frame."""
        self._timer.stop()
        self._play_button.setIcon(icon("play"))

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

    def _advance(self) -> None:
        if self._slider.value() >= self._slider.maximum():
            self.pause()
        else:
            self._slider.setValue(self._slider.value() + 1)

    def _moved(self, index: int) -> None:
        if self._scene is None or not self._scene.frames:
            return
        frame = self._scene.frames[index]
        unit = f" {self._scene.frame_unit}" if self._scene.frame_unit else ""
        self._caption.setText(f"{frame.time:g}{unit}" + (f" · {frame.caption}" if frame.caption else ""))
        self.frame_changed.emit(index)

    def _apply_speed(self) -> None:
        self._timer.setInterval(round(FRAME_MS / SPEEDS[self._speed.currentIndex()]))

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
        layout.addWidget(self._button("first", "To the start", lambda: self.go_to(0)))
        layout.addWidget(self._play_button)
        layout.addWidget(self._button("last", "To the end", lambda: self.go_to(self._slider.maximum())))
        layout.addWidget(self._slider, 1)
        layout.addWidget(self._caption)
        layout.addWidget(self._speed)
        layout.addWidget(self._button("close", "Close the timeline", self.closed.emit))
