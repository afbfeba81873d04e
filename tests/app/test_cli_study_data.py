"""The report and the data of a study on the command line, from a project to files."""

import json
import subprocess
import sys

import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.engine.evaluation.unsealing import unseal
from spatial_workbench.engine.reporting.psych_ds import check_psychds
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.studies.files.lines import read_lines
from spatial_workbench.engine.studies.planning.codes import code_of
from tests.store.studying import document, results, session
from tests.studies.sittings import SECRET

CODES = tuple(map(code_of, (1, 2, 3)))


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project with an unsealed study of three people, of whom the first shares nothing."""
    return unsealed_project(tmp_path_factory.mktemp("study"), CODES, first_sharing=2)


@pytest.fixture(scope="module")
def half_shared(tmp_path_factory):
    """A project with an unsealed study of six people, of whom three share nothing."""
    return unsealed_project(tmp_path_factory.mktemp("half"), tuple(map(code_of, range(1, 7))), first_sharing=4)


def unsealed_project(folder, codes, first_sharing):
    """A project with an unsealed study; people share their answers from a number on."""
    path = folder / "p.workbench"
    with Project.create(path) as opened:
        study = opened.studies.add(document(plan={"slots": 6}))
        bundle, _ = opened.places.add_bundle(study, passphrase=SECRET)
        people = [
            session(bundle, code, boxes={"part": True, "share": number >= first_sharing}, number=number)
            for number, code in enumerate(codes, 1)
        ]
        opened.merging.merge([results(folder, bundle, person) for person in people])
        opened.exclusions.close_study(study, "Two mazes")
    unseal(path, study, SECRET, workers=1)
    return path


def study_command(*words):
    return main(["study", *map(str, words)])


def test_the_report_is_one_page_without_scripts(project, tmp_path):
    assert study_command("report", project, "Two mazes", "-o", tmp_path / "r.html") == 0
    text = (tmp_path / "r.html").read_text("utf-8")
    assert "Study: Two mazes" in text
    assert "100.0" in text
    assert "<script" not in text


def test_the_report_has_a_short_form(project, tmp_path):
    assert study_command("report", project, "Two mazes", "--short", "-o", tmp_path / "s.html") == 0
    text = (tmp_path / "s.html").read_text("utf-8")
    assert "This is the short form of the report." in text
    assert "Outcomes by condition" in text
    assert "maze_3d:0" not in text


def test_the_data_are_a_folder_of_tables(project, tmp_path):
    assert study_command("export", project, "Two mazes", "-o", tmp_path / "data") == 0
    names = {path.name for path in (tmp_path / "data").iterdir()}
    assert names == {f"{n}.csv" for n in ("participants", "trials", "submissions", "responses", "items", "events")}


def test_a_psychds_folder_passes_the_check_of_the_command_line(project, tmp_path):
    raw = sorted(project.parent.glob("*.studyresult"))
    study_command("export", project, "Two mazes", "-o", tmp_path / "d", "--format", "psychds", "--raw", *raw)
    assert check_psychds(tmp_path / "d") == []
    assert len(list((tmp_path / "d" / "data" / "raw").iterdir())) == 3
    assert study_command("check", tmp_path / "d") == 0
    (tmp_path / "d" / "dataset_description.json").unlink()
    assert study_command("check", tmp_path / "d") == 1


@pytest.mark.slow
@pytest.mark.parametrize("public", [(), ("--public",)])
def test_the_script_of_the_folder_prints_the_figures_of_the_report(half_shared, tmp_path, public):
    study_command("report", half_shared, "Two mazes", "-o", tmp_path / "r.html")
    study_command("export", half_shared, "Two mazes", "-o", tmp_path / "d", "--format", "psychds", *public)
    script = [sys.executable, "-I", str(tmp_path / "d" / "analysis" / "figures.py")]
    done = subprocess.run(script, capture_output=True, text=True, encoding="utf-8", check=True)
    rows = [line.split("\t") for line in done.stdout.splitlines() if line.startswith("All items\t")]
    page = (tmp_path / "r.html").read_text("utf-8")
    assert len(rows) == (2 if public else 4)
    for row in rows:
        for cell in row[1:]:
            figure, _, detail = cell.partition(" (")
            assert f"{figure}<small>{detail.removesuffix(')')}</small>" in page if detail else f">{figure}</td>" in page


def test_lines_hold_the_sessions_of_the_project(project, tmp_path):
    study_command("export", project, "Two mazes", "-o", tmp_path / "s.jsonl", "--format", "jsonl")
    with (tmp_path / "s.jsonl").open("rb") as file:
        lines = file.readlines()
    with Project.open(project) as opened:
        stored = opened.sessions.deliveries(opened.studies.find("Two mazes"))
        deliveries = read_lines(lines, opened.places.bundle_key)
    assert {d.session.id: d.chain for d in deliveries} == {d.session.id: d.chain for d in stored}
    assert {d.session.file_faults for d in deliveries} == {()}


def test_lines_that_were_edited_are_merged_with_a_mark(project, tmp_path, capsys):
    study_command("export", project, "Two mazes", "-o", tmp_path / "s.jsonl", "--format", "jsonl")
    text = (tmp_path / "s.jsonl").read_text("utf-8")
    with Project.open(project) as opened, Project.create(tmp_path / "copy.workbench") as copy:
        opened.save_copy(copy.path)
    with Project.open(tmp_path / "copy.workbench") as copy:
        study = copy.studies.find("Two mazes")
        copy.database.execute("UPDATE studies SET state = 'frozen', closed_at = NULL WHERE id = ?", study)
        (tmp_path / "s.jsonl").write_text(text.replace('"edits":', '"edits":1', 1), "utf-8")
        merged = copy.merging.merge([tmp_path / "s.jsonl"])
    assert ["altered" in one.message for one in merged] == [True, False, False]


def test_the_public_data_say_what_was_left_out(project, tmp_path, capsys):
    study_command("export", project, "Two mazes", "-o", tmp_path / "p", "--public", "--json")
    told = json.loads(capsys.readouterr().out)
    assert told["left_out"][0].startswith("1 of 3 sessions")
    assert told["left_out"][-1].startswith("The report on all people. Do not publish it beside these data")
    text = "".join(path.read_text("utf-8") for path in (tmp_path / "p").iterdir())
    assert not [code for code in CODES if code in text]


def test_an_export_can_be_named_when_somebody_withdraws(project, tmp_path):
    study_command("export", project, "Two mazes", "-o", tmp_path / "mine.jsonl", "--format", "jsonl")
    with Project.open(project) as opened:
        names = [row["name"] for row in opened.database.rows("SELECT name FROM study_exports")]
    assert "mine.jsonl" in names


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("report", "{}", "No study", "-o", "x"), "No study"),
        (("export", "{}", "Two mazes", "-o", "x", "--raw", "y"), "psychds"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(project, capsys, words, message):
    assert study_command(*(word.format(project) for word in words)) == 2
    assert message in capsys.readouterr().err
