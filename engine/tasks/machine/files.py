"""Machines in files of other programs: as solids, as lists of blocks, and as the game's own files (docs/files.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spatial_workbench.engine.core import AnswerError, Body, CannotRepresent, FileFormat
from spatial_workbench.engine.core.formats.jsonlayout import layout
from spatial_workbench.engine.core.reading.pipeline import read_answer
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.geometry.primitives import Surface, cylinder_mesh
from spatial_workbench.engine.machines.building.blocks import SPRING, quaternions
from spatial_workbench.engine.machines.building.game_files import GameFileError, read_game_file, write_game_file
from spatial_workbench.engine.machines.building.poses import kind_of, link_ends, poses_of
from spatial_workbench.engine.machines.building.positions import write_positions
from spatial_workbench.engine.machines.building.spatial import placed_poses
from spatial_workbench.engine.machines.building.tree import Fault, Link, Tree, write_tree
from spatial_workbench.engine.machines.levels.level import Level, as_simulated
from spatial_workbench.engine.physics.frames import matrices, swapped, swapped_rotation
from spatial_workbench.engine.tasks.machine.answer import MachineAnswer
from spatial_workbench.engine.tasks.machine.drawing import block_mesh
from spatial_workbench.engine.tasks.machine.robot_files import (
    left_out_of_mjcf,
    left_out_of_urdf,
    write_mjcf,
    write_urdf,
)

BRACE_RADIUS_M, SPRING_RADIUS_M = 0.1, 0.05
_SHORTEST_M = 1e-6


def machine_bodies(answer: MachineAnswer) -> list[Body]:
    """The blocks of a machine as solids where its level begins, m; x right, y forward, z up.

    Linear blocks are round bars between their ends; one without a length is left out.

    Raises:
        CannotRepresent: The list is not a machine.
    """
    tree = _tree_of(answer)
    return [Body(f"block {k} {kind_of(tree[k]).name}", *surface) for k, surface in _surfaces(tree)]


def _surfaces(tree: Tree) -> Iterator[tuple[int, Surface]]:
    poses = poses_of(tree)
    lift = placed_poses(tree, poses)
    for k, (entry, pose) in enumerate(zip(tree, poses, strict=True)):
        if isinstance(entry, Link):
            first, second = (np.array(swapped(np.add(end, lift).tolist())) for end in link_ends(tree, poses, entry))
            if np.linalg.norm(second - first) > _SHORTEST_M:
                yield k, _bar(first, second, SPRING_RADIUS_M if entry.type == SPRING else BRACE_RADIUS_M)
        elif pose is not None:
            vertices, triangles = block_mesh(entry.type)
            turn = matrices(np.array([swapped_rotation(quaternions()[pose.facing])]))[0]
            yield k, (vertices @ turn.T + swapped(np.add(pose.position, lift).tolist()), triangles)


def _bar(first: Floats, second: Floats, radius: float) -> Surface:
    """A round bar between two points."""
    along = second - first
    length = float(np.linalg.norm(along))
    axis = along / length
    side = np.cross((0.0, 0.0, 1.0) if abs(axis[2]) < 0.9 else (1.0, 0.0, 0.0), axis)
    side /= np.linalg.norm(side)
    vertices, triangles = cylinder_mesh(radius, length, 2)
    return vertices @ np.array([side, np.cross(axis, side), axis]) + (first + second) / 2, triangles


def _write_tree(task: Any, instance: Any, answer: MachineAnswer) -> bytes:
    return _text(write_tree(_tree_of(answer)))


def _write_positions(task: Any, instance: Any, answer: MachineAnswer) -> bytes:
    return _text(write_positions(_tree_of(answer)))


def _write_game_file(task: Any, instance: Any, answer: MachineAnswer) -> bytes:
    try:
        return write_game_file(_tree_of(answer))
    except GameFileError as error:
        raise CannotRepresent(str(error)) from None


def _read_game_file(task: Any, instance: Any, data: bytes) -> MachineAnswer:
    try:
        return MachineAnswer.of(read_game_file(data))
    except GameFileError as error:
        raise CannotRepresent(str(error)) from None


def _level_of(instance: Any) -> Level:
    from spatial_workbench.engine.tasks.machine.task import level_of_instance

    return level_of_instance(instance)


def _write_urdf(task: Any, instance: Any, answer: MachineAnswer) -> bytes:
    return write_urdf(as_simulated(_tree_of(answer), _level_of(instance)))


def _write_mjcf(task: Any, instance: Any, answer: MachineAnswer) -> bytes:
    level = _level_of(instance)
    return write_mjcf(level, as_simulated(_tree_of(answer), level))


def _left_out_of_urdf(task: Any, instance: Any, answer: MachineAnswer) -> list[str]:
    return left_out_of_urdf(_tree_of(answer))


def _left_out_of_mjcf(task: Any, instance: Any, answer: MachineAnswer) -> list[str]:
    return left_out_of_mjcf(_level_of(instance), _tree_of(answer))


def _read(task: Any, instance: Any, data: bytes) -> MachineAnswer:
    """A machine in either representation.

    Raises:
        CannotRepresent: It is not one; names the first fault and its place.
    """
    try:
        answer = read_answer(MachineAnswer, data)
    except AnswerError as error:
        raise CannotRepresent(str(error)) from None
    return MachineAnswer.of(_tree_of(answer), answer.reasoning)


def _tree_of(answer: MachineAnswer) -> Tree:
    reading = answer.reading
    if reading.tree is None:
        raise CannotRepresent(f"The list is not a machine: {_words(reading.faults[0])}")
    return reading.tree


def _words(fault: Fault) -> str:
    place = "" if fault.entry is None else f"block {fault.entry}: "
    return f"{place}{fault.sentence} ({fault.code})"


def _text(rows: list[dict[str, Any]]) -> bytes:
    return (layout(rows) + "\n").encode()


FORMATS = {
    "tree.json": FileFormat("Construction tree", _write_tree, _read),
    "positions.json": FileFormat("Global positions", _write_positions, _read),
    "bsg": FileFormat("Machine of the game", _write_game_file, _read_game_file),
    "urdf": FileFormat("Robot, URDF", _write_urdf, None, _left_out_of_urdf),
    "mjcf.xml": FileFormat("Robot in its level, MJCF", _write_mjcf, None, _left_out_of_mjcf),
}
"""A plain .json file holds an answer, and is read as one; those ending in .tree or .positions hold the bare list."""
