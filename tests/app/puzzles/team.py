"""Three people at three windows, who annotate and review copies of one set with the mouse and the keys."""

import shutil
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QApplication, QLineEdit, QMessageBox, QPushButton

from spatial_workbench.app.frame.settings import Settings
from spatial_workbench.app.puzzles.export_dialog import ExportDialog
from spatial_workbench.app.puzzles.review.adjudication_form import AdjudicationForm
from spatial_workbench.app.puzzles.review.decision_form import DecisionForm
from spatial_workbench.app.puzzles.review.dialogs import AnnotatorsDialog, ReviewersDialog, SendBackDialog
from spatial_workbench.app.puzzles.review.difference_form import DisagreementForm
from spatial_workbench.app.window.application import build_window
from spatial_workbench.engine.puzzles.annotation.review import ReviewState
from spatial_workbench.engine.puzzles.puzzle import Puzzle, write_metadata
from spatial_workbench.engine.puzzles.sets.folders import METADATA, PuzzleSet
from spatial_workbench.engine.puzzles.sets.importing import carry_out, decide_import
from spatial_workbench.engine.puzzles.sets.known_sets import add_set
from spatial_workbench.engine.puzzles.sets.pages import png_of
from spatial_workbench.engine.puzzles.sets.storing import Change, save
from spatial_workbench.engine.store import Project
from tests.app.puzzles.conftest import dialog_of, settled
from tests.app.puzzles.review.test_exchange import dropped

LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier
PEOPLE = ("Ada", "Ben", "Cleo")
SCAN_PX = (4000, 6000)
ORDINARY = ("NORTH", "TEA", "LAMP", "ROOF", "SALT", "WREN")
PRINTED = ("OAK", "FERN")
SCANNED = ("MOON", "TIDE")


def make_set(folder):
    """Ten puzzles without annotations: six ordinary pages, two PDFs, and two scans of 24 million pixels."""
    folder.mkdir(parents=True)
    puzzles = PuzzleSet(folder)
    for word in ORDINARY:
        _save(puzzles, word, png_of(_page(word, (900, 700))))
    for word in SCANNED:
        scan = BytesIO()
        _page(word, SCAN_PX).save(scan, "PNG", compress_level=1)
        _save(puzzles, word, scan.getvalue())
    for word in PRINTED:
        path = folder.parent / f"Hidden_{word.title()}.pdf"
        _page(word, (620, 877)).save(path)
        carry_out(decide_import([path], puzzles.path))
        _save(puzzles, word)
    return puzzles


def title_of(word):
    return f"Hidden {word.title()}"


def folder_of(word):
    return title_of(word).replace(" ", "_")


