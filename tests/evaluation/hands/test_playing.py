"""Models that act: how calls are read, what the model is told, and why an episode ends."""

import json
from dataclasses import replace

import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.agents import HANDS, AgentPlan, ToolUse
from spatial_workbench.engine.evaluation.hands.playing import play_with_hands
from spatial_workbench.engine.evaluation.hands.records import HandsEnd, HandsRecord
from spatial_workbench.engine.evaluation.hands.ways import calls_in
from tests.evaluation.hands.scripts import BOX, PNG, SUBMIT, KnownPictures, ScriptedModel, said

TASK, SEVEN = resolve("pack_prisms:0")


def played(model, minutes=30, drawer=None, **options):
    run = play_with_hands(TASK, SEVEN, AgentPlan(kind=HANDS, minutes=minutes, options=options), model, drawer)
    return run, HandsRecord.model_validate_json(run.record)


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ('{"tool": "undo"}', [("undo", {})]),
        ('First {"tool": "a", "arguments": {"x": 1}} then\n```json\n{"tool": "b"}\n```', [("a", {"x": 1}), ("b", {})]),
        ('[{"tool": "a"}, {"tool": "b"}]', [("a", {}), ("b", {})]),
        ('{"arguments": {"tool": "inner"}}', []),
        ("{tool: a} and {{{{ [[[", []),
        ("no call", []),
        ('{"tool": 7, "arguments": null}', [(7, None)]),
    ],
)
def test_calls_are_the_objects_with_a_tool_that_are_part_of_no_other_data(text, calls):
    assert calls_in(text) == calls


def test_what_was_built_is_the_answer_when_it_is_submitted():
    run, record = played(ScriptedModel(said(BOX), SUBMIT))
    assert json.loads(run.answer) == {"boxes": [{"XyzMin": [0, 0, 0], "XyzMax": [5, 3, 2]}]}
    assert (run.kind, record.end) == ("hands", HandsEnd.SUBMITTED)


def test_an_answer_is_put_in_place_when_it_is_submitted_as_a_persons_is():
    run, _ = played(ScriptedModel(said(("place", {"size": 0, "corner": [-4, 2, 1]})), SUBMIT))
    assert json.loads(run.answer)["boxes"][0]["XyzMin"] == [0, 0, 0]


def test_several_calls_of_a_reply_are_carried_out_in_order_and_answered_by_number():
    model = ScriptedModel(said(BOX, ("move", {"boxes": [0], "x": 2}), ("no_tool", {})), SUBMIT)
    _, record = played(model, tells_left=False)
    first, second, third = model.told[1].text.splitlines()
    assert first == "1. place: Done. The answer holds 1 box."
    assert second.startswith("2. move: Done.")
    assert third.startswith("3. no_tool: There is no tool “no_tool”")
    assert [call.is_refused for call in record.calls] == [False, False, True, False]


def test_calls_after_the_end_are_not_carried_out():
    _, record = played(ScriptedModel(said(("submit", {}), BOX)))
    assert [call.tool for call in record.calls] == ["submit"]


def test_three_replies_in_a_row_without_a_call_end_the_episode():
    model = ScriptedModel("Hm.", said(BOX), "Hm.", "Hm.", "Hm.", SUBMIT)
    _, record = played(model)
    assert record.end is HandsEnd.SILENT
    assert len(record.steps) == 5
    assert "No call was found" in model.told[1].text


def test_calls_end_the_episode_within_a_reply():
    _, record = played(ScriptedModel(said(BOX, BOX, BOX)), calls=2)
    assert (record.end, len(record.calls)) == (HandsEnd.CALLS, 2)


@pytest.mark.parametrize(("limits", "end"), [({"tokens": 20}, HandsEnd.TOKENS), ({"cost_usd": 0.02}, HandsEnd.MONEY)])
def test_tokens_and_money_end_the_episode_after_the_reply_that_reaches_them(limits, end):
    model = ScriptedModel(said(BOX), said(BOX), said(BOX), tokens_out=10, cost_usd=0.01)
    _, record = played(model, **limits)
    assert (record.end, len(record.calls)) == (end, 2)


def test_time_ends_the_episode():
    _, record = played(ScriptedModel(said(BOX)), minutes=1e-9)
    assert record.end is HandsEnd.TIME


