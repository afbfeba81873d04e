"""An ordinary user with the system's Python gets from a checkout to the application and its tests by two commands."""

import os
import pwd
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from spatial_workbench.root import ROOT

PYTHON = Path("/usr/bin/python3")
NAME = f"workbench{os.getpid()}"
OF_THE_NETWORK = ("PROXY", "CERT", "SSL", "CA_BUNDLE", "PIP_")
"""Parts of the names of variables that say how this machine reaches the network."""
LONGEST_S = 600


def obstacle() -> str | None:
    """Why no account can be made here; None if one can."""
    if not (ROOT / ".git").exists():
        return "not a checkout"
    if os.name == "nt" or os.geteuid() != 0:
        return "only root can make an account"
    if not (shutil.which("useradd") and shutil.which("userdel") and shutil.which("git")):
        return "useradd, userdel or git is missing"
    return None if PYTHON.exists() else "the system has no Python"


pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(LONGEST_S),
    pytest.mark.skipif((reason := obstacle()) is not None, reason=reason or ""),
]


class Account(NamedTuple):
    """A user of this system, in whose home a checkout lies."""

    user: int
    group: int
    home: Path

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Runs a command of the README in the checkout, as the user; says how long it took."""
        network = {
            name: value for name, value in os.environ.items() if any(part in name.upper() for part in OF_THE_NETWORK)
        }
        environment = {**network, "HOME": str(self.home), "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
        start = time.monotonic()
        done = subprocess.run(
            [str(PYTHON), "run.py", *arguments],
            cwd=self.home / "checkout",
            env=environment,
            user=self.user,
            group=self.group,
            extra_groups=[],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        print(f"run.py {' '.join(arguments)}: {time.monotonic() - start:.0f} s\n{done.stdout}")
        return done


@pytest.fixture(scope="module")
def account() -> Iterator[Account]:
    question = "import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))"
    if subprocess.run([str(PYTHON), "-c", question], check=False, stderr=subprocess.DEVNULL).returncode:
        pytest.skip("the system's Python is not a supported one, or cannot make environments")
    subprocess.run(["useradd", "--create-home", "--shell", "/bin/bash", NAME], check=True)
    try:
        entry = pwd.getpwnam(NAME)
        home = Path(entry.pw_dir)
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(home / "checkout")], check=True)
        subprocess.run(["chown", "-R", f"{NAME}:", str(home)], check=True)
        yield Account(entry.pw_uid, entry.pw_gid, home)
    finally:
        subprocess.run(["userdel", "--force", "--remove", NAME], check=True, stderr=subprocess.DEVNULL)


def test_the_first_command_sets_everything_up_once(account):
    done = account.run()
    assert "Packages:          all import" in done.stdout
    assert done.returncode == 1
    assert "Everything is set up, but no display was found" in done.stdout
    again = account.run("solve", "shikaku:0")
    assert again.returncode == 0
    assert "Installing" not in again.stdout


@pytest.mark.skipif("TEST_WHOLE_SET_UP" not in os.environ, reason="downloads 3.4 GB; set TEST_WHOLE_SET_UP to run it")
def test_the_second_command_runs_tests(account):
    done = account.run("test", "tests/test_file_names.py", "tests/core/test_answer.py", "-n", "0")
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout
