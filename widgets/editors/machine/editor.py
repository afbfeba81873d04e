"""The editor of machines: a palette of blocks, faces to build on, and the simulation to play."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtWidgets import QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.machines.building.blocks import Vector
from spatial_workbench.engine.machines.building.poses import kind_of
from spatial_workbench.engine.machines.building.settings import words_of_settings
from spatial_workbench.engine.machines.building.tree import Tree
from spatial_workbench.engine.machines.levels.examples import Example
from spatial_workbench.engine.physics.frames import swapped
from spatial_workbench.engine.tasks.machine import MachineAnswer
from spatial_workbench.engine.tasks.machine.drawing import draw_machine
from spatial_workbench.engine.tasks.machine.editing import MachineAssembly
from spatial_workbench.engine.tasks.machine.guides import balance_items, key_labels
from spatial_workbench.engine.tasks.machine.task import level_of_instance
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.editing.controls import (
    Declared,
    Section,
    Setting,
    ToolButton,
    Tools,
    Verb,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.nudging import free_digit_keys
from spatial_workbench.widgets.editing.selection import NumberedSelection
from spatial_workbench.widgets.editing.things import ThingsEditing
from spatial_workbench.widgets.editors.machine.commands import MachineCommands
from spatial_workbench.widgets.editors.machine.controls import (
    command_keys,
    example_section,
    parameter_section,
    repeat_section,
    simulation_section,
    state_section,
    text_section,
)
from spatial_workbench.widgets.editors.machine.gestures import BuildTool, MachineCopyTool, MachineSelectTool
from spatial_workbench.widgets.editors.machine.palette import FOREIGN, BlockPalette
from spatial_workbench.widgets.editors.machine.playback import MachinePlayback
from spatial_workbench.widgets.editors.machine.ruler import RulerTool
from spatial_workbench.widgets.editors.machine.text_pane import TextPane
from spatial_workbench.widgets.editors.machine.text_view import MachineText
from spatial_workbench.widgets.editors.machine.walk_through import WalkMarks, WalkThrough
from spatial_workbench.widgets.editors.machine.workbench import Workbench
from spatial_workbench.widgets.layouts import column
from spatial_workbench.widgets.scene_views.legend import AXES_WIDTH, Legend
from spatial_workbench.widgets.scene_views.view import Pick, SceneView, Tool

SELECT_TIP = "Click a block, or drag a box around several; drag a block to another face to move it"
RULER_TIP = "Click two places to measure how far they are from each other"
HINT = "Choose a block at the left and click a face to put it there."
HINT_OF_RUN = f"{HINT} F5 simulates the machine."


class MachineEditor(Editor[MachineAnswer]):
    """Builds on faces by the commands that models use; every step of the history is such a command.

    `blocks` is the palette to build with, `commands` change the selected blocks, `playback` simulates and plays, and
    `text` shows the machine as text.
    """

    def prepare(self) -> None:
        self.level = level_of_instance(self.instance)
        self.bench = Workbench(self.level, self._edit_tree, self.message.emit, self.allows(Aid.JUDGING))
        self._joins = ""
        self._shows_balance = Setting(True, self.redraw)
        self._read_answer()

    def begin(self) -> None:
        free_digit_keys(self.view)
        # The status bar has the figures of the moment.
        self.timeline.shows_captions = False
        self.view.set_describe(self.describe)
        self.view.add_overlay(WalkMarks(self.walk, self.bench))
        self.view.add_overlay(Legend(self.playback.legend, right=AXES_WIDTH))
        self.view.selection_changed.connect(self._follow_selection)
        if self.assembly is not None and len(self.assembly.tree) == 1:
            self.view.show_hint(HINT_OF_RUN if self.allows(Aid.JUDGING) else HINT)

    @property
    def assembly(self) -> MachineAssembly | None:
        """The machine; None while the answer is none."""
        return self.bench.assembly

    def _read_answer(self) -> Vector:
        """Reads the answer; returns how far the machine has moved in the drawing, where it stands on the ground."""
        tree = self.document.answer.reading.tree
        before = self.bench.assembly
        after = None if tree is None else MachineAssembly(tree)
        self.bench.assembly = after
        return swapped((after.lift - before.lift).tolist()) if before is not None and after is not None else (0, 0, 0)

    def make_view(self) -> SceneView:
        """Also makes the tools that build in it."""
        view = super().make_view()
        self.selection = NumberedSelection(view, "block", lambda: len(self.assembly.tree) if self.assembly else 0)
        self.commands = MachineCommands(self.bench, self.selection, self.message.emit)
        self.blocks = BlockPalette(
            self.level, self.choose, lambda: view.tool is self._build, self.refresh, view.setFocus
        )
        self._build = BuildTool(self.bench, view, lambda: self.blocks.kind, self._show_joins, lambda: self.walk.targets)
        self._select = MachineSelectTool(self.bench, view)
        self._copy = MachineCopyTool(self.bench, view, self.commands.copied_block)
        self._ruler = RulerTool(self.bench, view, self.message.emit)
        view.set_tool(self._build)
        return view

    def central_widget(self) -> QWidget:
        """The view, and below it the plots while a simulation plays."""
        whole = QWidget()
        self.text = MachineText(self.level.size_limits, self.runner, self.allows(Aid.JUDGING), self._apply_typed)
        self.text_pane = TextPane(self.text, self.view, self.document, self._go_to_block)
        self.walk = WalkThrough()
        self.walk.ended.connect(self.redraw)
        beside = column(whole, self.walk, self.text_pane.halves)
        beside.setStretchFactor(self.text_pane.halves, 1)
        self.playback = MachinePlayback(self, beside)
        self.animation.starting.connect(self.playback.hold_tool)
        self.animation.stopping.connect(self.playback.stop)
        beside.addWidget(self.playback.free)
        return whole

    def _apply_typed(self, tree: Tree, typing: str) -> None:
        """Accepts a typed machine; typing without a pause is one step."""
        self.document.edit("Type the machine", MachineAnswer.of(tree, self.document.answer.reasoning), typing)

    def _edit_tree(self, label: str, tree: Tree) -> None:
        self.edit(label, MachineAnswer.of(tree, self.document.answer.reasoning))

    def _go_to_block(self, block: int) -> None:
        if self.assembly is not None and block < len(self.assembly.tree):
            self.animation.stop()
            self.selection.select([block])
            self.view.go_to([f"block {block}"], animate=not appearance().reduce_motion)

    def _follow_selection(self, ids: tuple[str, ...]) -> None:
        self.text_pane.show_selected(self.selection.in_order)

    # Controls ----------------------------------------------------------------------------------------------------

    def list_controls(self) -> Iterable[Declared]:
        tools = (
            ToolButton("Build", self._build, "B", "place", "Click a face to put the chosen block there"),
            ToolButton("Select", self._select, "V", "select", SELECT_TIP),
            ToolButton("Copy", self._copy, "C", "copy", "Click faces to put copies of the selected block there"),
            ToolButton("Ruler", self._ruler, "R", "ruler", RULER_TIP, Aid.MEASURING),
        )
        yield Section("Tools", Tools(self.view, *tools, columns=2, take=self._use))
        yield text_section(self.text_pane)
        yield simulation_section(self.playback, self.bench)
        yield parameter_section(self.commands)
        yield from self.blocks.sections()
        yield repeat_section(self.commands, self.bench)
        yield example_section(self._load, self.walk_through)
        yield state_section(self.bench, lambda: self.document.answer, self._shows_balance)
        yield from command_keys(self.commands)
        yield ThingsEditing(self, self.commands.things(self.document)).controls([Verb.DELETE])
        yield from self.blocks.keys()

    def _use(self, tool: Tool) -> None:
        self.animation.stop()
        self.view.set_tool(tool)
        self.refresh()

    def choose(self, number: int) -> None:
        """Chooses the type of block to build with."""
        self.animation.stop()
        self.blocks.choose_block(number)
        if self.blocks.is_foreign(number):
            self.message.emit(FOREIGN)
        self.view.set_tool(self._build)
        self.refresh()

    # What is shown -----------------------------------------------------------------------------------------------

    def make_scene(self) -> Scene:
        if self.playback.live_scene is not None:
            return self.playback.live_scene
        scene = draw_machine(self.level, self.assembly.tree if self.assembly else None)
        if self.assembly is not None:
            scene = replace(scene, items=(*scene.items, *key_labels(self.assembly)))
        targets = self.walk.targets
        if targets and self.assembly is not None:
            marks = (
                self.bench.next_block(self.walk.kind, *targets) if len(targets) == 1 else self.bench.next_line(targets)
            )
            scene = replace(scene, items=(*scene.items, *marks))
        if self.assembly is None or not self._shows_balance.value or not self.allows(Aid.MEASURING):
            return scene
        return replace(scene, items=(*scene.items, *balance_items(self.assembly, self.allows(Aid.JUDGING))))

    def redraw(self, reset_view: bool = False) -> None:
        """Reads the machine, and keeps it in its place on the screen when it moves in the drawing."""
        before = self.assembly
        shift = self._read_answer()
        if before is not None and (self.assembly is None or self.assembly.tree != before.tree):
            # By undo, a key or the answer's text; what plays is another machine's run now.
            self.animation.stop()
        self.walk.show_next_step(self.assembly)
        super().redraw(reset_view)
        self.text_pane.follow_machine()
        if not reset_view and any(shift):
            self.playback.shift_camera(shift)

    def status(self) -> str:
        if self.playback.moment:
            return self.playback.moment
        if self.assembly is None:
            return "No machine"
        count = len(self.assembly.tree)
        selected = len(self.selection.in_order)
        several = f"{selected} selected" if selected > 1 else ""
        return " · ".join(filter(None, [f"{count} blocks" if count > 1 else "1 block", several, self._joins]))

    def describe(self, pick: Pick) -> tuple[str, str]:
        """The text of the label beside the pointer for a block."""
        if not pick.id.startswith("block ") or self.assembly is None:
            return pick.id, ""
        block = int(pick.id.split()[1])
        if block >= len(self.assembly.tree):
            return pick.id, ""
        pose = self.assembly.poses[block]
        facing = [] if pose is None else [f"looks {pose.facing}"]
        entry = self.assembly.tree[block]
        return f"Block {block}, {kind_of(entry).name}", " · ".join([*facing, *words_of_settings(entry.settings)])

    def _show_joins(self, words: str) -> None:
        if words != self._joins:
            self._joins = words
            self.update_status()

    def walk_through(self, example: Example) -> None:
        """Begins with the starting block alone, and explains step by step how to build an example."""
        self.animation.stop()
        self._edit_tree("Begin the walk-through", example.tree[:1])
        self.choose(self.blocks.kind)
        self.walk.start_steps(example)
        self.redraw()

    def _load(self, example: Example) -> None:
        """Replaces the machine by an example."""
        self.animation.stop()
        self._edit_tree(f"Load {example.title}", example.tree)
        self.panes.frame_if_outside()

    # Playing -----------------------------------------------------------------------------------------------------

    def play_over(self, answer: MachineAnswer) -> None:
        """Simulates another machine, then plays the current one with the other as a ghost."""
        self.playback.play_over(answer)

    def make_frame(self, scene: Scene, index: int) -> Scene:
        """A moment of the simulation; the camera goes along with what it follows."""
        self.playback.show_frame(scene, index)
        return scene.at(index)

    def close_editor(self) -> None:
        """Releases graphics and connections."""
        self.playback.close()
        super().close_editor()
