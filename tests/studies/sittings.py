"""Small studies, a clock that is set by hand, and sessions that begin in a folder of the test."""

import json
from pathlib import Path

from spatial_workbench.engine.core import task
from spatial_workbench.engine.core.clocks.work_clock import Instant
from spatial_workbench.engine.studies.files.bundles import bundle_of
from spatial_workbench.engine.studies.planning.document import study_of
from spatial_workbench.engine.studies.planning.freezing import freeze
from spatial_workbench.engine.studies.sessions.entry import enter
from spatial_workbench.engine.studies.sessions.leaving import leave_of
from spatial_workbench.engine.studies.sessions.pages import StudyPage
from spatial_workbench.engine.studies.sessions.session_file import SessionFile, lines
from tests.studies.planning.test_document import SMALLEST

PASSPHRASE = "open sesame"
SECRET = "outcomes of sesame"
"""Opens the outcomes of a study."""
SHIKAKU = task("shikaku")
LEAVE = leave_of(PASSPHRASE).model_dump()


class FakeClock:
    """Clocks that stand until they are set. `step` is how they go on in small steps, as a ticking window does."""

    def __init__(self):
        self.m = 1_000
        self.b = 1_000
        self.wall = 1_700_000_000_000

    def __call__(self):
        return Instant(self.m, self.b, self.wall)

    def go(self, ms):
        self.m = self.m + ms
        self.b = self.b + ms
        self.wall = self.wall + ms


def main_item(number, **changes):
    return {"id": f"s{number}", "kind": "instance", "phase": "main", "address": f"shikaku:{number}", **changes}


def study(items=None, **changes):
    """A study of two shikaku items, in a fixed order, without pauses between them."""
    data = json.loads(json.dumps(SMALLEST))
    items = items or [main_item(0), main_item(1)]
    data["blocks"] = [{"id": "a", "order": "fixed", "items": items}]
    data["limits"] = {"item_s": 300, "pauses": {"kind": "none"}}
    data["questions"] = {"confidence": False}
    data["leave"] = LEAVE
    return study_of({**data, **changes})


def bundle(chosen, phase="main"):
    return bundle_of(chosen, freeze(chosen), frozenset(), phase)


class Person:
    """Somebody who works through a session, in a folder, by a clock that is set by hand."""

    def __init__(self, folder: Path, chosen=None, code="P001H", at_item=True, its_bundle=None, file_type=SessionFile):
        self.folder = folder
        self.clock = FakeClock()
        self.code = code
        self.file_type = file_type
        self.bundle = its_bundle or bundle(chosen or study())
        self.begin()
        if at_item:
            self.reach_item()

    def begin(self):
        self.sitting = enter(self.bundle, self.code, self.folder, self.clock, file_type=self.file_type)

    def reach_item(self):
        if self.sitting.state.page is StudyPage.CONSENT:
            assert self.sitting.entering.consent({"part": True})
        while self.sitting.state.page in (StudyPage.INSTRUCTIONS, StudyPage.READY, StudyPage.BREAK):
            self.sitting.go_ahead()
        self.see()

    def see(self):
        """Looks at the item, with the empty answer."""
        sitting = self.sitting
        if sitting.state.page is StudyPage.ITEM:
            judge, instance = sitting.state.subject()
            if sitting.work.draft() is None:
                sitting.work.begin_draft("" if sitting.state.is_typed else judge.empty(instance))
            sitting.work.item_shown()

    def work(self, seconds, acts=True):
        """Lets time pass, a quarter of a second at a time."""
        for _ in range(round(4 * seconds)):
            self.clock.go(250)
            self.sitting.acted() if acts else None
            self.sitting.tick()

    def place(self, *rectangles):
        """Places rectangles of a shikaku."""
        judge, _ = self.sitting.state.subject()
        return self.sitting.work.edit("Place", judge.parse({"rectangles": [list(r) for r in rectangles]}))

    def die(self):
        """The process ends without a word; the operating system closes its files."""
        self.sitting.state.file._connection.close()
        self.sitting.state.file._lock.release()

    @property
    def record(self):
        return self.sitting.state.file.record()

    def events(self, kind):
        return [event for event in lines(self.sitting.state.file.chunks()) if event["kind"] == kind]
