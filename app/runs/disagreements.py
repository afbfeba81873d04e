"""The disagreements page: answers that two verifiers judge differently, shown side by side for a ruling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.attempts.columns import instance_caption, task_title
from spatial_workbench.app.attempts.dossier import ruling_words
from spatial_workbench.app.attempts.latest import Latest
from spatial_workbench.app.runs.contrast import ContrastPanel
from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.engine.core.words import counted, score_words
from spatial_workbench.engine.evaluation.rulings import export_rows, is_known, to_csv, to_json_lines
from spatial_workbench.engine.store.facts import CROSSCHECK
from spatial_workbench.widgets.empty_state import EmptyState
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.qt import child_items, top_items
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import Jobs
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.app.frame.settings import Settings
    from spatial_workbench.engine.store import Difference, Project

Key = tuple[int, str, str]
"""The key of a difference: attempt and the two verifiers."""
_DIFFERENCE = Qt.ItemDataRole.UserRole
_GROUP = Qt.ItemDataRole.UserRole + 1
_RULED = (("All", None), ("Not ruled on", False), ("Ruled on", True))
NO_DIFFERENCES = (
    "No disagreements",
    "Default verifier and cross-check agree on every attempt that both have judged.",
)
NO_MATCH = ("No matches", "There are differences, but the filters hide them.")


class DisagreementsPage(QWidget):
    """Lists differences by task, pair of verifiers and check, beside the chosen one.

    Signals:
        message(str): a note for the status bar.
    """

    title = "Disagreements"
    icon_name = "compare"
    message = Signal(str)

    def __init__(self, project: ProjectService, jobs: Jobs, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._project = project
        self._settings = settings
        self._is_closed = False
        self._latest = Latest()
        self._all: Sequence[Difference] = ()
        self.tree = self._make_tree()
        self.contrast = ContrastPanel(project, jobs)
        self.contrast.ruled.connect(self._rule)
        self.contrast.next_wanted.connect(self.go_to_next)
        self.ruled = QComboBox()
        self.ruled.setAccessibleName("Ruled on or not")
        for text, value in _RULED:
            self.ruled.addItem(text, value)
        self.pair = QComboBox()
        self.pair.setAccessibleName("Pair of verifiers")
        self.known = QCheckBox("Known differences of published verifiers")
        self.known.setToolTip("Also show pairs that follow different rules, such as the published verifiers' faults")
        self.export = QPushButton(icon("save"), "Export…")
        self.export.setToolTip("Save all differences with their rulings, as JSON lines or CSV")
        self._lay_out()
        self._restore()
        self._connect()
        self.reload()

    # Reading -----------------------------------------------------------------------------------------------------

    def reload(self) -> None:
        """Reads the differences again; the choice and open groups are kept."""

        def show(differences: Sequence[Difference]) -> None:
            if not self._is_closed and (differences != self._all or not differences):
                self._all = differences
                self._fill_pairs()
                self.fill()

        def arrived(differences: list[Difference], ended: Callable[[], None]) -> None:
            show(differences)
            ended()

        def failed(text: str, ended: Callable[[], None]) -> None:
            self._project.trouble.emit(text)
            ended()

        self._latest.run(
            lambda ended: self._project.ask(
                lambda project: project.judgements.differences(),
                lambda differences: arrived(differences, ended),
                lambda text: failed(text, ended),
            )
        )

    def shown(self) -> list[Difference]:
        """The differences that match the filters."""
        pair = self.pair.currentData()
        ruled = self.ruled.currentData()
        return [
            difference
            for difference in self._all
            if (self.known.isChecked() or not is_known(difference))
            and pair in (None, difference.second)
            and ruled in (None, difference.ruling is not None)
        ]

    def fill(self) -> None:
        """Shows the differences that match the filters as a tree."""
        chosen = self._chosen()
        opened = self._opened()
        self.tree.blockSignals(True)
        self.tree.clear()
        for group in group_by_task(self.shown()):
            self._add_task(group)
        self.tree.blockSignals(False)
        self._tell_count()
        if not self._choose(chosen, opened):
            self._choose_first()

    def go_to_next(self) -> None:
        """Goes to the next difference without a ruling."""
        shown = sorted(self.shown(), key=_order)
        keys = [_key(difference) for difference in shown]
        chosen = self._chosen()
        start = keys.index(chosen) + 1 if chosen in keys else 0
        following = next(
            (difference for difference in (*shown[start:], *shown[:start]) if difference.ruling is None), None
        )
        if following is None:
            self.message.emit("Every disagreement in the list is ruled on.")
        else:
            self._choose(_key(following), ())

    def export_to(self, path: Path) -> None:
        """Writes all differences with their rulings, in the format given by the file's suffix."""

        def write(project: Project) -> int:
            rows = export_rows(project.judgements.differences(), project.judgements.rulings())
            write_whole(path, (to_csv(rows) if path.suffix == ".csv" else to_json_lines(rows)).encode())
            return len(rows)

        self._project.ask(
            write,
            lambda count: self.message.emit(f"{counted(count, 'difference is', 'differences are')} in “{path.name}”."),
            lambda text: self.message.emit(f"“{path.name}” could not be written: {text}"),
        )

    @property
    def is_idle(self) -> bool:
        """Whether everything requested is shown."""
        return self._latest.is_idle and self.contrast.is_idle

    def close_page(self) -> None:
        """Saves the page's state, and releases its resources."""
        self._is_closed = True
        self._settings.set_layout("disagreements-beside", self.splitter.saveState())
        self._settings.set_layout("disagreements-views", self.contrast.splitter.saveState())
        self._settings.remember("disagreements-known", "yes" if self.known.isChecked() else "no")
        self._project.changed.disconnect(self.reload)
        self.contrast.close_panel()

    # The tree ----------------------------------------------------------------------------------------------------

    def _add_task(self, group: TaskGroup) -> None:
        item = QTreeWidgetItem(self.tree, [f"{task_title(group.task)} · {_counted(group.differences)}"])
        item.setFirstColumnSpanned(True)
        item.setExpanded(True)
        for pair in group.pairs:
            row = QTreeWidgetItem(item, [f"{pair.title} · {_counted(pair.differences)}"])
            row.setFirstColumnSpanned(True)
            row.setToolTip(0, row.text(0))
            row.setData(0, _GROUP, pair)
            row.setIcon(0, icon("warning", "warning" if pair.second == CROSSCHECK else "secondary"))
            # There may be thousands of leaves, so they are only made when the group is opened.
            row.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)

    def _open_group(self, item: QTreeWidgetItem) -> None:
        pair = item.data(0, _GROUP)
        if pair is None or item.childCount():
            return
        for difference in pair.differences:
            leaf = QTreeWidgetItem(
                [
                    f"#{difference.attempt}  {instance_caption(difference.address)} · {difference.who or '–'}",
                    f"{score_words(difference.first_score)} | {score_words(difference.second_score)}",
                    "" if difference.ruling is None else ruling_words(difference.ruling),
                ]
            )
            leaf.setToolTip(0, f"{leaf.text(0)}\n{difference.address}")
            leaf.setToolTip(2, "\n".join(filter(None, (leaf.text(2), difference.note))))
            leaf.setData(0, _DIFFERENCE, difference)
            if difference.ruling is not None:
                leaf.setIcon(2, icon("check", "passed"))
            item.addChild(leaf)

    def _groups(self) -> Iterable[QTreeWidgetItem]:
        for top in top_items(self.tree):
            yield from child_items(top)

    def _opened(self) -> set[tuple[str, ...]]:
        return {item.data(0, _GROUP).name for item in self._groups() if item.isExpanded()}

    def _chosen(self) -> Key | None:
        item = self.tree.currentItem()
        difference = item.data(0, _DIFFERENCE) if item is not None else None
        return None if difference is None else _key(difference)

    def _choose(self, key: Key | None, opened: Iterable[tuple[str, ...]]) -> bool:
        """Opens groups and selects a difference; returns whether it is listed."""
        for item in self._groups():
            pair = item.data(0, _GROUP)
            holds = any(_key(difference) == key for difference in pair.differences)
            if pair.name in opened or holds:
                self._open_group(item)
                item.setExpanded(True)
            if holds:
                leaf = next(leaf for leaf in child_items(item) if _key(leaf.data(0, _DIFFERENCE)) == key)
                self.tree.setCurrentItem(leaf)
                return True
        return False

    def _choose_first(self) -> None:
        shown = self.shown()
        if shown:
            self._choose(_key(min(shown, key=_order)), ())
        else:
            self.contrast.clear()

    def _current_changed(self, item: QTreeWidgetItem | None) -> None:
        difference = item.data(0, _DIFFERENCE) if item is not None else None
        if difference is not None:
            self.contrast.show_difference(difference)
            self.contrast.offer_alike(len(self._alike(difference)))

    def _alike(self, chosen: Difference) -> list[Difference]:
        """The chosen difference, and the shown ones of its task, pair and check without a ruling."""
        group = PairGroup(chosen).name
        return [
            difference
            for difference in self.shown()
            if _key(difference) == _key(chosen) or (difference.ruling is None and PairGroup(difference).name == group)
        ]

    def _rule(self, ruling: str, note: str, for_all: bool) -> None:
        chosen = self.contrast.difference
        person = self._settings.person
        if chosen is None:
            return
        ruled = self._alike(chosen) if for_all else [chosen]
        self._project.tell(lambda project: project.judgements.rule_alike(ruled, ruling, note, person), announce=True)
        if for_all:
            self.message.emit(f"Ruled on {len(ruled):,} alike: {ruling_words(ruling)}.")

    # Parts -------------------------------------------------------------------------------------------------------

    def _fill_pairs(self) -> None:
        chosen = self.pair.currentData()
        offered = {
            difference.second: difference.first
            for difference in self._all
            if self.known.isChecked() or not is_known(difference)
        }
        self.pair.blockSignals(True)
        self.pair.clear()
        self.pair.addItem("All pairs", None)
        for second in sorted(offered, key=lambda name: (name != CROSSCHECK, name)):
            self.pair.addItem(f"{offered[second]} / {second}", second)
        self.pair.setCurrentIndex(max(0, self.pair.findData(chosen)))
        self.pair.blockSignals(False)

    def _tell_count(self) -> None:
        shown = self.shown()
        hidden = sum(is_known(difference) for difference in self._all) if not self.known.isChecked() else 0
        noun = "disagreement" if len(shown) == 1 else "disagreements"
        ruled = sum(difference.ruling is not None for difference in shown)
        more = f" · {hidden:,} known differences hidden" if hidden else ""
        self._count.setText(f"{len(shown):,} {noun}, {ruled:,} ruled on{more}")
        self.export.setEnabled(bool(self._all))
        self._stack.setCurrentIndex(0 if shown else 1)
        head, text = NO_MATCH if self._all else NO_DIFFERENCES
        if self._all and all(is_known(difference) for difference in self._all) and not self.known.isChecked():
            head, text = NO_DIFFERENCES
        self.empty.say(head, text)

    def _toggle_known(self) -> None:
        self._fill_pairs()
        self.fill()

    def _choose_file(self) -> None:
        path, chosen = QFileDialog.getSaveFileName(
            self, "Export differences and rulings", "disagreements.jsonl", "JSON lines (*.jsonl);;CSV (*.csv)"
        )
        if path:
            suffix = ".csv" if "csv" in chosen else ".jsonl"
            self.export_to(Path(path) if Path(path).suffix else Path(path + suffix))

    def _make_tree(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setHeaderLabels(["Attempt", "Scores", "Ruling"])
        tree.setAccessibleName("Disagreements by task, verifiers and check")
        tree.setUniformRowHeights(True)
        tree.setIndentation(16)
        tree.header().setStretchLastSection(False)
        tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        tree.setColumnWidth(1, 88)
        tree.setColumnWidth(2, 140)
        return tree

    def _lay_out(self) -> None:
        title = QLabel(self.title)
        title.setObjectName("pageTitle")
        self._count = QLabel()
        self._count.setObjectName("secondary")
        head = QHBoxLayout()
        head.setContentsMargins(6 * SPACE, 4 * SPACE, 6 * SPACE, 3 * SPACE)
        head.setSpacing(2 * SPACE)
        head.addWidget(title)
        head.addSpacing(2 * SPACE)
        head.addWidget(self._count)
        head.addStretch(1)
        for widget in (self.known, self.pair, self.ruled, self.export):
            head.addWidget(widget)
        self.splitter = QSplitter()
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(self.tree)
        self.splitter.addWidget(self.contrast)
        self.splitter.setSizes([480, 960])
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setChildrenCollapsible(False)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.splitter)
        self.empty = EmptyState()
        self._stack.addWidget(self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self._stack, 1)

    def _restore(self) -> None:
        for name, part in (("beside", self.splitter), ("views", self.contrast.splitter)):
            stored = self._settings.layout(f"disagreements-{name}")
            if stored is not None:
                part.restoreState(stored)
        self.known.setChecked(self._settings.remembered("disagreements-known") == "yes")

    def _connect(self) -> None:
        self.tree.itemExpanded.connect(self._open_group)
        self.tree.currentItemChanged.connect(lambda item, _: self._current_changed(item))
        self.known.toggled.connect(lambda _: self._toggle_known())
        self.pair.currentIndexChanged.connect(lambda _: self.fill())
        self.ruled.currentIndexChanged.connect(lambda _: self.fill())
        self.export.clicked.connect(self._choose_file)
        self._project.changed.connect(self.reload)


