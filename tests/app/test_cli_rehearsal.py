"""A whole study rehearsed on the command line, from its draft to the report and the data."""

import json

import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.engine.evaluation.collect import scored
from spatial_workbench.engine.reporting.psych_ds import check_psychds
from spatial_workbench.engine.store import Project

ITEMS = "shikaku:0-3,hamiltonian_loop:0-3"


def study(capsys, *words):
    assert main(["study", *map(str, words), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.slow
@pytest.mark.parametrize(("model", "people"), [("reference", 12), ("random", 3)])
def test_a_rehearsal_goes_from_the_draft_to_report_and_data(tmp_path, capsys, model, people):
    project = tmp_path / "p.workbench"
    bundle = tmp_path / "lab.study"
    study(capsys, "new", project, "--name", "Trial", "--items", ITEMS, "--slots", people)
    secret = tmp_path / "secret"
    secret.write_text(study(capsys, "freeze", project, "Trial")["outcomes_passphrase"])
    study(capsys, "bundle", project, "Trial", "-o", bundle)
    files = study(capsys, "rehearse", bundle, "--model", model, "--seed", 1)
    assert len(files) == people
    merged = study(capsys, "merge", project, *files)
    assert {row["outcome"] for row in merged} == {"new"}
    with Project.open(project) as opened:
        assert scored(opened) == []
    study(capsys, "close", project, "Trial", "--name", "Trial", "--yes")
    study(capsys, "unseal", project, "Trial", "--yes", "--passphrase-file", secret)
    study(capsys, "report", project, "Trial", "-o", tmp_path / "r.html")
    study(capsys, "export", project, "Trial", "-o", tmp_path / "ds", "--format", "psychds")
    assert check_psychds(tmp_path / "ds") == []
    with Project.open(project) as opened:
        results = scored(opened)
    assert {item.model for item in results} == {f"rehearsal · Trial ({people})"}
    assert len(results) == 8 * people
    if model == "reference":
        assert {item.value for item in results} == {1.0}
