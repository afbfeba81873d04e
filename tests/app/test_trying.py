"""Trying teaches no more than submitting: filtering and halving with the aids that are on at first."""

import re
from itertools import combinations, product

import pytest
from PySide6.QtWidgets import QCheckBox, QLabel, QMessageBox, QPushButton, QTreeWidgetItemIterator

from spatial_workbench.app.attempts.words import help_text
from spatial_workbench.engine.core import Aid, Openness, State, resolve
from spatial_workbench.engine.core import tasks as all_tasks
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.tasks.labelled_squares.square import CASES, Behaviour
from tests.app.conftest import open_instance
from tests.sweeps import some

PAIRS = list(combinations(range(4), 2))
TASKS = all_tasks()


def half_subdivision(task, instance):
    from spatial_workbench.engine.tasks.half_subdivision import tree_of

    tree = tree_of(instance)
    others = [label for label in tree.index if label != tree.target]
    wrong = next(label for label in others if label not in tree.neighbours)
    return {"neighbors": others}, {"neighbors": [tree.neighbours[0]]}, {"neighbors": [wrong]}


def enumerate_edges(task, instance):
    key = task.solve(instance).edges
    k = next(k for k, pairs in enumerate(key) if pairs)
    wrong = next(pair for pair in PAIRS if pair not in key[k])

    def alone(pair):
        return {"edges": [[pair] if i == k else [] for i in range(len(key))]}

    return {"edges": [PAIRS] * len(key)}, alone(key[k][0]), alone(wrong)


def classify_behaviour(task, instance):
    key = task.solve(instance).labels
    other = next(kind.value for kind in Behaviour if kind.value != key[0])
    return {"labels": [other] * len(key)}, {"labels": key}, {"labels": [other, *key[1:]]}


def topology_enumeration(task, instance):
    key = task.solve(instance).configs
    wrong = next(walk for walk in CASES if walk not in key and len(set(walk)) == len(set(key[0])))
    return {"configs": list(CASES)}, {"configs": [key[0]]}, {"configs": [wrong]}


def delaunay(task, instance):
    from spatial_workbench.engine.tasks.delaunay import points_of
    from spatial_workbench.engine.tasks.delaunay.editing import flipped
    from spatial_workbench.engine.tasks.delaunay.geometry import edge_owners

    points = points_of(instance)
    key = task.solve(instance).triangles
    inner = [edge for edge, owners in edge_owners(key).items() if len(owners) == 2]
    wrong = next(new for edge in inner if (new := flipped(points, key, edge)) is not None)
    return {"triangles": list(combinations(range(len(points)), 3))}, {"triangles": key}, {"triangles": wrong}


def hide_and_seek(task, instance):
    hidden = task.solve(instance).centers
    places = [(x, y) for x in range(-20, 21, 2) for y in range(-20, 21, 2) if max(abs(x), abs(y)) > 6]

    def crowd(centers):
        return {"people": [{"xy": [float(x), float(y)]} for x, y in centers]}

    return crowd(places), crowd(hidden), crowd(-hidden)


def puzzle_hunt(task, instance):
    right = task.solve(instance).text.rpartition("Answer:")[2].strip()

    def text(word):
        return f"A step.\nAnswer: {word}"

    return text("anything"), text(right), text("X" * len(right))


def printable_prime(task, instance):
    from spatial_workbench.engine.tasks.printable_prime import DigitStack
    from spatial_workbench.engine.tasks.printable_prime.digits import Orientation, fit, number_of

    right = task.solve(instance)
    digits = [int(digit) for digit in number_of(right.stack)]
    changed = ([*digits[:k], digit, *digits[k + 1 :]] for k, digit in product(range(len(digits)), range(10)))
    fitted = (fit(number, tuple(Orientation)) for number in changed)
    others = (DigitStack.of(stack) for stack in fitted if stack is not None)
    wrong = next(other for other in others if _failing(task, instance, other) == ["a prime"])
    return DigitStack.of(right.stack * 2), right, wrong


def _failing(task, instance, answer):
    return [check.name for check in task.verify(instance, answer).checks if check.state is State.FAILED]


WITHHOLDING = {
    "half_subdivision:0": half_subdivision,
    "enumerate_edges:1": enumerate_edges,
    "classify_behaviour:0": classify_behaviour,
    "topology_enumeration:2": topology_enumeration,
    "delaunay:0": delaunay,
    "hide_and_seek:0": hide_and_seek,
    "puzzle_hunt:0": puzzle_hunt,
    "printable_prime:0": printable_prime,
}
OF_LISTS = [address for address in WITHHOLDING if not address.startswith(("printable_prime", "puzzle_hunt"))]


