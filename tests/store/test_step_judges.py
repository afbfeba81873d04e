"""What judges of steps are called, and how one is found by what somebody calls it."""

import json

import pytest

from spatial_workbench.engine.store import JudgementSource, StepJudge
from spatial_workbench.engine.store.step_judges import UnknownJudge, judge_named, judge_titles


def model(name="oak", **setup):
    return StepJudge(source=JudgementSource.JUDGE, name=name, setup=json.dumps(setup))


def person(name):
    return StepJudge(source=JudgementSource.PERSON, name=name)


def titles(*judges):
    return list(judge_titles(judges).values())


def test_a_name_that_only_one_judge_has_is_enough():
    assert titles(model(endpoint="http://a"), model("elm"), person("Ada")) == ["oak", "elm", "Ada (by hand)"]


def test_judges_of_one_name_are_told_apart_by_their_endpoints():
    here, there = (model(endpoint=f"https://{host}/v1", temperature=0) for host in ("office", "home"))
    assert titles(here, there) == ["oak (office/v1)", "oak (home/v1)"]


def test_of_one_endpoint_they_are_told_apart_by_a_setting_or_its_absence():
    cold, warm, unset = ({"temperature": 0}, {"temperature": 1}, {})
    judges = (model(endpoint="http://a", prompt="p", **more) for more in (cold, warm, unset))
    assert titles(*judges) == ["oak (temperature 0)", "oak (temperature 1)", "oak (no temperature)"]


def test_as_few_settings_are_named_as_tell_all_apart():
    judges = [model(endpoint=host, temperature=t, prompt=f"{host}{t}") for host, t in (("a", 0), ("a", 1), ("b", 0))]
    assert titles(*judges) == ["oak (a, temperature 0)", "oak (a, temperature 1)", "oak (b, temperature 0)"]


def test_a_judge_of_an_earlier_version_says_that_its_settings_are_not_recorded():
    assert titles(model(), model(endpoint="http://a")) == ["oak (endpoint and settings not recorded)", "oak (a)"]


def test_a_way_of_asking_and_an_endpoint_share_their_brackets():
    name = "oak (all steps at once)"
    assert titles(model(name, endpoint="a"), model(name, endpoint="b"))[0] == "oak (all steps at once; a)"


def test_a_model_that_is_named_like_a_person_is_no_person():
    assert titles(model("Ada (by hand)", endpoint="a"), person("Ada")) == [
        "Ada (by hand; a)",
        "Ada (by hand; a person)",
    ]


def test_no_two_judges_are_called_the_same_however_much_alike_they_are():
    long = ("x" * 200 + end for end in "ab")
    assert len(set(titles(*(model(endpoint=host) for host in long)))) == 2


def test_a_judge_is_found_by_key_title_and_name():
    here, there, elm = model(endpoint="a"), model(endpoint="b"), model("elm", endpoint="a")
    judges = [here, there, elm]
    assert [judge_named(judges, text) for text in (there.key, "oak (a)", "elm")] == [there, here, elm]


def test_a_name_of_several_judges_and_a_name_of_none_are_refused_with_what_there_is():
    judges = [model(endpoint="a"), model(endpoint="b")]
    with pytest.raises(UnknownJudge, match=r"2 judges are called “oak”: oak \(a\), oak \(b\)\."):
        judge_named(judges, "oak")
    with pytest.raises(UnknownJudge, match=r"There is no judge of steps “ash”; there are oak \(a\), oak \(b\)\."):
        judge_named(judges, "ash")
    with pytest.raises(UnknownJudge, match="nobody has judged steps"):
        judge_named([], "ash")
