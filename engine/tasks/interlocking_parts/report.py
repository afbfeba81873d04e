"""The rest of a verdict besides its rows: figures, warnings, and details for the view."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from spatial_workbench.engine.core.checks import Check, State
from spatial_workbench.engine.core.verdict import Figure
from spatial_workbench.engine.tasks.interlocking_parts import assembly, printing
from spatial_workbench.engine.tasks.interlocking_parts.cage import CRITERIA
from spatial_workbench.engine.tasks.interlocking_parts.rules import criterion_of, states
from spatial_workbench.engine.tasks.interlocking_parts.study import CageStudy

MAX_MARKS = 12
"""The most marks of each kind."""
MAX_TRIANGLES = 2000


def figures(study: CageStudy, rows: Sequence[Check]) -> list[Figure]:
    """How many criteria are met, and the material of the parts."""
    solids = [built.solid for built in study.solid_results if built.is_valid and built.solid is not None]
    volume = sum(solid.volume for solid in solids)
    area = sum(float(np.prod(printing.printed(solid).size[:2])) for solid in solids)
    figures = [
        Figure("criteria met", f"{sum(state is State.PASSED for state in states(rows))} of {len(CRITERIA)}"),
        Figure("parts", len(study.parts)),
        Figure("different parts", len({(part.fileType.lower(), part.fileContents) for part in study.parts})),
        Figure("material", volume / 1000, "cm³"),
        Figure("bed area", area / 100, "cm²"),
        Figure("windows", len(study.census())),
    ]
    if study.gap.count:
        figures.append(Figure("dominant gap", study.gap.dominant, "mm"))
    return figures


def warnings(study: CageStudy) -> Iterator[str]:
    """Warnings about irregular windows of a complete cage, which the nine criteria do not check."""
    if len(list(study.placed)) < study.cage.parts:
        return
    wrong = [(window, problem) for window in study.census() if (problem := window.problem(study.cage))]
    for window, problem in wrong[:MAX_MARKS]:
        x, y, z = window.middle
        yield f"A window at the {window.face} ({x:.0f}, {y:.0f}, {z:.0f}) {problem}. This is not scored"
    if len(wrong) > MAX_MARKS:
        yield f"{len(wrong) - MAX_MARKS} more windows are not as they should be"


def details(study: CageStudy, rows: Sequence[Check]) -> dict[str, Any]:
    """Plain data for the view.

    criteria    state, so far, of each criterion over the parts that are valid
    messages    what the first failing row of each says, so far
    elements    the ids that the failing rows of each name, so far
    made        for each part "", or why it is not a solid or was not evaluated
    print       for each valid part: size (x, y, z), lowest, contact_mm2, margin, and whether it fits
    rods        for each valid part the rods that hold it
    overlaps    first, second, volume_mm3, and the mesh of what they share
    overhangs   part, span, area and triangles (k, 3, 3) in the print frame
    edges       part, and ends (k, 2, 3) of open edges in the print frame
    windows     those that are not as they should be: face, sides, middle, corners
    """
    grouped = [[check for check in rows if criterion_of(check) == number] for number in range(len(CRITERIA))]
    return {
        "criteria": [str(state) for state in states(rows)],
        "messages": [next((check.message for check in row if check.state is State.FAILED), "") for row in grouped],
        "elements": [list(dict.fromkeys(e for check in row for e in check.elements)) for row in grouped],
        "made": [built.problem or built.crossing or built.waiting for built in study.solid_results],
        "waiting": study.waiting,
        "print": {str(i): _print(study, place) for i, place in study.placed},
        "rods": {str(i): assembly.engaged(place, study.cage) for i, place in study.placed},
        "overlaps": list(_overlaps(study)),
        "overhangs": list(_overhangs(study)),
        "edges": list(_edges(study)),
        "windows": [window.data() for window in study.census() if window.problem(study.cage)][:MAX_MARKS],
    }


def _print(study: CageStudy, place: assembly.Posed) -> dict[str, Any]:
    printed = printing.printed(place.solid)
    return {
        "size": printed.size.tolist(),
        "lowest": printed.lowest,
        "contact_mm2": printed.contact_mm2,
        "margin": printed.margin if np.isfinite(printed.margin) else None,
        "fits": printed.fits(study.cage.printer),
    }


def _overlaps(study: CageStudy) -> Iterator[dict[str, Any]]:
    for i, j, volume in list(study.pairs())[:MAX_MARKS]:
        first, second = study.places[i], study.places[j]
        assert first is not None
        assert second is not None
        mesh = assembly.shared(first, second).to_mesh64()
        small = len(mesh.tri_verts) <= MAX_TRIANGLES
        yield {
            "first": i,
            "second": j,
            "volume_mm3": volume,
            "vertices": np.asarray(mesh.vert_properties)[:, :3].round(3).tolist() if small else [],
            "triangles": np.asarray(mesh.tri_verts).tolist() if small else [],
        }


def _overhangs(study: CageStudy) -> Iterator[dict[str, Any]]:
    for i, place in study.placed:
        large = [patch for patch in printing.printed(place.solid).overhangs if not patch.prints]
        for patch in large[:MAX_MARKS]:
            corners = place.solid.corners[patch.triangles[:MAX_TRIANGLES]].round(3).tolist()
            yield {"part": i, "span": patch.span, "area": patch.area, "triangles": corners}


def _edges(study: CageStudy) -> Iterator[dict[str, Any]]:
    for i, built in enumerate(study.solid_results):
        if len(built.open_edges):
            yield {"part": i, "ends": built.open_edges[:MAX_TRIANGLES].round(3).tolist()}
