"""A person's edits as calls: for every task they lead to the same answers, byte for byte, and can be replayed."""

import json
from datetime import UTC, datetime, timedelta

import pytest

import spatial_workbench as sw
from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.engine.core.formats.patch import diff
from spatial_workbench.engine.evaluation.hands.edits_as_calls import NO_CALLS, NoCallsKnown, steps_of_edits
from spatial_workbench.engine.evaluation.transcripts import PartKind, calls_done
from spatial_workbench.engine.store import Edit
from spatial_workbench.widgets.editing.document import AnswerDocument
from tests.tasks.acting import after
from tests.tasks.scripts_of_references import SCRIPTS

BEGUN = datetime(2026, 1, 1, tzinfo=UTC)


class PersonAtWork:
    """Edits the document behind an editor; keeps the edits as a project stores them, and the answers."""

    def __init__(self, address):
        self.task, self.instance = resolve(address)
        self.document = AnswerDocument(self.task, self.instance)
        self.answers = []
        self.edits = []
        self.document.edited.connect(self._keep)

    def _keep(self, label, before, later):
        patch = diff(before.model_dump(mode="json"), later.model_dump(mode="json"))
        at = BEGUN + timedelta(seconds=len(self.edits))
        self.edits.append(Edit(number=len(self.edits) + 1, label=label, patch=json.loads(json.dumps(patch)), at=at))
        self.answers.append(later)

    def build(self, calls):
        """Goes towards a reference, back and forth, throws it away, and builds it again in one go."""
        document = self.document
        for call in calls:
            document.edit(call[0], after(self.task, self.instance, call, answer=document.answer))
        built = document.answer
        document.undo_stack.undo()
        document.undo_stack.redo()
        document.edit("Clear", self.task.empty(self.instance))
        document.edit("Load", built)


@pytest.fixture
def history(request, qapp):
    person = PersonAtWork(request.param)
    person.build(SCRIPTS[request.param](person.task, person.instance)[:12])
    return person


@pytest.mark.parametrize("history", SCRIPTS, indirect=True)
def test_a_persons_history_leads_to_the_same_answers_byte_for_byte(history):
    address = history.instance.address
    acting = sw.episode(address, calls=10_000)
    steps = steps_of_edits(address, history.edits)
    assert len(steps) == len(history.answers)
    for step, answer in zip(steps, history.answers, strict=True):
        told = acting.replay(calls_done([step]))
        assert not any(one.is_refused for one in told)
        assert packed(history.task, acting.answer) == packed(history.task, answer)


def test_a_step_has_the_label_of_its_edit_and_its_time():
    person = PersonAtWork("shikaku:0")
    person.build([("rectangle", {"corner": [0, 0], "opposite": [1, 1]})])
    steps = steps_of_edits("shikaku:0", person.edits)
    assert [step.title for step in steps[:2]] == ["rectangle", "Undo rectangle"]
    assert [step.seconds for step in steps[:2]] == [0, 1]
    assert [part.name for part in steps[1].parts] == ["undo"]


def test_an_edit_that_no_call_reaches_says_so():
    person = PersonAtWork("shikaku:0")
    person.document.replace_data("Type answer", {"rectangles": [[0, 0, 0, 0], [0, 0, 0, 0]]})
    (step,) = steps_of_edits("shikaku:0", person.edits)
    assert [(part.kind, part.text, part.is_refused) for part in step.parts] == [(PartKind.RESULT, NO_CALLS, True)]


def test_edits_that_did_not_begin_with_nothing_are_refused():
    edit = Edit(number=1, label="Delete", patch=[[["rectangles"], 3, [[0, 0, 0, 0]], []]], at=BEGUN)
    with pytest.raises(NoCallsKnown, match="did not begin"):
        steps_of_edits("shikaku:0", [edit])
