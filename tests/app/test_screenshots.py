"""The command that takes pictures for the README reaches every page of the window."""

import subprocess
import sys

import pytest
from PIL import Image

from tests.sweeps import some
from tools.studio.screenshots import WINDOW_PAGES


@pytest.mark.slow
@pytest.mark.parametrize("page", some([*WINDOW_PAGES, "two_segments:0", "participant:item"], 4))
def test_a_page_can_be_photographed(page, tmp_path):
    path = tmp_path / "page.png"
    command = [sys.executable, "-m", "spatial_workbench", "screenshot", page, "-o", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with Image.open(path) as picture:
        assert len(picture.convert("RGB").getcolors(maxcolors=1 << 24)) > 50
