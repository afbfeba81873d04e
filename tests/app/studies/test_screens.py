"""Two screens: the window covers the one that it is on, and the other one is black, while somebody takes part."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def screen(name, x, width, height):
    return {
        "name": name,
        "x": x,
        "y": 0,
        "width": width,
        "height": height,
        "logicalDpi": 96,
        "logicalBaseDpi": 96,
        "dpr": 1,
    }


def test_the_other_screen_is_black_while_somebody_takes_part(tmp_path):
    layout = tmp_path / "screens.json"
    layout.write_text(json.dumps({"screens": [screen("left", 0, 1600, 1000), screen("right", 1600, 1400, 900)]}))
    run = subprocess.run(
        [sys.executable, "-m", "tests.app.studies.two_screens", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": f"offscreen:configfile={layout}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=120,
    )
    before, during, after = map(json.loads, run.stdout.splitlines())
    assert before == [["ParticipantWindow", "left", False]]
    assert during == [["ParticipantWindow", "right", True], ["QWidget", "left", True]]
    assert after == [["ParticipantWindow", "right", False]]
