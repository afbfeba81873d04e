"""*Save as video…* in a real window: from what plays to a file, in the background."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QToolButton

from spatial_workbench.app.video.choices import VideoChoices
from spatial_workbench.app.video.films import AnswerFilm, EditsFilm
from spatial_workbench.engine.core.files import part_of
from spatial_workbench.engine.machines.building.blocks import block_types
from spatial_workbench.engine.machines.levels.examples import examples
from spatial_workbench.widgets.scene_views.timeline import Timeline
from tests.app.conftest import has_verdict, open_instance, trigger
from tests.app.runs.conftest import choose, open_page
from tests.app.test_machine_runs import played, store
from tests.app.video.test_pictures import moving
from tests.app.video.test_saving import SOURCE

__all__ = ["played"]

pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")
QUICK = VideoChoices((160, 90), rate=4, speed=4.0)


@pytest.fixture
def choose_file(monkeypatch, tmp_path):
    """Answers the file dialog with a file of the test's folder."""
    path = tmp_path / "saved.mp4"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    return path


def idle(window):
    return window.jobs.videos.current is None


def build_by_keys(qtbot, editor):
    """Builds the catapult as the walk-through says: each block is searched for, and put on its face by the arrows."""
    editor.panel.actions["Build a catapult step by step"].trigger()
    while editor.walk.targets:
        editor.panel.actions["Search the blocks"].trigger()
        qtbot.keyClicks(editor.blocks.search, block_types()[editor.walk.kind].name)
        qtbot.keyClick(editor.blocks.search, Qt.Key.Key_Return)
        for face in editor.walk.targets:
            step_to(qtbot, editor, face)
            qtbot.keyClick(editor.view, Qt.Key.Key_Return)


def step_to(qtbot, editor, face):
    keys = editor._build._keys
    qtbot.keyClick(editor.view, Qt.Key.Key_Right)
    while keys.face.block != face.block:
        qtbot.keyClick(editor.view, Qt.Key.Key_Down if keys.face.block < face.block else Qt.Key.Key_Up)
    while keys.face.face != face.face:
        qtbot.keyClick(editor.view, Qt.Key.Key_Right if keys.face.face < face.face else Qt.Key.Key_Left)


@pytest.mark.slow
def test_a_catapult_built_by_hand_throws_its_boulder_in_a_saved_video(window, qtbot, choose_file):
    av = pytest.importorskip("av")
    workspace = open_instance(window, qtbot, "machine_throw:0")
    build_by_keys(qtbot, workspace.editor)
    assert workspace.document.answer.reading.tree == examples()[1].tree
    trigger_in(workspace, "Simulate")
    qtbot.waitUntil(lambda: workspace.editor.animation.is_playing, timeout=60_000)
    trigger(window, "view.video")
    dialog = window.videos.dialog
    dialog.sizes.setCurrentText("640 × 360")
    dialog.rates.setCurrentText("24")
    dialog.speeds.setCurrentText("4×")
    dialog.go.click()
    qtbot.waitUntil(lambda: choose_file.exists(), timeout=120_000)
    with av.open(choose_file) as container:
        pictures = [frame.to_ndarray(format="rgb24").astype(int) for frame in container.decode(video=0)]
    frames = workspace.editor.animation.scene.frames
    assert frames[-1].caption.startswith("boulder or ball ")
    assert float(frames[-1].caption.split()[3]) > 5
    assert len(pictures) == round((frames[-1].time - frames[0].time) / 4 * 24) + 1 + 12
    assert shows_ball(pictures[0])
    assert shows_ball(pictures[-1])
    assert np.abs(pictures[-1] - pictures[0]).mean() > 3


def shows_ball(picture):
    """Whether the boulder is in sight: many dark pixels without colour, above the words."""
    above = picture[:320]
    return int(((np.ptp(above, axis=2) < 22) & (above.mean(axis=2) < 150)).sum()) > 800


def trigger_in(workspace, text):
    workspace.editor.panel.actions[text].trigger()


