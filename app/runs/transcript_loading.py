"""Reads the transcript of the attempt that is shown, once somebody looks at it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QTabWidget

from spatial_workbench.app.attempts.latest import Latest, LatestReply
from spatial_workbench.engine.evaluation.hands.edits_as_calls import steps_of_edits
from spatial_workbench.engine.evaluation.transcripts import TranscriptStep, read_transcript
from spatial_workbench.engine.store import Actor, Edit, RunRow

if TYPE_CHECKING:
    from spatial_workbench.app.attempts.dossier import Dossier
    from spatial_workbench.app.attempts.transcript_page import TranscriptPage
    from spatial_workbench.app.background.jobs import Jobs
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.engine.store import Project

READING = "Reading the transcript…"


class TranscriptLoading(QObject):
    """Fills a page of tabs with the transcript of an attempt as soon as the page is in front.

    What a model said is read from the project; a person's edits are told as calls in the background.
    """

    def __init__(self, page: TranscriptPage, tabs: QTabWidget, project: ProjectService, jobs: Jobs) -> None:
        super().__init__(tabs)
        self._page = page
        self._tabs = tabs
        self._jobs = jobs
        self._reading = LatestReply(project)
        self._telling = Latest()
        self._row: RunRow | None = None
        self._is_due = False
        self._is_closed = False
        tabs.currentChanged.connect(lambda _: self._read_if_shown())

    @property
    def is_idle(self) -> bool:
        """Whether everything requested is shown."""
        return self._reading.is_idle and self._telling.is_idle

    def follow(self, dossier: Dossier) -> None:
        """Shows the transcript of an attempt from now on."""
        self._tabs.setTabVisible(self._tabs.indexOf(self._page), dossier.has_transcript)
        is_other = self._row is None or self._row.number != dossier.row.number
        self._row = dossier.row
        self._is_due = dossier.has_transcript
        if is_other:
            self._page.show_note(READING)
        self._read_if_shown()

    def close(self) -> None:
        """Ignores later results."""
        self._is_closed = True
        self._reading.close()

    def _read_if_shown(self) -> None:
        if not self._is_due or self._row is None or self._tabs.currentWidget() is not self._page:
            return
        self._is_due = False
        row = self._row
        self._reading.ask(partial(_material_of, row), lambda material: self._show_material(row, material))

    def _show_material(self, row: RunRow, material: Any) -> None:
        if self._reading.is_outdated or row != self._row:
            return
        if row.actor is Actor.PERSON:
            self._telling.run(lambda ended: self._tell(row, material, ended))
        else:
            self._page.show_steps(material)

    def _tell(self, row: RunRow, edits: Sequence[Edit], ended: Any) -> None:
        def finish(steps: Sequence[TranscriptStep], trouble: str = "") -> None:
            if not self._is_closed and row == self._row:
                self._page.show_steps(steps)
                if trouble:
                    self._page.show_note(trouble)
            ended()

        self._jobs.live.run(
            "Telling the edits as calls",
            steps_of_edits,
            row.address,
            edits,
            done=finish,
            failed=lambda text: finish((), text),
            quiet=True,
        )


def _material_of(row: RunRow, project: Project) -> Any:
    """A person's edits, or the transcript of a model's attempt, which is empty if its record cannot be read."""
    if row.actor is Actor.PERSON:
        return project.attempts.edits(row.number)
    try:
        return read_transcript(project, row.item, row.number)
    except ValueError:
        return ()
