"""The editor of machines: a palette of blocks, faces to build on, and the simulation to play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.machines.building.blocks import ROOT, Vector
from spatial_workbench.engine.machines.building.poses import kind_of
from spatial_workbench.engine.machines.building.tree import Tree
from spatial_workbench.engine.machines.levels.examples import Example, examples
from spatial_workbench.engine.physics.frames import swapped
from spatial_workbench.engine.tasks.machine import MachineAnswer
from spatial_workbench.engine.tasks.machine.building import arrayed, pasted
from spatial_workbench.engine.tasks.machine.drawing import draw_machine
from spatial_workbench.engine.tasks.machine.editing import MachineAssembly
from spatial_workbench.engine.tasks.machine.guides import balance_items
from spatial_workbench.engine.tasks.machine.mirroring import mirrored
from spatial_workbench.engine.tasks.machine.task import level_of_instance
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.editing.controls import (
    Action,
    Buttons,
    Choice,
    Declared,
    Gauge,
    Keys,
    Note,
    Section,
    Setting,
    Switch,
    ToolButton,
    Tools,
    Verb,
    attribute,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.nudging import free_digit_keys
from spatial_workbench.widgets.editing.selection import NumberedSelection
from spatial_workbench.widgets.editing.things import Things, ThingsEditing
from spatial_workbench.widgets.editors.machine.figures import (
    mass_reading,
    size_reading,
    words_of_faults,
    words_of_joins,
)
from spatial_workbench.widgets.editors.machine.gestures import BuildTool, MachineCopyTool, MachineSelectTool
from spatial_workbench.widgets.editors.machine.palette import BlockPalette
from spatial_workbench.widgets.editors.machine.playback import MachinePlayback
from spatial_workbench.widgets.editors.machine.replay import FOLLOWED
from spatial_workbench.widgets.editors.machine.text_view import WIDTH_PX, MachineText
from spatial_workbench.widgets.editors.machine.walk_through import WalkThrough
from spatial_workbench.widgets.editors.machine.workbench import Workbench
from spatial_workbench.widgets.layouts import column, split
from spatial_workbench.widgets.scene_views.legend import AXES_WIDTH, Legend
from spatial_workbench.widgets.scene_views.view import Pick, SceneView, Tool

if TYPE_CHECKING:
    pass

HINT = "Choose a block at the left and click a face to put it there."
HINT_OF_RUN = f"{HINT} F5 simulates the machine."
_WALK_TIP = "Begin anew, and be told block by block how a car is built"


class MachineEditor(Editor[MachineAnswer]):
    """Builds on faces by the commands that models use; every step of the history is such a command.

    `blocks` is the palette to build with, `playback` simulates and plays, `text` shows the machine as text.
    """

    def prepare(self) -> None:
        self.level = level_of_instance(self.instance)
        self.bench = Workbench(self.level, self._edit_tree, self.message.emit, self.allows(Aid.JUDGING))
        self._joins = ""
        self._shows_balance = Setting(True, self.redraw)
        self.blocks = BlockPalette(self.level, self.choose, lambda: self.view.tool is self._build)
        self._build = BuildTool(self.bench, self._view, lambda: self.blocks.kind, self._show_joins)
        self._select = MachineSelectTool(self.bench, self._view)
        self._copy = MachineCopyTool(self.bench, self._view, self._copied_block)
        self._read()

    def _view(self) -> SceneView:
        """The view, which the tools are made before."""
        return self.view

    def begin(self) -> None:
        free_digit_keys(self.view)
        self.view.set_tool(self._build)
        self.view.set_describe(self.describe)
        self.view.add_overlay(Legend(self.playback.legend, right=AXES_WIDTH))
        self.view.selection_changed.connect(self._follow_selection)
        if self.assembly is not None and len(self.assembly.tree) == 1:
            self.view.show_hint(HINT_OF_RUN if self.allows(Aid.JUDGING) else HINT)

    @property
    def assembly(self) -> MachineAssembly | None:
        """The machine; None while the answer is none."""
        return self.bench.assembly

    def _read(self) -> Vector:
        """Reads the answer; by how much the machine is set down elsewhere than before, in the drawing."""
        tree = self.document.answer.reading.tree
        before = self.bench.assembly
        after = None if tree is None else MachineAssembly(tree)
        self.bench.assembly = after
        return swapped((after.lift - before.lift).tolist()) if before is not None and after is not None else (0, 0, 0)

    def central_widget(self) -> QWidget:
        """The view, and below it the plots while a simulation plays."""
        self.selection = NumberedSelection(
            self.view, "block", lambda: 0 if self.assembly is None else len(self.assembly.tree)
        )
        whole = QWidget()
        self.text = MachineText(self.level.size_limits, self.runner, self.allows(Aid.JUDGING), self._type)
        self.text.block_chosen.connect(self._select_block)
        self.text.left.connect(self.view.setFocus)
        self.text.hide()
        self._halves = split(self.view, self.text, shares=(1, 0))
        self.walk = WalkThrough()
        self.walk.ended.connect(self.redraw)
        beside = column(whole, self.walk, self._halves)
        beside.setStretchFactor(self._halves, 1)
        self.playback = MachinePlayback(self, beside)
        beside.addWidget(self.playback.free)
        return whole

    def toggle_text(self) -> None:
        """Shows the machine's text beside the view, or hides it."""
        self.text.setVisible(self.text.isHidden())
        if not self.text.isHidden():
            width = min(WIDTH_PX, self.width() // 2)
            self._halves.setSizes([self.width() - width, width])
            self.text.follow(self.document.answer)
            self.text.edit.setFocus()

    def _type(self, tree: Tree, typing: str) -> None:
        """Takes a machine that was typed; one typing is one step."""
        self.document.edit("Type the machine", MachineAnswer.of(tree, self.document.answer.reasoning), typing)

    def _select_block(self, block: int) -> None:
        if self.assembly is not None and block < len(self.assembly.tree):
            self.stop_playing()
            self.view.set_selection([f"block {block}"])
            self.view.go_to([f"block {block}"], animate=not appearance().reduce_motion)

    def _follow_selection(self, ids: tuple[str, ...]) -> None:
        if self._selected and not self.text.isHidden():
            self.text.show_block(self._selected[0])

    # Controls ----------------------------------------------------------------------------------------------------

    def list_controls(self) -> Iterable[Declared]:
        yield Section(
            "Tools",
            Tools(
                self.view,
                ToolButton("Build", self._build, "B", "place", "Click a face to put the chosen block there"),
                ToolButton("Select", self._select, "V", "select", "Click a block; drag it to another face to move it"),
                ToolButton("Copy", self._copy, "C", "copy", "Click faces to put copies of the selected block there"),
                columns=3,
                take=self._use,
            ),
        )
        loads = "Colour every block by the largest share of its limit that its connection bore"
        playback = self.playback
        tint = Switch("Show loads", playback.shows_loads.get, playback.shows_loads.put, loads, Aid.JUDGING)
        follow = Choice("Camera follows", FOLLOWED, *attribute(playback.follows, "value"), aid=Aid.VIEWING)
        tip = "Show the list of blocks beside the view; what is typed there is built at once"

        def is_shown() -> bool:
            return not self.text.isHidden()

        yield Section("Text", Buttons(Action("Text", self.toggle_text, "T", "list", tip, checked=is_shown)))
        ghosts = "Draw the ways of earlier runs, and the machine of the last one, while a simulation plays"
        earlier = Switch(
            "Show earlier runs", playback.shows_earlier.get, playback.shows_earlier.put, ghosts, Aid.VIEWING
        )
        yield Section("Simulation", Buttons(*self._simulation(), columns=2), tint, earlier, follow)
        yield from self.blocks.sections()
        sides = "Put everything on the other side of the starting block too"
        yield Section(
            "Repeat",
            Buttons(
                Action("Mirror", self.mirror, "M", "mirror", "Copy the selected blocks to the other side"),
                Action("Array", self.array, "A", "array", "Copy the selected block to all faces along the beam"),
                columns=2,
            ),
            Switch("Build on both sides", *attribute(self.bench, "is_symmetric"), sides),
        )
        templates = [
            Action(example.title, partial(self._load, example), tip=example.about, aid=Aid.SOLVING)
            for example in examples()
        ]
        templates.append(Action("Build a car step by step", self.walk_through, tip=_WALK_TIP, aid=Aid.SOLVING))
        yield Section("Begin from an example", Buttons(*templates))

        def joins() -> str:
            return words_of_joins(self.assembly)

        def faults() -> str:
            return words_of_faults(self.document.answer)

        yield Section(
            "Machine",
            Gauge("Size", lambda: size_reading(self.assembly, self.level, self.allows(Aid.JUDGING)), aid=Aid.MEASURING),
            Gauge("Mass", lambda: mass_reading(self.assembly, self.allows(Aid.JUDGING)), aid=Aid.MEASURING, wraps=True),
            Switch(
                "Show balance",
                self._shows_balance.get,
                self._shows_balance.put,
                tip="Draw what the machine stands on, and where its weight acts",
                aid=Aid.MEASURING,
            ),
            Note("Joins", joins, aid=Aid.MEASURING, shown=lambda: bool(joins())),
            Note("Faults", faults, aid=Aid.JUDGING, shown=lambda: bool(faults())),
        )
        gone = "Remove the selected blocks and all that hangs on them"
        yield Keys(
            Action("Delete", self.delete, "Delete", "delete", gone, verb=Verb.DELETE),
            Action("Select what hangs on it", self.select_subtree, "Shift+V", aid=Aid.VIEWING),
        )

        yield ThingsEditing(self, self._things()).controls([Verb.DELETE])
        yield from self.blocks.keys()

    def _things(self) -> Things:
        return Things(
            name="blocks",
            selection=self.selection,
            part=lambda chosen: (self.document.answer, [block for block in chosen if block != ROOT]),
            add=lambda _, answer, blocks: self._paste(answer, blocks),
            delete=self.delete,
        )

    def _paste(self, answer: MachineAnswer, blocks: Sequence[int]) -> None:
        """Hangs blocks of another machine, with all that hangs on them, on the selected block; else on any that can."""
        source = answer.reading.tree
        if self.assembly is None or source is None or not blocks:
            self.message.emit("Only blocks other than the starting block of a machine can be pasted, onto a machine.")
            return
        count = len(self.assembly.tree)
        selected = [block for block in self._selected if block < count]
        built = pasted(self.assembly, MachineAssembly(source), blocks, selected or range(count), self.level)
        if self.bench.take(built):
            self.view.set_selection([f"block {block}" for block in built.new])

    def _simulation(self) -> tuple[Action, Action]:
        simulating = "Run the machine in the level and play what happens"
        driving = "Drive the machine by keys; this is not scored"
        return (
            Action("Simulate", self.simulate, "F5", "play", simulating, Aid.JUDGING, enabled=self._has_machine),
            Action("Free play", self.free_play, "Shift+F5", "rotate", driving, Aid.JUDGING, enabled=self._has_machine),
        )

    def _has_machine(self) -> bool:
        return self.assembly is not None

    def _use(self, tool: Tool) -> None:
        self.stop_playing()
        self.view.set_tool(tool)
        self.refresh()

    def choose(self, number: int) -> None:
        """Builds with a type from now on."""
        self.stop_playing()
        self.blocks.take(number)
        self.view.set_tool(self._build)
        self.refresh()

    # What is shown -----------------------------------------------------------------------------------------------

    def make_scene(self) -> Scene:
        if self.playback.live_scene is not None:
            return self.playback.live_scene
        scene = draw_machine(self.level, self.assembly.tree if self.assembly else None)
        target = self.walk.target
        if target is not None and self.assembly is not None:
            scene = replace(scene, items=(*scene.items, *self.bench.next_block(self.walk.kind, target)))
        if self.assembly is None or not self._shows_balance.value or not self.allows(Aid.MEASURING):
            return scene
        return replace(scene, items=(*scene.items, *balance_items(self.assembly, self.allows(Aid.JUDGING))))

    def redraw(self, reset_view: bool = False) -> None:
        """Reads the machine, and keeps it where it is seen when it is set down elsewhere."""
        before = self.assembly
        shift = self._read()
        if before is not None and (self.assembly is None or self.assembly.tree != before.tree):
            # By undo, a key or the answer's text; what plays is another machine's run now.
            self.stop_playing()
        self.walk.follow(self.assembly)
        super().redraw(reset_view)
        if not self.text.isHidden():
            self.text.follow(self.document.answer)
        if not reset_view and any(shift):
            self.playback.shift_camera(shift)

    def status(self) -> str:
        if self.playback.moment:
            return self.playback.moment
        if self.assembly is None:
            return "No machine"
        count = len(self.assembly.tree)
        return " · ".join(filter(None, [f"{count} blocks" if count > 1 else "1 block", self._joins]))

    def describe(self, pick: Pick) -> tuple[str, str]:
        """What the label beside the pointer says about a block."""
        if not pick.id.startswith("block ") or self.assembly is None:
            return pick.id, ""
        block = int(pick.id.split()[1])
        if block >= len(self.assembly.tree):
            return pick.id, ""
        pose = self.assembly.poses[block]
        facing = "" if pose is None else f"looks {pose.facing}"
        return f"Block {block}, {kind_of(self.assembly.tree[block]).name}", facing

    def _show_joins(self, words: str) -> None:
        if words != self._joins:
            self._joins = words
            self.update_status()

    def walk_through(self) -> None:
        """Begins with the starting block alone, and tells step by step how the example car is built."""
        self.stop_playing()
        self._edit_tree("Begin the walk-through", examples()[0].tree[:1])
        self.choose(self.blocks.kind)
        self.walk.begin()
        self.redraw()

    def _load(self, example: Example) -> None:
        """Replaces the machine by an example."""
        self.stop_playing()
        self._edit_tree(f"Load {example.title}", example.tree)
        self.frame_if_outside()

    # Steps -------------------------------------------------------------------------------------------------------

    def _edit_tree(self, label: str, tree: Tree) -> None:
        self.edit(label, MachineAnswer.of(tree, self.document.answer.reasoning))

    @property
    def _selected(self) -> list[int]:
        return self.selection.in_order

    def delete(self) -> None:
        """Removes the selected blocks, and all that hangs on them, as one step."""
        if self.assembly is None or not self._selected:
            self.message.emit("Select a block to delete it.")
        elif self._selected == [ROOT]:
            self.message.emit("The starting block stays.")
        elif self.bench.take(self.bench.without(self._selected)):
            self.view.set_selection(())

    def mirror(self) -> None:
        """Copies the selected blocks, with all that hangs on them, to the other side, as one step."""
        if self.assembly is None or not self._selected:
            self.message.emit("Select a block to mirror it.")
        else:
            self.bench.take(mirrored(self.assembly, self._selected, self.level))

    def array(self) -> None:
        """Copies the selected block, with all that hangs on it, to the other faces along its beam, as one step."""
        block = self._copied_block()
        if self.assembly is None or block is None:
            self.message.emit("Select a block to repeat it along its beam.")
        else:
            self.bench.take(arrayed(self.assembly, block, self.level))

    def _copied_block(self) -> int | None:
        """The block that is copied: the first selected one but the starting block."""
        return next((block for block in self._selected if block != ROOT), None)

    def select_subtree(self) -> None:
        """Adds to the selection what hangs on it."""
        if self.assembly is not None:
            members = {k for block in self._selected for k in self.assembly.subtree(block)}
            self.view.set_selection(f"block {k}" for k in sorted(members))

    # Playing -----------------------------------------------------------------------------------------------------

    def simulate(self) -> None:
        """Runs the machine in the background, then plays what happened."""
        self.playback.simulate()

    def free_play(self) -> None:
        """Lets the person drive the machine by keys."""
        self.playback.drive()

    def play_over(self, answer: MachineAnswer) -> None:
        """Simulates another machine, then plays the present one with the other as a ghost."""
        self.playback.play_over(answer)

    def play(self, scene: Scene) -> None:
        """Shows how the machine moved; nothing can be built meanwhile."""
        self.playback.hold_tool()
        super().play(scene)

    def make_frame(self, scene: Scene, index: int) -> Scene:
        """A moment of the simulation; the camera goes along with what it follows."""
        self.playback.show_frame(scene, index)
        return super().make_frame(scene, index)

    def stop_playing(self) -> None:
        """Goes back to the machine, and to the tool that was used."""
        was_driven = self.playback.stop()
        super().stop_playing()
        if was_driven:
            self.redraw()

    def close_editor(self) -> None:
        """Releases graphics and connections."""
        self.playback.close()
        super().close_editor()
