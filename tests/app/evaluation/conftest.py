"""Batches of models that answer from a script."""

import shutil

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.app.evaluation.model_list import NAME
from spatial_workbench.app.evaluation.new_batch import NewBatchDialog
from spatial_workbench.app.evaluation.page import BatchesPage
from spatial_workbench.engine.models import ModelLibrary, ModelSettings
from tests.models.conftest import own_keyring, server

__all__ = ["own_keyring", "server"]


@pytest.fixture(scope="session")
def settings_folder(tmp_path_factory):
    """A folder of settings for one test after another, so that each can use the processes of the one before."""
    return tmp_path_factory.mktemp("config")


@pytest.fixture(autouse=True)
def own_models(settings_folder, monkeypatch):
    """No test sees a person's models, nor those of another test."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(settings_folder))
    yield
    shutil.rmtree(settings_folder)
    settings_folder.mkdir()


@pytest.fixture
def dialog(window, qtbot):
    window.actions_registry["evaluate.new"].trigger()
    new_batch = window.findChild(NewBatchDialog)
    new_batch.tasks.choose({"shikaku:0", "shikaku:1"})
    return new_batch


def tick(dialog, *names):
    for k in range(dialog.models.count()):
        item = dialog.models.item(k)
        item.setCheckState(Qt.CheckState.Checked if item.data(NAME) in names else Qt.CheckState.Unchecked)


def start(dialog, qtbot):
    qtbot.waitUntil(dialog.start.isEnabled)
    qtbot.mouseClick(dialog.start, Qt.MouseButton.LeftButton)


def page_of(window):
    return next(page for page in map(window.tabs.widget, range(window.tabs.count())) if isinstance(page, BatchesPage))


def wait_for(window, qtbot, state):
    page = page_of(window)
    qtbot.waitUntil(lambda: page.chosen() is not None and page.chosen().state is state)
    return page


def set_up_endpoint(server, name="tiny", model="tiny", **settings):
    own = ModelSettings(name=name, model=model, base_url=server.url, timeout_s=20, **settings)
    ModelLibrary().store_model(own, probed(own))
    return own


def probed(settings):
    from datetime import UTC, datetime

    from spatial_workbench.engine.models import Capabilities

    return Capabilities(base_url=settings.url, model=settings.model, probed_at=datetime.now(UTC))


def cells(items, row):
    return [items.model.index(row, column).data() for column in range(items.model.columnCount())]


def choose_agent(dialog, kind):
    dialog.form.agent.setCurrentIndex(dialog.form.agent.findData(kind))
