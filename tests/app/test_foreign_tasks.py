"""A task of another package in the window: it works as our own do, and what is broken is named."""

import pytest
from PySide6.QtWidgets import QLabel

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.evaluation.results.contents import read
from spatial_workbench.engine.store import Actor, Project
from tests.app.conftest import open_instance
from tests.core.test_foreign_tasks import installed  # noqa: F401

pytestmark = pytest.mark.usefixtures("installed")


def words_of(page):
    return [label.text() for label in page.findChildren(QLabel) if not label.isHidden()]


@pytest.mark.slow
def test_the_catalogue_gives_it_a_heading_and_names_what_is_broken(window):
    assert "Sample tasks" in words_of(window.catalogue)
    notice = next(text for text in words_of(window.catalogue) if "cannot be used" in text)
    assert "import_fails: loading it failed: RuntimeError: this module cannot be imported" in notice


def test_a_heading_goes_with_its_last_card(window):
    window.catalogue.search.setText("shikaku")
    assert "Sample tasks" not in words_of(window.catalogue)


@pytest.mark.slow
def test_its_rules_are_shown(window, qtbot):
    open_instance(window, qtbot, "count_corners:0")
    window.actions_registry["task.rules"].trigger()
    qtbot.waitUntil(lambda: "how many corners the polygon has" in window.workspace.rules_panel.toPlainText())


@pytest.mark.slow
def test_it_is_solved_in_its_own_editor_and_judged(window, qtbot):
    workspace = open_instance(window, qtbot, "count_corners:0")
    workspace.editor.panel.widgets["Corners"].setValue(3)
    qtbot.waitUntil(lambda: workspace.document.verdict is not None and workspace.document.verdict.passed)


def test_its_scores_stand_under_its_own_heading_and_never_count_for_the_benchmark(tmp_path):
    with Project.create(tmp_path / "project.workbench") as project:
        task, instance = resolve("count_corners:0")
        verdicts = task.verify_all(instance, {"corners": 3})
        project.attempts.add(instance, '{"corners": 3}', Actor.MODEL, "m", None, verdicts)
        (table,) = next(section for section in read(project).sections if section.id == "scores").tables
    column = [heading.title for heading in table.headings].index("m")
    shown = {line.title: line.cells[column].text for line in table.lines}
    assert shown["Count corners"] == "100.0"
    assert shown["Sample tasks"] == "100.0"
    assert shown["Overall"] == "–"
