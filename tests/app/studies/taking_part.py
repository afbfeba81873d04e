"""People who take part through the real window: they see its pages, press its keys and click its buttons."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from spatial_workbench.app.studies.participant.covers import Covering
from spatial_workbench.app.studies.participant.pages.entry_pages import CodePage
from spatial_workbench.app.studies.participant.pages.item_page import EditorPage
from spatial_workbench.app.studies.participant.pages.later_pages import EndPage
from spatial_workbench.engine.studies.sessions.pages import StudyPage
from tests.app.studies.conftest import wait_for_item, wait_for_page

ROOT = Path(__file__).parents[3]
KEY = Qt.Key


def press(window, *keys):
    """Presses keys where the keyboard is."""
    for key in keys:
        QTest.keyClick(QApplication.focusWidget() or window, key)


def click(widget, text):
    """Clicks on the button with this text."""
    button = next(b for b in widget.findChildren(QPushButton) if b.text() == text and b.isVisible())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


class Taker:
    """Somebody at a window.

    answers: how they answer the item in a window; None says that they give it up.
    replies: what they say about themselves, by the keys of the questions; the rest they prefer not to say.
    """

    def __init__(self, qtbot, window, code, answers, replies=None):
        self.qtbot = qtbot
        self.window = window
        self.code = code
        self._answers = answers
        self._replies = dict(replies or {})

    def take_part(self, items=None):
        """Goes from the code to the end, or until this many items have ended."""
        self.enter()
        self.go_on(items)

    def enter(self):
        """Types the code."""
        self.qtbot.waitUntil(lambda: isinstance(self.window.page, CodePage))
        self.qtbot.keyClicks(self.window.page.field, self.code.lower())
        press(self.window, KEY.Key_Return)
        self.qtbot.waitUntil(lambda: self.window.sitting is not None)

    def go_on(self, items=None):
        """Does what each page asks for."""
        sitting = self.window.sitting
        while not sitting.state.page.is_last:
            page = sitting.state.page
            if page is StudyPage.ITEM:
                if sitting.state.position == items:
                    return
                self.answer_item()
            else:
                wait_for_page(self.qtbot, self.window, page)
                getattr(self, f"on_{page.value}", self.on_button)()
            self.qtbot.waitUntil(lambda page=page: page is StudyPage.ITEM or sitting.state.page is not page)
        self.qtbot.waitUntil(lambda: isinstance(self.window.page, EndPage))

    def on_consent(self):
        press(self.window, KEY.Key_End)
        self.window.page.boxes["part"].click()
        self.qtbot.waitUntil(self.window.page.primary.isEnabled)
        press(self.window, KEY.Key_Return)

    def on_questions_about_the_person(self):
        for key, field in self.window.page.fields.items():
            value = self._replies.get(key)
            buttons = getattr(field.first, "buttons", ())
            chosen = next((button for button in buttons if button.text() == value), field.refuses)
            chosen.click()
        press(self.window, KEY.Key_Return)

    on_eligibility = on_covariates = on_after = on_questions_about_the_person

    def on_questions(self):
        self.qtbot.keyClicks(self.window.page.confidence.number, "80")
        press(self.window, KEY.Key_Return)

    def on_button(self):
        press(self.window, KEY.Key_Return)

    def answer_item(self):
        """Answers the present item and hands it in."""
        wait_for_item(self.qtbot, self.window)
        assert isinstance(self.window.page, EditorPage)
        position = self.window.sitting.state.position
        if self._answers(self.window) is None:
            self.give_up()
        else:
            press(self.window, KEY.Key_F9)
            if isinstance(question := self.window.stack.currentWidget(), Covering):
                click(question, "Submit")
        sitting = self.window.sitting
        self.qtbot.waitUntil(lambda: sitting.state.position > position or sitting.state.page is not StudyPage.ITEM)

    def give_up(self):
        """Gives the present item up."""
        click(self.window.head, "Give up")
        click(self.window.stack.currentWidget(), "Give up")

    def withdraw(self):
        """Stops and has everything deleted."""
        click(self.window.head, "Stop…")
        click(self.window.stack.currentWidget(), "Stop and delete")
        self.qtbot.waitUntil(lambda: isinstance(self.window.page, EndPage))

    def make_room(self):
        """Lets the next person come to the window."""
        press(self.window, KEY.Key_Return)
        self.qtbot.waitUntil(lambda: isinstance(self.window.page, CodePage))


def killed_after(seconds, bundle, sessions, code="P001H"):
    """Lets a window in a process of its own work on an item, and kills it a while after an edit was stored.

    Returns what it said, and when it was killed.
    """
    command = [sys.executable, "-m", "tests.app.studies.driven_window", *map(str, (bundle, sessions, code))]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    said = [json.loads(process.stdout.readline())]
    while not said[-1]["stored"]:
        said.append(json.loads(process.stdout.readline()))
    time.sleep(seconds)
    os.kill(process.pid, signal.SIGKILL)
    at = time.monotonic()
    rest, _ = process.communicate()
    said += [json.loads(line) for line in rest.splitlines() if line.endswith("}")]
    return said, at
