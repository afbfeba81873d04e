"""Who somebody is whom a recruiter sends: what is believed, and what is not."""

import pytest

from spatial_workbench.app.serving.recruiting.arrivals import (
    FORM_S,
    Arrival,
    ArrivalReader,
    ArrivalRefused,
    ArrivalSeals,
    identity_hash,
)
from spatial_workbench.app.serving.recruiting.recruiters_file import (
    RecruiterKind,
    RecruitersFileError,
    read_recruiters_file,
)
from tests.app.serving.recruiting.recruiter import (
    FOREIGN,
    KEY,
    PERSON,
    SESSION,
    STUDY,
    jwks,
    query,
    recruiters_file,
    signature,
    signed_file,
    token,
)


def reader(path):
    return ArrivalReader(read_recruiters_file(path), path.parent)


def test_a_link_of_prolific_says_who_somebody_is_and_proves_nothing(tmp_path):
    assert reader(recruiters_file(tmp_path)).read(query()) == Arrival(PERSON, SESSION, is_signed=False)


def test_links_of_sona_and_of_others_name_one_person(tmp_path):
    assert reader(recruiters_file(tmp_path, "sona")).read("survey_code=12345") == Arrival("12345")
    assert reader(recruiters_file(tmp_path, "other")).read("participant=ada.1") == Arrival("ada.1")


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "PROLIFIC_PID=x",
        "SESSION_ID=x",
        f"{query()}&PROLIFIC_PID=other",
        "PROLIFIC_PID=&SESSION_ID=s",
        "PROLIFIC_PID={{%PROLIFIC_PID%}}&SESSION_ID=s",
        f"PROLIFIC_PID={'x' * 129}&SESSION_ID=s",
        "PROLIFIC_PID=a%0Ab&SESSION_ID=s",
        "PROLIFIC_PID=ä&SESSION_ID=s",
        "prolific_pid=x&session_id=y",
        "&".join(f"a{i}=1" for i in range(100)),
    ],
)
def test_a_link_that_does_not_say_who_somebody_is_is_refused(tmp_path, bad):
    with pytest.raises(ArrivalRefused):
        reader(recruiters_file(tmp_path)).read(bad)


def test_a_link_of_another_study_is_refused(tmp_path):
    read = reader(recruiters_file(tmp_path, study=STUDY)).read
    assert read(query()).person == PERSON
    with pytest.raises(ArrivalRefused):
        read(query(study="another"))


def test_a_signed_token_proves_who_somebody_is(tmp_path):
    read = reader(signed_file(tmp_path)).read
    assert read(f"prolific_token={token()}") == Arrival(PERSON, SESSION, is_signed=True)
    assert read(f"{query()}&prolific_token={token()}") == Arrival(PERSON, SESSION, is_signed=True)


@pytest.mark.parametrize(
    "forged",
    [
        "",
        "prolific_token=x",
        "prolific_token=a.b.c",
        f"prolific_token={token(key=FOREIGN)}",
        f"prolific_token={token(kid='second')}",
        f"prolific_token={token(exp=1)}",
        f"prolific_token={token(exp=None)}",
        f"prolific_token={token(aud='https://other.example')}",
        f"prolific_token={token(aud=None)}",
        f"prolific_token={token(nbf=2**33)}",
        f"prolific_token={token(prolific=None)}",
        f"prolific_token={token(prolific='x')}",
        f"prolific_token={token(prolific={'STUDY_ID': STUDY})}",
        f"prolific_token={token(key='', algorithm='none')}",
        f"prolific_token={token(key='a secret that is no public key, but long', algorithm='HS256')}",
        f"prolific_token={token()[:-4]}AAAA",
        f"{query(person='somebody-else')}&prolific_token={token()}",
        f"{query(session='another')}&prolific_token={token()}",
        query(),
    ],
)
def test_a_forged_token_is_refused(tmp_path, forged):
    with pytest.raises(ArrivalRefused):
        reader(signed_file(tmp_path)).read(forged)


def test_a_token_without_a_session_is_of_one_person_all_the_same(tmp_path):
    said = {"PROLIFIC_PID": PERSON, "STUDY_ID": STUDY}
    assert reader(signed_file(tmp_path)).read(f"prolific_token={token(prolific=said)}") == Arrival(PERSON, "", True)


def test_a_shared_key_proves_who_somebody_is(tmp_path):
    read = reader(recruiters_file(tmp_path, "other", shared_key=KEY)).read
    assert read(f"participant=ada&signature={signature('ada')}") == Arrival("ada", is_signed=True)
    for forged in ("participant=ada", f"participant=bob&signature={signature('ada')}", "participant=ada&signature=ä"):
        with pytest.raises(ArrivalRefused):
            read(forged)


@pytest.mark.parametrize(
    "content", [None, "", "[]", "{}", '{"keys": []}', '{"keys": [{"kty": "oct", "k": "AAAA", "kid": "a"}]}']
)
def test_public_keys_that_cannot_be_used_are_one_sentence(tmp_path, content):
    path = signed_file(tmp_path)
    keys = tmp_path / "keys.json"
    keys.unlink() if content is None else keys.write_text(content)
    with pytest.raises(RecruitersFileError, match=r"keys\.json"):
        reader(path)


def test_two_keys_of_one_name_are_not_believed(tmp_path):
    path = signed_file(tmp_path)
    twice = '{"keys": [' + ", ".join(jwks(key)[10:-2] for key in (FOREIGN, FOREIGN)) + "]}"
    (tmp_path / "keys.json").write_text(twice)
    with pytest.raises(ArrivalRefused):
        reader(path).read(f"prolific_token={token(key=FOREIGN)}")


def test_what_a_page_keeps_of_an_arrival_is_read_by_this_server_alone_and_for_some_hours():
    now = [1000.0]
    seals = ArrivalSeals(bytes(32), lambda: now[0])
    arrival = Arrival(PERSON, SESSION, True)
    text = seals.seal(arrival)
    assert PERSON not in text
    assert seals.open(text) == arrival
    assert ArrivalSeals(bytes(31) + b"1").open(text) is None
    changed = ("B" if text[20] == "A" else "A").join((text[:20], text[21:]))
    assert [seals.open(forged) for forged in ("", "x", "ä", changed, text[:-3])] == [None] * 5
    now[0] += FORM_S + 1
    assert seals.open(text) is None
    assert seals.open(text, 2 * FORM_S) == arrival


def test_a_person_is_recognized_by_a_hash_that_only_this_server_can_make():
    hashes = {
        identity_hash(secret, kind, person)
        for secret in (bytes(32), bytes(31) + b"1")
        for kind in (RecruiterKind.SONA, RecruiterKind.OTHER)
        for person in ("1", "2")
    }
    assert len(hashes) == 8
