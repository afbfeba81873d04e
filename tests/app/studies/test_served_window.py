"""The participant's window where a browser shows it."""

import json
import subprocess
import sys

import pytest
from PySide6.QtWidgets import QAbstractButton, QFileDialog

from spatial_workbench.app.studies.participant.display import with_choices
from spatial_workbench.app.studies.participant.pages.item_page import NEVER
from spatial_workbench.app.studies.participant.window_form import WindowForm
from spatial_workbench.engine.studies.sessions.pages import StudyPage
from spatial_workbench.engine.studies.sessions.schema import Accommodations
from tests.studies.sittings import study


@pytest.fixture
def dialogs(monkeypatch):
    """The dialogs for files that were opened; none is shown."""
    opened = []
    for name in ("getSaveFileName", "getOpenFileName", "getOpenFileNames"):
        monkeypatch.setattr(QFileDialog, name, lambda *_, name=name, **__: opened.append(name) or ("", ""))
    monkeypatch.setattr(
        QFileDialog, "getExistingDirectory", lambda *_, **__: opened.append("getExistingDirectory") or ""
    )
    monkeypatch.setattr(QFileDialog, "exec", lambda *_: opened.append("exec"))
    return opened


def press_all(page):
    """Presses all buttons of a page but the one that goes on."""
    for button in page.findChildren(QAbstractButton):
        if button is not page.primary:
            button.click()


@pytest.mark.parametrize("form", [WindowForm.SERVED, WindowForm.ORDINARY])
def test_only_at_a_desk_do_the_pages_of_texts_open_a_dialog_for_files(form, dialogs, participate, qtbot):
    window = participate(study(debriefing="Thank you.", setting="both"), form=form)
    wanted = []
    window.texts_wanted.connect(lambda: wanted.append(True))
    press_all(window.page)
    window.sitting.entering.consent({"part": True})
    window.sitting.leaving.stop(keeps=True)
    qtbot.waitUntil(lambda: window.is_showing(StudyPage.STOPPED))
    press_all(window.page)
    is_served = form is WindowForm.SERVED
    assert (dialogs, len(wanted)) == (([], 2) if is_served else (["getSaveFileName"] * 2, 0))


@pytest.mark.parametrize("leaders", [Accommodations(), Accommodations(type_scale=2, high_contrast=True)])
def test_what_somebody_chooses_comes_on_top_of_what_the_leader_has_set(leaders):
    chosen = {"type_scale": 1.5, "high_contrast": False, "reduced_motion": True}
    needs = with_choices(leaders, chosen)
    assert needs.type_scale == max(leaders.type_scale, 1.5)
    assert (needs.high_contrast, needs.reduced_motion) == (leaders.high_contrast, True)


KNOWS_DIALOGS = """
import importlib, json, pkgutil, sys
from pathlib import Path
import spatial_workbench.app.studies.participant.served_window
from spatial_workbench.widgets import editors
for module in pkgutil.walk_packages(editors.__path__, editors.__name__ + "."):
    importlib.import_module(module.name)
ours = {name: module.__file__ for name, module in sys.modules.items() if name.startswith("spatial_workbench.")}
knows = [name for name, file in ours.items() if file and "QFileDialog" in Path(file).read_text("utf-8")]
print(json.dumps(sorted(knows)))
"""


@pytest.mark.slow
def test_nothing_else_in_the_window_of_a_participant_knows_dialogs_for_files():
    found = json.loads(subprocess.check_output([sys.executable, "-c", KNOWS_DIALOGS], text=True, timeout=120))
    assert found == [
        "spatial_workbench.app.studies.participant.pages.entry_pages",
        "spatial_workbench.app.studies.participant.pages.later_pages",
        # Only “Import…”, which no study has.
        "spatial_workbench.widgets.editors.interlocking_parts.sources",
    ]
    assert "Import…" in NEVER


def test_the_language_that_somebody_read_before_is_suggested_and_can_be_changed(participate, qtbot):
    window = participate(study(languages=("en", "de"), setting="both"), form=WindowForm.SERVED)
    assert not window.page.primary.isEnabled()
    window.page.suggest("fr")
    assert not window.page.primary.isEnabled()
    window.page.suggest("de")
    assert (window.page.options.value, window.page.primary.isEnabled()) == ("de", True)
    window.page.options.choose("en")
    window.page.primary.click()
    assert window.sitting.state.language == "en"