class PairGroup:
    """Differences of one task between the same two verifiers that start at the same check."""

    def __init__(self, first: Difference) -> None:
        self.task = first.task
        self.first = first.first
        self.second = first.second
        self.check = first.by_check
        self.differences: list[Difference] = []

    @property
    def name(self) -> tuple[str, ...]:
        """Identifies the group among those of its task."""
        return self.task, self.first, self.second, self.check

    @property
    def title(self) -> str:
        """Pair and check in words."""
        return f"{self.first} / {self.second} · {self.check}"


class TaskGroup:
    """Differences of one task."""

    def __init__(self, task: str) -> None:
        self.task = task
        self._pairs: dict[tuple[str, ...], PairGroup] = {}

    @property
    def pairs(self) -> list[PairGroup]:
        """The groups by verifiers and check, those with the cross-check first."""
        return sorted(self._pairs.values(), key=lambda pair: (pair.second != CROSSCHECK, pair.name))

    @property
    def differences(self) -> list[Difference]:
        """All of them."""
        return [difference for pair in self.pairs for difference in pair.differences]

    def add(self, difference: Difference) -> None:
        """Adds a difference."""
        group = PairGroup(difference)
        self._pairs.setdefault(group.name, group).differences.append(difference)


def group_by_task(differences: Iterable[Difference]) -> list[TaskGroup]:
    """The differences by task (in the order of titles), then by pair and check."""
    groups: dict[str, TaskGroup] = {}
    for difference in differences:
        groups.setdefault(difference.task, TaskGroup(difference.task)).add(difference)
    return sorted(groups.values(), key=lambda group: task_title(group.task))


def _order(difference: Difference) -> tuple[object, ...]:
    """As in the tree."""
    return (
        task_title(difference.task),
        difference.second != CROSSCHECK,
        difference.first,
        difference.second,
        difference.by_check,
        difference.attempt,
    )


def _key(difference: Difference) -> Key:
    return difference.attempt, difference.first, difference.second


def _counted(differences: Sequence[Difference]) -> str:
    ruled = sum(difference.ruling is not None for difference in differences)
    return f"{len(differences):,}" + (f" ({ruled:,} ruled on)" if ruled else "")
