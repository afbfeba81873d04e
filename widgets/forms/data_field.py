"""A field for lists and records, which are typed as JSON; the outermost brackets of a list may be left out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from PySide6.QtWidgets import QLineEdit

from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.widgets.forms.fields import FormField
from spatial_workbench.widgets.shown_text import replace_line

MOST_CHARS = 1_000_000
"""Qt's own limit, 32,767, would cut lists off without a word."""


class DataField(FormField):
    """A list or a record on one line: `0, 2, 5` or `[0, 0, 1], [0, 1, 1]`.

    holds_lists: whether it is a list of lists, so that `[0, 0, 1]` is the only entry of one.
    """

    def __init__(self, path: str, label: str, hint: str = "", example: str = "", holds_lists: bool = False) -> None:
        self._holds_lists = holds_lists
        self.line = QLineEdit(placeholderText=example, maxLength=MOST_CHARS)
        super().__init__(path, label, self.line, hint)
        self.line.textEdited.connect(self.edited)

    @property
    def value(self) -> Any:
        text = self.line.text().strip()
        if not text:
            return None
        for spelled in (text, f"[{text}]"):
            try:
                data = json.loads(spelled)
            except ValueError:
                continue
            if isinstance(data, list | dict):
                is_entry = self._holds_lists and bool(data) and not isinstance(next(iter(data)), list)
                return [data] if is_entry else data
        raise ValueError(tr("A list is expected, such as 0, 2, 5 or [0, 0], [1, 0]"))

    @property
    def typed(self) -> Any:
        return self.line.text().strip()

    def show_value(self, value: Any) -> None:
        text = json.dumps(value, ensure_ascii=False)[1:-1] if isinstance(value, list | tuple) else ""
        replace_line(self.line, json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else text)

    def set_read_only(self, is_fixed: bool) -> None:
        self.line.setReadOnly(is_fixed)


def example_of(schema: Mapping[str, Any]) -> str:
    """What a list of such a kind looks like, for an empty field; empty if it is none of numbers."""
    items = schema.get("items", {})
    if items.get("type") == "array":
        row = example_of(items)
        return f"[{row}], [{row}]" if row else ""
    if items.get("type") not in ("integer", "number"):
        return ""
    count = int(schema.get("minItems", 1))
    return ", ".join(["0"] * count) if count > 1 else "0, 1, 2"
