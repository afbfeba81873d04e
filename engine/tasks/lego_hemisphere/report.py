"""The rest of a verdict besides its checks: figures, and details for the view."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from spatial_workbench.engine.core.checks import Check, State
from spatial_workbench.engine.core.verdict import Figure
from spatial_workbench.engine.tasks.lego_hemisphere.assembly import LISTED, shared_volume_mm3
from spatial_workbench.engine.tasks.lego_hemisphere.brick import VOLUME
from spatial_workbench.engine.tasks.lego_hemisphere.rules import Construction
from spatial_workbench.engine.tasks.lego_hemisphere.volume import BrickVolumes, inside_of_each

CHECKS_BEFORE_SHARES = 5
"""Checks up to "not wholly outside": bricks are near the shell, so their volumes can be computed."""
CHECKS_BEFORE_VOLUMES = 7
"""Checks up to "no two bricks share volume": from there on, volumes add up."""


def counts(built: Construction) -> list[Figure]:
    """The figures of a structure whose volumes cannot be compared."""
    return [Figure("bricks", len(built.poses))]


def figures(built: Construction, volumes: BrickVolumes) -> list[Figure]:
    """The figures of a structure: the raw score and what it is made of."""
    target = volumes.target
    return [
        Figure("raw", volumes.raw),
        Figure("I/R", volumes.common / target),
        Figure("S/R", volumes.bricks / target),
        Figure("D/R", volumes.difference / target),
        Figure("R", target, "mm³"),
        Figure("S", volumes.bricks, "mm³"),
        Figure("I", volumes.common, "mm³"),
        Figure("D", volumes.difference, "mm³"),
        Figure("missing", volumes.missing, "mm³"),
        Figure("excess", volumes.excess, "mm³"),
        *counts(built),
        Figure("parts", len(built.assembly.parts)),
    ]


def details(built: Construction, rows: Sequence[Check]) -> dict[str, Any]:
    """Plain data for the view.

    shares      the share of each brick inside the shell, 0 to 1
    overlaps    first, second, depth_mm, volume_mm3
    misfits     lower, upper, twist_deg, move_mm (shift of the upper brick that would make it fit; x, y)
    unstable    bricks, center_mm (x, y, z), support_mm (corners of the hull on the ground) of parts that fall over
    floating    bricks of each part that is not on the ground

    Each is there as far as the checks came.
    """
    passed = [check.state is State.PASSED for check in rows]
    data: dict[str, Any] = {}
    if all(passed[:CHECKS_BEFORE_SHARES]):
        data["shares"] = [volume / VOLUME for volume in inside_of_each(built.shell, built.poses)]
    if all(passed[: CHECKS_BEFORE_VOLUMES - 1]):
        data["overlaps"] = _overlaps(built)
    if all(passed[:CHECKS_BEFORE_VOLUMES]):
        data["misfits"] = [asdict(misfit) | {"move_mm": [*misfit.move_mm]} for misfit in built.assembly.misfits]
        data["unstable"] = _unstable(built)
        data["floating"] = [part.bricks.tolist() for part in built.assembly.parts if not part.stands]
    return data


def _overlaps(built: Construction) -> list[dict[str, Any]]:
    return [
        asdict(overlap) | {"volume_mm3": shared_volume_mm3(built.poses, overlap)}
        for overlap in built.assembly.overlaps[:LISTED]
    ]


def _unstable(built: Construction) -> list[dict[str, Any]]:
    return [
        {
            "bricks": part.bricks.tolist(),
            "center_mm": part.center_mm.tolist(),
            "support_mm": part.support_mm.tolist(),
        }
        for part in built.assembly.parts
        if part.stands and not part.is_balanced
    ]