def test_the_model_is_told_what_is_left_if_that_is_asked_for():
    model = ScriptedModel(said(BOX), SUBMIT, tokens_out=10)
    played(model, drawer=KnownPictures(), calls=9, tokens=100)
    left = model.told[1].text.splitlines()[-1]
    assert left.startswith("Left: 8 calls, ")
    assert left.endswith("50 pictures, 90 output tokens")


def test_pictures_come_with_what_the_model_is_told():
    model = ScriptedModel(said(("look", {})), SUBMIT)
    played(model, drawer=KnownPictures())
    assert model.told[1].pictures == (PNG,)


def test_the_first_message_holds_the_task_every_tool_and_the_limits():
    model = ScriptedModel(SUBMIT)
    played(model, calls=77)
    opening = model.told[0].text
    assert TASK.prompt(SEVEN).text in opening
    assert "77 calls, 30 minutes" in opening
    assert all(f"\n- {name}: " in opening for name in ("place", "drop", "state", "undo", "submit"))
    assert "verdict" not in opening


class NativeModel(ScriptedModel):
    """A model whose replies are calls of tools."""

    native_tools = True

    def reply_with_tools(self, messages, tools, seconds_left):
        self.offered = [tool.name for tool in tools]
        reply = self.reply(messages, seconds_left)
        asked = calls_in(reply.text)
        uses = tuple(ToolUse(f"c{k}", name, json.dumps(given)) for k, (name, given) in enumerate(asked))
        return replace(reply, text="", uses=uses)


def test_native_calls_are_answered_under_their_ids_and_the_first_message_lists_no_tools():
    model = NativeModel(said(BOX, ("fly", {})), SUBMIT)
    _, record = played(model, tells_left=False)
    assert record.native_tools
    assert "place" in model.offered
    assert "\n- place: " not in model.told[0].text
    assert model.told[1].results[0] == ("c0", "Done. The answer holds 1 box.")
    assert model.told[1].results[1][1].startswith("There is no tool “fly”")


def test_every_native_call_gets_a_result_even_after_the_end():
    model = NativeModel(said(BOX, BOX, BOX), SUBMIT)
    _, record = played(model, calls=2)
    assert (record.end, len(record.calls)) == (HandsEnd.CALLS, 2)


def test_arguments_that_are_not_json_are_refused_with_a_sentence():
    class Careless(NativeModel):
        def reply_with_tools(self, messages, tools, seconds_left):
            reply = super().reply_with_tools(messages, tools, seconds_left)
            return replace(reply, uses=tuple(replace(use, arguments="{size: 0") for use in reply.uses))

    _, record = played(Careless(said(BOX)), calls=1)
    assert record.calls[0].result == "The arguments of place must be an object."


def test_json_calls_can_be_asked_for_where_the_endpoint_has_tools():
    _, record = played(NativeModel(said(BOX), SUBMIT), acts_by="json")
    assert not record.native_tools


PROGRAM = """I pack in a loop.
```python
for k in range(7):
    place(size=0, corner=[0, 0, 2 * k])
try:
    place(size=5, corner=[0, 0, 0])
except ToolError as error:
    print("refused:", error)
len(state())
```"""


def test_a_program_calls_the_tools_as_functions_and_sees_refusals_as_errors():
    model = ScriptedModel(PROGRAM, "```python\nsubmit()\n```")
    run, record = played(model, acts_by="programs")
    assert len(json.loads(run.answer)["boxes"]) == 7
    assert record.end is HandsEnd.SUBMITTED
    assert "refused: There is no size 5" in model.told[1].text


def test_a_tool_hides_nothing_that_python_has():
    """Entries are listed by list_(), and list() stays what it is."""
    task, instance = resolve("topology_enumeration:0")
    model = ScriptedModel("```python\nlist_(configs=[list(range(4))])\nsubmit()\n```")
    plan = AgentPlan(kind=HANDS, minutes=30, options={"acts_by": "programs"})
    run = play_with_hands(task, instance, plan, model, None)
    assert json.loads(run.answer)["configs"] == [[0, 1, 2, 3]]
    assert "list is called list_()." in model.told[0].text


def test_a_program_that_ends_itself_ends_the_episode_with_what_was_built():
    _, record = played(
        ScriptedModel("```python\nplace(size=0, corner=[0, 0, 0])\nimport os\nos._exit(0)\n```"), acts_by="programs"
    )
    assert (record.end, [call.tool for call in record.calls]) == (HandsEnd.PROGRAM_ENDED, ["place"])
