"""Known endpoints by name, which fill in their address, and the models that the endpoint lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import ValidationError
from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtWidgets import QCompleter, QHBoxLayout, QLineEdit, QWidget

from spatial_workbench.app.background import evaluations as background
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.models import ModelSettings, session_keys
from spatial_workbench.engine.models.named import ENDPOINTS
from spatial_workbench.engine.models.settings import OPENAI_URL
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import BackgroundJob, Jobs
    from spatial_workbench.app.evaluation.key_field import EndpointKey

PRESETS = {
    "Ollama": ENDPOINTS["ollama"],
    "vLLM": ENDPOINTS["vllm"],
    "LM Studio": ENDPOINTS["lmstudio"],
    "OpenAI": OPENAI_URL,
    "OpenRouter": ENDPOINTS["openrouter"],
}
"""The usual addresses."""
_OTHER = "Other"


class EndpointChooser(QWidget):
    """A box of known endpoints, and a button that asks the endpoint for its models.

    The names of models are offered in the field for the model.

    Signals:
        told(str, bool): a sentence on what happened, and whether it is an error.
    """

    told = Signal(str, bool)

    def __init__(self, jobs: Jobs, address: QLineEdit, model: QLineEdit, key: EndpointKey) -> None:
        """address, model, key: The fields of the endpoint, of which the first two are filled in."""
        super().__init__()
        self._jobs = jobs
        self._address = address
        self._model = model
        self._key = key
        self._job: BackgroundJob | None = None
        self.presets = ChoiceBox()
        self.presets.setAccessibleName("Endpoint")
        for title, url in PRESETS.items():
            self.presets.addItem(title, url)
        self.presets.addItem(_OTHER, None)
        self.presets.activated.connect(self._fill_address)
        self.list_button = make_button("List models", "", self.ask, "Ask the endpoint which models it has")
        self.names = QStringListModel(self)
        self._completer = QCompleter(self.names, self)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._completer.setFilterMode(Qt.MatchFlag.MatchContains)
        model.setCompleter(self._completer)
        address.textChanged.connect(self._show_preset)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * SPACE)
        row.addWidget(self.presets, 1)
        row.addWidget(self.list_button)
        self._show_preset(address.text())

    def offer(self, names: Sequence[str]) -> None:
        """Offers these models in the field."""
        self.names.setStringList(list(names))

    def ask(self) -> None:
        """Asks the endpoint for its models, with the address and the key that are typed or known."""
        try:
            settings = self._typed()
        except ValidationError as error:
            self.told.emit(str(error.errors(include_url=False)[0]["msg"]).removeprefix("Value error, "), True)
            return
        self.list_button.setEnabled(False)
        self.told.emit("Asking for the list of models…", False)
        self._job = self._jobs.run(
            "Listing models",
            background.models_of,
            settings.model_dump_json(),
            session_keys([settings]),
            done=self._take_names,
            failed=self._fail,
        )

    def _typed(self) -> ModelSettings:
        """Settings with the address that is typed; a key for this session that is typed is kept.

        Raises:
            ValidationError: The address is wrong.
        """
        settings = ModelSettings(name="typed", model="any", base_url=self._address.text().strip() or None)
        if self._key.session.isChecked():
            self._key.store(settings)
        return settings

    def cancel(self) -> None:
        """Stops asking."""
        if self._job is not None and self._job.is_pending:
            self._job.cancel()

    def _take_names(self, names: tuple[str, ...]) -> None:
        self.list_button.setEnabled(True)
        self.offer(names)
        if not names:
            self.told.emit("The endpoint lists no models.", True)
            return
        self.told.emit(
            f"The endpoint lists {counted(len(names), 'model')}; type a part of a name, or choose one.", False
        )
        self._model.setFocus()
        self._completer.setCompletionPrefix("")
        self._completer.complete()

    def _fail(self, reason: str) -> None:
        self.list_button.setEnabled(True)
        self.told.emit(f"The endpoint does not list its models. {reason}", True)

    def _fill_address(self) -> None:
        url = self.presets.currentData()
        if url is None:
            self._address.setFocus()
            self._address.selectAll()
            return
        self._address.setText(url)

    def _show_preset(self, address: str) -> None:
        place = self.presets.findData(address.strip().rstrip("/"))
        self.presets.setCurrentIndex(place if place >= 0 else self.presets.findText(_OTHER))
