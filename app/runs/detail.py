"""One attempt: its drawing and verdicts, with tabs for prompt, replies, usage and history."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.attempts import dossier as words
from spatial_workbench.app.attempts import drawings
from spatial_workbench.app.attempts.columns import instance_title
from spatial_workbench.app.attempts.dossier import Dossier
from spatial_workbench.app.attempts.latest import Latest, LatestReply
from spatial_workbench.app.attempts.long_text import LongText
from spatial_workbench.app.attempts.stage import ComparisonStage
from spatial_workbench.app.attempts.text_list import TextList, moment_words
from spatial_workbench.app.attempts.transcript_page import TranscriptPage
from spatial_workbench.app.attempts.words import cut_off_words
from spatial_workbench.app.frame.people import author_of
from spatial_workbench.app.runs.failure import FailurePage
from spatial_workbench.app.runs.remarking.remarks_page import RemarksPage
from spatial_workbench.app.runs.steps import StepsPage
from spatial_workbench.app.runs.transcript_loading import TranscriptLoading
from spatial_workbench.app.runs.usage import UsagePage
from spatial_workbench.engine.core import Prompt, Verdict
from spatial_workbench.engine.core.words import score_words
from spatial_workbench.engine.store.facts import verifier_title
from spatial_workbench.widgets.panels.prompt_panel import PromptPanel
from spatial_workbench.widgets.panels.verdict_panel import VerdictPanel
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import Jobs
    from spatial_workbench.app.background.project_service import ProjectService

NO_REASONING = "No reasoning is stored with this attempt."
NOTHING = "Select an attempt to see it here."


class RunDetail(QWidget):
    """Shows an attempt. Reads and draws in the background; the newest request wins.

    Signals:
        judge_wanted(int): let a model judge which steps of a puzzle this attempt met.
    """

    judge_wanted = Signal(int)

    def __init__(
        self,
        project: ProjectService,
        jobs: Jobs,
        person: Callable[[], str] = str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._project = project
        self._jobs = jobs
        self._reading = LatestReply(project)
        self._drawing = Latest()
        self._is_closed = False
        self.dossier: Dossier | None = None
        self._make_head()
        self.stage = ComparisonStage("The attempt, drawn")
        self.verifier = ChoiceBox()
        self.verifier.setAccessibleName("Verifier")
        self.verifier.setToolTip("The verifier whose verdict is shown and drawn")
        self.verifier.currentIndexChanged.connect(lambda: self._show_verdict(reset_view=False))
        self.verdict_panel = VerdictPanel()
        self.verdict_panel.offer_crosscheck(False)
        self.verdict_panel.elements_clicked.connect(self.stage.show_elements)
        self.prompt_panel = PromptPanel()
        self.transcript = TranscriptPage()
        self.raw = LongText("Raw output")
        self.reasoning = LongText("Reasoning")
        self.usage = UsagePage()
        self.steps = StepsPage(person)
        self.steps.judge_wanted.connect(self.judge_wanted)
        self.steps.ticked.connect(lambda store: self._project.tell(store, announce=True))
        self.failure = FailurePage()
        self.remarks = RemarksPage()
        self.history = TextList("History", ("When", "What", "Says"), (128, 120))
        self._lay_out()
        self._transcripts = TranscriptLoading(self.transcript, self.tabs, project, jobs)
        self.clear()

    def clear(self) -> None:
        """Shows no attempt."""
        self.dossier = None
        self._title.setText("")
        self._subtitle.setText("")
        self._override.hide()
        self._cut_off.hide()
        self._trouble.hide()
        self.tabs.hide()
        self.stage.show_words(NOTHING)
        self.verdict_panel.show_verdict(None)

    def show_attempt(self, number: int) -> None:
        """Shows an attempt. If it is already shown, only changes are read."""
        self._reading.ask(lambda project: words.collect(project, number), self._show_reply)

    def close_detail(self) -> None:
        """Releases the graphics resources and ignores later results."""
        self._is_closed = True
        self._reading.close()
        self._transcripts.close()
        self.stage.close_view()

    @property
    def is_idle(self) -> bool:
        """Whether everything requested is shown."""
        return self._reading.is_idle and self._drawing.is_idle and self._transcripts.is_idle

    def _show_reply(self, dossier: Dossier | None) -> None:
        if self._reading.is_outdated:
            return
        if dossier is None:
            self.clear()
        elif dossier != self.dossier:
            self._show_dossier(dossier)

    def _show_dossier(self, dossier: Dossier) -> None:
        is_other = self.dossier is None or self.dossier.row.number != dossier.row.number
        self.dossier = dossier
        self.tabs.show()
        row = dossier.row
        self._title.setText(instance_title(row.address))
        facts = [f"#{row.number}", author_of(row)]
        facts.append(row.submitted_at.astimezone().strftime("%d %b %Y %H:%M"))
        self._subtitle.setText(with_marks(" · ".join(facts)))
        self._override.setVisible(dossier.override is not None)
        if dossier.override is not None:
            self._override.setText(with_marks(f"Overridden: {dossier.override.in_words(dossier.judged_score)}"))
        self._cut_off.setVisible(row.cut_off is not None)
        self._cut_off.setText(f"{cut_off_words(row.cut_off)}.")
        self._fill_verifiers(dossier.attempt.verdicts, keep=not is_other)
        if dossier.prompt is not None:
            self.prompt_panel.show_prompt(Prompt(dossier.prompt))
        self._transcripts.follow(dossier)
        self.raw.show_text(words.raw_output(dossier))
        self.reasoning.show_text(words.reasoning(dossier) or NO_REASONING)
        self.usage.show_usage(dossier)
        self.steps.show_sheet(dossier.steps)
        self.tabs.setTabVisible(self.tabs.indexOf(self.steps), dossier.steps is not None)
        self.failure.show_labels(dossier.labels)
        self.tabs.setTabVisible(self.tabs.indexOf(self.failure), bool(dossier.labels))
        standing = sum(remark.withdrawn_at is None for remark in dossier.remarks)
        self.tabs.setTabText(self.tabs.indexOf(self.remarks), f"Notes · {standing}" if standing else "Notes")
        self.remarks.show_remarks(dossier.remarks, is_other)
        self.history.clear()
        for event in words.history(dossier):
            self.history.add_texts([moment_words(event.at), event.what, event.words])
        self._show_verdict(reset_view=is_other)

    def _fill_verifiers(self, verdicts: Sequence[Verdict], keep: bool) -> None:
        chosen = self.verifier.currentData() if keep else "default"
        self.verifier.blockSignals(True)
        self.verifier.clear()
        for verdict in verdicts:
            word = "passed" if verdict.passed else "not passed"
            self.verifier.addItem(
                f"{verifier_title(verdict.verifier)} · {score_words(verdict.score)} {word}", verdict.verifier
            )
        self.verifier.setCurrentIndex(max(0, self.verifier.findData(chosen)))
        self.verifier.blockSignals(False)
        self.verifier.setEnabled(bool(verdicts))

    def _show_verdict(self, reset_view: bool) -> None:
        if self.dossier is None:
            return
        attempt = self.dossier.attempt
        name = self.verifier.currentData()
        verdict = next((judged for judged in attempt.verdicts if judged.verifier == name), None)
        self.verdict_panel.show_verdict(verdict)
        needs_prompt = self.dossier.prompt is None
        sketches = self.dossier.sketches

        def show(drawn: drawings.AttemptDrawing) -> None:
            if self._drawing.is_outdated:
                return
            if needs_prompt and drawn.prompt is not None:
                self.prompt_panel.show_prompt(drawn.prompt)
            self._trouble.setVisible(bool(drawn.trouble))
            self._trouble.setText(drawn.trouble)
            if drawn.scene is None:
                self.stage.show_words("There is nothing to draw.")
            else:
                self.stage.show_scene(drawn.scene, verdict.failed_elements if verdict else (), reset_view)

        def begin(ended: Callable[[], None]) -> None:
            self._jobs.live.run(
                "Drawing the attempt",
                drawings.draw_with_sketches,
                attempt.address,
                attempt.answer,
                verdict,
                needs_prompt,
                sketches,
                done=lambda drawn: self._end_drawing(lambda: show(drawn), ended),
                failed=lambda text: self._end_drawing(
                    lambda: self.stage.show_words(f"This attempt could not be drawn. {text}"), ended
                ),
                quiet=True,
            )

        self._drawing.run(begin)

    def _end_drawing(self, show: Callable[[], None], ended: Callable[[], None]) -> None:
        if not self._is_closed:
            show()
            ended()

    def _make_head(self) -> None:
        self._title = QLabel()
        self._title.setObjectName("panelTitle")
        self._title.setWordWrap(True)
        self._subtitle = QLabel()
        self._subtitle.setObjectName("secondary")
        self._override = QLabel()
        self._override.setObjectName("note")
        self._override.setWordWrap(True)
        self._cut_off = QLabel()
        self._cut_off.setObjectName("note")
        self._cut_off.setWordWrap(True)
        self._trouble = QLabel()
        self._trouble.setObjectName("error")
        self._trouble.setWordWrap(True)
        self._trouble.hide()

    def _lay_out(self) -> None:
        verdict = QWidget()
        column = QVBoxLayout(verdict)
        column.setContentsMargins(0, 2 * SPACE, 0, 0)
        column.setSpacing(0)
        choice = QHBoxLayout()
        choice.setContentsMargins(3 * SPACE, 0, 3 * SPACE, 0)
        choice.addWidget(self.verifier, 1)
        column.addLayout(choice)
        column.addWidget(self.verdict_panel, 1)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        pages = (
            (verdict, "Verdict"),
            (self.steps, "Steps"),
            (self.prompt_panel, "Prompt"),
            (self.transcript, "Transcript"),
            (self.raw, "Raw output"),
            (self.reasoning, "Reasoning"),
            (self.usage, "Usage"),
            (self.failure, "Failure mode"),
            (self.remarks, "Notes"),
            (self.history, "History"),
        )
        for page, title in pages:
            self.tabs.addTab(page, title)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(self.stage)
        self.splitter.addWidget(self.tabs)
        self.splitter.setSizes([380, 420])
        self.splitter.setChildrenCollapsible(False)
        head = QVBoxLayout()
        head.setContentsMargins(4 * SPACE, 3 * SPACE, 4 * SPACE, 3 * SPACE)
        head.setSpacing(SPACE)
        for label in (self._title, self._subtitle, self._cut_off, self._override, self._trouble):
            head.addWidget(label)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.splitter, 1)
