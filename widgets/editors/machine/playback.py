"""Simulations of the machine that is built: running them, playing them, and driving the machine by keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QBoxLayout

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.spatial import spatial_faults
from spatial_workbench.engine.machines.building.tree import Tree, write_tree
from spatial_workbench.engine.machines.levels.level import write_level
from spatial_workbench.engine.machines.results.trace import Trace
from spatial_workbench.engine.physics.live import Moment
from spatial_workbench.engine.tasks.machine import MachineAnswer
from spatial_workbench.engine.tasks.machine.drawing import level_items, scene_of
from spatial_workbench.engine.tasks.machine.editing import simulate
from spatial_workbench.engine.tasks.machine.playback import SimulatedRun, moment_items, played, tracks_of
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editors.machine.free_play import FreePlay
from spatial_workbench.widgets.editors.machine.replay import (
    MOST_RUNS,
    MachineReplay,
    followed_at_first,
    in_order,
    place_of,
)
from spatial_workbench.widgets.render3d.camera import Camera
from spatial_workbench.widgets.scene_views.following import CameraFollower
from spatial_workbench.widgets.scene_views.legend import Entry, Key
from spatial_workbench.widgets.scene_views.view import Tool

if TYPE_CHECKING:
    from spatial_workbench.widgets.editors.machine.editor import MachineEditor
    from spatial_workbench.widgets.editors.machine.plots import RunPlots

LOAD_SCALE = tuple(f"scale {share / 4:.3f}" for share in range(5))


class MachinePlayback(QObject):
    """What moves in the view of a machine's editor; nothing can be built meanwhile.

    room: where the plots go when they are first needed.
    """

    def __init__(self, editor: MachineEditor, room: QBoxLayout) -> None:
        super().__init__(editor)
        self._editor = editor
        self._room = room
        self._level = editor.level
        self.runs: list[SimulatedRun] = []
        """The latest simulations, the last one at the end."""
        self.moment = ""
        """What the status bar says of the moment that is shown; empty: nothing is played."""
        self.live_scene: Scene | None = None
        """The drawing while the machine is driven."""
        self.follows = Setting(followed_at_first(self._level), self._follow_anew)
        self.shows_earlier = Setting(True, self._play_again)
        self.shows_loads = Setting(False, self._play_again)
        self.plots: RunPlots | None = None
        self.free = FreePlay(editor.view)
        self.free.moved.connect(self._show_moment)
        self.free.ended.connect(self._end_free_play)
        self._replay: MachineReplay | None = None
        self._follower = CameraFollower(editor.view)
        self._still = Tool()
        self._tool_before = Tool()

    def close(self) -> None:
        """Ends everything that runs."""
        self.free.stop()
        if self.plots is not None:
            appearance().changed.disconnect(self.plots.show_theme)

    # Simulations -------------------------------------------------------------------------------------------------

    def simulate(self) -> None:
        """Runs the machine in the background, then plays what happened."""
        assembly = self._editor.assembly
        if assembly is not None:
            self._simulate_tree("Simulating the machine", assembly.tree, partial(self._arrived, assembly.tree))

    def play_over(self, answer: MachineAnswer) -> None:
        """Simulates another machine, then plays the current one with the other as a ghost."""
        tree = answer.reading.tree
        if tree is None or spatial_faults(tree, self._level.size_limits):
            self._editor.message.emit("That machine breaks a rule of building and cannot be simulated.")
            return

        def arrived(trace: Trace) -> None:
            self._keep_run(SimulatedRun(tree, trace))
            self.shows_earlier.value = True
            self.simulate()

        self._simulate_tree("Simulating the other machine", tree, arrived)

    def go_to(self, time: float) -> None:
        """Shows the first frame in which something has happened; `time` is in seconds."""
        if self._editor.animation.is_playing and self.runs:
            self._editor.timeline.go_to(int(np.searchsorted(self.runs[-1].trace.times, time - 1e-9)))

    def hold_tool(self) -> None:
        """Deactivates the tool, since nothing can be built while something plays."""
        view = self._editor.view
        if view.tool is not self._still:
            self._tool_before = view.tool
            view.set_tool(self._still)

    def show_frame(self, scene: Scene, index: int) -> None:
        """Follows a moment of the simulation with words, plots and camera."""
        if self._replay is not None:
            self.moment = self._replay.words(index)
            if self.plots is not None:
                self.plots.show_time(scene.frames[index].time)
            self._follower.follow(self._replay.followed(self.follows.value, index))
            self._editor.update_status()

    def stop(self) -> None:
        """Stops what plays, and activates the tool again."""
        was_free = self.free.is_on
        self.moment = ""
        self.live_scene = None
        self._follower.come_back()
        self.free.stop()
        if self.plots is not None:
            self.plots.hide()
        if self._editor.view.tool is self._still:
            self._editor.view.set_tool(self._tool_before)
        if was_free:
            self._editor.redraw()

    def legend(self) -> list[Entry]:
        """The meaning of the colours while a simulation plays."""
        if self._editor.view.tool is not self._still or self.free.is_on:
            return []
        entries = [Entry("Way of this run, a dot every 0.2 s", ("accent",), Key.LINE)]
        if len(self.runs) > 1 and self.shows_earlier.value:
            entries.append(Entry("Earlier runs", ("muted",), Key.LINE))
        if self.shows_loads.value:
            entries.append(Entry("Peak load, from 0 to 1 of what breaks it", LOAD_SCALE))
            entries.append(Entry("Broken: more than 1", ("failed",)))
        return entries

    def shift_camera(self, shift: Sequence[float] | Floats) -> None:
        """Moves the camera's target, in metres."""
        camera = self._editor.view.view_state()
        if isinstance(camera, Camera):
            self._editor.view.set_view_state(replace(camera, target=tuple(np.add(camera.target, shift).tolist())))

    # Driving -----------------------------------------------------------------------------------------------------

    def drive(self) -> None:
        """Lets the person drive the machine by keys."""
        assembly = self._editor.assembly
        if assembly is None:
            return
        self._editor.animation.stop()
        self._show_all()
        self.hold_tool()
        self.live_scene = self._editor.make_scene()
        self.free.start(assembly.tree, self._level)

    def _show_moment(self, moment: Moment) -> None:
        assembly = self._editor.assembly
        if assembly is None:
            return
        scene = scene_of(level_items(self._level), assembly.tree)
        items = {item.name: item for item in (*scene.items, *moment_items(self._level, assembly.tree, moment))}
        self.live_scene = replace(scene, items=tuple(items.values()))
        self._editor.view.set_scene(self.live_scene)
        self.moment = f"Free play, not scored · {moment.time:.1f} s"
        if moment.broken:
            self.moment += f" · {len(moment.broken)} broken"
        self._follower.follow(place_of(moment, assembly.tree, self.follows.value))
        self._editor.update_status()

    def _end_free_play(self, why: str) -> None:
        self._editor.animation.stop()
        if why:
            self._editor.message.emit(f"Free play ended: {why}.")

    # Internal ----------------------------------------------------------------------------------------------------

    def _simulate_tree(self, label: str, tree: Tree, done: Callable[[Trace], None]) -> None:
        self._editor.runner.run(
            label,
            simulate,
            write_level(self._level),
            write_tree(tree),
            done=done,
            failed=lambda why: self._editor.message.emit(f"The machine could not be simulated: {why}"),
        )

    def _arrived(self, tree: Tree, trace: Trace) -> None:
        assembly = self._editor.assembly
        if assembly is None or assembly.tree != tree:
            self._editor.message.emit("The machine was changed while it was simulated. Simulate it again.")
            return
        if trace.fault:
            self._editor.message.emit(f"The simulation ended early: {trace.fault}.")
        self._replay = MachineReplay(self._level, trace)
        self._follower.come_back()
        self._keep_run(SimulatedRun(tree, trace))
        if self._editor.allows(Aid.MEASURING):
            self._show_plots()
        self._show_all()
        self._editor.animation.play(self._scene_of(self.runs[-1]))

    def _keep_run(self, run: SimulatedRun) -> None:
        self.runs = [*self.runs[1 - MOST_RUNS :], run]

    def _scene_of(self, run: SimulatedRun) -> Scene:
        earlier = self.runs[:-1] if self.shows_earlier.value else ()
        flashes = not appearance().reduce_motion
        scene = played(self._level, run.tree, run.trace, self.shows_loads.value, earlier, flashes, has_captions=True)
        return replace(scene, tracks=in_order(scene.tracks, self.follows.value))

    def _follow_anew(self) -> None:
        """Follows something else from here on."""
        self._follower.begin_anew()
        scene = self._editor.animation.scene
        if scene is not None and self.runs:
            tracks = tracks_of(self._level, self.runs[-1].trace)
            self._editor.animation.scene = replace(scene, tracks=in_order(tracks, self.follows.value))

    def _show_all(self) -> None:
        """Looks at the whole machine, unless it is in sight: what the camera follows has to be seen at first."""
        if not self._editor.view.shows_everything():
            self._editor.view.frame(animate=False)

    def _play_again(self) -> None:
        """Colours the playing simulation again."""
        if self._editor.animation.is_playing and self.runs:
            place = self._editor.timeline.index
            self._editor.animation.play(self._scene_of(self.runs[-1]))
            self._editor.timeline.go_to(place)

    def _show_plots(self) -> None:
        """Shows the curves of the latest runs below the view; the plots are made when they are first needed."""
        if self.plots is None:
            from spatial_workbench.widgets.editors.machine.plots import RunPlots

            self.plots = RunPlots(self._level)
            appearance().changed.connect(self.plots.show_theme)
            self.plots.moment_chosen.connect(self.go_to)
            self._room.addWidget(self.plots)
        self.plots.show_runs(self.runs)
        self.plots.show()
