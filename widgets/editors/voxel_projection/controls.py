"""The readings of the editor's gauges."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.voxel_projection.editing import VoxelFindings
from spatial_workbench.engine.tasks.voxel_projection.grid import AXES, VoxelGrid
from spatial_workbench.engine.tasks.voxel_projection.prompt import rule_words
from spatial_workbench.widgets.editing.controls import (
    Action,
    Buttons,
    CustomPart,
    Gauge,
    Number,
    Reading,
    Row,
    Section,
    Verb,
)
from spatial_workbench.widgets.editors.voxel_projection.commands import GridCommands, LayerCommands
from spatial_workbench.widgets.editors.voxel_projection.symmetries import SymmetryDisplay
from spatial_workbench.widgets.editors.voxel_projection.workpiece import FilledGrid
from spatial_workbench.widgets.panels.meter import gap


def count_reading(grid: VoxelGrid, findings: VoxelFindings, is_judged: bool) -> Reading:
    """How many voxels are filled and, if that may be judged, whether this is right."""
    figure = f"{findings.count} / {grid.count:,} voxels"
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


LARGEST_SEED = 1 << 30


def rule_rows(voxels: FilledGrid, symmetries: SymmetryDisplay, judged: bool) -> Iterable[Row]:
    """What the rules say about the grid."""

    def listed() -> bool:
        return bool(voxels.findings.symmetries)

    yield Gauge("Voxels", lambda: count_reading(voxels.grid, voxels.findings, judged), aid=Aid.MEASURING)
    yield Gauge("Holes", lambda: holes_reading(voxels.findings))
    if rule_words(voxels.grid.rule):
        yield Gauge("Rule", lambda: rule_reading(voxels.grid, voxels.findings), wraps=True)
    yield Gauge("Symmetry", lambda: symmetry_reading(voxels.findings))
    yield CustomPart(
        "Symmetries that remain",
        lambda: symmetries.list,
        aid=Aid.JUDGING,
        shown=listed,
        refresh=lambda shown: shown.show_symmetries(voxels.findings.symmetries),
    )
    tip = "Watch every voxel move to its image under the chosen symmetry"
    yield Buttons(Action("Show the mapping", symmetries.play, "G", "play", tip, Aid.JUDGING, enabled=listed))


def grid_section(commands: GridCommands) -> Section:
    """The whole grid."""
    seed = commands.seed
    latin = "Start again with one voxel on every ray"
    solving = Aid.SOLVING
    fill = "Add random allowed cells until the number is right"
    seeds = (0, LARGEST_SEED)
    return Section(
        "Whole grid",
        Number("Seed", seed.get, seed.put, seeds, "Seed of the random cells", aid=solving),
        Buttons(
            Action("Latin square start", commands.start_latin, "Shift+L", "grid", latin, solving),
            Action("Fill to the number", commands.fill_to_number, "Shift+F", "fill", fill, solving),
            Action("Empty the grid", commands.empty_grid, "Shift+Delete", "delete", "Empty all cells"),
        ),
    )


def layer_section(commands: LayerCommands) -> Section:
    """The layer."""
    pasted = "Replace the layer by the copied one"
    return Section(
        "Layer",
        Buttons(
            Action("Copy", commands.copy, "C, Ctrl+C", "copy", "Copy the layer", verb=Verb.COPY),
            Action(
                "Paste",
                commands.paste,
                "V, Ctrl+V",
                "layers",
                pasted,
                verb=Verb.PASTE,
            ),
            Action("Mirror ↔", partial(commands.mirror, 0), "M", "mirror", "Mirror left and right"),
            Action("Mirror ↕", partial(commands.mirror, 1), "Shift+M", "mirror_y", "Mirror up and down"),
            Action("Turn", commands.turn, "R", "rotate", "Turn the layer by 90°"),
            Action("Empty", commands.empty, "E", "delete", "Empty the cells of the layer"),
            columns=2,
        ),
    )
