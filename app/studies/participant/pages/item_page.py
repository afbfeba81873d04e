"""An item: the prompt at the left, and at the right the editor, the field for a typed answer, or the options."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence, QShowEvent, QTextCursor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPlainTextEdit,
    QScrollBar,
    QSplitter,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.background.jobs import Jobs, ScopedRunner
from spatial_workbench.app.background.live_verdicts import LiveVerdicts
from spatial_workbench.app.frame.undo import UndoGroup
from spatial_workbench.app.studies.participant.pages.column import ColumnPage
from spatial_workbench.app.studies.participant.pages.fields import OptionsChoice
from spatial_workbench.app.studies.participant.pages.head import ONE_ROW_SCALE
from spatial_workbench.app.studies.participant.texts import StudyText, announce, words
from spatial_workbench.app.studies.prompt_room import SMALLEST_PX, share_of
from spatial_workbench.engine.core import Aid, Answer, AnswerError, Instance, Openness, Prompt, Task
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.puzzles.annotation.layers import LayerError, PuzzleLayer, read_layer, write_layer
from spatial_workbench.engine.studies.planning.document import ItemKind
from spatial_workbench.engine.studies.sessions.edit_history import DraftHistory
from spatial_workbench.engine.studies.sessions.sitting import Sitting
from spatial_workbench.widgets.appearance import appearance, scaled
from spatial_workbench.widgets.editing.abilities import TakesSketches, save_sketches_of, submission_question_of
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.editor import GIVE_UP, SUBMIT
from spatial_workbench.widgets.editing.standing import cursor_in, stand_again, standing_of
from spatial_workbench.widgets.editors import make_editor
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.layouts import row
from spatial_workbench.widgets.panels.answer_panel import AnswerPanel, CodeEdit
from spatial_workbench.widgets.panels.prompt_panel import PromptPanel
from spatial_workbench.widgets.panels.verdict_panel import SHOW_WRONG, VerdictPanel
from spatial_workbench.widgets.qt import call_later
from spatial_workbench.widgets.shown_text import common_length, select_text
from spatial_workbench.widgets.theme import SPACE

SCRATCH_MS = 500
STORE_MS = 40
"""An edit is stored so long after it was made; those in between are stored with it."""
MESSAGE_MS = 6_000
LOG_MS = 2_000
"""The least time between two events about the visible part."""
NEVER = frozenset({"Import…", "Paint a cube", "Pause clock", GIVE_UP, SUBMIT})
"""Controls that no study has: other programs' files, outside help, and what the head of the page has already."""
CODE = frozenset({"Source…", "Run"})
"""Controls that only studies have in which people may write programs."""
TOOLS_PX = 200


class ItemPage(QWidget):
    """An item of a study.

    Signals:
        submit_wanted(): the person wants to hand in the answer.
    """

    submit_wanted = Signal()

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.sitting = sitting
        self._position = sitting.state.position
        self._later = QTimer(self, singleShot=True, interval=STORE_MS)
        self._later.timeout.connect(sitting.work.store)

    def log_scrolling(self, panel: PromptPanel) -> None:
        """Logs how much of the prompt was visible, and that the prompt is scrolled, at most every two seconds."""
        bar = panel.text.verticalScrollBar()
        rest = QTimer(self, singleShot=True, interval=LOG_MS)
        rest.timeout.connect(lambda: self.sitting.log("prompt_scroll", share=_seen(bar)))
        bar.valueChanged.connect(lambda _: None if rest.isActive() else rest.start())

    def take(self, label: str, answer: Answer | str, step: int | None = None) -> bool:
        """Passes an edit on to the session; an item that has ended accepts none, even if its page still changes.

        step: where the editor's history stands after it.
        """
        if self.sitting.state.position != self._position:
            return False
        self.sitting.work.item_shown()
        taken = self.sitting.work.edit(label, answer, stores_now=False, step=step)
        if taken and not self._later.isActive():
            self._later.start()
        return taken

    def objection(self) -> str:
        """The objection that the person sees once before an answer is handed in; empty if there is none."""
        return ""

    def show_refusal(self, text: str) -> None:
        """Says why an answer is not handed in."""

    def store_notes(self) -> None:
        """Passes on sketches and notes that are not stored yet."""

    def note_cursor(self) -> None:
        """Passes on where keys act, so that it is the same after a crash."""

    def first_field(self) -> QWidget:
        """The widget that has the focus first."""
        return self

    def close_page(self) -> None:
        """Releases all resources."""


