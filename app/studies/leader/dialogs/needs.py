"""The dialog that works out how many people a study needs."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QWidget,
)

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.engine.studies.sessions.schema import Accommodations
from spatial_workbench.widgets.number_box import number_field


class NeedsDialog(FormDialog):
    """Asks what a place has beyond the others.

    Signals:
        ordered(Accommodations): set it.
    """

    ordered = Signal(object)

    def __init__(self, code: str, parent: QWidget | None = None) -> None:
        about = (
            f"Set before {code} is in a bundle. The report counts such sessions, and repeats its figures without them."
        )
        super().__init__("Needs", about, "Set", parent)
        self.time = number_field("Time factor", (1, 3), 0.25, 2)
        self.type = number_field("Type scale", (1, 2), 0.25, 2)
        self.boxes = {
            name: QCheckBox(name.replace("_", " ").capitalize())
            for name in ("reduced_motion", "high_contrast", "keyboard_only")
        }
        self.form.addRow("Time factor", self.time)
        self.form.addRow("Type scale", self.type)
        for box in self.boxes.values():
            self.form.addRow("", box)

    def order(self) -> None:
        """Passes the needs on."""
        ticked = {name: box.isChecked() for name, box in self.boxes.items()}
        self.ordered.emit(Accommodations(time_factor=self.time.value(), type_scale=self.type.value(), **ticked))
        self.accept()
