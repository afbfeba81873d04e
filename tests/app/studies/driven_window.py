"""A participant's window in a process of its own, which works on an item until it is killed, and tells what it does.

It makes its first edit when the disk has everything before it. Each line that it prints is JSON: when it was said, what
is left, how many edits were made, and how many of them were stored.
"""

import json
import sys
import time
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from spatial_workbench.app.studies.participant.application import build_window
from spatial_workbench.app.studies.participant.pages.item_page import ItemPage
from spatial_workbench.app.studies.participant.window_form import WindowForm
from spatial_workbench.engine.studies.files.bundles import read_bundle
from spatial_workbench.engine.studies.sessions.pages import StudyPage
from spatial_workbench.engine.studies.sessions.session_file import Changes
from tests.studies.sittings import SHIKAKU

EDIT_MS = 30


class Driver:
    """Edits the item of a window again and again."""

    def __init__(self, window, code):
        self.window = window
        self.code = code
        self.made = 0
        self.stored = 0
        self.is_ready = False
        self.timer = QTimer(window, interval=EDIT_MS)
        self.timer.timeout.connect(self.step)
        self.timer.start()

    def step(self):
        sitting = self.window.sitting
        if sitting is None:
            if self.window.entrance.materials == "":
                self.window.begin(self.code)
        elif sitting.state.page is StudyPage.CONSENT:
            sitting.entering.consent({"part": True})
        elif sitting.state.page is StudyPage.COVARIATES:
            sitting.entering.reply({question.key: None for question in sitting.itinerary.questions()})
        elif sitting.state.page is StudyPage.INSTRUCTIONS:
            sitting.go_ahead()
        elif isinstance(self.window.page, ItemPage):
            self.work(sitting)

    def work(self, sitting):
        if sitting.state.cover is not None:
            sitting.go_on()
            return
        if sitting.state.file.is_stored and sitting.recording.changes == Changes():
            self.stored = sitting.state.record.edits
            self.is_ready = True
        if not self.is_ready:
            return
        self.made = self.made or self.stored
        self.made += 1
        answer = SHIKAKU.parse({"rectangles": [[0, 0, k % 7, k % 5] for k in range(self.made)]})
        self.window.page.document.edit(f"Edit {self.made}", answer)
        said = {"at": time.monotonic(), "left": sitting.limits.remaining_ms, "made": self.made, "stored": self.stored}
        print(json.dumps(said), flush=True)


def main(bundle, sessions, code):
    application = QApplication([])
    window = build_window(
        application, read_bundle(Path(bundle)), Path(bundle), "", Path(sessions), form=WindowForm.ORDINARY
    )
    window.open()
    driver = Driver(window, code)
    application.exec()
    driver.timer.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
