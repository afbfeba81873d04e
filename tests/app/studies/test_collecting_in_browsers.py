"""Collecting in browsers from the leader's page: a real server is started, told what to do, and stopped."""

import sys
from urllib.request import urlopen

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QPushButton

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.app.serving.system_parts import PartsMissing, found_parts
from spatial_workbench.app.studies.leader.dialogs.serving import ServingDialog
from spatial_workbench.app.studies.leader.page import PROGRESS
from spatial_workbench.app.studies.leader.work.serving import ServingOrder, last_words, server_log, write_links
from spatial_workbench.engine.studies.files.serving_state import SeatedPerson, ServingState, served_folder
from spatial_workbench.engine.studies.planning.document import study_of
from tests.ports import free_port
from tests.store.studying import document
from tests.studies.sittings import SECRET

STUDY = document(name="Two loops", setting="browser")
LINKS = {"P001H": "http://127.0.0.1:1/join/a", "P002Q": "http://127.0.0.1:1/join/b"}
PINS = {"P001H": "11111111", "P002Q": "22222222"}

try:
    found_parts()
except PartsMissing:
    PARTS = False
else:
    PARTS = sys.platform == "linux"


def served(**changes):
    return ServingState(
        **{"pid": 1, "at": 0, "url": "http://127.0.0.1:1", "at_once": 2, "links": LINKS, "pins": PINS, **changes}
    )


@pytest.fixture
def page(window, qtbot):
    """The page with a study that is frozen, and whose people take part in browsers."""
    window.project.tell(lambda project: project.studies.add(STUDY), announce=True)
    window.project.tell(lambda project: project.studies.freeze(STUDY.id, SECRET), announce=True)
    return shown(window, qtbot)


def shown(window, qtbot):
    window.project.flush()
    opened = window.study_pages.show_studies()
    qtbot.waitUntil(lambda: opened.snapshot is not None and opened.is_idle, timeout=60_000)
    return opened


@pytest.fixture
def dialog(qtbot):
    made = ServingDialog("Two loops")
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.mark.slow
def test_a_study_for_a_desk_or_a_draft_cannot_be_served_and_the_button_says_why(window, qtbot):
    window.project.tell(lambda project: project.studies.add(study_of(STUDY.data | {"setting": "desk"})), announce=True)
    opened = shown(window, qtbot)
    opened.tabs.setCurrentIndex(PROGRESS)
    assert not opened.progress.serve.isEnabled()
    assert "at a desk" in opened.progress.serve.toolTip()
    window.project.tell(lambda project: project.studies.change(STUDY.id, STUDY), announce=True)
    window.project.flush()
    qtbot.waitUntil(lambda: "frozen first" in opened.progress.serve.toolTip(), timeout=60_000)
    assert not opened.progress.serve.isEnabled()


@pytest.mark.slow
@pytest.mark.skipif(not PARTS, reason="Xvnc, noVNC or bubblewrap is missing")
def test_a_server_is_started_drained_and_stopped_from_the_page(window, page, qtbot):
    page.progress.serve.click()
    dialog = page.serving.dialog
    listen = f"127.0.0.1:{free_port()}"
    dialog.listen.setText(listen)
    dialog.start.click()
    assert not dialog.start.isEnabled()
    server = page.serving._process
    try:
        qtbot.waitUntil(lambda: dialog.state is not None, timeout=60_000)
        assert f"Served at http://{listen}. 0 of 10 seats are taken." in dialog.summary.text()
        links = {dialog.table.item(row, 0).text(): dialog.table.item(row, 3).text() for row in range(2)}
        with urlopen(next(iter(links.values()))) as answer:
            assert answer.status == 200
        dialog.drain.click()
        qtbot.waitUntil(lambda: dialog.state.drains, timeout=10_000)
        assert "Nobody can begin at the moment." in dialog.summary.text()
        dialog.drain.click()
        qtbot.waitUntil(lambda: not dialog.state.drains, timeout=10_000)
        dialog.stop.click()
        qtbot.waitUntil(lambda: dialog.state is None, timeout=30_000)
    finally:
        server.kill()
        server.wait(30)
    assert dialog.stack.currentIndex() == 0
    assert not (served_folder(window.project.path, STUDY.id) / "server.json").exists()


