"""Reports on what a project holds, as HTML; they need no window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.cube.agent import RunRecord
    from engine.store import Project


def cube_runs(project: Project) -> dict[str, list[RunRecord]]:
    """All runs of agents on the cube, by the agent's name.

    Raises:
        ValueError: a stored run cannot be read; the sentence names the attempt.
    """
    from engine.cube.agent import RunRecord

    runs: dict[str, list[RunRecord]] = {}
    for row, transcript in project.transcripts("cube"):
        try:
            record = RunRecord.model_validate_json(transcript.record)
        except ValueError:
            raise ValueError(f"the run of attempt {row.number} cannot be read") from None
        runs.setdefault(row.actor_name or "without a name", []).append(record)
    return runs


def save_cube_report(project: Project, path: Path) -> None:
    """Writes the report on agents' runs on the cube as one HTML file. Raises ValueError as `cube_runs`, OSError."""
    from engine.cube.agent.report import report_html

    path.write_text(report_html(cube_runs(project)), "utf-8")
