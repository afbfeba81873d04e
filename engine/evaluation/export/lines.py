"""JSON lines: first the batches, then one line for each attempt, with everything; `importing.json_lines` reads them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core.files import replacing
from spatial_workbench.engine.evaluation.attempt_lines import AttemptLine, BatchLine, Header
from spatial_workbench.engine.evaluation.dossiers import ExportedDossier, Selection
from spatial_workbench.engine.store import Project


def write_lines(project: Project, selection: Selection, dossiers: Iterable[ExportedDossier], path: Path) -> None:
    """Writes the batches and the dossiers as JSON lines. Raises OSError."""
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        file.write(_json(header(project, selection).as_data))
        for dossier in dossiers:
            file.write(_json(AttemptLine.of(dossier).as_data))


def header(project: Project, selection: Selection) -> Header:
    """The first line: the batches with their plans."""
    return Header.about(*(BatchLine.of(project.archive.batch(number)) for number in selection.batches))


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False) + "\n"
