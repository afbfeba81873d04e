"""Machines of a workflow or a search, browsed as a tree, replayed, opened in the editor and compared."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from spatial_workbench.app.attempts.replays import replay_of
from spatial_workbench.app.comparison.page import ComparePage
from spatial_workbench.app.comparison.playing import joined
from spatial_workbench.app.machine_runs.nodes import MACHINE, REACHED, RESULT, result_of
from spatial_workbench.app.machine_runs.page import MachineRunPage
from spatial_workbench.app.machine_runs.work import address_of, read_search
from spatial_workbench.engine.core import Scene, resolve
from spatial_workbench.engine.core.agents import AgentPlan
from spatial_workbench.engine.core.scene import Frame
from spatial_workbench.engine.machines.building.tree import write_tree
from spatial_workbench.engine.machines.designing.strategies import Strategy
from spatial_workbench.engine.machines.designing.workflow_records import WorkflowRecord
from spatial_workbench.engine.machines.levels.catalogue import level_of
from spatial_workbench.engine.machines.levels.references import references
from spatial_workbench.engine.search.machine_search import MachineSearch, SearchPlan
from spatial_workbench.engine.search.node_file import SearchError, read_nodes
from spatial_workbench.engine.search.run_tree import tree_of_search, tree_of_workflow
from spatial_workbench.engine.store import Actor, Transcript
from spatial_workbench.engine.tasks.machine import MachineAnswer
from tests.app.runs.conftest import choose, open_page
from tests.machines.designing.test_workflow_agents import ANSWERS, BALLAST, CAR, DEFECTS, play
from tests.search.search_tools import STUB, Direct

ADDRESS = "machine_movement:0"
FAILING = "<Modification Steps>\nAdd [35] to [999] in [4]\n</Modification Steps>"
SAID = [CAR, DEFECTS, *[FAILING] * 4, *ANSWERS[2:]]
"""A car, a report without defects, four blind refiners that fail and then add a ballast, and a round."""
CAR_ANSWER = MachineAnswer.of(references()["M1"].tree).model_dump_json()


@pytest.fixture(scope="module")
def played():
    return play(SAID)[3]


@pytest.fixture(scope="module")
def tree(played):
    return tree_of_workflow(WorkflowRecord.model_validate_json(played.record), level_of("M1"))


def store(played):
    """1: a run of a workflow. 2: a machine built by hand."""

    def fill(project):
        transcript = Transcript(kind=played.kind, record=played.record)
        instance = resolve(ADDRESS)[1]
        project.attempts.add(instance, played.answer, Actor.MODEL, "birch", 2.0, (), transcript=transcript)
        project.attempts.add(instance, CAR_ANSWER, Actor.PERSON, "Ada", 2.0, ())

    return fill


def replayed(window, qtbot, played, number):
    page = open_page(window, qtbot, store(played))
    choose(page, qtbot, number)
    page.buttons.replay.click()
    qtbot.waitUntil(lambda: isinstance(window.tabs.currentWidget(), MachineRunPage), timeout=20_000)
    return settled(window.tabs.currentWidget(), qtbot)


def settled(page, qtbot):
    qtbot.waitUntil(lambda: page.is_idle, timeout=60_000)
    return page


# The tree ------------------------------------------------------------------------------------------------------------


def test_a_machine_stands_below_the_one_that_it_was_made_of(tree):
    made = [(node.step, node.parent) for node in tree.nodes if node.machine is not None]
    assert made == [("Design", None), ("Blind refiner", "m0"), ("Round 1", "m1")]


def test_every_machine_of_the_rounds_has_the_number_of_its_round():
    rounds = [f"<Modification Steps>\nAdd [35] to [0] in [{face}]\n</Modification Steps>" for face in (2, 3)]
    options = {"designs": 1, "rounds": 2, "candidates": 1, "strategy": "random", "querier": False}
    record = play([CAR, DEFECTS, *[BALLAST] * 4, *rounds], AgentPlan(kind="iterative", options=options))[3].record
    tree = tree_of_workflow(WorkflowRecord.model_validate_json(record), level_of("M1"))
    assert [node.step for node in tree.nodes[-2:]] == ["Round 1", "Round 2"]


def test_answers_that_made_no_machine_are_nodes_with_their_reason(tree):
    failed = [node for node in tree.nodes if node.machine is None and node.parent == "m0"]
    tried = [f"Blind refiner {k}" for k in (1, 2, 3, 4)]
    assert [node.step for node in failed] == [*tried, *(f"{name}, try 2" for name in tried[1:])]
    assert "999" in failed[0].trouble
    assert "an earlier candidate was taken" in failed[-1].trouble
    assert result_of(failed[-1]) == ("not taken", "warning")


def test_the_best_path_leads_from_the_first_machine_to_the_best(tree):
    assert tree.best_path[0] == "m0"
    assert tree.best_path[-1] == tree.best
    assert tree.node(tree.best).shown.value == max(node.shown.value for node in tree.nodes if node.shown)


def test_a_machine_has_the_call_that_made_it_and_those_about_it(tree):
    titles = [talk.title for talk in tree.node("m0").talks]
    assert titles == ["Designer, candidate 1", "Inspector"]
    assert tree.node("m0").talks[0].answer == CAR


def search_file(path, strategy=Strategy.BEST_OF_N):
    plan = SearchPlan(level_of("M1"), references()["M1"].tree, strategy, rounds=2, candidates=2, seed=4)
    MachineSearch(plan, Direct(), path, simulation=STUB).run()
    return path


def test_a_search_is_the_same_kind_of_tree(tmp_path):
    tree = tree_of_search(*read_nodes(search_file(tmp_path / "nodes.jsonl")))
    assert [node.step for node in tree.nodes] == ["Start", "Round 1", "Round 1", "Round 2", "Round 2"]
    assert tree.best in {node.key for node in tree.nodes}


def test_a_search_that_is_being_written_is_read_up_to_its_last_whole_line(tmp_path):
    path = search_file(tmp_path / "nodes.jsonl")
    content = path.read_bytes()
    path.write_bytes(content[:-20])
    assert len(read_nodes(path)[1]) == 4
    assert path.read_bytes() == content[:-20]


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "not the file of a search"), (b"[]\n", "not the file of a search"), (b"{}\n", "not the file of a search")],
)
def test_another_file_is_refused_with_its_name(tmp_path, content, words):
    (tmp_path / "other.jsonl").write_bytes(content)
    with pytest.raises(SearchError, match=f"other.*{words}"):
        read_search(tmp_path / "other.jsonl")


def test_a_search_in_an_unknown_level_is_refused():
    with pytest.raises(SearchError, match="M99"):
        tree_of_search({"level": "M99", "strategy": "mcts"}, [])


def test_a_damaged_row_of_a_search_is_refused():
    with pytest.raises(SearchError, match="damaged"):
        tree_of_search({"level": "M1", "strategy": "mcts"}, [{"id": 0}])


def test_every_level_has_an_address():
    assert address_of("T2") == "machine_throw:1"


# The page ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_replay_of_a_workflow_shows_its_tree_with_the_best_machine_chosen(window, qtbot, played, tree):
    page = replayed(window, qtbot, played, 1)
    assert page.nodes.current() == tree.best == page.detail.node.key
    assert len(page.nodes._items) == len(tree.nodes)
    assert page.detail.verdict_panel._word.text() == "Passed"


@pytest.mark.slow
def test_replay_of_a_machine_built_by_hand_plays_it(window, qtbot, played):
    page = replayed(window, qtbot, played, 2)
    assert page.detail.stage.timeline.is_playing
    assert "m forward" in page.detail.caption.text()
    page.detail.stage.timeline.pause()


@pytest.mark.slow
def test_a_chosen_machine_is_simulated_and_played(window, qtbot, played):
    page = replayed(window, qtbot, played, 1)
    page.nodes.choose("m0")
    settled(page, qtbot)
    page.replay.click()
    settled(page, qtbot)
    assert page.detail.stage.timeline.is_playing
    page.detail.stage.timeline.pause()


@pytest.mark.slow
def test_the_camera_of_a_replay_follows_the_machine_unless_told_otherwise(window, qtbot, played):
    page = replayed(window, qtbot, played, 2)
    stage = page.detail.stage
    qtbot.waitUntil(lambda: stage.timeline.is_playing, timeout=60_000)
    stage.timeline.go_to(30)
    before = stage.view.camera.target[1]
    stage.timeline.go_to(150)
    assert stage.view.camera.target[1] - before > 10
    qtbot.mouseClick(button_named(stage.timeline, "The camera follows what moves"), Qt.MouseButton.LeftButton)
    before = stage.view.camera
    stage.timeline.go_to(30)
    assert stage.view.camera == before
    assert stage.film_side().scene.tracks == ()


def button_named(timeline, name):
    return next(button for button in timeline.findChildren(QToolButton) if button.accessibleName() == name)


@pytest.mark.slow
def test_only_valid_machines_are_listed_where_that_is_wanted(window, qtbot, played):
    page = replayed(window, qtbot, played, 1)
    page.only_valid.setChecked(True)
    assert sorted(page.nodes.shown_keys()) == ["m0", "m1", "m2"]


@pytest.mark.slow
def test_rows_are_sorted_by_what_they_reached_and_back_in_the_order_of_the_tree(window, qtbot, played):
    page = replayed(window, qtbot, played, 1)
    page.nodes.sortByColumn(REACHED, Qt.SortOrder.DescendingOrder)
    first = page.nodes.topLevelItem(0)
    assert first.child(0).text(MACHINE).startswith("1")
    page.nodes.sortByColumn(MACHINE, Qt.SortOrder.AscendingOrder)
    assert first.child(0).text(RESULT).strip() == "✗ not usable"


@pytest.mark.slow
def test_an_answer_without_a_machine_shows_what_was_said(window, qtbot, played):
    page = replayed(window, qtbot, played, 1)
    failed = next(node for node in page.tree.nodes if node.machine is None)
    page.nodes.choose(failed.key)
    settled(page, qtbot)
    assert not page.replay.isEnabled()
    assert page.detail.text.text.toPlainText() == FAILING
    page.detail.kind.setCurrentText("Prompt")
    assert "Build a machine that drives forward" in page.detail.text.text.toPlainText()


@pytest.mark.slow
def test_a_machine_is_opened_in_the_editor_as_a_draft_that_names_its_origin(window, qtbot, played):
    page = replayed(window, qtbot, played, 1)
    page.nodes.choose("m0")
    settled(page, qtbot)
    page.open.click()
    qtbot.waitUntil(lambda: window.workspace is not None, timeout=30_000)
    workspace = window.workspace
    assert write_tree(workspace.document.answer.reading.tree) == write_tree(references()["M1"].tree)
    assert workspace.document.undo_stack.undoText() == "Open machine 0 of “attempt 1”"
    workspace.document.undo_stack.undo()
    assert len(workspace.document.answer.reading.tree) == 1


def aids_after_opening(window, qtbot, page):
    page.open.click()
    qtbot.waitUntil(lambda: window.workspace is not None, timeout=30_000)
    qtbot.waitUntil(lambda: len(window.workspace.document.answer.reading.tree) > 1)
    return [use.name for use in window.workspace.session.aids]


@pytest.mark.slow
def test_a_machine_of_a_model_is_recorded_as_an_aid(window, qtbot, played):
    window.person.change_person("Ada")
    page = replayed(window, qtbot, played, 1)
    assert "Open machine 0 of “attempt 1”" in aids_after_opening(window, qtbot, page)


@pytest.mark.slow
def test_ones_own_machine_is_no_aid(window, qtbot, played):
    window.person.change_person("Ada")
    page = replayed(window, qtbot, played, 2)
    page.detail.stage.timeline.pause()
    assert not [name for name in aids_after_opening(window, qtbot, page) if name.startswith("Open")]


@pytest.mark.slow
def test_machines_are_drawn_in_the_rows(window, qtbot, played):
    page = replayed(window, qtbot, played, 1)
    qtbot.waitUntil(lambda: page.pictures.is_idle, timeout=60_000)
    assert not page.nodes._items["m0"].icon(MACHINE).isNull()


@pytest.mark.slow
def test_two_machines_are_played_beside_each_other_on_one_time_line(window, qtbot, played):
    page = replayed(window, qtbot, played, 1)
    for key in ("m0", "m1"):
        page.nodes._items[key].setSelected(True)
    page.nodes._items["m2"].setSelected(False)
    page.compare_button.click()
    qtbot.waitUntil(lambda: isinstance(window.tabs.currentWidget(), ComparePage), timeout=60_000)
    compared = window.tabs.currentWidget()
    compared.timeline.go_to(90)
    assert [caption.text().startswith("machine ") for caption in compared.captions] == [True, True]
    assert compared.captions[0].text() != compared.captions[1].text()


@pytest.mark.slow
def test_a_run_without_a_machine_says_what_to_do(window, qtbot):
    empty = play(["nothing"] * 6, AgentPlan(kind="iterative", options={"designs": 1}))[3]
    page = replayed(window, qtbot, empty, 1)
    assert [result_of(node)[0] for node in page.tree.nodes] == ["not usable"] * 6
    assert "No answer was a valid machine" in page._facts.text()


def test_a_damaged_record_is_refused_in_words(window, played):
    window.project.tell(store(replace(played, record="{}")))
    answers = []
    window.project.ask(lambda project: answers.append(replay_of(project, 1)), lambda _: None)
    window.project.flush()
    assert answers == ["The run of attempt 1 cannot be read."]


# One time line -------------------------------------------------------------------------------------------------------


def moving(times, unit="s", marks=()):
    return Scene(items=(), frames=[Frame(time, ()) for time in times], frame_unit=unit, marks=marks)


def test_each_side_shows_its_latest_frame_and_stays_at_its_last():
    play = joined([moving([0, 1, 2]), moving([0, 0.5])], ("a", "b"))
    assert [frame.time for frame in play.joint.frames] == [0, 0.5, 1, 2]
    assert play.indices == ((0, 0, 1, 2), (0, 1, 1, 1))


def test_the_marks_of_both_sides_name_their_side():
    play = joined([moving([0, 1], marks=[(1.0, "it broke")]), moving([0, 1], marks=[(0.5, "it fell")])], ("a", "b"))
    assert play.joint.marks == [(0.5, "b: it fell"), (1.0, "a: it broke")]


def test_frames_that_count_no_seconds_go_side_by_side():
    assert joined([moving([1, 2, 3], "moves"), moving([1], "moves")], "ab").indices == ((0, 1, 2), (0, 0, 0))


def test_a_side_that_rests_leaves_the_time_line_to_the_other():
    play = joined([Scene(items=()), moving([0, 1])], "ab")
    assert play.indices == ((-1, -1), (0, 1))
    assert joined([Scene(items=()), Scene(items=())], "ab").joint.frames == ()


@pytest.mark.slow
def test_a_run_of_a_workflow_offers_its_tree_and_a_machine_by_hand_its_replay(window, qtbot, played):
    page = open_page(window, qtbot, store(played))
    choose(page, qtbot, 1)
    assert page.buttons.replay.text() == "Show the run's tree"
    choose(page, qtbot, 2)
    qtbot.waitUntil(lambda: page.buttons.replay.text() == "Replay")


@pytest.mark.slow
def test_a_machine_plays_in_full_resolution_where_drawing_is_slow(window, qtbot, played):
    page = replayed(window, qtbot, played, 2)
    page.detail.replay()
    settled(page, qtbot)
    view = page.detail.stage.view
    for _ in range(9):
        view.picture.pace.record(500.0)
    view.set_playing(True)
    view.picture.draw(moving=True)
    assert view.picture.drawing.renderer.window.resolution == 1.0
