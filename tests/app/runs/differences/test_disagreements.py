"""The disagreements page: what differs is shown on both sides, ruled on, and exported."""

import csv
import json

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.app.runs.differences.contrast import elements_words
from spatial_workbench.app.runs.differences.tree import group_by_task
from spatial_workbench.engine.core import Check, Problem, Verdict, task
from spatial_workbench.engine.evaluation.rulings import RulingContrast
from spatial_workbench.engine.store import Actor, Difference, Project, RunFilter

ONE = task("two_segments")
INSTANCES = ONE.instances()
SOLVED = [ONE.solve(instance).model_dump_json() for instance in INSTANCES[:3]]


def by_hand(default, verifier, failing, elements):
    """A verdict made by hand that finds fault with these elements."""
    checks = tuple(
        Check.of(check.name, [Problem("At fault", [element]) for element in elements] if check.name == failing else [])
        for check in default.checks
    )
    changes = {"verifier": verifier, "checks": checks, "score": 0.0, "passed": False, "details": {}}
    return default.model_copy(update=changes)


def add(project, number, verifier="crosscheck"):
    default = ONE.verify(INSTANCES[number], SOLVED[number])
    other = by_hand(default, verifier, default.checks[-1].name, ["segment 0"])
    return project.attempts.add(INSTANCES[number], SOLVED[number], Actor.MODEL, "birch", verdicts=(default, other))


def fill(project):
    """1 and 2: default and cross-check differ. 3: default and published differ."""
    for number, verifier in enumerate(("crosscheck", "crosscheck", "published")):
        add(project, number, verifier)


@pytest.fixture
def page(window, qtbot):
    window.project.tell(fill, announce=True)
    window.project.flush()
    return open_page(window, qtbot)


def open_page(window, qtbot):
    window.actions_registry["runs.disagreements"].trigger()
    page = window.tabs.currentWidget()
    qtbot.waitUntil(lambda: page.is_idle)
    return page


def show_all(page, qtbot):
    page.filters.known.setChecked(True)
    qtbot.waitUntil(lambda: page.is_idle)


def rule(page, qtbot, index):
    page.contrast.rulings.buttons[index].click()
    qtbot.waitUntil(lambda: any(difference.ruling for difference in page._all))


@pytest.mark.slow
def test_the_first_disagreement_is_shown_with_both_verdicts_over_the_same_scene(page):
    contrast = page.contrast
    assert (contrast.difference.attempt, contrast.difference.second) == (1, "crosscheck")
    assert [type(stage.view).__name__ for stage in contrast.stages] == ["Canvas2D", "Canvas2D"]
    assert contrast.stages[1]._marked == ("segment 0",)
    assert contrast.stages[0].view.selection == ("segment 0",)
    assert contrast._elements.text() == "Only crosscheck: segment 0."


def test_checks_stand_beside_each_other_and_differing_ones_are_bold(page):
    checks = page.contrast.explanation.checks
    first = checks.topLevelItem(0)
    assert [checks.headerItem().text(i) for i in range(3)] == ["Check", "default", "crosscheck"]
    assert (first.text(1), first.text(2)) == ("passed", "failed: At fault")
    assert first.font(0).bold()
    assert not checks.topLevelItem(1).font(0).bold()


@pytest.mark.slow
def test_the_views_look_from_the_same_place(page, qtbot):
    first, second = (stage.view for stage in page.contrast.stages)
    first.frame(["segment 0"], animate=False)
    qtbot.waitUntil(lambda: first.view_state() == second.view_state())


def test_known_differences_are_shown_only_when_asked_for(page, qtbot):
    assert [difference.attempt for difference in page.filters.passing()] == [1, 2]
    assert page._count.text() == "2 questions · 1 known difference (0 shown) · 0 ruled on"
    show_all(page, qtbot)
    assert page._count.text() == "2 questions · 1 known difference · 0 ruled on"
    assert sorted(difference.attempt for difference in page.filters.passing()) == [1, 2, 3]


@pytest.mark.slow
def test_pairs_are_offered_with_the_crosscheck_first(page, qtbot):
    show_all(page, qtbot)
    texts = [page.filters.pair.itemText(i) for i in range(page.filters.pair.count())]
    assert texts == ["All pairs", "default / crosscheck", "default / published"]
    page.filters.pair.setCurrentIndex(2)
    assert [difference.attempt for difference in page.filters.passing()] == [3]


@pytest.mark.slow
def test_a_ruling_is_stored_with_its_note_and_shown_in_the_tree(window, page, qtbot):
    page.contrast.rulings.note.setText("seen by eye")
    rule(page, qtbot, 2)
    assert page.tree.currentItem().text(2) == "Both defensible"
    assert page.contrast.rulings.buttons[2].isChecked()
    assert page.contrast.rulings.note.text() == "seen by eye"
    page.filters.ruled.setCurrentIndex(1)
    assert [difference.attempt for difference in page.filters.passing()] == [2]


@pytest.mark.slow
def test_enter_in_the_note_stores_it_with_the_ruling_that_stands(page, qtbot):
    rule(page, qtbot, 0)
    page.contrast.rulings.note.setText("after a second look")
    qtbot.keyClick(page.contrast.rulings.note, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: any(difference.note == "after a second look" for difference in page._all))
    assert page._all[0].ruling == "default"


