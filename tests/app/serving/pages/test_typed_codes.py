"""Who types a code needs its PIN; a phrase leads back to its own place."""

import pytest

from spatial_workbench.app.serving.limits import MOST_OF_LINK
from tests.app.serving.recruiting.recruited import Recruited, begin
from tests.app.serving.test_gate import URL, Study


@pytest.fixture
def study(tmp_path):
    return Study(tmp_path)


def typed(browser, **fields):
    return browser.post("/code", data=fields, headers={"Origin": URL})


def test_a_code_with_its_pin_leads_to_its_link_and_opens_nothing(study):
    pin = study.gate.links.pin_of("P001H")
    answer = typed(study.browser(), code="p001h", pin=f"{pin[:4]} {pin[4:]}")
    assert (answer.status_code, answer.headers["location"]) == (303, study.path_of("P001H"))
    assert study.gate.seats.taken == []


@pytest.mark.parametrize(
    "fields", [{}, {"code": "P001H"}, {"code": "P001H", "pin": "00000000"}, {"code": "x"}, {"phrase": "bafib-a"}]
)
def test_what_fits_nobody_is_said_so(study, fields):
    answer = typed(study.browser(), **fields)
    assert answer.status_code == 403
    assert "That fits nobody" in answer.text


def test_the_pin_of_another_code_does_not_fit(study):
    assert typed(study.browser(), code="P001H", pin=study.gate.links.pin_of("P002Q")).status_code == 403


def test_a_code_that_was_tried_too_often_is_locked_and_others_are_not(study):
    browser = study.browser()
    for number in range(MOST_OF_LINK):
        typed(browser, code="P001H", pin=f"{number:08}")
    assert typed(browser, code="P001H", pin=study.gate.links.pin_of("P001H")).status_code == 403
    assert typed(browser, code="P002Q", pin=study.gate.links.pin_of("P002Q")).status_code == 303


def test_the_phrase_of_somebody_from_a_recruiter_leads_back_and_a_pin_does_not(tmp_path):
    recruited = Recruited(tmp_path)
    with recruited.browser() as browser:
        begin(browser)
        links = recruited.gate.links
        answer = typed(browser, phrase=links.phrase_of("P001H").replace("-", " ").upper())
        assert (answer.status_code, answer.headers["location"]) == (303, f"/join/{links.token_of('P001H')}")
        assert 'id="begin"' in browser.get(answer.headers["location"]).text
        assert typed(browser, code="P001H", pin=links.pin_of("P001H")).status_code == 403
        assert 'name="pin"' not in browser.get("/code").text
