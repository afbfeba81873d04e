"""The conditions of a plan: which aids people have, which feedback they get, whether they see the clock."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QLineEdit, QWidget

from spatial_workbench.engine.studies.planning.document import PRESETS, Feedback
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.forms.fields import FormField, combo
from spatial_workbench.widgets.theme import SPACE

_CUSTOM = "custom"


class ConditionsField(FormField):
    """The conditions: a name, which aids people have, which feedback they get, whether the clock is shown."""

    def __init__(self) -> None:
        self._data: dict[str, Any] = {}
        self._is_fixed = False
        body = QWidget()
        self._grid = QGridLayout(body)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(2 * SPACE)
        self._grid.setVerticalSpacing(2 * SPACE)
        super().__init__("conditions", "", body)

    @property
    def value(self) -> Any:
        return self._data

    def show_value(self, value: Any) -> None:
        if value != self._data:
            self._data = dict(value)
            self._build()

    def set_read_only(self, is_fixed: bool) -> None:
        if is_fixed != self._is_fixed:
            self._is_fixed = is_fixed
            self._build()

    def add(self) -> None:
        """Adds a condition with the usual aids."""
        name = next(name for name in (f"condition{n}" for n in range(1, 99)) if name not in self._data)
        self._set({**self._data, name: preset_data("hands")})

    def _build(self) -> None:
        row, column = self._focused_cell()
        earlier = self._take_widgets()
        self._add_rows()
        self._focus_cell(row, column)
        for widget in earlier:
            widget.hide()
            widget.deleteLater()

    def _focused_cell(self) -> tuple[int, int]:
        """Row and column of the control that has the focus; (-1, -1) if none of them has it."""
        for place in range(self._grid.count()):
            item = self._grid.itemAt(place)
            widget = None if item is None else item.widget()
            if widget is not None and widget.hasFocus():
                position: tuple[int, ...] = tuple(self._grid.getItemPosition(place))  # type: ignore[arg-type]
                return position[0], position[1]
        return -1, -1

    def _focus_cell(self, row: int, column: int) -> None:
        """Gives the focus to the control in this cell, if there is one to be seen."""
        item = self._grid.itemAtPosition(row, column)
        widget = None if item is None else item.widget()
        if widget is not None and not _is_left_out(widget):
            widget.show()
            widget.setFocus()

    def _take_widgets(self) -> list[QWidget]:
        """Empties the grid."""
        taken = []
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                taken.append(widget)
        return taken

    def _add_rows(self) -> None:
        for column, text in enumerate(("Name", "Aids", "Feedback", "Told after", "Clock")):
            label = QLabel(text)
            label.setObjectName("secondary")
            self._grid.addWidget(label, 0, column)
        for row, name in enumerate(self._data, 1):
            self._add_row(row, name, self._data[name])
        button = make_button("Add condition", "place", self.add, "People are assigned to conditions in equal numbers")
        button.setEnabled(not self._is_fixed)
        self._grid.addWidget(button, len(self._data) + 1, 0)
        self._grid.setColumnStretch(7, 1)

    def _add_row(self, row: int, name: str, condition: Mapping[str, Any]) -> None:
        line = QLineEdit(name)
        line.setAccessibleName(f"Name of condition {row}")
        line.setMaximumWidth(140)
        line.editingFinished.connect(lambda: self._rename(name, line.text().strip()))
        preset = combo(f"Aids of {name}", [*PRESETS, *([_CUSTOM] if preset_of(condition) == _CUSTOM else [])])
        preset.setCurrentText(preset_of(condition))
        preset.activated.connect(lambda _: self._take_preset(name, preset.currentText()))
        feedback = combo(f"Feedback of {name}", [kind.value for kind in Feedback])
        feedback.setCurrentText(condition["feedback"])
        feedback.activated.connect(lambda _: self._change(name, feedback=feedback.currentText()))
        after = combo(f"When people in {name} are told", ["submission", "item", "block", "end"])
        after.setCurrentText(condition["feedback_after"])
        after.activated.connect(lambda _: self._change(name, feedback_after=after.currentText()))
        clock = combo(f"Clock of {name}", ["shown", "hidden"])
        clock.setCurrentText(condition["clock"])
        clock.activated.connect(lambda _: self._change(name, clock=clock.currentText()))
        check = QCheckBox("Format check")
        check.setAccessibleName(f"Format check in {name}")
        check.setToolTip("If a typed answer cannot be read, people are told so once, as models are")
        check.setChecked(condition.get("format_check", True))
        check.clicked.connect(lambda checked: self._change(name, format_check=checked))
        remove = make_button("", "delete", lambda: self._remove(name), f"Remove the condition {name}")
        remove.setAccessibleName(f"Remove the condition {name}")
        for column, control in enumerate((line, preset, feedback, after, clock, check, remove)):
            control.setEnabled(not self._is_fixed)
            self._grid.addWidget(control, row, column)
        # A control that is shown before it has a parent is a window.
        check.setVisible(condition["answer"] == "text")
        remove.setVisible(len(self._data) > 1)

    def _rename(self, old: str, new: str) -> None:
        if new and new != old and new not in self._data:
            self._set({new if name == old else name: value for name, value in self._data.items()})

    def _take_preset(self, name: str, preset: str) -> None:
        if preset != _CUSTOM:
            self._set({**self._data, name: preset_data(preset)})

    def _change(self, name: str, **values: Any) -> None:
        self._set({**self._data, name: {**self._data[name], **values}})

    def _remove(self, name: str) -> None:
        self._set({other: value for other, value in self._data.items() if other != name})

    def _set(self, data: dict[str, Any]) -> None:
        self.show_value(data)
        self.edited.emit()


def preset_data(name: str) -> dict[str, Any]:
    """A named condition as plain data."""
    data: dict[str, Any] = PRESETS[name].model_dump(mode="json", by_alias=True)
    return {**data, "aids": sorted(data["aids"])}


def preset_of(condition: Mapping[str, Any]) -> str:
    """The name of a condition's aids, or "custom"."""
    key = (sorted(condition["aids"]), condition["answer"])
    matching = (name for name in PRESETS if (preset_data(name)["aids"], preset_data(name)["answer"]) == key)
    return next(matching, _CUSTOM)


def _is_left_out(widget: QWidget) -> bool:
    """Whether a control was hidden on purpose; one that is new is not shown yet either."""
    return widget.isHidden() and widget.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide)
