"""What the leader says of the recruiter, and what is wrong with it."""

import pytest

from spatial_workbench.app.serving.recruiting.recruiters_file import (
    RecruitersFileError,
    RecruitOutcome,
    filled,
    read_recruiters_file,
)
from tests.app.serving.recruiting.recruiter import KEY, recruiters_file

COMPLETE = {"complete": {"code": "C"}}


def test_a_file_says_codes_links_and_whom_to_ask(tmp_path):
    file = read_recruiters_file(recruiters_file(tmp_path))
    assert (file.kind, file.ask, file.keep_days, file.is_signed) == (
        "prolific",
        "Ada Example, ada@example.org",
        30,
        False,
    )
    assert file.way_back(RecruitOutcome.COMPLETE).code == "C0MPLETE"
    assert file.way_back(RecruitOutcome.TIMEOUT).link == ""


def test_a_file_may_be_toml(tmp_path):
    path = tmp_path / "recruiter.toml"
    path.write_text('kind = "other"\nask = "Ada"\n[exits.complete]\ncode = "C1"\n')
    assert read_recruiters_file(path).way_back(RecruitOutcome.COMPLETE).code == "C1"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"kind": "mturk"}, "recruiter.json: kind: input should be 'prolific', 'sona' or 'other'."),
        ({"colour": 1}, "recruiter.json: colour: is not known here."),
        ({"ask": None}, "recruiter.json: ask: input should be a valid string."),
        ({"keep_days": 0}, "recruiter.json: keep_days: input should be greater than or equal to 1."),
        ({"exits": {"won": {}}}, "recruiter.json: exits.won: input should be 'complete', 'declined', "),
        ({"exits": {"declined": {}}}, "exits.complete: is missing; say where people go who have finished."),
        ({"exits": {**COMPLETE, "declined": {"url": "x"}}}, "recruiter.json: exits.declined.url: is not known here."),
        ({"exits": {"complete": {"link": "javascript:x()"}}}, "exits.complete.link: has to begin with https://."),
        ({"exits": {"complete": {"link": "http://a.example"}}}, "exits.complete.link: has to begin with https://."),
        ({"exits": {"complete": {"link": "https://{code}/"}}}, "exits.complete.link: has a placeholder in its host."),
        ({"exits": {"complete": {"link": "https://a/{pid}"}}}, "{pid}, but only {code} and {identity} are replaced."),
        ({"exits": {"complete": {"link": "https://a/{code.x}"}}}, "but only {code} and {identity} are replaced."),
        ({"exits": {"complete": {"link": "https://a/{"}}}, "exits.complete.link: is no address."),
        ({"shared_key": KEY}, "recruiter.json: shared_key: only the kind “other” has one."),
        ({"kind": "other", "shared_key": "short"}, "shared_key: string should have at least 16 characters."),
        ({"kind": "sona", "token": {"audience": "a", "keys": "k"}}, "token: only links of Prolific have one."),
        ({"token": {"keys": "k"}}, "recruiter.json: token.audience: is missing."),
        ({"webhook": {}}, "recruiter.json: webhook.secret: is missing."),
    ],
)
def test_what_is_wrong_is_one_sentence_that_names_the_place(tmp_path, changes, sentence):
    with pytest.raises(RecruitersFileError) as caught:
        read_recruiters_file(recruiters_file(tmp_path, **changes))
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b"[" * 50_000, b" " * 200_000, b"kind = 'sona'"])
def test_a_file_that_is_something_else_is_one_sentence(tmp_path, content):
    path = tmp_path / "recruiter.json"
    path.write_bytes(content)
    with pytest.raises(RecruitersFileError, match=r"recruiter\.json"):
        read_recruiters_file(path)


def test_a_missing_file_is_one_sentence(tmp_path):
    with pytest.raises(RecruitersFileError, match="No such file"):
        read_recruiters_file(tmp_path / "none.json")


def test_a_secret_is_not_repeated_in_what_is_said_of_it(tmp_path):
    path = recruiters_file(tmp_path, webhook={"secret": "hush"})
    with pytest.raises(RecruitersFileError) as caught:
        read_recruiters_file(path)
    assert "hush" not in str(caught.value)


def test_an_identity_in_an_address_is_quoted_and_without_one_there_is_no_address():
    assert filled("https://a/?c={code}&p={identity}", "C&1", "a/b") == "https://a/?c=C%261&p=a%2Fb"
    assert filled("https://a/?p={identity}", "C", "") == ""
    assert filled("", "C", "x") == ""
