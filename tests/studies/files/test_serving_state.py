"""What a server says of itself is believed only while it runs, and only its owner can read it."""

import os
import subprocess
import time

import pytest

from spatial_workbench.engine.studies.files.serving_state import (
    FILE,
    FRESH_S,
    SeatedPerson,
    ServingState,
    clear_state,
    running_server,
    served_folder,
    write_state,
)


def state(**changes):
    given = {
        "pid": os.getpid(),
        "at": time.time(),
        "url": "http://127.0.0.1:8420",
        "at_once": 10,
        "seated": (SeatedPerson(code="P001H", page="item"),),
        "links": {"P001H": "http://127.0.0.1:8420/join/x"},
    }
    return ServingState(**{**given, **changes})


def test_a_running_server_is_read_as_it_was_written_and_only_by_its_owner(tmp_path):
    written = state()
    write_state(tmp_path, written)
    assert running_server(tmp_path) == written
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


def test_a_server_that_ended_or_has_said_nothing_for_long_does_not_run(tmp_path):
    with subprocess.Popen(["true"]) as process:
        process.wait()
    write_state(tmp_path, state(pid=process.pid))
    assert running_server(tmp_path) is None
    write_state(tmp_path, state(at=time.time() - FRESH_S - 1))
    assert running_server(tmp_path) is None
    write_state(tmp_path, state())
    clear_state(tmp_path)
    assert running_server(tmp_path) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": 1}', '{"pid": "x"}'])
def test_a_damaged_state_is_none(tmp_path, text):
    (tmp_path / FILE).write_text(text)
    assert running_server(tmp_path) is None


def test_the_folder_of_a_study_is_beside_its_project(tmp_path):
    assert served_folder(tmp_path / "humans.workbench", "00c0") == tmp_path / "humans-00c0.served"
