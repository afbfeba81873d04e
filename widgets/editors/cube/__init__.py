"""The editor of the cube's tasks: the cube in space, the twelve turns as keys and buttons, the moves as text.

Every turn is one step of the history, so taking it back is undo. The cube shows the state after the moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.core import Scene, Verdict, silent
from engine.cube.facelets import apply_moves, is_solved
from engine.cube.geometry import FACE_OF, LABELS
from engine.cube.notation import inverse_move
from engine.cube.rewards import heuristic_measure, sticker_measure
from engine.tasks.cube import CubeAnswer, start_of
from engine.tasks.cube.drawing import at_rest, draw_cube, scene_of
from engine.tasks.cube.judging import Run, make_moves
from widgets.appearance import appearance
from widgets.document import AnswerDocument
from widgets.editors.base import Editor
from widgets.editors.cube.motion import LayerMotion, turn_between
from widgets.editors.cube.sequence_bar import SequenceBar
from widgets.runner import Runner
from widgets.tool_panel import ToolPanel
from widgets.view import Pick, SceneView

HINT = "Turn faces with the keys U D L R F B; with Shift they turn counter-clockwise."
FACES = {"U": "Up", "D": "Down", "L": "Left", "R": "Right", "F": "Front", "B": "Back"}
COLOURS = {"W": "white", "R": "red", "B": "blue", "O": "orange", "G": "green", "Y": "yellow"}


class CubeEditor(Editor):
    """A cube that is turned."""

    def __init__(self, document: AnswerDocument, runner: Runner, parent: QWidget | None = None) -> None:
        self.start = start_of(document.instance)
        self._shown: tuple[str, ...] = document.answer.moves
        self.motion = LayerMotion(self._show_moment, self._rest)
        super().__init__(document, runner, parent)
        if not document.answer.moves:
            self.view.show_hint(HINT)

    # The frame of the editor -------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        """A viewport in which F turns the front face; Home shows the whole cube."""
        view = super().make_view()
        view.box_select = False
        view.set_describe(self._describe)
        view.view_actions["frame"].setShortcut(QKeySequence("Home"))
        return view

    def central_widget(self) -> QWidget:
        """The cube, and the moves below."""
        self.bar = SequenceBar()
        self.bar.typed.connect(lambda moves: self.set_moves("Type moves", moves))
        whole = QWidget()
        layout = QVBoxLayout(whole)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.view, 1)
        layout.addWidget(self.bar)
        return whole

    def build_tools(self, tools: ToolPanel) -> None:
        """The twelve turns, and what can be done with the whole sequence."""
        tools.add_section("Turn")
        turns = [self._turn_action(face, prime) for face in FACES for prime in ("", "'")]
        tools.add_tools(turns, exclusive=False, columns=2)
        tools.add_section("Moves")
        tools.add_tools([
            self.add_action("Play", self.play_moves, "Space", "play", "Watch the moves from the start"),
            self.add_action("Take back", self.take_back, "Backspace", "undo", "Take the last move away"),
            self.add_action("Clear", self.clear, "Shift+Delete", "delete", "Take all moves away"),
        ], exclusive=False)  # fmt: skip

    def make_scene(self) -> Scene:
        """The cube after the moves."""
        return scene_of(at_rest(self.run.state))

    def redraw(self, reset_view: bool = False) -> None:
        """Shows the moves, and turns a layer if one was added or taken back."""
        before, self._shown = self._shown, self.document.answer.moves
        self.bar.show_moves(self._shown)
        step = turn_between(before, self._shown)
        if step and not reset_view and self._framed is None and self._animates(step, before):
            self.tell_status()
            return
        if not self.motion.is_running or before != self._shown:
            self.motion.stop()
            super().redraw(reset_view)

    def status(self) -> str:
        """Moves, and how far the cube is."""
        run = self.run
        moves = "1 move" if len(run.moves) == 1 else f"{len(run.moves)} moves"
        if run.is_solved:
            return f"{moves} · solved"
        wrong = f"move {run.illegal[0] + 1} is no quarter turn" if run.illegal else ""
        matching = f"{sticker_measure(run.state)} of 54 stickers match"
        return " · ".join(filter(None, [moves, wrong, matching, f"step {heuristic_measure(run.state)} of 7"]))

    def verdict_arrived(self, verdict: Verdict | None) -> None:
        """Marks nothing: stickers keep their colours."""

    def mark_failed(self) -> None:
        """Marks nothing: stickers keep their colours."""

    def show_elements(self, ids: Iterable[str]) -> None:
        """Outlines stickers, and leaves their colours."""
        self.view.set_selection(tuple(ids))

    def close_editor(self) -> None:
        """Gives everything back."""
        self.motion.stop()
        super().close_editor()

    # What buttons and keys ask -----------------------------------------------------------------------------------

    @property
    def run(self) -> Run:
        """What the moves of the answer make of the cube."""
        return make_moves(self.start, self.document.answer.moves, silent)

    def turn(self, move: str) -> None:
        """Turns a face, unless the cube is solved."""
        if self.run.is_solved:
            self.message.emit("The cube is solved; undo takes the last move back.")
            return
        self.stop_playing()
        self.set_moves(f"Turn {move}", (*self.document.answer.moves, move))

    def take_back(self) -> None:
        """Takes the last move away."""
        self.set_moves("Take back", self.document.answer.moves[:-1])

    def clear(self) -> None:
        """Takes all moves away."""
        self.set_moves("Clear moves", ())

    def set_moves(self, label: str, moves: Sequence[str]) -> None:
        """Puts these moves in place, as a step of the history."""
        answer = self.document.answer
        self.edit(label, CubeAnswer(moves=tuple(moves), reasoning=answer.reasoning))
        self.view.setFocus()

    def play_moves(self) -> None:
        """Plays the moves from the start, with the timeline."""
        if self._framed is not None:
            self.stop_playing()
        elif self.run.moves:
            self.motion.stop()
            self.play(draw_cube(self.start, self.run.moves))
        else:
            self.message.emit("There are no moves to play yet.")

    # Own ---------------------------------------------------------------------------------------------------------

    def _offer_section(self) -> None:
        """A cube has nothing inside."""

    def _turn_action(self, face: str, prime: str) -> QAction:
        way = "counter-clockwise" if prime else "clockwise"
        tip = f"Turn {FACES[face].lower()} by 90 degrees {way}"
        key = f"Shift+{face}" if prime else face
        return self.add_action(face + prime, lambda: self.turn(face + prime), key, tip=tip)

    def _animates(self, step: int, before: Sequence[str]) -> bool:
        """Begins to turn the layer of the last move, there or back."""
        last = (self._shown if step > 0 else before)[-1]
        if appearance().reduce_motion or not self.isVisible() or self.run.illegal:
            return False
        self.motion.start(apply_moves(self.start, before), last if step > 0 else inverse_move(last))
        return True

    def _show_moment(self, scene: Scene) -> None:
        self.view.set_scene(scene)

    def _rest(self) -> None:
        super().redraw()

    def _describe(self, pick: Pick) -> tuple[str, str]:
        kind, _, name = pick.id.partition(" ")
        if kind != "sticker" or name not in LABELS:
            return (f"Cubelet {name}", "") if kind == "cubelet" else (pick.id, "")
        number = LABELS.index(name)
        state = self.run.state
        place = FACES[FACE_OF[number]].lower()
        where = "solved" if is_solved(state) else f"on the {place} face"
        return f"{name}: {COLOURS[state[number]]}", where
