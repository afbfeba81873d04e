"""A field in which one searches."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from spatial_workbench.widgets.search_field import SearchField


def test_its_words_are_its_name_and_its_cross_empties_it(qtbot):
    field = SearchField("Search tasks")
    qtbot.addWidget(field)
    field.show()
    assert (field.placeholderText(), field.accessibleName()) == ("Search tasks", "Search tasks")
    (cross,) = [button for button in field.findChildren(QToolButton) if button.accessibleName() == "Clear the search"]
    assert cross.isHidden()
    qtbot.keyClicks(field, "lego")
    assert not cross.isHidden()
    qtbot.mouseClick(cross, Qt.MouseButton.LeftButton)
    assert field.text() == ""
    qtbot.waitUntil(cross.isHidden)
