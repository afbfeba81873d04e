"""A person's score counts, and the verifier's stays visible."""

from PySide6.QtCore import Qt

from spatial_workbench.app.runs.overrides import OverrideDialog
from tests.app.runs.conftest import cells, choose, section


def test_an_overridden_score_counts_and_the_original_stays_visible_until_it_is_withdrawn(page, qtbot):
    choose(page, qtbot, 2)
    page.buttons.override.click()
    dialog = page.findChild(OverrideDialog)
    assert not dialog.ok.isEnabled()
    dialog.score.setValue(1.0)
    dialog.passed.setChecked(True)
    dialog.reason.setPlainText("the rule is ambiguous")
    dialog.ok.click()
    qtbot.waitUntil(lambda: cells(page, 2, "Score", "Measured", "Result") == ["1.00", "", "Passed"])
    qtbot.waitUntil(lambda: page.detail._override.isVisible())
    words = "Overridden: 0.00 → 1.00 by somebody: the rule is ambiguous"
    assert page.detail._override.text() == words
    assert "was 0.00" in page.model.index(2, section("Score")).data(Qt.ItemDataRole.ToolTipRole)
    qtbot.waitUntil(lambda: page.findChild(OverrideDialog) is None)

    page.buttons.override.click()
    page.findChild(OverrideDialog).withdraw.click()
    qtbot.waitUntil(lambda: cells(page, 2, "Score") == ["0.00"])
    qtbot.waitUntil(lambda: page.detail.history.topLevelItem(0).text(1) == "Override withdrawn")
