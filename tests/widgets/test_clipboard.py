"""What is copied, and what becomes of it when the program ends."""

import subprocess
import sys

import pytest

COPYING = """
import sys
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from spatial_workbench.widgets.clipboard import copy_image, copy_text, pasted

application = QApplication([])
copy_text("kept until the end")
print(pasted().text())
if "picture" in sys.argv:
    copy_image(QImage(8, 8, QImage.Format.Format_RGB32))
"""


@pytest.mark.parametrize("what", ["text", "picture"])
def test_a_program_that_has_copied_something_ends_without_a_crash(what):
    done = subprocess.run([sys.executable, "-c", COPYING, what], capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.returncode) == ("kept until the end\n", 0), done.stderr
