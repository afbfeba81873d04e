"""Asks how to search for better machines of a level."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QPushButton,
    QSpinBox,
    QWidget,
)

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.app.machine_runs.work import SearchOrder, address_of
from spatial_workbench.engine.machines.designing.strategies import ROUNDS
from spatial_workbench.engine.machines.levels.catalogue import levels
from spatial_workbench.engine.machines.levels.examples import examples
from spatial_workbench.engine.search.run_tree import STRATEGY_NAMES
from spatial_workbench.engine.tasks.machine import MachineAnswer
from spatial_workbench.widgets.number_box import inset
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox, CountBox

if TYPE_CHECKING:
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.engine.store import Project

MOST_ATTEMPTS = 20
REFERENCE = "The level's reference machine"
ABOUT = "Changes a machine by random legal edits, simulates what comes of it, and goes on with what does best."
MOST_WORKERS = 64


class SearchDialog(FormDialog):
    """The level, the machine to start with, the strategy, rounds, seed and processes.

    Signals:
        ordered(SearchOrder): search like this.
    """

    ordered = Signal(object)

    def __init__(self, project: ProjectService, level: str = "", parent: QWidget | None = None) -> None:
        super().__init__("Search machines", ABOUT, "Search", parent)
        self.resize(560, 0)
        self._project = project
        self.level = ChoiceBox()
        for known in levels().values():
            self.level.addItem(f"{known.id} · {known.title}", known.id)
        self.level.setCurrentIndex(max(0, self.level.findData(level)))
        self.level.currentIndexChanged.connect(lambda _: self._level_changed())
        self.beginning = ChoiceBox()
        self.file = QPushButton("Open file…")
        self.file.setToolTip("Start with the machine of a file: a construction tree or global positions")
        self.file.clicked.connect(self._choose_file)
        self.strategy = ChoiceBox()
        for strategy, name in STRATEGY_NAMES.items():
            self.strategy.addItem(name, strategy.value)
        self.strategy.currentIndexChanged.connect(lambda _: self._show_place())
        self.rounds = _number(1, 1000, ROUNDS)
        self.seed = _number(0, 10**9 - 1, 0)
        self.workers = _number(1, MOST_WORKERS, os.cpu_count() or 1)
        self._lay_out()
        self._level_changed()

    def start_with_file(self, path: Path) -> None:
        """Adds the machine of a file to those to start with, and chooses it."""
        try:
            text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            self.show_trouble(f"“{path.name}” cannot be read: {error}")
            return
        self.show_trouble("")
        self.beginning.addItem(path.name, text)
        self.beginning.setCurrentIndex(self.beginning.count() - 1)

    def _level_changed(self) -> None:
        self.beginning.clear()
        self.beginning.addItem(REFERENCE, "")
        for example in examples():
            self.beginning.addItem(f"Example: {example.title}", MachineAnswer.of(example.tree).model_dump_json())
        self._show_place()
        level = str(self.level.currentData())
        address = address_of(level)
        self._project.ask(
            lambda project: _attempts(project, address),
            lambda attempts: self._offer(level, attempts),
        )

    def _offer(self, level: str, attempts: Sequence[tuple[str, str]]) -> None:
        if level == self.level.currentData():
            for name, answer in attempts:
                self.beginning.addItem(name, answer)

    def _show_place(self) -> None:
        self._path = _free_path(self._project.path, f"{self.level.currentData()}-{self.strategy.currentData()}")
        self.show_note(f"Every machine is stored in {self._path}")

    def _choose_file(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, "Start with", "", "Machines (*.json)")
        if path:
            self.start_with_file(Path(path))

    def order(self) -> None:
        """Asks for the search."""
        order = SearchOrder(
            address_of(str(self.level.currentData())),
            str(self.strategy.currentData()),
            self.rounds.value(),
            self.seed.value(),
            self.workers.value(),
            self._path,
            str(self.beginning.currentData()),
        )
        self.ordered.emit(order)
        self.accept()

    def _lay_out(self) -> None:
        beginning = QHBoxLayout()
        beginning.setSpacing(2 * SPACE)
        beginning.addWidget(self.beginning, 1)
        beginning.addWidget(self.file)
        self.form.addRow("Level", self.level)
        self.form.addRow("Start with", beginning)
        self.form.addRow("Strategy", self.strategy)
        self.form.addRow("Rounds", self.rounds)
        self.form.addRow("Seed", self.seed)
        self.form.addRow("Processes", self.workers)


def _number(least: int, most: int, value: int) -> QSpinBox:
    box = inset(CountBox())
    box.setRange(least, most)
    box.setValue(value)
    return box


def _attempts(project: Project, address: str) -> list[tuple[str, str]]:
    """The latest attempts at a level by people and models, newest first: name and answer."""
    rows = sorted(project.attempts.newest(address), key=lambda row: -row.number)[:MOST_ATTEMPTS]
    return [(f"Attempt {row.number} · {row.actor_name}", project.attempts.get(row.number).answer) for row in rows]


def _free_path(project: Path | None, name: str) -> Path:
    """A file beside the project that does not exist yet."""
    folder, stem = (Path.cwd(), "search") if project is None else (project.parent, project.stem)
    numbers = range(1, 10_000)
    paths = (folder / f"{stem}-{name}-{number}.jsonl" for number in numbers)
    return next(path for path in paths if not path.exists())
