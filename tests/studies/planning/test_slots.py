"""Slots: equal studies give equal places, and each full round uses every row and condition once."""

from collections import Counter

import pytest

from spatial_workbench.engine.studies.planning.document import study_of
from spatial_workbench.engine.studies.planning.slots import replacement, slots_of
from tests.studies.planning.test_document import SMALLEST


def item(name, **values):
    return {"id": name, "kind": "instance", "address": "maze_3d:0"} | values


def study(**changes):
    return study_of(SMALLEST | changes)


def block(name, items, order="latin", **values):
    return {"id": name, "order": order, "items": items, **values}


def orders(slots):
    return ["".join(trial.item for trial in slot.trials) for slot in slots]


FOUR = [item(name) for name in "abcd"]


def test_forty_slots_of_a_latin_square_use_each_row_ten_times():
    slots = slots_of(study(blocks=[block("x", FOUR)], plan={"slots": 40}))
    assert Counter(slot.row % 4 for slot in slots) == dict.fromkeys(range(4), 10)
    assert Counter(orders(slots)) == dict.fromkeys(["abcd", "bcda", "cdab", "dabc"], 10)
    assert slots[16].code == "P017E"


def test_equal_studies_give_equal_slots():
    assert slots_of(study()) == slots_of(study())


def test_conditions_between_people_are_dealt_with_the_rows():
    slots = slots_of(study(blocks=[block("x", FOUR)], plan={"slots": 16}, conditions={"one": {}, "two": {}}))
    assert set(Counter((slot.row % 4, slot.condition) for slot in slots).values()) == {2}
    assert all(trial.condition == slot.condition for slot in slots for trial in slot.trials)


def test_conditions_within_people_go_with_the_blocks():
    blocks = [block("x", FOUR[:2], condition="one"), block("y", [item("e"), item("f")], condition="two")]
    changes = {"assignment": "within", "blocks_order": "latin", "conditions": {"one": {}, "two": {}}}
    slots = slots_of(study(blocks=blocks, plan={"slots": 4}, **changes))
    assert Counter(slot.trials[0].block for slot in slots) == {"x": 2, "y": 2}
    assert {trial.condition for slot in slots for trial in slot.trials if trial.block == "y"} == {"two"}


def test_practice_comes_first_and_attention_is_never_first_or_last():
    items = [*FOUR, item("p", phase="practice"), item("z", phase="attention", expects={"score": 1})]
    for order in orders(slots_of(study(blocks=[block("x", items)], plan={"slots": 40}))):
        assert order[0] == "p"
        assert 1 <= order[1:].index("z") <= 3


def test_reserves_are_dealt_to_the_conditions_in_turn():
    conditions = {"hands": {"aids": ["editing"]}, "eyes": {"aids": ["viewing"]}}
    plan = {"slots": 8, "reserve": 5}
    slots = slots_of(study(blocks=[block("x", FOUR)], conditions=conditions, assignment="between", plan=plan))
    reserves = [slot.condition for slot in slots if slot.is_reserve]
    assert sorted(Counter(reserves).values()) == [2, 3]
    assert {(slot.row, slot.condition) for slot in slots if slot.is_reserve} <= {
        (slot.row, slot.condition) for slot in slots if not slot.is_reserve
    }


def test_a_reserve_has_the_row_and_condition_of_whom_it_replaces():
    slots = slots_of(study(blocks=[block("x", FOUR)], plan={"slots": 4, "reserve": 4}))
    reserves = [slot for slot in slots if slot.is_reserve]
    chosen = replacement(slots, slots[1], [])
    assert (chosen.row, chosen.condition, chosen.is_reserve) == (slots[1].row, slots[1].condition, True)
    assert replacement(slots, slots[1], [slot.code for slot in reserves]) is None


def test_blocks_with_fewer_rows_go_through_theirs_equally_often():
    blocks = [block("x", FOUR), block("y", [item(name) for name in "uvw"])]
    slots = slots_of(study(blocks=blocks, plan={"slots": 12}))
    assert Counter(line[4] for line in orders(slots)) == {"u": 4, "v": 4, "w": 4}


@pytest.mark.parametrize("order", ["fixed", "shuffle", "latin", "williams"])
def test_every_item_is_met_once(order):
    for line in orders(slots_of(study(blocks=[block("x", FOUR, order)], plan={"slots": 8}))):
        assert sorted(line) == list("abcd")


def test_shuffles_differ_from_slot_to_slot():
    slots = slots_of(study(blocks=[block("x", FOUR, "shuffle")], plan={"slots": 12}))
    assert len(set(orders(slots))) > 6


def test_the_order_in_which_conditions_are_written_changes_no_slot():
    one = {"a": {}, "b": {"feedback": "passed"}}
    two = {"b": {"feedback": "passed"}, "a": {}}
    assert slots_of(study_of(SMALLEST | {"conditions": one})) == slots_of(study_of(SMALLEST | {"conditions": two}))
