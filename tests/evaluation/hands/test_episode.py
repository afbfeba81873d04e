"""Episodes: the tools of each condition, the history, what calls are told, and limits."""

import json

import pytest

from spatial_workbench.engine.core import Aid, resolve
from spatial_workbench.engine.core.acting.commands import commands_of
from spatial_workbench.engine.core.formats.patch import apply
from spatial_workbench.engine.evaluation.hands.conditions import AIDS, HandsOptions
from spatial_workbench.engine.evaluation.hands.episode import Episode
from spatial_workbench.engine.evaluation.hands.records import HandsEnd
from spatial_workbench.engine.evaluation.hands.wording import contents_in_words
from spatial_workbench.engine.studies.planning.document import PRESETS
from tests.evaluation.hands.scripts import PNG, KnownPictures
from tests.tasks.test_pack_prisms_commands import calls_to

TASK, SMALL = resolve("lego_hemisphere:0")
PLACE = {"x_mm": 55, "y_mm": 0, "layer": 0}


def episode(drawer=None, address="lego_hemisphere:0", **options):
    task, instance = resolve(address)
    return Episode(task, instance, HandsOptions(**options), drawer)


def test_conditions_have_the_aids_of_the_conditions_of_studies_with_the_same_names():
    assert {name: PRESETS[name].aids for name in AIDS} == AIDS


@pytest.mark.parametrize("condition", AIDS)
def test_a_condition_offers_exactly_the_commands_of_its_classes(condition):
    offered = episode(KnownPictures(), condition=condition).tools.values()
    own = {tool.name for tool in offered if tool.command is not None}
    assert own == {name for name, command in commands_of(TASK).items() if command.aid in AIDS[condition]}
    assert all(tool.aid in AIDS[condition] for tool in offered)


@pytest.mark.parametrize(
    ("name", "words"), [("verdict", "not allowed"), ("fill_layer", "not allowed"), ("fly", "no tool")]
)
def test_what_is_not_offered_is_refused_by_name_when_called_all_the_same(name, words):
    call = episode(condition="hands").call(name, {"layer": 0})
    assert (call.is_refused, call.aid) == (True, None)
    assert words in call.result


@pytest.mark.parametrize(("sees", "missing"), [("text", "look"), ("pictures", "state")])
def test_a_model_is_not_offered_what_it_does_not_see(sees, missing):
    tools = episode(KnownPictures(), sees=sees).tools
    assert missing not in tools
    assert {"state", "look"} - {missing} <= tools.keys()


def test_nothing_can_be_looked_at_where_nothing_draws():
    assert "look" not in episode().tools


def test_changes_are_taken_back_and_made_again():
    acting = episode()
    for x in (0, 40, 80):
        acting.call("place", {**PLACE, "x_mm": x})
    acting.call("undo", {"steps": 2})
    assert len(acting.answer.bricks) == 1
    acting.call("redo")
    assert [brick.Centroid[0] for brick in acting.answer.bricks] == [0, 40]
    assert acting.call("undo", {"steps": 99}).result == "Done. The answer holds 0 bricks."
    assert acting.call("undo").result == "There is nothing to take back."


def test_patches_of_the_calls_lead_from_the_empty_answer_to_the_last():
    acting = episode()
    for name, arguments in (
        ("place", PLACE),
        ("place", {**PLACE, "layer": 1}),
        ("undo", {}),
        ("mirror", {"bricks": [0], "across": "both"}),
    ):
        acting.call(name, arguments)
    data = TASK.empty(SMALL).model_dump(mode="json")
    for call in acting.calls:
        data = apply(data, call.patch)
    assert data == acting.answer.model_dump(mode="json")


def test_a_call_that_is_refused_changes_nothing_and_counts():
    acting = episode(calls=2)
    acting.call("place", {**PLACE, "layer": -1})
    assert (acting.answer, acting.calls_left, acting.end) == (TASK.empty(SMALL), 1, None)
    acting.call("nothing of this kind")
    assert acting.end is HandsEnd.CALLS


