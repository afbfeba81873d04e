"""A project with a study, and one whose results were merged."""

import pytest

from spatial_workbench.app.commands.plumbing import PASSED
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.studies.files.bundles import read_bundle
from tests.app.commands.leading.led_study import STUDY
from tests.app.test_cli import run
from tests.store.studying import results, session
from tests.studies.sittings import SECRET


@pytest.fixture
def project(tmp_path):
    path = tmp_path / "work.workbench"
    with Project.create(path) as made:
        made.studies.add(STUDY)
    return str(path)


@pytest.fixture
def merged(capsys, project, tmp_path):
    """A study of which three people's results were merged."""
    path = tmp_path / "lab.study"
    (tmp_path / "secret").write_text(SECRET + "\n")
    run(capsys, "study", "bundle", project, STUDY.id, "-o", str(path), "--passphrase-file", str(tmp_path / "secret"))
    bundle = read_bundle(path)
    folder = tmp_path / "results"
    folder.mkdir()
    for code in ("P001H", "P002Q", "P003X"):
        results(folder, bundle, session(bundle, code))
    assert run(capsys, "study", "merge", project, str(folder))[0] == PASSED
    return bundle
