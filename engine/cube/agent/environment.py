"""The cube as an agent meets it: tools that move, look, turn the view and ask a solver.

Everything that decides a result lives here, in the host: the state, the moves, the counters. A program in the sandbox
can only call the tools.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from spatial_workbench.engine.cube.agent.records import AgentKind, CubeCall, CubeSetting, as_plain
from spatial_workbench.engine.cube.facelets import apply_move, is_solved
from spatial_workbench.engine.cube.letters import Faces, Scheme
from spatial_workbench.engine.cube.notation import QUARTER_TURNS, MoveError, inverse_move
from spatial_workbench.engine.cube.pictures import as_png, face_picture, net_picture, vertex_picture
from spatial_workbench.engine.cube.rewards import reward
from spatial_workbench.engine.cube.strings import colours_of_faces
from spatial_workbench.engine.cube.two_phase import SolverFailed, SolverMissing, solve_two_phase
from spatial_workbench.engine.cube.validity import InvalidCube, StateForm, faces_of
from spatial_workbench.engine.cube.views import (
    INITIAL_FACE_VIEW,
    INITIAL_VERTEX_VIEW,
    DirectionError,
    FaceView,
    VertexView,
    transform,
)
from spatial_workbench.engine.sandbox import ToolError

_PRIMES = str.maketrans("’′`", "'''")
Solver = Callable[[Faces], Sequence[str]]
"""Returns moves that solve a state, half turns as "X2"; raises ToolError if it cannot."""


def two_phase(state: Faces) -> Sequence[str]:
    """The two-phase solver's answer. Raises ToolError if it is not installed or finds nothing in time."""
    try:
        return solve_two_phase(state, StateForm.FACES)
    except (SolverMissing, SolverFailed) as error:
        raise ToolError(str(error)) from None


