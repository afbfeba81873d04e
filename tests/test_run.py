"""The set-up falls back on the system's certificates where a proxy signs its own, and has npm check by hashes.

Tests that failed among others run once more by themselves, and nothing else does.
"""

import importlib.util
import json
import shutil
import sys

import pytest

from spatial_workbench.root import ROOT

pytestmark = pytest.mark.skipif(not (ROOT / "run.py").is_file(), reason="not installed from source")

PROXY = """
import sys
from pathlib import Path

with Path(sys.argv[1]).open("a") as file:
    print(*sys.argv[3:], file=file)
sys.exit(sys.argv[2] not in sys.argv[3:])
"""
"""A program that fails without a certain option, as a download does behind such a proxy; it notes its arguments."""


@pytest.fixture
def set_up():
    """The module run.py."""
    described = importlib.util.spec_from_file_location("set_up", ROOT / "run.py")
    module = importlib.util.module_from_spec(described)
    described.loader.exec_module(module)
    return module


@pytest.fixture
def needing(tmp_path):
    """Makes the command of a program that works only with an option; with it, the file of its arguments."""
    program, calls = tmp_path / "program.py", tmp_path / "calls"
    program.write_text(PROXY)
    return lambda option: ([sys.executable, str(program), str(calls), option], calls)


def test_what_downloads_is_tried_once_where_that_works(set_up, needing):
    command, calls = needing("sync")
    assert set_up.fetch(command, "pip", "sync") == command
    assert calls.read_text() == "pip sync\n"


def test_behind_a_proxy_that_signs_its_own_the_certificates_of_the_system_are_used_from_then_on(
    set_up, needing, capsys
):
    command, calls = needing("--system-certs")
    assert set_up.fetch(command, "pip", "sync") == [*command, "--system-certs"]
    assert calls.read_text() == "pip sync\n--system-certs pip sync\n"
    assert "certificates of this system" in capsys.readouterr().out


def test_what_fails_with_them_too_ends_the_set_up_with_its_command(set_up, needing):
    command, _ = needing("--never")
    with pytest.raises(SystemExit, match=r"This step failed: .* --system-certs pip sync"):
        set_up.fetch(command, "pip", "sync")


def test_the_installer_itself_is_fetched_with_them_by_a_pip_that_does_not_trust_them(set_up, monkeypatch, tmp_path):
    monkeypatch.setattr(set_up, "ROOT", tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", __file__)
    ran = []
    monkeypatch.setattr(set_up, "run", ran.append)
    monkeypatch.setattr(set_up, "succeeds", lambda command: ran.append(command))
    set_up.find_uv(sys.executable)
    tried, again = ran[1:]
    assert "--cert" not in tried
    assert again[again.index("--cert") + 1] == __file__


@pytest.fixture
def npm(set_up, monkeypatch, tmp_path):
    """Keeps what npm would install in a folder of its own; the commands that were run."""
    monkeypatch.setattr(set_up, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    monkeypatch.setattr(set_up.shutil, "which", lambda name: f"/usr/bin/{name}")
    ran = []
    monkeypatch.setattr(set_up, "succeeds", lambda command: ran.append(command) or True)
    return ran


def test_the_lock_of_npm_holds_versions_and_hashes_and_no_addresses(set_up):
    packages = json.loads(set_up.NPM_LOCK.read_text())["packages"]
    wanted = json.loads((set_up.NPM_LOCK.parent / "package.json").read_text())["dependencies"]
    installed = {name.removeprefix("node_modules/"): one for name, one in packages.items() if name}
    assert {name: one["version"] for name, one in installed.items()} == wanted
    assert all(one["integrity"].startswith("sha512-") for one in installed.values())
    assert not any("resolved" in one for one in installed.values())


def test_the_rules_of_accessibility_are_installed_once_for_each_lock(set_up, npm):
    set_up.install_npm_packages()
    set_up.install_npm_packages()
    assert len(npm) == 1
    assert "ci" in npm[0]


def test_without_npm_a_sentence_says_which_tests_are_skipped(set_up, npm, monkeypatch, capsys):
    monkeypatch.setattr(set_up.shutil, "which", lambda name: None)
    set_up.install_npm_packages()
    assert "the tests of the pages' accessibility are skipped" in capsys.readouterr().out
    assert npm == []


def test_an_installation_that_fails_is_tried_again_the_next_time(set_up, npm, monkeypatch):
    monkeypatch.setattr(set_up, "succeeds", lambda command: npm.append(command))
    set_up.install_npm_packages()
    set_up.install_npm_packages()
    assert len(npm) == 2


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("npm"), reason="there is no npm")
def test_npm_installs_from_a_lock_without_addresses(set_up, monkeypatch, tmp_path):
    monkeypatch.setattr(set_up, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    set_up.install_npm_packages()
    assert (tmp_path / ".venv" / "npm" / "node_modules" / "axe-core" / "axe.min.js").is_file()


@pytest.mark.parametrize(
    ("statuses", "status"),
    [
        ((0, 0), 0),
        ((1, 0, 0), 0),
        ((0, 1, 0), 0),
        ((1, 1, 1), 1),
        ((2, 0), 2),
        ((-9, 1), -9),
    ],
    ids=["all pass", "one passes alone", "one of the window passes alone", "one fails twice", "no run", "a killed run"],
)
def test_tests_that_failed_run_once_more_and_a_run_that_broke_off_does_not(set_up, monkeypatch, statuses, status):
    left = list(statuses)
    commands = []
    for step in ("install_test_packages", "install_npm_packages", "compile_sources"):
        monkeypatch.setattr(set_up, step, lambda: None)
    monkeypatch.setattr(set_up, "run_pytest", lambda arguments: commands.append(arguments) or left.pop(0))
    assert set_up.run_tests(["--all"]) == status
    assert left == []
    assert ["--last-failed" in command for command in commands] == [False, False, True][: len(commands)]
    assert all("--all" in command for command in commands)