@pytest.mark.slow
@pytest.mark.skipif(not PARTS, reason="Xvnc, noVNC or bubblewrap is missing")
def test_why_a_server_does_not_start_is_said(page, qtbot):
    page.progress.serve.click()
    dialog = page.serving.dialog
    dialog.listen.setText("192.0.2.1:8420")
    dialog.start.click()
    qtbot.waitUntil(lambda: dialog.trouble.isVisible(), timeout=60_000)
    assert "TLS" in dialog.trouble.text()
    assert dialog.start.isEnabled()


def test_it_shows_who_is_where_without_an_outcome(dialog):
    seated = (
        SeatedPerson(code="P001H", page="item", cover="connection"),
        SeatedPerson(code="P002Q", page="end", is_seen=True, is_over=True),
    )
    dialog.show_state(served(seated=seated, waiting=3))
    assert dialog.summary.text() == "Served at http://127.0.0.1:1. 2 of 2 seats are taken, 3 people wait."
    assert [dialog.table.item(row, 1).text() for row in range(2)] == ["item; the connection is lost", "at the end"]


def test_stopping_asks_first_while_people_are_in_the_study(dialog, qtbot):
    dialog.show_state(served(seated=(SeatedPerson(code="P001H", page="item", is_seen=True),)))
    wishes = []
    dialog.wished.connect(wishes.append)
    dialog.stop.click()
    (question,) = dialog.findChildren(FormDialog)
    assert wishes == []
    question.go.click()
    assert [wish.name for wish in wishes] == ["STOP"]


def test_chosen_links_are_copied_or_all_of_them(dialog):
    dialog.show_state(served())
    dialog.table.selectRow(1)
    dialog._copy_links()
    assert QGuiApplication.clipboard().text() == "P002Q\thttp://127.0.0.1:1/join/b\t22222222"


def test_where_a_recruiter_sends_people_its_address_is_shown_and_no_link(dialog):
    dialog.show_state(served(links={"P001H": ""}, pins={}, entry="http://127.0.0.1:1/study?PROLIFIC_PID=x"))
    assert "this address: http://127.0.0.1:1/study?PROLIFIC_PID=x" in dialog.summary.text()
    assert (dialog.table.isColumnHidden(2), dialog.table.isColumnHidden(3), dialog.save.isVisible()) == (
        True,
        True,
        False,
    )
    dialog.copy.click()
    assert QGuiApplication.clipboard().text() == "http://127.0.0.1:1/study?PROLIFIC_PID=x"


def test_files_are_chosen_or_typed(dialog, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("/study/prolific.toml", ""))
    dialog.recruiter.findChild(QPushButton).click()
    dialog.certificate.field.setText(" chain.pem ")
    orders = []
    dialog.start_asked.connect(orders.append)
    dialog.start.click()
    assert (orders[0].recruiter, orders[0].certificate, orders[0].key) == ("/study/prolific.toml", "chain.pem", "")


def test_links_are_written_as_a_table_for_the_owner_alone(tmp_path):
    write_links(tmp_path / "links.csv", served())
    assert (tmp_path / "links.csv").read_text().splitlines()[:2] == [
        "code,link,pin",
        "P001H,http://127.0.0.1:1/join/a,11111111",
    ]
    assert (tmp_path / "links.csv").stat().st_mode & 0o777 == 0o600


def test_the_order_is_the_command(tmp_path):
    words = ServingOrder("P001-P003", 4, "127.0.0.1:9000", "https://a.example").arguments(tmp_path / "a.workbench", "s")
    assert words[:4] == ["study", "serve", str(tmp_path / "a.workbench"), "s"]
    assert " ".join(words[4:]) == (
        "--listen 127.0.0.1:9000 --at-once 4 --codes P001-P003 --url https://a.example --trusted-proxy 127.0.0.1"
    )


def test_an_order_with_a_certificate_and_a_recruiter_needs_no_proxy(tmp_path):
    order = ServingOrder(url="https://a.example", recruiter="r.toml", certificate="c.pem", key="k.pem")
    words = " ".join(order.arguments(tmp_path, "s"))
    assert words.endswith("--url https://a.example --recruit r.toml --certificate c.pem --key k.pem")


def test_a_server_writes_into_the_folder_that_only_its_owner_can_read(tmp_path):
    log = server_log(tmp_path / "a.workbench", "s")
    assert (log.parent, log.parent.stat().st_mode & 0o777) == (served_folder(tmp_path / "a.workbench", "s"), 0o700)


def test_the_last_words_of_a_server_are_its_last_line(tmp_path):
    (tmp_path / "log").write_bytes(b"One.\nThe port is in use.\n\n")
    assert last_words(tmp_path / "log") == "The port is in use."
    assert last_words(tmp_path / "none") == ""
