"""The page of findings: lists groups, makes cases small with undo, and writes cases and tests."""

import pytest

from spatial_workbench.app.runs.findings.work import LabOrder
from spatial_workbench.engine.evaluation.laboratory.cases import read_case
from spatial_workbench.engine.evaluation.laboratory.searching.lanes import smaller_group
from spatial_workbench.engine.evaluation.laboratory.searching.task_search import SearchState, explore

FENCED = "Here is my maze, as you asked:\n```\nA5054\n78882\n23404\n09759\n2210B\n```\nI hope that you like it."


def found():
    """A search in one task that asked about one stored answer."""
    state = SearchState("maze_3d", 1).as_data()
    state["yields"]["draws"] = {"reference": 1000}
    return explore(state, {"seconds": None, "answers": 1}, stored=[["maze_3d:0", FENCED]])


@pytest.fixture
def page(window, qtbot):
    done = found()
    window.project.tell(lambda project: project.searches.store(done["state"], done["groups"], smaller_group))
    page = window.laboratory.show_findings()
    qtbot.waitUntil(lambda: page.detail.group is not None)
    return page


def test_groups_are_listed_with_the_smallest_case(page):
    assert page.tree.topLevelItem(0).text(0).startswith("3D maze with jumps")
    assert page.detail.group["answer"] == FENCED
    assert "not passed" in page.detail.said[1].text()
    assert page.detail.answer.toPlainText() == FENCED


@pytest.mark.slow
def test_a_case_is_made_small_and_put_back(page, qtbot):
    assert not page.detail.undo.isEnabled()
    page.detail.small.click()
    qtbot.waitUntil(lambda: page.is_idle and len(page.detail.group["answer"]) < len(FENCED), timeout=30_000)
    assert page.detail.undo.isEnabled()
    page.detail.undo.click()
    qtbot.waitUntil(lambda: page.detail.group["answer"] == FENCED)
    assert not page.detail.undo.isEnabled()


def test_a_case_is_saved_with_what_all_verifiers_say(page, qtbot, tmp_path):
    page.save_case(tmp_path / "maze.case.json", "Words around the grid are no fault.")
    qtbot.waitUntil((tmp_path / "maze.case.json").exists, timeout=20_000)
    case = read_case(tmp_path / "maze.case.json")
    assert (case.answer, case.reason) == (FENCED, "Words around the grid are no fault.")
    assert case.expected["default"].passed


def test_a_case_becomes_a_test(page, qtbot, tmp_path):
    page.export_test(tmp_path / "test_maze.py")
    qtbot.waitUntil((tmp_path / "test_maze.py").exists, timeout=20_000)
    assert "'maze'" in (tmp_path / "test_maze.py").read_text()


def test_a_case_that_cannot_be_written_is_told(page, qtbot, tmp_path):
    with qtbot.waitSignal(page.message, timeout=20_000) as told:
        page.export_test(tmp_path / "none" / "test_maze.py")
    assert "was not written" in told.args[0]


def test_a_case_opens_in_the_editor(page, qtbot):
    with qtbot.waitSignal(page.open_wanted) as wanted:
        page.detail.open.click()
    assert wanted.args[:2] == ["maze_3d:0", FENCED]


def test_an_empty_page_offers_a_search(window, qtbot):
    page = window.laboratory.show_findings()
    qtbot.waitUntil(lambda: page.is_idle)
    page.search.click()
    dialog = window.laboratory.dialog
    assert not dialog.go.isEnabled()
    dialog.tasks.item(0).setCheckState(dialog.tasks.item(1).checkState().Checked)
    with qtbot.waitSignal(dialog.ordered) as ordered:
        dialog.ordered.disconnect(window.laboratory.begin)
        dialog.order()
    assert isinstance(ordered.args[0], LabOrder)
    assert ordered.args[0].tasks == ("classify_behaviour",)


def test_a_search_runs_in_the_background_and_can_be_cancelled(window, qtbot):
    window.laboratory.begin(LabOrder(("maze_3d",), 5.0, 1, 1))
    searching = window.laboratory.searching
    assert searching.is_running
    page = window.laboratory.show_findings()
    assert page.cancel.isVisibleTo(page)
    with qtbot.waitSignal(searching.ended) as ended:
        page.cancel.click()
    assert "goes on where it stopped" in ended.args[0]
    assert not searching.is_running
