"""Scenes are drawn by a child process, so that whoever wants a picture loads none of the libraries that draw."""

import subprocess
import sys

import pytest

from spatial_workbench.app.studio.drawing import drawer
from spatial_workbench.engine.children.drawing import ChildDrawer
from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.drawer import CannotDraw

SIZE = (120, 80)


@pytest.fixture(scope="module")
def scene():
    task, instance = resolve("shikaku:0")
    return task.scene(instance, None, None)


def test_a_scene_is_drawn_as_a_file_and_as_pixels(scene):
    assert drawer().picture(scene, SIZE, "light")[:8] == b"\x89PNG\r\n\x1a\n"
    assert drawer().picture(scene, SIZE, "light", "JPEG")[:2] == b"\xff\xd8"
    assert len(drawer().picture(scene, SIZE, "dark", "RGB")) == 3 * SIZE[0] * SIZE[1]


@pytest.mark.slow
def test_the_process_that_wants_a_picture_loads_no_window():
    code = (
        "import sys, spatial_workbench as sw; sw.verify('shikaku:0', '[]').picture((60, 40));"
        "assert not {'PySide6', 'vtkmodules'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=100)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "words"),
    [("without_a_window", "The window, and every picture, needs the extra “window”"), ("dying", "exit code 3")],
)
def test_where_nothing_can_be_drawn_a_sentence_says_why_each_time(scene, name, words):
    broken = ChildDrawer(f"tests.app.drawing_children:{name}")
    for _ in range(2):
        with pytest.raises(CannotDraw, match=words):
            broken.picture(scene, SIZE, "light")
    broken.close()


def test_a_picture_that_takes_too_long_is_given_up(scene):
    hasty = ChildDrawer("spatial_workbench.app.studio.drawing:serve_pictures", limit_s=0.01)
    with pytest.raises(CannotDraw, match="took longer than 0 seconds"):
        hasty.picture(scene, SIZE, "light")
