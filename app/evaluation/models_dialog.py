"""The dialog of models: add an endpoint, enter its key, and probe its features."""

from __future__ import annotations

from html import escape
from itertools import count
from typing import TYPE_CHECKING

from pydantic import ValidationError
from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.evaluation.endpoint_chooser import EndpointChooser
from spatial_workbench.app.evaluation.key_field import EndpointKey
from spatial_workbench.app.evaluation.model_list import model_item
from spatial_workbench.app.evaluation.prices_dialog import PriceLine
from spatial_workbench.app.evaluation.probes import EndpointProbes, WantedProbe
from spatial_workbench.engine.models import (
    Feature,
    KeyringProblem,
    KnownModel,
    LibraryProblem,
    ModelLibrary,
    ModelSettings,
    ProbeFinding,
    Provider,
)
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.forms.record_form import RecordForm, declared_parts
from spatial_workbench.widgets.rich_text import make_rich
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import Jobs

_PARTS = (
    "name",
    "base_url",
    "model",
    "api",
    "effort",
    "temperature",
    "top_p",
    "max_output_tokens",
    "timeout_s",
    "silence_s",
    "limits.parallel",
    "limits.requests_per_minute",
    "prices.input_usd",
    "prices.output_usd",
    "extra_json",
)
"""The settings that can be changed here, in the order of the form."""
_NEW = ModelSettings(name="new model", base_url="http://127.0.0.1:11434/v1", model="model")


