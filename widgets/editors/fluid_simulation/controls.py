"""The actions of the editor and the content of its tools panel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from engine.core import Aid
from engine.tasks.fluid_simulation.editing import PRESETS
from engine.tasks.fluid_simulation.world import DEPTH, Corner
from widgets.editing.panel import ToolPanel
from widgets.editors.fluid_simulation.gestures import AreaTool, BrushTool, PresetTool, SelectTool
from widgets.editors.fluid_simulation.operations import OperationsPanel
from widgets.editors.fluid_simulation.works import Works
from widgets.theme import SPACE

if TYPE_CHECKING:
    from widgets.editors.fluid_simulation import FluidEditor

PRESET_KEYS = {"pit": "P", "walled pool": "W", "roof on a pillar": "T", "island": "I"}
PRESET_TIPS = {
    "pit": "a hole in the ground, from the level up",
    "walled pool": "a block of rock with a pool in its top",
    "roof on a pillar": "a slab one column wider all round, held at a corner",
    "island": "rock inside a pit, as high as the ground",
}
NUDGES: dict[str, tuple[str, Corner]] = {
    "Right": ("right", (1, 0, 0)),
    "Left": ("left", (-1, 0, 0)),
    "Up": ("back", (0, 1, 0)),
    "Down": ("forward", (0, -1, 0)),
    "Shift+Up": ("up a level", (0, 0, 1)),
    "Shift+Down": ("down a level", (0, 0, -1)),
}


def fill_panel(tools: ToolPanel, editor: FluidEditor, works: Works) -> OperationsPanel:
    """Puts tools, presets, options and the list of operations into the panel."""
    tools.add_section("Tools")
    group = tools.add_tools(_tool_actions(editor))
    presets = [_preset_action(editor, name) for name in PRESETS]
    for action in presets:
        action.setCheckable(True)
        group.addAction(action)
    tools.add_section("Presets")
    tools.add_widget(_button_grid(presets))
    tools.add_section("Options")
    _add_options(tools, editor)
    tools.add_section("Operations")
    panel = OperationsPanel(editor.n, _list_actions(editor, works))
    panel.chosen.connect(works.choose)
    panel.switched.connect(works.switch)
    panel.reordered.connect(works.reorder)
    panel.retyped.connect(lambda row, box: works.change(row, "Set numbers", box, f"type {row}"))
    tools.add_widget(panel)
    for key, (way, shift) in NUDGES.items():
        editor.add_action(f"Move operation {way}", lambda shift=shift: works.nudge(shift), key)
    return panel


def rain_action(editor: FluidEditor) -> QAction:
    """Lets it rain and plays it."""
    return editor.add_action(
        "Play the rain", editor.play_rain, "G", "rain", "Watch the water fill, drop by drop", Aid.JUDGING
    )


def level_actions(editor: FluidEditor) -> list[QAction]:
    """Level up and down, cut, glass: the buttons of the strip. The plan's switch has a key only."""
    up = editor.add_action("Level up", lambda: editor.set_level(editor.level + 1), "PgUp", "layer_up")
    down = editor.add_action("Level down", lambda: editor.set_level(editor.level - 1), "PgDown", "layer_down")
    cut = _toggle(editor, "Cut above the level", editor.set_cut, "C", "section", "Rock above the level is a ghost")
    glass = _toggle(editor, "Rock of glass", editor.set_glass, "X", "eye", "See the water under roofs")
    plan = _toggle(editor, "Level from above", editor.show_plan, "L", "grid", "The level from above, beside the world")
    plan.setChecked(True)
    return [up, down, cut, glass, plan]


def _toggle(
    editor: FluidEditor, text: str, slot: Callable[[bool], None], key: str, icon_name: str, tip: str
) -> QAction:
    action = editor.add_action(text, lambda: slot(action.isChecked()), key, icon_name, tip)
    action.setCheckable(True)
    return action


def _tool_actions(editor: FluidEditor) -> list[QAction]:
    return [
        editor.add_action("Dig a box", lambda: editor.use(AreaTool(editor, rock=False)), "D", "air",
                          "A box of air: drag a rectangle, then move down for its depth"),
        editor.add_action("Build a box", lambda: editor.use(AreaTool(editor, rock=True)), "R", "rock",
                          "A box of rock: drag a rectangle, then move up for its height"),
        editor.add_action("Brush", lambda: editor.use(BrushTool(editor)), "B", "brush",
                          "Paint voxels of rock or air at the level"),
        editor.add_action("Select", lambda: editor.use(SelectTool(editor)), "V", "select",
                          "Click an operation; drag it to move it, drag a handle to resize it"),
    ]  # fmt: skip


def _preset_action(editor: FluidEditor, name: str) -> QAction:
    text = name.removesuffix(" on a pillar").capitalize()
    tip = f"{name.capitalize()}: {PRESET_TIPS[name]}. Drag a rectangle."
    return editor.add_action(text, lambda: editor.use(PresetTool(editor, name)), PRESET_KEYS[name], "", tip)


def _add_options(tools: ToolPanel, editor: FluidEditor) -> None:
    def put(name: str, kind: type) -> Callable[[object], None]:
        return lambda value: setattr(editor, name, kind(value))

    tip = "Levels that a new box has; rock grows up, air goes down"
    height = tools.add_number("Height", 0, (0, DEPTH), put("box_height", int), tip=tip)
    height.setSpecialValueText("by dragging")
    tools.add_choice("Brush paints", ("air", "rock"), put("paints_rock", bool))
    tools.add_number("Brush width", 1, (1, 9), put("brush_width", int))
    tools.add_check("Mirror in x", False, put("mirror_x", bool), "Whatever is placed is placed mirrored in x too")
    tools.add_check("Mirror in y", False, put("mirror_y", bool), "Whatever is placed is placed mirrored in y too")


def _list_actions(editor: FluidEditor, works: Works) -> list[QAction]:
    actions = [
        editor.add_action("Earlier", lambda: works.shift(-1), "Ctrl+Up", "up", "Move up in the list"),
        editor.add_action("Later", lambda: works.shift(1), "Ctrl+Down", "down", "Move down in the list"),
        editor.add_action("Duplicate operation", works.duplicate, "Ctrl+D", "copy"),
        editor.add_action("Delete operation", works.delete, "Delete, Backspace", "delete"),
    ]

    def enable() -> None:
        for action in actions:
            action.setEnabled(works.chosen >= 0)

    works.changed.connect(enable)
    enable()
    return actions


def _button_grid(actions: Sequence[QAction]) -> QWidget:
    """Buttons with words, two in a row."""
    whole = QWidget()
    grid = QGridLayout(whole)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setSpacing(SPACE)
    for i, action in enumerate(actions):
        button = QPushButton(action.text())
        button.setCheckable(True)
        button.setToolTip(action.toolTip())
        button.clicked.connect(lambda _=False, action=action: action.trigger())
        action.toggled.connect(button.setChecked)
        grid.addWidget(button, i // 2, i % 2)
    return whole
