"""Tabs that come back, what a submission says, and what stays where it is."""

import pytest
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

from spatial_workbench.app.evaluation.new_batch import NewBatchDialog
from spatial_workbench.app.runs.page import RunsPage
from spatial_workbench.app.window.palette import CommandPalette, WindowCommand, rank
from spatial_workbench.app.window.reopening import REMEMBERED, OpenTabs, RestingPage
from spatial_workbench.app.workspace.docks import PANELS_WIDTH, TOOLS_WIDTH
from spatial_workbench.app.workspace.history import HistoryPage
from tests.app.conftest import open_instance


def submit(workspace, qtbot):
    """Submits and waits for the verdict on it."""
    with qtbot.waitSignal(workspace.session.judged, timeout=20_000):
        workspace.session.submit()


def titles(window):
    return [window.tabs.tabText(index) for index in range(window.tabs.count())]


@pytest.mark.slow
def test_what_was_open_is_open_again(open_window, qtbot):
    window = open_window()
    first = open_instance(window, qtbot, "two_segments:0").title
    second = open_instance(window, qtbot, "two_segments:3").title
    window.close()
    again = open_window()
    qtbot.waitUntil(lambda: again.workspace is not None and again.workspace.title == second)
    assert titles(again)[1:] == [first, second]
    assert isinstance(again.tabs.widget(1), RestingPage)


def test_tabs_are_remembered_soon_for_a_window_that_does_not_end_by_being_closed(window, qtbot):
    open_instance(window, qtbot, "two_segments:0")
    open_instance(window, qtbot, "two_segments:3")

    def remembered():
        kept = OpenTabs.model_validate_json(window.settings.remembered(REMEMBERED) or "{}")
        return [address for address, _ in kept.tabs], kept.front

    tabs = ["two_segments:0", "two_segments:3"]
    qtbot.waitUntil(lambda: remembered() == (tabs, "two_segments:3"))
    window.pages.close(window.workspace)
    qtbot.waitUntil(lambda: remembered() == (tabs[:1], "two_segments:0"))


@pytest.mark.slow
def test_a_tab_at_rest_is_built_when_it_is_looked_at(open_window, qtbot):
    window = open_window()
    title = open_instance(window, qtbot, "two_segments:0").title
    open_instance(window, qtbot, "two_segments:3")
    window.close()
    again = open_window()
    qtbot.waitUntil(lambda: again.workspace is not None)
    again.tabs.setCurrentIndex(1)
    qtbot.waitUntil(lambda: again.workspace is not None and again.workspace.title == title)
    assert again.tabs.count() == 3


@pytest.mark.slow
def test_a_page_comes_back_too_and_is_built_when_it_is_looked_at(open_window, qtbot):
    window = open_window()
    window.actions_registry["runs.browse"].trigger()
    runs = window.tabs.currentWidget().title
    subtask = open_instance(window, qtbot, "two_segments:0").title
    window.close()
    again = open_window()
    qtbot.waitUntil(lambda: again.workspace is not None and again.workspace.title == subtask)
    assert titles(again)[1:] == [runs, subtask]
    assert isinstance(again.tabs.widget(1), RestingPage)
    assert again.tabs.widget(1).icon_name == RunsPage.icon_name != "box"
    again.tabs.setCurrentIndex(1)
    qtbot.waitUntil(lambda: isinstance(again.tabs.widget(1), RunsPage))
    assert titles(again)[1:] == [runs, subtask]


def test_the_list_of_tabs_goes_to_any_tab(workspace, window):
    tab_list = window.tabs.cornerWidget().tab_list
    tab_list.aboutToShow.emit()
    tab_list.actions()[0].trigger()
    assert window.pages.front is window.catalogue


def test_a_submission_says_its_score_and_leads_to_the_attempt(workspace, qtbot):
    submit(workspace, qtbot)
    assert workspace.judgement.line.text == "Attempt 1: not passed, score 0.00"
    qtbot.waitUntil(lambda: len(workspace.attempts.panel.model.rows) == 1)
    workspace.judgement.line.attempt_wanted.emit(1)
    assert workspace.attempts.panel.selected() == [1]


def test_an_empty_answer_asks_once(workspace):
    assert workspace.judgement._question_about_empty().startswith("Submit an empty answer")
    assert workspace.judgement._question_about_empty() == ""


def test_a_message_stays_with_its_tab(workspace, window):
    window.tabs.setCurrentIndex(0)
    workspace.message.emit("The answer was not loaded.")
    assert window.statusBar().currentMessage() == ""
    window.tabs.setCurrentWidget(workspace)
    assert window.statusBar().currentMessage() == "The answer was not loaded."


def test_the_edits_of_a_person_are_replayed(workspace, window, qtbot):
    workspace.answers.load_reference()
    task = workspace.document.task
    instance = workspace.document.instance
    qtbot.waitUntil(lambda: workspace.document.answer != task.empty(instance))
    workspace.answers.clear()
    submit(workspace, qtbot)
    workspace.attempts.panel.replayed.emit(1)
    qtbot.waitUntil(lambda: isinstance(window.pages.front, HistoryPage))
    assert [edit.label for edit in window.pages.front.history.edits] == ["Load reference solution", "Clear answer"]
    qtbot.waitUntil(lambda: window.pages.front.words.text().startswith("Edit 0 of 2"))


@pytest.mark.slow
def test_docks_are_as_wide_in_every_tab(window, qtbot):
    for address in ("two_segments:0", "delaunay:0", "pack_prisms:0"):
        workspace = open_instance(window, qtbot, address)
        qtbot.waitUntil(lambda tab=workspace: tab.judgement.panel.width() == PANELS_WIDTH)
        assert workspace.editor.tools.width() == TOOLS_WIDTH


def test_the_palette_knows_the_ids_of_tasks():
    assert rank("lego_hemisphere:3", "Open Lego shell 3: 6–9 cm", 3, "lego_hemisphere") is not None
    assert rank("csg_union 12", "Open Union of solids 11: 12 boxes", 11, "csg_union") > rank(
        "csg_union 12", "Open Union of solids 12: two", 12, "csg_union"
    )


def test_a_new_batch_fits_a_low_screen(window, qtbot):
    dialog = NewBatchDialog(window.project, window.jobs, window)
    qtbot.addWidget(dialog)
    dialog.resize(1240, 660)
    dialog.show()
    assert dialog.height() == 660
    assert dialog.rect().contains(dialog.start.geometry())


def test_words_of_a_command_that_are_too_long_end_before_its_hint(qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    commands = [
        WindowCommand("Open a level " * 20, "machine_delivery:6", lambda: None),
        WindowCommand("Short", "", print),
    ]
    shown = CommandPalette(commands, parent).list
    texts = []
    for row in range(shown.count()):
        option = QStyleOptionViewItem()
        option.initFrom(shown)
        option.rect = shown.visualItemRect(shown.item(row))
        option.rect.setWidth(400)
        shown.itemDelegate().initStyleOption(option, shown.indexFromItem(shown.item(row)))
        texts.append(option.text)
    short, long = sorted(texts, key=len)
    assert short == "Short"
    assert long.endswith("…")
    assert option.fontMetrics.horizontalAdvance(long + "machine_delivery:6") < 400
