"""Bundles and results files: what is written is read again, and what is damaged is refused."""

import gzip
import json
import zipfile

import pytest

from spatial_workbench.engine.core.version import application_version
from spatial_workbench.engine.studies.files.archives import write_archive
from spatial_workbench.engine.studies.files.bundles import BundleError, bundle_of, read_bundle, write_bundle
from spatial_workbench.engine.studies.files.results_file import ResultError, file_name, read_results, write_results
from spatial_workbench.engine.studies.planning.document import study_of
from spatial_workbench.engine.studies.planning.freezing import differences, freeze
from spatial_workbench.engine.studies.sessions.schema import (
    Accommodations,
    SessionRecord,
    SessionState,
    Submission,
    TrialRecord,
    TrialState,
)
from tests.studies.planning.test_document import SMALLEST

KEY = b"k" * 32
STUDY = study_of(SMALLEST)
SESSION = SessionRecord(
    id="a1b2c3d4-0000-4000-8000-000000000000",
    study=STUDY.hash,
    code="P001H",
    build=application_version(),
    bundle="b",
    state=SessionState.FINISHED,
    trials=(
        TrialRecord(
            position=0,
            block="a",
            item="m0",
            phase="main",
            condition="only",
            state=TrialState.SUBMITTED,
            active_ms=5000,
            elapsed_ms=6000,
            edits=1,
            submissions=(Submission(number=1, active_ms=5000, answer='{"path": "ä"}'),),
        ),
    ),
)
CHUNKS = (b'{"n":1}\n', b'{"n":2}\n')


def test_a_bundle_that_is_written_is_read_again_and_equal_bundles_give_equal_files(tmp_path):
    bundle = bundle_of(STUDY, freeze(STUDY), frozenset({"P001H", "P002Q"}), site="lab")
    digest = write_bundle(tmp_path / "a.study", bundle)
    again = read_bundle(tmp_path / "a.study")
    assert (again.study, again.slots, again.materials, again.key) == (
        bundle.study,
        bundle.slots,
        bundle.materials,
        bundle.key,
    )
    assert write_bundle(tmp_path / "b.study", again) == digest


def test_accommodations_travel_with_the_bundle(tmp_path):
    bundle = bundle_of(STUDY, freeze(STUDY), frozenset({"P001H"}))
    object.__setattr__(bundle, "accommodations", {"P001H": Accommodations(time_factor=1.5)})
    write_bundle(tmp_path / "a.study", bundle)
    assert read_bundle(tmp_path / "a.study").accommodations_of("P001H").time_factor == 1.5


def test_a_bundle_of_codes_that_the_study_lacks_is_refused():
    with pytest.raises(BundleError, match="no place P900"):
        bundle_of(STUDY, freeze(STUDY), frozenset({"P900X"}))


def test_a_machine_that_words_an_item_differently_says_so():
    materials = freeze(STUDY).materials
    assert list(differences(STUDY, materials)) == []
    changed = (materials[0].model_copy(update={"prompt": "4f1c" + "0" * 60}), *materials[1:])
    (sentence,) = differences(STUDY, changed)
    assert sentence.startswith("This version words maze_3d:0 differently (study 4f1c00000000, here ")


def test_results_that_are_written_are_read_again(tmp_path):
    path = tmp_path / file_name(SESSION)
    write_results(path, SESSION, CHUNKS, KEY)
    delivery = read_results(path, lambda study, bundle: KEY)
    assert (delivery.session, delivery.chunks) == (SESSION, CHUNKS)
    assert path.name == f"{STUDY.hash[:12]}-P001H-a1b2c3d4.studyresult"


@pytest.mark.parametrize(("key", "fault"), [(None, "unsigned"), (b"x" * 32, "altered")])
def test_results_without_a_good_signature_are_taken_and_flagged(tmp_path, key, fault):
    write_results(tmp_path / "r", SESSION, CHUNKS, KEY)
    assert read_results(tmp_path / "r", lambda study, bundle: key).session.file_faults == (fault,)


def test_results_with_impossible_times_are_flagged(tmp_path):
    trial = SESSION.trials[0].model_copy(update={"active_ms": 7000})
    write_results(tmp_path / "r", SESSION.model_copy(update={"trials": (trial,)}), CHUNKS, KEY)
    assert read_results(tmp_path / "r", lambda study, bundle: KEY).session.file_faults == ("inconsistent",)


def resigned(path, change):
    """The file again, changed by someone who has the key."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist() if name not in ("SHA256SUMS", "MAC")}
    change(parts)
    write_archive(path, parts, KEY)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda p: p.pop("answers.json"), "lacks the part answers.json"),
        (lambda p: p.update({"answers.json": b"{}"}), "lacks the part 0.1"),
        (lambda p: p.update({"result.json": b"[]"}), "holds no results"),
        (lambda p: p.update({"result.json": b'{"format": 3}'}), "newer than this version knows"),
        (lambda p: p.update({"trials.json": b"3"}), "is damaged"),
        (lambda p: p.update({"trials.json": json.dumps([{"position": -1}]).encode()}), "is damaged"),
        (lambda p: p.update({"events/00001.jsonl.gz": gzip.compress(b"x")}), "its events are not those"),
        (lambda p: p.update({"events/00001.jsonl.gz": b"no gzip"}), "is damaged"),
    ],
)
def test_results_with_something_wrong_are_refused(tmp_path, change, words):
    write_results(tmp_path / "r", SESSION, CHUNKS, KEY)
    resigned(tmp_path / "r", change)
    with pytest.raises(ResultError, match=words):
        read_results(tmp_path / "r", lambda study, bundle: KEY)


def with_seal(head, public):
    return json.dumps(json.loads(head) | {"seal": public}).encode()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda p: p.pop("study.json"), "lacks the part study.json"),
        (lambda p: p.update({"bundle.json": b"{"}), "is not the bundle"),
        (lambda p: p.update({"bundle.json": b'{"format": 3}'}), "newer than this version knows"),
        (lambda p: p.update({"bundle.json": with_seal(p["bundle.json"], "00" * 32)}), "nothing can be encrypted to"),
        (lambda p: p.update({"bundle.json": with_seal(p["bundle.json"], "00")}), "is damaged"),
        (lambda p: p.update({"slots.json": b"[{}]"}), "is damaged"),
        (lambda p: p.update({"study.json": p["study.json"].replace(b"Two mazes", b"Ten mazes")}), "not the one"),
    ],
)
def test_a_bundle_with_something_wrong_is_refused(tmp_path, change, words):
    path = tmp_path / "a.study"
    write_bundle(path, bundle_of(STUDY, freeze(STUDY), frozenset()))
    resigned(path, change)
    with pytest.raises(BundleError, match=words):
        read_bundle(path)
