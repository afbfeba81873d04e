"""The editor of machines: a palette of blocks, faces to build on, and the simulation to play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.blocks import ROOT, BlockType, Vector, block_types
from spatial_workbench.engine.machines.examples import Example, examples
from spatial_workbench.engine.machines.level import write_level
from spatial_workbench.engine.machines.poses import kind_of
from spatial_workbench.engine.machines.spatial import spatial_faults
from spatial_workbench.engine.machines.trace import Trace
from spatial_workbench.engine.machines.tree import Tree, write_tree
from spatial_workbench.engine.physics.frames import swapped
from spatial_workbench.engine.physics.live import Moment
from spatial_workbench.engine.tasks.machine import MachineAnswer
from spatial_workbench.engine.tasks.machine.building import arrayed, pasted
from spatial_workbench.engine.tasks.machine.drawing import draw_machine, level_items, scene_of
from spatial_workbench.engine.tasks.machine.editing import Assembly, simulate
from spatial_workbench.engine.tasks.machine.guides import balance_items
from spatial_workbench.engine.tasks.machine.mirroring import mirrored
from spatial_workbench.engine.tasks.machine.playback import Run, moment_items, played
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
    Reading,
    Section,
    Setting,
    Switch,
    ToolButton,
    Tools,
    Verb,
    attribute,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.things import Things, ThingsEditing
from spatial_workbench.widgets.editors.machine.block_icons import ICON_PX, block_icon
from spatial_workbench.widgets.editors.machine.free_play import FreePlay
from spatial_workbench.widgets.editors.machine.gestures import BuildTool, CopyTool, SelectTool
from spatial_workbench.widgets.editors.machine.replay import FOLLOWED, MOST_RUNS, Replay
from spatial_workbench.widgets.editors.machine.text_view import WIDTH_PX, MachineText
from spatial_workbench.widgets.editors.machine.walk_through import WalkThrough
from spatial_workbench.widgets.editors.machine.workbench import Workbench, name_of
from spatial_workbench.widgets.layouts import column, split
from spatial_workbench.widgets.legend import AXES_WIDTH, Entry, Key, Legend
from spatial_workbench.widgets.render3d.camera import Camera
from spatial_workbench.widgets.view import Pick, SceneView, Tool

if TYPE_CHECKING:
    from spatial_workbench.widgets.editors.machine.plots import RunPlots

HINT = "Choose a block at the left and click a face to put it there."
HINT_OF_RUN = f"{HINT} F5 simulates the machine."
_WALK_TIP = "Begin anew, and be told block by block how a car is built"
_FIRST = 1
"""The type that is chosen at first, a wooden block."""
LOAD_SCALE = tuple(f"scale {share / 4:.3f}" for share in range(5))
_COLUMNS = 5
"""Blocks in a row of the palette."""


class MachineEditor(Editor[MachineAnswer]):
    """Builds on faces by the commands that models use; every step of the history is such a command."""

    def prepare(self) -> None:
        self.level = level_of_instance(self.instance)
        self.bench = Workbench(self.level, self._take, self.message.emit, self.allows(Aid.JUDGING))
        self.kind = _FIRST
        self._joins = ""
        self._runs: list[Run] = []
        self._plots: RunPlots | None = None
        self._replay: Replay | None = None
        self._follows = Setting(0)
        self._followed_at: Floats | None = None
        self._moment = ""
        self._live_scene: Scene | None = None
        self._shows_earlier = Setting(True, self._play_again)
        self._shows_balance = Setting(True, self.redraw)
        self._shows_loads = Setting(False, self._play_again)
        self._build = BuildTool(self.bench, self._view, lambda: self.kind, self._show_joins)
        self._select = SelectTool(self.bench, self._view)
        self._copy = CopyTool(self.bench, self._view, self._copied_block)
        self._recent = [1, 15, 63, 2, 7, 22, 9, 30, 36]
        self._still, self._tool_before = Tool(), Tool()
        self._read()

    def _view(self) -> SceneView:
        """The view, which the tools are made before."""
        return self.view

    def begin(self) -> None:
        self._free_digit_keys()
        self.view.set_tool(self._build)
        self.view.set_describe(self.describe)
        self.view.add_overlay(Legend(self._legend, right=AXES_WIDTH))
        self.view.selection_changed.connect(self._follow_selection)
        if self.assembly is not None and len(self.assembly.tree) == 1:
            self.view.show_hint(HINT_OF_RUN if self.allows(Aid.JUDGING) else HINT)

    def _free_digit_keys(self) -> None:
        """Moves the standard views to Alt and the digit, since digits choose blocks here."""
        for action in self.view.view_actions.values():
            key = action.shortcut().toString()
            if key.isdecimal():
                action.setShortcut(f"Alt+{key}")

    @property
    def assembly(self) -> Assembly | None:
        """The machine; None while the answer is none."""
        return self.bench.assembly

    def _read(self) -> Vector:
        """Reads the answer; by how much the machine is set down elsewhere than before, in the drawing."""
        tree = self.document.answer.reading.tree
        before = self.bench.assembly
        after = None if tree is None else Assembly(tree)
        self.bench.assembly = after
        return swapped((after.lift - before.lift).tolist()) if before is not None and after is not None else (0, 0, 0)

    def central_widget(self) -> QWidget:
        """The view, and below it the plots while a simulation plays."""
        whole = QWidget()
        self.text = MachineText(self.level.size_limits, self.runner, self.allows(Aid.JUDGING), self._type)
        self.text.block_chosen.connect(self._select_block)
        self.text.left.connect(self.view.setFocus)
        self.text.hide()
        self._halves = split(self.view, self.text, shares=(1, 0))
        self._free = FreePlay(self.view)
        self._free.moved.connect(self._show_moment)
        self._free.ended.connect(self._end_free_play)
        self.walk = WalkThrough()
        self.walk.ended.connect(self.redraw)
        self._beside = column(whole, self.walk, self._halves, self._free)
        self._beside.setStretchFactor(self._halves, 1)
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
        tint = Switch("Show loads", self._shows_loads.get, self._shows_loads.put, loads, Aid.JUDGING)
        follow = Choice("Camera follows", FOLLOWED, *attribute(self._follows, "value"), aid=Aid.VIEWING)
        tip = "Show the list of blocks beside the view; what is typed there is built at once"

        def is_shown() -> bool:
            return not self.text.isHidden()

        yield Section("Text", Buttons(Action("Text", self.toggle_text, "T", "list", tip, checked=is_shown)))
        ghosts = "Draw the ways of earlier runs, and the machine of the last one, while a simulation plays"
        earlier = Switch("Show earlier runs", self._shows_earlier.get, self._shows_earlier.put, ghosts, Aid.VIEWING)
        yield Section("Simulation", Buttons(*self._simulation(), columns=2), tint, earlier, follow)
        yield from self._palette()
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
        yield Section(
            "Machine",
            Gauge("Size", self._size, aid=Aid.MEASURING),
            Gauge("Mass", self._mass, aid=Aid.MEASURING, wraps=True),
            Switch(
                "Show balance",
                self._shows_balance.get,
                self._shows_balance.put,
                tip="Draw what the machine stands on, and where its weight acts",
                aid=Aid.MEASURING,
            ),
            Note("Joins", self._words_of_joins, aid=Aid.MEASURING, shown=lambda: bool(self._words_of_joins())),
            Note("Faults", self._words_of_faults, aid=Aid.JUDGING, shown=lambda: bool(self._words_of_faults())),
        )
        gone = "Remove the selected blocks and all that hangs on them"
        yield Keys(
            Action("Delete", self.delete, "Delete", "delete", gone, verb=Verb.DELETE),
            Action("Select what hangs on it", self.select_subtree, "Shift+V", aid=Aid.VIEWING),
        )

        yield ThingsEditing(self, self._things()).controls([Verb.DELETE])
        for place in range(len(self._recent)):
            choose = partial(self._choose_recent, place)
            yield Keys(Action(f"Recent block {place + 1}", choose, str(place + 1), tip="Build with a recent block"))

    def _things(self) -> Things:
        return Things(
            name="blocks",
            count=lambda: 0 if self.assembly is None else len(self.assembly.tree),
            selected=lambda: self._selected,
            select=lambda blocks: self.view.set_selection([f"block {block}" for block in blocks]),
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
        built = pasted(self.assembly, Assembly(source), blocks, selected or range(count), self.level)
        if self.bench.take(built):
            self.view.set_selection([f"block {block}" for block in built.new])

    def _choose_recent(self, place: int) -> None:
        self.choose(self._recent[place])

    def _simulation(self) -> tuple[Action, Action]:
        simulating = "Run the machine in the level and play what happens"
        driving = "Drive the machine by keys; this is not scored"
        return (
            Action("Simulate", self.simulate, "F5", "play", simulating, Aid.JUDGING, enabled=self._has_machine),
            Action("Free play", self.free_play, "Shift+F5", "rotate", driving, Aid.JUDGING, enabled=self._has_machine),
        )

    def _has_machine(self) -> bool:
        return self.assembly is not None

    def _palette(self) -> Iterator[Section]:
        groups: dict[str, list[BlockType]] = {}
        for number, kind in block_types().items():
            if number != ROOT:
                groups.setdefault(kind.palette, []).append(kind)
        for group, kinds in groups.items():
            buttons = map(self._block_button, kinds)
            yield Section(group, Buttons(*buttons, columns=_COLUMNS, has_words=False, icon_px=ICON_PX))

    def _block_button(self, kind: BlockType) -> Action:
        is_foreign = bool(self.level.types) and kind.number not in self.level.types
        return Action(
            kind.name,
            partial(self.choose, kind.number),
            tip=f"{kind.name}\n" + _tip_of(kind) + ("\nNot meant for this level" if is_foreign else ""),
            checked=lambda: self.view.tool is self._build and self.kind == kind.number,
            picture=partial(block_icon, kind.number),
        )

    def _use(self, tool: Tool) -> None:
        self.stop_playing()
        self.view.set_tool(tool)
        self.refresh()

    def choose(self, number: int) -> None:
        """Builds with a type from now on."""
        self.stop_playing()
        self.kind = number
        if number not in self._recent:
            self._recent = [number, *self._recent[:-1]]
        self.view.set_tool(self._build)
        self.refresh()

    def _size(self) -> Reading:
        if self.assembly is None:
            return Reading("–")
        extent, limits = self.assembly.extent, self.level.size_limits
        words = "of " + " × ".join(f"{limit:g}" for limit in limits)
        is_met = bool((extent <= np.array(limits) + 1e-9).all()) if self.allows(Aid.JUDGING) else None
        return Reading(" × ".join(f"{value:.4g}" for value in extent) + " m", words, is_met)

    def _mass(self) -> Reading:
        if self.assembly is None:
            return Reading("–")
        balance = self.assembly.balance
        x, z = balance.center
        words = f"centre {z:.2f} m ahead and {x:.2f} m to the right of the starting block"
        if self.allows(Aid.JUDGING):
            words += "; it stands by itself" if balance.is_stable else "; it tips over"
        return Reading(f"{self.assembly.mass:.4g} kg", words, balance.is_stable if self.allows(Aid.JUDGING) else None)

    def _words_of_joins(self) -> str:
        if self.assembly is None:
            return ""
        tree = self.assembly.tree
        lines = []
        for join in self.assembly.joins:
            locked = [name_of(tree, k) for k in self.assembly.locked_by(join)]
            ending = f"; this locks {', '.join(locked)}" if locked else ""
            first, second = name_of(tree, join.block), name_of(tree, join.other)
            lines.append(f"B{first[1:]}, is joined to {second}{ending}")
        return "\n".join(lines)

    def _words_of_faults(self) -> str:
        faults = self.document.answer.reading.faults
        return f"The text is no machine: {faults[0].sentence} ({faults[0].code})" if faults else ""

    # What is shown -----------------------------------------------------------------------------------------------

    def make_scene(self) -> Scene:
        if self._live_scene is not None:
            return self._live_scene
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
            self._shift_camera(shift)

    def status(self) -> str:
        if self._moment:
            return self._moment
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
        self._take("Begin the walk-through", examples()[0].tree[:1])
        self.choose(self.kind)
        self.walk.begin()
        self.redraw()

    def _load(self, example: Example) -> None:
        """Replaces the machine by an example."""
        self.stop_playing()
        self._take(f"Load {example.title}", example.tree)
        self.frame_if_outside()

    # Steps -------------------------------------------------------------------------------------------------------

    def _take(self, label: str, tree: Tree) -> None:
        self.edit(label, MachineAnswer.of(tree, self.document.answer.reasoning))

    @property
    def _selected(self) -> list[int]:
        return [int(name.split()[1]) for name in self.view.selection if name.startswith("block ")]

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

    def play(self, scene: Scene) -> None:
        """Shows how the machine moved; nothing can be built meanwhile."""
        if self.view.tool is not self._still:
            self._tool_before = self.view.tool
            self.view.set_tool(self._still)
        super().play(scene)

    def make_frame(self, scene: Scene, index: int) -> Scene:
        """A moment of the simulation; the camera goes along with what it follows."""
        if self._replay is not None:
            self._moment = self._replay.words(index)
            if self._plots is not None:
                self._plots.show_time(scene.frames[index].time)
            self._follow(self._replay.followed(self._follows.value, index))
            self.update_status()
        return super().make_frame(scene, index)

    def _follow(self, place: Floats | None) -> None:
        if place is not None and self._followed_at is not None:
            self._shift_camera(place - self._followed_at)
        self._followed_at = place

    def _shift_camera(self, shift: Sequence[float] | Floats) -> None:
        camera = self.view.view_state()
        if isinstance(camera, Camera):
            self.view.set_view_state(replace(camera, target=tuple(np.add(camera.target, shift).tolist())))

    def stop_playing(self) -> None:
        """Goes back to the machine, and to the tool that was used."""
        self._moment = ""
        was_free = self._free.is_on
        self._live_scene = None
        self._followed_at = None
        self._free.stop()
        if self._plots is not None:
            self._plots.hide()
        if self.view.tool is self._still:
            self.view.set_tool(self._tool_before)
        super().stop_playing()
        if was_free:
            self.redraw()

    def simulate(self) -> None:
        """Runs the machine in the background, then plays what happened."""
        if self.assembly is None:
            return
        tree = self.assembly.tree
        self.runner.run(
            "Simulating the machine",
            simulate,
            write_level(self.level),
            write_tree(tree),
            done=partial(self._play, tree),
            failed=lambda why: self.message.emit(f"The machine could not be simulated: {why}"),
        )

    def play_over(self, answer: MachineAnswer) -> None:
        """Simulates another machine, then plays the present one with the other as a ghost."""
        tree = answer.reading.tree
        if tree is None or spatial_faults(tree, self.level.size_limits):
            self.message.emit("That machine breaks a rule of building and cannot be simulated.")
            return

        def arrived(trace: Trace) -> None:
            self._runs = [*self._runs[1 - MOST_RUNS :], Run(tree, trace)]
            self._shows_earlier.value = True
            self.simulate()

        self.runner.run(
            "Simulating the other machine",
            simulate,
            write_level(self.level),
            write_tree(tree),
            done=arrived,
            failed=lambda why: self.message.emit(f"The machine could not be simulated: {why}"),
        )

    def _play(self, tree: Tree, trace: Trace) -> None:
        if self.assembly is None or self.assembly.tree != tree:
            self.message.emit("The machine was changed while it was simulated. Simulate it again.")
            return
        if trace.fault:
            self.message.emit(f"The simulation ended early: {trace.fault}.")
        self._replay = Replay(self.level, trace)
        self._followed_at = None
        self._runs = [*self._runs[1 - MOST_RUNS :], Run(tree, trace)]
        if self.allows(Aid.MEASURING):
            self._show_plots()
        self.play(self._played(self._runs[-1]))

    def _played(self, run: Run) -> Scene:
        earlier = self._runs[:-1] if self._shows_earlier.value else ()
        flashes = not appearance().reduce_motion
        return played(self.level, run.tree, run.trace, self._shows_loads.value, earlier, flashes)

    def _legend(self) -> list[Entry]:
        """What colours mean while a simulation plays."""
        if self.view.tool is not self._still or self._free.is_on:
            return []
        entries = [Entry("Way of this run, a dot every 0.2 s", ("accent",), Key.LINE)]
        if len(self._runs) > 1 and self._shows_earlier.value:
            entries.append(Entry("Earlier runs", ("muted",), Key.LINE))
        if self._shows_loads.value:
            entries.append(Entry("Peak load, from 0 to 1 of what breaks it", LOAD_SCALE))
            entries.append(Entry("Broken: more than 1", ("failed",)))
        return entries

    def _play_again(self) -> None:
        """Colours what is playing anew."""
        if self._animation is not None and self._runs:
            place = self.timeline.index
            run = self._runs[-1]
            self.play(self._played(run))
            self.timeline.go_to(place)

    def _show_plots(self) -> None:
        """Shows the curves of the latest runs below the view; the plots are made when they are first needed."""
        if self._plots is None:
            from spatial_workbench.widgets.editors.machine.plots import RunPlots

            self._plots = RunPlots(self.level)
            appearance().changed.connect(self._plots.show_theme)
            self._plots.moment_chosen.connect(self._go_to_moment)
            self._beside.addWidget(self._plots)
        self._plots.show_runs(self._runs)
        self._plots.show()

    def _go_to_moment(self, time: float) -> None:
        """Shows the first frame in which something has happened."""
        if self._animation is not None and self._runs:
            self.timeline.go_to(int(np.searchsorted(self._runs[-1].trace.times, time - 1e-9)))

    # Free play ---------------------------------------------------------------------------------------------------

    def free_play(self) -> None:
        """Lets the person drive the machine by keys."""
        if self.assembly is None:
            return
        self.stop_playing()
        self._tool_before = self.view.tool
        self.view.set_tool(self._still)
        self._live_scene = self.make_scene()
        self._free.start(self.assembly.tree, self.level)

    def _show_moment(self, moment: Moment) -> None:
        if self.assembly is None:
            return
        scene = scene_of(level_items(self.level), self.assembly.tree)
        items = {item.name: item for item in (*scene.items, *moment_items(self.level, self.assembly.tree, moment))}
        self._live_scene = replace(scene, items=tuple(items.values()))
        self.view.set_scene(self._live_scene)
        self._moment = f"Free play, not scored · {moment.time:.1f} s"
        if moment.broken:
            self._moment += f" · {len(moment.broken)} broken"
        self._follow(self._place_of(moment))
        self.update_status()

    def _place_of(self, moment: Moment) -> Floats | None:
        """Where what the camera follows is."""
        choice = FOLLOWED[self._follows.value]
        if choice == FOLLOWED[1]:
            return np.asarray(moment.points[0])
        return np.asarray(moment.balls[0, :3]) if choice == FOLLOWED[2] and len(moment.balls) else None

    def _end_free_play(self, why: str) -> None:
        self.stop_playing()
        if why:
            self.message.emit(f"Free play ended: {why}.")

    def close_editor(self) -> None:
        """Releases graphics and connections."""
        self._free.stop()
        if self._plots is not None:
            appearance().changed.disconnect(self._plots.show_theme)
        super().close_editor()


def _tip_of(kind: BlockType) -> str:
    lines = [kind.description]
    if not kind.is_linear:
        size = " × ".join(f"{value:g}" for value in kind.size)
        faces = f"{len(kind.faces)} faces" if len(kind.faces) != 1 else "1 face"
        lines.append(f"{size} m, {kind.mass:g} kg, {faces if kind.faces else 'no faces'}")
    if kind.break_force is not None:
        lines.append(f"Breaks above {kind.break_force:g} N or {kind.break_torque:g} N m")
    return "\n".join(lines)
