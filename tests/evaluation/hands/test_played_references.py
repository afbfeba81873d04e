"""A stand-in model that plays a reference solution with commands hands in that solution's answer."""

import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.agents import HANDS, AgentPlan
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.engine.core.solving.handing_in import handed_in
from spatial_workbench.engine.evaluation.hands.playing import play_with_hands
from spatial_workbench.engine.evaluation.hands.records import HandsEnd, HandsRecord
from tests.evaluation.hands.scripts import SUBMIT, ScriptedModel, said
from tests.tasks.acting import after
from tests.tasks.scripts_of_references import SCRIPTS


@pytest.mark.parametrize("address", SCRIPTS)
def test_the_answer_that_was_played_is_the_one_that_is_handed_in(address):
    task, instance = resolve(address)
    calls = SCRIPTS[address](task, instance)
    run = play_with_hands(task, instance, AgentPlan(kind=HANDS), ScriptedModel(said(*calls), SUBMIT), None)
    record = HandsRecord.model_validate_json(run.record)
    assert run.answer == packed(task, handed_in(task, after(task, instance, *calls)))
    assert record.end is HandsEnd.SUBMITTED
    assert not any(call.is_refused for call in record.calls)
