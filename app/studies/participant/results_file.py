"""Where the results of a session were written."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.studies.sessions.pages import StudyPage
from spatial_workbench.engine.studies.sessions.schema import SessionState
from spatial_workbench.engine.studies.sessions.session_file import folder_of
from spatial_workbench.engine.studies.sessions.sitting import Sitting


class ResultsFile(NamedTuple):
    """The file with the results of a session, its SHA-256, and what went wrong."""

    path: Path | None = None
    digest: str = ""
    fault: str = ""


def written_results(sitting: Sitting, folder: Path, sessions: Path | None) -> ResultsFile:
    """Writes the results into a folder; where that cannot be written, beside the session.

    Somebody who stopped before consent leaves none.
    """
    if sitting.state.page is StudyPage.STOPPED and sitting.state.session_state is not SessionState.STOPPED:
        return ResultsFile()
    try:
        return ResultsFile(*sitting.write_results(folder))
    except OSError as error:
        fault = tr(
            "The results could not be written to {folder}: {reason}. Save them elsewhere.",
            folder=folder,
            reason=error.strerror,
        )
        return ResultsFile(*_at_home(sitting, sessions), fault)


def _at_home(sitting: Sitting, sessions: Path | None) -> tuple[Path | None, str]:
    try:
        return sitting.write_results(sessions or folder_of(sitting.state.bundle.hash))
    except OSError:
        return None, ""
