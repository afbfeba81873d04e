"""Somebody comes from a recruiter in a real browser, and leaves with a code; who it was stands nowhere."""

import asyncio
import contextlib
import os
from pathlib import Path

from spatial_workbench.app.commands.main import main
from spatial_workbench.app.serving.consumption import present_processes
from spatial_workbench.engine.studies.sessions.schema import SessionState
from tests.app.serving.browser import browser
from tests.app.serving.recruiting.recruiter import PERSON, SESSION, query, recruiters_file
from tests.app.serving.test_taking_part import Served, begin_here, finish, pytestmark  # noqa: F401

SECRETS = (PERSON.encode(), SESSION.encode())


def identity_in(folder):
    """The files of a folder in which the identity stands."""
    files = [path for path in Path(folder).rglob("*") if path.is_file()]
    assert files
    return [path for path in files if any(secret in path.read_bytes() for secret in SECRETS)]


def processes_with_identity():
    """The command lines and environments of the processes of this program in which the identity stands."""
    named = []
    for process in present_processes().family_of([os.getpid()]):
        for name in ("cmdline", "environ"):
            try:
                content = Path("/proc", str(process), name).read_bytes()
            except OSError:
                continue
            if any(secret in content for secret in SECRETS) and b"chrom" not in content:
                named.append((process, name))
    return named


@contextlib.asynccontextmanager
async def own_files(monkeypatch):
    """The browser keeps its files, which name the address, elsewhere."""
    monkeypatch.setattr("tempfile.tempdir", None)
    yield


def test_the_identity_of_nobody_stands_in_project_logs_exports_session_files_or_process_lists(tmp_path, monkeypatch):
    folder = tmp_path / "study"
    scratch = tmp_path / "scratch"
    folder.mkdir()
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    recruiter = recruiters_file(tmp_path)

    async def take_part():
        served = Served(folder, recruiter=recruiter)
        async with served.running(), own_files(monkeypatch), browser() as tab:
            await tab.open(f"{served.study.url}/study?{query()}")
            await tab.value("document.querySelector('button:not(.quiet)').click()")
            await tab.until("document.getElementById('begin') !== null")
            await begin_here(tab)
            await served.until_page("P001H", "consent")
            await tab.key("Tab")
            await tab.key(" ", "Space", " ")
            await tab.key("Enter", text="\r")
            await tab.until("!document.getElementById('phrase').hidden")
            await tab.value("document.querySelector('#phrase button').click()")
            await served.until_page("P001H", "instructions")
            await tab.key("Enter", text="\r")
            await served.until_item("P001H", 0)
            found = [*processes_with_identity(), *identity_in(folder), *identity_in(scratch)]
            await finish(tab, served, "P001H")
            await tab.until("document.querySelector('.code') !== null && location.pathname.startsWith('/out/')")
            code = await tab.value("document.querySelector('.code').textContent")
            return served, code, found, await served.merged_sessions(1)

    served, code, found, sessions = asyncio.run(take_part())
    assert (code, [one.state for one in sessions]) == ("C0MPLETE", [SessionState.FINISHED])
    assert found == []
    assert main(["study", "export", str(served.path), served.id, "-o", str(folder / "data")]) == 0
    assert identity_in(folder) == []
    assert not any(secret.decode() in told for secret in SECRETS for told in served.told)
