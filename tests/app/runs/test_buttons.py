"""What the buttons of the runs browser do with the list."""

from spatial_workbench.engine.store import Actor
from tests.app.runs.conftest import FIRST, SOLVED, open_page


def test_attempts_of_people_are_exported_from_the_list(window, qtbot, tmp_path, monkeypatch):
    page = open_page(window, qtbot, lambda project: project.attempts.add(FIRST, SOLVED, Actor.PERSON, "Ada", 300.0))
    path = tmp_path / "people.jsonl"
    monkeypatch.setattr("spatial_workbench.app.runs.buttons.choose_export_file", lambda parent, name: ("jsonl", path))
    page.buttons.export_menu.listed.trigger()
    qtbot.waitUntil(path.exists)
    assert '"model": "Ada"' in path.read_text()
