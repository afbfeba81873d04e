"""A study from the first word of its plan to its report, by the windows that leaders and participants have.

A leader plans ten items, tries the plan, freezes it and writes bundles for three machines. Eight people take part: the
window of one of them is killed in the middle of an item, and one withdraws. Seven stand in Results beside two models.
"""

import re
import shutil
from statistics import mean

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spatial_workbench.app.commands.main import main
from spatial_workbench.app.studies.leader.dialogs.freezing import FreezeDialog, RecoveryDialog
from spatial_workbench.app.studies.leader.page import CHECKLIST, OUTCOMES, PROGRESS, QUALITY, StudiesPage
from spatial_workbench.app.studies.participant.application import build_window
from spatial_workbench.app.studies.participant.window_form import WindowForm
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender
from spatial_workbench.engine.models import ModelSettings
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.studies.analysis.outcomes import StudyState
from spatial_workbench.engine.studies.files.bundles import read_bundle
from spatial_workbench.engine.studies.sessions.pages import Cover
from spatial_workbench.engine.studies.sessions.session_file import SessionFile
from spatial_workbench.widgets.appearance import appearance
from tests.app.studies.taking_part import Taker, click, killed_after
from tests.editors import test_by_keys as by_keys
from tests.evaluation.conftest import run, store
from tests.store.test_study_sessions import rows
from tests.studies.sittings import SECRET

BOARDS = [f"shikaku@{seed}?height=5&width=5" for seed in range(1, 6)]
LOOPS = [f"hamiltonian_loop@{seed}?blocked=0&height=4&width=4" for seed in range(1, 6)]
ITEM_S = 120
NAME = "Ten small items"
MACHINES = {"lab 1": "P001-P003", "lab 2": "P004-P006", "library": "P007-P008"}
SOLVED = {"P001H": 10, "P002Q": 9, "P003X": 7, "P004F": 6, "P005N": 10, "P006V": 4, "P007D": 3, "P008L": 1}
"""How many items each person solves, the first ones that they meet; they give the next one up, and hand in the rest
without an edit."""
WITHDRAWS = "P005N"
PATIENCE_MS = 120_000


class People:
    """Those who take part, and which items they solved."""

    def __init__(self, qtbot, qapp):
        self.qtbot = qtbot
        self.qapp = qapp
        self.windows = []
        self.passed = {}

    def window_at(self, machine, leaves_nothing=False):
        """The window on a machine."""
        (path,) = machine.glob("*.study")
        window = build_window(
            self.qapp,
            read_bundle(path),
            path,
            "",
            machine / "sessions",
            WindowForm.ORDINARY,
            leaves_nothing=leaves_nothing,
        )
        self.windows.append(window)
        window.open()
        self.qtbot.waitUntil(lambda: window.isActiveWindow() and window.entrance.materials == "")
        return window

    def person(self, window, code):
        """Somebody who solves as many items as they can."""

        def answer(window):
            position = window.sitting.state.position
            item = window.sitting.state.item.id
            edits = window.sitting.state.record.edits
            self.passed[code, item] = is_solved = position < SOLVED[code] and not edits
            if is_solved:
                solve(window)
            return None if position == SOLVED[code] else is_solved

        return Taker(self.qtbot, window, code, answer, {"age": "25-34", "used_ai": "no"})

    def close(self, window):
        """Closes a window, as the leader does."""
        window._may_close = True
        window.close()


@pytest.fixture
def people(qtbot, qapp):
    """Nobody yet; the windows are closed after the test."""
    everybody = People(qtbot, qapp)
    yield everybody
    for window in everybody.windows:
        everybody.close(window)
        window.deleteLater()
    appearance().remembers = True


def solve(window):
    """Solves the item by keys alone."""
    task, instance = window.sitting.state.subject()

    def press(key, held=Qt.KeyboardModifier.NoModifier, times=1):
        for _ in range(times):
            QTest.keyClick(QApplication.focusWidget(), key, held)

    window.page.editor.view.setFocus()
    getattr(by_keys, task.id)(window.page.editor, task.solve(instance), press)