def _page(word, size):
    """Each letter of the word begins a line of letters, which is the puzzle."""
    page = Image.new("L", size, 255)
    draw = ImageDraw.Draw(page)
    step = size[1] // (len(word) + 2)
    for k, letter in enumerate(word, 1):
        draw.line(
            (size[0] // 8, k * step + step // 2, size[0] * 7 // 8, k * step + step // 2), fill=0, width=size[0] // 300
        )
        draw.text(
            (size[0] // 8, k * step), f"{letter} is the first letter of this line", fill=0, font_size=size[0] // 24
        )
    return page


def _save(puzzles, word, page=None):
    about = Puzzle(title=title_of(word), flavor_text="Begin at the beginning.", solution=word, source="original")
    writes = {METADATA: write_metadata(about).encode()}
    save(puzzles, folder_of(word), Change(writes=writes if page is None else writes | {"content.png": page}))


@dataclass(eq=False)
class Desk:
    """A person's window on their own project and their own copy of the set."""

    person: str
    window: object
    puzzles: PuzzleSet
    project: Path
    qtbot: object

    # The parts of the window that are used.

    @property
    def sets(self):
        return self.window.puzzle_pages.show_sets()

    @property
    def review(self):
        return self.window.puzzle_pages.review_set(self.sets.entry)

    def state(self, word):
        return self.review.records.review(folder_of(word)).state

    def wait(self, is_so):
        self.qtbot.waitUntil(is_so)

    def click(self, button):
        self.wait(button.isEnabled)
        self.qtbot.mouseClick(button, LEFT)

    def pick(self, box, text):
        """Chooses an entry of a box with the arrow keys."""
        box.setFocus()
        self.qtbot.keyClick(box, Qt.Key.Key_Home)
        while box.currentText() != text:
            before = box.currentIndex()
            self.qtbot.keyClick(box, Qt.Key.Key_Down)
            assert box.currentIndex() != before, (text, box.currentText())

    def type_over(self, box, text):
        box.setFocus()
        self.qtbot.keyClick(box, Qt.Key.Key_A, CONTROL)
        self.qtbot.keyClicks(box, text)

    def go_to(self, word):
        """Chooses a puzzle in the queue by its row."""
        review = self.review
        self.wait(lambda: folder_of(word) in review.records.names)
        tree = review.queues.list
        (item,) = tree.findItems(title_of(word), Qt.MatchFlag.MatchExactly)
        tree.scrollToItem(item)
        self.qtbot.mouseClick(tree.viewport(), LEFT, pos=tree.visualItemRect(item).center())
        assert review.queues.current() == folder_of(word)
        return review.panel

    def form(self, kind):
        self.wait(lambda: isinstance(self.review.panel.form, kind))
        return self.review.panel.form

    # Annotating.

    def annotate(self, word, note=None, has_sketch=False):
        """Writes two steps and the tags of a puzzle, and saves with the keys."""
        if note is None:
            page = self.sets
            page.puzzles.choose([folder_of(word)])
            self.click(page.open)
            note = self.window.pages.front
        self.wait(lambda: note.is_idle and note.edited.is_open)
        self.write_steps(note, word)
        if has_sketch:
            self.draw(note)
        self.fill_fields(note)
        self.save(note)
        self.window.pages.close(note)

    def write_steps(self, note, word):
        steps = note.side.steps
        self.click(steps.add)
        self.qtbot.keyClicks(steps.cards[0].text, f"p: find that each line begins with a letter of {word}")
        self.qtbot.keyClick(steps.cards[0].text, Qt.Key.Key_Return, CONTROL)
        self.qtbot.keyClicks(steps.cards[1].text, f"e: read the first letters from the top, which gives {word}")

    def draw(self, note):
        note.pad.pages.wait()
        note.side.steps.focus_step(0)
        view = note.pad.view
        view.setFocus()
        self.qtbot.keyClick(view, Qt.Key.Key_L)
        self.qtbot.mousePress(view, LEFT, pos=QPoint(80, 100))
        self.qtbot.mouseMove(view, QPoint(90, 300))
        self.qtbot.mouseRelease(view, LEFT, pos=QPoint(90, 300))
        note.pad.actions_by_name["Save as figure"].trigger()
        self.wait(lambda: note.is_idle and note.edited.puzzle.reasoning[0].figure is not None)

    def fill_fields(self, note):
        note.side.above.setCurrentIndex(1)
        fields = note.side.fields
        self.click(fields.difficulty["easy"])
        for box in (fields.tags["modality", "text"], fields.tags["skills", "wordplay"]):
            box.setFocus()
            self.qtbot.keyClick(box, Qt.Key.Key_Space)

    def save(self, note):
        self.wait(lambda: note.is_idle)
        self.click(note.side.save_button)
        self.wait(lambda: note.is_idle and not note.edited.is_edited)
        assert [finding.code for finding in note.checks.findings if finding.is_error] == []

    # Reviewing.

    def send(self):
        review = self.review
        with self.qtbot.waitSignal(review.message):
            self.click(_button(review, "Send drafts"))

    def assign(self, words, first, second):
        """Assigns two people to puzzles that are selected with the mouse."""
        self.select(words)
        self.click(self.review.queues.assign)
        dialog = dialog_of(self.review, ReviewersDialog, self.qtbot)
        for field, name in zip(dialog.names, (first, second), strict=True):
            self.name_in(dialog, field, name)
        self.click(dialog.go)
        self.wait(lambda: all(self.state(word) is ReviewState.IN_REVIEW for word in words))

    def ask_two(self, word, first, second):
        self.go_to(word)
        self.click(self.review.panel.double)
        dialog = dialog_of(self.review, AnnotatorsDialog, self.qtbot)
        for field, name in zip(dialog.fields, (first, second), strict=False):
            self.name_in(dialog, field, name)
        self.click(dialog.go)
        self.wait(lambda: self.state(word) is ReviewState.TWO_ANNOTATORS)

    def select(self, words):
        tree = self.review.queues.list
        tree.clearSelection()
        for k, word in enumerate(words):
            (item,) = tree.findItems(title_of(word), Qt.MatchFlag.MatchExactly)
            keys = CONTROL if k else Qt.KeyboardModifier.NoModifier
            self.qtbot.mouseClick(tree.viewport(), LEFT, keys, tree.visualItemRect(item).center())
        assert set(self.review.queues.selected()) == {folder_of(word) for word in words}

    def name_in(self, dialog, field, name):
        """Chooses a person; one who is not known yet is typed in once."""
        if field.findText(name) < 0:
            QTimer.singleShot(0, lambda: self._type_name(name))
            field.setFocus()
            field.setCurrentText("Somebody else…")
            field.activated.emit(field.currentIndex())
        else:
            self.pick(field, name)
        assert field.currentText() == name

    def _type_name(self, name):
        asked = QApplication.activeModalWidget()
        field = asked.findChild(QLineEdit)
        self.qtbot.keyClicks(field, name)
        self.qtbot.keyClick(field, Qt.Key.Key_Return)

    def decide(self, word, rejected=""):
        """Decides on a puzzle: everything is accepted but the first step if there is a reason to reject it."""
        self.go_to(word)
        form = self.form(DecisionForm)
        if rejected:
            self.pick(form.steps[0].judged, "Reject")
            self.qtbot.keyClicks(form.steps[0].reason, rejected)
        self.click(form.accept_rest)
        self.click(form.finish)
        self.wait(lambda: self.person in self.review.records.review(folder_of(word)).decisions)

    def settle(self, word, taken):
        """Proposes how to settle a disagreement."""
        self.go_to(word)
        form = self.form(DisagreementForm)
        for part in form.parts:
            self.pick(part.taken, taken)
        self.click(form.settle)
        assert form.trouble.text() == ""
        review = self.review.records
        self.wait(
            lambda: (
                self.person in (*review.review(folder_of(word)).proposals, *review.review(folder_of(word)).settled_by)
            )
        )

    def send_back(self, word, wanted):
        panel = self.go_to(word)
        self.click(panel.back)
        dialog = dialog_of(self.review, SendBackDialog, self.qtbot)
        self.qtbot.keyClicks(dialog.wanted, wanted)
        self.click(dialog.go)
        self.wait(lambda: self.state(word) is ReviewState.RETURNED)

    def comment(self, word, text):
        panel = self.go_to(word)
        self.qtbot.keyClicks(panel.comments.text, text)
        self.qtbot.keyClick(panel.comments.text, Qt.Key.Key_Return)
        self.wait(lambda: bool(self.review.records.review(folder_of(word)).comments))

    def write_own(self, word, **changes):
        """Annotates a puzzle in a copy of one's own, and hands it in."""
        panel = self.go_to(word)
        self.wait(lambda: panel.write.isVisibleTo(panel))
        review = self.review
        self.click(panel.write)
        self.wait(lambda: self.window.pages.front is not review)
        self.annotate(word, self.window.pages.front, **changes)
        self.go_to(word)
        self.click(panel.submit)
        self.wait(lambda: self.person in self.review.records.review(folder_of(word)).annotations)

    def adjudicate(self, word, taken):
        self.go_to(word)
        form = self.form(AdjudicationForm)
        for part in form.parts:
            if part.is_open:
                self.pick(part.taken, taken)
        self.click(form.make)
        self.wait(lambda: self.state(word) is ReviewState.CHECKED)

    def merge_from(self, other):
        """Drops another person's project on the page, and says that the set is the same one."""
        review = self.review
        merged = []
        review.message.connect(merged.append)
        review.dropEvent(dropped(other.project))
        self.wait(lambda: bool(merged) or bool(_boxes(review)))
        for box in _boxes(review):
            self.click(next(b for b in box.buttons() if b.text().startswith("Merge into")))
        self.wait(lambda: any("known" in text for text in merged))
        review.message.disconnect(merged.append)
        assert _boxes(review) == []

    def apply(self):
        review = self.review
        with self.qtbot.waitSignal(review.applied):
            self.click(_button(review, "Apply results"))

    def export(self, target):
        page = self.sets
        settled(page, self.qtbot)
        self.wait(lambda: all(page.puzzles.model.state_of(row) is ReviewState.VERIFIED for row in page.puzzles.rows))
        self.click(page.export)
        dialog = dialog_of(page, ExportDialog, self.qtbot)
        self.type_over(dialog.target, str(target))
        self.click(dialog.go)
        self.wait(lambda: page.is_idle and (target / "split.json").is_file())


def _boxes(page):
    return [box for box in page.findChildren(QMessageBox) if box.isVisible()]


def _button(page, text):
    return next(button for button in page.findChildren(QPushButton) if button.text() == text)


def open_desk(person, home, source, qtbot, application):
    """A window for a person, on a copy of the set and a project of their own."""
    folder = home / person / "hunt"
    shutil.copytree(source.path, folder)
    name = add_set(folder)
    project = home / person / "team.workbench"
    Project.create(project).close()
    window = build_window(application, Settings(person))
    window.resize(1280, 800)
    window.show()
    window.start(project)
    qtbot.waitUntil(lambda: window.project.path == project)
    page = window.puzzle_pages.show_sets()
    page.load_sets(name)
    settled(page, qtbot)
    return Desk(person, window, PuzzleSet(folder), project, qtbot)


def exchange(desks):
    """Everybody merges the projects of everybody else."""
    for desk in desks:
        for other in desks:
            if other is not desk:
                desk.merge_from(other)


def work_through(desks, target, look=lambda name, desk: None):
    """All of it: annotate, send, assign, review, dispute, settle, return, annotate twice, apply and export.

    look: called with a name and a desk where there is something to see.
    """
    ada, ben, cleo = desks
    twice = "WREN"
    own = {ada: ("NORTH", "OAK", "MOON"), ben: ("TEA", "FERN", "TIDE"), cleo: ("LAMP", "ROOF", "SALT")}
    for desk, words in own.items():
        for word in words:
            desk.annotate(word, has_sketch=word == "MOON")
        look("annotated", desk)
        desk.send()
        others = [other.person for other in desks if other is not desk]
        desk.assign(words, *others)
    cleo.ask_two(twice, "Ada", "Ben")
    exchange(desks)
    ada.write_own(twice, has_sketch=True)
    look("handed-in", ada)
    ben.write_own(twice)
    disputed = {"NORTH": ben, "TEA": cleo, "LAMP": ada}
    for desk in desks:
        for author, words in own.items():
            for word in words:
                if author is not desk:
                    desk.decide(word, "It says what the next one says." if disputed.get(word) is desk else "")
    exchange(desks)
    look("disputes", ben)
    cleo.comment("NORTH", "The first step is needed.")
    ben.settle("NORTH", "Take A (Ben): no step")
    look("proposed", ben)
    cleo.adjudicate(twice, "Take B (Ben)")
    look("adjudicated", cleo)
    cleo.assign([twice], "Ada", "Ben")
    cleo.send_back("TEA", "Say what is found in the first step.")
    exchange(desks)
    cleo.settle("NORTH", "Take A (Ben): no step")
    for desk in (ada, ben):
        desk.settle("LAMP", "Take the original")
        desk.decide(twice)
    change_returned(ben, "TEA")
    exchange(desks)
    for desk in (ada, cleo):
        desk.decide("TEA")
    exchange(desks)
    for desk in desks:
        desk.apply()
    look("verified", ada)
    ada.export(target)
    look("exported", ada)


def change_returned(desk, word):
    """The author changes what went back, sends it again, and assigns the same people."""
    panel = desk.go_to(word)
    assert "Say what is found" in panel.about.text()
    page = desk.sets
    page.puzzles.choose([folder_of(word)])
    desk.click(page.open)
    note = desk.window.pages.front
    desk.wait(lambda: note.is_idle and note.edited.is_open)
    desk.qtbot.keyClick(note.side.steps.cards[0].text, Qt.Key.Key_End, CONTROL)
    desk.qtbot.keyClicks(note.side.steps.cards[0].text, ", three in all")
    desk.save(note)
    desk.window.pages.close(note)
    desk.send()
    desk.wait(lambda: desk.state(word) is ReviewState.CHECKED)
    desk.assign([word], "Ada", "Cleo")
