"""What the buttons of the runs browser do with the list."""

from spatial_workbench.engine.store import Actor
from tests.app.runs.conftest import FIRST, SOLVED, choose, open_page


def test_attempts_of_people_are_exported_from_the_list(window, qtbot, tmp_path, monkeypatch):
    page = open_page(window, qtbot, lambda project: project.attempts.add(FIRST, SOLVED, Actor.PERSON, "Ada", 300.0))
    path = tmp_path / "people.jsonl"
    monkeypatch.setattr("spatial_workbench.app.runs.buttons.choose_export_file", lambda parent, name: ("jsonl", path))
    page.buttons.export_menu.listed.trigger()
    qtbot.waitUntil(path.exists)
    assert '"model": "Ada"' in path.read_text()


def test_every_entry_of_the_menus_says_what_it_does(page, qtbot):
    choose(page, qtbot, 2)
    menus = (page.buttons.verify_menu, page.buttons.export_menu)
    assert [action.text() for menu in menus for action in menu.actions()] == [
        "Verify the selected attempt again",
        "Verify all 4 attempts in the list again…",
        "Export the selected attempt…",
        "Export all 4 attempts in the list…",
    ]


def test_what_cannot_be_done_with_the_selection_is_grey_in_the_menu_too(page, qtbot):
    choose(page, qtbot, 2, 4)
    enabled = {action.text(): action.isEnabled() for action in page.table.actions()}
    assert enabled["Compare"] is False
    assert enabled["Open in editor"] is False
    assert enabled["Judge steps…"] is False
    assert enabled["Add a note…"] is True
