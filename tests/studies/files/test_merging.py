"""Files between machines, and merging them in any order."""

import itertools
import zipfile

import pytest

from spatial_workbench.engine.studies.files.archives import ArchiveError, Signature, read_archive, write_archive
from spatial_workbench.engine.studies.files.merging import StudyDelivery, chain_of, duplicates, settled
from spatial_workbench.engine.studies.sessions.schema import SessionRecord, SessionState

KEY = b"k" * 32
ALLOWED = ["result.json", "events/*.jsonl.gz"]
PARTS = {"result.json": b"{}", "events/001.jsonl.gz": b"..."}


@pytest.fixture
def written(tmp_path):
    path = tmp_path / "a.studyresult"
    write_archive(path, PARTS, KEY)
    return path


def test_what_is_written_is_read_with_a_good_signature(written):
    archive = read_archive(written, ALLOWED, KEY)
    assert (dict(archive.parts), archive.signature) == (PARTS, Signature.GOOD)


def test_equal_parts_give_equal_files(tmp_path, written):
    assert write_archive(tmp_path / "b", PARTS, KEY) == write_archive(
        tmp_path / "c", dict(reversed(PARTS.items())), KEY
    )


def test_another_key_tells_that_a_file_was_altered(written):
    assert read_archive(written, ALLOWED, b"x" * 32).signature is Signature.ALTERED


def rebuilt(path, change):
    with zipfile.ZipFile(path) as archive:
        entries = {entry.filename: archive.read(entry) for entry in archive.infolist()}
    change(entries)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return path


def test_a_file_without_a_signature_is_unsigned(written):
    assert read_archive(rebuilt(written, lambda e: e.pop("MAC")), ALLOWED, KEY).signature is Signature.UNSIGNED


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda e: e.update({"result.json": b"{} "}), "result.json is not what the list"),
        (lambda e: e.pop("result.json"), "lacks the part result.json"),
        (lambda e: e.pop("SHA256SUMS"), "lacks the list"),
        (lambda e: e.update({"SHA256SUMS": b"nonsense"}), "cannot be read"),
        (lambda e: e.update({"../evil": b""}), "outside of itself"),
        (lambda e: e.update({"/etc/passwd": b""}), "outside of itself"),
        (lambda e: e.update({"virus.exe": b""}), "does not belong"),
        (lambda e: e.update({"result.json": bytes(201_000_000)}), "limit is 200 MB"),
    ],
)
def test_a_file_with_something_wrong_is_refused(written, change, words):
    with pytest.raises(ArchiveError, match=words):
        read_archive(rebuilt(written, change), ALLOWED, KEY)


def test_a_file_that_unpacks_to_far_more_is_refused(tmp_path):
    path = tmp_path / "bomb"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("result.json", bytes(10_000_000))
    with pytest.raises(ArchiveError, match="a hundred times"):
        read_archive(path, ALLOWED, KEY)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_part_that_occurs_twice_is_refused(written):
    with zipfile.ZipFile(written, "a") as archive:
        archive.writestr("result.json", b"{}")
    with pytest.raises(ArchiveError, match="twice"):
        read_archive(written, ALLOWED, KEY)


@pytest.mark.parametrize("raw", [b"", b"PK", b"PK\x03\x04" + bytes(99)])
def test_what_is_no_zip_file_is_refused(tmp_path, raw):
    (tmp_path / "x").write_bytes(raw)
    with pytest.raises(ArchiveError, match="damaged"):
        read_archive(tmp_path / "x", ALLOWED, KEY)


def delivery(name, *chunks, code="P001H", study="s"):
    session = SessionRecord(id=name, study=study, code=code, state=SessionState.RUNNING)
    return StudyDelivery(session, chain_of(chunk.encode() for chunk in chunks))


SHORT = delivery("1", "a")
LONG = delivery("1", "a", "b")
OTHER = delivery("1", "a", "c")


@pytest.mark.parametrize(
    ("stored", "incoming", "outcome"),
    [
        ([], SHORT, "new"),
        ([SHORT], SHORT, "already there"),
        ([SHORT], LONG, "extended"),
        ([LONG], SHORT, "older, nothing changed"),
        ([LONG], OTHER, "conflict"),
    ],
)
def test_a_session_is_compared_with_the_one_that_is_there(stored, incoming, outcome):
    assert settled(stored, incoming)[1] == outcome


def states_after(files):
    kept = ()
    for file in files:
        kept, _ = settled(kept, file)
    return kept


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_every_order_and_number_of_times_ends_alike(order):
    files = [SHORT, LONG, OTHER]
    assert states_after(files[i] for i in (*order, *order)) == states_after(files)


def test_every_other_chunk_gives_another_chain():
    assert chain_of([b"a", b"b"])[0] == chain_of([b"a", b"c"])[0]
    assert chain_of([b"a", b"b"])[1] != chain_of([b"a", b"c"])[1]
    assert chain_of([]) == ()


def test_of_two_sessions_with_a_code_the_later_is_the_duplicate():
    sessions = [delivery(name, "a").session for name in "12"]
    assert duplicates(sessions, {"1": "2026-01-02", "2": "2026-01-01"}) == {"1"}
