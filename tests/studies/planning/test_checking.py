"""What keeps a study from being frozen, and what is only doubtful."""

import pytest

from spatial_workbench.engine.studies.planning.checking import check_study
from spatial_workbench.engine.studies.planning.document import PRESETS, study_of
from tests.studies.planning.test_document import SMALLEST, changed


def problems(data):
    return [(problem.place, problem.is_error, problem.message) for problem in check_study(study_of(data))]


def test_the_smallest_document_has_no_problem():
    assert problems(SMALLEST) == []


@pytest.mark.parametrize("name", PRESETS)
def test_the_named_conditions_fit(name):
    data = changed(["conditions"], {"only": PRESETS[name].model_dump(mode="json", by_alias=True)})
    assert problems(data) == []


def covariate(**values):
    return {"covariates": [{"key": "age", "ask": "How old are you?", "type": "integer"} | values]}


@pytest.mark.parametrize(
    ("change", "place", "words"),
    [
        ({"blocks": [SMALLEST["blocks"][0], SMALLEST["blocks"][0]]}, "blocks.a", "id of 2 blocks"),
        ({"limits": {"item_s": 10, "min_s": 10}}, "limits.min_s", "not before the limit"),
        ({"limits": {"total_s": 5, "min_s": 3}}, "limits.total_s", "shorter than"),
        ({"limits": {"stop_on_pass": True}}, "limits.stop_on_pass", "told whether they passed"),
        ({"conditions": {"a": {"feedback": "live"}}}, "conditions.a", "judging"),
        ({"conditions": {"a": {"answer": "text"}}}, "conditions.a", "without an editor"),
        ({"conditions": {"a": {"aids": []}}}, "conditions.a", "editing"),
        ({"assignment": "within"}, "blocks_order", "latin"),
        ({"eligibility": [{"covariate": "age", "op": ">=", "value": 18}]}, "eligibility[0]", "no question “age”"),
        (covariate(type="choice"), "covariates.age.options", "fewer than two options"),
        (covariate(ask=""), "covariates.age.ask", "no question"),
        (
            covariate(type="choice", options=["young", "old"])
            | {"eligibility": [{"covariate": "age", "op": "in", "value": ["old", "none"]}]},
            "eligibility[0]",
            "“none” is not an option of “age”",
        ),
        ({"retention": {"withdraw_until": "2030-01-01", "delete_after": "2029-01-01"}}, "retention", "deleted before"),
        ({"consent": {"version": "1", "text": "x"}}, "consent.boxes", "No box is required"),
        ({"languages": ["en", "de"], "instructions": {"en": "Go."}}, "instructions", "missing in de"),
        (covariate(ask={"en": "Age?"}) | {"languages": ["en", "de"]}, "covariates.age.ask", "missing in de"),
        (
            covariate(type="choice", options=["young", {"value": "old", "text": {"en": "old"}}])
            | {"languages": ["en", "de"]},
            "covariates.age.options",
            "missing in de",
        ),
        ({"analysis": {"contrasts": [{"condition": "only", "run": ""}]}}, "analysis.contrasts[0].run", "no run"),
        ({"analysis": {"contrasts": [{"condition": "b", "run": "m"}]}}, "analysis.contrasts[0]", "no condition “b”"),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(change, place, words):
    found = [(where, message) for where, is_error, message in problems(SMALLEST | change) if is_error]
    assert any(where == place and words in message for where, message in found), found


@pytest.mark.parametrize(
    ("address", "words"), [("maze_3d:99", "instances 0 to 5"), ("nothing:0", "no task"), ("", "no task")]
)
def test_an_address_that_names_nothing_is_told_in_the_tasks_words(address, words):
    ((place, is_error, message),) = problems(changed(["blocks", 0, "items", 1, "address"], address))
    assert (place, is_error) == ("items.m1", True)
    assert words in message


@pytest.mark.parametrize(
    ("change", "place", "words"),
    [
        ({"plan": {"slots": 9}}, "plan.slots", "Unbalanced by 1"),
        (covariate(ask="What is your name?"), "covariates.age", "codes, not names"),
        ({"welcome": "See <b>this</b>"}, "welcome", "plain text"),
    ],
)
def test_what_is_doubtful_is_a_warning(change, place, words):
    ((where, is_error, message),) = problems(SMALLEST | change)
    assert (where, is_error) == (place, False)
    assert words in message


@pytest.mark.parametrize(("languages", "told"), [(["de-AT", "en"], ""), (["fr", "de", "tlh"], "fr, tlh")])
def test_languages_that_the_program_does_not_speak_are_told(languages, told):
    texts = dict.fromkeys(languages, "Go.")
    found = problems(SMALLEST | {"languages": languages, "instructions": texts})
    messages = [message for place, is_error, message in found if place == "languages" and not is_error]
    assert [f"no translation into {told}:" in message for message in messages] == ([True] if told else [])
