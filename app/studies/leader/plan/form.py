"""The plan of a study as a form, with what is wrong at each field, or as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from PySide6.QtCore import QSignalBlocker, QSize, QTimer, Signal
from PySide6.QtGui import QIcon, QShowEvent, QUndoStack
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.frame.undo import SharedHistory, StateChange
from spatial_workbench.app.studies.leader.plan.contrasts import ContrastsField
from spatial_workbench.app.studies.leader.plan.fields import (
    Data,
    Field,
    add_fields,
    covers,
    monospaced,
    value_at,
    with_value,
)
from spatial_workbench.app.studies.leader.plan.languages import name_of, without_languages
from spatial_workbench.app.studies.leader.plan.planner import PlannerPanel
from spatial_workbench.app.studies.leader.plan.records import MARK_PX
from spatial_workbench.app.studies.leader.plan.sections import PlanSection, sections
from spatial_workbench.app.studies.leader.work import CheckedPlan, KnownRun
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.studies.planning.checking import StudyProblem
from spatial_workbench.engine.studies.planning.slots import main_items, most_rows
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.panels.problem_lines import problem_line
from spatial_workbench.widgets.theme import SPACE

TYPED_MS = 350
"""How long nothing is typed before a change is checked."""
UNDO_LIMIT = 200
COLUMN_PX = 760
SECTIONS_PX = 150
UNWATCHED = (
    "What the software cannot watch: tools that are declared, phones, a second machine. Full screen is no lock. Whoever"
    " has a bundle can forge results. The condition “model” takes aids away, not sight, hands or memory. One person's"
    " items share a memory; a model's do not. Few people give wide intervals."
)


class PlanForm(QWidget):
    """A plan: the form, or the document as JSON.

    Signals:
        changed(dict): the document as the person wants it; it may not be readable.
        passphrase_given(str): a new passphrase to leave the participant's window.
    """

    changed = Signal(dict)
    passphrase_given = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.data: Data = {}
        self._emitted: Data = {}
        self.problems: tuple[StudyProblem, ...] = ()
        self._unread: dict[str, str] = {}
        self._is_fixed = False
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(UNDO_LIMIT)
        self._shared_history = SharedHistory(self)
        self._runs: tuple[KnownRun, ...] = ()
        self._timer = QTimer(self, singleShot=True, interval=TYPED_MS)
        self._timer.timeout.connect(self._emit)
        self.sections = sections()
        self.fields: dict[str, Field] = {}
        self._of_section: list[tuple[Field, ...]] = []
        self._checked: CheckedPlan | None = None
        self._building = QTimer(self, interval=0)
        self._building.timeout.connect(self._build_next)
        self.planner = PlannerPanel()
        self.planner.chosen.connect(self._take_slots)
        self._make_passphrase()
        self._make_json()
        self._lay_out()

    @property
    def is_built(self) -> bool:
        """Whether all sections are there; they are made one after another once the form is shown."""
        return len(self._of_section) == len(self.sections)

    @property
    def is_typing(self) -> bool:
        """Whether something was typed that is not announced yet."""
        return self._timer.isActive() or bool(self._unread) or any(field.faults for field in self.fields.values())

    def build(self) -> None:
        """Makes all sections at once."""
        while not self.is_built:
            self._build_next()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self.is_built:
            self._building.start()

    def show_plan(self, data: Mapping[str, Any], is_fixed: bool) -> None:
        """Shows a document; a field that holds the same already is left alone."""
        self._timer.stop()
        self.undo_stack.clear()
        self.data = self._emitted = dict(data)
        self._unread = {}
        self._is_fixed = is_fixed
        self._fill_all(self.data)
        self._passphrase.setEnabled(not is_fixed)
        self._set_passphrase.setEnabled(not is_fixed)
        self.planner.setVisible(not is_fixed)
        self.json.setReadOnly(is_fixed)
        self._show_json()
        self._offer()

    def show_problems(self, checked: CheckedPlan) -> None:
        """Shows each problem at its field, and the rest on top."""
        self._checked = checked
        own = [StudyProblem(path, words) for path, words in self._unread.items()]
        own += [fault for field in self.fields.values() for fault in field.faults]
        self.problems = (*own, *checked.problems)
        rest = list(self.problems)
        for path, field in self.fields.items():
            mine = [problem for problem in rest if covers(path, _place(problem.place))]
            field.show_problems(mine)
            rest = [problem for problem in rest if problem not in mine]
        self._show_rest(rest)
        self._mark_sections()
        if checked.study is not None:
            study = checked.study
            count = sum(len(main_items(block)) for block in study.blocks)
            conditions = len(study.conditions) if study.assignment == "between" else 1
            self.planner.show_study(count, most_rows(study) * conditions)

    def show_passphrase(self, kept: Mapping[str, str]) -> None:
        """Takes over what the study keeps of a passphrase."""
        self._passphrase.clear()
        self._change({**self.data, "leave": dict(kept)}, "Passphrase")

    def show_as_json(self, is_json: bool) -> None:
        """Shows the document as JSON, or as a form."""
        self.stack.setCurrentIndex(int(is_json))
        self._show_json()

    def offer_runs(self, runs: tuple[KnownRun, ...]) -> None:
        """Sets the runs that people can be compared with."""
        self._runs = runs
        contrasts = self.fields.get("analysis.contrasts")
        if isinstance(contrasts, ContrastsField):
            contrasts.offer_runs(runs)

    def go_to(self, title: str) -> None:
        """Scrolls to a section."""
        self.build()
        names = [section.title for section in self.sections]
        self.list.setCurrentRow(names.index(title))

    def flush(self) -> None:
        """Announces a change that is waiting for the end of typing."""
        if self._timer.isActive():
            self._timer.stop()
            self._emit()

    def _emit(self) -> None:
        self._emitted = self.data
        self.changed.emit(self.data)

    def _build_next(self) -> None:
        """Makes the next section; events are handled before the one after it."""
        section = self.sections[len(self._of_section)]
        fields = section.make()
        self._of_section.append(fields)
        self._add_section(section, fields)
        for field in fields:
            for text in (*field.findChildren(QLineEdit), *field.findChildren(QPlainTextEdit)):
                text.installEventFilter(self._shared_history)
            self.fields[field.path] = field
            field.edited.connect(lambda field=field: self._take_value(field))
            if self.data:
                self._fill(field)
        if self.is_built:
            self._building.stop()
            self.offer_runs(self._runs)
            self._offer()
            if self._checked is not None:
                self.show_problems(self._checked)

    def _fill_all(self, data: Data) -> None:
        self.data = data
        for field in self.fields.values():
            self._fill(field)

    def _fill(self, field: Field) -> None:
        field.show_value(value_at(self.data, field.path))
        field.set_read_only(self._is_fixed)

    def _take_value(self, field: Field) -> None:
        try:
            value = field.value
        except ValueError as error:
            self._unread[field.path] = str(error)
            # What was half typed before must not be stored in its place.
            self.data = with_value(self.data, field.path, value_at(self._emitted, field.path))
            self.show_problems(CheckedPlan(self.data))
            return
        self._unread.pop(field.path, None)
        data = with_value(self.data, field.path, value)
        if field.path == "languages":
            gone = [code for code in self.data["languages"] if code not in value]
            data = without_languages(data, gone, value)
        self._change(data, f"Change of {field.path}", field.step)
        if field.path == "languages":
            self._fill_all(data)

    def _take_slots(self, slots: int, inputs: dict[str, Any]) -> None:
        data = with_value(with_value(self.data, "plan.slots", slots), "plan.planner", inputs)
        self.fields["plan.slots"].show_value(slots)
        self._change(data, "Number of slots")

    def _change(self, data: Data, label: str, key: str = "") -> None:
        """Makes a change that can be undone; what is typed into one field without a pause is one change."""
        if data != self.data:
            before = self.data
            self.data = data
            self.undo_stack.push(StateChange(self.show_step, label, before, data, key, is_shown=True))
        self._offer()
        self._timer.start()

    def show_step(self, data: Data) -> None:
        """Shows a state of the document, for steps of its history."""
        self._unread = {}
        self._fill_all(data)
        self._show_json()
        self._offer()
        self._timer.start()

    def _offer(self) -> None:
        """Keeps the parts in step that speak of each other."""
        if not self.is_built or not self.data:
            return
        self._offer_languages()
        for field in self.fields.values():
            # A document that was edited as JSON may lack what a field asks for.
            with suppress(LookupError, TypeError, ValueError):
                field.offer(self.data)
        self.fields["assignment"].setVisible(len(self.data.get("conditions", {})) > 1)
        self.fields["blocks_order"].setVisible(len(self.data.get("blocks", ())) > 1)

    def _offer_languages(self) -> None:
        languages = [str(code) for code in self.data.get("languages") or ("en",)]
        shown = [self.language.itemData(place) for place in range(self.language.count())]
        if shown != languages:
            chosen = self.language.currentData()
            self.language.clear()
            for code in languages:
                self.language.addItem(name_of(code), code)
            self.language.setCurrentIndex(max(0, self.language.findData(chosen)))
        self._language_row.setVisible(len(languages) > 1)
        self._write_in()

    def _write_in(self) -> None:
        """Shows all texts in the chosen language."""
        languages = [self.language.itemData(place) for place in range(self.language.count())]
        for field in self.fields.values():
            field.write_in(self.language.currentData(), languages)

    def _show_rest(self, problems: Sequence[StudyProblem]) -> None:
        while (item := self._rest.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for problem in problems:
            self._rest.addWidget(problem_line(f"{problem.place}: {problem.message}", problem.is_error))

    def _mark_sections(self) -> None:
        for row, fields in enumerate(self._of_section):
            problems = [problem for field in fields for problem in field.told]
            name = "failed" if any(problem.is_error for problem in problems) else "warning" if problems else ""
            entry = self.list.item(row)
            entry.setIcon(icon(name, name) if name else QIcon())
            entry.setToolTip(counted(len(problems), "problem") if problems else "")

    def _take_json(self) -> None:
        try:
            data = json.loads(self.json.toPlainText())
            if not isinstance(data, dict):
                raise ValueError("it is no object")
        except (ValueError, RecursionError) as error:
            self._json_words.setText(f"This is not JSON yet: {error}")
            return
        self._json_words.setText("")
        self._change(data, "Change of the document", "json")

    def _show_json(self) -> None:
        text = json.dumps(self.data, ensure_ascii=False, indent=2)
        if self.stack.currentIndex() == 1 and text != self.json.toPlainText():
            with QSignalBlocker(self.json):
                self.json.setPlainText(text)

    def _make_passphrase(self) -> None:
        self._passphrase = QLineEdit(placeholderText="at least 8 characters")
        self._passphrase.setAccessibleName("New passphrase")
        self._passphrase.setMaximumWidth(260)
        self._set_passphrase = QPushButton("Set")
        self._set_passphrase.clicked.connect(self._give_passphrase)
        self._passphrase.returnPressed.connect(self._give_passphrase)

    def _give_passphrase(self) -> None:
        if self._passphrase.text():
            self.passphrase_given.emit(self._passphrase.text())

    def _make_json(self) -> None:
        self.json = QPlainTextEdit()
        self.json.setFont(monospaced())
        self.json.setAccessibleName("The document as JSON")
        self.json.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.json.textChanged.connect(self._take_json)
        self._json_words = QLabel()
        self._json_words.setObjectName("error")

    def _lay_out(self) -> None:
        body = QWidget()
        body.setMaximumWidth(COLUMN_PX)
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(4 * SPACE, 2 * SPACE, 4 * SPACE, 8 * SPACE)
        self._column.setSpacing(3 * SPACE)
        self._rest = QVBoxLayout()
        self._column.addLayout(self._rest)
        self._heads: list[QWidget] = []
        self._column.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setWidget(body)
        self.list = QListWidget()
        self.list.setObjectName("sections")
        self.list.setAccessibleName("Parts of the plan")
        self.list.setFixedWidth(SECTIONS_PX)
        self.list.setIconSize(QSize(MARK_PX, MARK_PX))
        for section in self.sections:
            QListWidgetItem(section.title, self.list)
        self.list.currentRowChanged.connect(self._scroll_to)
        right = QVBoxLayout()
        right.setSpacing(SPACE)
        right.addWidget(self._make_language_row())
        right.addWidget(self.area, 1)
        form = QWidget()
        row = QHBoxLayout(form)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * SPACE)
        row.addWidget(self.list)
        row.addLayout(right, 1)
        raw = QWidget()
        raw_column = QVBoxLayout(raw)
        raw_column.setContentsMargins(0, 0, 0, 0)
        raw_column.addWidget(self.json, 1)
        raw_column.addWidget(self._json_words)
        self.stack = QStackedWidget()
        self.stack.addWidget(form)
        self.stack.addWidget(raw)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stack)

    def _make_language_row(self) -> QWidget:
        self._language_row = QWidget()
        self.language = QComboBox()
        self.language.setAccessibleName("Language of the texts")
        self.language.activated.connect(lambda _: self._write_in())
        label = QLabel("Texts in")
        label.setBuddy(self.language)
        row = QHBoxLayout(self._language_row)
        row.setContentsMargins(4 * SPACE, 0, 0, 0)
        row.setSpacing(2 * SPACE)
        row.addWidget(label)
        row.addWidget(self.language)
        row.addStretch(1)
        self._language_row.hide()
        return self._language_row

    def _add_section(self, section: PlanSection, fields: Sequence[Field]) -> None:
        part = QWidget()
        column = QVBoxLayout(part)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3 * SPACE)
        head = QLabel(section.title)
        head.setObjectName("sectionTitle")
        head.setContentsMargins(0, 3 * SPACE, 0, 0)
        column.addWidget(head)
        if section.about:
            about = QLabel(section.about)
            about.setObjectName("caption")
            about.setWordWrap(True)
            column.addWidget(about)
        add_fields(column, fields)
        if section.title == "Size":
            column.addWidget(self.planner)
        if section.title == "Dates and ethics":
            self._add_end(column)
        self._heads.append(part)
        self._column.insertWidget(self._column.count() - 1, part)

    def _add_end(self, column: QVBoxLayout) -> None:
        label = QLabel("Passphrase to leave the participant's window")
        label.setBuddy(self._passphrase)
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        row.addWidget(self._passphrase)
        row.addWidget(self._set_passphrase)
        row.addStretch(1)
        words = QLabel("Only its hash is stored. Setting another one changes the document.")
        words.setObjectName("caption")
        unwatched = QLabel(UNWATCHED)
        unwatched.setObjectName("caption")
        unwatched.setWordWrap(True)
        unwatched.setContentsMargins(0, 4 * SPACE, 0, 0)
        column.addWidget(label)
        column.addLayout(row)
        column.addWidget(words)
        column.addWidget(unwatched)

    def _scroll_to(self, row: int) -> None:
        if 0 <= row < len(self._heads):
            bar = self.area.verticalScrollBar()
            bar.setValue(self._heads[row].y() - SPACE)


def _place(place: str) -> str:
    """The place of a problem as a path; what is wrong with an item is shown at the items."""
    return "blocks" if place.startswith(("items.", "blocks.")) else place
