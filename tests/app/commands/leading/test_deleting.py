"""Deleting data on the command line: a person withdraws, files are purged."""

import pytest

from spatial_workbench.app.commands.plumbing import BAD_INPUT, PASSED
from spatial_workbench.engine.studies.files.sealed_parts import SEALED_SESSION, outcomes_in
from spatial_workbench.engine.studies.sessions.schema import TrialState
from spatial_workbench.engine.studies.sessions.session_file import Changes, SessionFile, folder_of
from tests.app.commands.leading.led_study import STUDY, printed_by
from tests.app.test_cli import run
from tests.store.studying import sealed_once, session


@pytest.mark.slow
def test_withdrawing_names_what_is_left_elsewhere(capsys, project, merged, tmp_path):
    assert run(capsys, "study", "withdraw", project, STUDY.id, "P001H")[0] == BAD_INPUT
    code, out, _ = run(capsys, "study", "withdraw", project, STUDY.id, "p001h", "--yes")
    assert (code, "1 sessions and 0 attempts deleted" in out) == (PASSED, True)
    assert "Still holds the data: 0-" in out
    assert printed_by(capsys, "show", project, STUDY.id, "P001H")["sessions"] == []


def test_withdrawing_deletes_the_file_on_this_machine(capsys, project, merged):
    path = kept_here(merged, "P002Q")
    assert printed_by(capsys, "withdraw", project, STUDY.id, "P002Q", "--yes")["local"] == ["P002Q.session"]
    assert not path.exists()


def test_purging_deletes_only_what_was_merged(capsys, project, merged):
    whole = kept_here(merged, "P001H")
    other = kept_here(merged, "P003X", state=TrialState.SHOWN)
    assert printed_by(capsys, "purge", project, STUDY.id)["files"] == ["P001H.session"]
    assert (whole.exists(), other.exists()) == (False, True)
    other.unlink()


def test_purging_all_data_asks(capsys, project, merged):
    assert run(capsys, "study", "purge", project, STUDY.id, "--data")[0] == BAD_INPUT
    assert printed_by(capsys, "purge", project, STUDY.id, "--data", "--yes")["sessions"] == 3


def kept_here(bundle, code, **changes):
    """The session of a code in the folder of this machine; `changes` came after its results were written."""
    path = folder_of(bundle.hash) / f"{code}.session"
    record = session(bundle, code)
    file = SessionFile.create(path, record.model_copy(update={"trials": ()}))
    trials = {trial.position: trial.model_copy(update=changes) for trial in record.trials}
    handed_in = tuple((position, one) for position, trial in trials.items() for one in trial.submissions)
    file.commit(Changes(trials=trials, submissions=handed_in))
    outcomes = outcomes_in(record)
    file.sealed(SEALED_SESSION, outcomes, lambda _: sealed_once(bundle.seal, SEALED_SESSION, outcomes, None))
    file.close()
    return path