class Leader:
    """Somebody at the page of studies, who types and clicks."""

    def __init__(self, qtbot, window):
        self.qtbot = qtbot
        self.window = window
        self.page: StudiesPage = window.study_pages.show_studies()
        self.said = ""
        self.page.message.connect(self.hear)
        self.settle()

    def hear(self, text):
        self.said = text

    def settle(self):
        self.window.project.flush()
        self.qtbot.waitUntil(lambda: self.page.is_idle, timeout=PATIENCE_MS)

    def until(self, state):
        self.qtbot.waitUntil(lambda: self.page.snapshot.row.state is state, timeout=PATIENCE_MS)
        self.settle()

    def types(self, widget, text):
        widget.setFocus()
        QTest.keyClick(widget, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        self.qtbot.keyClicks(widget, text)

    def fills(self, path, text):
        self.types(self.page.plan.form.fields[path].control, text)

    def makes_a_draft(self):
        self.page.stack.currentWidget().button.click()
        dialog = self.page.dialog
        self.types(dialog.name, NAME)
        self.types(dialog.leader, "Ada")
        self.types(dialog.contact, "ada@example.org")
        dialog.tasks.more.setText(", ".join([*BOARDS, *LOOPS]))
        dialog.go.click()
        self.settle()
        self.qtbot.waitUntil(lambda: self.page.snapshot is not None)
        self.page.plan.form.build()

    def plans(self):
        fields = self.page.plan.form.fields
        self.fills("question", "How well do people solve small items?")
        self.fills("population", "Adults")
        self.fills("limits.item_s", str(ITEM_S))
        self.fills("plan.slots", "8")
        self.fills("plan.reserve", "2")
        self.qtbot.keyClicks(fields["limits.pauses.kind"].box, "none")
        self.qtbot.keyClicks(fields["blocks"].choices.order, "shuffle")
        boxes = fields["covariates"].boxes
        for key in ("software_3d", "puzzles", "met_items", "team"):
            boxes[key].click()
        self.page.plan.form.flush()
        self.settle()
        assert self.page.plan.verdict.text() == "Nothing is wrong"

    def tries_the_plan(self, monkeypatch):
        launched = []
        monkeypatch.setattr(
            "spatial_workbench.app.studies.leader.launching.launch", lambda *words: launched.append(words) or ""
        )
        self.page.plan.try_button.click()
        self.qtbot.waitUntil(lambda: bool(launched), timeout=PATIENCE_MS)
        return launched[0]

    def freezes(self):
        self.page.plan.freeze.click()
        self.qtbot.waitUntil(lambda: isinstance(self.page.dialog, FreezeDialog))
        self.types(self.page.dialog.passphrase, SECRET)
        self.page.dialog.is_kept.click()
        self.page.dialog.go.click()
        self.qtbot.waitUntil(lambda: isinstance(self.page.dialog, RecoveryDialog))
        self.page.dialog.reject()
        self.until(StudyState.FROZEN)

    def writes_a_bundle(self, path, codes, site):
        self.page.go_to(PROGRESS)
        self.page.progress.bundle.click()
        dialog = self.page.dialog
        self.types(dialog.codes, codes)
        self.types(dialog.site, site)
        dialog.order_to(path)
        self.qtbot.waitUntil(lambda: path.exists() and path.name in self.said)
        self.settle()

    def merges(self, folders):
        self.page.take_dropped(folders)
        self.settle()
        self.page.dialog.close()

    def excludes(self, code, item, reason):
        self.page.go_to(QUALITY)
        self.page.quality.exclude.click()
        dialog = self.page.dialog
        dialog.session.setCurrentText(code)
        dialog.trial.setCurrentText(item)
        self.types(dialog.reason, reason)
        dialog.go.click()
        self.settle()

    def closes(self):
        self.page.quality.close_button.click()
        self.types(self.page.dialog.name, NAME)
        self.page.dialog.go.click()
        self.until(StudyState.CLOSED)

    def opens_outcomes(self):
        self.page.go_to(OUTCOMES)
        self.page.outcomes.unseal.click()
        self.types(self.page.dialog.secret, SECRET)
        self.page.dialog.go.click()
        self.until(StudyState.UNSEALED)
        self.qtbot.waitUntil(lambda: "judged" in self.page.outcomes.words.text())

    def answers_the_checklist(self, number, answer):
        self.page.go_to(CHECKLIST)
        view = self.page.checklist
        self.qtbot.waitUntil(lambda: view.model.rowCount() > 0)
        view.table.selectRow([row.point.number for row in view.model.rows].index(number))
        self.qtbot.keyClicks(view.answer, answer)
        view.set_button.click()
        self.settle()

    def goes_to_results(self):
        self.page.outcomes.results.click()
        page = self.window.tabs.currentWidget()
        self.qtbot.waitUntil(lambda: page.results is not None and page.is_idle, timeout=PATIENCE_MS)
        return page

    def writes_the_report(self, path):
        self.window.study_pages.write_report(self.page.study, False, path)
        self.qtbot.waitUntil(path.exists, timeout=PATIENCE_MS)
        return re.sub(r"(<[^>]*>|\s)+", " ", path.read_text("utf-8"))


def machines_of(leader, folder):
    """Three machines with a bundle each, and places for their sessions of their own."""
    machines = []
    for site, codes in MACHINES.items():
        written = folder / f"{site}.study"
        machine = folder / "machines" / site
        leader.writes_a_bundle(written, codes, site)
        machine.mkdir(parents=True)
        shutil.move(written, machine)
        machines.append(machine)
    return machines


def cut_off(people, machine, code):
    """Kills the window of a person in the middle of the first item; they go on with what they had and the time left."""
    (bundle,) = machine.glob("*.study")
    killed_after(0.7, bundle, machine / "sessions", code)
    file = SessionFile.open(machine / "sessions" / f"{code}.session")
    (trial, *_) = file.trials()
    answer = file.draft(0)
    file.close()
    window = people.window_at(machine)
    person = people.person(window, code)
    person.enter()
    assert (window.sitting.state.cover, window.sitting.state.position) == (Cover.CRASH, 0)
    assert window.sitting.limits.remaining_ms == 1000 * ITEM_S - trial.active_ms
    assert window.sitting.work.draft().model_dump(mode="json") == answer
    assert 0 < trial.active_ms < 60_000
    assert trial.edits > 0
    click(window.stack.currentWidget(), "Go on")
    person.go_on()
    person.make_room()
    return window


def everybody_takes_part(people, machines):
    """Eight people, one after the other at each machine."""
    for machine in machines:
        (path,) = machine.glob("*.study")
        slots = read_bundle(path).slots
        is_first = machine is machines[0]
        begun = next(slot.code for slot in slots if slot.trials[0].item.startswith("shikaku")) if is_first else ""
        window = cut_off(people, machine, begun) if is_first else people.window_at(machine)
        for code in (slot.code for slot in slots if slot.code != begun):
            person = people.person(window, code)
            person.take_part(items=2 if code == WITHDRAWS else None)
            if code == WITHDRAWS:
                person.withdraw()
            person.make_room()
        people.close(window)


def tombstones(project, study):
    return [(stone.hash, stone.phase, stone.code) for stone in project.sessions.tombstones(study)]


def ask_models(path):
    """A batch of two models that need no network, on the items of the study."""
    contenders = tuple(Contender(settings=ModelSettings(name=name, provider=name)) for name in ("random", "reference"))
    with Project.open(path) as project:
        batch, plan = store(project, BatchPlan(name="models", contenders=contenders, addresses=(*BOARDS, *LOOPS)))
        run(project, batch, plan)


def columns(page, title):
    """What the table of scores shows in a line, by the titles of its columns."""
    page.show_section("generated")
    table = next(card.table for card in page.area.widget().cards if card.table.title == "Generated instances")
    (line,) = [line for line in table.lines if line.title == title]
    return {heading.title: cell for heading, cell in zip(table.headings, line.cells, strict=True)}


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_study_from_its_plan_to_its_report(window, people, qtbot, tmp_path, monkeypatch):
    leader = Leader(qtbot, window)
    project = window.project.path
    leader.makes_a_draft()
    leader.plans()

    # Trying the plan leaves nothing.
    *_, bundle, windowed, tries = leader.tries_the_plan(monkeypatch)
    assert (windowed, tries) == ("--windowed", "--try")
    trial = tmp_path / "trial"
    trial.mkdir()
    shutil.copy(bundle, trial)
    at_trial = people.window_at(trial, leaves_nothing=True)
    people.person(at_trial, "P001H").take_part(items=1)
    people.close(at_trial)
    assert [path.suffix for path in trial.iterdir()] == [".study"]

    leader.freezes()
    study = leader.page.study
    machines = machines_of(leader, tmp_path)
    with Project.open(project) as opened:
        assert opened.places.bundles(study)
        opened.save_copy(tmp_path / "copy.workbench")
    people.passed.clear()
    everybody_takes_part(people, machines)

    # Each machine's files are merged in another order, and twice, and end in equal rows.
    leader.merges([machines[0], machines[1], machines[2]])
    for place in (2, 0, 1, 1, 2, 0):
        assert main(["study", "merge", str(tmp_path / "copy.workbench"), str(machines[place])]) == 0
    with Project.open(project) as first, Project.open(tmp_path / "copy.workbench") as second:
        assert rows(first) == rows(second)
        assert tombstones(first, study) == tombstones(second, study)
        assert [code for _, _, code in tombstones(first, study)] == [WITHDRAWS]
        assert len(first.sessions.all(study)) == 7
    assert "1 withdrew" in leader.page.progress.facts.text()

    # Closing fixes who is excluded.
    left_out = [key for key in people.passed if key[0] == "P008L"][-1]
    leader.excludes(*left_out, "The telephone rang all the time")
    leader.closes()
    assert "The list is fixed" in leader.page.quality.words.text()
    leader.opens_outcomes()
    leader.answers_the_checklist("1.9", "Yes")
    report = leader.writes_the_report(tmp_path / "report.html")
    assert "7 people are analysed on 10 items" in report
    assert "The rules exclude 0 sessions and 1 single trial." in report
    assert "Started 8 Not eligible 0 Withdrew 1 Excluded by rule 0 Analysed 7" in report
    assert re.search(r"1 of 71 points of the checklist are answered; [1-9]\d more", report)

    # Seven people in one column, beside the models, on the same items.
    ask_models(project)
    shown = columns(leader.goes_to_results(), "Overall")
    assert {f"human · {NAME} (7)", "random", "reference"} <= shown.keys()
    counted = {key: value for key, value in people.passed.items() if key[0] != WITHDRAWS and key != left_out}
    items = {item for _, item in counted}
    of_items = [mean(value for (_, item), value in counted.items() if item == each) for each in items]
    human = shown[f"human · {NAME} (7)"]
    assert (len(items), human.values[0]) == (10, pytest.approx(mean(of_items)))
    assert "7 people" in human.detail
    assert "reference: 100" in human.tip
