"""The editor of the cube's tasks: the cube in 3D, the twelve turns as keys and buttons, the moves as text.

As on a real cube, a turn is taken back by the opposite turn, which counts as a move; that is what *Take back* and undo
do. The cube shows the state after the moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QStackedWidget, QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.cube.agent import MAX_SECONDS
from spatial_workbench.engine.cube.facelets import is_solved
from spatial_workbench.engine.cube.geometry import FACE_OF, LABELS
from spatial_workbench.engine.cube.rewards import heuristic_measure, sticker_measure
from spatial_workbench.engine.tasks.cube import CubeAnswer
from spatial_workbench.engine.tasks.cube.drawing import at_rest, draw_cube, scene_of
from spatial_workbench.engine.tasks.cube.judging import Run
from spatial_workbench.engine.tasks.cube.task import CubeTask
from spatial_workbench.widgets.editing.controls import (
    Action,
    Bars,
    Buttons,
    CustomPart,
    Declared,
    Note,
    Section,
    Switch,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editors.cube.advice import CubeAdvice
from spatial_workbench.widgets.editors.cube.gestures import LayerTool
from spatial_workbench.widgets.editors.cube.motion import turn_between
from spatial_workbench.widgets.editors.cube.moves import CubeMoves
from spatial_workbench.widgets.editors.cube.observation import ObservationPane
from spatial_workbench.widgets.editors.cube.sequence_bar import SequenceBar
from spatial_workbench.widgets.editors.cube.side import CubeSide
from spatial_workbench.widgets.editors.cube.turning import CubeTurning
from spatial_workbench.widgets.layouts import column, split
from spatial_workbench.widgets.scene_views.view import Pick, SceneView

HINT = "Turn faces with the keys U D L R F B; with Shift they turn counter-clockwise."
FACES = {"U": "Up", "D": "Down", "L": "Left", "R": "Right", "F": "Front", "B": "Back"}
COLOURS = {
    "W": marked("white"),
    "R": marked("red"),
    "B": marked("blue"),
    "O": marked("orange"),
    "G": marked("green"),
    "Y": marked("yellow"),
}
SOLVED = marked("solved")


WARNINGS = {
    MAX_SECONDS - 120: "Two of the 30 minutes that an agent has are left.",
    MAX_SECONDS: "The 30 minutes that an agent has are over; you may go on.",
}
"""Messages by seconds of work after which they appear."""


class CubeEditor(Editor[CubeAnswer]):
    """Turns a cube.

    If moves may be judged, the rules for agents apply: the run ends when the cube is solved.
    """

    open_requested = Signal(str)
    """The address of the instance to open."""

    task: CubeTask
    offers_section = False

    def prepare(self) -> None:
        self.moves = CubeMoves(self, self.document, self.allows(Aid.JUDGING), self.message.emit)
        self.moves.making.connect(lambda: self.animation.stop())
        self.moves.made.connect(lambda: self.view.setFocus())
        self.advice = CubeAdvice(self, self.moves)
        self.turning = CubeTurning(self, self.moves, lambda: Editor.redraw(self))
        self.shows_whole: bool = self.task.setting in ("full_symbolic", "full_visual")
        """Whether the whole cube is shown; by default, partial views show only what an agent sees."""
        self._is_whole_seen_anyway = self.shows_whole
        self._shown: tuple[str, ...] = self.document.answer.moves

    def begin(self) -> None:
        self.view.set_tool(LayerTool(self.turning, self.message.emit))
        self.show_whole(self.shows_whole)
        if not self.document.answer.moves:
            self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        """A viewport in which F turns the front face; Home shows the whole cube."""
        view = super().make_view()
        view.box_select = False
        view.set_describe(self._describe)
        view.view_actions["frame"].setShortcut(QKeySequence("Home"))
        return view

    def central_widget(self) -> QWidget:
        """The cube, or what an agent sees of it; the moves below, and net, graphs and counts beside it."""
        self.observation = ObservationPane(self.task.setting)
        self.observation.message.connect(self.message)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.view)
        self.stack.addWidget(self.observation)
        left = QWidget()
        self.side = CubeSide(self.moves.start, self._shows_sticker_figures)
        self._left = column(left)
        self._left.addWidget(self.stack, 1)
        return split(left, self.side, shares=(4, 1))

    def list_controls(self) -> Iterable[Declared]:
        counts = "Reverse the last turn; this counts as a move"
        yield Section("Turn", Buttons(*(_turn(self, face, way) for face in FACES for way in ("", "'")), columns=2))
        yield Section(
            "Moves",
            Buttons(
                Action("Play", self.play_moves, "Space", "play", "Watch the moves from the start", Aid.VIEWING),
                Action("Take back", self.moves.take_back, "Backspace", "undo", counts, enabled=self.moves.goes_on),
                Action("Clear", self.moves.clear, "Shift+Delete", "delete", "Remove all moves"),
            ),
        )
        yield self._help_controls()
        typed = CustomPart("Moves", self._make_bar, refresh=lambda bar: bar.show_moves(self.document.answer.moves))
        yield Bars(typed, place=self._left.addWidget)
        yield from self.side.bars()
        if self.observation.can_move:
            arrows = CustomPart("Camera arrows", self.observation.make_arrows, aid=Aid.VIEWING)
            yield Bars(
                arrows, place=partial(self.observation.column.addWidget, alignment=Qt.AlignmentFlag.AlignHCenter)
            )

    def _help_controls(self) -> Section:
        whole = Aid.VIEWING if self._is_whole_seen_anyway else Aid.SOLVING
        less = "For practice; agents see less of it"
        next_move = "Show the next move of a shortest or a short solution"
        return Section(
            "Aids",
            Switch("Show the whole cube", lambda: self.shows_whole, self.show_whole, less, whole),
            Buttons(
                Action("Hint", self.advice.hint, "H", "info", next_move, Aid.SOLVING),
                Action(
                    "Distance", self.advice.show_distance, "I", "search", "Show how many moves are needed", Aid.SOLVING
                ),
                Action(
                    "Paint a cube", self.advice.paint, "", "brush", "Enter the stickers of a real cube", Aid.SOLVING
                ),
                Action("Translate", self.advice.drill, "", "copy", "Practise writing the solver's string", Aid.SOLVING),
            ),
            Note("What is known about the solution", lambda: self.advice.words, aid=Aid.SOLVING),
        )

    def _make_bar(self) -> SequenceBar:
        bar = SequenceBar()
        bar.typed.connect(partial(self.moves.set_moves, "Type moves"))
        return bar

    def make_scene(self) -> Scene:
        return scene_of(at_rest(self.moves.run.state))

    def make_frame(self, scene: Scene, index: int) -> Scene:
        """A moment of the played moves; also updates what is beside the cube."""
        self.side.moves = self.moves.run.moves[: int(scene.frames[index].time)]
        self.refresh()
        return scene.at(index)

    def redraw(self, reset_view: bool = False) -> None:
        """Shows the moves, and animates a move that was added or taken back."""
        before = self._shown
        self._shown = self.document.answer.moves
        if not self.animation.is_playing:
            self.side.moves = self.moves.run.moves
        if before != self._shown:
            self.advice.forget()
        step = turn_between(before, self._shown)
        if (
            step
            and not reset_view
            and not self.animation.is_playing
            and self.turning.animate_last_move(step, before, self._shown)
        ):
            self.refresh()
        elif before != self._shown or not self.turning.motion.is_running:
            self.turning.motion.stop()
            super().redraw(reset_view)

    def refresh(self) -> None:
        """Also updates the agent's view."""
        super().refresh()
        self.side.hide_if_empty()
        self.observation.show_state(self.side.state)

    def show_seconds(self, seconds: float) -> None:
        """Shows the time beside the agents' limit, and warns before and at that limit."""
        before = self.side.seconds
        self.side.seconds = round(seconds)
        for limit, warning in WARNINGS.items():
            if before < limit <= self.side.seconds and self.allows(Aid.MEASURING):
                self.message.emit(warning)
        self.panel.refresh()

    def status(self) -> str:
        run = self.moves.run
        moves = counted(len(run.moves), "move") if self.allows(Aid.MEASURING) else ""
        return " · ".join(filter(None, [moves, *(self._words_of(run) if self.allows(Aid.JUDGING) else ())]))

    def _words_of(self, run: Run) -> Iterable[str]:
        if run.is_solved:
            yield SOLVED
            return
        if run.illegal:
            yield f"move {run.illegal[0] + 1} is not a quarter turn"
        if self._shows_sticker_figures():
            yield f"{sticker_measure(run.state)} of 54 stickers match"
            yield f"step {heuristic_measure(run.state)} of 7"

    def marked(self) -> Mapping[str, str]:
        """Nothing: stickers keep their colours."""
        return {}

    def show_elements(self, ids: Iterable[str]) -> None:
        """Outlines stickers without changing their colours."""
        self.view.set_selection(tuple(ids))

    def close_editor(self) -> None:
        self.turning.motion.stop()
        super().close_editor()

    def play_moves(self) -> None:
        """Plays the moves from the start, with the timeline, or stops playing."""
        if self.animation.is_playing:
            self.animation.stop()
        elif self.moves.run.moves:
            self.turning.motion.stop()
            self.animation.play(draw_cube(self.moves.start, self.moves.run.moves))
        else:
            self.message.emit("There are no moves to play yet.")

    def show_whole(self, shows: bool) -> None:
        """Shows the whole cube, or only what an agent sees."""
        self.shows_whole = shows
        seen = self.view if shows else self.observation
        self.stack.setCurrentWidget(seen)
        self.refresh()
        seen.setFocus()

    def _shows_sticker_figures(self) -> bool:
        """Whether figures about all 54 stickers give nothing away."""
        return self.shows_whole or not self.observation.can_move

    def _describe(self, pick: Pick) -> tuple[str, str]:
        kind, _, name = pick.id.partition(" ")
        if kind != "sticker" or name not in LABELS:
            return (f"Cubelet {name}", "") if kind == "cubelet" else (pick.id, "")
        number = LABELS.index(name)
        state = self.moves.run.state
        is_told = self.allows(Aid.JUDGING) and is_solved(state)
        where = SOLVED if is_told else f"on the {FACES[FACE_OF[number]].lower()} face"
        return f"{name}: {COLOURS[state[number]]}", where


def _turn(editor: CubeEditor, face: str, prime: str) -> Action:
    """The action that makes a quarter turn of a face."""
    way = marked("counter-clockwise") if prime else marked("clockwise")
    key = f"Shift+{face}" if prime else face
    return Action(
        face + prime,
        partial(editor.moves.turn, face + prime),
        key,
        tip=f"Turn {FACES[face].lower()} by 90 degrees {way}",
    )
