"""The readings of the editor's gauges."""

from __future__ import annotations

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.voxel_projection.editing import VoxelFindings
from spatial_workbench.engine.tasks.voxel_projection.grid import AXES, VoxelGrid
from spatial_workbench.engine.tasks.voxel_projection.prompt import rule_words
from spatial_workbench.widgets.editing.controls import Reading
from spatial_workbench.widgets.panels.meter import gap


def count_reading(grid: VoxelGrid, findings: VoxelFindings, is_judged: bool) -> Reading:
    """How many voxels are filled and, if that may be judged, whether this is right."""
    figure = f"{findings.count} / {counted(grid.count, 'voxel')}"
    return (
        Reading(figure, gap(findings.count, grid.count), findings.count == grid.count) if is_judged else Reading(figure)
    )


def holes_reading(findings: VoxelFindings) -> Reading:
    """How many rays meet no voxel, along each axis."""
    total = sum(findings.holes)
    words = " · ".join(f"{findings.holes[axis]} along {AXES[axis]}" for axis in (2, 1, 0))
    return Reading(counted(total, "hole"), words, total == 0)


def rule_reading(grid: VoxelGrid, findings: VoxelFindings) -> Reading:
    """Whether the rule about cells is kept."""
    is_kept = not (findings.forbidden or findings.required)
    wrong = f"{findings.required} required cells are empty" if findings.required else f"{findings.forbidden} forbidden"
    return Reading("Rule kept" if is_kept else wrong, rule_words(grid.rule), is_kept)


def symmetry_reading(findings: VoxelFindings) -> Reading:
    """How many symmetries remain."""
    if not findings.count:
        return Reading("Symmetry", "nothing is filled yet")
    left = len(findings.symmetries)
    title = f"{counted(left, 'symmetry', 'symmetries')} left" if left else "No symmetry"
    return Reading(title, "of 47 rotations and reflections", left == 0)