@pytest.mark.slow
def test_what_plays_is_saved_where_the_person_says(window, qtbot, choose_file):
    av = pytest.importorskip("av")
    workspace = open_instance(window, qtbot, "cube_full_symbolic:0")
    trigger(window, "task.solve")
    qtbot.waitUntil(has_verdict(workspace, True))
    workspace.editor.animation.play(moving([0.0, 1.0]))
    trigger(window, "view.video")
    window.videos.dialog.sizes.setCurrentText("640 × 360")
    window.videos.dialog.speeds.setCurrentText("4×")
    window.videos.dialog.go.click()
    qtbot.waitUntil(lambda: choose_file.exists(), timeout=120_000)
    with av.open(choose_file) as container:
        stream = container.streams.video[0]
        assert (stream.width, stream.height, stream.average_rate) == (640, 360, 60)


@pytest.mark.slow
def test_the_timeline_of_what_plays_has_the_button_and_no_second_one(window, qtbot):
    workspace = open_instance(window, qtbot, "machine_throw:0")
    window.show_catalogue()
    window.tabs.setCurrentWidget(workspace)
    (timeline,) = workspace.findChildren(Timeline)
    action = window.actions_registry["view.video"]
    assert [button.defaultAction() for button in timeline.findChildren(QToolButton)].count(action) == 1


@pytest.mark.slow
def test_an_answer_that_can_be_filmed_need_not_be_played_first(window, qtbot):
    workspace = open_instance(window, qtbot, "hyper_snake:0")
    offered = []
    workspace.offer_film(offered.append)
    (film,) = offered
    assert isinstance(film, AnswerFilm)
    assert film.address == "hyper_snake:0"


def test_where_nothing_plays_it_is_said(window, qtbot, workspace):
    trigger(window, "view.video")
    assert window.videos.dialog is None
    window.show_catalogue()
    trigger(window, "view.video")
    assert window.videos.dialog is None


@pytest.mark.slow
def test_the_replay_of_the_selected_attempt_is_saved_from_the_runs_browser(window, qtbot, played):
    page = open_page(window, qtbot, store(played))
    assert window.actions_registry["view.video"] in page.table.actions()
    offered = []
    choose(page, qtbot, 2)
    page.offer_film(offered.append)
    qtbot.waitUntil(lambda: bool(offered))
    assert isinstance(offered[0], AnswerFilm | EditsFilm)


def test_a_cancelled_video_leaves_no_half_file(window, qtbot, tmp_path):
    path = tmp_path / "a.gif"
    window.videos.save(SOURCE, path, VideoChoices((160, 90), rate=50, speed=0.1))
    qtbot.waitUntil(lambda: part_of(path).exists() or path.exists(), timeout=60_000)
    job = window.jobs.videos.current
    job.cancel()
    qtbot.waitUntil(lambda: idle(window), timeout=20_000)
    assert not part_of(path).exists()
    assert not path.exists()


def test_a_window_that_closes_leaves_no_half_file(window, qtbot, tmp_path):
    path = tmp_path / "a.gif"
    window.videos.save(SOURCE, path, VideoChoices((160, 90), rate=50, speed=0.1))
    qtbot.waitUntil(lambda: part_of(path).exists(), timeout=60_000)
    window.close()
    assert not part_of(path).exists()


@pytest.mark.slow
def test_what_cannot_be_saved_is_said_in_a_message(window, qtbot, tmp_path, monkeypatch):
    said = []
    monkeypatch.setattr(window, "warn", lambda title, text: said.append(text))
    window.videos.save(AnswerFilm("x", "shikaku:0", None), tmp_path / "a.gif", QUICK)
    qtbot.waitUntil(lambda: bool(said), timeout=60_000)
    assert said == ["Nothing moves in this answer to Shikaku rectangles."]


@pytest.mark.parametrize("may", [True, False])
def test_a_name_without_suffix_that_becomes_an_existing_one_is_asked_about(window, tmp_path, monkeypatch, may):
    (tmp_path / "a.gif").write_bytes(b"earlier")
    saved = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "a"), ""))
    answer = QMessageBox.StandardButton.Yes if may else QMessageBox.StandardButton.No
    monkeypatch.setattr(QMessageBox, "question", lambda *_: answer)
    monkeypatch.setattr(window.videos, "save", lambda source, path, choices: saved.append(path))
    window.videos.ask(SOURCE)
    window.videos.dialog.formats.setCurrentText("GIF")
    window.videos.dialog.go.click()
    assert saved == ([tmp_path / "a.gif"] if may else [])