@pytest.mark.slow
def test_next_goes_to_what_nobody_ruled_on(window, page, qtbot):
    rule(page, qtbot, 0)
    page.go_to_next()
    qtbot.waitUntil(lambda: page.contrast.difference.attempt == 2 and page.is_idle)
    page.contrast.rulings.buttons[1].click()
    qtbot.waitUntil(lambda: all(difference.ruling for difference in page.filters.passing()))
    page.go_to_next()
    assert "Every disagreement" in window.statusBar().currentMessage()


def test_a_project_without_disagreements_says_so(window, qtbot):
    page = open_page(window, qtbot)
    assert page._stack.currentIndex() == 1
    assert page.empty.heading.text() == "No disagreements"
    assert not page.export.isEnabled()


def test_a_project_with_known_differences_only_says_how_to_see_them(window, qtbot):
    window.project.tell(lambda project: add(project, 1, "published"))
    page = open_page(window, qtbot)
    qtbot.waitUntil(lambda: bool(page._all))
    assert page._stack.currentIndex() == 1
    assert page.empty.heading.text() == "No questions"
    assert "Known differences" in page.empty.text.text()


@pytest.mark.slow
def test_a_new_disagreement_appears_and_the_chosen_one_stays(window, page, qtbot):
    page.go_to_next()
    qtbot.waitUntil(lambda: page.contrast.difference.attempt == 2)
    window.project.tell(lambda project: add(project, 0), announce=True)
    qtbot.waitUntil(lambda: len(page.filters.passing()) == 3)
    assert page.contrast.difference.attempt == 2


def test_rulings_are_exported_as_json_lines_and_as_csv(page, qtbot, tmp_path):
    rule(page, qtbot, 1)
    for name in ("rulings.jsonl", "rulings.csv"):
        page.export_to(tmp_path / name)
        qtbot.waitUntil((tmp_path / name).exists)
    page._project.flush()
    first = json.loads((tmp_path / "rulings.jsonl").read_text().splitlines()[0])
    with (tmp_path / "rulings.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert (first["attempt"], first["ruling"]) == (1, "crosscheck")
    assert [row["ruling"] for row in rows] == ["crosscheck", "", ""]


def test_an_export_that_cannot_be_written_is_told(window, page, qtbot, tmp_path):
    page.export_to(tmp_path / "no such folder" / "rulings.csv")
    qtbot.waitUntil(lambda: "could not be written" in window.statusBar().currentMessage())


def test_the_page_may_be_closed_while_drawings_are_made(window, page, qtbot):
    page.go_to_next()
    window.pages.close(page)
    qtbot.waitUntil(lambda: window.jobs.live.current is None)
    assert window.tabs.count() == 1


def test_differences_are_grouped_by_task_then_pair_and_check():
    def difference(number, name, second, check):
        return Difference(
            attempt=number, address=f"{name}:0", task=name, who="", first="default", second=second, by_check=check,
            first_score=0, second_score=1,
        )  # fmt: skip

    groups = group_by_task(
        [
            difference(1, "shikaku", "published", "b"),
            difference(2, "delaunay", "crosscheck", "a"),
            difference(3, "shikaku", "crosscheck", "b"),
            difference(4, "shikaku", "published", "b"),
        ]
    )
    contents = [(group.task, pair.title, len(pair.differences)) for group in groups for pair in group.pairs]
    assert contents == [
        ("delaunay", "default / crosscheck · a", 1),
        ("shikaku", "default / crosscheck · b", 1),
        ("shikaku", "default / published · b", 2),
    ]


def test_many_differing_elements_are_counted():
    def verdict(name, count):
        checks = (Check.of("a", [Problem("x", [f"brick {i}"]) for i in range(count)]),)
        return Verdict(instance="x:0", verifier=name, version="1", score=0, passed=False, checks=checks)

    words = elements_words(RulingContrast(verdict("default", 20), verdict("crosscheck", 0)))
    assert words.endswith("brick 7 and 12 more.")


@pytest.mark.slow
def test_a_difference_that_nobody_ruled_on_shows_no_ruling_as_pressed(page, qtbot):
    rule(page, qtbot, 0)
    page.go_to_next()
    qtbot.waitUntil(lambda: page.contrast.difference.attempt == 2)
    assert not any(button.isChecked() for button in page.contrast.rulings.buttons)


@pytest.mark.slow
def test_alike_differences_are_ruled_on_together(page, qtbot):
    page.contrast.rulings.alike.setChecked(True)
    page.contrast.rulings.buttons[1].click()
    qtbot.waitUntil(
        lambda: [difference.ruling for difference in page.filters.passing()] == ["crosscheck", "crosscheck"]
    )


def test_known_differences_of_a_published_verifier_are_no_disagreements(page, qtbot, window):
    window.project.flush()
    with Project.open(window.project.path) as project:
        assert project.runs.numbers(RunFilter(disagrees=True), descending=False) == [1, 2]
        assert project.runs.numbers(RunFilter(differs=True)) == [3]


def test_findings_of_searches_are_one_click_away(window, page, qtbot):
    qtbot.mouseClick(page.findings, Qt.MouseButton.LeftButton)
    assert type(window.tabs.currentWidget()).__name__ == "FindingsPage"
