"""Which attempts are exported, and to which file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_FORMATS = {
    "JSON lines (*.jsonl)": "jsonl",
    "Inspect log (*.eval)": "inspect",
    "Table (*.csv)": "csv",
    "Typed table (*.parquet)": "parquet",
    "Page with 3D attempts (*.html)": "html3d",
}


def choose_export_file(parent: QWidget, name: str) -> tuple[str, Path] | None:
    """Asks for a format and a file; None if cancelled. `name` is the proposed file name, without a suffix."""
    path, chosen = QFileDialog.getSaveFileName(parent, "Export attempts", f"{name}.jsonl", ";;".join(_FORMATS))
    return (_FORMATS.get(chosen, "jsonl"), Path(path)) if path else None
