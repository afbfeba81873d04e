"""Screenshots of the real window on a screen that nobody sees: for the README, and to look at every page."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from spatial_workbench.app.studio.pictures import offscreen_application
from spatial_workbench.engine.core import InstanceError
from spatial_workbench.engine.store import Project
from tools.studio.participants import PREFIX, ParticipantStage
from tools.studio.waiting import Waiting


def save_screenshot(
    page: str, path: Path, size: tuple[int, int], theme: str, type_scale: float = 1.0, language: str = "en"
) -> None:
    """Opens a page in a fresh window and writes its picture.

    page: "catalogue", "log", "settings", "palette", "about", "compare", "compare-figures", "compare-texts", "results",
    "runs", "disagreements", "new-batch", "batches", "models", "puzzles", "puzzle-statistics", "puzzle-annotation",
    "puzzle-review", "studies", "study-freeze", "study-recovery", "study-unseal", "study-json", "study-progress",
    "study-quality", "study-outcomes", "study-checklist", "participant:" and a page of the participant's window (see
    `ParticipantStage.PAGES`), or an address, which is shown solved; an address followed by "!" is shown as a newcomer
    finds it.
    type_scale: how large text is in the participant's window; the other pages know one size.
    language: what the participant's window speaks; the other pages speak English.

    Raises:
        InstanceError: There is no such page.
        OSError: The picture cannot be written.
    """
    application = offscreen_application()
    from PySide6.QtCore import QSettings

    with tempfile.TemporaryDirectory() as folder:
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder)
        stage: WindowStage | ParticipantStage
        if page.startswith(PREFIX):
            stage = ParticipantStage(Path(folder), size, theme, type_scale, language)
        else:
            stage = WindowStage(application, Path(folder), size, theme)
        try:
            shown = stage.show(page.removeprefix(PREFIX))
            picture = shown.grab()
        finally:
            stage.close()
    if not picture.save(str(path)):
        raise OSError(f"The screenshot could not be written to {path}")


class WindowStage(Waiting):
    """A window with a project of its own, driven step by step.

    It has more than 25 methods, since each page that is photographed has one.
    """

    def __init__(self, application, folder: Path, size: tuple[int, int], theme: str) -> None:
        from spatial_workbench.app.window.application import build_window

        self.application = application
        self._folder = folder
        self.window = build_window(application)
        self.window.settings.theme = theme
        self.window.settings.show_tours = False
        self.window.preferences.apply_appearance()
        self.window.resize(*size)
        self.window.show()
        Project.create(folder / "stage.workbench").close()
        self.window.start(folder / "stage.workbench")
        self.wait(lambda: self.window.project.path is not None)
        self.window.person.change_person("Ada")

    def show(self, page: str):
        """Brings a page up and returns the widget to be photographed."""
        if page in WINDOW_PAGES:
            shown = WINDOW_PAGES[page](self)
        elif ":" in page or "@" in page:
            shown = self._instance(page)
        else:
            raise InstanceError(f"There is no page '{page}': {', '.join(WINDOW_PAGES)}, or an address such as TASK:0")
        self.settle()
        return shown or self.window

    def open(self, address: str):
        """Opens an instance and returns its workspace."""
        self.window.open_instance(address)
        self.wait(lambda: self.window.workspace is not None)
        return self.window.workspace

    def solve(self) -> None:
        """Puts the reference solution in place and waits for its verdict."""
        workspace = self.window.workspace
        workspace.answers.load_reference()
        self.wait(lambda: workspace.document.undo_stack.count() > 0)
        self.wait(lambda: workspace.document.is_verdict_current)

    def editor(self):
        """The editor in front, if any."""
        return self.window.workspace and self.window.workspace.editor

    def close(self) -> None:
        """Closes the window."""
        self.window.close()
        self.application.processEvents()

    def _instance(self, page: str):
        workspace = self.open(page.rstrip("!"))
        self.wait(lambda: workspace.document.is_verdict_current)
        if not page.endswith("!"):
            self.solve()
        workspace.editor.view.frame(animate=False)

    def _log(self):
        self.window.actions_registry["view.log"].trigger()

    def _dialog(self, action: str):
        from PySide6.QtWidgets import QDialog

        self.window.actions_registry[action].trigger()
        return self.window.findChild(QDialog)

    def _results(self, section: str = "scores"):
        from tools.studio.results import add_example_results

        self.window.project.tell(add_example_results, announce=True)
        self.window.actions_registry["runs.results"].trigger()
        page = self.window.tabs.currentWidget()
        self.wait(lambda: page.results is not None and not page.results.is_empty)
        page.show_section(section)

    def _palette(self):
        from spatial_workbench.app.window.palette import CommandPalette

        self.window.show_palette()
        return self.window.findChild(CommandPalette)

    def _compare(self):
        workspace = self.open("lego_hemisphere:0")
        self.solve()
        workspace.judgement.submit()
        self.wait(lambda: workspace.attempts.panel.model.rowCount() == 1)
        workspace.document.undo_stack.undo()
        workspace.attempts.panel.compared.emit(1, None)
        self.wait(lambda: self.window.workspace is None)

    def _compare_part(self, show: str):
        self._runs()
        runs = self.window.tabs.currentWidget()
        rows = [runs.model.row(k) for k in range(runs.model.rowCount())]
        first, second = next((x, y) for x in rows for y in rows if x.address == y.address and x.number < y.number)
        runs.row_actions.compare(first.number, second.number)
        self.wait(lambda: self.window.tabs.currentWidget() is not runs)
        getattr(self.window.tabs.currentWidget(), show)()
        self.settle(3.0)

    def _runs(self):
        self._fill_with_runs()
        self.window.actions_registry["runs.browse"].trigger()
        page = self.window.tabs.currentWidget()
        self.wait(lambda: page.model.rowCount() > 0)
        page.table.select_numbers([page.model.numbers[2]])
        self.wait(lambda: page.detail.dossier is not None and page.is_idle)

    def _disagreements(self):
        self._fill_with_runs()
        self.window.actions_registry["runs.disagreements"].trigger()
        page = self.window.tabs.currentWidget()
        self.wait(lambda: page.contrast.difference is not None and page.is_idle)

    def _new_batch(self):
        dialog = self._dialog("evaluate.new")
        dialog.tasks.choose({"shikaku:0", "shikaku:1", "two_segments:0", "two_segments:1", "delaunay:3"})
        self.wait(lambda: dialog.start.isEnabled())
        return dialog

    def _models(self):
        dialog = self._dialog("evaluate.models")
        dialog.choose("claude-sonnet-4-5-HighReasoning")
        return dialog

    def _batches(self):
        from tools.studio.batches import add_example_batches

        self.window.project.tell(add_example_batches, announce=True)
        self.window.actions_registry["evaluate.batches"].trigger()
        page = self.window.tabs.currentWidget()
        self.wait(lambda: page.model.rowCount() == 3)
        page.choose(2)

    def _puzzles(self):
        page = self.window.puzzle_pages.show_sets()
        self.wait(lambda: page.is_idle and page.listing is not None)
        page.puzzles.choose(["Harbour_Clocks"])
        return page

    def _annotation(self):
        from tools.studio.puzzles import UNFINISHED, make_example_set

        page = self.window.puzzle_pages.annotate(make_example_set(self._folder / "hunt"), UNFINISHED)
        self.wait(lambda: page.is_idle and page.pad.view.tiles is not None)

    def _review(self):
        from tools.studio.puzzles import DISPUTED, add_example_review, make_example_set

        entry = make_example_set(self._folder / "hunt")
        self.window.project.tell(lambda project: add_example_review(project, entry), announce=True)
        # The author does not settle what reviewers differ about.
        self.window.person.change_person("Dora")
        page = self.window.puzzle_pages.review_set(entry)
        self.wait(lambda: DISPUTED in page.records.reviews)
        page.choose(DISPUTED)
        pad = page.panel.pictures.pad
        self.wait(lambda: page.panel.form is not None and pad.view.tiles is not None)

    def _study(self, state: str = "draft"):
        from tools.studio.studies import add_example_study, example_study, open_example

        study = example_study()
        project = self.window.project
        project.tell(lambda opened: opened.studies.add(study) if state == "draft" else add_example_study(opened, study))
        if state == "open":
            project.tell(lambda opened: open_example(opened, study.id))
        project.tell(lambda opened: None, announce=True)
        project.flush()
        page = self.window.study_pages.show_studies()
        self.wait(lambda: page.snapshot is not None and page.is_idle)
        return page

    def _freeze(self):
        from spatial_workbench.app.studies.leader.dialogs.freezing import FreezeDialog

        page = self._study()
        page.plan.freezing.ask(page.plan.freezing.freeze)
        self.wait(lambda: page.findChild(FreezeDialog) is not None)
        return page.findChild(FreezeDialog)

    def _recovery(self):
        from spatial_workbench.app.studies.leader.dialogs.freezing import RecoveryDialog

        page = self._study()
        page.plan.freezing.freeze("open sesame 8")
        self.wait(lambda: page.findChild(RecoveryDialog) is not None)
        return page.findChild(RecoveryDialog)

    def _unseal(self):
        from spatial_workbench.app.studies.leader.dialogs.deciding import UnsealDialog

        page = self._study("merged")
        page.deciding.ask_unseal(is_early=True)
        return page.findChild(UnsealDialog)

    def _outcomes(self):
        page = self._study("open")
        page.go_to(3)
        self.wait(lambda: page.outcomes.sections.chosen_section != "")
        page.outcomes.sections.show_section("scores")

    def _checklist(self):
        page = self._study("open")
        page.go_to(4)
        self.wait(lambda: page.checklist.model.rowCount() > 0)
        page.checklist.table.selectRow(4)

    def _fill_with_runs(self):
        from tools.studio.runs import add_example_runs

        self.window.project.tell(add_example_runs, announce=True)
        self.window.project.flush()
        self.application.processEvents()


WINDOW_PAGES: dict[str, Callable[[WindowStage], Any]] = {
    "catalogue": lambda stage: None,
    "log": WindowStage._log,
    "settings": lambda stage: stage._dialog("app.settings"),
    "about": lambda stage: stage._dialog("help.about"),
    "palette": WindowStage._palette,
    "results": WindowStage._results,
    "compare": WindowStage._compare,
    "compare-figures": lambda stage: stage._compare_part("show_figures"),
    "compare-texts": lambda stage: stage._compare_part("show_texts"),
    "runs": WindowStage._runs,
    "disagreements": WindowStage._disagreements,
    "new-batch": WindowStage._new_batch,
    "batches": WindowStage._batches,
    "models": WindowStage._models,
    "puzzles": lambda stage: stage._puzzles() and None,
    "puzzle-statistics": lambda stage: stage._puzzles().tabs.setCurrentIndex(1),
    "puzzle-annotation": WindowStage._annotation,
    "puzzle-review": WindowStage._review,
    "studies": lambda stage: stage._study() and None,
    "study-freeze": WindowStage._freeze,
    "study-recovery": WindowStage._recovery,
    "study-unseal": WindowStage._unseal,
    "study-json": lambda stage: stage._study().plan.as_json.setChecked(True),
    "study-progress": lambda stage: stage._study("merged").go_to(1),
    "study-quality": lambda stage: stage._study("merged").go_to(2),
    "study-outcomes": WindowStage._outcomes,
    "study-checklist": WindowStage._checklist,
}
"""What brings a page of the window up; it returns the widget to be photographed, or None for the window."""
