"""The figures of a machine that the panel shows: size, mass, joins, and faults of its text."""

from __future__ import annotations

import numpy as np

from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.tasks.machine import MachineAnswer
from spatial_workbench.engine.tasks.machine.editing import MachineAssembly
from spatial_workbench.widgets.editing.controls import Reading
from spatial_workbench.widgets.editors.machine.workbench import name_of


def size_reading(assembly: MachineAssembly | None, level: Level, judges: bool) -> Reading:
    """The extent in metres; `judges`: whether it says if the machine is within the level's limits."""
    if assembly is None:
        return Reading("–")
    extent = assembly.extent
    limits = level.size_limits
    most = " × ".join(f"{limit:g}" for limit in limits)
    words = f"of {most}"
    is_met = bool((extent <= np.array(limits) + 1e-9).all()) if judges else None
    return Reading(" × ".join(f"{value:.4g}" for value in extent) + " m", words, is_met)


def mass_reading(assembly: MachineAssembly | None, judges: bool) -> Reading:
    """The mass in kg and its centre; `judges`: whether it says if the machine stands by itself."""
    if assembly is None:
        return Reading("–")
    balance = assembly.balance
    x, z = balance.center
    words = f"centre {z:.2f} m ahead and {x:.2f} m to the right of the starting block"
    if judges:
        words += "; it stands by itself" if balance.is_stable else "; it tips over"
    return Reading(f"{assembly.mass:.4g} kg", words, balance.is_stable if judges else None)


def words_of_joins(assembly: MachineAssembly | None) -> str:
    """A line for each pair of blocks that are joined without being parent and child."""
    if assembly is None:
        return ""
    lines = []
    for join in assembly.joins:
        locked = [name_of(assembly.tree, k) for k in assembly.locked_by(join)]
        ending = f"; this locks {', '.join(locked)}" if locked else ""
        first = name_of(assembly.tree, join.block).capitalize()
        lines.append(f"{first}, is joined to {name_of(assembly.tree, join.other)}{ending}")
    return "\n".join(lines)


def words_of_faults(answer: MachineAnswer) -> str:
    """Why the answer's text is no machine; empty if it is one."""
    faults = answer.reading.faults
    return f"The text is no machine: {faults[0].sentence} ({faults[0].code})" if faults else ""
