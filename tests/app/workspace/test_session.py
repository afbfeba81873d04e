"""Every edit is stored as it happens."""

import pytest

from spatial_workbench.engine.store import Project
from tests.app.conftest import solve


@pytest.mark.slow
def test_every_edit_is_in_the_project_file_at_once(window, workspace, qtbot):
    solve(window, qtbot)
    window.project.flush()
    with Project.open(window.project.path) as project:
        assert project.drafts.get("two_segments:0").answer == workspace.document.answer.model_dump(mode="json")


def test_looking_at_an_instance_begins_no_draft(window, workspace):
    window.project.flush()
    with Project.open(window.project.path) as project:
        assert project.drafts.get("two_segments:0") is None