def test_every_task_that_withholds_something_is_tried_here():
    assert {task.id for task in TASKS if task.live.withholds} == {address.partition(":")[0] for address in WITHHOLDING}


def test_every_task_says_what_its_live_verdict_tells_and_why():
    assert [task.id for task in TASKS if not task.live.why] == []


def test_the_checks_that_a_rule_names_are_made():
    for task in TASKS:
        instance = task.instances()[0]
        verdict = task.verify(instance, task.empty(instance))
        known = {check.name for check in verdict.checks} | {figure.name for figure in verdict.figures}
        assert {*task.live.form, *task.live.later} <= known, task.id


@pytest.fixture(params=some(list(WITHHOLDING), 4))
def trial(request, window, qtbot):
    """An open workspace, with everything that could be entered, a right answer, and a wrong one of the same form."""
    workspace = open_instance(window, qtbot, request.param)
    return Trial(qtbot, window, workspace, *WITHHOLDING[request.param](*resolve(request.param)))


class Trial:
    """Enters answers, and notes all that can be seen of them."""

    def __init__(self, qtbot, window, workspace, everything, right, wrong):
        self.qtbot = qtbot
        self.window = window
        self.workspace = workspace
        self.everything = everything
        self.right = right
        self.wrong = wrong
        self.said = []
        workspace.message.connect(self.said.append)
        workspace.editor.message.connect(self.said.append)

    def enter(self, answer):
        document = self.workspace.document
        document.edit("Try", document.task.parse(answer))
        self.qtbot.waitUntil(lambda: document.is_verdict_current and not self.workspace.session.live._wants_another)
        self.workspace.editor.draw_later()

    def rows(self):
        rows = QTreeWidgetItemIterator(self.workspace.judgement.panel._tree)
        while rows.value() is not None:
            yield rows.value()
            rows += 1

    def seen(self):
        """Texts without their figures, the colours of everything drawn, and what is marked."""
        panel = self.workspace.judgement.panel
        editor = self.workspace.editor
        roots = (panel, editor, editor.tools)
        texts = {label.text() for root in roots for label in root.findChildren(QLabel) if label.isVisibleTo(root)}
        texts |= {row.text(0) for row in self.rows()} | {row.toolTip(0) for row in self.rows()} | {editor.status()}
        items = [item for pane in editor.panes for item in (*pane.scene.items, *getattr(pane, "ghost", ()))]
        colors = {_colors(getattr(item, name, "")) for item in items for name in ("color", "colors", "outline")}
        marks = {role for pane in editor.panes for role in pane.style_.roles.values()}
        words = {re.sub(r"[\d.,]+|(?<=Answer: )\w+|“.*?”", "#", text) for text in texts}
        return words, colors, marks, panel._crosscheck.isEnabled(), panel._bar._shown


def _colors(colors):
    """The colours of an item, whatever their order and number; colours of classes count as one."""
    names = [colors] if isinstance(colors, str) else colors
    return frozenset(re.sub(r"series \d", "series", str(name)) for name in (names if names is not None else ()))


@pytest.mark.slow
def test_a_click_on_a_check_selects_nothing_that_is_wrong(trial):
    trial.enter(trial.everything)
    for row in list(trial.rows()):
        trial.workspace.judgement.panel._clicked(row)
    marks = {role for pane in trial.workspace.editor.panes for role in pane.style_.roles.values()}
    if trial.workspace.document.task.live.form:
        assert trial.workspace.editor.view.selection == ()
        assert not marks & {"failed", "warning", "passed"}


@pytest.mark.slow
def test_a_right_answer_looks_like_a_wrong_one_of_the_same_form(trial):
    looks = []
    for answer in (trial.right, trial.wrong):
        trial.enter(answer)
        looks.append(trial.seen())
    assert looks[0] == looks[1]


@pytest.mark.slow
def test_the_cross_check_and_other_verifiers_tell_nothing_before_a_submission(trial):
    names = trial.workspace.document.task.verifiers()
    looks = []
    for answer in (trial.right, trial.wrong):
        trial.enter(answer)
        trial.workspace.judgement.crosscheck()
        for name in names:
            trial.workspace.judgement.use_verifier(name)
        trial.qtbot.waitUntil(lambda: trial.workspace.session.live._running is None)
        looks.append((trial.seen(), tuple(trial.said)))
        trial.said.clear()
    assert looks[0] == looks[1]


