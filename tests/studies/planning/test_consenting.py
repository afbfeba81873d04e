"""What people agree to says what the plan says, and nothing that contradicts it or the boxes below it."""

import pytest

from spatial_workbench.engine.core.languages.translation import in_language
from spatial_workbench.engine.studies.planning.consenting import consent_words, written_consent
from spatial_workbench.engine.studies.planning.document import StudySetting, study_of
from spatial_workbench.engine.studies.planning.slots import slots_of
from tests.studies.planning.test_document import SMALLEST

BOXES = [{"key": "part", "required": True}, {"key": "share"}, {"key": "quote"}]


def told(time_factor=1.0, boxes=BOXES, **changes):
    study = study_of(SMALLEST | {"consent": {"version": "1", "boxes": boxes}} | changes)
    return consent_words(study, slots_of(study)[0], time_factor=time_factor)


def test_it_says_all_that_people_have_to_know_before_they_agree():
    titles = [line.split(":**")[0].strip("*") for line in told().split("\n\n")[1:]]
    assert titles == [
        "Purpose",
        "What you do",
        "How long it takes",
        "Pay",
        "Risks",
        "What is stored",
        "Who sees it",
        "When it is deleted",
        "Contact",
    ]


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"item_s": 600}, "Up to 20 minutes for the items that count"),
        ({"item_s": 600, "total_s": 900}, "Up to 15 minutes for the items that count"),
        ({"total_s": 900}, "Up to 15 minutes for the items that count"),
        ({}, "There is no time limit for all items"),
        ({"item_s": 600, "sitting_s": 900}, "You can spread it over up to 3 sittings."),
    ],
)
def test_it_says_how_long_it_takes(limits, said):
    assert said in told(limits=limits)


def test_a_time_factor_makes_it_longer():
    assert "Up to 30 minutes" in told(1.5)


def test_pay_is_that_of_the_plan_and_none_is_promised_without():
    assert "**Pay:** 12 EUR" in told(incentive={"base": "12 EUR"})
    assert "No pay is promised." not in told(incentive={"base": "12 EUR"})
    assert "No pay is promised." in told()


def test_who_sees_answers_depends_on_the_boxes_that_there_are():
    assert "only shared with others if you tick the box for that" in told()
    assert "cannot be taken back" in told()
    alone = told(boxes=[{"key": "part", "required": True}])
    assert "Your single answers are not shared with others." in alone
    assert "box" not in alone
    assert "cannot be taken back" not in alone


def test_it_says_when_data_are_deleted():
    assert "until 2027-01-31" in told()
    assert "All data are deleted after 2032-01-31." in told()


def test_what_is_logged_beyond_the_rule_is_said():
    assert "ten times a second" in told(log={"pointer": True})
    assert "ten times a second" not in told()


def test_an_approval_is_named_if_there_is_one():
    assert "**Ethics review:** Board of A, 17, approved" in told(
        ethics={"body": "Board of A", "number": "17", "status": "approved"}
    )
    assert "Ethics" not in told()


def test_a_text_of_ones_own_is_shown_as_it_always_was():
    study = study_of(SMALLEST | {"incentive": {"base": "12 EUR"}})
    assert consent_words(study, slots_of(study)[0]) == (
        "I take part.\n\n**Pay:** 12 EUR\n\n**Contact:** a@b\n\n"
        "You can have your data deleted until 2027-01-31; tell A your code. All data are deleted after 2032-01-31. "
        "Only your code is stored, never your name."
    )


def test_it_is_written_in_the_language_that_is_spoken():
    with in_language("de"):
        german = told(incentive={"base": {"en": "12 EUR an hour", "de": "12 EUR je Stunde"}})
    assert "**Bezahlung:** 12 EUR je Stunde" in german
    assert "bis zum 31.01.2027" in german


def test_in_a_browser_it_says_what_is_stored_of_that_and_nothing_of_this_computer():
    study = study_of(SMALLEST | {"consent": {"version": "1"}})
    words = consent_words(study, slots_of(study)[0], StudySetting.BROWSER)
    assert "Of your browser: its kind and version" in words
    assert "this computer" not in words
    assert "Of your browser" not in consent_words(study, slots_of(study)[0], StudySetting.DESK)


def test_beside_words_of_the_leader_it_says_what_is_stored_of_a_browser():
    study = study_of(SMALLEST)
    assert "**In a browser:** Of your browser" in consent_words(study, slots_of(study)[0], StudySetting.BROWSER)


def test_reports_hold_what_people_read_in_each_setting():
    study = study_of(SMALLEST | {"consent": {"version": "1"}, "setting": "both"})
    at_a_desk, in_a_browser = written_consent(study).split("What people read in a browser:")
    assert at_a_desk.startswith("What people read at a desk:")
    assert "this computer" in at_a_desk
    assert "your browser" in in_a_browser


def test_reports_hold_it_in_every_language_of_the_study():
    study = study_of(SMALLEST | {"consent": {"version": "1"}, "languages": ["en", "de"]})
    assert {language: words.split("\n")[2][:9] for language, words in written_consent(study).items()} == {
        "en": "**Purpose",
        "de": "**Zweck:*",
    }
