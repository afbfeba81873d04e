"""Machines: build one from 27 types of block that does something in a level (BesiegeField).

Answer    blocks: the construction tree of docs/machines.md, or global positions
Checks    the list is a construction tree; faces, overlap and size; the simulation runs; the machine does its work
Score     R of the machine over R of the level's reference machine, at most 1; with targets 1 if all are hit

The four tasks differ in what the machine is for: to drive, to throw a boulder, to bring a ball to a goal, or to lift a
stone out of a well. The rules of scoring: docs/tasks/machine.md; of building, levels and physics: docs/machines.md.

    agents          lets a model design machines by the workflows of docs/machines.md
    answer          a list of blocks, as a construction tree or as global positions
    building        larger steps of building: copies, arrays, and moves to blocks that come later in the list
    commands        what can be done to a machine, and asked about it, by editors, agents and other programs
    crosscheck      validity in whole millimetres by integer matrices, and the simulation with half the step
    drawing         draws levels and machines: each block exactly as it collides, in metres, x right, y forward, z up
    editing         what the editor asks about a machine: edit commands, and the figures of its panel
    files           machines in files of other programs: solids, lists of blocks, files of the game, robots
    guides          lines that show how a block will act before it is placed, and where a machine's weight acts
    judging         what the judge of machines found, as the rows, figures and warnings of a verdict
    level_drawing   draws a level while it is made, with the place where machines stand
    mirroring       building on both sides: faces, blocks and commands in the mirror x = 0
    moments         the figures of a simulated machine at each moment, in words
    open_levels     levels of people's own as instances
    playback        a simulated machine as frames of a scene
    prompt          what a solver is told
    robot_files     machines as robots for other simulators: URDF, and MJCF with the level
    series          the curves of a simulation: heights, distances, speeds, springs and motors over time
    task            what the four machine tasks have in common: everything but the levels
    walk_through    building a machine step by step: which block comes next, and where
"""

from spatial_workbench.engine.core import Headline
from spatial_workbench.engine.machines.levels.random_levels import (
    DeliveryDifficulty,
    MovementDifficulty,
    PickDifficulty,
    ThrowDifficulty,
)
from spatial_workbench.engine.machines.results.scoring import HEIGHT_GAINED, REWARD
from spatial_workbench.engine.tasks.machine import task
from spatial_workbench.engine.tasks.machine.answer import MachineAnswer

__all__ = [
    "MachineAnswer",
    "MachineDelivery",
    "MachineMovement",
    "MachinePick",
    "MachineThrow",
]


class MachineMovement(task.MachineDesign):
    """Build a car."""

    id = "machine_movement"
    title = "Machines: drive"
    summary = "Build a machine that drives as far forward as it can in a few seconds."
    difficulty = MovementDifficulty
    kind = "movement"
    base = "M1"


class MachineThrow(task.MachineDesign):
    """Build a catapult."""

    id = "machine_throw"
    title = "Machines: throw"
    summary = "Build a machine that throws a boulder high and far, over walls or through rings."
    difficulty = ThrowDifficulty
    kind = "throw"
    base = "T2"


class MachineDelivery(task.MachineDesign):
    """Build a pusher."""

    id = "machine_delivery"
    title = "Machines: deliver"
    summary = "Build a machine that brings a ball forward, past what stands in the way."
    difficulty = DeliveryDifficulty
    kind = "delivery"
    base = "D1"


class MachinePick(task.MachineDesign):
    """Build a crane."""

    id = "machine_pick"
    title = "Machines: pick"
    summary = "Build a machine that lifts a stone out of a well."
    difficulty = PickDifficulty
    headline = Headline("Height gained", "m", (HEIGHT_GAINED,), counts_with=REWARD)
    kind = "pick"
    base = "P1"
