"""*Save as video…* in a real window: from what plays to a file, in the background."""

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QToolButton

from spatial_workbench.app.video.choices import VideoChoices
from spatial_workbench.app.video.films import AnswerFilm, EditsFilm
from spatial_workbench.engine.core.files import part_of
from spatial_workbench.engine.machines.levels.examples import examples
from spatial_workbench.engine.tasks.machine import MachineAnswer
from spatial_workbench.widgets.scene_views.timeline import Timeline
from tests.app.conftest import open_instance, trigger
from tests.app.runs.conftest import choose, open_page
from tests.app.test_machine_runs import played, store
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


def test_a_catapult_throws_its_boulder_in_a_saved_video(window, qtbot, choose_file):
    av = pytest.importorskip("av")
    workspace = open_instance(window, qtbot, "machine_throw:0")
    workspace.document.edit("Build", MachineAnswer.of(examples()[1].tree))
    workspace.editor.playback.simulate()
    qtbot.waitUntil(lambda: workspace.editor.animation.is_playing, timeout=60_000)
    trigger(window, "view.video")
    dialog = window.videos.dialog
    dialog.sizes.addItem("small", (160, 90))
    dialog.sizes.setCurrentText("small")
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
    assert np.abs(pictures[-1] - pictures[0]).mean() > 3


def test_the_timeline_of_what_plays_has_the_button_and_no_second_one(window, qtbot):
    workspace = open_instance(window, qtbot, "machine_throw:0")
    window.show_catalogue()
    window.tabs.setCurrentWidget(workspace)
    (timeline,) = workspace.findChildren(Timeline)
    action = window.actions_registry["view.video"]
    assert [button.defaultAction() for button in timeline.findChildren(QToolButton)].count(action) == 1


def test_where_nothing_plays_it_is_said(window, qtbot, workspace):
    trigger(window, "view.video")
    assert window.videos.dialog is None
    window.show_catalogue()
    trigger(window, "view.video")
    assert window.videos.dialog is None


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
