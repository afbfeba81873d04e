"""The example project that ships with the application."""

import shutil

import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.root import ROOT


@pytest.mark.slow
def test_todays_verifiers_say_what_is_stored_in_it(tmp_path, capsys):
    copy = tmp_path / "quickstart.workbench"
    shutil.copyfile(ROOT / "projects" / "quickstart.workbench", copy)
    assert main(["verify-again", str(copy), "--diff"]) == 0
    assert "today's verifiers say what is stored" in capsys.readouterr().out
