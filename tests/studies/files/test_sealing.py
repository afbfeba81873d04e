"""What tells outcomes is encrypted: to a key that every machine has, for somebody with the passphrase."""

import unicodedata

import pytest
from pydantic import ValidationError

from spatial_workbench.engine.studies.files.sealing import (
    BLOCK_BYTES,
    Seal,
    SealError,
    new_seal,
    open_bytes,
    recovery_key,
    seal_bytes,
    unlock,
)

SECRET = "outcomes of sesame"
NEW = new_seal(SECRET)
PRIVATE = unlock(NEW.seal, SECRET)


def test_what_is_sealed_is_opened_with_the_passphrase():
    assert open_bytes(PRIVATE, seal_bytes(NEW.seal.public, b"an answer")) == b"an answer"


def test_the_recovery_key_opens_however_it_is_typed():
    assert NEW.recovery == recovery_key(NEW.seal, SECRET)
    assert unlock(NEW.seal, NEW.recovery.lower().replace("-", " ")) == PRIVATE


def test_a_slip_in_the_recovery_key_is_noticed():
    slip = ("A" if NEW.recovery[0] != "A" else "B") + NEW.recovery[1:]
    with pytest.raises(SealError, match="neither the passphrase"):
        unlock(NEW.seal, slip)


def test_a_wrong_passphrase_opens_nothing():
    with pytest.raises(SealError, match="neither the passphrase"):
        unlock(NEW.seal, "outcomes of simsim")


def test_the_key_of_another_study_opens_nothing():
    other = new_seal(SECRET)
    with pytest.raises(SealError, match="neither the passphrase"):
        unlock(NEW.seal, other.recovery)
    with pytest.raises(SealError, match="sealed for another study"):
        open_bytes(unlock(other.seal, SECRET), seal_bytes(NEW.seal.public, b"an answer"))


@pytest.mark.parametrize("damaged", ["", "no base64 !", "AAAA"])
def test_damaged_contents_are_refused(damaged):
    with pytest.raises(SealError, match="altered"):
        open_bytes(PRIVATE, damaged)


def test_an_altered_letter_is_noticed():
    sealed = seal_bytes(NEW.seal.public, b"an answer")
    with pytest.raises(SealError, match="altered"):
        open_bytes(PRIVATE, sealed[:100] + ("A" if sealed[100] != "A" else "B") + sealed[101:])


def test_equal_answers_look_different_and_short_ones_are_as_long_as_longer_ones():
    texts = [seal_bytes(NEW.seal.public, content) for content in (b"1", b"1", b"1" * (BLOCK_BYTES - 1))]
    assert len(set(texts)) == 3
    assert len({len(text) for text in texts}) == 1


def test_a_short_passphrase_is_refused():
    with pytest.raises(SealError, match="at least 8 characters"):
        new_seal("sesame")


def test_spaces_around_a_passphrase_do_not_make_it_longer():
    with pytest.raises(SealError, match="at least 8 characters"):
        new_seal("  sesame  ")


def test_a_passphrase_opens_from_every_keyboard():
    seal = new_seal(unicodedata.normalize("NFC", "Schlüssel für später")).seal
    assert unlock(seal, unicodedata.normalize("NFD", " Schlüssel für später\n"))


@pytest.mark.parametrize("public", ["00" * 32, "01" + "00" * 31, "ab", "zz" * 32])
def test_a_public_key_to_which_nothing_can_be_encrypted_is_refused(public):
    with pytest.raises(ValidationError, match="public"):
        Seal(public=public, salt=NEW.seal.salt, locked=NEW.seal.locked)


def test_nothing_of_the_private_key_stands_in_the_open():
    assert PRIVATE.hex() not in NEW.seal.model_dump_json()
