"""Pictures become files that other programs can play."""

import sys

import numpy as np
import pytest
from PIL import Image

from spatial_workbench.app.video.choices import VideoError
from spatial_workbench.app.video.writers import write_pictures

SIZE = (64, 48)


def draw(number):
    """A square that moves to the right by eight pixels a picture."""
    picture = np.full((48, 64, 3), 230, np.uint8)
    picture[16:32, 8 * number : 8 * number + 12] = (30, 80, 220)
    return picture


def written(path, suffix, rate=30):
    write_pictures(path, suffix, draw, 6, SIZE, rate)
    return path


@pytest.mark.parametrize(("suffix", "codec"), [(".mp4", "h264"), (".webm", "vp9")])
def test_a_video_has_all_pictures_in_their_colours_at_their_rate(tmp_path, suffix, codec):
    av = pytest.importorskip("av")
    with av.open(written(tmp_path / f"a{suffix}", suffix)) as container:
        stream = container.streams.video[0]
        pictures = [frame.to_ndarray(format="rgb24").astype(int) for frame in container.decode(stream)]
        assert (stream.codec_context.name, stream.average_rate) == (codec, 30)
    assert len(pictures) == 6
    for number, picture in enumerate(pictures):
        assert np.abs(picture - draw(number)).mean() < 12


def test_a_gif_has_all_pictures_and_repeats_for_ever(tmp_path):
    with Image.open(written(tmp_path / "a.gif", ".gif", rate=20)) as image:
        assert (image.n_frames, image.info["duration"], image.info["loop"]) == (6, 50, 0)
        for number in range(6):
            image.seek(number)
            assert np.abs(np.asarray(image.convert("RGB")).astype(int) - draw(number)).mean() < 4


@pytest.mark.parametrize("suffix", [".mp4", ".webm", ".gif"])
def test_the_same_pictures_give_the_same_bytes(tmp_path, suffix):
    if suffix != ".gif":
        pytest.importorskip("av")
    one, two = (written(tmp_path / f"{name}{suffix}", suffix, 20).read_bytes() for name in ("one", "two"))
    assert one == two


def test_a_gif_that_would_fill_the_memory_is_refused(tmp_path):
    with pytest.raises(VideoError, match="Choose a smaller size"):
        write_pictures(tmp_path / "a.gif", ".gif", draw, 100_000, (1280, 720), 20)


@pytest.mark.skipif(sys.platform != "linux", reason="only there is a disk that is always full")
@pytest.mark.parametrize("suffix", [".mp4", ".gif"])
def test_a_full_disk_is_an_error_of_the_system(tmp_path, suffix):
    if suffix != ".gif":
        pytest.importorskip("av")
    full = tmp_path / f"a{suffix}"
    full.symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        write_pictures(full, suffix, draw, 6, SIZE, 20)