def test_nothing_can_be_done_after_the_end():
    acting = episode()
    acting.call("submit")
    assert acting.end is HandsEnd.SUBMITTED
    assert acting.call("place", PLACE).result == "The run has ended: submitted."


def test_pictures_run_out():
    drawer = KnownPictures()
    acting = episode(drawer, pictures=1)
    assert acting.call("look", {"view": "top", "cut_axis": "z", "cut_at": 20}).pictures == (PNG,)
    assert acting.call("look").result == "No pictures are left."
    ((_, size, view, cut),) = drawer.asked
    assert (size, view, cut.axis, cut.offset) == ((800, 600), "top", 2, 20)


def test_labels_name_the_elements_by_their_numbers():
    drawer = KnownPictures()
    acting = episode(drawer)
    for layer in (0, 1):
        acting.call("place", {**PLACE, "layer": layer})
    acting.call("look", {"labels": True})
    texts = {item.text for item in drawer.asked[0][0].items if type(item).__name__ == "Label"}
    assert {"0", "1"} <= texts


def test_a_state_is_shown_in_parts():
    acting = episode()
    for x in (0, 40, 80):
        acting.call("place", {**PLACE, "x_mm": x})
    text, left_out = acting.call("state", {"first": 1, "count": 1}).result.splitlines()
    assert json.loads(text)["bricks"][0]["id"] == 1
    assert left_out == "bricks: 1 of 3 are shown"


def test_elements_are_measured_in_the_drawing():
    acting = episode(condition="measured")
    acting.call("place", {"x_mm": 55, "y_mm": 0, "layer": 0})
    acting.call("place", {"x_mm": 55, "y_mm": 0, "layer": 5, "turn_deg": 90})
    lines = acting.call("measure", {"elements": ["brick 0", "brick 1"]}).result.splitlines()
    assert lines == [
        "brick 0: x 39 to 71, y -8 to 8, z 0 to 9.6 mm",
        "brick 1: x 47 to 63, y -16 to 16, z 48 to 57.6 mm",
        "brick 0 to brick 1: 48 mm between their middles",
    ]
    assert acting.call("measure", {"elements": ["brick 9"]}).result == "There is no element “brick 9”."


def test_a_verdict_tells_what_a_person_would_be_told_while_building():
    acting = episode(condition="judged")
    acting.call("place", PLACE)
    acting.call("place", PLACE)
    lines = acting.call("verdict").result.splitlines()
    failed = next(line for line in lines if line.startswith("failed: "))
    verdict = TASK.verify(SMALL, acting.answer)
    assert failed == f"failed: {next(check.name for check in verdict.checks if check.problems)}"


def test_a_solved_task_ends_the_episode_only_where_the_condition_judges():
    reference = resolve("pack_prisms:0")[0].solve(resolve("pack_prisms:0")[1])
    ends = []
    for condition in ("judged", "hands"):
        acting = episode(address="pack_prisms:0", condition=condition, ends_when_solved=True)
        for name, arguments in calls_to(acting.instance, reference):
            acting.call(name, arguments)
        ends.append(acting.end)
    assert ends == [HandsEnd.SOLVED, None]


def test_a_thousand_wrong_elements_and_deep_data_are_answered_with_a_sentence():
    acting = episode()
    deep = {}
    for _ in range(200):
        deep = {"x_mm": deep}
    for arguments in (deep, {"bricks": list(range(10_000))}, "text", 5, {"x_mm": 1e400, "y_mm": 0, "layer": 0}):
        call = acting.call("move", arguments)
        assert call.is_refused
        assert call.result.endswith(".")


def test_every_class_of_aid_is_a_class_of_people():
    assert all(isinstance(tool.aid, Aid) for tool in episode(KnownPictures(), condition="everything").tools.values())


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"boxes": [1]}, "1 box"),
        ({"people": [1, 2]}, "2 people"),
        ({"vertices": [1], "faces": []}, "1 vertex, 0 faces"),
        ({"length": 1, "path": [1]}, "1 cell"),
        ({"things": [1]}, "1 thing"),
    ],
)
def test_what_an_answer_holds_is_counted_in_plain_english(data, sentence):
    assert contents_in_words(data) == f"Done. The answer holds {sentence}."
