"""What keys and orientations do: they act on the ghost while pieces are placed, and else on the selected pieces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.tasks.tetrahedra_shadow.presets import pose_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.solid import normalised
from spatial_workbench.widgets.editing.controls import Action, Condition, Keys, Verb
from spatial_workbench.widgets.editing.nudging import Step, Way, nudges
from spatial_workbench.widgets.editing.placing import PlacingTools
from spatial_workbench.widgets.editors.tetrahedra_shadow.commands import TetrahedraCommands
from spatial_workbench.widgets.editors.tetrahedra_shadow.gestures import FREE, TetrahedraPlaceTool, X, Y, Z
from spatial_workbench.widgets.editors.tetrahedra_shadow.pieces import Axis, Pieces

STEPS = (Step(0.05), Step(0.005, marked("{way}, finely"), ["Shift+"]))
TURN_DEG, FINE_TURN_DEG = 15.0, 5.0


class TetrahedraHand:
    """Turns, moves and selects by keys."""

    def __init__(
        self, tools: PlacingTools, place_tool: TetrahedraPlaceTool, pieces: Pieces, commands: TetrahedraCommands
    ) -> None:
        self._tools = tools
        self._place_tool = place_tool
        self._pieces = pieces
        self._commands = commands

    def choose_orientation(self, text: str, preset: str, turn_deg: float) -> None:
        """Chooses a preset for the next pieces and, while selecting, for the selection."""
        pose = pose_of(preset, 0.0, 0.0, turn_deg)
        self._place_tool.orient(pose, text)
        if not self._tools.is_placing:
            self._commands.orient(pose)

    def orient_like_selected(self) -> None:
        """Gives the next pieces the orientation of the selected one, and activates the place tool."""
        pose = normalised(self._pieces.chosen[-1:])[0] if self._pieces.selected else self._place_tool.next_pose
        self._place_tool.orient(pose * (0, 0, 0, 1, 1, 1, 1), FREE)
        self._tools.use(self._place_tool)

    def turn(self, axis: Axis, angle_deg: float) -> None:
        """Turns the ghost, or the selection."""
        (self._place_tool if self._tools.is_placing else self._commands).turn(axis, angle_deg)

    def nudge(self, way: Way, length: float) -> None:
        """Moves the ghost, or the selection."""
        (self._place_tool.step if self._tools.is_placing else self._commands.nudge)(length * way[0], length * way[1])

    def place_at(self, place: Sequence[float]) -> None:
        """Adds a piece in the next orientation with its position at x, y, z; on a level if pieces stack."""
        pose = self._place_tool.next_pose[None].copy()
        pose[:, :3] = place
        pose = self._pieces.risen(pose)
        if not self._pieces.is_refused(pose):
            self._pieces.add_piece(pose[0])

    def set_stacking(self, on: bool) -> None:
        """Sets whether pieces take the lowest free level automatically."""
        self._pieces.stacks = on
        self._place_tool.again()

    def select_all(self) -> None:
        """Selects all pieces."""
        self.select(range(len(self._pieces.poses)))

    def step_selection(self, by: int) -> None:
        """Selects the next piece (1) or the previous one (-1)."""
        if len(self._pieces.poses):
            self._tools.use_select()
            self._pieces.selection.step(by)

    def select(self, chosen: Iterable[int]) -> None:
        """Selects pieces, with the tool for it."""
        self._tools.use_select()
        self._pieces.select(chosen)

    def keys(self) -> Iterable[Keys]:
        """The actions that only have keys."""
        turns = (("Turn", Z, "R"), ("Tilt about x", X, "X"), ("Tilt about y", Y, "Y"))
        for words, axis, key in turns:
            yield Keys(
                Action(f"{words} by 15°", partial(self.turn, axis, TURN_DEG), key),
                Action(f"{words} by −15°", partial(self.turn, axis, -TURN_DEG), f"Shift+{key}"),
            )
        yield Keys(
            Action("Turn by 5°", partial(self.turn, Z, FINE_TURN_DEG), "."),
            Action("Turn by −5°", partial(self.turn, Z, -FINE_TURN_DEG), ","),
        )
        yield Keys(*nudges(self.nudge, STEPS))
        yield Keys(
            Action("Raise by a level", partial(self._commands.lift, 1), "PgUp"),
            Action("Lower by a level", partial(self._commands.lift, -1), "PgDown"),
            Action("Place tetrahedron", self._place_tool.place, "Return, Enter"),
            Action("Next tetrahedron", partial(self.step_selection, 1), "]", aid=Aid.VIEWING),
            Action("Previous tetrahedron", partial(self.step_selection, -1), "[", aid=Aid.VIEWING),
            Action("Select all", self.select_all, "Ctrl+A", aid=Aid.VIEWING, verb=Verb.SELECT_ALL),
        )

    def has_orientation(self, orientation: str) -> Condition:
        """Whether the next piece has an orientation, as a control asks."""
        return lambda: self._place_tool.orientation == orientation
