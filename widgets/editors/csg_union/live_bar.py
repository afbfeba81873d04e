"""The bar above the view: how far the body is from a watertight one, and from the union."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from engine.tasks.csg_union.editing import SHOWN_CROSSINGS, Comparison, Findings
from widgets.meter import Meter
from widgets.theme import SPACE

NOISE_CM3 = 1e-6


class LiveBar(QWidget):
    """Six figures."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("State of the polyhedron")
        self.edges, self.flat, self.crossing, self.missing, self.excess, self.raw = (Meter() for _ in range(6))
        self._meters = (self.edges, self.flat, self.crossing, self.missing, self.excess, self.raw)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 2 * SPACE, 3 * SPACE, 2 * SPACE)
        layout.setSpacing(6 * SPACE)
        for meter in self._meters:
            layout.addWidget(meter)
        layout.addStretch(1)

    def show_state(self, findings: Findings, comparison: Comparison | None, is_busy: bool) -> None:
        """Shows what is known of a body."""
        self._show_edges(findings)
        bent = len(findings.far_from_flat)
        self.flat.show_figure(
            f"{bent} bent" if bent else "flat" if findings.body.faces else "–", "faces",
            not bent if findings.body.faces else None, "Faces with a vertex more than 0.01 cm off their plane",
        )  # fmt: skip
        self._show_comparison(comparison, "…" if is_busy else "–")
        self.setAccessibleDescription("; ".join(f"{m.words.text()}: {m.figure.text()}" for m in self._meters))

    def _show_edges(self, findings: Findings) -> None:
        counts = (
            (len(findings.open_edges), "open"),
            (len(findings.crowded_edges), "crowded"),
            (len(findings.turned_edges), "turned"),
        )
        wrong = ", ".join(f"{count} {word}" for count, word in counts if count)
        tip = "Open: one face. Crowded: three faces or more. Turned: two faces that go along the edge the same way"
        state = findings.is_closed if findings.body.faces else None
        self.edges.show_figure(wrong or ("watertight" if state else "–"), "edges", state, tip)

    def _show_comparison(self, comparison: Comparison | None, waiting: str) -> None:
        if comparison is None:
            for meter, words in zip(self._meters[2:], ("crossings", "missing", "too much", "raw score"), strict=True):
                meter.show_figure(waiting, words, None, "Known as soon as the polyhedron is watertight")
            return
        count = len(comparison.crossing)
        more = "+" if count >= SHOWN_CROSSINGS else ""
        if comparison.turned:
            self.crossing.show_figure(
                "inside out", "shells", False, "A shell or a cavity is wound the wrong way: flip it"
            )
        else:
            figure = f"{count}{more}" if count else "none"
            self.crossing.show_figure(figure, "crossings", not count, "Faces that cross, touch or cover each other")
        known = comparison.raw is not None
        for meter, volume, words in (
            (self.missing, comparison.missing, "missing"),
            (self.excess, comparison.excess, "too much"),
        ):
            figure = f"{volume:.4g} cm³" if volume > NOISE_CM3 else "nothing"
            meter.show_figure(figure if known else "–", words, None, "Drawn in the view")
        met = comparison.raw > 0.95 if comparison.raw is not None else None
        figure = f"{max(0.0, comparison.raw):.4f}" if comparison.raw is not None else "–"
        self.raw.show_figure(figure, "raw score", met, "At least so much: without the allowance of 0.05 cm")
