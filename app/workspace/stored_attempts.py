"""The stored attempts at the instance of a workspace: their list, their gallery, and what can be done with one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from spatial_workbench.app.attempts.replays import replay_of
from spatial_workbench.app.background.jobs import ScopedRunner
from spatial_workbench.app.workspace.answers import Answers
from spatial_workbench.app.workspace.attempts_panel import AttemptsPanel
from spatial_workbench.app.workspace.session import Session
from spatial_workbench.engine.core import Aid, AnswerError
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.widgets.editing.abilities import PlaysAttempts
from spatial_workbench.widgets.editing.editor import Editor

if TYPE_CHECKING:
    from spatial_workbench.app.attempts.dossier import Dossier
    from spatial_workbench.app.attempts.drawings import AttemptDrawing
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.app.workspace.gallery import Gallery
    from spatial_workbench.engine.store import Attempt, AttemptRow, Project


class StoredAttempts(QObject):
    """Lists the attempts, and opens, plays, replays and compares them. Looking at other people's attempts is recorded.

    Signals:
        message(str): why something was not done.
        solved(): one of the person's own attempts has passed.
        compare_requested(object, object): two Compared answers to show beside each other.
        replay_requested(str, object): a title, and a RunRecord or MachineRun to show.
    """

    message = Signal(str)
    solved = Signal()
    compare_requested = Signal(object, object)
    replay_requested = Signal(str, object)

    def __init__(
        self,
        session: Session,
        editor: Editor[Any],
        answers: Answers,
        project: ProjectService,
        jobs: ScopedRunner,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._editor = editor
        self._answers = answers
        self._project = project
        self._jobs = jobs
        self._document = session.document
        self._is_closed = False
        self.panel = AttemptsPanel()
        self.panel.opened.connect(self.open)
        self.panel.compared.connect(self.compare)
        self.panel.replayed.connect(self.replay)
        self.gallery = self._make_gallery()
        project.changed.connect(self.load)

    def close(self) -> None:
        """Ignores further replies of the project."""
        self._is_closed = True
        self._project.changed.disconnect(self.load)
        if self.gallery is not None:
            self.gallery.close_panel()

    def load(self) -> None:
        """Reads the attempts again."""
        address = self._document.instance.address
        self._ask(lambda project: project.attempts.newest(address), self._show_rows)
        if self.gallery is not None and self.gallery.isVisible():
            self._load_gallery()

    def open(self, number: int) -> None:
        """Loads the answer of an attempt into the editor; can be undone."""

        def put(attempt: Attempt) -> None:
            self._record([attempt], "Open attempt")
            self._answers.put(f"Open attempt {number}", attempt.answer)

        self._ask(lambda project: project.attempts.get(number), put)

    def play(self, number: int) -> None:
        """Plays the answer of an attempt over the current one."""

        def play(attempt: Attempt) -> None:
            self._record([attempt], "Play attempt")
            try:
                if isinstance(self._editor, PlaysAttempts):
                    self._editor.play_over(self._document.task.parse(attempt.answer))
            except AnswerError as error:
                self.message.emit(f"The attempt cannot be played. {error}")

        self._ask(lambda project: project.attempts.get(number), play)

    def replay(self, number: int) -> None:
        """Requests a replay of how an attempt was made."""

        def show(looked_up: tuple[Attempt, Any]) -> None:
            attempt, record = looked_up
            self._record([attempt], "Replay attempt")
            if isinstance(record, str):
                self.message.emit(record)
            else:
                self.replay_requested.emit(f"Replay of attempt {number}", record)

        self._ask(lambda project: (project.attempts.get(number), replay_of(project, number)), show)

    def compare(self, first: int, second: int | None) -> None:
        """Requests a comparison of two attempts, or of one with the draft."""
        from spatial_workbench.app.attempts.dossier import collect

        numbers = [first] if second is None else sorted((first, second))

        def arrived(dossiers: list[Dossier]) -> None:
            if len(dossiers) < len(numbers):
                self.message.emit("One of these attempts no longer exists.")
                return
            self._record([dossier.attempt for dossier in dossiers], "Compare with attempt")
            self._draw_to_compare(dossiers)

        self._ask(lambda project: [dossier for n in numbers if (dossier := collect(project, n)) is not None], arrived)

    def _draw_to_compare(self, dossiers: Sequence[Dossier]) -> None:
        from spatial_workbench.app.attempts import drawings
        from spatial_workbench.app.attempts.compared import of_attempt, of_draft

        instance = self._document.instance
        verdict = self._document.verdict if self._document.is_verdict_current else None
        draft = packed(self._document.task, self._document.answer)
        with_draft = len(dossiers) < 2

        def show(drawn: list[AttemptDrawing]) -> None:
            for drawing in drawn:
                if drawing.trouble:
                    self.message.emit(drawing.trouble)
            scenes = [drawing.scene for drawing in drawn if drawing.scene is not None]
            if len(scenes) < len(drawn):
                return
            sides = [of_attempt(dossier, scene) for dossier, scene in zip(dossiers, scenes, strict=False)]
            if with_draft:
                sides.append(of_draft(instance, draft, verdict, scenes[-1]))
            self.compare_requested.emit(*sides)

        texts = [dossier.attempt.answer for dossier in dossiers] + [draft] * with_draft
        self._jobs.run(
            "Drawing the attempts",
            drawings.draw_all,
            instance.address,
            texts,
            done=show,
            failed=self.message.emit,
        )

    def _show_rows(self, rows: list[AttemptRow]) -> None:
        self.panel.show_attempts(rows)
        own = [row for row in rows if (row.actor, row.actor_name) == ("person", self._session.person)]
        if any(row.passed for row in own):
            self.solved.emit()

    def _make_gallery(self) -> Gallery | None:
        """The gallery, for answers that can be played over each other by who may see how they do."""
        may_see = self._editor.allows(Aid.SOLVING) and self._editor.allows(Aid.JUDGING)
        if not (isinstance(self._editor, PlaysAttempts) and may_see):
            return None
        from spatial_workbench.app.workspace.gallery import Gallery

        gallery = Gallery(str(self._document.instance.parameters.get("level", "")))
        gallery.shown.connect(self._load_gallery)
        gallery.played.connect(self.play)
        gallery.opened.connect(self.open)
        return gallery

    def _load_gallery(self) -> None:
        address = self._document.instance.address
        gallery = self.gallery
        assert gallery is not None

        def read(project: Project) -> list[tuple[AttemptRow, str]]:
            return [(row, project.attempts.get(row.number).answer) for row in project.attempts.newest(address)]

        self._ask(read, gallery.show_attempts)

    def _record(self, attempts: Sequence[Attempt], what: str) -> None:
        """Records that the person sees somebody else's answers."""
        for attempt in attempts:
            if (attempt.actor, attempt.actor_name) != ("person", self._session.person):
                self._session.use_aid(f"{what} {attempt.number}", Aid.SOLVING)

    def _ask(self, question: Callable[[Project], Any], done: Callable[[Any], None]) -> None:
        """Asks the project; ignores replies that arrive after the tab was closed."""
        self._project.ask(question, lambda answer: None if self._is_closed else done(answer))
