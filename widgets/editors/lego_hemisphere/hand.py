"""What keys do with bricks: they act on the ghost while bricks are placed, and else on the selected bricks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.tasks.lego_hemisphere.brick import STUD_PITCH
from spatial_workbench.engine.tasks.lego_hemisphere.placement import SNAP_ANGLE_DEG
from spatial_workbench.widgets.editing.controls import Action
from spatial_workbench.widgets.editing.nudging import FINE_KEYS, Step, Way, nudges, way_on_screen
from spatial_workbench.widgets.editing.placing import PlacingTools
from spatial_workbench.widgets.editors.lego_hemisphere.array import BrickArray
from spatial_workbench.widgets.editors.lego_hemisphere.commands import BrickCommands
from spatial_workbench.widgets.editors.lego_hemisphere.gestures import BrickPlaceTool
from spatial_workbench.widgets.editors.lego_hemisphere.layers import BrickLayers
from spatial_workbench.widgets.scene_views.view import SceneView
from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

STEPS = (
    Step(STUD_PITCH, marked("{way} by 8 mm")),
    Step(1.0, marked("{way} by 1 mm"), ["Shift+"]),
    Step(0.1, marked("{way} by 0.1 mm"), FINE_KEYS),
)
"""How far an arrow key moves bricks with each modifier, in mm."""


class BrickHand:
    """Moves, turns and places by keys. `canvas` is the plan; `view` decides where "right" is, unless the plan does."""

    def __init__(
        self,
        tools: PlacingTools,
        place_tool: BrickPlaceTool,
        commands: BrickCommands,
        array: BrickArray,
        layers: BrickLayers,
        view: Viewport3D,
        canvas: SceneView,
    ) -> None:
        self._tools = tools
        self._place_tool = place_tool
        self._commands = commands
        self._array = array
        self._layers = layers
        self._view = view
        self._canvas = canvas

    def keys(self) -> Iterator[Action]:
        """The actions that only have keys."""
        yield Action("Turn by 15°", partial(self.rotate, SNAP_ANGLE_DEG), "Shift+R")
        yield Action("Layer up", partial(self._layers.step, 1), "PgUp")
        yield Action("Layer down", partial(self._layers.step, -1), "PgDown")
        yield Action("Raise selected bricks", partial(self._commands.lift, 1), "Shift+PgUp")
        yield Action("Lower selected bricks", partial(self._commands.lift, -1), "Shift+PgDown")
        yield Action("Place the brick", self.place, "Return, Enter")
        yield from nudges(self.step, STEPS)

    @property
    def is_placing(self) -> bool:
        """Whether bricks are being placed."""
        return self._tools.is_placing

    @property
    def aims_ghost(self) -> bool:
        """Whether keys move and turn the ghost rather than selected bricks."""
        return self._tools.is_placing and not self._commands.piece.selected

    def way_on_screen(self, way: Way) -> Way:
        """The axis nearest to an arrow key's direction, as seen in the 3D view or in the plan if it has the focus."""
        if self._canvas.hasFocus():
            return way
        return way_on_screen(self._view, way)

    def rotate(self, by_deg: float) -> None:
        """Turns the ghost or the selected bricks."""
        if self.aims_ghost:
            self._place_tool.turn(by_deg)
        else:
            self._commands.rotate(by_deg)

    def step(self, way: Way, size_mm: float) -> None:
        """Moves the ghost or the selected bricks in the direction of the key on the screen."""
        x, y, _ = self.way_on_screen(way)
        if self.aims_ghost:
            self._place_tool.step(x * size_mm, y * size_mm, free=size_mm < STUD_PITCH)
        else:
            self._commands.nudge((x, y), size_mm)

    def place(self) -> None:
        """Places the copies of the array, or the ghost."""
        if self._array.is_open:
            self._array.place_copies()
        elif self._tools.is_placing:
            self._place_tool.place()

    def leave(self) -> None:
        """Handles Escape: closes the array, or ends what the tools have begun."""
        if self._array.is_open:
            self._array.close()
        else:
            self._tools.leave()

    def open_array(self) -> None:
        """Opens the array for the selected bricks."""
        self._tools.use_select()
        self._array.open()
