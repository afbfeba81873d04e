"""Somebody reads the pages in a language of the study: the one chosen there, or what the browser prefers."""

import pytest

from spatial_workbench.app.serving.pages.page_languages import preferred
from spatial_workbench.engine.core.languages.translation import language_name
from tests.app.serving.test_gate import URL, Study

GERMAN = {"Accept-Language": "de-AT, en;q=0.5"}


@pytest.fixture
def study(tmp_path):
    study = Study(tmp_path)
    study.gate.languages = ("en", "de")
    return study


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("fr", "en"),
        ("de", "de"),
        ("de-AT,en;q=0.9", "de"),
        ("en;q=0.3, de;q=0.8", "de"),
        ("fr, de;q=0.1", "de"),
        ("de;q=0, en;q=0.1", "en"),
        ("pt-PT", "pt-BR"),
        ("pt, pt-BR;q=0.4", "pt-BR"),
        ("*", "en"),
        ("de;q=nan, \x00, ;;;,en;q=2", "en"),
        ("a," * 5000 + "de", "en"),
    ],
)
def test_the_language_that_the_browser_prefers_among_those_of_the_study(header, language):
    assert preferred(header, ("en", "de", "pt-BR")) == language


def test_a_country_is_preferred_where_the_study_has_it():
    assert preferred("de-CH", ("en", "de", "de-CH")) == "de-CH"


def test_a_language_is_named_as_it_calls_itself():
    assert [language_name(code) for code in ("en", "de", "de-AT", "xx")] == ["English", "Deutsch", "Deutsch", "xx"]


def test_the_page_of_a_link_is_in_the_language_that_the_browser_prefers_and_leads_to_the_others(study):
    page = study.browser().get(study.path_of("P001H"), headers=GERMAN).text
    assert ('<html lang="de">' in page, "Beginnen" in page) == (True, True)
    assert '<a href="?language=en" lang="en" hreflang="en">English</a>' in page
    assert ">Deutsch</a>" not in page


def test_a_study_in_one_language_offers_no_others(study):
    study.gate.languages = ("en",)
    assert "languages" not in study.browser().get(study.path_of("P001H"), headers=GERMAN).text


def test_the_language_chosen_on_the_page_of_a_link_stays_until_the_window_says_otherwise(study):
    browser = study.browser()
    path = study.path_of("P001H")
    assert '<html lang="de">' in browser.get(f"{path}?language=de").text
    form = {"form": study.gate.links.form_token_of(study.gate.links.token_of("P001H"))}
    browser.post(f"{path}?language=de", data=form, headers={"Origin": URL})
    host = study.gate.seats.host_of("P001H")
    assert (host.entry.language, host.entry.told()["language"]) == ("de", "de")
    assert '<html lang="de"' in browser.get("/take-part").text
    host.chosen_language = "en"
    assert '<html lang="en"' in browser.get("/take-part").text


def test_a_language_that_is_none_of_the_study_is_not_spoken(study):
    page = study.browser().get(study.path_of("P001H") + "?language=%22%3E%3Cscript%3E").text
    assert '<html lang="en">' in page
    assert "script>" not in page.split("check.js")[0]


def test_a_page_without_a_link_is_in_the_language_of_the_browser(study):
    assert "Sie brauchen einen Link" in study.browser().get("/", headers=GERMAN).text


def test_other_parameters_of_an_address_stay_when_the_language_is_changed(study):
    page = study.browser().get("/code?a=1&language=de&b=2").text
    assert 'href="?a=1&amp;b=2&amp;language=en"' in page
    assert 'action="/code?language=de"' in page
