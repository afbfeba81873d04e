"""The editor of the cube's tasks: the cube in 3D, the twelve turns as keys and buttons, the moves as text.

As on a real cube, a turn is taken back by the opposite turn, which counts as a move; that is what *Take back* and undo
do. The cube shows the state after the moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QLabel, QStackedWidget, QWidget

from spatial_workbench.engine.core import Aid, Instance, Scene, silent
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.cube.agent import MAX_SECONDS
from spatial_workbench.engine.cube.facelets import apply_moves, is_solved
from spatial_workbench.engine.cube.geometry import FACE_OF, LABELS
from spatial_workbench.engine.cube.notation import inverse_move, not_taken_back
from spatial_workbench.engine.cube.optimal import Bounds
from spatial_workbench.engine.cube.rewards import heuristic_measure, sticker_measure
from spatial_workbench.engine.tasks.cube import CubeAnswer, start_of
from spatial_workbench.engine.tasks.cube.drawing import at_rest, draw_cube, scene_of, while_turning
from spatial_workbench.engine.tasks.cube.judging import Run, make_moves
from spatial_workbench.engine.tasks.cube.task import CubeTask
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.cube_net import CubeNet
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
from spatial_workbench.widgets.editors.cube.drill import DrillDialog
from spatial_workbench.widgets.editors.cube.gestures import LayerTool
from spatial_workbench.widgets.editors.cube.graphs import RewardGraphs
from spatial_workbench.widgets.editors.cube.motion import LayerMotion, turn_between
from spatial_workbench.widgets.editors.cube.observation import ObservationPane
from spatial_workbench.widgets.editors.cube.painting import PaintingDialog, distance
from spatial_workbench.widgets.editors.cube.sequence_bar import SequenceBar
from spatial_workbench.widgets.layouts import column, split
from spatial_workbench.widgets.scene_views.view import Pick, SceneView
from spatial_workbench.widgets.theme import SPACE

HINT = "Turn faces with the keys U D L R F B; with Shift they turn counter-clockwise."
FACES = {"U": "Up", "D": "Down", "L": "Left", "R": "Right", "F": "Front", "B": "Back"}
COLOURS = {"W": "white", "R": "red", "B": "blue", "O": "orange", "G": "green", "Y": "yellow"}
WARNINGS = {
    MAX_SECONDS - 120: "Two of the 30 minutes that an agent has are left.",
    MAX_SECONDS: "The 30 minutes that an agent has are over; you may go on.",
}
"""Messages by seconds of work after which they appear."""
SIDE_PX = 220


class CubeEditor(Editor[CubeAnswer]):
    """Turns a cube.

    If moves may be judged, the rules for agents apply: the run ends when the cube is solved.
    """

    open_requested = Signal(str)
    """The address of the instance to open."""

    task: CubeTask

    def prepare(self) -> None:
        self.start = start_of(self.instance)
        self.motion = LayerMotion(self._show_moment, self._rest)
        self.shows_whole: bool = self.task.setting in ("full_symbolic", "full_visual")
        """Whether the whole cube is shown; by default, partial views show only what an agent sees."""
        self._is_whole_seen_anyway = self.shows_whole
        self._shown: tuple[str, ...] = self.document.answer.moves
        self._moves_beside: Sequence[str] = ()
        """The moves after which net, graphs and the agent's view show the cube; fewer while moves are played."""
        self._was_seen = False
        self._advice = ""
        self._seconds = 0

    def begin(self) -> None:
        self.view.set_tool(LayerTool(self, self.message.emit))
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
        side = QWidget()
        self._side = side
        self._left = column(left)
        self._beside = column(side, margin=2 * SPACE, spacing=SPACE)
        self._left.addWidget(self.stack, 1)
        self._beside.addStretch(1)
        side.setMinimumWidth(SIDE_PX)
        return split(left, side, shares=(4, 1))

    def list_controls(self) -> Iterable[Declared]:
        counts = "Reverse the last turn; this counts as a move"
        yield Section("Turn", Buttons(*(_turn(self, face, way) for face in FACES for way in ("", "'")), columns=2))
        yield Section(
            "Moves",
            Buttons(
                Action("Play", self.play_moves, "Space", "play", "Watch the moves from the start", Aid.VIEWING),
                Action("Take back", self.take_back, "Backspace", "undo", counts, enabled=self._goes_on),
                Action("Clear", self.clear, "Shift+Delete", "delete", "Remove all moves"),
            ),
        )
        yield self._help_controls()
        typed = CustomPart("Moves", self._make_bar, refresh=lambda bar: bar.show_moves(self.document.answer.moves))
        yield Bars(typed, place=self._left.addWidget)
        yield from self._side_controls()
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
                Action("Hint", self.hint, "H", "info", next_move, Aid.SOLVING),
                Action("Distance", self.show_distance, "I", "search", "Show how many moves are needed", Aid.SOLVING),
                Action("Paint a cube", self.paint, "", "brush", "Enter the stickers of a real cube", Aid.SOLVING),
                Action("Translate", self.drill, "", "copy", "Practise writing the solver's string", Aid.SOLVING),
            ),
            Note("What is known of the solution", lambda: self._advice, aid=Aid.SOLVING),
        )

    def _side_controls(self) -> Iterable[Bars]:
        limits = "An agent has 30 minutes; its moves are not limited"
        shown = self._shows_sticker_figures
        net = CustomPart("Net", CubeNet, aid=Aid.VIEWING, shown=shown, caption="Net", refresh=self._show_net)
        yield Bars(net, place=partial(self._put_beside, share=3))
        yield Bars(
            CustomPart(
                "Rewards", RewardGraphs, aid=Aid.JUDGING, shown=shown, caption="Rewards", refresh=self._show_rewards
            ),
            CustomPart("By hand", QLabel, limits, Aid.MEASURING, caption="By hand", refresh=self._show_counts),
            place=self._put_beside,
        )

    def _put_beside(self, widget: QWidget, share: int = 0) -> None:
        self._beside.insertWidget(self._beside.count() - 1, widget, share)

    def _make_bar(self) -> SequenceBar:
        bar = SequenceBar()
        bar.typed.connect(partial(self.set_moves, "Type moves"))
        return bar

    def _show_net(self, net: CubeNet) -> None:
        net.set_state(apply_moves(self.start, self._moves_beside))

    def _show_rewards(self, graphs: RewardGraphs) -> None:
        graphs.show_moves(self.start, self._moves_beside)

    def _show_counts(self, counts: QLabel) -> None:
        minutes, seconds = divmod(self._seconds, 60)
        counts.setText(f"{counted(len(self._moves_beside), 'move')} · {minutes}:{seconds:02} of 30:00")

    def make_scene(self) -> Scene:
        return scene_of(at_rest(self.run.state))

    def make_frame(self, scene: Scene, index: int) -> Scene:
        """A moment of the played moves; also updates what is beside the cube."""
        self._moves_beside = self.run.moves[: int(scene.frames[index].time)]
        self.refresh()
        return scene.at(index)

    def redraw(self, reset_view: bool = False) -> None:
        """Shows the moves, and animates a move that was added or taken back."""
        before = self._shown
        self._shown = self.document.answer.moves
        if not self.animation.is_playing:
            self._moves_beside = self.run.moves
        if before != self._shown:
            self._advice = ""
        step = turn_between(before, self._shown)
        if step and not reset_view and not self.animation.is_playing and self._animates(step, before):
            self.refresh()
        elif before != self._shown or not self.motion.is_running:
            self.motion.stop()
            super().redraw(reset_view)

    def refresh(self) -> None:
        """Also updates the agent's view."""
        super().refresh()
        parts = self._side.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        self._side.setVisible(any(not part.isHidden() for part in parts))
        self.observation.show_state(apply_moves(self.start, self._moves_beside))

    def show_seconds(self, seconds: float) -> None:
        """Shows the time beside the agents' limit, and warns before and at that limit."""
        before = self._seconds
        self._seconds = round(seconds)
        for limit, warning in WARNINGS.items():
            if before < limit <= self._seconds and self.allows(Aid.MEASURING):
                self.message.emit(warning)
        self.panel.refresh()

    def status(self) -> str:
        run = self.run
        moves = counted(len(run.moves), "move") if self.allows(Aid.MEASURING) else ""
        return " · ".join(filter(None, [moves, *(self._words_of(run) if self.allows(Aid.JUDGING) else ())]))

    def _words_of(self, run: Run) -> Iterable[str]:
        if run.is_solved:
            yield "solved"
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
        self.motion.stop()
        super().close_editor()

    # The moves ---------------------------------------------------------------------------------------------------

    @property
    def run(self) -> Run:
        """What the moves of the answer make of the cube."""
        return self._run_of(self.document.answer)

    def _run_of(self, answer: CubeAnswer) -> Run:
        return make_moves(self.start, answer.moves, silent, ends_solved=self.allows(Aid.JUDGING))

    def _has_ended(self, answer: CubeAnswer) -> bool:
        """Whether further moves no longer count; never, if moves may not be judged."""
        return self.allows(Aid.JUDGING) and self._run_of(answer).is_solved

    def _goes_on(self) -> bool:
        return not self._has_ended(self.document.answer)

    def turn(self, move: str, was_seen: bool = False) -> None:
        """Turns a face, unless the run has ended; `was_seen` says that the turn has been shown already."""
        self._was_seen = was_seen
        self._make(
            f"Turn {move}", move, f"Turn {move} back (counts as a move)", f"Turn {move} again (counts as a move)"
        )

    def take_back(self) -> None:
        """Makes the opposite of the last move that has not been taken back yet."""
        left = not_taken_back(self.run.moves)
        if left:
            back = "Make the move again (counts as a move)"
            again = "Take back again (counts as a move)"
            self._make("Take back", inverse_move(left[-1]), back, again)
        else:
            self.message.emit("There is no move to take back.")

    def _make(self, label: str, move: str, back: str, again: str) -> None:
        """Makes a move as a step of the history; undo makes the opposite one."""
        if self._has_ended(self.document.answer):
            self.message.emit("The cube is solved. Clear removes all moves, so that you can start again.")
            return
        self.animation.stop()
        self.document.do(label, self._adding(move), self._adding(inverse_move(move)), back, again)
        self.view.setFocus()

    def _adding(self, move: str) -> Callable[[CubeAnswer], CubeAnswer]:
        """A function that adds a move to an answer, unless its run has ended."""

        def added(answer: CubeAnswer) -> CubeAnswer:
            moves = answer.moves if self._has_ended(answer) else (*answer.moves, move)
            return CubeAnswer(moves=moves, reasoning=answer.reasoning)

        return added

    def clear(self) -> None:
        """Removes all moves."""
        self.set_moves("Clear moves", ())

    def set_moves(self, label: str, moves: Sequence[str]) -> None:
        """Replaces the moves, as a step of the history."""
        self.edit(label, CubeAnswer(moves=tuple(moves), reasoning=self.document.answer.reasoning))
        self.view.setFocus()

    def play_moves(self) -> None:
        """Plays the moves from the start, with the timeline, or stops playing."""
        if self.animation.is_playing:
            self.animation.stop()
        elif self.run.moves:
            self.motion.stop()
            self.animation.play(draw_cube(self.start, self.run.moves))
        else:
            self.message.emit("There are no moves to play yet.")

    # Aids --------------------------------------------------------------------------------------------------------

    def show_whole(self, shows: bool) -> None:
        """Shows the whole cube, or only what an agent sees."""
        self.shows_whole = shows
        seen = self.view if shows else self.observation
        self.stack.setCurrentWidget(seen)
        self.refresh()
        seen.setFocus()

    def hint(self) -> None:
        """Shows the next move of a solution."""
        self._ask_distance(_first_of)

    def show_distance(self) -> None:
        """Shows how many moves are needed."""
        self._ask_distance(_needed)

    def paint(self) -> None:
        """Opens a net to be painted; its cube becomes an instance of its own."""
        dialog = PaintingDialog(self.runner, self)
        dialog.state_chosen.connect(self._open_painted)
        dialog.state_chosen.connect(dialog.accept)
        _open(dialog)

    def drill(self) -> None:
        """Opens the translation drill with the present state."""
        _open(DrillDialog(self.run.state, self))

    def _ask_distance(self, words: Callable[[Bounds], str]) -> None:
        state = self.run.state
        if is_solved(state):
            self._advise("The cube is solved.")
            return
        self._advise("Working it out…")

        def done(bounds: Bounds) -> None:
            if self.run.state == state:
                self._advise(words(bounds))

        self.runner.run("Working out the distance", distance, state, done=done, quiet=True)

    def _advise(self, words: str) -> None:
        self._advice = words
        self.refresh()

    def _open_painted(self, state: str) -> None:
        self.open_requested.emit(Instance.generated(self.task.id, 0, {}, {"state": state}).address)

    def _shows_sticker_figures(self) -> bool:
        """Whether figures about all 54 stickers give nothing away."""
        return self.shows_whole or not self.observation.can_move

    # Turning layers ----------------------------------------------------------------------------------------------

    def show_turning(self, move: str, share: float) -> None:
        """Shows a layer that is being dragged."""
        self.motion.stop()
        self.view.set_scene(scene_of(while_turning(self.run.state, move, share)))

    def show_at_rest(self) -> None:
        """Shows the cube as it is."""
        if not self.animation.is_playing:
            self.view.set_scene(self.make_scene())

    def _animates(self, step: int, before: Sequence[str]) -> bool:
        """Starts the animation of the last move, forwards or backwards; returns whether there is one."""
        last = (self._shown if step > 0 else before)[-1]
        was_seen = self._was_seen
        self._was_seen = False
        if was_seen or appearance().reduce_motion or not self.isVisible() or self.run.illegal:
            return False
        self.motion.start(apply_moves(self.start, before), last if step > 0 else inverse_move(last))
        return True

    def _show_moment(self, scene: Scene) -> None:
        self.view.set_scene(scene)

    def _rest(self) -> None:
        super().redraw()

    def _offer_section(self) -> None:
        """A cube has nothing inside."""

    def _describe(self, pick: Pick) -> tuple[str, str]:
        kind, _, name = pick.id.partition(" ")
        if kind != "sticker" or name not in LABELS:
            return (f"Cubelet {name}", "") if kind == "cubelet" else (pick.id, "")
        number = LABELS.index(name)
        state = self.run.state
        is_told = self.allows(Aid.JUDGING) and is_solved(state)
        where = "solved" if is_told else f"on the {FACES[FACE_OF[number]].lower()} face"
        return f"{name}: {COLOURS[state[number]]}", where


def _turn(editor: CubeEditor, face: str, prime: str) -> Action:
    """The action that makes a quarter turn of a face."""
    way = "counter-clockwise" if prime else "clockwise"
    key = f"Shift+{face}" if prime else face
    return Action(
        face + prime, partial(editor.turn, face + prime), key, tip=f"Turn {FACES[face].lower()} by 90 degrees {way}"
    )


def _open(dialog: QDialog) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()


def _first_of(bounds: Bounds) -> str:
    """The first move of a known solution, and the solution's length."""
    if not bounds.solution:
        return f"No solution is known: {bounds.how}"
    kind = "a shortest solution" if bounds.is_exact else "a known solution"
    return f"Next: {bounds.solution[0]}, the first of {counted(len(bounds.solution), 'move')} of {kind}."


def _needed(bounds: Bounds) -> str:
    """How many moves are needed, as far as that is known."""
    moves = counted(bounds.lower, "move is", "moves are") if bounds.is_exact else f"{bounds} moves are"
    return f"{moves} needed. {bounds.how}"
