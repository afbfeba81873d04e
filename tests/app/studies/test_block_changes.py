"""Changes of the blocks of a plan, as plain data."""

from spatial_workbench.app.studies.leader.plan import block_changes as changes
from spatial_workbench.engine.studies.planning.document import ItemPhase
from spatial_workbench.engine.studies.planning.drafting import block_of

BLOCKS = [block_of("main", ("shikaku:0", "shikaku:1", "delaunay:3")).model_dump(mode="json")]


def ids(blocks):
    return [[item["id"] for item in block["items"]] for block in blocks]


def items(blocks):
    return {item["id"]: item for item in changes.items_of(blocks)}


def test_an_instance_that_is_added_twice_gets_two_ids():
    blocks = changes.with_instances(BLOCKS, 0, ["shikaku:0"], ItemPhase.MAIN)
    assert ids(blocks) == [["shikaku_0", "shikaku_1", "delaunay_3", "shikaku_0_2"]]


def test_a_block_of_its_own_stands_behind_the_others():
    blocks = changes.with_own_block(BLOCKS, {"shikaku_0", "delaunay_3"})
    assert ids(blocks) == [["shikaku_1"], ["shikaku_0", "delaunay_3"]]
    assert [(block["id"], block["order"]) for block in blocks] == [("main", "williams"), ("block2", "latin")]


def test_a_block_that_is_left_empty_goes():
    blocks = changes.with_own_block(BLOCKS, {"shikaku_0"})
    assert ids(changes.without_items(blocks, {"shikaku_0"})) == [["shikaku_1", "delaunay_3"]]


def test_the_last_items_stay():
    assert changes.without_items(BLOCKS, {"shikaku_0", "shikaku_1", "delaunay_3"}) == BLOCKS


def test_an_instance_expects_a_score_only_while_its_phase_compares_answers():
    checked = changes.with_phase(BLOCKS, {"shikaku_0"}, "comprehension")
    assert items(checked)["shikaku_0"]["expects"] == {"score": 1}
    assert items(checked)["shikaku_1"] == items(BLOCKS)["shikaku_1"]
    assert items(changes.with_phase(checked, {"shikaku_0"}, "main"))["shikaku_0"]["expects"] is None


def test_an_expected_score_survives_the_change_to_another_compared_phase():
    checked = changes.with_changed_items(BLOCKS, {"shikaku_0"}, phase="comprehension", expects={"score": 0.5})
    assert items(changes.with_phase(checked, {"shikaku_0"}, "attention"))["shikaku_0"]["expects"] == {"score": 0.5}


def test_an_attention_item_looks_like_the_main_items_of_its_block():
    blocks = changes.with_own_block(BLOCKS, {"delaunay_3"})
    for place, task_id in enumerate(("shikaku", "delaunay")):
        (*_, added) = changes.with_attention(blocks, place)[place]["items"]
        assert (added["phase"], added["expects"]) == ("attention", {"score": 1})
        assert added["address"].startswith(f"{task_id}@")


def test_an_attention_item_in_a_block_of_questions_looks_like_the_items_of_the_other_blocks():
    asked = {"kind": "question", "shows": "?", "options": ["a", "b"], "phase": "main"}
    blocks = changes.with_own_block(changes.with_written(BLOCKS, 0, asked), {"question"})
    (*_, last) = changes.with_attention(blocks, 1)[1]["items"]
    assert last["address"].startswith("shikaku@")
