"""The dialog that publishes results, and its entries in the window."""

import pytest

from spatial_workbench.app.results.publishing import PublishingDialog
from spatial_workbench.app.results.site import offer_of
from spatial_workbench.engine.store import Project
from tests.reporting.site.hostile import fill

WAIT_MS = 60_000


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A project with people, an open study and a sealed one."""
    folder = tmp_path_factory.mktemp("publishing")
    with Project.create(folder / "runs.workbench") as project:
        fill(project, folder / "results")
    return folder / "runs.workbench"


@pytest.fixture
def dialog(path, qtbot):
    """The dialog when it has listed what goes in."""
    opened = PublishingDialog(path)
    qtbot.addWidget(opened)
    opened.show()
    qtbot.waitUntil(lambda: opened.publish.isEnabled(), timeout=WAIT_MS)
    yield opened
    opened.close()


@pytest.mark.slow
def test_people_and_studies_of_the_project_can_be_chosen(path):
    offer = offer_of(path)
    assert offer.people == ("Ada Lovelace", "Grace Hopper", "Katherine Johnson")
    assert {(study.name, study.is_open) for study in offer.studies} == {("Open loops", True), ("Sealed loops", False)}


def test_nobody_and_no_study_is_chosen_at_first(dialog):
    assert (dialog.choice.people, dialog.choice.named, dialog.choice.studies) == ((), (), ())
    assert len(dialog.people) == 3
    assert [box.text() for box in dialog.studies.values()] == ["Open loops"]
    assert "This stays out:" in dialog.listed.toPlainText()
    assert "Ada" not in dialog.listed.toPlainText()


def test_what_goes_in_is_listed_anew_after_a_change(dialog, qtbot):
    dialog.people["Ada Lovelace"].setCurrentText("Shown, by name")
    assert not dialog.publish.isEnabled()
    qtbot.waitUntil(lambda: "Ada Lovelace (person)" in dialog.listed.toPlainText(), timeout=WAIT_MS)
    assert dialog.choice.named == ("Ada Lovelace",)


def test_a_site_is_written_in_the_background(dialog, qtbot, tmp_path):
    dialog.pictures.setChecked(False)
    qtbot.waitUntil(lambda: dialog.is_idle, timeout=WAIT_MS)
    with qtbot.waitSignal(dialog.told, timeout=WAIT_MS) as told:
        dialog.publish_to(tmp_path / "site")
    assert "Open index.html" in told.args[0]
    assert (tmp_path / "site" / "index.html").exists()


def test_a_foreign_folder_is_refused_in_a_sentence(dialog, qtbot, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with qtbot.waitSignal(dialog.told, timeout=WAIT_MS) as told:
        dialog.publish_to(tmp_path)
    assert "mine.txt" in told.args[0]
    assert dialog.publish.isEnabled()


@pytest.mark.slow
def test_writing_can_be_cancelled(dialog, qtbot, tmp_path):
    dialog.publish_to(tmp_path / "site")
    assert dialog.cancel.isVisible()
    with qtbot.waitSignal(dialog.told, timeout=WAIT_MS):
        dialog.cancel.click()
    assert not (tmp_path / "site").exists()
    assert dialog.publish.isEnabled()


def test_the_file_menu_and_the_results_page_open_it(open_window, path, qtbot):
    window = open_window(path)
    window.actions_registry["results.publish"].trigger()
    qtbot.waitUntil(lambda: bool(window.findChildren(PublishingDialog)), timeout=WAIT_MS)
    (opened,) = window.findChildren(PublishingDialog)
    opened.close()


def test_replays_can_be_left_out_where_there_are_pictures(dialog):
    dialog.motion.setChecked(False)
    assert (dialog.choice.pictures, dialog.choice.motion) == (True, False)
    dialog.pictures.setChecked(False)
    assert not dialog.motion.isEnabled()
