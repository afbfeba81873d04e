"""Children that cannot draw, for tests."""

import os
import sys


def without_a_window(line):
    """A child of an installation without the window's libraries."""
    sys.modules["PySide6"] = None
    from spatial_workbench.app.studio.drawing import serve_pictures

    serve_pictures(line)


def dying(line):
    """A child that dies of the first picture."""
    line.receive()
    os._exit(3)
