"""The fields of what is chosen in a level."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QScrollArea, QVBoxLayout, QWidget

from spatial_workbench.app.frame.undo import SharedHistory
from spatial_workbench.app.levels.edited import EditedLevel
from spatial_workbench.app.levels.parts import SECTIONS, PartForm, form_of, shown_value, with_field
from spatial_workbench.engine.machines.levels.level_drafts import thing_at
from spatial_workbench.widgets.forms.fields import FieldFault, FormField
from spatial_workbench.widgets.forms.laying_out import add_fields
from spatial_workbench.widgets.forms.places import Data, covers
from spatial_workbench.widgets.panels.problem_lines import ProblemLines
from spatial_workbench.widgets.theme import SPACE

IN_A_ROW = 2
"""How many short fields stand beside each other."""


class PartFields(QScrollArea):
    """The fields of a section or a thing, with what is wrong at each."""

    def __init__(self, edited: EditedLevel) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setMinimumWidth(280)
        self._edited = edited
        self._place = ""
        self._form: PartForm | None = None
        self._unread: dict[str, str] = {}
        self._history = SharedHistory(self)
        self.fields: dict[str, FormField] = {}
        self._heading = QLabel()
        self._others = QLabel()
        self._rest: ProblemLines[FieldFault] = ProblemLines()

    def show_part(self, place: str) -> None:
        """Shows the fields of a section or a thing."""
        form = form_of(self._edited.draft, place)
        if form is not self._form or place != self._place:
            self._place, self._form = place, form
            self._unread = {}
            self._build(form)
        self.refresh()

    def refresh(self) -> None:
        """Shows what the level has now, and what is wrong there."""
        form = self._form
        if form is None or (form.base and thing_at(self._edited.draft, form.base) is None):
            return
        self._heading.setText(SECTIONS.get(self._place) or self._edited.title_of(self._place))
        others = len(self._edited.selection) - 1
        self._others.setText(f"{others} more selected: moved, turned, copied and removed with it.")
        self._others.setVisible(others > 0)
        record = self._record()
        for path, field in self.fields.items():
            if path not in self._unread:
                field.show_value(shown_value(path, _part(record, path)))
        self._tell()

    def _record(self) -> Data:
        base = self._form.base if self._form is not None else ""
        return (thing_at(self._edited.draft, base) or {}) if base else self._edited.draft

    def _build(self, form: PartForm) -> None:
        self._heading = QLabel()
        self._heading.setObjectName("panelTitle")
        about = QLabel(form.about)
        about.setObjectName("secondary")
        about.setWordWrap(True)
        body = QWidget()
        body.setObjectName("panel")
        body.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(body)
        column.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        column.setSpacing(3 * SPACE)
        self._others = QLabel()
        self._others.setObjectName("caption")
        self._others.setWordWrap(True)
        for label in (self._heading, about, self._others):
            column.addWidget(label)
        made = [make() for make in form.makes]
        self.fields = {field.path: field for field in made}
        add_fields(column, made, IN_A_ROW)
        self._rest = ProblemLines()
        column.addWidget(self._rest)
        column.addStretch(1)
        for field in made:
            field.edited.connect(partial(self._take, field))
            for text in (*field.findChildren(QLineEdit), *field.findChildren(QPlainTextEdit)):
                text.installEventFilter(self._history)
        self.setWidget(body)

    def _take(self, field: FormField) -> None:
        assert self._form is not None
        try:
            value = field.value
        except ValueError as error:
            self._unread[field.path] = str(error)
            self._tell()
            return
        self._unread.pop(field.path, None)
        if isinstance(value, str) and not value and field.path not in ("name", "about"):
            value = None
        if self._form.base and value == "":
            value = None
        draft = with_field(self._edited.draft, self._form.base, field.path, value)
        label = f"Change of {self._heading.text().lower()}"
        step = f"{self._place}.{field.step}" if field.step else ""
        self._edited.change(draft, label, step)
        self._tell()

    def _tell(self) -> None:
        """Shows each fault at its field, and those of the part that belong to no field below them."""
        base = self._form.base if self._form is not None else ""
        unread = [FieldFault(path, words) for path, words in self._unread.items()]
        faults = [FieldFault(fault.place, fault.message) for fault in self._edited.examined.faults]
        shown = set()
        for path, field in self.fields.items():
            place = f"{base}.{path}" if base else path
            mine = [fault for fault in faults if covers(place, fault.place)]
            field.show_problems([fault for fault in unread if fault.place == path] + mine)
            shown.update(mine)
        self._rest.show_problems(
            [fault for fault in faults if base and covers(base, fault.place) and fault not in shown]
        )


def _part(record: Data, path: str) -> object:
    """The part of a record at a place; None if it is not there."""
    part: object = record
    for name in path.split("."):
        part = part.get(name) if isinstance(part, dict) else None
    return part
