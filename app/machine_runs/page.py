"""A page that browses a run: its tree at the left, the chosen machine at the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.attempts import drawings
from spatial_workbench.app.attempts.compared import Compared, laid_out
from spatial_workbench.app.attempts.machine_pictures import MachinePictures
from spatial_workbench.app.machine_runs.node_detail import NodeDetail, answer_of
from spatial_workbench.app.machine_runs.nodes import NodeList, result_of
from spatial_workbench.app.video.films import SceneFilm, TakeFilm
from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.words import counted
from spatial_workbench.widgets.empty_state import EmptyState
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.attempts.drawings import AttemptDrawing
    from spatial_workbench.app.attempts.replays import MachineRun
    from spatial_workbench.app.background.jobs import BackgroundJob, Jobs
    from spatial_workbench.engine.search.run_tree import RunNode, RunTree

RESTED_MS = 60
"""How long a node must stay current before it is drawn, so that arrow keys can run through the tree."""
EMPTY = ("No machines", "The run ended before an answer could be read. Open the attempt in Runs to see the replies.")


class MachineRunPage(QWidget):
    """Browses the machines of a run.

    Signals:
        message(str): a note for the status bar.
        open_requested(str, str, str, str): an address, an answer to put into its editor, where it comes from, and the
            person who built it, if it was one.
        compare_requested(object, object): two Compared machines to show beside each other.
    """

    icon_name = "layers"
    message = Signal(str)
    open_requested = Signal(str, str, str, str)
    compare_requested = Signal(object, object)

    def __init__(self, run: MachineRun, jobs: Jobs, is_live: bool = False, parent: QWidget | None = None) -> None:
        """Shows a run; with `is_live` more machines may come."""
        super().__init__(parent)
        self.is_live = is_live
        self.setObjectName("page")
        self.title = run.title
        self.run = run
        self._jobs = jobs
        self._comparing: BackgroundJob | None = None
        self.pictures = MachinePictures(self)
        self.nodes = NodeList(self.pictures)
        self.detail = NodeDetail(run.address, jobs)
        self._rest = QTimer(self, singleShot=True, interval=RESTED_MS)
        self._rest.timeout.connect(self._show_current)
        self.nodes.chosen.connect(self._rest.start)
        self.nodes.itemSelectionChanged.connect(self._update_buttons)
        self.nodes.itemActivated.connect(lambda *_: self.detail.replay())
        self._make_buttons()
        self._lay_out()
        self.show_tree(run.tree)
        if len(run.tree.nodes) == 1 and run.tree.best is not None and not is_live:
            self._show_current()
            self.detail.replay()

    def show_tree(self, tree: RunTree) -> None:
        """Shows the current state of the run; the chosen node stays chosen."""
        self.tree = tree
        self._facts.setText(" · ".join((tree.heading, *tree.facts)))
        self._stack.setCurrentIndex(0 if tree.nodes else 1)
        self._left.setVisible(len(tree.nodes) != 1 or self.is_live)
        self.nodes.show_run(tree)
        if self.nodes.current() is None and tree.nodes:
            self.nodes.choose(tree.best or tree.nodes[0].key)
        self._update_buttons()

    def open_in_editor(self) -> None:
        """Puts the chosen machine into the editor of its level."""
        node = self._current()
        if node is not None and node.tree is not None:
            self.open_requested.emit(self.run.address, answer_of(node), self._origin_of(node), self.run.person)

    def compare(self) -> None:
        """Plays the two selected machines beside each other."""
        both = self._picked()
        self.message.emit("Simulating both machines…")
        self._comparing = self._jobs.live.run(
            "Simulating two machines",
            drawings.draw_all,
            self.run.address,
            [answer_of(node) for node in both],
            done=lambda drawn: self._show_both(both, drawn),
            failed=lambda text: self.message.emit(f"The machines could not be drawn. {text}"),
            quiet=True,
        )

    def offer_film(self, take: TakeFilm) -> None:
        """Offers the simulation that is played."""
        side = self.detail.stage.film_side()
        take("Replay a machine first; the video shows what plays." if side is None else SceneFilm(self.title, (side,)))

    @property
    def is_idle(self) -> bool:
        """Whether everything requested is shown."""
        is_comparing = self._comparing is not None and self._comparing.is_pending
        return not self._rest.isActive() and self.detail.is_idle and not is_comparing

    def close_page(self) -> None:
        """Ends background work, and releases the graphics resources."""
        self._rest.stop()
        if self._comparing is not None:
            self._comparing.cancel()
        self.pictures.close()
        self.nodes.close_list()
        self.detail.close_detail()

    def _current(self) -> RunNode | None:
        key = self.nodes.current()
        return None if key is None else self.tree.node(key)

    def _picked(self) -> list[RunNode]:
        nodes = map(self.tree.node, self.nodes.picked())
        return [node for node in nodes if node is not None and node.tree is not None]

    def _show_current(self) -> None:
        node = self._current()
        if node is not None and node is not self.detail.node:
            self.detail.show_node(node)

    def _origin_of(self, node: RunNode) -> str:
        return f"machine {node.machine} of “{self.run.title.removeprefix('Replay of ').removeprefix('Run of ')}”"

    def _show_both(self, nodes: Sequence[RunNode], drawn: Sequence[AttemptDrawing]) -> None:
        title = resolve(self.run.address)[0].title
        trouble = " ".join(dict.fromkeys(drawing.trouble for drawing in drawn if drawing.trouble))
        if trouble:
            self.message.emit(trouble)
        scenes = [drawing.scene for drawing in drawn if drawing.scene is not None]
        if len(scenes) == len(nodes):
            sides = [
                Compared(f"Machine {node.machine}", title, scene, _figures_of(node), (), {"Answer": _text_of(node)})
                for node, scene in zip(nodes, scenes, strict=True)
            ]
            self.compare_requested.emit(*sides)

    def _update_buttons(self) -> None:
        node = self._current()
        has_machine = node is not None and node.tree is not None
        self.replay.setEnabled(has_machine)
        self.open.setEnabled(has_machine)
        self.compare_button.setEnabled(len(self._picked()) == 2)
        self.compare_button.setVisible(len(self.tree.nodes) > 1 or self.is_live)

    def _make_buttons(self) -> None:
        self.replay = QPushButton(icon("play"), "Replay")
        self.replay.setToolTip("Simulate the chosen machine and play it (Enter)")
        self.replay.clicked.connect(self.detail.replay)
        self.open = QPushButton(icon("pencil"), "Open in editor")
        self.open.setToolTip("Continue building with the chosen machine")
        self.open.clicked.connect(self.open_in_editor)
        self.compare_button = QPushButton(icon("compare"), "Compare")
        self.compare_button.setToolTip("Play two machines beside each other: select both with Ctrl and a click")
        self.compare_button.clicked.connect(self.compare)
        self.only_valid = QCheckBox("Valid machines only")
        self.only_valid.toggled.connect(self.nodes.show_only_valid)
        to_best = QAction("Go to the best machine", self)
        to_best.setShortcut(QKeySequence("B"))
        to_best.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        to_best.triggered.connect(self.go_to_best)
        self.addAction(to_best)

    def go_to_best(self) -> None:
        """Chooses the best machine."""
        if self.tree.best is not None:
            self.nodes.choose(self.tree.best)

    def _lay_out(self) -> None:
        title = QLabel(self.title)
        title.setObjectName("pageTitle")
        self._facts = QLabel()
        self._facts.setObjectName("secondary")
        self._facts.setWordWrap(True)
        self.head = QHBoxLayout()
        self.head.setSpacing(2 * SPACE)
        self.head.addWidget(title)
        self.head.addStretch(1)
        for button in (self.replay, self.open, self.compare_button):
            self.head.addWidget(button)
        second = QHBoxLayout()
        second.setSpacing(4 * SPACE)
        second.addWidget(self._facts, 1)
        second.addWidget(self.only_valid)
        self._left = QWidget()
        column = QVBoxLayout(self._left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.nodes, 1)
        legend = QLabel("★ best machine (B) · bold: the path to it · Enter plays the chosen machine")
        legend.setObjectName("caption")
        legend.setContentsMargins(3 * SPACE, SPACE, 3 * SPACE, SPACE)
        column.addWidget(legend)
        self.splitter = QSplitter()
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(self._left)
        self.splitter.addWidget(self.detail)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([640, 640])
        self.splitter.setChildrenCollapsible(False)
        self.empty = EmptyState(*EMPTY)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.splitter)
        self._stack.addWidget(self.empty)
        top = QVBoxLayout()
        top.setContentsMargins(6 * SPACE, 4 * SPACE, 6 * SPACE, 3 * SPACE)
        top.setSpacing(2 * SPACE)
        top.addLayout(self.head)
        top.addLayout(second)
        self.top = top
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addWidget(self._stack, 1)


def _figures_of(node: RunNode) -> dict[str, str]:
    assert node.tree is not None
    reached = {} if node.shown is None else {node.shown.name.capitalize(): f"{node.shown.value:.2f} {node.shown.unit}"}
    made = {"Step": node.step, "Changes": counted(len(node.lines), "command")}
    return reached | {"Result": result_of(node)[0], "Blocks": str(len(node.tree))} | made


def _text_of(node: RunNode) -> str:
    return laid_out(answer_of(node))
