"""The participant's window on a bundle of its own."""

import pytest

from spatial_workbench.app.studies.participant.application import build_window
from spatial_workbench.app.studies.participant.window_form import WindowForm
from spatial_workbench.engine.studies.files.bundles import write_bundle
from spatial_workbench.engine.studies.sessions.pages import StudyPage
from spatial_workbench.widgets.appearance import appearance
from tests.studies.sittings import bundle, study


@pytest.fixture
def participate(qtbot, qapp, tmp_path):
    """Opens the window on a study, as an ordinary window, and closes it after the test."""
    from spatial_workbench.app.frame.style import set_type_scale

    opened = []

    def begun(
        chosen=None,
        code="P001H",
        form=WindowForm.ORDINARY,
        its_bundle=None,
        checks=True,
        waits=True,
        leaves_nothing=False,
    ):
        made = its_bundle or bundle(chosen or study())
        path = tmp_path / "f.study"
        write_bundle(path, made)
        window = build_window(qapp, made, path, "", tmp_path / "sessions", form, leaves_nothing)
        opened.append(window)
        window.open()
        qtbot.waitUntil(window.isActiveWindow)
        if not checks:
            window.entrance.materials = ""
        if waits:
            qtbot.waitUntil(lambda: window.entrance.materials == "")
        if code:
            window.begin(code)
        return window

    yield begun
    for window in opened:
        window._may_close = True
        window.close()
        window.deleteLater()
    appearance().remembers = True
    if appearance().type_scale != 1:
        set_type_scale(qapp, 1.0)


@pytest.fixture
def at_item(participate, qtbot):
    """Opens the window and goes on to the first item."""

    def reached(chosen=None, **rest):
        window = participate(chosen, **rest)
        window.sitting.entering.consent({"part": True})
        window.sitting.go_ahead()
        wait_for_item(qtbot, window)
        return window

    return reached


def wait_for_item(qtbot, window):
    """Waits until the item's page is there and its clock runs."""
    from spatial_workbench.app.studies.participant.pages.item_page import ItemPage

    qtbot.waitUntil(lambda: isinstance(window.page, ItemPage) and window.sitting.state.run.clock is not None)


def wait_for_page(qtbot, window, page: StudyPage):
    """Waits until the session is at a page, and the window shows it."""
    qtbot.waitUntil(
        lambda: window.sitting.state.page is page and window._shown == (page, window.sitting.state.position)
    )
