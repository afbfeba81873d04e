"""Two verdicts on one answer: linked drawings side by side, why they differ, and the ruling below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSplitter, QVBoxLayout, QWidget

from spatial_workbench.app.attempts import drawings, explanations
from spatial_workbench.app.attempts.columns import instance_title
from spatial_workbench.app.attempts.latest import Latest
from spatial_workbench.app.attempts.stage import ComparisonStage
from spatial_workbench.app.frame.people import author_of
from spatial_workbench.app.runs.differences.counted_side import CountedSide
from spatial_workbench.app.runs.differences.explanation import ExplanationPanel
from spatial_workbench.app.runs.differences.parting import PartingReplays
from spatial_workbench.app.runs.differences.ruling_bar import RulingBar
from spatial_workbench.engine.core import Verdict
from spatial_workbench.engine.core.words import score_words
from spatial_workbench.engine.evaluation.rulings import RulingContrast
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import Jobs
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.engine.store import Attempt, Difference

LISTED = 8
"""Elements that are named; the rest are counted."""


class ContrastPanel(QWidget):
    """Shows a difference. Its ruling is given in `rulings`.

    Signals:
        replay_requested(str, object): show how an answer came about, under this title.
        message(str): a note for the status bar.
    """

    replay_requested = Signal(str, object)
    message = Signal(str)

    def __init__(self, project: ProjectService, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._project = project
        self._jobs = jobs
        self._latest = Latest()
        self._is_closed = False
        self._is_linking = False
        self.difference: Difference | None = None
        self.contrast: RulingContrast | None = None
        self.stages = (ComparisonStage("The first verdict, drawn"), ComparisonStage("The second verdict, drawn"))
        self.sides = (Side(self.stages[0]), Side(self.stages[1]))
        for stage in self.stages:
            stage.view_changed.connect(lambda source=stage: self._link(source))
        self.counted = CountedSide()
        self.counted.stage.view_changed.connect(lambda: self._link(self.counted.stage))
        self.explanation = ExplanationPanel(jobs)
        self.explanation.elements_chosen.connect(self._show_check)
        self.explanation.message.connect(self.message)
        self._replays = PartingReplays(project, jobs, self)
        self._replays.wanted.connect(self.replay_requested)
        self._replays.message.connect(self.message)
        self.rulings = RulingBar()
        self._make_head()
        self._lay_out()
        self.clear()

    @property
    def is_idle(self) -> bool:
        """Whether everything requested is shown."""
        return self._latest.is_idle

    def clear(self) -> None:
        """Shows nothing."""
        self.difference = self.contrast = None
        self._title.setText("")
        self._elements.setText("")
        self.explanation.clear_panel()
        self.counted.hide()
        for stage in self.stages:
            stage.show_words("Select a disagreement to see it here.")
        self.replay.setEnabled(False)
        self.rulings.setEnabled(False)

    def show_difference(self, difference: Difference) -> None:
        """Shows a difference; the drawings follow once they are ready."""
        is_same = self.difference is not None and _place(self.difference) == _place(difference)
        self.difference = difference
        self.rulings.show_ruling(difference, keep_note=is_same)
        if is_same:
            return
        self._latest.run(
            lambda ended: self._project.ask(
                lambda project: project.attempts.get(difference.attempt),
                lambda attempt: self._draw(attempt, difference, ended),
                lambda text: self._give_up(text, ended),
            )
        )

    def close_panel(self) -> None:
        """Releases the graphics resources."""
        self._is_closed = True
        for stage in self.stages:
            stage.close_view()
        self.counted.close_side()
        self.explanation.close_panel()

    def _draw(self, attempt: Attempt, difference: Difference, ended: Callable[[], None]) -> None:
        if self._is_closed:
            return
        verdicts = {verdict.verifier: verdict for verdict in attempt.verdicts}
        first, second = verdicts[difference.first], verdicts[difference.second]
        self._show_words(attempt, RulingContrast(first, second))
        self._jobs.live.run(
            "Explaining the difference",
            explanations.explain,
            attempt.address,
            attempt.answer,
            first,
            second,
            done=lambda view: self._show_explained(difference, view),
            failed=self._tell,
            quiet=True,
        )
        self._jobs.live.run(
            "Drawing the verdicts",
            drawings.draw_both,
            attempt.address,
            attempt.answer,
            first,
            second,
            done=lambda drawn: self._show_drawings(drawn, ended),
            failed=lambda text: self._give_up(text, ended),
            quiet=True,
        )

    def _give_up(self, text: str, ended: Callable[[], None]) -> None:
        if not self._is_closed:
            for stage in self.stages:
                stage.show_words(f"This attempt could not be drawn. {text}")
            ended()

    def _show_drawings(self, drawn: Sequence[drawings.AttemptDrawing], ended: Callable[[], None]) -> None:
        if self._is_closed:
            return
        if not self._latest.is_outdated and self.contrast is not None:
            for stage, drawing in zip(self.stages, drawn, strict=True):
                if drawing.scene is None:
                    stage.show_words(drawing.trouble)
                else:
                    stage.show_scene(drawing.scene)
            self._mark()
            self._link(self.stages[0])
        ended()

    def _tell(self, text: str) -> None:
        if not self._is_closed:
            self.message.emit(text)

    def _show_explained(self, difference: Difference, view: explanations.DifferenceView) -> None:
        if self._is_closed or self.difference is not difference:
            return
        self.explanation.show_explained(view.explained)
        self.counted.show_contrast(view.contrast, difference)
        self._share_width()
        self._link(self.stages[0])

    def _mark(self) -> None:
        """Marks on each side what its verdict objects to, and outlines what only the other one objects to."""
        if self.contrast is None:
            return
        self.stages[0].mark(self.contrast.first.failed_elements, self.contrast.only_second)
        self.stages[1].mark(self.contrast.second.failed_elements, self.contrast.only_first)

    def _show_words(self, attempt: Attempt, contrast: RulingContrast) -> None:
        self.contrast = contrast
        self._title.setText(f"{instance_title(attempt.address)}")
        self._subtitle.setText(with_marks(f"Attempt {attempt.number} · {author_of(attempt)}"))
        for side, verdict in zip(self.sides, (contrast.first, contrast.second), strict=True):
            side.show_verdict(verdict)
        words = elements_words(contrast)
        self._elements.setText(with_marks(words))
        self._elements.setVisible(bool(words))
        self._show.setVisible(bool(contrast.only_first or contrast.only_second))
        self.explanation.show_contrast(attempt.address, contrast)
        self.replay.setEnabled(True)

    def _show_elements(self, elements: Sequence[str]) -> None:
        for stage in self.stages:
            stage.show_elements(elements)

    def _show_check(self, elements: Sequence[str]) -> None:
        if elements:
            self._show_elements(elements)
        else:
            self._mark()

    def _show_differing(self) -> None:
        if self.contrast is not None:
            self._show_elements((*self.contrast.only_first, *self.contrast.only_second))

    def _link(self, source: ComparisonStage) -> None:
        if self._is_linking or source.view is None or source not in self._linked:
            return
        self._is_linking = True
        for other in self._linked:
            if other is not source and other.view is not None and type(source.view) is type(other.view):
                other.view.set_view_state(source.view.view_state())
        self._is_linking = False

    @property
    def _linked(self) -> tuple[ComparisonStage, ...]:
        """The stages that look from the same place."""
        return self.stages if self.counted.is_detail else (*self.stages, self.counted.stage)

    def _share_width(self) -> None:
        """Gives all drawings the same width."""
        views = self._views
        views.setSizes([views.width()] * views.count())

    def _ask_replay(self) -> None:
        if self.difference is not None:
            self._replays.show(self.difference)

    def _make_head(self) -> None:
        self._title = QLabel()
        self._title.setObjectName("panelTitle")
        self._subtitle = QLabel()
        self._subtitle.setObjectName("secondary")
        self._elements = QLabel()
        self._elements.setWordWrap(True)
        self._elements.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._show = QPushButton(icon("eye"), "Show")
        self._show.setToolTip("Fly to the elements in which only one of the two finds a fault")
        self._show.setAccessibleName("Show the elements that differ")
        self._show.clicked.connect(self._show_differing)
        self._show.hide()
        self.replay = QPushButton(icon("play"), "Replay")
        self.replay.setToolTip("Show how the answer came about, from the edit at which the two verifiers part")
        self.replay.clicked.connect(self._ask_replay)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(4 * SPACE, 3 * SPACE, 4 * SPACE, 3 * SPACE)
        head.setSpacing(3 * SPACE)
        head.addWidget(self._title)
        head.addWidget(self._subtitle)
        head.addStretch(1)
        head.addWidget(self.replay)
        views = self._views = QSplitter()
        views.setHandleWidth(1)
        for side in (*self.sides, self.counted):
            views.addWidget(side)
        views.setChildrenCollapsible(False)
        lower = QWidget()
        column = QVBoxLayout(lower)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.counted.says)
        words = QHBoxLayout()
        words.setContentsMargins(4 * SPACE, 2 * SPACE, 4 * SPACE, 0)
        words.addWidget(self._elements, 1)
        words.addWidget(self._show)
        column.addLayout(words)
        column.addWidget(self.explanation, 1)
        column.addWidget(self.rulings)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(views)
        self.splitter.addWidget(lower)
        self.splitter.setSizes([340, 460])
        self.splitter.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.splitter, 1)


class Side(QWidget):
    """A drawing under the name, the score and the result of its verdict."""

    def __init__(self, stage: ComparisonStage) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._name = QLabel()
        self._mark = QLabel()
        self._score = QLabel()
        self._score.setObjectName("panelTitle")
        head = QHBoxLayout()
        head.setContentsMargins(4 * SPACE, SPACE, 4 * SPACE, 2 * SPACE)
        head.setSpacing(2 * SPACE)
        head.addWidget(self._mark)
        head.addWidget(self._name)
        head.addStretch(1)
        head.addWidget(self._score)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(stage, 1)

    def show_verdict(self, verdict: Verdict) -> None:
        """Shows which verifier's verdict is drawn, and its result."""
        role = "passed" if verdict.passed else "failed"
        self._mark.setPixmap(icon(role, role).pixmap(QSize(16, 16)))
        word = "passed" if verdict.passed else "not passed"
        self._name.setText(f"{verdict.verifier} {verdict.version} · {word}")
        self._score.setText(score_words(verdict.score))


def elements_words(contrast: RulingContrast) -> str:
    """The elements that only one of the two finds fault with: "Only default: brick 17. Only crosscheck: brick 21."."""
    sides = ((contrast.first.verifier, contrast.only_first), (contrast.second.verifier, contrast.only_second))
    parts = [f"Only {name}: {_named(elements)}." for name, elements in sides if elements]
    if parts:
        return " ".join(parts)
    return "Both find faults in the same elements." if contrast.first.failed_elements else ""


def _named(elements: Sequence[str]) -> str:
    more = len(elements) - LISTED
    return ", ".join(elements[:LISTED]) + (f" and {more:,} more" if more > 0 else "")


def _place(difference: Difference) -> tuple[object, ...]:
    return (
        difference.attempt,
        difference.first,
        difference.second,
        difference.first_score,
        difference.second_score,
        difference.by_check,
    )
