"""What a new study says and asks by default is in each of its languages; what is stored is the same in all."""

from spatial_workbench.engine.studies.planning.checking import check_study
from spatial_workbench.engine.studies.planning.default_texts import LIBRARY, option_in, said_in, with_defaults_in
from spatial_workbench.engine.studies.planning.document import study_of, texts_by_value
from spatial_workbench.engine.studies.planning.drafting import Wish, drafted

BOTH = ("en", "de")


def draft(*languages):
    return drafted(Wish("Mazes", ("maze_3d:0", "maze_3d:1"), "open sesame 7", languages=languages))


def question(study, key):
    return next(covariate for covariate in study.covariates if covariate.key == key)


def test_a_text_is_plain_in_one_language_and_has_one_for_each_of_several():
    assert said_in("I take part.", ["en"]) == "I take part."
    assert said_in("I take part.", ["de"]) == "Ich nehme teil."
    assert said_in("I take part.", BOTH) == {"en": "I take part.", "de": "Ich nehme teil."}


def test_a_language_that_the_program_does_not_speak_is_left_to_the_leader():
    assert said_in("I take part.", ["fr"]) == "I take part."
    assert said_in("I take part.", ["en", "fr"]) == {"en": "I take part."}
    assert "missing in fr" in "".join(problem.message for problem in check_study(draft("en", "fr")))


def test_an_option_that_is_the_same_in_all_languages_is_plain():
    assert option_in("18-24", BOTH) == "18-24"


def test_what_is_stored_of_an_option_is_the_same_in_a_german_study_so_that_rules_hold():
    texts = texts_by_value(question(draft("de"), "used_ai").options)
    assert texts == {"no": "nein", "yes": "ja"}


def test_nothing_is_wrong_with_a_draft_in_german_or_in_both_languages():
    assert check_study(draft("de")) == []
    assert check_study(draft("de", "en")) == []


def test_a_draft_in_english_is_what_it_always_was():
    study = draft("en")
    assert study.instructions == "Solve as many items as you can."
    assert question(study, "team") == next(covariate for covariate in LIBRARY if covariate.key == "team")


def test_default_texts_follow_when_a_language_is_added_and_go_with_it():
    german = with_defaults_in(draft("en").data, ["en"], BOTH)
    assert german["instructions"] == {
        "en": "Solve as many items as you can.",
        "de": "Lösen Sie so viele Aufgaben, wie Sie können.",
    }
    both = study_of({**german, "languages": BOTH})
    assert check_study(both) == []
    assert question(both, "team") == question(draft(*BOTH), "team")


def test_texts_that_somebody_has_changed_stay_as_they_are():
    data = draft("en").data | {"instructions": "Go."}
    data["covariates"][0]["options"] = ["young", "old"]
    german = with_defaults_in(data, ["en"], BOTH)
    assert german["instructions"] == "Go."
    assert german["covariates"][0]["options"] == ["young", "old"]
    assert german["covariates"][0]["ask"]["de"] == "Wie alt sind Sie?"


def test_a_language_that_the_leader_has_written_stays_when_another_is_added():
    data = draft("en").data | {"instructions": {"en": "Solve as many items as you can.", "fr": "Allez-y."}}
    german = with_defaults_in(data, ["en", "fr"], ["en", "fr", "de"])
    assert german["instructions"]["fr"] == "Allez-y."
    assert german["instructions"]["de"] == "Lösen Sie so viele Aufgaben, wie Sie können."
