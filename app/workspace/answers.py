"""What goes into the editor of a workspace and out of it: reference solutions, files, answers from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from spatial_workbench.app.background import judging
from spatial_workbench.app.background.jobs import ScopedRunner
from spatial_workbench.app.workspace.session import Session
from spatial_workbench.engine.core import Aid, AnswerError
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.engine.exchange import MAX_FILE_BYTES, format_of, formats_of

READ_AT_ONCE_CHARS = 400_000
"""Longer answers are read in the background process."""


class Answers(QObject):
    """Replaces the answer of a workspace, and writes it to files. Every replacement can be undone.

    Signals:
        message(str): why something was not done.
        solved(): the reference solution is in the editor.
    """

    message = Signal(str)
    solved = Signal()

    def __init__(self, session: Session, jobs: ScopedRunner, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs = jobs
        self._window = parent
        self._document = session.document

    def put(self, label: str, raw: str | bytes) -> None:
        """Replaces the answer with the given text; long ones are read in the background first."""
        if len(raw) <= READ_AT_ONCE_CHARS:
            self._put_at_once(label, raw)
            return
        self._jobs.run(
            "Reading the answer",
            judging.read,
            self._document.task.id,
            raw,
            done=lambda text: self._put_at_once(label, text),
            failed=lambda text: self.message.emit(f"The answer was not loaded. {text}"),
        )

    def load_reference(self) -> None:
        """Replaces the answer with the reference solution."""
        self._jobs.run(
            "Computing the reference solution",
            judging.solve,
            self._document.instance,
            done=self._put_reference,
            failed=lambda text: self.message.emit(f"There is no reference solution to show. {text}"),
        )

    def clear(self) -> None:
        """Replaces the answer with the empty one."""
        self._document.edit("Clear answer", self._document.task.empty(self._document.instance))

    def put_from_elsewhere(self, text: str, origin: str, person: str) -> None:
        """Loads an answer that comes from elsewhere. `person` built it; empty: no person did."""
        if person != self._session.person:
            self._session.use_aid(f"Open {origin}", Aid.SOLVING)
        self.put(f"Open {origin}", text)
        self.message.emit(f"This is {origin}. Undo (Ctrl+Z) brings your draft back.")

    def ask_for_file(self) -> None:
        """Asks for a file and loads the answer in it."""
        path, _ = QFileDialog.getOpenFileName(self._window, "Open an answer", "", self._filters(reading=True))
        if path:
            self.open_file(path)

    def open_file(self, path: str) -> None:
        """Loads the answer in a file that somebody chose or dropped, which counts as an aid."""
        self._session.use_aid(f"Open answer {Path(path).name}", Aid.SOLVING)
        self.load_file(path)

    def load_file(self, path: str) -> None:
        """Loads the answer in a file: text, or a file of another program."""
        try:
            with open(path, "rb") as file:
                raw = file.read(MAX_FILE_BYTES + 1)
        except OSError as error:
            self.message.emit(f"“{path}” cannot be read: {error.strerror}.")
            return
        if format_of(self._document.task, path, reading=True):
            self._import(Path(path).name, raw)
        else:
            self.put("Open answer", raw)

    def ask_where_to_save(self) -> None:
        """Asks for a file and writes the answer to it, in the format given by its suffix."""
        name = self._document.instance.address.replace(":", "-") + ".json"
        path, _ = QFileDialog.getSaveFileName(self._window, "Save the answer", name, self._filters(reading=False))
        if path:
            self.save_file(path)

    def save_file(self, path: str) -> None:
        """Writes the answer to a file: as text, or for another program."""
        task = self._document.task
        answer = self._document.answer
        suffix = format_of(task, path, reading=False)
        if suffix is None:
            self._write(path, (task.format(answer) + "\n").encode())
            return
        self._jobs.run(
            f"Writing {Path(path).name}",
            judging.write_file,
            self._document.instance,
            packed(task, answer),
            suffix,
            done=lambda written: self._write(path, *written),
            failed=lambda text: self.message.emit(f"The answer was not written. {text}"),
        )

    def _put_at_once(self, label: str, raw: str | bytes) -> None:
        try:
            self._document.replace_data(label, raw)
        except AnswerError as error:
            self.message.emit(f"The answer was not loaded. {error}")

    def _put_reference(self, text: str) -> None:
        self._session.use_aid("Load reference solution", Aid.SOLVING)
        self.put("Load reference solution", text)
        self.solved.emit()

    def _import(self, name: str, raw: bytes) -> None:
        self._jobs.run(
            f"Reading {name}",
            judging.read_file,
            self._document.instance,
            name,
            raw,
            done=lambda text: self.put(f"Open {name}", text),
            failed=lambda text: self._refuse(f"“{name}” was not loaded.", text),
        )

    def _refuse(self, sentence: str, reason: str) -> None:
        """Says why a file was not loaded; in a box, where there are several reasons."""
        if "\n" not in reason:
            self.message.emit(f"{sentence} {reason}")
            return
        box = QMessageBox(QMessageBox.Icon.Warning, "Open answer", sentence, parent=self._window)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setInformativeText(reason)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    def _write(self, path: str, data: bytes, left_out: Sequence[str] = ()) -> None:
        try:
            write_whole(Path(path), data)
        except OSError as error:
            self.message.emit(f"The answer could not be written to “{path}”: {error.strerror}.")
            return
        if left_out:
            self.message.emit(f"“{Path(path).name}” is written. {'. '.join(left_out)}.")

    def _filters(self, reading: bool) -> str:
        formats = formats_of(self._document.task, reading)
        named = [f"{name} (*.{suffix})" for suffix, name in formats.items()]
        if reading:
            every = " ".join(f"*.{suffix}" for suffix in ("json", "txt", *formats))
            return ";;".join([f"All readable files ({every})", "Answers (*.json *.txt)", *named, "All files (*)"])
        return ";;".join(["Answers (*.json *.txt)", *named])
