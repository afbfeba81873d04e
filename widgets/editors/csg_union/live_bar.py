"""The bar above the view: how far the body is from a watertight one, and from the union."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import marked, tr
from spatial_workbench.engine.tasks.csg_union.editing import SHOWN_CROSSINGS, Findings, UnionComparison
from spatial_workbench.widgets.editing.controls import Reading
from spatial_workbench.widgets.panels.meter import Meter
from spatial_workbench.widgets.theme import SPACE

NOISE_CM3 = 1e-6
FIGURES = (marked("edges"), marked("faces"), marked("crossings"), "missing", "too much", "raw score")


class LiveBar(QWidget):
    """Six figures; `meters` are keyed by the words below the figures."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("State of the polyhedron"))
        self.meters: Mapping[str, Meter] = {name: Meter() for name in FIGURES}
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 2 * SPACE, 3 * SPACE, 2 * SPACE)
        layout.setSpacing(6 * SPACE)
        for meter in self.meters.values():
            layout.addWidget(meter)
        layout.addStretch(1)

    def show_state(self, findings: Findings, comparison: UnionComparison | None, is_busy: bool) -> None:
        """Shows what is known about a body."""
        compared = _waiting("…" if is_busy else "–") if comparison is None else _compared(comparison)
        readings = (_edges(findings), _faces(findings), *compared)
        for meter, reading in zip(self.meters.values(), readings, strict=True):
            meter.show_figure(reading.figure, reading.words, reading.is_met, reading.tip)
        words = (f"{said(reading.words)}: {said(reading.figure)}" for reading in readings)
        self.setAccessibleDescription("; ".join(words))


def _edges(findings: Findings) -> Reading:
    wrong = ", ".join(_wrong_edges(findings))
    state = findings.is_closed if findings.body.faces else None
    tip = "Open: with one face. Crowded: with three or more. Turned: with two that run along it in the same direction"
    return Reading(wrong or (marked("watertight") if state else "–"), "edges", state, tip)


def _wrong_edges(findings: Findings) -> Iterator[str]:
    if len(findings.open_edges):
        yield f"{len(findings.open_edges)} open"
    if len(findings.crowded_edges):
        yield f"{len(findings.crowded_edges)} crowded"
    if len(findings.turned_edges):
        yield f"{len(findings.turned_edges)} turned"


def _faces(findings: Findings) -> Reading:
    bent = len(findings.far_from_flat)
    figure = f"{bent} bent" if bent else marked("flat") if findings.body.faces else "–"
    tip = "Faces with a vertex more than 0.01 cm off their plane"
    return Reading(figure, "faces", not bent if findings.body.faces else None, tip)


def _waiting(figure: str) -> Iterator[Reading]:
    for words in FIGURES[2:]:
        yield Reading(figure, words, tip="Known as soon as the polyhedron is watertight")


def _compared(comparison: UnionComparison) -> Iterator[Reading]:
    count = len(comparison.crossing)
    raw = comparison.raw
    if comparison.turned:
        yield Reading("inside out", marked("shells"), False, "A shell or a cavity is wound the wrong way: flip it")
    else:
        figure = f"{count}{'+' if count >= SHOWN_CROSSINGS else ''}" if count else marked("none")
        yield Reading(figure, "crossings", not count, "Faces that cross, touch or cover each other")
    for volume, words in ((comparison.missing, "missing"), (comparison.excess, "too much")):
        figure = f"{volume:.4g} cm³" if volume > NOISE_CM3 else marked("nothing")
        yield Reading(figure if raw is not None else "–", words, tip="Drawn in the view")
    figure = f"{max(0.0, raw):.4f}" if raw is not None else "–"
    is_met = raw > 0.95 if raw is not None else None
    yield Reading(figure, "raw score", is_met, "At least this much: the allowance of 0.05 cm is left out")
