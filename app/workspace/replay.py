"""An agent's run, step by step: its words, commands, observations, and the cube after each move."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QLabel, QListWidget, QSplitter, QTextBrowser, QVBoxLayout, QWidget

from spatial_workbench.app.video.films import MovesFilm, TakeFilm
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.cube.agent import AgentStep, RunRecord
from spatial_workbench.engine.cube.facelets import apply_moves
from spatial_workbench.engine.cube.letters import Faces
from spatial_workbench.engine.cube.strings import colours_of_faces
from spatial_workbench.engine.tasks.cube.drawing import draw_cube
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.scene_views.timeline import Timeline
from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D
from spatial_workbench.widgets.theme import SPACE, Theme


class ReplayPage(QWidget):
    """Shows the steps, the cube with a timeline of the step's moves, and the transcript, side by side."""

    icon_name = "play"

    def __init__(self, record: RunRecord, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.title = title
        self.record = record
        self.view = Viewport3D()
        self.timeline = Timeline()
        self.timeline.frame_changed.connect(self._show_frame)
        self.timeline.playing_changed.connect(self.view.set_playing)
        self.timeline.listen_in(self)
        self.steps = QListWidget()
        self.steps.setAccessibleName("Steps of the run")
        self.steps.setMinimumWidth(190)
        self.words = QTextBrowser()
        self.words.setAccessibleName("What the agent said and saw")
        self.words.setMinimumWidth(260)
        self.pictures = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self._lay_out()
        for number, step in enumerate(record.steps, 1):
            self.steps.addItem(f"{number}. {_summary(step)}")
        self.steps.currentRowChanged.connect(self.show_step)
        appearance().changed.connect(self._set_theme)
        self._set_theme(appearance().theme)
        self.steps.setCurrentRow(0)

    def show_step(self, number: int) -> None:
        """Shows one step, whose moves can be played."""
        if not 0 <= number < len(self.record.steps):
            self.view.set_scene(draw_cube(colours_of_faces(Faces(self.record.state))), reset_view=True)
            return
        step = self.record.steps[number]
        before = [move for earlier in self.record.steps[:number] for move in moves_of(earlier)]
        start = colours_of_faces(apply_moves(Faces(self.record.state), before))
        self._scene = draw_cube(start, moves_of(step))
        self.words.setHtml(_page(step))
        self._show_pictures(step)
        self.timeline.setVisible(bool(self._scene.frames))
        if self._scene.frames:
            self.timeline.set_scene(self._scene)
            self.view.set_scene(self._scene.at(0), reset_view=number == 0)
            self.timeline.play()
        else:
            self.timeline.pause()
            self.view.set_scene(self._scene, reset_view=number == 0)

    def offer_film(self, take: TakeFilm) -> None:
        """Offers all moves of the run."""
        take(MovesFilm(self.title, self.record))

    def close_page(self) -> None:
        """Releases the graphics resources."""
        self.timeline.pause()
        appearance().changed.disconnect(self._set_theme)
        self.view.close_view()

    def _show_frame(self, index: int) -> None:
        if index < len(self._scene.frames):
            self.view.set_scene(self._scene.at(index))

    def _show_pictures(self, step: AgentStep) -> None:
        self.pictures.setVisible(bool(step.pictures))
        if step.pictures:
            picture = QPixmap()
            picture.loadFromData(step.pictures[-1])
            self.pictures.setPixmap(picture.scaledToWidth(min(picture.width(), 260)))

    def _set_theme(self, theme: Theme) -> None:
        self.view.set_theme(theme)

    def _lay_out(self) -> None:
        head = QLabel(_outcome(self.record))
        head.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 2 * SPACE)
        middle = QWidget()
        right = QWidget()
        for box, parts in ((middle, (self.view, self.timeline)), (right, (self.words, self.pictures))):
            column = QVBoxLayout(box)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(0)
            column.addWidget(parts[0], 1)
            column.addWidget(parts[1])
        whole = QSplitter()
        whole.setHandleWidth(1)
        for k, (widget, share) in enumerate(((self.steps, 1), (middle, 3), (right, 2))):
            whole.addWidget(widget)
            whole.setStretchFactor(k, share)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(head)
        layout.addWidget(whole, 1)


def moves_of(step: AgentStep) -> list[str]:
    """The moves that a step made."""
    return [call.argument for call in step.calls if call.tool == "make_move" and call.accepted]


def _summary(step: AgentStep) -> str:
    count = len(moves_of(step))
    refused = sum(not call.accepted for call in step.calls)
    words = [counted(count, "move")]
    if refused:
        words.append(f"{refused} refused")
    return ", ".join(words)


def _outcome(record: RunRecord) -> str:
    depth = f", depth {record.depth}" if record.depth else ""
    return (
        f"{record.agent} agent, {record.setting.replace('_', ' ')}{depth}: {record.end.replace('_', ' ')} after "
        f"{counted(len(record.steps), 'step')}, {counted(record.move_count, 'move')}, {record.seconds:.0f} s"
    )


def _page(step: AgentStep) -> str:
    parts = [("Said", step.reply), ("Ran", step.code), ("Saw", step.observation)]
    return "".join(
        f"<h4>{name}</h4><pre style='white-space:pre-wrap'>{escape(text)}</pre>" for name, text in parts if text
    )
