"""Variants of prompts: where the task's own words go."""

import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.evaluation.planning.single import request_for
from spatial_workbench.engine.evaluation.planning.variants import PromptVariant, VariantProblem, read_variant

PROMPT = "Divide the grid.\n\nAnswer with JSON: {}"


def variant(text, name="v"):
    return PromptVariant(name=name, text=text)


def test_the_whole_prompt_stands_where_the_variant_says():
    assert variant("Think.\n{prompt}\nGo.").applied("Why {x}?") == "Think.\nWhy {x}?\nGo."


def test_a_text_without_a_place_stands_before_the_prompt():
    assert variant("Be brief.\n").applied("Why?") == "Be brief.\n\nWhy?"


def test_the_answer_format_can_be_reworded_alone():
    assert variant("{task}\nFinish with a list.").applied(PROMPT) == "Divide the grid.\nFinish with a list."


def test_the_answer_format_begins_at_the_last_line_that_begins_so():
    twice = f"Answer with care.\n{PROMPT}"
    assert variant("{answer_format}").applied(twice) == "Answer with JSON: {}"


def test_other_braces_stay_as_they_were_written():
    assert variant('{prompt} {"a": 1} {}').applied("Why?") == 'Why? {"a": 1} {}'


def test_words_of_the_prompt_are_not_taken_for_places():
    assert variant("{task} | {answer_format}").applied("{answer_format}\nAnswer with {task}") == (
        "{answer_format} | Answer with {task}"
    )


def test_a_prompt_without_the_parts_that_are_named_is_refused():
    assert not variant("{task}").fits("Why?")
    with pytest.raises(VariantProblem, match="Answer with"):
        variant("{task}").applied("Why?")


def test_equal_texts_have_equal_hashes_whatever_their_names():
    assert variant("a", "one").hash == variant("a", "two").hash != variant("b", "one").hash


def test_a_file_gives_its_name_to_the_variant(tmp_path):
    path = tmp_path / "terse.txt"
    path.write_text("Be brief. {prompt}")
    assert read_variant(path) == variant("Be brief. {prompt}", "terse")


@pytest.mark.parametrize("content", [b"", b" \n", b"\xff\xfe\xff"])
def test_a_file_that_holds_no_text_is_refused(tmp_path, content):
    path = tmp_path / "odd.txt"
    path.write_bytes(content)
    with pytest.raises(VariantProblem, match="odd"):
        read_variant(path)


def test_the_request_has_the_words_of_the_variant_and_the_schema_of_the_task():
    task, instance = resolve("shikaku:0")
    own = request_for(task, instance)
    asked = request_for(task, instance, variant=variant("Think first. {prompt}"))
    assert asked.text == f"Think first. {own.text}"
    assert asked.schema == own.schema
