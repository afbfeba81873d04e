"""Where nobody serves, nothing of serving is loaded: the window starts as it did, and the core install is as small."""

import subprocess
import sys

LOADED = """
import sys
from spatial_workbench.app.commands.main import main
main(["tasks"])
import spatial_workbench.app.window.main_window
of_serving = ("starlette", "uvicorn", "jinja2", "jwt", "markdown_it", "spatial_workbench.app.serving")
print([name for name in sys.modules if name.startswith(of_serving)])
"""


def test_the_window_and_the_command_line_load_nothing_of_serving():
    printed = subprocess.check_output([sys.executable, "-c", LOADED], text=True, timeout=120)
    assert printed.splitlines()[-1] == "[]"
