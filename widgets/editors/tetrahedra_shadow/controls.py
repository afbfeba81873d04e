"""The readings of the editor's gauges, and the orientations that it offers."""

from __future__ import annotations

from spatial_workbench.engine.core.words import counted, score_words
from spatial_workbench.engine.tasks.tetrahedra_shadow.live import TetrahedraReading as Figures
from spatial_workbench.widgets.editing.controls import Reading

ORIENTATIONS = (
    ("Triangle up", "triangle", 0.0, "T", "tetra_up", "Lies on a face; the shadow is a triangle of side 1"),
    ("Triangle down", "triangle", 180.0, "Shift+T", "tetra_down", "Lies on a face, turned by 180°"),
    ("Square", "square", 0.0, "Q", "tetra_square", "Two edges level; the shadow is a square of side 0.707"),
    ("Wedge", "wedge", 0.0, "W", "tetra_wedge", "An edge upright; the shadow is a triangle, 1 wide and 0.707 high"),
)
"""Text, preset, turn about z, key, icon, and tip of each."""


def score_reading(figures: Figures, count: int, divisor: float) -> Reading:
    """The score of a number of pieces."""
    words = f"raw {figures.raw:.4f}, divided by {divisor:g}"
    return Reading(f"score {score_words(figures.score, 3)}", words, figures.score >= 1 - 1e-9 if count else None)


def coverage_reading(figures: Figures) -> Reading:
    """How much of the target is covered."""
    return Reading(f"{100 * figures.coverage:.1f} % covered", f"{100 * (1 - figures.coverage):.1f} % uncovered")


def mismatch_reading(figures: Figures) -> Reading:
    """How much lies outside the target."""
    return Reading(f"{100 * figures.mismatch:.1f} % mismatch", "half of it is subtracted")


def count_reading(figures: Figures, count: int, is_judged: bool) -> Reading:
    """How many pieces there are and, if they may be judged, what is wrong with them."""
    figure = counted(count, "tetrahedron", "tetrahedra")
    if not is_judged:
        return Reading(figure)
    if figures.unnormalised:
        return Reading(figure, f"{figures.unnormalised} not normalised: coverage × ¼", False)
    if figures.overlaps:
        pairs = counted(figures.overlaps, "pair intersects", "pairs intersect")
        return Reading(figure, f"{pairs}: coverage × ½", False)
    return Reading(figure, "none intersect", True if count else None)
