"""A document changes only by edits, and every edit can be undone."""

import gc
import subprocess
import weakref

from spatial_workbench.engine.core import task
from spatial_workbench.engine.core.formats.patch import diff
from spatial_workbench.engine.core.interpreter import python_command, python_environment
from spatial_workbench.engine.studies.sessions.edit_history import DraftEdit, history_of
from spatial_workbench.widgets.editing.document import UNDO_LIMIT, AnswerDocument
from tests.core.sample_task import SampleTask

TASK = SampleTask()


def document() -> AnswerDocument:
    return AnswerDocument(TASK, TASK.instances()[0])


def points(*places):
    return TASK.parse({"points": list(places)})


def test_a_document_starts_with_the_empty_answer(qapp):
    assert document().answer == points()


def test_an_edit_can_be_undone_and_redone(qapp):
    draft = document()
    draft.edit("Place point", points([1, 1]))
    draft.undo_stack.undo()
    assert draft.answer == points()
    draft.undo_stack.redo()
    assert draft.answer == points([1, 1])


def test_undo_and_redo_are_edits_too_and_say_so(qapp):
    draft = document()
    labels = []
    draft.edited.connect(lambda label, before, after: labels.append(label))
    draft.edit("Place point", points([1, 1]))
    draft.undo_stack.undo()
    draft.undo_stack.redo()
    assert labels == ["Place point", "Undo Place point", "Redo Place point"]


def test_edits_with_the_same_word_become_one_step(qapp):
    draft = document()
    for x in (1, 2, 3):
        draft.edit("Move point", points([x, 3]), merge="drag 1")
    assert draft.undo_stack.count() == 1
    draft.undo_stack.undo()
    assert draft.answer == points()


def test_an_edit_that_changes_nothing_is_no_step(qapp):
    draft = document()
    draft.edit("Nothing", points())
    assert draft.undo_stack.count() == 0


def test_a_verdict_for_an_older_answer_is_not_current(qapp):
    draft = document()
    old = draft.revision
    draft.edit("Place point", points([1, 1]))
    draft.set_verdict(TASK.verify(draft.instance, points()), old)
    assert draft.verdict is not None
    assert not draft.is_verdict_current


def test_a_countered_step_changes_the_answer_as_it_then_is(qapp):
    draft = document()
    draft.do("Add", lambda answer: points([1, 1]), lambda answer: points([1, 1], [2, 2]))
    draft.undo_stack.undo()
    assert draft.answer == points([1, 1], [2, 2])
    draft.undo_stack.redo()
    assert draft.answer == points([1, 1])


COLLECTED_HISTORIES = """
import gc
from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtGui import QUndoCommand
from spatial_workbench.widgets.editing.document import UndoStack

class Command(QUndoCommand):
    pass

class Owner(QObject):
    def __init__(self, commands, is_ring):
        super().__init__()
        self.itself = self if is_ring else None
        self.stack = UndoStack(self)
        for command in commands:
            command.owner = self
            self.stack.push(command)

application = QCoreApplication([])
gc.disable()
for k in range(40):
    Owner([Command("Edit") for _ in range(3)], is_ring=k % 2 == 0)
    gc.collect()
print(sum(isinstance(known, (Owner, Command)) for known in gc.get_objects()))
"""


def test_a_history_may_be_collected_in_any_order():
    command = python_command("-c", COLLECTED_HISTORIES)
    ended = subprocess.run(command, env=python_environment(), capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (0, "0\n"), ended.stderr


def test_documents_that_are_dropped_are_gone_after_a_collection(qapp):
    references = []
    for count in range(1, 20):
        dropped = document()
        references.append(weakref.ref(dropped))
        for x in range(count):
            dropped.edit("Move point", points([x, 3]))
    del dropped
    gc.collect()
    assert not [reference for reference in references if reference()]


def test_the_step_that_is_told_is_where_the_history_stands_afterwards():
    shikaku = task("shikaku")
    document = AnswerDocument(shikaku, shikaku.instances()[0])
    told = []
    document.edited.connect(lambda *_: told.append(document.step))
    stood = []
    right = shikaku.solve(document.instance)
    answers = [right.model_copy(update={"rectangles": right.rectangles[:n]}) for n in (1, 2, 3, 4)]
    for number, answer in enumerate(answers):
        document.edit("Place", answer, merge="" if number < 2 else "drag")
        stood.append(document.undo_stack.index())
    for go in (document.undo_stack.undo, document.undo_stack.redo):
        go()
        stood.append(document.undo_stack.index())
    assert told == stood


def test_steps_beyond_those_that_are_kept_are_counted_and_restored_one_by_one(qapp):
    draft = document()
    stored = []
    draft.edited.connect(
        lambda label, before, after: stored.append(
            DraftEdit(diff(before.model_dump(mode="json"), after.model_dump(mode="json")), label, draft.step)
        )
    )
    begun = draft.answer.model_dump(mode="json")
    for x in range(UNDO_LIMIT + 5):
        draft.edit("Place point", points([x + 1, 3]))
    for _ in range(3):
        draft.undo_stack.undo()
    draft.undo_stack.redo()
    assert [edit.step for edit in stored[-6:]] == [1004, 1005, 1004, 1003, 1002, 1003]

    history = history_of(begun, stored)
    assert (len(history.steps), history.index) == (1005, 1003)
    again = AnswerDocument(TASK, draft.instance, draft.answer)
    again.restore_history(((step.label, step.before, step.after) for step in history.steps), history.index)
    assert (again.undo_stack.count(), again.undo_stack.index()) == (UNDO_LIMIT, UNDO_LIMIT - 2)
    again.undo_stack.undo()
    assert (again.answer, again.step) == (points([1002, 3]), 1002)
    for _ in range(3):
        again.undo_stack.redo()
    assert (again.answer, again.step) == (points([1005, 3]), 1005)
