"""The file of identities: who can read it, and when they are deleted."""

import stat
from datetime import date, timedelta

import pytest

from spatial_workbench.app.serving.recruiting.arrivals import Arrival
from spatial_workbench.app.serving.recruiting.identities import Identities, IdentitiesError
from spatial_workbench.engine.studies.files.sealing import new_seal, unlock
from tests.app.serving.recruiting.recruiter import PERSON, SESSION
from tests.studies.sittings import SECRET

TODAY = date(2026, 11, 24)
NEW = new_seal(SECRET)
PUBLIC = NEW.seal.public
PRIVATE = unlock(NEW.seal, SECRET)
ADA = Arrival(PERSON, SESSION, True)


@pytest.fixture
def identities(tmp_path):
    return Identities(tmp_path / "humans-00c0.identities")


def test_only_the_passphrase_opens_an_identity(tmp_path, identities):
    identities.add(1, "P001H", ADA, PUBLIC, 30, TODAY)
    content = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert PERSON.encode() not in content
    assert SESSION.encode() not in content
    (known,) = identities.open(PRIVATE)
    assert (known.code, known.arrival, known.delete_on) == ("P001H", ADA, TODAY + timedelta(30))
    with pytest.raises(IdentitiesError, match="P001H cannot be opened"):
        identities.open(unlock(other := new_seal("another secret").seal, "another secret"))
    assert other.public != PUBLIC


def test_only_its_owner_reads_the_file_also_after_something_was_deleted(tmp_path, identities):
    path = tmp_path / "humans-00c0.identities"
    identities.add(1, "P001H", ADA, PUBLIC, 30, TODAY)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    identities.add(2, "P002Q", ADA, PUBLIC, 30, TODAY)
    identities.erase(1)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert identities.codes() == ["P002Q"]


def test_somebody_who_gets_a_place_again_has_an_identity_of_their_own(identities):
    identities.add(1, "P001H", ADA, PUBLIC, 30, TODAY)
    identities.add(2, "P001H", Arrival("somebody-else"), PUBLIC, 30, TODAY)
    assert [(known.person, known.arrival.person) for known in identities.open(PRIVATE)] == [
        (1, PERSON),
        (2, "somebody-else"),
    ]


def test_lines_are_only_added_and_one_for_each_person(tmp_path, identities):
    path = tmp_path / "humans-00c0.identities"
    identities.add(1, "P001H", ADA, PUBLIC, 30, TODAY)
    before = path.read_bytes()
    identities.add(1, "P001H", Arrival("somebody-else"), PUBLIC, 30, TODAY)
    identities.add(2, "P002Q", ADA, PUBLIC, 30, TODAY)
    assert path.read_bytes().startswith(before)
    assert [known.arrival.person for known in identities.open(PRIVATE)] == [PERSON, PERSON]


def test_an_identity_is_deleted_when_its_day_has_come(identities):
    identities.add(1, "P001H", ADA, PUBLIC, 30, TODAY)
    identities.add(2, "P002Q", ADA, PUBLIC, 31, TODAY)
    assert identities.delete_due(TODAY + timedelta(29)) == 0
    assert identities.delete_due(TODAY + timedelta(30)) == 1
    assert identities.codes() == ["P002Q"]


def test_withdrawal_deletes_an_identity(identities):
    assert not identities.erase(1)
    identities.add(1, "P001H", ADA, PUBLIC, 30, TODAY)
    assert identities.erase(1)
    assert identities.open(PRIVATE) == []


def test_identities_are_all_of_one_length(tmp_path, identities):
    identities.add(1, "P001H", ADA, PUBLIC, 30, TODAY)
    identities.add(2, "P002Q", Arrival("a"), PUBLIC, 30, TODAY)
    first, second = (tmp_path / "humans-00c0.identities").read_bytes().splitlines()
    assert len(first) == len(second)


@pytest.mark.parametrize(
    "content", [b"x", b"{}\n", b"[]", b'{"person": 1, "code": "P001H", "delete_on": "soon", "sealed": ""}', b"\xff"]
)
def test_a_damaged_file_is_one_sentence(tmp_path, identities, content):
    (tmp_path / "humans-00c0.identities").write_bytes(content)
    with pytest.raises(IdentitiesError, match="is damaged"):
        identities.codes()
