"""The tree of tasks from which a batch or a study takes its items."""

from spatial_workbench.app.frame.choosing import TaskTree
from spatial_workbench.widgets.qt import child_items, top_items


def shown_groups(tree):
    return [group.text(0) for group in top_items(tree.tree) if not group.isHidden()]


def test_a_search_shows_the_tasks_that_match_and_no_empty_groups(qtbot):
    tree = TaskTree()
    qtbot.addWidget(tree)
    everything = shown_groups(tree)
    tree.search.setText("shikaku")
    (group,) = [group for group in top_items(tree.tree) if not group.isHidden()]
    assert [branch.text(0) for branch in child_items(group) if not branch.isHidden()] == ["Shikaku rectangles"]
    tree.search.clear()
    assert shown_groups(tree) == everything