class ModelsDialog(QDialog):
    """A list at the left, the settings of the chosen model at the right.

    Signals:
        changed(): a model was added, changed or removed.
    """

    changed = Signal()

    def __init__(self, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Models")
        self.resize(960, 680)
        self._jobs = jobs
        self._probes = EndpointProbes(jobs, self)
        self._probes.ended.connect(self._show_probed)
        self._probed = ""
        """The name of the model that was probed last."""
        self._library = ModelLibrary()
        self._known: list[KnownModel] = []
        self._template: ModelSettings | None = None
        self._make_fields()
        self._lay_out()
        self.load()

    # Models ------------------------------------------------------------------------------------------------------

    def choose(self, name: str) -> None:
        """Shows the model of that name."""
        self.list.setCurrentRow([known.settings.name for known in self._known].index(name))

    def add(self) -> None:
        """Starts a new endpoint."""
        self.list.setCurrentRow(-1)
        self._template = None
        self._show_model(KnownModel(settings=_NEW))
        self._go_to_name()

    def duplicate(self) -> None:
        """Starts a model with the settings of the chosen one; it is stored once it has a name."""
        chosen = self._chosen()
        if chosen is None:
            return
        self.list.setCurrentRow(-1)
        names = {known.settings.name for known in self._known}
        name = next(f"{chosen.settings.name} {k}" for k in count(2) if f"{chosen.settings.name} {k}" not in names)
        self._template = chosen.settings
        self._show_model(KnownModel(settings=chosen.settings.changed(name=name)))
        self._go_to_name()
        self._show_note("Not stored yet.")

    def _go_to_name(self) -> None:
        name = _line(self.fields, "name")
        name.setFocus()
        name.selectAll()

    def save(self) -> bool:
        """Stores the fields, and the key if one was typed; returns whether that succeeded."""
        before = self._chosen()
        try:
            settings = self._settings(before.settings if before else self._template)
            self._check_name(settings.name, before)
            renamed = before.settings.name if before is not None and before.is_own else ""
            self._library.store_model(settings, renamed_from=renamed)
            self.key.store(settings)
        except ValidationError as error:
            self._show_note(self.fields.show_errors(error) or "Not stored: a field is wrong.", True)
            return False
        except (LibraryProblem, KeyringProblem) as error:
            self._show_note(str(error), True)
            return False
        self.load(settings.name)
        self._show_note("Stored.")
        self.changed.emit()
        return True

    def remove(self) -> None:
        """Forgets the chosen model."""
        chosen = self._chosen()
        if chosen is not None:
            self._library.remove(chosen.settings.name)
            self.load()
            self.changed.emit()

    def probe(self) -> None:
        """Probes the endpoint's features with a dozen tiny requests; other known features are kept."""
        self._probe(None, "Testing what the endpoint can do…")

    def probe_tools(self) -> None:
        """Finds out whether the provider's hosted tools work."""
        self._probe(frozenset({Feature.HOSTED_TOOLS}), "Letting the endpoint run a small program…")

    def _probe(self, features: frozenset[Feature] | None, notice: str) -> None:
        if not self.save():
            return
        chosen = self._chosen()
        assert chosen is not None
        self._offer_probes(False)
        self._show_note(notice)
        self._probed = chosen.settings.name
        self._probes.probe([WantedProbe(chosen.settings, features)])

    def _show_probed(self) -> None:
        reason = self._probes.failures.get(self._probed)
        if reason is not None:
            self._offer_probes(True)
            self._show_note(reason, True)
            return
        self.load(self._probed)
        known = self._chosen()
        found = known.capabilities if known is not None else None
        self._show_note(found.words if found else "The endpoint was probed.", found is not None and found.has_failed)
        self.changed.emit()

    def _offer_probes(self, enabled: bool) -> None:
        for button in (self.probe_button, self.tools_button):
            button.setEnabled(enabled)

    def done(self, result: int) -> None:
        """Cancels a running probe, and asking for a list of models."""
        self._probes.cancel()
        self.endpoint.cancel()
        super().done(result)

    # Parts -------------------------------------------------------------------------------------------------------

    def _make_fields(self) -> None:
        self.list = QListWidget()
        self.list.setAccessibleName("Models")
        self.list.currentRowChanged.connect(self._row_changed)
        self.key = EndpointKey()
        self.fields = RecordForm(declared_parts(ModelSettings, _PARTS))
        self.endpoint = EndpointChooser(
            self._jobs, _line(self.fields, "base_url"), _line(self.fields, "model"), self.key
        )
        self.endpoint.told.connect(self._show_note)
        self.fields.rows.insertRow(_PARTS.index("api") + 1, "Key", self.key)
        self.fields.rows.insertRow(_PARTS.index("base_url"), "Endpoint", self.endpoint)
        self.about = QLabel()
        self.about.setWordWrap(True)
        self.price = PriceLine(self._library)
        self.price.changed.connect(self.changed)
        self.findings = make_rich(QLabel())
        self.findings.setWordWrap(True)
        self.note = QLabel()
        self.note.setWordWrap(True)

    def _lay_out(self) -> None:
        split = QSplitter()
        split.setHandleWidth(1)
        split.addWidget(self._make_left())
        split.addWidget(self._make_right())
        split.setSizes([320, 600])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        layout.setSpacing(3 * SPACE)
        layout.addWidget(split, 1)
        layout.addLayout(self._make_bottom())

    def _make_left(self) -> QWidget:
        """The list, and what can be done with it."""
        add = make_button("Add endpoint", "", self.add, "")
        self.duplicate_button = make_button("Duplicate", "", self.duplicate, "Add a model with the same settings")
        self.remove_button = make_button("Remove", "", self.remove, "")
        row = QHBoxLayout()
        for button in (add, self.duplicate_button, self.remove_button):
            row.addWidget(button)
        row.addStretch(1)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 2 * SPACE, 0)
        column.addWidget(self.list, 1)
        column.addLayout(row)
        return left

    def _make_right(self) -> QScrollArea:
        """The settings of the chosen model, and what is known about its endpoint."""
        form = QWidget()
        column = QVBoxLayout(form)
        column.setContentsMargins(2 * SPACE, 0, 0, 0)
        column.setSpacing(3 * SPACE)
        column.addWidget(self.about)
        column.addWidget(self.fields)
        column.addWidget(self.price)
        column.addWidget(self.findings)
        column.addStretch(1)
        scrolled = QScrollArea()
        scrolled.setWidget(form)
        scrolled.setWidgetResizable(True)
        scrolled.setFrameShape(QScrollArea.Shape.NoFrame)
        return scrolled

    def _make_bottom(self) -> QHBoxLayout:
        tip = "Let the provider's code interpreter run a small program; this may cost something"
        self.tools_button = make_button("Probe hosted tools", "", self.probe_tools, tip)
        tip = "Find out what the endpoint can do, with a dozen tiny requests"
        self.probe_button = make_button("Probe", "", self.probe, tip)
        self.save_button = make_button("Save", "", self.save, "")
        self.save_button.setObjectName("primary")
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        row.addWidget(self.note, 1)
        for button in (
            self.tools_button,
            self.probe_button,
            self.save_button,
            make_button("Close", "", self.accept, ""),
        ):
            row.addWidget(button)
        return row

    def load(self, chosen: str = "") -> None:
        """Reads the models again, and selects the one with that name."""
        try:
            self._known = self._library.all()
        except LibraryProblem as error:
            self._known = []
            self._show_note(str(error), True)
        names = [known.settings.name for known in self._known]
        self.list.blockSignals(True)
        self.list.clear()
        for known in self._known:
            self.list.addItem(model_item(known))
        self.list.blockSignals(False)
        self.list.setCurrentRow(names.index(chosen) if chosen in names else 0)

    def _row_changed(self, row: int) -> None:
        if 0 <= row < len(self._known):
            self._show_model(self._known[row])

    def _chosen(self) -> KnownModel | None:
        row = self.list.currentRow()
        return self._known[row] if 0 <= row < len(self._known) else None

    def _show_model(self, known: KnownModel) -> None:
        settings = known.settings
        asked = settings.provider.is_endpoint
        shown = settings.model_dump(mode="json")
        self.fields.show_record({**shown, "base_url": settings.url if asked else ""})
        self.key.show_settings(settings)
        self.endpoint.offer(known.capabilities.models if known.capabilities else ())
        self.fields.setVisible(asked)
        self.save_button.setEnabled(asked)
        self.duplicate_button.setEnabled(asked and self._chosen() is not None)
        self._offer_probes(asked)
        self.remove_button.setEnabled(known.is_own and self._chosen() is not None)
        self.findings.setText(_findings(known))
        self.price.show_model(known)
        self.about.setText(known.note)
        self.about.setVisible(bool(known.note))
        self._show_note("")

    def _settings(self, before: ModelSettings | None) -> ModelSettings:
        """Raises ValidationError: a field is wrong."""
        settings = self.fields.fill_in((before or _NEW).model_dump(mode="json"))
        url = settings["base_url"]
        provider = Provider.OPENAI if "api.openai.com" in url else Provider.COMPATIBLE
        extra = settings["extra_json"].strip() or "{}"
        return ModelSettings.model_validate(
            {**settings, "provider": provider, "base_url": url or None, "extra_json": extra}
        )

    def _check_name(self, name: str, before: KnownModel | None) -> None:
        """Raises LibraryProblem where another model has the name."""
        taken = {known.settings.name for known in self._known} - ({before.settings.name} if before else set())
        if name in taken:
            raise LibraryProblem(f"There already is a model “{name}”.")

    def _show_note(self, text: str, is_error: bool = False) -> None:
        self.note.setObjectName("error" if is_error else "secondary")
        self.note.style().polish(self.note)
        self.note.setText(text)


def _line(fields: RecordForm, path: str) -> QLineEdit:
    line = fields.fields[path].control
    assert isinstance(line, QLineEdit)
    return line


def _findings(known: KnownModel) -> str:
    if known.capabilities is None:
        return "This endpoint has not been probed yet." if known.settings.provider.is_endpoint else ""
    findings = {Feature.HOSTED_TOOLS: ProbeFinding(), **known.capabilities.findings}
    rows = "".join(_finding(feature, findings[feature]) for feature in Feature if feature in findings)
    words = escape(known.capabilities.words)
    return f"Probed {known.capabilities.probed_at:%Y-%m-%d %H:%M} UTC. {words}<table>{rows}</table>"


def _finding(feature: Feature, finding: ProbeFinding) -> str:
    result = finding.result.value if finding != ProbeFinding() else "not tried"
    note = f" {escape(finding.note)}" if finding.note else ""
    return f"<tr><td>{feature.value}</td><td style='padding-left:16px'><b>{result}</b>{note}</td></tr>"
