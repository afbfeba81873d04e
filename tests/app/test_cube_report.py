"""The report on agents' runs on the cube: in the window, and by command."""

import json

import pytest

from app.cli import main
from app.example import add_recorded_run
from app.report_page import CubeReportPage
from engine.core import resolve
from engine.store import Actor, Project, Transcript


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "cube.workbench") as project:
        add_recorded_run(project)
        yield project


def test_the_command_writes_rates_moves_and_published_results(project, tmp_path, capsys):
    target = tmp_path / "report.html"
    assert main(["report", str(project.path), "-o", str(target), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"report": str(target)}
    text = target.read_text("utf-8")
    assert "Scripted agent" in text
    assert "(published)" in text


def test_a_run_that_cannot_be_read_is_named(project, tmp_path, capsys):
    _, instance = resolve("cube_full_symbolic:0")
    number = project.add_attempt(instance, "", Actor.MODEL, transcript=Transcript(kind="cube", record="{}"))
    assert main(["report", str(project.path), "-o", str(tmp_path / "report.html")]) == 2
    assert f"the run of attempt {number} cannot be read" in capsys.readouterr().err


def test_a_file_that_is_no_project_is_refused(tmp_path, capsys):
    path = tmp_path / "no.workbench"
    path.write_text("no project")
    assert main(["report", str(path), "-o", str(tmp_path / "report.html")]) == 2
    assert "no.workbench" in capsys.readouterr().err


def test_the_page_says_what_to_do_where_there_are_no_runs_and_follows_the_project(window, qtbot, tmp_path):
    window.actions_registry["view.cube"].trigger()
    page = window.tabs.currentWidget()
    assert isinstance(page, CubeReportPage)
    qtbot.waitUntil(lambda: "Open the example project" in page.text.toPlainText())
    assert not page.save.isEnabled()
    window.project.tell(add_recorded_run, announce=True)
    qtbot.waitUntil(lambda: "Scripted agent" in page.text.toPlainText())
    page.save_to(tmp_path / "page.html")
    qtbot.waitUntil(lambda: "page.html" in page.note.text())
    assert "Scripted agent" in (tmp_path / "page.html").read_text("utf-8")
    window.actions_registry["view.cube"].trigger()
    assert window.tabs.count() == 2
