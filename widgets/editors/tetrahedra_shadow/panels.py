"""The meters of the shadow, and the numbers of a selected piece."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from engine.core.scene import Floats
from engine.core.words import counted
from engine.tasks.tetrahedra_shadow.live import Reading
from widgets.editing.panel import NumberGrid
from widgets.meter import Meter
from widgets.theme import SPACE

FARTHEST = 5000.0


class ShadowMeters(QWidget):
    """Coverage, mismatch, and what is wrong with the pieces."""

    def __init__(self, divisor: float) -> None:
        super().__init__()
        self._divisor = divisor
        self.score, self.coverage, self.mismatch, self.pieces = Meter(), Meter(), Meter(), Meter()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * SPACE)
        for meter in (self.score, self.coverage, self.mismatch, self.pieces):
            layout.addWidget(meter)

    def show_reading(self, count: int, reading: Reading) -> None:
        """Shows the figures of so many pieces."""
        tip = f"raw {reading.raw:.4f}, divided by {self._divisor:g}"
        self.score.show_figure(f"score {reading.score:.3f}", tip, reading.score >= 1 - 1e-9 if count else None)
        covered = f"{100 * reading.coverage:.1f} % covered"
        self.coverage.show_figure(covered, f"{100 * (1 - reading.coverage):.1f} % uncovered", None)
        off = f"{100 * reading.mismatch:.1f} % mismatch"
        self.mismatch.show_figure(off, "half of it is taken off", None)
        if reading.unnormalised:
            words, met = f"{reading.unnormalised} not normalised: coverage × ¼", False
        elif reading.overlaps:
            words, met = f"{_pairs(reading.overlaps)}: coverage × ½", False
        else:
            words, met = "none intersect", True if count else None
        self.pieces.show_figure(f"{count} tetrahedr{'on' if count == 1 else 'a'}", words, met)


class PoseNumbers(QWidget):
    """Position and quaternion of a piece.

    Signals:
        edited(int, float): the number at that place of the pose (0 to 6) was typed.
        normalise(): the quaternion should get the length 1.
    """

    edited = Signal(int, float)
    normalise = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.note = QLabel()
        self.note.setObjectName("secondary")
        self.note.setWordWrap(True)
        self.position = NumberGrid(["x", "y", "z"], (-FARTHEST, FARTHEST), 0.05, 4)
        self.quaternion = NumberGrid(["q0", "q1", "q2", "q3"], (-10, 10), 0.05, 7)
        self.position.edited.connect(self.edited)
        self.quaternion.edited.connect(lambda i, value: self.edited.emit(3 + i, value))
        self.button = QPushButton(self.tr("Normalise"))
        self.button.setToolTip(self.tr("Give the quaternion the length 1, as the task asks  (N)"))
        self.button.clicked.connect(self.normalise)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * SPACE)
        for widget in (self.note, self.position, self.quaternion, self.button):
            layout.addWidget(widget)
        self.show_pose(None, "")

    def show_pose(self, pose: Floats | None, note: str) -> None:
        """Shows a pose (7,), or greys the fields."""
        self.note.setText(note)
        self.position.set_values(None if pose is None else pose[:3].tolist())
        self.quaternion.set_values(None if pose is None else pose[3:].tolist())
        length = 1.0 if pose is None else float((pose[3:] ** 2).sum()) ** 0.5
        self.button.setEnabled(abs(length - 1) > 1e-9)


def _pairs(count: int) -> str:
    return counted(count, "pair intersects", "pairs intersect")
