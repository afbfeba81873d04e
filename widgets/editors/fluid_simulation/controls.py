"""The controls in the panel, by section."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.tasks.fluid_simulation import FluidBox
from spatial_workbench.engine.tasks.fluid_simulation.editing import PRESETS
from spatial_workbench.engine.tasks.fluid_simulation.world import DEPTH, Corner
from spatial_workbench.widgets.editing.controls import (
    Action,
    Buttons,
    Choice,
    CustomPart,
    Keys,
    Number,
    Numbers,
    Section,
    Switch,
    ToolButton,
    Tools,
    Verb,
)
from spatial_workbench.widgets.editors.fluid_simulation.gestures import AreaTool, BrushTool, PresetTool, SelectTool
from spatial_workbench.widgets.editors.fluid_simulation.look import FluidLook
from spatial_workbench.widgets.editors.fluid_simulation.operations import MATERIALS, OperationsPanel
from spatial_workbench.widgets.editors.fluid_simulation.water import FluidWater
from spatial_workbench.widgets.editors.fluid_simulation.worksite import Worksite
from spatial_workbench.widgets.scene_views.view import SceneView, Tool

PRESET_KEYS = {"pit": "P", "walled pool": "W", "roof on a pillar": "T", "island": "I"}
PRESET_TIPS = {
    "pit": "a hole in the ground, from the level up",
    "walled pool": "a block of rock with a pool in its top",
    "roof on a pillar": "a slab one column wider on all sides, held up at a corner",
    "island": "rock inside a pit, as high as the ground",
}
SHORT_NAMES = {"roof on a pillar": marked("roof")}
TO = marked("to")
"""What stands before the upper bound of an extent."""
NUDGES: dict[str, tuple[str, Corner]] = {
    "Right": ("right", (1, 0, 0)),
    "Left": ("left", (-1, 0, 0)),
    "Up": ("back", (0, 1, 0)),
    "Down": (marked("forward"), (0, -1, 0)),
    "Shift+Up": ("up a level", (0, 0, 1)),
    "Shift+Down": ("down a level", (0, 0, -1)),
}


def option_section(site: Worksite) -> Section:
    """The tooltips of tools."""
    height = site.box_height
    width = site.brush_width
    paints = site.paints_rock
    high = "How many levels a new box has: up for rock, down for air"
    return Section(
        "Options",
        Number("Height", height.get, height.put, (0, DEPTH), high, least="by dragging"),
        Choice("Brush paints", (marked("air"), marked("rock")), paints.get, lambda rock: paints.put(bool(rock))),
        Number("Brush width", width.get, width.put, (1, 9)),
        *(
            Switch(f"Mirror in {axis}", mirror.get, mirror.put, f"Also place everything mirrored in {axis}")
            for axis, mirror in zip("xy", site.mirrors, strict=True)
        ),
    )


def operation_section(
    site: Worksite, make: Callable[[], OperationsPanel], show: Callable[[OperationsPanel], None]
) -> Section:
    """The list of operations, and the numbers of the chosen one."""
    listed = site.operation_list

    def is_chosen() -> bool:
        return site.operation_list.chosen >= 0

    wide = (0, site.n - 1)
    high = (0, DEPTH - 1)
    return Section(
        "Operations",
        CustomPart("Operations", make, refresh=show),
        Buttons(
            Action("Earlier", partial(listed.shift, -1), "Ctrl+Up", "up", "Move up in the list", enabled=is_chosen),
            Action("Later", partial(listed.shift, 1), "Ctrl+Down", "down", "Move down in the list", enabled=is_chosen),
            Action("Duplicate operation", listed.duplicate, "Ctrl+D", "copy", enabled=is_chosen, verb=Verb.DUPLICATE),
            Action(
                "Delete operation",
                listed.delete,
                "Delete, Backspace",
                "delete",
                enabled=is_chosen,
                verb=Verb.DELETE,
            ),
            columns=4,
            has_words=False,
        ),
        Numbers(
            "Extent",
            ("x", TO, "y", TO, "z", TO),
            listed.extent,
            listed.set_bound,
            wide,
            columns=2,
            field_px=68,
            bounds_each=(wide, wide, wide, wide, high, high),
        ),
        Choice(
            "Material", MATERIALS, listed.material, listed.set_material, "The material of the box", enabled=is_chosen
        ),
    )


def key_actions(site: Worksite, look: FluidLook, water: FluidWater) -> Keys:
    """The actions of the strip beside the world, and those that only have keys."""
    beside = "Show the level from above, beside the world"
    above = "Show rock above the level as a ghost"

    def has_plan() -> bool:
        return look.has_plan

    drop = "Watch the water rise, drop by drop"
    nudge = site.operation_list.nudge
    return Keys(
        Action("Add operation", partial(add_box, site), "Return"),
        Action("Level up", partial(look.step_level, 1), "PgUp", "layer_up", aid=Aid.VIEWING),
        Action("Level down", partial(look.step_level, -1), "PgDown", "layer_down", aid=Aid.VIEWING),
        Action("Cut above the level", look.toggle_cut, "C", "section", above, Aid.VIEWING, checked=look.cuts.get),
        Action("See-through rock", look.toggle_glass, "X", "eye", "See the water under roofs", Aid.VIEWING,
               checked=lambda: look.display.glass),
        Action("Level from above", look.toggle_plan, "L", "grid", beside, Aid.VIEWING, checked=has_plan),
        Action("Play the rain", water.play, "G", "rain", drop, Aid.JUDGING),
        *(Action(f"Move operation {way}", partial(nudge, by), key) for key, (way, by) in NUDGES.items()),
    )  # fmt: skip


def add_box(site: Worksite) -> None:
    """Adds a box of air in the middle of the level, and chooses it, so that its numbers can be typed."""
    middle = site.n // 2
    level = site.level
    site.operation_list.add_boxes(
        "Add operation", [FluidBox((middle - 1, middle - 1, level), (middle, middle, level), False)]
    )


def tool_section(view: SceneView, site: Worksite, use: Callable[[Tool], object]) -> Section:
    """The tools; `use` activates one."""
    digs = "A box of air: drag a rectangle, then move down to set its depth"
    builds = "A box of rock: drag a rectangle, then move up to set its height"
    selects = "Click an operation; drag it to move it, drag a handle to resize it"
    paints = "Paint voxels of rock or air at the level"
    tools = Tools(
        view,
        ToolButton("Dig a box", view.tool, "D", "air", digs),
        ToolButton("Build a box", AreaTool(site, rock=True), "R", "rock", builds),
        ToolButton("Brush", BrushTool(site), "B", "brush", paints),
        ToolButton("Select", SelectTool(site), "V", "select", selects),
        take=use,
    )
    return Section("Tools", tools)


def preset_section(view: SceneView, site: Worksite, use: Callable[[Tool], object]) -> Section:
    """Tools that build a shape at once."""
    return Section("Presets", Tools(view, *(_preset(site, name) for name in PRESETS), columns=2, take=use))


def _preset(site: Worksite, name: str) -> ToolButton:
    text = SHORT_NAMES.get(name, name).capitalize()
    tip = f"{name.capitalize()}: {PRESET_TIPS[name]}."
    return ToolButton(text, PresetTool(site, name), PRESET_KEYS[name], tip=f"{tip} Drag a rectangle.")
