"""What the window of a place reaches, and what its results are worth outside of its sandbox."""

from dataclasses import replace

import pytest

from spatial_workbench.app.serving.addresses import serving_address
from spatial_workbench.app.serving.served_study import BUNDLE, ServedStudy
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.studies.files.bundles import read_bundle
from spatial_workbench.engine.studies.files.results_file import ResultError
from spatial_workbench.engine.studies.planning.document import StudySetting
from tests.store.studying import document, results, session
from tests.studies.sittings import SECRET

STUDY = document(setting="browser")


@pytest.fixture
def served(tmp_path):
    path = tmp_path / "humans.workbench"
    with Project.create(path) as project:
        project.studies.add(STUDY)
        bundle, _ = project.places.add_bundle(
            STUDY.id, ["P001H", "P002Q"], passphrase=SECRET, setting=StudySetting.BROWSER
        )
    study = ServedStudy(path, bundle, tmp_path / "served", serving_address("127.0.0.1:8420"), 2)
    study.prepare()
    return study


@pytest.fixture
def outside(tmp_path):
    folder = tmp_path / "outside"
    folder.mkdir()
    return folder


def own_bundle(served, code):
    return read_bundle(served.folder_of(code) / BUNDLE)


def merged(served, path):
    with Project.open(served.project) as project:
        return project.merging.merge([path])[0], list(project.sessions.all(served.bundle.study.id))


def test_a_window_reaches_no_place_but_its_own_and_not_the_key_of_the_bundle(served):
    for code in ("P001H", "P002Q"):
        own = own_bundle(served, code)
        assert [slot.code for slot in own.slots] == [code]
        assert (own.id, own.seal, own.hash) == (served.bundle.id, served.bundle.seal, served.bundle.hash)
    keys = {own_bundle(served, "P001H").key, own_bundle(served, "P002Q").key, served.bundle.key}
    assert len(keys) == 3


def test_the_key_of_a_window_is_the_same_after_the_server_was_started_again(served):
    before = own_bundle(served, "P001H").key
    served.prepare()
    assert own_bundle(served, "P001H").key == before


def test_results_of_a_window_are_merged_without_a_fault(served, outside):
    own = own_bundle(served, "P001H")
    path = results(served.folder_of("P001H"), own, session(own, "P001H"))
    assert served.results_files() == [path]
    _, (stored,) = merged(served, served.countersigned(path, outside))
    assert (stored.code, stored.file_faults) == ("P001H", ())


def test_results_that_were_edited_are_merged_as_altered(served, outside):
    own = own_bundle(served, "P001H")
    forged = replace(own, key=bytes(32))
    path = results(served.folder_of("P001H"), forged, session(forged, "P001H"))
    _, (stored,) = merged(served, served.countersigned(path, outside))
    assert stored.file_faults == ("altered",)


def test_results_of_another_place_are_refused(served, outside):
    own = own_bundle(served, "P001H")
    path = results(served.folder_of("P001H"), own, session(served.bundle, "P002Q"))
    with pytest.raises(ResultError, match="stands in the folder of P001H, and holds results of another place"):
        served.countersigned(path, outside)


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04"])
def test_damaged_results_are_one_sentence(served, outside, content):
    path = served.folder_of("P001H") / "x.studyresult"
    path.write_bytes(content)
    with pytest.raises(ResultError, match=r"x\.studyresult is damaged"):
        served.countersigned(path, outside)


def test_collected_results_of_somebody_who_withdraws_are_deleted(served):
    own = own_bundle(served, "P001H")
    path = results(served.folder_of("P001H"), own, session(own, "P001H"))
    served.collected.mkdir()
    copy = served.countersigned(path, served.collected)
    served.forget_withdrawn()
    assert copy.exists()
    path.unlink()
    served.forget_withdrawn()
    assert not copy.exists()
