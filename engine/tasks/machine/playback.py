"""A simulated machine as frames of a scene."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import overload

import numpy as np

from engine.core.scene import Floats, Frame, Item, RigidBodies, Scene
from engine.geometry.primitives import sphere_mesh
from engine.machines.blocks import BOULDER
from engine.machines.level import Level
from engine.machines.poses import kind_of
from engine.machines.trace import Trace
from engine.machines.tree import Link, Tree, ends_of
from engine.physics.frames import matrices, swapped, swapped_all, swapped_rotations
from engine.tasks.machine.drawing import body_items, draw_machine, line_items
from engine.tasks.machine.judging import words_of_break
from engine.tasks.machine.moments import Moments


def played(level: Level, tree: Tree, trace: Trace, shows_loads: bool = False, tells: bool = False) -> Scene:
    """A level with a machine that moves as it did, and a mark for everything that broke.

    `shows_loads` colours blocks by the largest share of its limit that a connection of theirs bore; with `tells` every
    frame has its figures as its caption.
    """
    marks = [(row.time, words_of_break(tree, row)) for row in trace.breaks]
    frames = Playback(level, tree, trace, shows_loads, tells)
    return replace(draw_machine(level, tree), frames=frames, frame_unit="s", marks=marks)


class Playback(Sequence[Frame]):
    """The frames of a trace, each made when it is asked for; time in seconds since the power went on."""

    def __init__(self, level: Level, tree: Tree, trace: Trace, shows_loads: bool = False, tells: bool = False) -> None:
        self._moments = Moments(level, trace) if tells else None
        self._loads = peak_loads(trace) if shows_loads else None
        self._level = level
        self._tree = tree
        self._trace = trace
        self._solid = [k for k, entry in enumerate(tree) if not isinstance(entry, Link)]
        self._rotations = swapped_rotations(trace.rotations)
        self._points = _building_points(tree, swapped_all(trace.positions), self._rotations)
        self._ball_meshes = tuple(sphere_mesh(ball.radius) for ball in level.balls)

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
        points, rotations = self._points[index], self._rotations[index]
        places = points[self._solid], rotations[self._solid]
        yield from body_items(self._tree, self._solid, *places, broken, self._loads)
        ends = {
            k: tuple(self._anchor(index, block, face) for block, face in ends_of(entry))
            for k, entry in enumerate(self._tree)
            if isinstance(entry, Link) and k not in broken
        }
        yield from line_items(self._tree, ends)
        if self._ball_meshes:
            yield self._balls(index)

    def _anchor(self, index: int, block: int, face: int) -> Floats:
        offset = swapped(kind_of(self._tree[block]).faces[face].position)
        turned = matrices(self._rotations[index, [block]])[0] @ offset
        return np.asarray(self._points[index, block] + turned)

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


def _building_points(tree: Tree, points: Floats, rotations: Floats) -> Floats:
    """Building points of all blocks; of boulders, of which the trace has the centres."""
    offsets = np.array([swapped(kind_of(entry).center) if entry.type == BOULDER else (0, 0, 0) for entry in tree])
    return np.asarray(points - (matrices(rotations) @ offsets[:, :, None])[..., 0])
