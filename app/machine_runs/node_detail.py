"""One machine of a run: drawn and played, judged, with its changes and what the model was asked and said."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSplitter, QTabWidget, QVBoxLayout, QWidget

from spatial_workbench.app.attempts.long_text import LongText
from spatial_workbench.app.attempts.stage import ComparisonStage
from spatial_workbench.app.machine_runs import work
from spatial_workbench.app.machine_runs.nodes import result_of
from spatial_workbench.engine.core import Scene, Verdict
from spatial_workbench.engine.tasks.machine import MachineAnswer
from spatial_workbench.widgets.panels.verdict_panel import VerdictPanel
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import BackgroundJob, Jobs
    from spatial_workbench.engine.search.run_tree import RunNode

_TEXTS = ("Reply", "Prompt", "Rules")
NO_MACHINE = "This answer produced no machine. The prompts and replies are below."


class NodeDetail(QWidget):
    """Shows a node. Draws, judges and simulates in the background; only the newest request is shown."""

    def __init__(self, address: str, jobs: Jobs) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._address = address
        self._jobs = jobs
        self._running: dict[str, BackgroundJob] = {}
        self.node: RunNode | None = None
        self.stage = ComparisonStage("The machine, drawn", plays_sharply=True)
        self.caption = QLabel()
        self.caption.setObjectName("figures")
        self.caption.setContentsMargins(3 * SPACE, SPACE, 3 * SPACE, SPACE)
        self.caption.hide()
        self.stage.timeline.shows_captions = False
        self.stage.timeline.frame_changed.connect(self._show_moment)
        self._scene: Scene | None = None
        self.verdict_panel = VerdictPanel()
        self.verdict_panel.offer_crosscheck(False)
        self.verdict_panel.elements_clicked.connect(self.stage.show_elements)
        self.changes = LongText("Changes")
        self.talk = ChoiceBox()
        self.talk.setAccessibleName("Question to a role")
        self.talk.currentIndexChanged.connect(lambda _: self._show_text())
        self.kind = ChoiceBox()
        self.kind.addItems(list(_TEXTS))
        self.kind.setAccessibleName("Which text")
        self.kind.currentIndexChanged.connect(lambda _: self._show_text())
        self.text = LongText("Text")
        self._lay_out()

    def show_node(self, node: RunNode) -> None:
        """Shows a node; the machine is drawn and judged."""
        self.cancel()
        self.node = node
        self._scene = None
        self.caption.hide()
        self._title.setText(f"Machine {node.machine}" if node.machine is not None else node.step)
        self._subtitle.setText(_facts_of(node))
        self.changes.show_text(_changes_of(node))
        self._show_talks(node)
        self.verdict_panel.show_verdict(None)
        if node.tree is None:
            self.stage.show_words(NO_MACHINE if node.talks else f"This is not a machine. {node.trouble}")
            self.tabs.setCurrentWidget(self._talks if node.talks else self.changes)
            return
        text = answer_of(node)
        self._run("draw", work.drawn, text, self._draw, "This machine could not be drawn.")
        self._run("judge", work.judged, text, self._judge, "This machine could not be checked.")

    def replay(self) -> None:
        """Simulates the machine, unless that was done before, and plays what happens."""
        if self.node is not None and self.node.tree is not None:
            self._subtitle.setText(f"{_facts_of(self.node)} · simulating…")
            self._run("play", work.moving, answer_of(self.node), self._play, "This machine could not be simulated.")

    def cancel(self) -> None:
        """Stops everything that was requested."""
        for job in self._running.values():
            job.cancel()
        self._running.clear()

    @property
    def is_idle(self) -> bool:
        """Whether everything requested is shown."""
        return not self._running

    def close_detail(self) -> None:
        """Releases the graphics resources."""
        self.cancel()
        self.stage.close_view()

    def _run(
        self, name: str, work_of: Callable[..., Any], text: str, done: Callable[[Any], None], trouble: str
    ) -> None:
        if name in self._running:
            self._running.pop(name).cancel()

        def ended(show: Callable[[], None]) -> None:
            self._running.pop(name, None)
            show()

        self._running[name] = self._jobs.live.run(
            "Machine",
            work_of,
            self._address,
            text,
            done=lambda value: ended(lambda: done(value)),
            failed=lambda why: ended(lambda: self._subtitle.setText(f"{trouble} {why}")),
            quiet=True,
        )

    def _draw(self, scene: Scene) -> None:
        if self._scene is None:
            self.stage.show_scene(scene)

    def _judge(self, verdict: Verdict) -> None:
        self.verdict_panel.show_verdict(verdict)
        self.stage.mark(verdict.failed_elements if self._scene is None else ())

    def _play(self, scene: Scene) -> None:
        assert self.node is not None
        self._scene = scene
        words = "" if scene.frames else " · not simulated, because it breaks a rule"
        self._subtitle.setText(_facts_of(self.node) + words)
        self.stage.show_scene(scene)
        if scene.frames:
            self.caption.show()
            self.stage.timeline.go_to(0)
            self.stage.view.frame(animate=False)  # type: ignore[union-attr]
            self.stage.timeline.play()

    def _show_moment(self, index: int) -> None:
        if self._scene is not None and index < len(self._scene.frames):
            self.caption.setText(self._scene.frames[index].caption)

    def _show_talks(self, node: RunNode) -> None:
        self.talk.blockSignals(True)
        self.talk.clear()
        self.talk.addItems([talk.title for talk in node.talks])
        self.talk.blockSignals(False)
        self.tabs.setTabVisible(self.tabs.indexOf(self._talks), bool(node.talks))
        self._show_text()

    def _show_text(self) -> None:
        talks = self.node.talks if self.node is not None else ()
        if not 0 <= self.talk.currentIndex() < len(talks):
            self.text.show_text("")
            return
        talk = talks[self.talk.currentIndex()]
        self.text.show_text((talk.answer, talk.prompt, talk.system)[self.kind.currentIndex()])
        self._error.setText(f"Not used: {talk.error}")
        self._error.setVisible(bool(talk.error))

    def _lay_out(self) -> None:
        self._title = QLabel()
        self._title.setObjectName("panelTitle")
        self._subtitle = QLabel()
        self._subtitle.setObjectName("secondary")
        self._subtitle.setWordWrap(True)
        self._error = QLabel()
        self._error.setObjectName("error")
        self._error.setWordWrap(True)
        self._error.hide()
        self._talks = QWidget()
        choice = QHBoxLayout()
        choice.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 0)
        choice.setSpacing(2 * SPACE)
        choice.addWidget(self.talk, 1)
        choice.addWidget(self.kind)
        fault = QHBoxLayout()
        fault.setContentsMargins(3 * SPACE, SPACE, 3 * SPACE, 0)
        fault.addWidget(self._error)
        column = QVBoxLayout(self._talks)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(choice)
        column.addLayout(fault)
        column.addWidget(self.text, 1)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        for page, title in (
            (self.verdict_panel, "Verdict"),
            (self.changes, "Changes"),
            (self._talks, "Prompt and reply"),
        ):
            self.tabs.addTab(page, title)
        shown = QWidget()
        above = QVBoxLayout(shown)
        above.setContentsMargins(0, 0, 0, 0)
        above.setSpacing(0)
        above.addWidget(self.stage, 1)
        above.addWidget(self.caption)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(shown)
        self.splitter.addWidget(self.tabs)
        self.splitter.setSizes([460, 300])
        self.splitter.setChildrenCollapsible(False)
        head = QVBoxLayout()
        head.setContentsMargins(4 * SPACE, 3 * SPACE, 4 * SPACE, 3 * SPACE)
        head.setSpacing(SPACE)
        head.addWidget(self._title)
        head.addWidget(self._subtitle)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.splitter, 1)


def answer_of(node: RunNode) -> str:
    """The machine of a node as an answer."""
    assert node.tree is not None
    return MachineAnswer.of(node.tree).model_dump_json()


def _facts_of(node: RunNode) -> str:
    reached = "" if node.shown is None else f"{node.shown.name} {node.shown.value:.2f} {node.shown.unit}".strip()
    blocks = "" if node.tree is None else f"{len(node.tree)} blocks"
    step = node.step if node.machine is not None else ""
    return " · ".join(filter(None, (step, reached, blocks, result_of(node)[0])))


def _changes_of(node: RunNode) -> str:
    made_of = f"Made from machine {node.parent[1:]}" if node.parent is not None else ""
    lines = "\n".join(node.lines)
    return "\n\n".join(filter(None, (made_of, lines, node.trouble))) or "This machine was not made by changes."
