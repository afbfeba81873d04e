"""Searches for machines from the window: ordered, watched, cancelled, resumed, and opened from their files."""

import pytest

from spatial_workbench.app.machine_runs.search_page import SearchPage
from spatial_workbench.engine.machines.building.tree import write_tree
from spatial_workbench.engine.machines.levels.references import references
from spatial_workbench.engine.tasks.machine import MachineAnswer
from tests.app.test_machine_runs import CAR_ANSWER, search_file, settled, store
from tests.machines.designing.test_workflow_agents import ANSWERS, play


def dialog_of(window, qtbot):
    window.actions_registry["evaluate.search"].trigger()
    return window.searches.dialog


def ordered(window, qtbot, rounds=1):
    dialog = dialog_of(window, qtbot)
    dialog.strategy.setCurrentText("Random search")
    dialog.rounds.setValue(rounds)
    dialog.workers.setValue(2)
    dialog.go.click()
    page = window.tabs.currentWidget()
    assert isinstance(page, SearchPage)
    return page


def opened(window, qtbot, path):
    window.searches.open(path)
    qtbot.waitUntil(lambda: isinstance(window.tabs.currentWidget(), SearchPage), timeout=20_000)
    return window.tabs.currentWidget()


@pytest.mark.slow
def test_a_search_runs_in_the_background_and_its_machines_come_in(window, qtbot):
    page = ordered(window, qtbot)
    assert page.is_running
    qtbot.waitUntil(lambda: not page.is_running, timeout=100_000)
    qtbot.waitUntil(lambda: len(page.tree.nodes) == 6, timeout=20_000)
    assert page.state.text().startswith("Finished. Best distance")
    assert page.nodes.current() is not None
    settled(page, qtbot)


@pytest.mark.slow
def test_a_search_that_was_cancelled_goes_on_when_it_is_resumed(window, qtbot):
    page = ordered(window, qtbot, rounds=50)
    qtbot.waitUntil(lambda: len(page.tree.nodes) > 1, timeout=60_000)
    page.stop.click()
    assert page.state.text().startswith("Cancelled")
    known = len(page.tree.nodes)
    page.resume.click()
    qtbot.waitUntil(lambda: len(page.tree.nodes) > known, timeout=60_000)
    window.pages.close(page)


def test_a_start_that_is_no_machine_ends_the_search_with_the_reason(window, qtbot, tmp_path):
    (tmp_path / "bad.json").write_text('[{"type": 0, "id": 5, "parent": -1, "face_id": -1}]')
    dialog = dialog_of(window, qtbot)
    dialog.start_with_file(tmp_path / "bad.json")
    dialog.go.click()
    page = window.tabs.currentWidget()
    qtbot.waitUntil(lambda: not page.is_running, timeout=60_000)
    assert "not valid" in page.state.text()
    assert "not valid" in page.empty.text.text()


def test_a_search_begins_with_the_reference_an_example_or_an_attempt_at_the_level(window, qtbot):
    window.project.tell(store(play(ANSWERS)[3]))
    window.project.flush()
    dialog = dialog_of(window, qtbot)

    def names():
        return [dialog.beginning.itemText(k) for k in range(dialog.beginning.count())]

    qtbot.waitUntil(lambda: "Attempt 2 · Ada" in names())
    assert names()[:2] == ["The level's reference machine", "Example: Car"]
    assert dialog.beginning.itemData(names().index("Attempt 2 · Ada")) == CAR_ANSWER
    dialog.reject()


def test_the_machine_of_a_file_can_be_started_with(window, qtbot, tmp_path):
    answer = MachineAnswer.of(references()["M1"].tree).model_dump_json()
    (tmp_path / "car.json").write_text(answer)
    dialog = dialog_of(window, qtbot)
    dialog.start_with_file(tmp_path / "car.json")
    assert (dialog.beginning.currentText(), dialog.beginning.currentData()) == ("car.json", answer)
    dialog.start_with_file(tmp_path / "missing.json")
    assert "missing.json" in dialog.trouble.text()
    dialog.reject()


def test_every_search_is_stored_in_a_file_of_its_own(window, qtbot, tmp_path):
    first = dialog_of(window, qtbot)
    path = first._path
    first.reject()
    path.write_text("")
    second = dialog_of(window, qtbot)
    assert second._path != path
    second.reject()


@pytest.mark.slow
def test_a_stored_search_is_browsed_like_a_workflow(window, qtbot, tmp_path):
    page = settled(opened(window, qtbot, search_file(tmp_path / "nodes.jsonl")), qtbot)
    assert len(page.tree.nodes) == 5
    assert page.nodes.current() == page.tree.best
    assert not page.stop.isVisible()
    assert write_tree(page.tree.node("m0").tree) == write_tree(references()["M1"].tree)


def test_a_search_that_another_program_writes_is_followed(window, qtbot, tmp_path):
    content = search_file(tmp_path / "nodes.jsonl").read_bytes().splitlines(keepends=True)
    path = tmp_path / "growing.jsonl"
    path.write_bytes(b"".join(content[:3]))
    page = opened(window, qtbot, path)
    assert len(page.tree.nodes) == 2
    path.write_bytes(b"".join(content))
    qtbot.waitUntil(lambda: len(page.tree.nodes) == 5, timeout=20_000)


@pytest.mark.parametrize("content", ["", "no search"])
def test_a_file_that_holds_no_search_is_refused_in_words(window, qtbot, tmp_path, content):
    (tmp_path / "other.jsonl").write_text(content)
    window.searches.open(tmp_path / "other.jsonl")
    qtbot.waitUntil(lambda: "is not the file of a search" in window.statusBar().currentMessage(), timeout=20_000)
