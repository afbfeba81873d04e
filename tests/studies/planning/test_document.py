"""The study document: read strictly, written canonically."""

import json

import pytest

from spatial_workbench.engine.studies.planning.document import (
    DocumentError,
    StudySetting,
    read_study,
    study_of,
    texts_by_value,
    write_study,
)

SMALLEST = {
    "format": 1,
    "id": "00c0ffee00c0ffee",
    "name": "Two mazes",
    "leader": "A",
    "contact": "a@b",
    "question": "Who finds the way?",
    "population": "Everybody",
    "sampling": "convenience",
    "consent": {"version": "1", "text": "I take part.", "boxes": [{"key": "part", "required": True}]},
    "blocks": [
        {
            "id": "a",
            "order": "latin",
            "items": [
                {"id": "m0", "kind": "instance", "phase": "main", "address": "maze_3d:0"},
                {"id": "m1", "kind": "instance", "phase": "main", "address": "maze_3d:1"},
            ],
        }
    ],
    "limits": {"item_s": 600},
    "plan": {"slots": 8},
    "retention": {"withdraw_until": "2027-01-31", "delete_after": "2032-01-31"},
    "leave": {"salt": "00", "hash": "11"},
}


def changed(path, value):
    data = json.loads(json.dumps(SMALLEST))
    place = data
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value
    return data


def test_the_smallest_document_can_be_read():
    study = study_of(SMALLEST)
    assert [item.address for item in study.items()] == ["maze_3d:0", "maze_3d:1"]
    assert sorted(study.conditions["only"].aids) == ["editing", "viewing"]
    assert (study.limits.submissions, study.questions.confidence) == (1, True)


def test_writing_reading_and_writing_gives_equal_bytes():
    first = write_study(study_of(SMALLEST))
    assert write_study(read_study(first)) == first


YES = {"value": "yes", "text": {"en": "yes", "de": "ja"}}


def asked(*options):
    return changed(["covariates"], [{"key": "ai", "ask": "AI?", "type": "choice", "options": list(options)}])


def test_an_option_is_stored_as_its_value_in_whatever_language_it_is_read():
    (question,) = study_of(asked("no", YES)).covariates
    assert texts_by_value(question.options) == {"no": "no", "yes": {"en": "yes", "de": "ja"}}


def test_options_that_are_only_texts_have_the_hash_that_they_always_had():
    study = study_of(asked("no", "yes"))
    assert study.data["covariates"][0]["options"] == ["no", "yes"]
    assert study.hash == "dd1962ba23a70a72912df1d26d848739e73a4b260f433fce0a37b713eb8314fa"


def test_a_blank_more_in_the_consent_is_another_study():
    other = study_of(changed(["consent", "text"], "I take  part."))
    assert other.hash != study_of(SMALLEST).hash == read_study(write_study(study_of(SMALLEST))).hash


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (["colour"], "red", "colour: is not a field of the document"),
        (["name"], "", "name: "),
        (["name"], "x" * 81, "name: "),
        (["id"], "coffee", "id: "),
        (["format"], 2, "format: 2 is newer"),
        (["plan", "slots"], 0, "plan.slots: "),
        (["plan", "slots"], "many", "plan.slots: "),
        (["limits", "item_s"], 0, "limits.item_s: "),
        (["limits", "item_s"], float("nan"), "limits.item_s: "),
        (["limits", "submissions"], 21, "limits.submissions: "),
        (["blocks", 0, "order"], "random", "blocks[0].order: "),
        (["blocks", 0, "items", 1, "phase"], "dessert", "blocks[0].items[1].phase: "),
        (["conditions"], {"only": {"aids": ["magic"]}}, "conditions.only.aids"),
        (["analysis"], {"success": "score >= 2"}, "analysis.success: "),
        (["retention", "delete_after"], "never", "retention.delete_after: "),
        (["consent", "text"], "x" * 20_001, "consent.text: "),
    ],
)
def test_a_wrong_field_is_named_with_its_place(path, value, words):
    with pytest.raises(DocumentError) as refused:
        study_of(changed(path, value))
    assert str(refused.value).startswith(words)


def test_a_field_that_is_missing_is_named():
    data = dict(SMALLEST)
    del data["consent"]
    with pytest.raises(DocumentError, match="consent: is missing"):
        study_of(data)


@pytest.mark.parametrize("raw", ["", "[", "[]", "{" * 100_000, "x" * 2_000_001, '{"format": 1e999}'])
def test_what_is_no_document_is_refused(raw):
    with pytest.raises(DocumentError):
        read_study(raw)


def test_hashes_hold_when_documents_gain_a_field():
    assert study_of(SMALLEST).hash == "11b34c61d6aa49099467064ed6b02b6c671b58923bfcbb2e0d7999ec646ba2f3"


def test_a_format_check_is_only_named_where_it_is_off():
    typed = {"aids": [], "answer": "text"}
    on, off = (study_of(changed(["conditions"], {"a": typed | {"format_check": check}})) for check in (True, False))
    assert "format_check" not in on.data["conditions"]["a"]
    assert off.data["conditions"]["a"]["format_check"] is False
    assert study_of(off.data) == off
    assert on.hash != off.hash


def test_the_setting_is_only_named_where_it_is_not_the_desk():
    assert "setting" not in study_of(SMALLEST).data
    assert study_of(SMALLEST | {"setting": "desk"}).hash == study_of(SMALLEST).hash
    assert study_of(SMALLEST | {"setting": "both"}).settings == (StudySetting.DESK, StudySetting.BROWSER)
