"""A simulated machine as frames of a scene."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import overload

import numpy as np

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Floats, Frame, Item, Points, Polyline, RigidBodies, Scene, Track
from spatial_workbench.engine.geometry.primitives import sphere_mesh
from spatial_workbench.engine.machines.building.blocks import BOULDER
from spatial_workbench.engine.machines.building.poses import kind_of
from spatial_workbench.engine.machines.building.tree import Link, Tree, ends_of
from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.machines.results.trace import FRAMES_PER_S, SAMPLE_FRAMES, Trace
from spatial_workbench.engine.physics.frames import matrices, swapped, swapped_all, swapped_rotations
from spatial_workbench.engine.physics.live import Moment
from spatial_workbench.engine.tasks.machine.drawing import body_items, body_meshes, draw_machine, line_items
from spatial_workbench.engine.tasks.machine.judging import words_of_break
from spatial_workbench.engine.tasks.machine.moments import Moments
from spatial_workbench.engine.tasks.machine.series import followed

FLASH_S = 0.5
"""How long a connection flashes after it broke."""
_BLINKS_PER_S = 5.0
_GHOST_OPACITY = 0.25
THE_MACHINE = marked("The machine")
THE_BALL = marked("The boulder or ball")


@dataclass(frozen=True, eq=False)
class SimulatedRun:
    """A simulation of the machine as it was then."""

    tree: Tree
    trace: Trace


def played(
    level: Level,
    tree: Tree,
    trace: Trace,
    shows_loads: bool = False,
    earlier: Sequence[SimulatedRun] = (),
    flashes: bool = False,
    has_captions: bool = False,
) -> Scene:
    """A level with a machine that moves as it did, and a mark for everything that broke.

    Args:
        shows_loads: Colours blocks by the largest share of its limit that a connection of theirs bore.
        earlier: Runs to compare with, the latest last: their paths, and the machine of the latest as a ghost.
        flashes: Whether connections flash when they break.
        has_captions: Whether every frame has its figures as its caption.
    """
    marks = [(row.time, words_of_break(tree, row)) for row in trace.breaks]
    scene = draw_machine(level, tree)
    gone = {f"block {row.block}" for row in trace.breaks if isinstance(tree[row.block], Link)}
    items = [item for item in scene.items if item.name not in gone]
    for number, run in enumerate(earlier):
        items += path_items(level, run.trace, f"earlier run {number + 1}", "muted")
    items += path_items(level, trace, "run", "accent")
    frames = RunDrawing(level, tree, trace, shows_loads, earlier[-1:], flashes, has_captions)
    tracks = tracks_of(level, trace)
    return replace(scene, items=tuple(items), frames=frames, frame_unit="s", marks=marks, tracks=tracks)


def tracks_of(level: Level, trace: Trace) -> tuple[Track, ...]:
    """What a camera may follow: what the level is about, then the other of machine and boulder or ball."""
    machine = Track(THE_MACHINE, swapped_all(trace.positions[:, 0]))
    if not trace.balls.shape[1]:
        return (machine,)
    ball = Track(THE_BALL, swapped_all(trace.balls[:, 0, :3]))
    return (machine, ball) if level.task == "movement" else (ball, machine)


def path_items(level: Level, trace: Trace, name: str, color: str) -> list[Item]:
    """The path of what the level is about, from the moment the power goes on, with a dot every 0.2 s."""
    _, places = followed(level, trace)
    way, dots = (swapped_all(places[part]) for part in (slice(trace.samples.start, None), trace.samples))
    way, dots = (points[np.isfinite(points).all(axis=1)] for points in (way, dots))
    if len(way) < 2:
        return []
    times = [f"{name} at {k * SAMPLE_FRAMES / FRAMES_PER_S:.1f} s" for k in range(len(dots))]
    return [
        Polyline(id=f"{name} path", points=way, color=color, width_px=1.5, pickable=False),
        Points(name=f"{name} dots", ids=times, positions=dots, colors=color, size_px=6.0, pickable=False),
    ]


class RunDrawing(Sequence[Frame]):
    """The frames of a trace, each made when it is asked for; time in seconds since the power went on."""

    def __init__(
        self,
        level: Level,
        tree: Tree,
        trace: Trace,
        shows_loads: bool = False,
        ghosts: Sequence[SimulatedRun] = (),
        flashes: bool = False,
        has_captions: bool = False,
    ) -> None:
        self._moments = Moments(level, trace) if has_captions else None
        self._loads = peak_loads(trace) if shows_loads else None
        self._level = level
        self._tree = tree
        self._trace = trace
        self._flashes = flashes
        self._solid = [k for k, entry in enumerate(tree) if not isinstance(entry, Link)]
        self._rotations = swapped_rotations(trace.rotations)
        self._points = _building_points(tree, swapped_all(trace.positions), self._rotations)
        self._ball_meshes = tuple(sphere_mesh(ball.radius) for ball in level.balls)
        self._ghosts = [RunDrawing(level, run.tree, run.trace) for run in ghosts]

    def __len__(self) -> int:
        return len(self._trace.positions)

    @overload
    def __getitem__(self, index: int) -> Frame: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Frame]: ...
    def __getitem__(self, index: int | slice) -> Frame | Sequence[Frame]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(index)
        time = float(self._trace.times[index])
        return Frame(time, tuple(self._items(index, time)), self._moments.words(index) if self._moments else "")

    def _items(self, index: int, time: float) -> Iterator[Item]:
        broken = frozenset(row.block for row in self._trace.breaks if row.time <= time)
        flashing = self._flashing(time)
        points = self._points[index]
        rotations = self._rotations[index]
        places = points[self._solid], rotations[self._solid]
        yield from body_items(self._tree, self._solid, *places, broken, self._loads, flashing)
        yield from line_items(self._tree, _ends(self._tree, points, rotations, broken - flashing), flashing)
        if self._ball_meshes:
            yield self._balls(index)
        for ghost in self._ghosts:
            yield ghost.faint(min(index, len(ghost) - 1))

    def _flashing(self, time: float) -> frozenset[int]:
        """The blocks of connections that broke just now, now and then."""
        if not self._flashes:
            return frozenset()
        ages = ((row, time - row.time) for row in self._trace.breaks)
        lit = [row for row, age in ages if 0 <= age < FLASH_S and int(age * 2 * _BLINKS_PER_S) % 2 == 0]
        return frozenset(block for row in lit for block in (row.block, row.other))

    def faint(self, index: int) -> Item:
        """The blocks of a moment as a ghost."""
        return RigidBodies(
            name="earlier machine",
            ids=[f"earlier {k}" for k in self._solid],
            meshes=body_meshes(tuple(self._tree[k].type for k in self._solid)),
            positions=self._points[index, self._solid],
            rotations=self._rotations[index, self._solid],
            colors="muted",
            opacity=_GHOST_OPACITY,
            edges=False,
            pickable=False,
        )

    def _balls(self, index: int) -> Item:
        own = len(self._trace.ball_names) - len(self._level.balls)
        balls = self._trace.balls[index, own:]
        return RigidBodies(
            name="balls",
            ids=[ball.name for ball in self._level.balls],
            meshes=self._ball_meshes,
            positions=swapped_all(balls[:, :3]),
            rotations=swapped_rotations(balls[:, 3:]),
            colors="rock",
            edges=False,
        )


def peak_loads(trace: Trace) -> dict[int, float]:
    """For every block the largest load of the connections by which it is held, as a share of their limits."""
    peaks: dict[int, float] = {}
    for bond in trace.bonds:
        peaks[bond.block] = max(peaks.get(bond.block, 0.0), bond.peak)
    return peaks


def moment_items(level: Level, tree: Tree, moment: Moment) -> list[Item]:
    """A machine at a moment of a simulation that goes on."""
    solid = [k for k, entry in enumerate(tree) if not isinstance(entry, Link)]
    items = list(body_items(tree, solid, moment.points[solid], moment.rotations[solid], moment.broken))
    items += line_items(tree, _ends(tree, moment.points, moment.rotations, moment.broken))
    if level.balls:
        items.append(
            RigidBodies(
                name="balls",
                ids=[ball.name for ball in level.balls],
                meshes=tuple(sphere_mesh(ball.radius) for ball in level.balls),
                positions=moment.balls[:, :3],
                rotations=moment.balls[:, 3:],
                colors="rock",
                edges=False,
            )
        )
    return items


def _ends(tree: Tree, points: Floats, rotations: Floats, without: frozenset[int]) -> dict[int, tuple[Floats, ...]]:
    """Where linear blocks begin and end, for building points (blocks, 3) and rotations (blocks, 4)."""
    return {
        k: tuple(_anchor(tree, points, rotations, block, face) for block, face in ends_of(entry))
        for k, entry in enumerate(tree)
        if isinstance(entry, Link) and k not in without
    }


def _anchor(tree: Tree, points: Floats, rotations: Floats, block: int, face: int) -> Floats:
    offset = swapped(kind_of(tree[block]).faces[face].position)
    return np.asarray(points[block] + matrices(rotations[[block]])[0] @ offset)


def _building_points(tree: Tree, points: Floats, rotations: Floats) -> Floats:
    """Building points of all blocks; of boulders, of which the trace has the centres."""
    offsets = np.array([swapped(kind_of(entry).center) if entry.type == BOULDER else (0, 0, 0) for entry in tree])
    return np.asarray(points - (matrices(rotations) @ offsets[:, :, None])[..., 0])
