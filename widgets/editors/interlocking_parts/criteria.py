"""The nine criteria with their states so far: a lamp, a name and a sentence each. A click shows the elements meant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSize

from spatial_workbench.engine.core import State
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.tasks.interlocking_parts.cage import CRITERIA
from spatial_workbench.widgets.panels.lamps import LampColumn

MET = {State.PASSED: True, State.FAILED: False, State.NOT_REACHED: None}


class CriteriaList(LampColumn):
    """A column with a line for each criterion; the criterion that the instance asks for is bold."""

    def __init__(self, asked: int | None) -> None:
        super().__init__("Criteria")
        for number in range(len(CRITERIA)):
            name = self.add_line().name
            font = name.font()
            font.setBold(asked == number)
            name.setFont(font)
        self.show_details(None, is_current=True)

    def sizeHint(self) -> QSize:
        return QSize(300, 280)

    def show_details(self, details: Mapping[str, Any] | None, is_current: bool) -> None:
        """Shows a verdict's details, or that nothing is known (None). If not current, the last ones stay, greyed."""
        self.body.setEnabled(is_current)
        if not is_current:
            return
        count = len(CRITERIA)
        states = [State(word) for word in details["criteria"]] if details else [State.NOT_REACHED] * count
        met = [MET[state] for state in states]
        messages = details["messages"] if details else [""] * count
        if details and details["waiting"]:
            met = [False if is_met is False else None for is_met in met]
        for number, (line, is_met, message) in enumerate(zip(self.lines, met, messages, strict=True)):
            line.show_line(f"{number} · {CRITERIA[number]}", message, is_met)
        so_far = f"Criteria · {met.count(True)} of {count} met so far"
        self.title.setText(said(so_far if details else "Criteria"))