def page_of(sitting: Sitting, jobs: Jobs) -> ItemPage:
    """The page of the current item.

    Raises:
        Exception: The editor or the data failed.
    """
    if sitting.state.item.kind is not ItemKind.INSTANCE:
        return ChoicePage(sitting)
    return TypedPage(sitting) if sitting.state.is_typed else EditorPage(sitting, jobs)


class ChoicePage(ItemPage):
    """A choice, or a page to read."""

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(sitting)
        item = sitting.state.item
        self.body = ColumnPage("", "")
        self.body.title.hide()
        self.body.add(StudyText(sitting.state.words(item.shows), tr("Question")))
        self.options = OptionsChoice(tr("Question"), sitting.state.option_words(item.options))
        self.options.chosen.connect(self._choose)
        if item.kind is ItemKind.QUESTION:
            self.body.add(self.options)
        self.body.end()
        draft = sitting.work.draft()
        if isinstance(draft, str) and draft:
            self.options.choose(json.loads(draft))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.body)

    def first_field(self) -> QWidget:
        """The first option."""
        return self.options if self.options.buttons else self

    def _choose(self, option: str) -> None:
        self.sitting.work.choose(option)


class EditorPage(ItemPage):
    """An editor with the aids that the condition allows."""

    def __init__(self, sitting: Sitting, jobs: Jobs) -> None:
        super().__init__(sitting)
        task, instance = sitting.state.subject()
        draft = sitting.work.draft()
        begun = draft if isinstance(draft, Answer) else None
        self.document: AnswerDocument[Any] = AnswerDocument(task, instance, begun)
        if draft is None:
            sitting.work.begin_draft(self.document.answer)
        else:
            history = sitting.work.history()
            steps = ((step.label, step.before, step.after) for step in history.steps)
            self.document.restore_history(steps, history.index)
        self._runner = ScopedRunner(jobs)
        self.aids = sitting.state.editor_aids
        withheld = NEVER if sitting.state.condition.tools_code else NEVER | CODE
        self.answer_panel: AnswerPanel | None = None
        self._objected = ""
        self.editor = make_editor(self.document, self._runner, aids=self.aids, withheld=withheld)
        self.live: LiveVerdicts | None = None
        self.prompt = _prompt_panel(sitting, task, instance)
        self.verdict_panel: VerdictPanel | None = None
        if Aid.JUDGING in self.aids:
            self._judge_live(jobs)
        self._lay_out()
        self._connect()
        if isinstance(self.editor, TakesSketches):
            self.editor.show_sketches(_layers_of(sitting.state.record.sketches))
        stand_again(self.editor, sitting.work.standing)
        if self.live is not None:
            self.live.request()

    def first_field(self) -> QWidget:
        """The editor's view."""
        return self.editor.view

    def close_page(self) -> None:
        """Stops what runs in the background, and frees the views."""
        self.store_notes()
        self.sitting.work.store()
        self.document.edited.disconnect(self._edited)
        if self.live is not None:
            self.live.cancel()
        self._history.release(self.document.undo_stack)
        self._runner.close()
        self.editor.close_editor()

    def objection(self) -> str:
        """What is typed as text and cannot be read, once for each text; or the editor's own question."""
        panel = self.answer_panel
        if panel is None or not panel.is_typed or panel.apply():
            return submission_question_of(self.editor)
        if panel.text.toPlainText() == self._objected:
            return ""
        self._objected = panel.text.toPlainText()
        return tr(
            "What you typed under “As text” cannot be read: {reason}. If you submit now, what you built in the editor "
            "is handed in instead.",
            reason=panel.error.text(),
        )

    def show_message(self, text: str) -> None:
        """Shows a message of the editor for a while."""
        self._message.setText(text)
        announce(self._message, text)
        call_later(self._message, lambda: self._forget(text), MESSAGE_MS)

    def show_refusal(self, text: str) -> None:
        self.show_message(text)

    def _forget(self, text: str) -> None:
        if self._message.text() == text:
            self._message.setText("")

    def _judge_live(self, jobs: Jobs) -> None:
        self.live = LiveVerdicts(self.document, jobs)
        panel = self.verdict_panel = VerdictPanel()
        panel.offer_crosscheck(False)
        panel.offer_help(wrong=Aid.SOLVING in self.aids, key=False)
        panel.show_rule(self.document.task.live, self.document.openness)
        panel.wrong_wanted.connect(self._show_wrong)
        panel.elements_clicked.connect(self.editor.show_elements)
        panel.cancel_requested.connect(self.live.cancel)
        self.live.waiting_changed.connect(panel.show_waiting)
        self.live.failed.connect(self.show_message)

        def show() -> None:
            panel.show_verdict(self.document.verdict, self.document.is_verdict_current)

        self.document.verdict_changed.connect(show)
        self.document.answer_changed.connect(lambda: panel.set_current(False))

    def _show_wrong(self, shows: bool) -> None:
        """Shows right and wrong while the person works, or no more than the task's rule allows."""
        if shows:
            self.sitting.log("tool", name=SHOW_WRONG, aid=Aid.SOLVING.value)
        self.document.open_to(Openness.WRONG if shows else Openness.RULE)
        assert self.verdict_panel is not None
        self.verdict_panel.show_rule(self.document.task.live, self.document.openness)

    def _lay_out(self) -> None:
        left = QSplitter(Qt.Orientation.Vertical)
        left.setChildrenCollapsible(False)
        left.addWidget(self._task_tabs())
        if self.verdict_panel is not None:
            left.addWidget(self.verdict_panel)
        self._has_tools_beside = appearance().type_scale <= ONE_ROW_SCALE or self.verdict_panel is not None
        if not self._has_tools_beside:
            # Large tools beside a large text would leave no room to work in.
            left.addWidget(self.editor.tools)
            left.setSizes([1000, 1000])
            self.splitter = _split(left, self.editor, self.prompt)
        else:
            self.splitter = _split(left, self._tools_and_editor(), self.prompt)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.splitter, 1)
        column.addWidget(self._make_status())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._has_tools_beside:
            # Only now do the tools have the margins of the window's style sheet.
            self.editor.tools.setFixedWidth(max(TOOLS_PX, self.editor.tools.minimumSizeHint().width()))

    def _tools_and_editor(self) -> QWidget:
        work = QWidget()
        row(work, self.editor.tools, self.editor, spacing=1).setStretch(1, 1)
        return work

    def _task_tabs(self) -> QWidget:
        if Aid.EDITING not in self.aids:
            return self.prompt
        tabs = QTabWidget()
        tabs.setAccessibleName(tr("Task and answer"))
        tabs.addTab(self.prompt, tr("Task"))
        self.answer_panel = AnswerPanel(self.document, self._runner.run_soon)
        tabs.addTab(self.answer_panel, tr("As text"))
        if typed := self.sitting.state.record.unapplied:
            self.answer_panel.text.setPlainText(typed)
            tabs.setCurrentWidget(self.answer_panel)
        self._later_text = QTimer(self, singleShot=True, interval=STORE_MS)
        self._later_text.timeout.connect(self._store_typed)
        self.answer_panel.text.textChanged.connect(self._later_text.start)
        self.document.edited.connect(lambda *_: self._later_text.start())
        return tabs

    def _make_status(self) -> QWidget:
        status = QWidget()
        status.setObjectName("panel")
        status.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        line = QHBoxLayout(status)
        line.setContentsMargins(3 * SPACE, SPACE, 3 * SPACE, SPACE)
        self._status = words(said(self.editor.status()), "secondary", wraps=False)
        self._message = words("", "note", wraps=False)
        self._message.setAccessibleName(tr("Message"))
        line.addWidget(self._status)
        line.addStretch(1)
        line.addWidget(self._message)
        self._history = UndoGroup(self)
        self._history.set_active(self.document.undo_stack)
        undo = (self._history.undo_action, QKeySequence.StandardKey.Undo, "undo")
        redo = (self._history.redo_action, QKeySequence.StandardKey.Redo, "redo")
        for action, keys, name in (undo, redo):
            line.addWidget(_history_button(self, action, keys, name))
        return status

    def _connect(self) -> None:
        self.log_scrolling(self.prompt)
        rest = QTimer(self, singleShot=True, interval=LOG_MS)
        rest.timeout.connect(lambda: self.sitting.log("view"))
        self.editor.view.view_changed.connect(lambda: None if rest.isActive() else rest.start())
        self.addActions([action for action in self.editor.actions() if "Tab" not in action.shortcut().toString()])
        self.document.edited.connect(self._edited)
        if isinstance(self.editor, TakesSketches):
            self.editor.sketch_drawn.connect(self._sketched)
        self.editor.status_changed.connect(self._status.setText)
        self.editor.message.connect(lambda text: self.show_message(said(text)))
        self.editor.submit_wanted.connect(self.submit_wanted)
        self.editor.aid_used.connect(lambda name, aid: self.sitting.log("tool", name=name, aid=aid.value))

    def _edited(self, label: str, before: Answer, after: Answer) -> None:
        self.take(label, after, self.document.step)

    def _sketched(self, layer: PuzzleLayer) -> None:
        if self.sitting.state.position == self._position:
            self.sitting.work.sketch(layer.page, write_layer(layer).decode())

    def note_cursor(self) -> None:
        if self.sitting.state.position == self._position:
            self.sitting.work.stand_at(standing_of(self.editor))

    def store_notes(self) -> None:
        self.note_cursor()
        save_sketches_of(self.editor)
        if self.answer_panel is not None:
            self._store_typed()

    def _store_typed(self) -> None:
        """Passes on what is typed as text and not applied, so that the end of the time does not lose it."""
        assert self.answer_panel is not None
        self._later_text.stop()
        text = self.answer_panel.typed_text
        if self.sitting.state.position == self._position and text != self.sitting.state.record.unapplied:
            self.sitting.work.type_text(text)


