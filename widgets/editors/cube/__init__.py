"""The editor of the cube's tasks: the cube in space, the twelve turns as keys and buttons, the moves as text.

As on a real cube, a turn is taken back by the opposite turn, which counts as a move: *Take back* and undo make it. The
cube shows the state after the moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from engine.core import Aid, Instance, Scene, Verdict, silent
from engine.core.words import counted
from engine.cube.facelets import apply_moves, is_solved
from engine.cube.geometry import FACE_OF, LABELS
from engine.cube.notation import inverse_move, not_taken_back
from engine.cube.optimal import Bounds
from engine.cube.rewards import heuristic_measure, sticker_measure
from engine.tasks.cube import CubeAnswer, start_of
from engine.tasks.cube.drawing import at_rest, draw_cube, scene_of, while_turning
from engine.tasks.cube.judging import Run, make_moves
from widgets.appearance import appearance
from widgets.editing.editor import Editor
from widgets.editing.panel import ToolPanel
from widgets.editors.cube.dragging import LayerTool
from widgets.editors.cube.drill import DrillDialog
from widgets.editors.cube.motion import LayerMotion, turn_between
from widgets.editors.cube.observation import ObservationPane
from widgets.editors.cube.painting import PaintingDialog, distance
from widgets.editors.cube.sequence_bar import SequenceBar
from widgets.editors.cube.side import SidePanel
from widgets.view import Pick, SceneView

HINT = "Turn faces with the keys U D L R F B; with Shift they turn counter-clockwise."
FACES = {"U": "Up", "D": "Down", "L": "Left", "R": "Right", "F": "Front", "B": "Back"}
COLOURS = {"W": "white", "R": "red", "B": "blue", "O": "orange", "G": "green", "Y": "yellow"}


class CubeEditor(Editor):
    """A cube that is turned."""

    def prepare(self) -> None:
        self.start = start_of(self.instance)
        self._shown: tuple[str, ...] = self.document.answer.moves
        self.motion = LayerMotion(self._show_moment, self._rest)
        self._was_shown = False
        self.practises = self.task.setting in ("full_symbolic", "full_visual")
        """Whether the whole cube is shown; partial views are played with the agent's view alone."""

    def begin(self) -> None:
        if not self.document.answer.moves:
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
        self.observation = ObservationPane(self.task.setting)
        self.observation.message.connect(self.message)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.view)
        self.stack.addWidget(self.observation)
        left = QWidget()
        layout = QVBoxLayout(left)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.stack, 1)
        layout.addWidget(self.bar)
        self.side = SidePanel()
        self.side.warned.connect(self.message)
        whole = QSplitter(Qt.Orientation.Horizontal)
        whole.addWidget(left)
        whole.addWidget(self.side)
        whole.setStretchFactor(0, 4)
        whole.setStretchFactor(1, 1)
        whole.setHandleWidth(1)
        return whole

    def build_tools(self, tools: ToolPanel) -> None:
        """The twelve turns, and what can be done with the whole sequence."""
        tools.add_section("Turn")
        turns = [self._turn_action(face, prime) for face in FACES for prime in ("", "'")]
        tools.add_tools(turns, exclusive=False, columns=2)
        tools.add_section("Moves")
        tools.add_tools([
            self.add_action("Play", self.play_moves, "Space", "play", "Watch the moves from the start"),
            self.add_action("Take back", self.take_back, "Backspace", "undo", "Turn the last move back; it counts"),
            self.add_action("Clear", self.clear, "Shift+Delete", "delete", "Take all moves away"),
        ], exclusive=False)  # fmt: skip
        tools.add_section("Help")
        aid = Aid.VIEWING if self.practises else Aid.SOLVING
        tools.add_check(
            "Show the whole cube", self.practises, self.practise, "For practice; agents see less of it", aid
        )
        tools.add_tools([
            self.add_action("Hint", self.hint, "H", "info", "The next move of a shortest, or of a short solution",
                            Aid.SOLVING),
            self.add_action("Distance", self.tell_distance, "I", "search", "How many moves are needed from here",
                            Aid.SOLVING),
            self.add_action("Paint a cube", self.paint, "", "brush", "Type in the stickers of a real cube"),
            self.add_action("Translate", self.drill, "", "copy", "Practise the solver's string", Aid.SOLVING),
        ], exclusive=False)  # fmt: skip
        self._note = tools.add_note("")
        self.view.set_tool(LayerTool(self))
        self.practise(self.practises)

    def make_scene(self) -> Scene:
        """The cube after the moves."""
        return scene_of(at_rest(self.run.state))

    def redraw(self, reset_view: bool = False) -> None:
        """Shows the moves, and turns a layer if one was added or taken back."""
        before, self._shown = self._shown, self.document.answer.moves
        self.bar.show_moves(self._shown)
        self._show_beside()
        if before != self._shown:
            self._note.setText("")
        step = turn_between(before, self._shown)
        if step and not reset_view and self._framed is None and self._animates(step, before):
            self.tell_status()
            return
        if not self.motion.is_running or before != self._shown:
            self.motion.stop()
            super().redraw(reset_view)

    def show_seconds(self, seconds: float) -> None:
        """Shows the time beside the limit that agents have."""
        self.side.show_seconds(round(seconds))

    def status(self) -> str:
        """Moves, and how far the cube is."""
        run = self.run
        moves = counted(len(run.moves), "move")
        if run.is_solved:
            return f"{moves} · solved"
        wrong = f"move {run.illegal[0] + 1} is no quarter turn" if run.illegal else ""
        if not self._sees_all:
            return " · ".join(filter(None, [moves, wrong]))
        matching = f"{sticker_measure(run.state)} of 54 stickers match"
        return " · ".join(filter(None, [moves, wrong, matching, f"step {heuristic_measure(run.state)} of 7"]))

    def verdict_arrived(self, verdict: Verdict | None) -> None:
        """Marks nothing: stickers keep their colours."""

    def marked(self) -> Mapping[str, str]:
        """Nothing: stickers keep their colours."""
        return {}

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

    def turn(self, move: str, shown: bool = False) -> None:
        """Turns a face, unless the cube is solved; `shown` says that the turn was seen already."""
        self._was_shown = shown
        self._make(f"Turn {move}", move)

    def take_back(self) -> None:
        """Makes the opposite of the last move that was not taken back yet."""
        left = not_taken_back(self.run.moves)
        if left:
            self._make("Take back", inverse_move(left[-1]))
        else:
            self.message.emit("There is no move to take back.")

    def _make(self, label: str, move: str) -> None:
        """Makes a move as a step of the history; undo makes the opposite one."""
        if self.run.is_solved:
            self.message.emit("The cube is solved. Clear takes all moves away, to begin anew.")
            return
        self.stop_playing()
        self.document.do(label, self._adding(move), self._adding(inverse_move(move)))
        self.view.setFocus()

    def _adding(self, move: str) -> Callable[[CubeAnswer], CubeAnswer]:
        """Adds a move to an answer, unless its moves have solved the cube."""

        def added(answer: CubeAnswer) -> CubeAnswer:
            if make_moves(self.start, answer.moves, silent).is_solved:
                return answer
            return CubeAnswer(moves=(*answer.moves, move), reasoning=answer.reasoning)

        return added

    def clear(self) -> None:
        """Takes all moves away."""
        self.set_moves("Clear moves", ())

    def set_moves(self, label: str, moves: Sequence[str]) -> None:
        """Puts these moves in place, as a step of the history."""
        answer = self.document.answer
        self.edit(label, CubeAnswer(moves=tuple(moves), reasoning=answer.reasoning))
        self.view.setFocus()

    # Aids --------------------------------------------------------------------------------------------------------

    def practise(self, shows: bool) -> None:
        """Shows the whole cube, or only what an agent sees."""
        self.practises = shows
        self.stack.setCurrentIndex(0 if shows else 1)
        self._show_beside()
        self.tell_status()
        (self.view if shows else self.observation).setFocus()

    def hint(self) -> None:
        """Tells the next move of a solution."""
        self._ask_distance(lambda found: self._note.setText(_first_of(found)))

    def tell_distance(self) -> None:
        """Tells how many moves are needed."""
        self._ask_distance(lambda found: self._note.setText(_needed(found)))

    def paint(self) -> None:
        """Opens a net to be painted; its cube becomes an instance of its own."""
        dialog = PaintingDialog(self.runner, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.state_chosen.connect(self._open_painted)
        dialog.state_chosen.connect(dialog.accept)
        dialog.open()

    def drill(self) -> None:
        """Opens the translation drill with the state as it is."""
        dialog = DrillDialog(self.run.state, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def show_turning(self, move: str, share: float) -> None:
        """Shows a layer that is being dragged."""
        self.motion.stop()
        self.view.set_scene(scene_of(while_turning(self.run.state, move, share)))

    def show_at_rest(self) -> None:
        """Shows the cube as it is."""
        if self._framed is None:
            self.view.set_scene(self.make_scene())

    def _ask_distance(self, tell: Callable[[Bounds], None]) -> None:
        state = self.run.state
        if is_solved(state):
            self._note.setText("The cube is solved.")
            return
        self._note.setText("Working it out…")

        def done(found: Bounds) -> None:
            if self.run.state == state:
                tell(found)

        self.runner.run("Working out the distance", distance, state, done=done, quiet=True)

    def _open_painted(self, state: str) -> None:
        self.open_requested.emit(Instance.generated(self.task.id, 0, {}, {"state": state}).address)

    @property
    def _sees_all(self) -> bool:
        """Whether nothing is given away by telling about all 54 stickers."""
        return self.practises or not self.observation.can_move

    def make_frame(self, scene: Scene, index: int) -> Scene:
        """A moment of the moves that are played; what stands beside the cube follows."""
        self._show_moves(self.run.moves[: int(scene.frames[index].time)])
        return super().make_frame(scene, index)

    def _show_moves(self, moves: Sequence[str]) -> None:
        """The net, the graphs and the agent's view, after these moves."""
        self.side.show_moves(self.start, moves, self._sees_all)
        self.observation.show_state(apply_moves(self.start, moves))

    def _show_beside(self) -> None:
        """The net, the graphs and the agent's view follow the moves of the answer."""
        self._show_moves(self.run.moves)

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
        was_shown, self._was_shown = self._was_shown, False
        if was_shown or appearance().reduce_motion or not self.isVisible() or self.run.illegal:
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


def _first_of(found: Bounds) -> str:
    """The first move of a known solution, with how long that is."""
    if not found.solution:
        return f"No solution is known: {found.how}"
    kind = "shortest solution" if found.is_exact else "solution that was found"
    return f"Next: {found.solution[0]}, the first of {counted(len(found.solution), 'move')} of a {kind}."


def _needed(bounds: Bounds) -> str:
    """How many moves are needed, as far as it is known."""
    moves = counted(bounds.lower, "move is", "moves are") if bounds.is_exact else f"{bounds} moves are"
    return f"{moves} needed. {bounds.how}"
