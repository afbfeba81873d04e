"""What a batch is expected to take, and what speaks against it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QLabel, QScrollArea, QVBoxLayout, QWidget

from spatial_workbench.app.background import evaluations as background
from spatial_workbench.app.evaluation.words import expectation
from spatial_workbench.engine.evaluation.planning.agent_options import (
    declared_options,
    options_of_kind,
    words_of_options,
)
from spatial_workbench.engine.evaluation.planning.plan import agents_offered
from spatial_workbench.widgets.rich_text import make_rich
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.evaluations import BatchPreview
    from spatial_workbench.app.background.jobs import BackgroundJob, Jobs
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.engine.core.agents import AgentPlan
    from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Concern

_SETTLED_MS = 300
_NOTES_PX = 76


class EstimatePanel(QWidget):
    """Counts in the background what the newest plan takes, once no other has followed for a moment.

    Signals:
        counted(): the plan was counted; `preview` is there.

    Attributes:
        preview: Of the newest plan; None while it is not counted.
    """

    counted = Signal()

    def __init__(self, project: ProjectService, jobs: Jobs) -> None:
        super().__init__()
        self._jobs = jobs
        self._job: BackgroundJob | None = None
        self._means: dict[tuple[str, str], float] = {}
        self._plan: BatchPlan | None = None
        self._problems: Sequence[str] = ()
        self.preview: BatchPreview | None = None
        self._settling = QTimer(self, singleShot=True, interval=_SETTLED_MS)
        self._settling.timeout.connect(self._run)
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        self.notes = make_rich(QLabel())
        self.notes.setWordWrap(True)
        self.notes.setObjectName("secondary")
        self._scrolled = QScrollArea()
        self._scrolled.setWidget(self.notes)
        self._scrolled.setWidgetResizable(True)
        self._scrolled.setMaximumHeight(_NOTES_PX)
        self._scrolled.setFrameShape(QScrollArea.Shape.NoFrame)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * SPACE)
        column.addWidget(self.summary)
        column.addWidget(self._scrolled)
        project.ask(lambda opened: opened.batches.mean_output_tokens(), self._take_means)

    def show_text(self, text: str) -> None:
        """Says why there is nothing to count."""
        self._settling.stop()
        self._plan = None
        self._forget()
        self.summary.setText(text)

    def count(self, plan: BatchPlan, problems: Sequence[str]) -> None:
        """Counts a plan.

        problems: what else to tell, in sentences.
        """
        self._plan = plan
        self._problems = problems
        self._forget()
        self.summary.setText("Counting…")
        self._settling.start()

    def cancel(self) -> None:
        """Stops counting."""
        self._settling.stop()
        if self._job is not None and self._job.is_pending:
            self._job.cancel()

    def _forget(self) -> None:
        self.preview = None
        self.notes.clear()
        self._scrolled.setVisible(False)

    def _take_means(self, means: dict[tuple[str, str], float]) -> None:
        self._means = means
        if self._plan is not None:
            self.count(self._plan, self._problems)

    def _run(self) -> None:
        plan = self._plan
        if plan is None:
            return
        self.cancel()
        self._job = self._jobs.run(
            "Counting",
            background.preview,
            plan.model_dump_json(),
            self._means,
            done=lambda preview: self._show_preview(plan, preview),
            failed=self.summary.setText,
            quiet=True,
        )

    def _show_preview(self, plan: BatchPlan, preview: BatchPreview) -> None:
        if plan is not self._plan:
            return
        self.preview = preview
        self.summary.setText(" ".join(filter(None, (expectation(preview.estimates), _words_of(plan.agent)))))
        lines = [f"✗ {escape(text)}" for text in self._problems]
        lines += [_line(concern) for concern in preview.concerns]
        self.notes.setText("<br>".join(lines))
        self._scrolled.setVisible(bool(lines))
        self.counted.emit()


def _line(concern: Concern) -> str:
    sign = "✗" if concern.stops else "•"
    who = f"<b>{escape(concern.contender)}</b>: " if concern.contender else ""
    return f"{sign} {who}{escape(concern.sentence)}"


def _words_of(agent: AgentPlan | None) -> str:
    """The agent with the options that were set, as a sentence; empty if it has no options."""
    if agent is None:
        return ""
    declared = declared_options(agent.kind)
    if declared is None or not options_of_kind(declared, agent.kind):
        return ""
    words = words_of_options(declared, agent.kind, agent.options)
    return f"{agents_offered()[agent.kind]} with {words or 'the usual options'}."
