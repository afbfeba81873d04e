"""A workbench whose windows are made up, and a browser that has come in."""

import pytest

from tests.app.serving.workbench.made_up import MadeUpWorkbench


@pytest.fixture
def workbench(tmp_path):
    return MadeUpWorkbench(tmp_path)


@pytest.fixture
def inside(workbench):
    """A browser that has come in."""
    with workbench.browser() as browser:
        workbench.come_in(browser)
        yield browser
