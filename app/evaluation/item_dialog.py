"""One item of a batch: its state, every request made for it, and the replies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QTabWidget, QVBoxLayout, QWidget

from spatial_workbench.app.attempts.columns import instance_label, task_title
from spatial_workbench.app.attempts.long_text import LongText
from spatial_workbench.app.attempts.text_list import RequestList
from spatial_workbench.app.attempts.transcript_page import TranscriptPage
from spatial_workbench.app.evaluation.items import STATES
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan
from spatial_workbench.engine.evaluation.transcripts import TranscriptStep, read_transcript
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.app.evaluation.watch import BatchWatch
    from spatial_workbench.engine.store import BatchItem, Project, StoredReply, StoredTry


@dataclass(frozen=True)
class _Content:
    item: BatchItem
    model: str
    prompt: str
    tries: Sequence[StoredTry]
    replies: Sequence[StoredReply]
    transcript: Sequence[TranscriptStep]


class ItemDialog(QDialog):
    """Shows an item, and follows it while its batch runs.

    Signals:
        instance_wanted(str): open this instance.
        attempt_wanted(int): show the attempt that the item led to.
    """

    instance_wanted = Signal(str)
    attempt_wanted = Signal(int)

    def __init__(self, project: ProjectService, watch: BatchWatch, item: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._project = project
        self._item = item
        self._content: _Content | None = None
        self._is_closed = False
        self.resize(760, 520)
        self.setWindowTitle(f"Item {item}")
        self.heading = QLabel()
        self.heading.setObjectName("panelTitle")
        self.heading.setWordWrap(True)
        self.state = QLabel()
        self.state.setWordWrap(True)
        self.requests = RequestList()
        self.prompt = LongText("Prompt")
        self.transcript = TranscriptPage()
        self.raw = LongText("Raw output")
        self.reasoning = LongText("Reasoning")
        self._lay_out()
        watch.changed.connect(self._read)
        self._read()

    def done(self, result: int) -> None:
        """Stops following."""
        self._is_closed = True
        super().done(result)

    def _lay_out(self) -> None:
        tabs = QTabWidget()
        tabs.setDocumentMode(True)
        for page, title in (
            (self.transcript, "Transcript"),
            (self.requests, "Requests"),
            (self.prompt, "Prompt"),
            (self.raw, "Raw output"),
            (self.reasoning, "Reasoning"),
        ):
            tabs.addTab(page, title)
        self.attempt = QPushButton("Show attempt")
        self.attempt.clicked.connect(self._open_attempt)
        self.instance = QPushButton("Open instance")
        self.instance.clicked.connect(self._open_instance)
        close = QPushButton("Close")
        close.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        row.addStretch(1)
        for button in (self.attempt, self.instance, close):
            row.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        layout.setSpacing(3 * SPACE)
        layout.addWidget(self.heading)
        layout.addWidget(self.state)
        layout.addWidget(tabs, 1)
        layout.addLayout(row)

    def _read(self) -> None:
        number = self._item
        self._project.ask(lambda project: _collect(project, number), self._show_content)

    def _show_content(self, content: _Content) -> None:
        if self._is_closed or content == self._content:
            return
        self._content = content
        item = content.item
        task = task_title(item.task)
        self.heading.setText(f"{task} {instance_label(item.address)} · {content.model} · repeat {item.repeat + 1}")
        reason = ": ".join(filter(None, (item.error, item.message)))
        self.state.setText(f"{STATES[item.state][0]}. {reason}".strip())
        self.requests.show_requests(content.tries)
        self.transcript.show_steps(content.transcript)
        self.prompt.show_text(content.prompt)
        self.raw.show_text("\n\n".join(reply.text for reply in content.replies))
        self.reasoning.show_text("\n\n".join(reply.reasoning for reply in content.replies if reply.reasoning))
        self.attempt.setEnabled(item.attempt is not None)

    def _open_instance(self) -> None:
        if self._content is not None:
            self.instance_wanted.emit(self._content.item.address)
            self.accept()

    def _open_attempt(self) -> None:
        if self._content is not None and self._content.item.attempt is not None:
            self.attempt_wanted.emit(self._content.item.attempt)
            self.accept()


def _collect(project: Project, number: int) -> _Content:
    item = project.items.get(number)
    plan = BatchPlan.model_validate_json(project.batches.plan(item.batch))
    replies = project.runs.replies(item.lead)
    prompt = replies[0].prompt if replies else None
    return _Content(
        item=item,
        model=plan.contenders[item.model].settings.name,
        prompt="" if prompt is None else project.runs.prompt_text(prompt),
        tries=project.items.tries(item.lead),
        replies=replies,
        transcript=_transcript(project, item),
    )


def _transcript(project: Project, item: BatchItem) -> Sequence[TranscriptStep]:
    """What was said and done so far; without a record of the run that cannot be read."""
    try:
        return read_transcript(project, item.lead, item.attempt)
    except ValueError:
        return read_transcript(project, item.lead, None)