class CubeEnvironment:
    """One cube in one setting.

    Args:
        state: The start.
        setting: What can be seen.
        agent: Which tools there are.
        reward_kind: "no_reward", "sticker", "face" or "heuristic".
        solver: The solver behind the solver tools; by default the two-phase solver.
        clock: Returns the time in seconds; tests pass a clock of their own.
    """

    def __init__(
        self,
        state: Faces,
        setting: CubeSetting = CubeSetting.FULL_SYMBOLIC,
        agent: AgentKind = AgentKind.BASIC,
        reward_kind: str = "no_reward",
        solver: Solver | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.state = state
        self.setting = setting
        self.agent = agent
        self.reward_kind = reward_kind
        self.view: FaceView | VertexView = (
            INITIAL_VERTEX_VIEW if setting is CubeSetting.VERTEX_VIEW else INITIAL_FACE_VIEW
        )
        self.moves: list[str] = []
        self.calls: list[CubeCall] = []
        self.views = self.invalid = self.solver_calls = 0
        self.gave_up = False
        self._solver = solver or two_phase
        self._clock = clock
        self._start = clock()

    @property
    def is_solved(self) -> bool:
        """Whether the cube is solved, which ends the run."""
        return is_solved(self.state)

    @property
    def has_ended(self) -> bool:
        """Whether the run is over, so that calls no longer have an effect."""
        return self.is_solved or self.gave_up

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return self._clock() - self._start

    def let_pass(self, seconds: float) -> None:
        """Adds time that an interrupted run took before it was resumed."""
        self._start -= seconds

    def tools(self) -> Mapping[str, Callable[..., Any]]:
        """The tools of this setting and agent by name; each raises `ToolError` with a message for the agent."""
        tools: dict[str, Callable[..., Any]] = {
            "make_move": self.make_move,
            "get_observation": self.get_observation,
            "final_answer": self.final_answer,
        }
        if self.setting.is_partial:
            tools["apply_view_transformation"] = self.apply_view_transformation
        if self.agent is AgentKind.STANDARD_SOLVER:
            tools["StandardSolverTool"] = self.standard_solver
        if self.agent is AgentKind.IDEAL_SOLVER:
            tools["IdealSolverTool"] = self.ideal_solver
        return tools

    # Tools -------------------------------------------------------------------------------------------------------

    def make_move(self, move: str) -> float:
        """Makes a quarter turn and returns the reward.

        Raises:
            ToolError: It is not one of the twelve, or the run has ended; nothing has changed.
        """
        self._refuse_after_end()
        name = move.translate(_PRIMES) if isinstance(move, str) else ""
        if name not in QUARTER_TURNS:
            raise self._refused("make_move", move, _move_complaint(move))
        before = self.state
        self.state = apply_move(before, name)
        self.moves.append(name)
        gained = reward(self.reward_kind, before, self.state)
        self._log("make_move", name, gained)
        return gained

    def get_observation(self) -> Any:
        """What can be seen: 54 colour letters, or {"png": base64} of a picture."""
        if self.setting is CubeSetting.FULL_SYMBOLIC:
            self._log("get_observation", "", "string")
            return self.observed()
        self._log("get_observation", "", "picture")
        return {"png": base64.b64encode(self.observed()).decode()}  # type: ignore[arg-type]

    def observed(self) -> str | bytes:
        """What can be seen, as text or as a PNG file."""
        colours = colours_of_faces(self.state, Scheme.REFERENCE)
        if self.setting is CubeSetting.FULL_SYMBOLIC:
            return colours
        if self.setting is CubeSetting.FULL_VISUAL:
            return as_png(net_picture(colours))
        if isinstance(self.view, VertexView):
            return as_png(vertex_picture(colours, self.view))
        return as_png(face_picture(colours, self.view))

    def apply_view_transformation(self, direction: str) -> str:
        """Moves the camera, never the cube.

        Raises:
            ToolError: Not up, down, left or right.
        """
        self._refuse_after_end()
        try:
            self.view, answer = transform(self.view, direction)
        except DirectionError as error:
            raise self._refused("apply_view_transformation", direction, str(error)) from None
        self.views += answer == "ok"
        self._log("apply_view_transformation", direction, answer)
        return answer

    def standard_solver(self, state: str) -> list[str]:
        """Solves a state given in the solver's order and letters."""
        return self._ask_solver("StandardSolverTool", state, StateForm.SOLVER)

    def ideal_solver(self, state: str) -> list[str]:
        """Solves a state given as it is observed."""
        return self._ask_solver("IdealSolverTool", state, StateForm.COLOURS)

    def final_answer(self, text: str = "") -> str:
        """Ends the run."""
        self.gave_up = not self.is_solved
        self._log("final_answer", text, "the run has ended")
        return "the run has ended"

    def undo(self) -> None:
        """A person's undo: the inverse of the last move, which counts as a move."""
        if self.moves:
            self.make_move(inverse_move(self.moves[-1]))

    # Own ---------------------------------------------------------------------------------------------------------

    def _ask_solver(self, tool: str, text: str, form: StateForm) -> list[str]:
        """Asks the solver about the given string, not about the true state."""
        self._refuse_after_end()
        self.solver_calls += 1
        if not isinstance(text, str):
            raise self._refused(tool, text, "the state has to be a string")
        try:
            state = faces_of(text, form)
        except InvalidCube as error:
            raise self._refused(tool, text, str(error)) from None
        try:
            moves = [] if is_solved(state) else list(self._solver(state))
        except ToolError as error:
            raise self._refused(tool, text, str(error)) from None
        self._log(tool, text, " ".join(moves))
        return moves

    def _refuse_after_end(self) -> None:
        if self.has_ended:
            raise ToolError("the run has ended")

    def _refused(self, tool: str, argument: Any, message: str) -> ToolError:
        self.invalid += 1
        self._log(tool, argument, message, accepted=False)
        return ToolError(message)

    def _log(self, tool: str, argument: Any, result: Any, accepted: bool = True) -> None:
        call = CubeCall(
            tool=tool,
            argument=as_plain(argument),
            result=as_plain(result),
            accepted=accepted,
            seconds=round(self.seconds, 6),
        )
        self.calls.append(call)


def _move_complaint(move: Any) -> str:
    return f"E_MOVE: {MoveError(as_plain(move))}"
