"""A draft has a default for everything, and nothing is wrong with it."""

from datetime import date

import pytest

from spatial_workbench.engine.studies.analysis.rules import DEFAULTS
from spatial_workbench.engine.studies.planning.amending import incomparable_parts
from spatial_workbench.engine.studies.planning.checking import check_study
from spatial_workbench.engine.studies.planning.default_texts import LIBRARY
from spatial_workbench.engine.studies.planning.document import study_of
from spatial_workbench.engine.studies.planning.drafting import Wish, block_of, drafted, item_id, new_passphrase
from spatial_workbench.engine.studies.planning.preregistration import plan_text
from spatial_workbench.engine.studies.sessions.leaving import opens
from tests.studies.planning.test_document import SMALLEST

TODAY = date(2026, 11, 22)


def draft(**changes):
    return drafted(Wish("Mazes", ("maze_3d:0", "maze_3d:1"), "open sesame 7", **changes), TODAY)


def test_nothing_is_wrong_with_a_draft():
    assert check_study(draft()) == []


def test_a_draft_names_every_rule_so_that_all_are_frozen():
    assert {rule.rule for rule in draft().rules} == set(DEFAULTS)


def test_the_slots_use_all_rows_equally():
    addresses = tuple(f"maze_3d:{number}" for number in range(3))
    assert drafted(Wish("Mazes", addresses, "open sesame 7"), TODAY).plan.slots == 12


def test_the_passphrase_opens_and_is_not_in_the_document():
    study = draft()
    assert opens(study.leave, "open sesame 7")
    assert "sesame" not in str(study.data)


def test_a_short_passphrase_is_refused():
    with pytest.raises(ValueError, match="at least 8"):
        drafted(Wish("Mazes", ("maze_3d:0",), "short"))


def test_passphrases_differ():
    assert new_passphrase() != new_passphrase()


def test_instances_that_share_an_answer_are_one_item():
    block = block_of("a", tuple(f"interlocking_parts:{number}" for number in range(9)))
    assert (len(block.items), block.order) == (1, "fixed")


def test_a_block_has_the_name_that_it_was_given():
    assert block_of("main", ("maze_3d:0", "maze_3d:1")).id == "main"


def test_item_ids_are_short_and_differ():
    assert item_id("maze_3d:0", set()) == "maze_3d_0"
    assert item_id("maze_3d:0", {"maze_3d_0"}) == "maze_3d_0_2"
    assert len(item_id("x" * 80 + ":0", set())) <= 40


def test_the_library_has_no_two_questions_of_a_key():
    assert len({covariate.key for covariate in LIBRARY}) == len(LIBRARY)


def test_the_plan_holds_hypotheses_limits_and_rules():
    study = study_of(
        SMALLEST | {"hypotheses": ["People win", "Models lose"], "plan": {"slots": 8, "planner": {"m": 2}}}
    )
    text = plan_text(study, TODAY)
    for words in (
        study.hash,
        "1. People win",
        "2. Models lose",
        "maze_3d:0",
        "600 s",
        "| attention | exclude |",
        "m = 2",
    ):
        assert words in text


def test_a_greeting_is_comparable_and_a_limit_is_not():
    study = study_of(SMALLEST)
    assert incomparable_parts(study, study_of(SMALLEST | {"welcome": "Hello"})) == []
    assert incomparable_parts(study, study_of(SMALLEST | {"limits": {"item_s": 60}})) == ["limits"]


def test_the_plan_says_where_people_take_part():
    both = study_of(SMALLEST | {"setting": "both"})
    assert "- Where people take part: at a desk or in a browser; figures" in plan_text(both, TODAY)
