"""What is stored of a code, on the command line."""

from spatial_workbench.engine.studies.sessions.schema import SessionState
from tests.app.commands.leading.led_study import STUDY, printed_by
from tests.app.test_cli import run


def test_all_that_is_stored_of_a_code_is_printed(capsys, project, merged):
    run(capsys, "study", "note", project, STUDY.id, "Came late", "--code", "P001H")
    shown = printed_by(capsys, "show", project, STUDY.id, "P001H", "--events")
    assert shown["sessions"][0]["state"] == SessionState.FINISHED
    assert len(shown["sessions"][0]["events"]) == 2
    assert shown["notes"][0].endswith("Came late")
