"""More than 200 requests that must fail, against a real server; afterwards it still serves, and has told nothing."""

import re
import subprocess
import sys
import time

import pytest

from spatial_workbench.app.serving.system_parts import PartsMissing, found_parts
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.studies.planning.document import StudySetting
from tests.app.serving.attacks import CODES, MARK, Target, attacks, greets, runs_of
from tests.ports import free_port
from tests.studies.sittings import SECRET, study

try:
    PARTS = found_parts()
except PartsMissing:
    PARTS = None

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PARTS is None, reason="needs Xvnc and noVNC"),
]
START_S = 60


@pytest.fixture
def server(tmp_path):
    """The command that serves a study, in a process of its own, as an attacker finds it."""
    path = tmp_path / "humans.workbench"
    chosen = study(setting="browser")
    with Project.create(path) as project:
        project.studies.add(chosen)
        project.places.add_bundle(chosen.id, CODES, passphrase=SECRET, setting=StudySetting.BROWSER)
    port = free_port()
    command = [sys.executable, "-m", "spatial_workbench", "study", "serve", str(path), chosen.id]
    output = tmp_path / "output"
    with open(output, "wb") as log:
        process = subprocess.Popen([*command, "--listen", f"127.0.0.1:{port}"], stdout=log, stderr=log)
    try:
        until = time.monotonic() + START_S
        while b"People take part" not in output.read_bytes():
            assert time.monotonic() < until, output.read_text()
            assert process.poll() is None, output.read_text()
            time.sleep(0.1)
        target = Target(port, tmp_path / f"humans-{chosen.id}.served")
        target.output = output
        target.server = process.pid
        yield target
    finally:
        process.terminate()
        process.wait(30)


def take_part(target):
    """Two people take part; the first one has gone on in another browser."""
    target.former_cookie = target.begin("P001H").cookie
    target.cookie = target.begin("P001H").cookie
    assert target.begin("P002Q").status == 303
    target.runs = runs_of(target.server)
    assert greets(target)


def test_none_of_200_requests_succeeds_and_the_server_still_serves_and_has_told_nothing(server):
    take_part(server)
    before = server.output.read_text()
    tried = attacks()
    assert len(tried) >= 200
    assert [name for name, succeeds in tried if succeeds(server)] == []

    page = server.ask("GET", server.path("P003X"), source="127.0.0.2")
    assert (page.status, b"<form" in page.body) == (200, True)
    assert server.begin("P003X").status == 303
    assert server.ask("GET", "/take-part", [f"Cookie: {server.cookie}"], source="127.0.0.2").status == 200
    assert greets(server)

    told = server.output.read_text().removeprefix(before)
    assert re.findall(r"\d+\.\d+\.\d+\.\d+", told) == []
    words = (MARK, "Traceback", "/join/", "take-part", "Invalid", server.cookie, "evil", *CODES)
    assert [word for word in words if word in told] == []
