"""The plan of a study as a form, with what is wrong at each field, or as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent, QUndoStack
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QStackedWidget, QVBoxLayout, QWidget

from spatial_workbench.app.frame.undo import SharedHistory, StateChange
from spatial_workbench.app.studies.leader.plan.contrasts import ContrastsField
from spatial_workbench.app.studies.leader.plan.json_view import JsonView
from spatial_workbench.app.studies.leader.plan.language_row import LanguageRow
from spatial_workbench.app.studies.leader.plan.languages import without_languages
from spatial_workbench.app.studies.leader.plan.pages import SectionPages
from spatial_workbench.app.studies.leader.plan.passphrase import PassphraseRow
from spatial_workbench.app.studies.leader.plan.planner import PlannerPanel
from spatial_workbench.app.studies.leader.plan.sections import SECTIONS
from spatial_workbench.app.studies.leader.work.planning import CheckedPlan, KnownRun
from spatial_workbench.engine.studies.planning.default_texts import with_defaults_in
from spatial_workbench.engine.studies.planning.slots import main_items, most_rows
from spatial_workbench.widgets.forms.fields import FieldFault, FormField, PlacedProblem
from spatial_workbench.widgets.forms.places import Data, covers, value_at, with_value
from spatial_workbench.widgets.theme import SPACE

TYPED_MS = 350
"""How long nothing is typed before a change is checked."""
UNDO_LIMIT = 200
UNWATCHED = (
    "The software cannot watch declared tools, phones or a second machine. Full screen is not a lock. Anybody with a "
    "bundle can forge results. The condition “model” takes away aids, not sight, hands or memory. A person remembers "
    "earlier items; a model does not. Few people give wide intervals."
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
        self.problems: tuple[PlacedProblem, ...] = ()
        self._unread: dict[str, str] = {}
        self._is_fixed = False
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(UNDO_LIMIT)
        self._shared_history = SharedHistory(self)
        self._runs: tuple[KnownRun, ...] = ()
        self._timer = QTimer(self, singleShot=True, interval=TYPED_MS)
        self._timer.timeout.connect(self._emit)
        self.fields: dict[str, FormField] = {}
        self._checked: CheckedPlan | None = None
        self._building = QTimer(self, interval=0)
        self._building.timeout.connect(self._build_next)
        self.planner = PlannerPanel()
        self.planner.chosen.connect(self._take_slots)
        self.passphrase = PassphraseRow()
        self.passphrase.given.connect(self.passphrase_given)
        self.json = JsonView()
        self.json.changed.connect(lambda data: self._change(data, "Change of the document", "json"))
        self.language = LanguageRow()
        self.language.chosen.connect(self._write_in)
        self.pages = SectionPages(SECTIONS, self.language)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.pages)
        self.stack.addWidget(self.json)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stack)

    @property
    def is_built(self) -> bool:
        """Whether all sections are there; they are made one after another once the form is shown."""
        return self.pages.count == len(SECTIONS)

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
        self.passphrase.set_read_only(is_fixed)
        self.planner.set_read_only(is_fixed)
        self.json.text.setReadOnly(is_fixed)
        self._show_json()
        self._offer()

    def show_problems(self, checked: CheckedPlan) -> None:
        """Shows each problem at its field, and the rest on top."""
        self._checked = checked
        own: list[PlacedProblem] = [FieldFault(path, words) for path, words in self._unread.items()]
        own += [fault for field in self.fields.values() for fault in field.faults]
        self.problems = (*own, *checked.problems)
        rest = list(self.problems)
        for path, field in self.fields.items():
            mine = [problem for problem in rest if covers(path, _place(problem.place))]
            field.show_problems(mine)
            rest = [problem for problem in rest if problem not in mine]
        self.pages.show_rest(rest)
        self.pages.mark_sections()
        if checked.study is not None:
            study = checked.study
            count = sum(len(main_items(block)) for block in study.blocks)
            conditions = len(study.conditions) if study.assignment == "between" else 1
            self.planner.show_study(count, most_rows(study), conditions)

    def show_passphrase(self, kept: Mapping[str, str]) -> None:
        """Accepts the part of a passphrase that the study stores."""
        self.passphrase.line.clear()
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
        names = [section.title for section in SECTIONS]
        self.pages.go_to(names.index(title))

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
        section = SECTIONS[self.pages.count]
        fields = section.make()
        self.pages.add_section(section, fields, self._widgets_below(section.title))
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

    def _fill(self, field: FormField) -> None:
        field.show_value(value_at(self.data, field.path))
        field.set_read_only(self._is_fixed)

    def _take_value(self, field: FormField) -> None:
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
            kept = [code for code in self.data["languages"] if code in value]
            data = with_defaults_in(without_languages(data, gone, value), kept or value, value)
        self._change(data, f"Change of {field.path}", field.step)
        if field.path == "languages":
            self._fill_all(data)

    def _take_slots(self, slots: int, inputs: dict[str, Any]) -> None:
        data = with_value(with_value(self.data, "plan.slots", slots), "plan.planner", inputs)
        self.fields["plan.slots"].show_value(slots)
        self._change(data, "Number of places")

    def _change(self, data: Data, label: str, key: str = "") -> None:
        """Makes a change that can be undone; text typed into one field without a pause is one change."""
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
        self.language.offer([str(code) for code in self.data.get("languages") or ("en",)])
        self._write_in()
        for field in self.fields.values():
            # A document that was edited as JSON may lack what a field asks for.
            with suppress(LookupError, TypeError, ValueError):
                field.offer(self.data)
        self.fields["assignment"].setVisible(len(self.data.get("conditions", {})) > 1)
        self.fields["blocks_order"].setVisible(len(self.data.get("blocks", ())) > 1)

    def _write_in(self) -> None:
        """Shows all texts in the chosen language."""
        for field in self.fields.values():
            field.write_in(self.language.language, self.language.languages)

    def _show_json(self) -> None:
        if self.stack.currentIndex() == 1:
            self.json.show_document(self.data)

    def _widgets_below(self, title: str) -> list[QWidget]:
        """The note below the fields of a section."""
        if title == "Size":
            return [self.planner]
        if title != SECTIONS[-1].title:
            return []
        unwatched = QLabel(UNWATCHED)
        unwatched.setObjectName("caption")
        unwatched.setWordWrap(True)
        unwatched.setContentsMargins(0, 4 * SPACE, 0, 0)
        return [self.passphrase, unwatched]


def _place(place: str) -> str:
    """The place of a problem as a path; what is wrong with an item is shown at the items."""
    return "blocks" if place.startswith(("items.", "blocks.")) else place
