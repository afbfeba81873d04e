"""What `serve` refuses, with a sentence each; `open` opens the window as somebody."""

import shutil
import socket

import pytest
from PySide6.QtCore import QSettings

from spatial_workbench.app.commands.main import main
from spatial_workbench.app.frame.settings import Settings
from spatial_workbench.app.serving import system_parts
from spatial_workbench.app.serving.workbench.server import WorkbenchServer
from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.store import Project
from tests.ports import free_port


def run(server, ready):
    """Ends at once."""
    ready()
    server._listening.close()
    shutil.rmtree(server._folder)


@pytest.fixture
def project(tmp_path):
    path = tmp_path / "work.workbench"
    Project.create(path).close()
    return path


@pytest.fixture
def served(capsys, monkeypatch, tmp_path):
    """Calls the command, as if everything that it needs were installed; gives the exit code and what it said."""
    (tmp_path / "novnc" / "core").mkdir(parents=True)
    (tmp_path / "novnc" / "core" / "rfb.js").touch()
    monkeypatch.setattr(system_parts, "NOVNC_FOLDERS", (tmp_path / "novnc",))
    monkeypatch.setattr(system_parts.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(WorkbenchServer, "run", run)

    def call(project, *words, person="Ada"):
        listen = () if "--listen" in words else ("--listen", f"127.0.0.1:{free_port()}")
        code = main(["serve", str(project), "--person", person, *listen, *words])
        return code, capsys.readouterr().err

    return call


def test_somebody_new_is_served_if_that_is_said(served, project):
    code, said = served(project, "--new")
    assert code == 0
    assert "Open this link" in said
    assert project.with_name("work-files").is_dir()


def test_somebody_unknown_is_refused_and_the_known_ones_are_named(served, project):
    with Project.open(project) as opened:
        opened.drafts.begin(resolve("two_segments:0")[1], {}, "Grace")
    code, said = served(project)
    assert (code, "Ada has not worked in this project before. Known are: Grace." in said) == (2, True)
    assert served(project, person="Grace")[0] == 0


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 81])
def test_a_name_is_short_and_can_be_printed(served, project, name):
    code, said = served(project, "--new", person=name)
    assert (code, "A name has 1 to 80 characters" in said) == (2, True)


def test_a_project_that_does_not_exist_is_refused(served, tmp_path):
    code, said = served(tmp_path / "none.workbench", "--new")
    assert code == 2
    assert "none.workbench" in said
    assert list(tmp_path.glob("none*")) == []


def test_a_damaged_project_is_refused(served, tmp_path):
    (tmp_path / "letter.workbench").write_text("Dear aunt")
    code, said = served(tmp_path / "letter.workbench", "--new")
    assert (code, "not a project" in said) == (2, True)


def test_a_port_in_use_is_refused(served, project):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        code, said = served(project, "--new", "--listen", address)
    assert (code, said) == (2, f"{address} cannot be served: Address already in use.\n")


def test_a_network_without_tls_is_refused(served, project):
    code, said = served(project, "--new", "--listen", "0.0.0.0:8420", "--url", "http://bench.example")
    assert (code, "Without TLS" in said) == (2, True)


def test_a_folder_for_files_that_cannot_be_made_is_refused(served, project, tmp_path):
    (tmp_path / "file").touch()
    code, said = served(project, "--new", "--files", str(tmp_path / "file"))
    assert (code, "cannot be used for files" in said) == (2, True)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("shutil.which", lambda name: None), "Serving needs Xvnc. On Debian and Ubuntu: apt-get install"),
        (("NOVNC_FOLDERS", ()), "Serving needs noVNC. On Debian and Ubuntu: apt-get install novnc"),
        (("sys.platform", "darwin"), "Windows are served from Linux only."),
    ],
)
def test_what_is_missing_is_said(served, project, monkeypatch, change, sentence):
    name, value = change
    monkeypatch.setattr(f"spatial_workbench.app.serving.system_parts.{name}", value)
    code, said = served(project, "--new")
    assert (code, sentence in said) == (2, True)


def test_no_sandbox_is_needed_where_the_person_has_the_account(served, project, monkeypatch):
    def none():
        raise system_parts.SandboxUnavailable("none here")

    monkeypatch.setattr(system_parts.bubblewrap, "executable", none)
    assert served(project, "--new")[0] == 0


def test_the_window_is_opened_as_somebody_who_is_stored_nowhere(monkeypatch, project, tmp_path):
    opened = []
    monkeypatch.setattr("spatial_workbench.app.window.application.has_display", lambda: True)
    monkeypatch.setattr("spatial_workbench.app.window.application.run", lambda *given: opened.append(given) or 0)
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path / "settings"))
    Settings().person = "Grace"
    assert main(["open", str(project), "--person", "Ada", "--files", str(tmp_path)]) == 0
    ((path, settings, files, served),) = opened
    assert (path, settings.person, files, served) == (project, "Ada", tmp_path, None)
    settings.person = "Emmy"
    assert (settings.person, Settings().person) == ("Emmy", "Grace")


def test_without_a_display_open_says_how_to_see_the_window(monkeypatch, project, capsys):
    monkeypatch.setattr("spatial_workbench.app.window.application.has_display", lambda: False)
    assert main(["open", str(project)]) == 2
    assert "spatial-workbench serve PROJECT --person NAME" in capsys.readouterr().err
