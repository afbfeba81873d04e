"""The Puzzles menu: sets of puzzles, and the annotation of one of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from shiboken6 import isValid

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from spatial_workbench.app.frame.host import Host
    from spatial_workbench.app.puzzles.annotation.page import AnnotationPage
    from spatial_workbench.app.puzzles.lesson_page import LessonPage
    from spatial_workbench.app.puzzles.page import PuzzlesPage
    from spatial_workbench.app.puzzles.review.agreement_page import AgreementPage
    from spatial_workbench.app.puzzles.review.page import ReviewPage
    from spatial_workbench.app.puzzles.set_work import SetEntry
    from spatial_workbench.engine.evaluation.planning.plan import Contender
    from spatial_workbench.engine.evaluation.puzzles.flagging import FlaggingOutcome
    from spatial_workbench.engine.puzzles.annotation.review import Review
    from spatial_workbench.engine.store import Project

REVIEW, AGREEMENT = "puzzle_review", "puzzle_agreement"
"""Kinds of pages of which each set has one."""
ANNOTATION = "puzzle_annotation"
"""The kind of pages of which each puzzle has one."""
LAST_SET = "puzzle_set"
"""The set of puzzles that was chosen last."""


class PuzzlePages(QObject):
    """Opens the pages about sets of puzzles."""

    def __init__(self, window: Host) -> None:
        super().__init__(window)
        self._window = window
        window.pages.register("puzzles", self._make_page)
        add = window.actions_registry.add
        add("puzzles.sets", "Puzzles", "&Sets of puzzles", self.show_sets, "Ctrl+Shift+U", "list")
        add(
            "puzzles.add",
            "Puzzles",
            "&Add folder…",
            self._on_page(lambda page: page.set_changing.ask_folder()),
            "",
            "open",
        )
        add(
            "puzzles.import",
            "Puzzles",
            "&Import…",
            self._on_page(lambda page: page.transfer.ask_import()),
            "",
            "import",
        )
        add(
            "puzzles.new_set",
            "Puzzles",
            "New &set…",
            self._on_page(lambda page: page.set_changing.ask_new_set()),
            "",
            "place",
        )

        window.pages.register("puzzle_lesson", self._make_lesson)
        add("puzzles.lesson", "Puzzles", "&Learn to annotate", self.show_lesson, "", "info")
        window.project.changed.connect(self._show_requests)
        # The review in another tab of this window may have gone on.
        window.pages.changed.connect(self._show_requests)
        window.pages.register_kind(REVIEW, lambda path: self._reopened(path, self.review_set))
        window.pages.register_kind(AGREEMENT, lambda path: self._reopened(path, self.show_agreement))
        window.pages.register_kind(ANNOTATION, self._annotated_again)
        add("puzzles.review", "Puzzles", "&Review the chosen set", self.review, "", "check")

    def review(self) -> ReviewPage | None:
        """Opens the review of the set that is chosen on the page of sets, or goes to its tab.

        Returns:
            None while the sets are still being read; the review opens then.
        """
        page = self.show_sets()
        if page.entry is None:
            page.set_chosen.connect(lambda _: self.review(), Qt.ConnectionType.SingleShotConnection)
            return None
        return self.review_set(page.entry)

    def review_set(self, entry: SetEntry) -> ReviewPage:
        """Opens the review of a set, or goes to its tab."""
        from spatial_workbench.app.puzzles.review.page import ReviewPage

        for page in self._window.pages:
            if isinstance(page, ReviewPage) and page.entry.path == entry.path:
                self._window.pages.tabs.setCurrentWidget(page)
                return page
        page = ReviewPage(self._window.jobs, self._window.project, entry, lambda: self._window.settings.person)
        page.message.connect(self._window.show_message)
        page.applied.connect(self._refresh)
        page.flagging_asked.connect(self.ask_flagging)
        page.own_asked.connect(self.annotate)
        page.handing_in.connect(lambda folder: self._hand_in(page, folder))
        page.agreement_asked.connect(self.show_agreement)
        page.reopened_by = REVIEW, str(entry.path)
        self._window.pages.add(page)
        return page

    def _reopened(self, path: str, show: Callable[[SetEntry], QWidget]) -> QWidget | None:
        from spatial_workbench.app.puzzles.set_work import entry_at

        entry = entry_at(Path(path))
        return None if entry is None else show(entry)

    def _annotated_again(self, path: str) -> AnnotationPage | None:
        from spatial_workbench.app.puzzles.set_work import entry_at
        from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet

        entry = entry_at(Path(path).parent)
        folder = Path(path).name
        if entry is None or not (PuzzleSet(entry.path).root / folder).is_dir():
            return None
        return self.annotate(entry, folder)

    def show_agreement(self, entry: SetEntry) -> AgreementPage:
        """Opens the agreement of independent annotations of a set, or goes to its tab."""
        from spatial_workbench.app.puzzles.review.agreement_page import AgreementPage

        for page in self._window.pages:
            if isinstance(page, AgreementPage) and page.entry.path == entry.path:
                self._window.pages.tabs.setCurrentWidget(page)
                return page
        page = AgreementPage(self._window.project, entry, lambda: self._window.settings.person)
        page.records.message.connect(self._window.show_message)
        page.reopened_by = AGREEMENT, str(entry.path)
        self._window.pages.add(page)
        return page

    def _hand_in(self, review: ReviewPage, folder: str) -> None:
        """Saves what the person is still writing, then hands it in."""
        from spatial_workbench.app.puzzles.annotation.page import AnnotationPage

        def hand_in(entry: SetEntry) -> None:
            for page in self._window.pages:
                if not isinstance(page, AnnotationPage) or (page.entry.path, page.folder) != (entry.path, folder):
                    continue
                if page.edited.is_edited:
                    page.saving.save(then=lambda: review.records.hand_in(folder))
                    return
            review.records.hand_in(folder)

        review.records.open_own(folder, hand_in)

    def ask_flagging(self, entry: SetEntry, waiting: int) -> None:
        """Asks which model should flag the puzzles that wait for it, and starts it."""
        from spatial_workbench.app.puzzles.review.dialogs import FlagDialog
        from spatial_workbench.app.window.menus.judging import judging_models

        judges = judging_models()
        project = self._window.project.path
        if project is None:
            return
        dialog = FlagDialog(judges, waiting, self._window)
        dialog.ordered.connect(lambda name: self._flag(entry, judges[name], project))
        dialog.open()

    def _flag(self, entry: SetEntry, judge: Contender, project: Path) -> None:
        from spatial_workbench.app.background.evaluations import flag_puzzles, with_keys
        from spatial_workbench.app.puzzles.review.dialogs import flagging_box
        from spatial_workbench.engine.models import session_keys

        def done(outcome: FlaggingOutcome) -> None:
            self._window.project.changed.emit()
            flagging_box(outcome, self._window).open()

        self._window.jobs.run(
            "Flagging puzzles",
            with_keys,
            session_keys([judge.settings]),
            flag_puzzles,
            project,
            judge.model_dump_json(),
            entry.path,
            done=done,
            failed=self._window.show_message,
        )

    def show_lesson(self) -> LessonPage:
        """Goes to the lesson for people who begin to annotate."""
        page: LessonPage = self._window.pages.show("puzzle_lesson")
        return page

    def _make_lesson(self) -> LessonPage:
        from spatial_workbench.app.puzzles.lesson_page import LessonPage

        page = LessonPage(self._window.pages.holder)
        page.sets_wanted.connect(self.show_sets)
        return page

    def show_sets(self) -> PuzzlesPage:
        """Goes to the sets of puzzles."""
        page: PuzzlesPage = self._window.pages.show("puzzles")
        return page

    def _on_page(self, do: Callable[[PuzzlesPage], object]) -> Callable[[], None]:
        def act() -> None:
            do(self.show_sets())

        return act

    def _make_page(self) -> PuzzlesPage:
        from spatial_workbench.app.puzzles.page import PuzzlesPage

        remembered = self._window.settings.remembered(LAST_SET)
        page = PuzzlesPage(self._window.jobs, self._window.project, self._window.pages.holder, remembered)
        page.set_chosen.connect(lambda name: self._window.settings.remember(LAST_SET, name))
        page.message.connect(self._window.show_message)
        page.annotate_requested.connect(self.annotate)
        page.review_requested.connect(self.review)
        return page

    def annotate(self, entry: SetEntry, folder: str) -> AnnotationPage:
        """Opens the annotation of a puzzle in its own tab, or goes to that tab."""
        from spatial_workbench.app.puzzles.annotation.page import AnnotationPage

        for page in self._window.pages:
            if isinstance(page, AnnotationPage) and (page.entry.path, page.folder) == (entry.path, folder):
                self._window.pages.tabs.setCurrentWidget(page)
                return page
        page = AnnotationPage(entry, folder, self._window.pages.holder)
        page.message.connect(self._window.show_message)
        page.saved.connect(self._refresh)
        page.review_wanted.connect(lambda: self.review_set(entry).choose_when_listed(folder))
        page.reopened_by = ANNOTATION, str(entry.path / folder)
        self._window.pages.add(page)
        self._show_request(page)
        return page

    def _show_requests(self) -> None:
        """Shows on each open annotation what its review says now."""
        from spatial_workbench.app.puzzles.annotation.page import AnnotationPage

        for page in self._window.pages:
            if isinstance(page, AnnotationPage):
                self._show_request(page)

    def _show_request(self, page: AnnotationPage) -> None:
        name, folder = page.entry.name, page.folder

        def review_of(project: Project) -> Review:
            from spatial_workbench.engine.evaluation.puzzles.reviews import reviews_in
            from spatial_workbench.engine.puzzles.annotation.review import Review

            return reviews_in(project, name).get(folder, Review(folder))

        def show(review: Review) -> None:
            if isValid(page):
                page.request.show_request(review)

        if self._window.project.path is not None:
            self._window.project.ask(review_of, show)

    def _refresh(self, entry: SetEntry) -> None:
        """Reads the list again if it shows the set that has changed."""
        from spatial_workbench.app.puzzles.page import PuzzlesPage

        for page in self._window.pages:
            if isinstance(page, PuzzlesPage) and page.entry == entry:
                page.reload()
