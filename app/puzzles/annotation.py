"""The annotation of a puzzle: its pages and sketches at the left; steps, fields, checks and aids at the right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeySequence, QPixmap, QShortcut, QShowEvent, QUndoStack
from PySide6.QtWidgets import (
    QFileDialog,
    QMenu,
    QWidget,
)

from spatial_workbench.app.frame.undo import StateChange
from spatial_workbench.app.puzzles import annotation_work as work
from spatial_workbench.app.puzzles.annotation_parts import AnnotationParts
from spatial_workbench.app.puzzles.annotation_work import Opened, SaveOutcome, ShownFigure
from spatial_workbench.app.puzzles.dialogs import PICTURES
from spatial_workbench.app.puzzles.marks import findings_words
from spatial_workbench.app.puzzles.page_lane import PageLane
from spatial_workbench.app.puzzles.steps import Steps
from spatial_workbench.engine.puzzles.annotation.annotating import Annotation, PuzzleFigure, Stamp, new_figure_name
from spatial_workbench.engine.puzzles.annotation.layers import PuzzleLayer
from spatial_workbench.engine.puzzles.annotation.validation import Files, PuzzleFinding, findings
from spatial_workbench.engine.puzzles.puzzle import Misread, Puzzle
from spatial_workbench.engine.puzzles.sets.folders import shown_folder
from spatial_workbench.engine.puzzles.sets.side_files import side_path
from spatial_workbench.widgets.qt import pixmap_of

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import BackgroundJob
    from spatial_workbench.app.puzzles.work import SetEntry

CHECK_MS = 300
KEEP_MS = 10_000
WATCH_MS = 3_000
UNDO_LIMIT = 200


class AnnotationPage(AnnotationParts):
    """Writes the annotation of one puzzle. What is not saved is kept in a side file.

    Signals:
        message(str): a note for the status bar.
        saved(SetEntry): the puzzle was saved.
    """

    icon_name = "pencil"
    message = Signal(str)
    saved = Signal(object)

    def __init__(self, entry: SetEntry, folder: str, parent: QWidget | None = None) -> None:
        self.undo_stack = QUndoStack()
        self.undo_stack.setUndoLimit(UNDO_LIMIT)
        super().__init__(self.undo_stack, entry.is_read_only, parent)
        self.undo_stack.setParent(self)
        self.entry = entry
        self.folder = folder
        self.title = shown_folder(folder)
        self.heading.setText(self.title)
        self.annotation = Annotation(Puzzle())
        self.findings: tuple[PuzzleFinding, ...] = ()
        self._misread: tuple[Misread, ...] = ()
        self._files = Files(folder)
        self._pages: Mapping[str, bytes] = {}
        self._thumbnails: dict[str, QPixmap] = {}
        self._saved_puzzle = Puzzle()
        self._known_layers: dict[str, PuzzleLayer] = {}
        """Layers of figures as stored; a layer that differs from them is an unsaved sketch."""
        self._kept: object = None
        self._is_open = False
        self._is_closed = False
        self._saving: BackgroundJob | None = None
        self._save_again = False
        self._lane = PageLane("annotation", self.message.emit, self)
        self._check_timer = self._timer(CHECK_MS, self._check, once=True)
        self._keep_timer = self._timer(KEEP_MS, self.keep)
        self._watch_timer = self._timer(WATCH_MS, self.watch)
        self._connect()
        self.open()

    # Opening -----------------------------------------------------------------------------------------------------

    @property
    def read_only(self) -> bool:
        """Whether the puzzle can only be looked at."""
        return self.entry.is_read_only

    @property
    def is_idle(self) -> bool:
        """Whether everything requested is done and shown."""
        return self._lane.is_idle and not self._check_timer.isActive()

    @property
    def sketches(self) -> tuple[PuzzleLayer, ...]:
        """The drawings that are not stored as figures."""
        known = self._known_layers
        return tuple(layer for page, layer in self.pad.pages.layers().items() if layer != known.get(page))

    @property
    def is_dirty(self) -> bool:
        """Whether there is something that is not saved."""
        return self._is_open and not self.read_only and (self._is_edited or bool(self.sketches))

    @property
    def _is_edited(self) -> bool:
        return self.annotation.puzzle != self._saved_puzzle

    def open(self) -> None:
        """Reads the puzzle; what is shown is replaced."""
        self._is_open = False
        self._lane.run(
            f"Opening {self.title}",
            work.open_puzzle,
            self.entry.path,
            self.folder,
            self.read_only,
            done=self._opened,
            failed=self._not_opened,
        )

    def _opened(self, opened: Opened) -> None:
        self._is_open = True
        self.annotation = opened.annotation
        self._misread = opened.misread
        self._files = opened.files
        self._pages = opened.pages
        self._saved_puzzle = opened.annotation.puzzle
        self._known_layers = {}
        self._kept = None
        self._thumbnails = {name: pixmap_of(png) for name, png in opened.thumbnails.items()}
        self.pad.pages.replace(opened.pages)
        self.undo_stack.clear()
        self.show_puzzle(opened.annotation.puzzle)
        self._check()
        self.stack.setCurrentIndex(0)
        self._tell_page()
        if opened.side is not None:
            self._offer_side(opened)
        if not self.read_only:
            self._keep_timer.start()
            self._watch_timer.start()

    def _not_opened(self, text: str) -> None:
        self.empty.say("The puzzle cannot be opened", text)
        self.stack.setCurrentIndex(1)
        self.message.emit(text)

    def _offer_side(self, opened: Opened) -> None:
        side = opened.side
        assert side is not None
        at = side.at.astimezone().strftime("%Y-%m-%d %H:%M")
        changed = "" if side.stamp == opened.annotation.stamp else " The files have changed since then."
        self.banner.offer(
            f"There are changes from {at} that were not saved.{changed}",
            {"Restore": lambda: self.restore(opened), "Discard": self.discard_side},
        )

    def restore(self, opened: Opened) -> None:
        """Shows what the side file kept, as a change that can be undone and has to be saved."""
        assert opened.side is not None
        side = opened.side
        annotation = work.restored(side, self.annotation)
        self.annotation = replace(self.annotation, fresh=annotation.fresh)
        self._push(annotation.puzzle, "restored changes")
        for layer in side.sketches:
            if layer.page in self._pages:
                self.pad.pages.turn_to(layer.page)
                self.pad.desk.put("restored sketch", layer)
        self.message.emit("The changes are back. Save them with Ctrl+S.")

    def discard_side(self) -> None:
        """Drops the backup."""
        self._lane.run("Dropping changes", work.forget_side, self.entry.path, self.folder, done=lambda _: None)

    # Editing -----------------------------------------------------------------------------------------------------

    def show_puzzle(self, puzzle: Puzzle) -> None:
        """Shows a state of the puzzle; for steps of the history."""
        self.annotation = replace(self.annotation, puzzle=puzzle)
        self.fields.show_puzzle(puzzle)
        self.steps.show_steps(puzzle.reasoning, self._thumbnails)
        self._check_timer.start()
        self._tell_state()

    def _edit(self, puzzle: Puzzle, label: str, key: str) -> None:
        self._push(puzzle, label, key)

    def _edit_steps(self, steps: Steps, label: str, key: str) -> None:
        self._push(replace(self.annotation.puzzle, reasoning=steps), label, key)

    def _push(self, puzzle: Puzzle, label: str, key: str = "") -> None:
        if not self.read_only and puzzle != self.annotation.puzzle:
            self.undo_stack.push(StateChange(self.show_puzzle, label, self.annotation.puzzle, puzzle, key))

    def _check(self) -> None:
        """Runs the checks on what is shown now."""
        self._check_timer.stop()
        puzzle = self.annotation.puzzle
        misread = tuple(part for part in self._misread if not _is_filled(puzzle, part))
        files = replace(self._files, figures=self._figure_faults())
        # Saving numbers the figures, so their numbers are nothing to complain about while the puzzle is open.
        self.findings = tuple(f for f in findings(puzzle, files, misread) if f.code != "P_NUMBERING")
        self.fields.mark(self.findings)
        self.steps.mark(self.findings)
        self.panel.show_findings(self.findings)
        self.fields.suggest(any(layer.grid is not None for layer in self.pad.pages.layers().values()))
        self.below.setTabText(0, f"Checks · {findings_words(self.findings)}")
        self._mark_tabs()

    def _mark_tabs(self) -> None:
        """Shows on each tab how many problems it has, since only one tab is visible."""
        in_steps = [f for f in self.findings if f.path[:1] == ("reasoning",)]
        in_fields = [f for f in self.findings if f not in in_steps]
        for place, (name, faults) in enumerate((("Steps", in_steps), ("Puzzle", in_fields))):
            self.above.setTabText(place, f"{name} · {findings_words(faults)}" if faults else name)

    def _figure_faults(self) -> dict[str, str]:
        """What is wrong with each figure, by the name that steps have for it; those to be removed are left out."""
        named = {step.figure for step in self.annotation.puzzle.reasoning}
        faults = {name: self._files.figures.get(file, "") for name, file in self.annotation.files.items()}
        kept = {name: fault for name, fault in faults.items() if name in named or name not in self.annotation.held}
        return kept | {name: "" for name in self.annotation.fresh if name in named}

    def go_to(self, path: tuple[Any, ...]) -> None:
        """Goes to the field that a finding is about."""
        if path[:1] == ("reasoning",):
            self.above.setCurrentIndex(0)
            self.steps.focus_step(path[1] if len(path) > 1 else 0)
        elif path:
            self.above.setCurrentIndex(1)
            self.fields.focus_field(str(path[0]))

    # Figures -----------------------------------------------------------------------------------------------------

    def save_figure(self, layer: PuzzleLayer) -> None:
        """Makes a figure of a page and its layer, enters it in the current step, and saves the puzzle."""
        if self.read_only or layer.page not in self._pages:
            return
        index = self.steps.current
        self._lane.run(
            "Drawing a figure",
            work.render,
            self._pages[layer.page],
            layer,
            done=lambda drawn: self._enter_figure(index, layer, *drawn),
        )

    def _enter_figure(self, index: int, layer: PuzzleLayer, figure: PuzzleFigure, thumbnail: bytes) -> None:
        name = new_figure_name(self.annotation)
        self.annotation = replace(self.annotation, fresh={**self.annotation.fresh, name: figure})
        self._thumbnails[name] = pixmap_of(thumbnail)
        self._known_layers[layer.page] = layer
        if not self.annotation.puzzle.reasoning:
            self.steps.new_step(-1)
        self.steps.set_figure(min(index, len(self.steps.steps) - 1), name)
        self.save()

    def open_figure(self, index: int) -> None:
        """Opens the figure of a step: its layer to be changed, or the flat picture."""
        name = self.annotation.puzzle.reasoning[index].figure
        if name is None:
            return
        self._lane.run(
            "Opening a figure",
            work.figure,
            self.entry.path,
            self.folder,
            self.annotation.files.get(name, name),
            None if name in self.annotation.files else self.annotation.fresh.get(name),
            done=lambda shown: self._show_figure(name, shown),
        )

    def _show_figure(self, name: str, shown: ShownFigure) -> None:
        layer = shown.layer
        if layer is None or layer.page not in self._pages:
            self.pad.pages.set_figure(shown.png)
            self.flat.setText(f"{name} has no sketch that can be changed; it is shown as a picture.")
            self.flat_bar.show()
            return
        self.close_flat()
        self.pad.pages.turn_to(layer.page)
        if self.read_only:
            self.pad.desk.set_layer(layer)
        else:
            self._known_layers[layer.page] = layer
            self.pad.desk.put("opened sketch", layer)

    def close_flat(self) -> None:
        """Shows the page again in place of a flat figure."""
        self.pad.pages.set_figure(None)
        self.flat_bar.hide()

    def choose_figure(self, index: int) -> None:
        """Offers the figures of the folder for a step, those that no step names first."""
        named = {step.figure for step in self.annotation.puzzle.reasoning}
        known = {**self.annotation.files, **self.annotation.fresh}
        menu = QMenu(self)
        for name in sorted(known, key=lambda name: (name in named, name)):
            label = f"{name}{' (in use)' if name in named else ''}"
            action = menu.addAction(label)
            if name in self._thumbnails:
                action.setIcon(self._thumbnails[name])
            action.triggered.connect(lambda _=False, name=name: self.steps.set_figure(index, name))
        if not known:
            menu.addAction("Draw on the page and save it as a figure").setEnabled(False)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.steps.cards[index].more.mapToGlobal(self.steps.cards[index].more.rect().bottomLeft()))

    def ask_pages(self) -> None:
        """Asks for pictures to add as pages."""
        names, _ = QFileDialog.getOpenFileNames(self, "Pages of the puzzle", "", PICTURES)
        if names:
            self.add_pages(tuple(Path(name) for name in names))

    def add_pages(self, pages: tuple[bytes | Path, ...]) -> None:
        """Adds pages to the puzzle; what was typed is saved first."""
        if self._is_edited:
            self.save(then=lambda: self.add_pages(pages))
            return
        self._lane.run("Adding pages", work.add_page, self.entry.path, self.folder, pages, done=lambda _: self.open())

    # Saving ------------------------------------------------------------------------------------------------------

    def save(self, force: bool = False, then: Callable[[], object] | None = None) -> None:
        """Saves the puzzle in one change of its files; where that fails, it stays in its side file."""
        if self.read_only or not self._is_open:
            return
        if self._saving is not None:
            self._save_again = True
            return
        sent = self.annotation
        self.state.setText("Saving…")
        self._saving = self._lane.run(
            f"Saving {self.title}",
            work.save,
            self.entry.path,
            self.folder,
            sent,
            self.sketches,
            force,
            done=lambda outcome: self._save_ended(sent, outcome, then),
            failed=lambda text: self._save_failed(sent, text),
        )

    def _save_ended(self, sent: Annotation, outcome: SaveOutcome, then: Callable[[], object] | None) -> None:
        self._saving = None
        saved = outcome.saved
        if saved is None:
            self._save_again = False
            self._tell_state()
            self._tell_trouble(outcome)
            return
        fresh = {**self.annotation.fresh, **saved.dropped}
        self.annotation = replace(self.annotation, files=saved.files, held=saved.held, stamp=saved.stamp, fresh=fresh)
        self._saved_puzzle = sent.puzzle
        self._files = outcome.files or self._files
        self._kept = None
        self.banner.hide()
        self._check()
        self._tell_state()
        self.message.emit(f"{self.title} is saved.")
        self.saved.emit(self.entry)
        if then is not None:
            then()
        again = self._save_again
        self._save_again = False
        if again and self._is_edited:
            self.save()

    def _save_failed(self, sent: Annotation, text: str) -> None:
        """The saving process has ended; another one backs up the unsaved text."""
        self._save_ended(sent, SaveOutcome(trouble=text, kept_at=side_path(self.entry.path, self.folder)), None)
        self._kept = None
        self.keep()

    def _tell_trouble(self, outcome: SaveOutcome) -> None:
        if outcome.is_changed_on_disk:
            self._tell_changed()
            return
        place = f" What you typed is kept in {outcome.kept_at}." if outcome.kept_at else ""
        place = place or " It could not be kept elsewhere either; leave this window open."
        self.banner.offer(f"Not saved. {outcome.trouble}.{place}", {"Try again": self.save})
        self.message.emit(f"Not saved. {outcome.trouble}.{place}")

    def _tell_changed(self) -> None:
        self.banner.offer(
            f"{self.title} was changed by another program. Reload shows its version; Keep mine overwrites it when you "
            "save.",
            {"Reload": self.reload, "Keep mine": self._keep_mine},
        )

    def reload(self) -> None:
        """Shows the puzzle as stored on the disk, without unsaved changes."""
        self.discard_side()
        self.open()

    def _keep_mine(self) -> None:
        self._ask_stamp(lambda stamp: self._take_stamp(stamp))

    def _take_stamp(self, stamp: Stamp) -> None:
        self.annotation = replace(self.annotation, stamp=stamp)

    def watch(self) -> None:
        """Looks whether another program has changed the puzzle."""
        if self._is_open and self.isVisible() and self._lane.is_idle and not self.banner.isVisible():
            self._ask_stamp(self._compare_stamp)

    def _ask_stamp(self, done: Callable[[Stamp], None]) -> None:
        self._lane.run(
            "Looking for changes", work.stamp, self.entry.path, self.folder, done=done, failed=lambda _: None
        )

    def _compare_stamp(self, stamp: Stamp) -> None:
        if stamp != self.annotation.stamp and self._saving is None:
            self._tell_changed()

    def keep(self) -> None:
        """Backs up unsaved changes in the side file, if there are any since the last backup."""
        state = (self.annotation.puzzle, self.sketches)
        if self.is_dirty and state != self._kept:
            self._kept = state
            self._lane.run(
                "Keeping changes",
                work.keep_aside,
                self.entry.path,
                self.folder,
                self.annotation,
                self.sketches,
                done=self._tell_kept,
                failed=lambda text: self._tell_kept(None),
            )

    def _tell_kept(self, path: Path | None) -> None:
        if path is None:
            self.message.emit("What you typed could not be kept outside the set; save it soon.")

    def close_page(self) -> None:
        """Backs up unsaved changes, and ends background work."""
        self._is_closed = True
        if self.is_dirty:
            # A thread that the program waits for when it ends; the page's process may be gone before it is done.
            kept = (self.entry.path, self.folder, self.annotation, self.sketches)
            Thread(target=work.keep_aside, args=kept, name="keep-annotation").start()
            self.message.emit(f"The changes of {self.title} are kept; they are offered when you open it again.")
        for timer in (self._check_timer, self._keep_timer, self._watch_timer):
            timer.stop()
        self._lane.close()
        self.pad.close_pad()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not self._is_closed:
            self.keep()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_open and not self.read_only:
            self.watch()

    # Aids --------------------------------------------------------------------------------------------------------

    def _find_anagrams(self, text: str) -> None:
        self._lane.run(
            "Looking up words",
            work.find_anagrams,
            text,
            done=lambda words: self.aids.show_anagrams(text, words),
            failed=lambda _: None,
        )

    # Parts -------------------------------------------------------------------------------------------------------

    def _timer(self, interval_ms: int, do: Callable[[], None], once: bool = False) -> QTimer:
        timer = QTimer(self, singleShot=once, interval=interval_ms)
        timer.timeout.connect(do)
        return timer

    def _tell_state(self) -> None:
        words = "Read-only" if self.read_only else "Not saved" if self._is_edited else "Saved"
        self.state.setText(words)
        self.save_button.setEnabled(self._is_open and not self.read_only and self._is_edited)
        self.heading.setText(self.annotation.puzzle.title.strip() or self.title)

    def _tell_page(self) -> None:
        self.left.setCurrentIndex(0 if self._pages else 1)
        faults = [fault for fault in self._files.pages.values() if fault]
        self.no_page.say("There is no page that can be shown", " ".join(faults) or "Add a picture of the puzzle.")
        self.no_page.button.setVisible(not self.read_only)

    def _connect(self) -> None:
        self.save_button.clicked.connect(lambda: self.save())
        QShortcut(QKeySequence.StandardKey.Save, self, self.save)
        self.pages_button.clicked.connect(self.ask_pages)
        self.no_page.button.clicked.connect(self.ask_pages)
        self.back.clicked.connect(self.close_flat)
        self.steps.changed.connect(self._edit_steps)
        self.steps.figure_opened.connect(self.open_figure)
        self.steps.figure_asked.connect(self.choose_figure)
        self.fields.changed.connect(self._edit)
        self.panel.field_wanted.connect(self.go_to)
        self.pad.figure_wanted.connect(self.save_figure)
        self.pad.desk.layer_changed.connect(lambda _: self._check_timer.start())
        self.aids.inserted.connect(self.steps.insert_text)
        self.aids.anagrams_wanted.connect(self._find_anagrams)


def _is_filled(puzzle: Puzzle, part: Misread) -> bool:
    """Whether a person has given a value where the file had none, or one of a wrong type."""
    name, *rest = part.path
    value = getattr(puzzle, str(name), None)
    if rest and isinstance(rest[0], int) and name == "reasoning":
        steps = puzzle.reasoning
        return rest[0] >= len(steps) or bool(steps[rest[0]].explanation if rest[-1] == "explanation" else None)
    return bool(value)
