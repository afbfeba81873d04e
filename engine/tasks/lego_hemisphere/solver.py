"""Strip solver: fills a shell layer by layer with rows of bricks on one stud lattice.

In each layer the share of every 8 x 8 x 9.6 mm cell inside the target is sampled. The layer is cut into strips two
cells wide; in each strip, non-overlapping runs of four cells are chosen by dynamic programming so that the score gains
most (a brick of eight cells changes it by 2 x covered - 4 cells). The direction alternates from layer to layer, which
locks the layers together.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.lego_hemisphere import cells
from spatial_workbench.engine.tasks.lego_hemisphere.answer import Brick, bricks_at, poses_of
from spatial_workbench.engine.tasks.lego_hemisphere.assembly import BrickAssembly
from spatial_workbench.engine.tasks.lego_hemisphere.brick import HEIGHT, STUD_PITCH, Bools, Poses, height_of
from spatial_workbench.engine.tasks.lego_hemisphere.placement import Placement
from spatial_workbench.engine.tasks.lego_hemisphere.target import BrickShell

RUN = 4
"""Cells along a brick."""
OTHER_DIRECTION_GAIN = 1.03
"""The other direction is used if it gains more than this (3 %)."""
_TAKEN = -1000.0
"""Share given to cells that no brick may occupy."""


def solve(shell: BrickShell, progress: Progress = silent) -> tuple[Brick, ...]:
    """Bricks that fill the shell, all connected to the ground."""
    count = int(np.ceil(shell.outer_mm / HEIGHT))
    poses = []
    for layer in range(count):
        progress(layer, count, "filling layers")
        poses.append(_fill(cells.coverage(shell, layer).values, layer))
    return _supported(np.concatenate(poses))


def fill_layer(
    shell: BrickShell, layer: int, bricks: Iterable[Brick], progress: Progress = silent
) -> tuple[Brick, ...]:
    """New bricks for the part of a layer that is still empty.

    They take the stud lattice of the bricks next to the layer, and those that would not click with one are left out.
    """
    placed = tuple(bricks)
    poses = Poses(poses_of(placed))
    lattice = cells.lattice_for(poses, layer)
    progress(0, 1, "filling the layer")
    share = cells.coverage(shell, layer, lattice).values.copy()
    share[cells.taken(shell, layer, poses, lattice)] = _TAKEN
    placement = Placement(shell, placed)
    new = lattice.poses(_fill(share, layer))
    fits = [placement.fit(pose) for pose in new.tolist()]
    return bricks_at(new[[fit.allowed and (fit.grounded or bool(fit.clicks)) for fit in fits]])


def _fill(share: Floats, layer: int) -> Floats:
    """Poses (n, 4), in the cells' frame, of bricks that fill a layer of these shares (n, n)."""
    along_x = _best_strips(share)
    along_y = _best_strips(share.T)
    if layer % 2 == 0:
        turned = along_y.gain > OTHER_DIRECTION_GAIN * along_x.gain
    else:
        turned = along_x.gain <= OTHER_DIRECTION_GAIN * along_y.gain
    runs = np.array((along_y if turned else along_x).runs, dtype=float).reshape(-1, 2)
    along, across = (STUD_PITCH * (runs + np.array([RUN / 2, 1]) - len(share) / 2)).T
    z = np.full(len(runs), height_of(layer))
    angle = np.full(len(runs), 90.0 if turned else 0.0)
    return np.column_stack([across, along, z, angle] if turned else [along, across, z, angle])


@dataclass(frozen=True)
class _Strips:
    """Runs (first cell, first row of two) along the first axis, and what they gain together, in cells."""

    gain: float
    runs: Sequence[tuple[int, int]]


def _best_strips(share: Floats) -> _Strips:
    """The best runs along the first axis of cells (n, m), over both ways to cut the second axis into strips."""
    return max((_strips(share, offset) for offset in (1, 0)), key=lambda strips: strips.gain)


def _strips(share: Floats, offset: int) -> _Strips:
    """The best runs in strips that begin at rows offset, offset + 2, ..."""
    rows = np.arange(offset, share.shape[1] - 1, 2)
    columns = share[:, rows] + share[:, rows + 1]
    total = np.concatenate([np.zeros((1, len(rows))), np.cumsum(columns, axis=0)])
    gain = 2 * (total[RUN:] - total[:-RUN]) - RUN
    best = np.zeros_like(total)
    chosen = np.zeros(total.shape, dtype=bool)
    for end in range(RUN, len(total)):
        with_run = best[end - RUN] + gain[end - RUN]
        chosen[end] = with_run > best[end - 1]
        best[end] = np.maximum(best[end - 1], with_run)
    runs = [(start, int(row)) for k, row in enumerate(rows) for start in _starts(chosen[:, k])]
    return _Strips(float(best[-1].sum()), runs)


def _starts(chosen: Bools) -> list[int]:
    """The first cells of the runs that the dynamic programme chose, read backwards from the end."""
    starts: list[int] = []
    end = len(chosen) - 1
    while end > 0:
        if chosen[end]:
            end -= RUN
            starts.append(end)
        else:
            end -= 1
    return starts[::-1]


def _supported(poses: Floats) -> tuple[Brick, ...]:
    """The bricks at poses (n, 4) that are connected to the ground."""
    standing = [part.bricks for part in BrickAssembly(Poses(poses)).parts if part.stands]
    return bricks_at(poses[np.sort(np.concatenate(standing))]) if standing else ()
