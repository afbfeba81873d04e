"""The report: one file that needs nothing else, written without a display."""

import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.app.results import report as reports
from spatial_workbench.app.results.report import save_report
from spatial_workbench.engine.core import Cancelled, Verdict, resolve
from spatial_workbench.engine.core.drawer import CannotDraw
from spatial_workbench.engine.evaluation.results.contents import EVERYTHING, ResultsChoice, read
from spatial_workbench.engine.evaluation.results.html import report_html
from spatial_workbench.engine.store import Actor, Project
from tools.studio.quickstart import add_recorded_run

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "work.workbench") as opened:
        add_recorded_run(opened)
        yield opened


@pytest.mark.slow
def test_the_command_writes_rates_moves_and_published_results(project, tmp_path, capsys):
    target = tmp_path / "report.html"
    assert main(["report", str(project.path), "-o", str(target), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"report": str(target)}
    text = target.read_text("utf-8")
    assert "Scripted agent" in text
    assert "(published)" in text
    assert "data:image/jpeg;base64," in text


@pytest.mark.slow
def test_nothing_in_it_comes_from_elsewhere(project, tmp_path):
    save_report(project, tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text("utf-8")
    assert not re.search(r'(src|href|srcset)="?(https?:|//|file:)', text)
    assert not re.search(r"<script[^>]*src", text)
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


@pytest.mark.slow
def test_the_report_marks_overridden_scores_and_can_leave_them_out(project, tmp_path):
    number = project.attempts.newest()[0].number
    project.judgements.override_score(number, 0.5, False, "half of it is right", "Ada")
    save_report(project, tmp_path / "report.html")
    assert "by Ada: half of it is right" in (tmp_path / "report.html").read_text("utf-8")
    assert main(["report", str(project.path), "-o", str(tmp_path / "plain.html"), "--without-overrides"]) == 0
    assert "half of it is right" not in (tmp_path / "plain.html").read_text("utf-8")


def test_names_cannot_bring_markup_into_it(project, tmp_path):
    instance = resolve("shikaku:0")[1]
    verdict = Verdict(instance="shikaku:0", verifier="default", version="1", score=1.0, passed=True)
    project.attempts.add(instance, "{}", Actor.MODEL, "<b>bold</b>", None, (verdict,))
    save_report(project, tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text("utf-8")
    assert "<b>bold" not in text
    assert "&lt;b&gt;bold" in text


@pytest.mark.slow
def test_it_is_written_where_there_is_no_display(project, tmp_path):
    target = tmp_path / "report.html"
    words = ["report", str(project.path), "-o", str(target)]
    code = f"from spatial_workbench.app.commands.main import main; raise SystemExit(main({words!r}))"
    without = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    without.pop("QT_QPA_PLATFORM", None)
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=without, check=True, timeout=100)
    assert "Scripted agent" in target.read_text("utf-8")


def test_there_are_at_most_so_many_pictures(project, tmp_path, monkeypatch):
    monkeypatch.setattr(reports, "MOST_PICTURES", 0)
    save_report(project, tmp_path / "report.html")
    assert "data:image/jpeg" not in (tmp_path / "report.html").read_text("utf-8")


def test_where_nothing_can_be_drawn_in_space_the_rest_is_written(project, tmp_path, monkeypatch):
    class NoDriver:
        def picture(self, *_):
            raise CannotDraw("no driver")

    monkeypatch.setattr("spatial_workbench.app.studio.drawing.drawer", NoDriver)
    save_report(project, tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text("utf-8")
    assert "Scripted agent" in text
    assert "data:image/jpeg" not in text


def test_a_report_that_is_cancelled_leaves_what_was_there(project, tmp_path):
    target = tmp_path / "report.html"
    target.write_text("old")

    def stop(done, total, text=""):
        if text == "Drawing attempts":
            raise Cancelled

    with pytest.raises(Cancelled):
        save_report(project, target, progress=stop)
    assert target.read_text() == "old"


def test_it_says_which_batches_it_is_about_and_what_could_not_be_read(project):
    results = read(project, ResultsChoice(batches=(3,)))
    assert "0 attempts, 3." in report_html("work", datetime.now(UTC), results, {})


def test_a_file_that_is_no_project_is_refused(tmp_path, capsys):
    path = tmp_path / "no.workbench"
    path.write_text("no project")
    assert main(["report", str(path), "-o", str(tmp_path / "report.html")]) == 2
    assert "no.workbench" in capsys.readouterr().err


def read_now(project, shown="scores", choice=EVERYTHING):
    return reports.read_results(project.path, choice, shown)[0]


@pytest.fixture
def chosen(monkeypatch):
    """How often the records of a project have been read; changes count as settled at once."""
    calls = []
    choose = reports.choose
    monkeypatch.setattr(reports, "choose", lambda *given: calls.append(given) or choose(*given))
    monkeypatch.setattr(reports, "SETTLED_NS", -1)
    monkeypatch.setattr(reports, "MANY_ATTEMPTS", 0)
    return calls


def test_the_records_are_read_once_for_several_sections_of_a_file_that_stays_as_it_is(project, chosen):
    assert [section.is_read for section in read_now(project, "scores").sections[:2]] == [True, False]
    assert [section.is_read for section in read_now(project, "leaderboard").sections[:2]] == [False, True]
    assert len(chosen) == 1


def test_the_records_are_read_again_after_a_change_or_for_another_choice(project, chosen):
    before = read_now(project).attempts
    project.attempts.add(resolve("shikaku:0")[1], "{}", Actor.MODEL, "oak")
    assert read_now(project).attempts == before + 1
    read_now(project, choice=ResultsChoice(people=False))
    assert len(chosen) == 3


def test_the_records_of_a_file_that_was_just_changed_are_not_kept(project, chosen, monkeypatch):
    monkeypatch.setattr(reports, "SETTLED_NS", 1 << 62)
    read_now(project)
    read_now(project)
    assert len(chosen) == 2
