"""The models that are set up, as a list of boxes to tick."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from spatial_workbench.engine.models import KnownModel, LibraryProblem, ModelLibrary
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.icons import icon

NAME = Qt.ItemDataRole.UserRole
"""The role under which an item of the list has the name of its model."""


class ModelList(QListWidget):
    """Lists the models; those that cannot be reached are grey. The reference is ticked at first.

    Attributes:
        fault: Why the models cannot be listed; empty if they can.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Models")
        self.setMinimumHeight(96)
        self.fault = ""
        self._known: list[KnownModel] = []

    def load(self) -> None:
        """Reads the models again; ticked ones stay ticked."""
        ticked = self.ticked_names() or ["reference"]
        self.fault = ""
        try:
            self._known = ModelLibrary().all_priced()
        except LibraryProblem as error:
            self._known = []
            self.fault = str(error)
        with QSignalBlocker(self):
            self.clear()
            for model in self._known:
                self._add(model, model.settings.name in ticked)

    def ticked(self) -> list[KnownModel]:
        """The ticked models."""
        boxes = zip(self._known, self._boxes(), strict=True)
        return [model for model, box in boxes if box.checkState() == Qt.CheckState.Checked]

    def ticked_names(self) -> list[str]:
        """The names of the ticked models."""
        return [model.settings.name for model in self.ticked()]

    def tick(self, names: Collection[str]) -> None:
        """Ticks these models, as far as they can be reached, and no others."""
        for box in self._boxes():
            if box.flags() & Qt.ItemFlag.ItemIsUserCheckable:
                box.setCheckState(Qt.CheckState.Checked if box.data(NAME) in names else Qt.CheckState.Unchecked)

    def _boxes(self) -> list[QListWidgetItem]:
        return [self.item(row) for row in range(self.count())]

    def _add(self, model: KnownModel, is_ticked: bool) -> None:
        box = model_item(model)
        box.setFlags(box.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        box.setCheckState(Qt.CheckState.Checked if is_ticked else Qt.CheckState.Unchecked)
        if not model.is_reachable:
            box.setFlags(Qt.ItemFlag.NoItemFlags)
        self.addItem(box)


def model_item(model: KnownModel) -> QListWidgetItem:
    """A line of a list for a model; one whose last probe failed has another icon, colour, and a word that says so."""
    name = model.settings.name
    found = model.capabilities
    if found is not None and found.has_failed:
        item = QListWidgetItem(icon("failed", "failed"), f"{name} · probe failed")
        item.setForeground(appearance().theme.color("failed"))
        item.setToolTip(found.words)
    else:
        item = QListWidgetItem(icon("model"), name)
        url = model.settings.url if model.settings.provider.is_endpoint else ""
        item.setToolTip(model.note or url)
    item.setData(NAME, name)
    return item
