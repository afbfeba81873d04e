"""Files are written completely or not at all; devices and pipes are written to, never replaced."""

import os
import stat
import threading
from pathlib import Path

import pytest

from spatial_workbench.engine.core.files import replacing, write_whole

posix = pytest.mark.skipif(os.name != "posix", reason="devices and links are POSIX's")


def test_a_file_that_could_not_be_finished_stays_as_it_was(tmp_path):
    path = tmp_path / "answer.json"
    path.write_text("old")
    with pytest.raises(TypeError), replacing(path) as part:
        part.write_bytes(b"ne" + None)
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["answer.json"]


@posix
def test_a_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"answer")
    reader.join()
    assert heard == [b"answer"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@posix
def test_a_link_to_a_device_stays_a_link(tmp_path):
    link = tmp_path / "stdout"
    link.symlink_to("/dev/null")
    write_whole(link, b"answer")
    assert os.readlink(link) == "/dev/null"


@posix
def test_a_link_to_a_file_stays_and_the_file_gets_the_contents(tmp_path):
    (tmp_path / "real.json").write_text("old")
    link = tmp_path / "link.json"
    link.symlink_to("real.json")
    write_whole(link, b"new")
    assert link.is_symlink()
    assert (tmp_path / "real.json").read_bytes() == b"new"


@posix
def test_a_full_device_leaves_nothing_behind(tmp_path):
    with pytest.raises(OSError, match="No space left"):
        write_whole(Path("/dev/full"), b"x" * 100_000)
