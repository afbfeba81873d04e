"""The models that people will be compared with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtWidgets import QComboBox

from spatial_workbench.app.studies.leader.work.planning import KnownRun
from spatial_workbench.engine.studies.planning.document import Contrast
from spatial_workbench.widgets.forms.fields import ChoiceField, FormField
from spatial_workbench.widgets.forms.making import make_fields
from spatial_workbench.widgets.forms.places import Data
from spatial_workbench.widgets.forms.records import RecordsField
from spatial_workbench.widgets.wheel_fields import ChoiceBox

ANY_BATCH = "all batches"


class RunField(FormField):
    """The name of a run: one of this project's, or one that will be made later."""

    def __init__(self) -> None:
        self.box = ChoiceBox()
        self.box.setEditable(True)
        self.box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.box.setMaximumWidth(320)
        super().__init__("run", "Run", self.box, "A run of this project, or the name of one that you will make.")
        self.box.editTextChanged.connect(lambda _: self.edited.emit())

    @property
    def value(self) -> Any:
        return self.box.currentText().strip()

    def show_value(self, value: Any) -> None:
        if self.value != value:
            self.box.blockSignals(True)
            self.box.setCurrentIndex(self.box.findText(str(value)))
            self.box.setEditText(str(value))
            self.box.blockSignals(False)

    def set_options(self, names: Sequence[str]) -> None:
        """Offers these names."""
        if names != [self.box.itemText(place) for place in range(self.box.count())]:
            shown = self.value
            self.box.blockSignals(True)
            self.box.clear()
            self.box.addItems(list(names))
            self.box.setCurrentIndex(self.box.findText(shown))
            self.box.setEditText(shown)
            self.box.blockSignals(False)


class ContrastsField(RecordsField):
    """Comparisons: the people in a condition with a run of a model, on the items that both had."""

    noun = "comparison"

    def __init__(self) -> None:
        self._runs: tuple[KnownRun, ...] = ()
        self._conditions: list[str] = ["only"]
        super().__init__("analysis.contrasts", "Models to compare with")

    def make_parts(self) -> Sequence[FormField]:
        self._condition = ChoiceField("condition", "People in", [])
        self._batch = ChoiceField("batch", "Batch", [])
        self._run = RunField()
        return (self._run, self._condition, self._batch, *make_fields(Contrast, ["tools"]))

    def title_of(self, record: Mapping[str, Any]) -> str:
        tools = " with tools" if record["tools"] else ""
        people = f", {record['condition']}" if len(self._conditions) > 1 else ""
        return f"{record['run'] or '…'}{tools}{people}"

    def new_record(self) -> Data:
        taken = {(record["run"], record["tools"]) for record in self.records}
        run = next((run for run in self._runs if (run.name, run.tools) not in taken), None)
        named = {"run": run.name, "tools": run.tools} if run else {"run": "", "tools": False}
        return {"condition": self._conditions[0], **named, "batch": None}

    def adjust(self, record: Mapping[str, Any]) -> None:
        batches = self._batches_of(record["run"], record["tools"])
        self._batch.set_options([(None, ANY_BATCH), *((number, f"{number} · {name}") for number, name in batches)])

    def follow(self, record: Data, changed: str) -> Data:
        if changed != "run":
            return record
        kinds = [run.tools for run in self._runs if run.name == record["run"]]
        tools = kinds[0] if kinds and record["tools"] not in kinds else record["tools"]
        batches = dict(self._batches_of(record["run"], tools))
        return {**record, "tools": tools, "batch": record["batch"] if record["batch"] in batches else None}

    def _batches_of(self, run: str, tools: bool) -> list[tuple[int, str]]:
        return sorted(
            batch for known in self._runs if (known.name, known.tools) == (run, tools) for batch in known.batches
        )

    def offer(self, data: Data) -> None:
        self._conditions = list(data["conditions"])
        self._condition.set_options([(name, name) for name in self._conditions])

    def offer_runs(self, runs: tuple[KnownRun, ...]) -> None:
        """Sets the runs that this project has."""
        self._runs = runs
        self._run.set_options(list(dict.fromkeys(run.name for run in runs)))
        if 0 <= self.row < len(self.records):
            self.adjust(self.records[self.row])