class TypedPage(ItemPage):
    """A field for an answer that is typed, as a model types it, with the schema and a scratch pad that nobody marks."""

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(sitting)
        task, instance = sitting.state.subject()
        self.prompt = _prompt_panel(sitting, task, instance)
        self.text = CodeEdit()
        self.text.setAccessibleName(tr("Answer"))
        draft = sitting.work.draft()
        if isinstance(draft, str):
            _retype(self.text, sitting.work.history())
            _put_text_cursor(self.text, cursor_in(sitting.work.standing))
        else:
            sitting.work.begin_draft("")
        self.text.textChanged.connect(self._typed)
        self.scratch = QPlainTextEdit()
        self.scratch.setAccessibleName(tr("Scratch pad"))
        self.scratch.setTabChangesFocus(True)
        self.scratch.setPlainText(sitting.state.record.scratch)
        self._later_scratch = QTimer(self, singleShot=True, interval=SCRATCH_MS)
        self._later_scratch.timeout.connect(self.store_notes)
        self.scratch.textChanged.connect(self._later_scratch.start)
        self.fault = words("", "error")
        self.fault.hide()
        self._objected = ""
        self.log_scrolling(self.prompt)
        tabs = QTabWidget()
        tabs.setAccessibleName(tr("Task and schema"))
        tabs.addTab(self.prompt, tr("Task"))
        if task.answer_format == "json":
            tabs.addTab(_schema_view(task), tr("Schema"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self.splitter = _split(tabs, self._make_work(), self.prompt)
        column.addWidget(self.splitter)

    def first_field(self) -> QWidget:
        """The field for the answer."""
        return self.text

    def objection(self) -> str:
        """Where the text cannot be read, once for each text, unless the condition goes without."""
        error = self.sitting.work.format_fault() if self.sitting.state.condition.format_check else None
        if error is None or self._objected == self.text.toPlainText():
            return ""
        self._objected = self.text.toPlainText()
        return self._show_fault(error)

    def close_page(self) -> None:
        self.store_notes()

    def note_cursor(self) -> None:
        cursor = self.text.textCursor()
        if self.sitting.state.position == self._position:
            self.sitting.work.stand_at({"cursor": [cursor.anchor(), cursor.position()]})

    def store_notes(self) -> None:
        self.note_cursor()
        self._later_scratch.stop()
        text = self.scratch.toPlainText()
        if self.sitting.state.position == self._position and text != self.sitting.state.record.scratch:
            self.sitting.work.scratch(text)

    def show_refusal(self, text: str) -> None:
        self.fault.setText(text)
        self.fault.show()

    def _show_fault(self, error: AnswerError) -> str:
        self.text.mark_line(error.line)
        reason = said(str(error))
        if error.line:
            reason = tr("line {number}: {reason}", number=error.line, reason=said(error.message))
        text = tr("{reason}. Submit again to hand it in as it is.", reason=reason)
        self.show_refusal(text)
        return text

    def _typed(self) -> None:
        self.fault.hide()
        self.text.mark_line(None)
        self.take("Type", self.text.toPlainText())

    def _make_work(self) -> QWidget:
        work = QWidget()
        work.setObjectName("panel")
        work.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(work)
        column.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
        column.setSpacing(2 * SPACE)
        for title, field, share in ((tr("Answer"), self.text, 3), (tr("Scratch pad"), self.scratch, 1)):
            label = words(title, "sectionTitle")
            label.setBuddy(field)
            column.addWidget(label)
            column.addWidget(field, share)
            if field is self.text:
                column.addWidget(self.fault)
        column.addWidget(words(tr("What stands in the scratch pad is stored, but never marked."), "secondary"))
        return work


def _retype(field: QPlainTextEdit, history: DraftHistory) -> None:
    """Types a text as it was typed before, so that it can be undone; the cursor stands behind the last change."""
    texts = ["\n".join(state["lines"]) for state in (history.begun, *(step.after for step in history.steps))]
    field.setPlainText(texts[0])
    cursor = field.textCursor()
    for before, after in pairwise(texts):
        start = common_length(before, after)
        end = common_length(before[start:][::-1], after[start:][::-1])
        cursor.beginEditBlock()
        cursor.setPosition(_place(before[:start]))
        cursor.setPosition(_place(before[: len(before) - end]), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(after[start : len(after) - end])
        cursor.endEditBlock()
    field.setTextCursor(cursor)


def _put_text_cursor(field: QPlainTextEdit, places: Sequence[int]) -> None:
    """Puts the cursor, and the other end of what is selected, where they were; other numbers are ignored."""
    if len(places) != 2 or not all(0 <= place < field.document().characterCount() for place in places):
        return
    select_text(field, places[0], places[1])


def _place(text: str) -> int:
    """Where a text field's cursor stands behind a text; Qt counts characters beyond the first 65,536 twice."""
    return len(text.encode("utf-16-le")) // 2


def _layers_of(sketches: Mapping[str, str]) -> list[PuzzleLayer]:
    """The sketches that can be read; what a session stored can always be, unless another version wrote it."""
    layers = []
    for sketch in sketches.values():
        with suppress(LayerError):
            layers.append(read_layer(sketch.encode()))
    return layers


def _seen(bar: QScrollBar) -> float:
    """The share of a text above the lower edge of the visible part."""
    return round((bar.value() + bar.pageStep()) / max(1, bar.maximum() + bar.pageStep()), 2)


def _split(left: QWidget, right: QWidget, prompt: PromptPanel) -> QSplitter:
    """The prompt beside the work; a prompt with long lines gets more room, so that it is not scrolled sideways."""
    share = share_of(prompt.width_needed)
    splitter = QSplitter(Qt.Orientation.Horizontal)
    splitter.setHandleWidth(SPACE)
    splitter.setChildrenCollapsible(False)
    splitter.addWidget(left)
    splitter.addWidget(right)
    splitter.setStretchFactor(0, round(100 * share))
    splitter.setStretchFactor(1, round(100 * (1 - share)))
    splitter.setSizes([round(SMALLEST_PX[0] * share), round(SMALLEST_PX[0] * (1 - share))])
    return splitter


def _prompt_panel(sitting: Sitting, task: Task[Any], instance: Instance) -> PromptPanel:
    panel = PromptPanel()
    prompt: Prompt = task.prompt(instance)
    panel.show_prompt(prompt)
    if sitting.state.condition.clipboard == "off":
        panel.copy_button.hide()
        panel.text.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
    return panel


def _schema_view(task: Task[Any]) -> QWidget:
    view = CodeEdit()
    view.setReadOnly(True)
    view.setPlainText(json.dumps(task.schema(), indent=2, ensure_ascii=False))
    view.setAccessibleName(tr("Schema of the answer"))
    return view


def _history_button(page: QWidget, action: QAction, keys: QKeySequence.StandardKey, name: str) -> QToolButton:
    action.setShortcuts(QKeySequence.keyBindings(keys))
    action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    action.setIcon(icon(name))
    page.addAction(action)
    button = QToolButton()
    button.setDefaultAction(action)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setMinimumSize(scaled(28), scaled(28))
    button.setIconSize(QSize(scaled(16), scaled(16)))
    return button
