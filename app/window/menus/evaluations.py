"""The Evaluate menu: its dialogs and page, the processes of batches, their status and final message."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QToolButton

from spatial_workbench.app.evaluation.watch import BatchStatus, BatchWatch, WatchedBatch
from spatial_workbench.app.window.menus.judging import Judging
from spatial_workbench.engine.core.words import counted
from spatial_workbench.widgets.icons import icon

if TYPE_CHECKING:
    from spatial_workbench.app.background.evaluations import ExportSelection
    from spatial_workbench.app.evaluation.new_batch import NewBatchDialog
    from spatial_workbench.app.evaluation.page import BatchesPage
    from spatial_workbench.app.frame.host import Host
    from spatial_workbench.engine.evaluation.planning.plan import BatchPlan
    from spatial_workbench.engine.evaluation.planning.starting import ImportOutcome
    from spatial_workbench.engine.store import Project


class Evaluations(QObject):
    """The evaluations of a window.

    Signals:
        attempts_wanted(int): list the attempts of a batch.
        attempt_wanted(int): show one attempt.
        steps_wanted(int): show the judged steps of one attempt.
    """

    attempts_wanted = Signal(int)
    attempt_wanted = Signal(int)
    steps_wanted = Signal(int)

    def __init__(self, window: Host) -> None:
        super().__init__(window)
        self._window = window
        self._dialog: NewBatchDialog | None = None
        self._told_of: set[int] = set()
        self.judging = Judging(window)
        self.judging.attempts_wanted.connect(self.attempts_wanted)
        self.judging.steps_wanted.connect(self.steps_wanted)
        self.watch = BatchWatch(window.project, self)
        self.watch.changed.connect(self._show_status)
        self.watch.ended.connect(self._announce_end)
        window.pages.register("batches", self._make_page)
        add = window.actions_registry.add
        add("evaluate.new", "Evaluate", "&New batch…", self.new_batch, "Ctrl+Shift+E", "play")
        add("evaluate.batches", "Evaluate", "&Batches", self.show_batches, "Ctrl+Shift+B", "list")
        add("evaluate.models", "Evaluate", "&Models…", self.show_models, "", "model")
        add("evaluate.judge", "Evaluate", "&Judge steps of puzzles…", lambda: self.judging.judge_steps(), "", "check")
        add("evaluate.judging", "Evaluate", "Judging of ste&ps", self.judging.show_judging, "", "list")
        add("evaluate.import", "Evaluate", "&Import answers…", self.choose_answers, "", "open")
        self.status = QToolButton()
        self.status.setToolTip("Batches running in the background. Click to see them.")
        self.status.setAccessibleName("Running batches")
        self.status.clicked.connect(self.show_batches)
        self.status.hide()
        window.statusBar().insertPermanentWidget(1, self.status)

    def new_batch(self) -> None:
        """Opens the dialog that makes a batch; nothing of another batch is chosen in it (see `copy_batch`)."""
        self._open_dialog()

    def _open_dialog(self) -> NewBatchDialog:
        from spatial_workbench.app.evaluation.new_batch import NewBatchDialog

        self._dialog = dialog = NewBatchDialog(self._window.project, self._window.jobs, self._window)
        dialog.plan_chosen.connect(self.begin)
        dialog.models_wanted.connect(self.show_models)
        dialog.finished.connect(self._dialog_closed)
        dialog.open()
        return dialog

    def copy_batch(self, batch: int) -> None:
        """Opens the dialog that makes a batch with the settings of a stored one."""
        from spatial_workbench.engine.evaluation.planning.plan import BatchPlan

        self._window.project.ask(
            lambda project: project.batches.plan(batch),
            lambda plan: self._open_dialog().copy_settings(BatchPlan.model_validate_json(plan)),
        )

    def show_models(self) -> None:
        """Opens the dialog of models."""
        from spatial_workbench.app.evaluation.models_dialog import ModelsDialog

        dialog = ModelsDialog(self._window.jobs, self._dialog or self._window)
        if self._dialog is not None:
            dialog.changed.connect(self._dialog.load_models)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def show_batches(self) -> None:
        """Goes to the page of batches."""
        self._window.pages.show("batches")

    def show_item(self, item: int) -> None:
        """Shows the state of an item of a batch, and the requests made for it."""
        from spatial_workbench.app.evaluation.item_dialog import ItemDialog

        dialog = ItemDialog(self._window.project, self.watch, item, self._window)
        dialog.instance_wanted.connect(self._window.open_instance)
        dialog.attempt_wanted.connect(self.attempt_wanted)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def begin(self, plan: BatchPlan) -> None:
        """Stores a batch and starts its process."""
        from spatial_workbench.engine.evaluation.planning.starting import store_batch

        def start(project: Project) -> int:
            return self._started(project, store_batch(project, plan))

        self.show_batches()
        self._window.project.ask(start, self.watch.expect)

    def resume(self, batch: int) -> None:
        """Resumes a batch."""

        from spatial_workbench.engine.store import BatchState

        def start(project: Project) -> int:
            project.batches.set_state(batch, BatchState.RUNNING)
            return self._started(project, batch)

        self._window.project.ask(start, self.watch.expect)

    def retry(self, batch: int) -> None:
        """Retries the failed items of a batch."""

        def start(project: Project) -> int:
            project.items.retry_failed(batch)
            return self._started(project, batch)

        self._window.project.ask(start, self.watch.expect)

    def choose_answers(self) -> None:
        """Asks for a file of answers, and imports them."""
        path, _ = QFileDialog.getOpenFileName(
            self._window, "Import answers", "", "Answers, one per line (*.jsonl);;Logs of Inspect (*.eval)"
        )
        if path:
            self.import_answers(Path(path))

    def import_answers(self, path: Path, again: bool = False) -> None:
        """Imports the answers of a file as a batch and verifies them; an export is restored as it was."""
        from spatial_workbench.app.background.evaluations import take_file

        self._window.jobs.run(
            f"Reading {path.name}",
            take_file,
            self._window.project.path,
            path,
            again,
            done=lambda imported: (
                self._ask_again(path, imported) if isinstance(imported, str) else self._took(imported)
            ),
            failed=self._window.show_message,
        )

    def _took(self, imported: ImportOutcome) -> None:
        verb = "Imported" if imported.batch is None else "To be verified"
        summary = f"{verb}: {counted(imported.count, 'answer')}."
        if imported.problems:
            first = imported.problems[0]
            summary += f" Skipped: {counted(len(imported.problems), 'line')} (line {first.line}: {first.message})."
        if imported.left_out_words:
            summary += f" {imported.left_out_words}"
        self._window.show_message(summary)
        self.show_batches()
        if imported.batch is not None:
            self.resume(imported.batch)

    def _ask_again(self, path: Path, question: str) -> None:
        """Asks whether to import answers again that are already in the project."""
        box = QMessageBox(QMessageBox.Icon.Question, "Import answers", question, parent=self._window)
        box.setInformativeText("Importing the file again stores them again, as further attempts.")
        again = box.addButton("Import again", QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        again.clicked.connect(lambda: self.import_answers(path, again=True))
        box.open()

    def export(self, selection: ExportSelection, form: str, path: Path) -> None:
        """Writes attempts to a file."""
        from spatial_workbench.app.background.evaluations import export
        from spatial_workbench.app.results.attempt_pictures import export_turning

        self._window.jobs.run(
            "Exporting",
            export_turning if form == "html3d" else export,
            self._window.project.path,
            selection,
            form,
            path,
            done=lambda written: self._window.show_message(
                f"Written to “{written.path.name}”: {counted(written.count, 'attempt')}."
            ),
            failed=lambda text: self._window.show_message(f"Nothing was written. {text}"),
        )

    def _started(self, project: Project, batch: int) -> int:
        from spatial_workbench.app.studio.drawing import DRAWER
        from spatial_workbench.engine.evaluation.batch_process import start
        from spatial_workbench.engine.evaluation.collect import contenders
        from spatial_workbench.engine.models import session_keys

        start(project.path, batch, DRAWER, session_keys(contenders(project, [batch])[batch]))
        return batch

    def _make_page(self) -> BatchesPage:
        from spatial_workbench.app.evaluation.page import BatchesPage

        page = BatchesPage(self.watch, self.judging.judgings, self._window.project)
        page.new_wanted.connect(self.new_batch)
        page.copy_wanted.connect(self.copy_batch)
        page.resume_wanted.connect(self.resume)
        page.retry_wanted.connect(self.retry)
        page.pause_wanted.connect(lambda batch: self._want(batch, "paused"))
        page.cancel_wanted.connect(lambda batch: self._want(batch, "cancelled"))
        page.attempts_wanted.connect(self.attempts_wanted)
        page.attempt_wanted.connect(self.attempt_wanted)
        page.item_wanted.connect(self.show_item)
        page.judge_wanted.connect(self.judging.label)
        page.steps_wanted.connect(self.judging.judge_steps)
        page.judging_wanted.connect(self.judging.show_judging)
        page.export_wanted.connect(self.export)
        return page

    def _want(self, batch: int, state: str) -> None:
        from spatial_workbench.engine.store import BatchState

        self._window.project.tell(lambda project: project.batches.stop(batch, BatchState(state)), announce=True)

    def _dialog_closed(self) -> None:
        if self._dialog is not None:
            self._dialog.deleteLater()
            self._dialog = None

    def _show_status(self) -> None:
        running = [batch for batch in self.watch.batches if batch.is_alive or batch.state is BatchStatus.STARTING]
        self.status.setVisible(bool(running))
        if running:
            ended = sum(batch.row.ended for batch in running)
            total = sum(batch.row.total for batch in running)
            count = counted(len(running), "evaluation")
            self.status.setText(f"{count} running {ended}/{total}")
        for batch in self.watch.batches:
            if batch.state is BatchStatus.INTERRUPTED and batch.row.number not in self._told_of:
                self._told_of.add(batch.row.number)
                self._window.show_message(f"“{batch.row.name}” was interrupted; resume it in Evaluate › Batches.")

    def _announce_end(self, batch: WatchedBatch) -> None:
        failed = f", {batch.failed} failed" if batch.failed else ""
        ended = f"{batch.row.ended} of {counted(batch.row.total, 'item')}"
        summary = f"“{batch.row.name}” is {batch.state.value}: {ended}{failed}. {batch.row.note}"
        self._window.show_message(summary.strip())
        QApplication.alert(self._window)
        self._notify(summary)

    def _notify(self, text: str) -> None:
        """Shows a desktop notification, if that is possible and the window is not active."""
        from PySide6.QtWidgets import QSystemTrayIcon

        if self._window.isActiveWindow() or not QSystemTrayIcon.isSystemTrayAvailable():
            return
        tray = QSystemTrayIcon(icon("model"), self)
        tray.show()
        tray.showMessage("Spatial Workbench", text.strip())
        tray.messageClicked.connect(self.show_batches)