@pytest.mark.slow
@pytest.mark.parametrize("trial", some(OF_LISTS), indirect=True)
def test_leaving_half_of_the_entries_out_tells_nothing(trial):
    ((field, entries),) = trial.everything.items()
    half = len(entries) // 2
    looks = []
    for part in (entries[:half], entries[half : 2 * half]):
        trial.enter({field: part})
        looks.append(trial.seen()[2:])
    assert looks[0] == looks[1]
    assert trial.workspace.document.verdict.is_undecided


@pytest.mark.slow
def test_a_submission_tells_right_from_wrong(trial):
    trial.enter(trial.wrong)
    trial.workspace.session.submit()
    document = trial.workspace.document
    trial.qtbot.waitUntil(lambda: document.verdict is not None and not document.verdict.is_undecided)
    assert not document.verdict.passed
    assert attempt_of(trial.window).solving_aids == 0


@pytest.mark.slow
def test_a_switch_tells_right_from_wrong_and_is_recorded_as_help(trial):
    trial.enter(trial.wrong)
    switch = next(box for box in trial.workspace.judgement.panel.findChildren(QCheckBox))
    assert (switch.isVisible(), switch.isChecked()) == (True, False)
    switch.click()
    document = trial.workspace.document
    trial.qtbot.waitUntil(lambda: document.is_verdict_current and not document.verdict.is_undecided)
    assert [use.name for use in trial.workspace.session.aids if use.kind is Aid.SOLVING] == ["Show what is wrong"]
    switch.click()
    trial.qtbot.waitUntil(lambda: document.verdict.is_undecided)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_the_switch_is_there_only_where_something_is_withheld(qtbot, task):
    from spatial_workbench.widgets.panels.verdict_panel import VerdictPanel

    panel = VerdictPanel()
    qtbot.addWidget(panel)
    panel.show_rule(task.live, Openness.RULE)
    assert panel.wrong.isVisibleTo(panel) == task.live.withholds


# Exploring


@pytest.fixture
def exploring(window, qtbot):
    workspace = open_instance(window, qtbot, "half_subdivision:0")
    window.status_bar.explore.click()
    box = window.findChild(QMessageBox)
    next(button for button in box.findChildren(QPushButton) if button.text() == "Explore").click()
    return workspace


def attempt_of(window):
    window.project.flush()
    with Project.open(window.project.path) as project:
        return project.attempts.newest()[0]


@pytest.mark.slow
def test_who_explores_sees_all_at_once(window, exploring, qtbot):
    qtbot.waitUntil(lambda: "Missing" in str(exploring.document.verdict))
    assert window.status_bar.explore.text() == "Exploring"
    assert not exploring.judgement.panel.wrong.isEnabled()
    exploring.judgement.crosscheck()
    assert exploring.session.has_used("Cross-check")


@pytest.mark.slow
def test_what_is_opened_while_somebody_explores_is_open_too(window, exploring, qtbot):
    other = open_instance(window, qtbot, "topology_enumeration:2")
    qtbot.waitUntil(lambda: not other.document.verdict.is_of_form)
    assert other.session.has_used("Explore")


@pytest.mark.slow
def test_an_explored_attempt_says_so_everywhere_and_is_never_solved_without_help(window, exploring, qtbot):
    exploring.document.edit("Solve", exploring.document.task.solve(exploring.document.instance))
    window.person.explore(False)
    exploring.session.submit()
    qtbot.waitUntil(lambda: attempt_of(window).passed is True)
    row = attempt_of(window)
    assert (row.explored, row.solving_aids) == (True, 1)
    assert help_text(row) == "Explored"
    with Project.open(window.project.path) as project:
        progress = project.attempts.progress()["half_subdivision"]
    assert (progress.solved, progress.solved_with_help) == (frozenset(), frozenset({"half_subdivision:0"}))


@pytest.mark.slow
def test_who_goes_back_to_solving_sees_the_form_alone(window, exploring, qtbot):
    window.status_bar.explore.click()
    qtbot.waitUntil(lambda: exploring.document.verdict is not None and exploring.document.verdict.is_of_form)
    assert window.status_bar.explore.text() == "Explore"


@pytest.mark.slow
def test_another_person_begins_by_solving(window, exploring):
    window.person.change_person("Ben")
    assert not window.settings.explores
