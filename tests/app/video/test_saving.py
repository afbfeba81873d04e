"""A video is saved completely or not at all."""

import errno

import numpy as np
import pytest
from PIL import Image

from spatial_workbench.app.video import saving
from spatial_workbench.app.video.choices import VideoChoices, VideoError
from spatial_workbench.app.video.films import FilmSide, SceneFilm
from spatial_workbench.app.video.saving import save_video
from spatial_workbench.engine.core.progress import Cancelled
from tests.app.video.test_pictures import SMALL, moving

CHOICES = VideoChoices(SMALL, rate=10)
SOURCE = SceneFilm("Box", (FilmSide(moving([0.0, 1.0])),))


def test_a_film_is_saved_with_its_progress(qapp, tmp_path):
    told = []
    saved = save_video(SOURCE, tmp_path / "a.gif", CHOICES, lambda done, total, text="": told.append((done, total)))
    assert (saved.pictures, saved.seconds) == (16, 1.6)
    assert (15, 16) in told
    with Image.open(tmp_path / "a.gif") as image:
        assert image.size == SMALL


def test_a_cancelled_video_leaves_nothing_and_keeps_what_was_there(qapp, tmp_path):
    path = tmp_path / "a.gif"
    path.write_bytes(b"earlier")

    def progress(done, total, text=""):
        if done == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        save_video(SOURCE, path, CHOICES, progress)
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("a.gif", b"earlier")]


def test_a_full_disk_is_a_sentence_and_leaves_no_half_file(qapp, tmp_path, monkeypatch):
    def fill(part, *rest):
        part.write_bytes(np.zeros(1000, np.uint8).tobytes())
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(saving, "write_pictures", fill)
    with pytest.raises(VideoError, match=r"a\.gif” could not be written: No space left on device"):
        save_video(SOURCE, tmp_path / "a.gif", CHOICES)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_does_not_exist_is_a_sentence(qapp, tmp_path):
    with pytest.raises(VideoError, match="No such file or directory"):
        save_video(SOURCE, tmp_path / "none" / "a.gif", CHOICES)
