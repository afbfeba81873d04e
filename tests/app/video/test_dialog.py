"""The dialog that asks how a video is made."""

import pytest

from spatial_workbench.app.frame.settings import Settings
from spatial_workbench.app.video.choices import VideoChoices
from spatial_workbench.app.video.dialog import VideoDialog
from spatial_workbench.app.video.films import AnswerFilm
from spatial_workbench.widgets.appearance import appearance
from tests.app.video.test_saving import SOURCE


@pytest.fixture
def ask(qtbot, window):
    def asked(source=SOURCE):
        dialog = VideoDialog(source, Settings(), window)
        qtbot.addWidget(dialog)
        return dialog

    return asked


def test_mp4_at_sixty_pictures_a_second_in_the_present_theme_is_proposed(ask):
    pytest.importorskip("av")
    dialog = ask()
    assert dialog.kind.suffix == ".mp4"
    assert dialog.choices == VideoChoices((1280, 720), 60, 1.0, appearance().theme.name, follows=True)


def test_the_length_and_the_number_of_pictures_are_told(ask):
    dialog = ask()
    dialog.rates.setCurrentText("30")
    dialog.speeds.setCurrentText("0.5×")
    assert "2.5 s, 75 pictures" in dialog.note.text()


def test_the_camera_is_not_asked_about_where_there_is_nothing_to_follow(ask):
    assert ask().follows.parent() is None
    assert ask(AnswerFilm("x", "machine_throw:0", "[]")).follows.parent() is not None


def test_what_was_chosen_is_proposed_the_next_time(ask):
    first = ask()
    first.formats.setCurrentText("GIF")
    first.sizes.setCurrentText("360 × 360")
    first.rates.setCurrentText("10")
    first.order()
    again = ask()
    assert (again.kind.suffix, again.choices.size, again.choices.rate) == (".gif", (360, 360), 10)


def test_without_the_library_only_gif_is_offered_and_the_extra_is_named(ask, monkeypatch):
    monkeypatch.setattr("spatial_workbench.app.video.choices.find_spec", lambda name: None)
    dialog = ask()
    assert [dialog.formats.itemText(k) for k in range(dialog.formats.count())] == ["GIF"]
    assert "spatial-workbench[video]" in dialog.note.text()
