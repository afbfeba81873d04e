"""The checks of two verdicts beside each other: no message is cut, however narrow its column is."""

import pytest
from PySide6.QtCore import QRect, Qt

from spatial_workbench.app.runs.differences.check_pairs import CheckPairs
from spatial_workbench.engine.core import Check, Problem, Verdict
from spatial_workbench.engine.evaluation.rulings import RulingContrast
from spatial_workbench.widgets.qt import top_items

LONG = "Bricks 17 and 21 reach 3.2 mm deep into each other along the long side of the lower one, " * 2


def verdict(verifier, *problems):
    checks = (Check.of("no two bricks share volume", [Problem(words) for words in problems]),)
    return Verdict(instance="x:0", verifier=verifier, version="1", score=0.0, passed=not problems, checks=checks)


@pytest.fixture
def pairs(qtbot):
    shown = CheckPairs()
    qtbot.addWidget(shown)
    shown.resize(600, 400)
    shown.show()
    shown.show_contrast(RulingContrast(verdict("default", LONG), verdict("published")))
    return shown


def heights(pairs):
    """How high the row is, and how high its message has to be."""
    (row,) = top_items(pairs)
    width = pairs.columnWidth(1) - 32
    needed = pairs.fontMetrics().boundingRect(QRect(0, 0, width, 9999), int(Qt.TextFlag.TextWordWrap), row.text(1))
    return pairs.visualItemRect(row).height(), needed.height()


def test_the_head_row_of_a_check_is_as_high_as_its_message(pairs):
    height, needed = heights(pairs)
    assert height >= needed > 40


def test_it_becomes_higher_where_its_column_becomes_narrower(pairs, qtbot):
    before, _ = heights(pairs)
    pairs.resize(420, 400)
    qtbot.waitUntil(lambda: heights(pairs)[0] > before)
    height, needed = heights(pairs)
    assert height >= needed


def test_a_short_message_leaves_the_row_as_low_as_it_was(pairs):
    pairs.show_contrast(RulingContrast(verdict("default", "Overlap"), verdict("published")))
    assert heights(pairs)[0] < 60
