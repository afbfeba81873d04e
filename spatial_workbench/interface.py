"""The functions that `spatial_workbench` offers: tasks, verifiers, reference solutions and evaluations, by address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from spatial_workbench.engine.core import Answer, AnswerError, Instance, Prompt, Task
from spatial_workbench.engine.core import resolve as _resolve
from spatial_workbench.engine.core import task as task
from spatial_workbench.engine.core import tasks as _tasks
from spatial_workbench.functions import Respond
from spatial_workbench.judged import Judged

if TYPE_CHECKING:
    from spatial_workbench.drawings import Drawing
    from spatial_workbench.engine.evaluation.hands.conditions import ConditionName
    from spatial_workbench.engine.evaluation.laboratory.cases import RegressionCase
    from spatial_workbench.engine.evaluation.laboratory.own.functions import Judge
    from spatial_workbench.episodes import ActingEpisode
    from spatial_workbench.laboratory import Disagreement

Place: TypeAlias = str | Instance


def tasks() -> dict[str, Task[Any]]:
    """All tasks by their ids.

    >>> "maze_3d" in tasks()
    True
    """
    return {known.id: known for known in _tasks()}


def instance(address: str) -> Instance:
    """The instance with an address.

    >>> instance("shikaku@7").seed
    7

    Raises:
        InstanceError: There is no such instance; says why.
    """
    return _resolve(address)[1]


def generate(task_id: str, seed: int, **difficulty: Any) -> Instance:
    """An instance made from a seed; `task(ID).generator_parameters` lists what can be set besides.

    >>> for parameter in task("terrain_levelling").generator_parameters:
    ...     print(parameter)
    n: whole number, 12 to 64; 16 by default. cells along a side
    scale: number, 3 to 15; 5.0 by default. how many hills lie along a side
    octaves: whole number, 1 to 6; 4 by default. how rough it is
    >>> generate("hamiltonian_loop", 1, width=4, height=4, blocked=0).address
    'hamiltonian_loop@1?blocked=0&height=4&width=4'

    Raises:
        InstanceError: There is no such parameter, or its value is out of range; names it, and what there is.
    """
    return task(task_id).generate(seed, **difficulty)


def prompt(place: Place) -> Prompt:
    """What a solver is told about an instance: `text`, and `pictures` as PNG files."""
    known, asked = _both(place)
    return known.prompt(asked)


def schema(task_id: str) -> dict[str, Any]:
    """The JSON schema of a task's answers.

    >>> schema("shikaku")["type"]
    'object'
    """
    return task(task_id).schema()


def solve(place: Place) -> Answer:
    """The reference solution of an instance.

    Raises:
        Exception: What the solver raises if it finds none.
    """
    known, asked = _both(place)
    solution: Answer = known.solve(asked)
    return solution


def verify(
    place: Place, answer: Answer | str | bytes | Mapping[str, Any] | list[Any], verifier: str = "default"
) -> Judged:
    """Judges an answer: one of `solve`, plain data, or text as a model writes it.

    Programs in answers run in the sandbox, and are refused where there is none. Simulations are kept, so that an answer
    that is judged again takes no time; the verdict then says `is_cached`. Terrain levelling takes longest: a tenth
    of a second for a blast, of which plans have hundreds (docs/library.md).

    >>> verify("shikaku:0", "no answer").score
    0.0

    Raises:
        KeyError: The task has no such verifier; names those that there are.
    """
    from spatial_workbench.engine.core.consent import allow_programs

    known, asked = _both(place)
    read = _read(known, answer)
    with allow_programs():
        verdict = known.verify(asked, answer if read is None else read, verifier)
    return Judged(asked, read, verdict, answer if isinstance(answer, str) else "")


def scene(place: Place, answer: Answer | str | bytes | Mapping[str, Any] | list[Any] | None = None) -> Drawing:
    """Draws an instance, with an answer if one is given. Nothing is judged; `verify` marks what fails.

    >>> scene("shikaku:0", solve("shikaku:0"))
    <drawing of shikaku:0>

    Raises:
        AnswerError: The answer cannot be read; names the place.
    """
    from spatial_workbench.drawings import Drawing

    known, asked = _both(place)
    read = None if answer is None else known.parse(answer)
    return Drawing(asked.address, known.scene(asked, read))


def evaluate(
    who: str | Respond,
    tasks: str,
    project: Path | str | None = None,
    repeats: int = 1,
    name: str = "",
    workers: int | None = None,
    parallel: int = 1,
    grid: Mapping[str, Any] | None = None,
) -> list[Judged]:
    """Asks a model, or a function of yours, about instances, and judges the answers.

    >>> evaluate("reference", "hamiltonian_loop:0-1")
    [<hamiltonian_loop:0: passed, score 1>, <hamiltonian_loop:1: passed, score 1>]

    Args:
        who: The name of a model that was set up ("reference" and "random" need no setting up), one such as
            "openai/gpt-5" or "ollama/llama3", or a function, also an asynchronous one, that answers a prompt with text,
            or with a `Reply` that tells what it cost.
        tasks: A selection such as "shikaku,maze_3d:0-4" or "all".
        project: A project file that keeps everything; it is made if it is not there. None: nothing is kept.
        repeats: How often each instance is asked.
        name: Of the run in the project; by default the model's or the function's.
        workers: How many processes judge; None: one less than there are cores.
        parallel: How many answers of a function are wanted at a time, each in a thread of its own.
        grid: Several values of settings, of which every combination is a run of its own, as in a batch: lists for
            "temperature", "effort", "top_p", "tools" and "repeats", and for "variants" a dictionary of other prompts
            by their names, with {prompt} where the task's own words stand; None: the task's own prompt.

    Each answer is stored as it comes. An evaluation that was cut off goes on, if it is called again in the same way.

    Returns:
        One result for each answer, in the order of the selection, repeats of an instance together; of a grid, run by
        run, each with the name of its `run`.

    Raises:
        InstanceError: The selection matches nothing.
        LibraryProblem: No model of that name is set up.
        RuntimeError: Some questions have no answer; says why.
        ValueError: A value of the grid is out of range; names it.
    """
    from spatial_workbench.evaluating import evaluated

    return evaluated(who, tasks, project, repeats, name, workers, parallel, grid or {})


def episode(place: Place, condition: ConditionName = "hands", **limits: Any) -> ActingEpisode:
    """An answer to be built step by step, with one method for each command that the condition allows.

    >>> acting = episode("pack_prisms:0", condition="judged")
    >>> acting.place(size=0, corner=[0, 0, 0])
    Done. The answer holds 1 box.
    >>> acting.submit()
    <pack_prisms:0: not passed, score 0>

    Args:
        place: The instance.
        condition: "hands", "measured", "judged" or "everything"; see docs/hands.md.
        limits: Other fields of `HandsOptions`, such as `calls=100` or `sees="text"`.

    Raises:
        AnswerError: The task has no commands.
        ValueError: There is no such condition or option, or its value is out of range; names what there is.
    """
    from spatial_workbench.episodes import ActingEpisode

    known, asked = _both(place)
    return ActingEpisode.begun(known, asked, condition, limits)


def calls(project: Path | str, attempt: int) -> list[dict[str, Any]]:
    """The calls that build the answer of a stored attempt, for `episode(...).replay`.

    A person's edits are told as calls of commands that lead to the same answers; of a model with hands, they are those
    that changed its answer.

    Raises:
        KeyError: There is no such attempt.
        ValueError: The attempt cannot be told as calls; says why.
        InstanceError: This version does not know its instance.
    """
    from spatial_workbench.engine.evaluation.hands.edits_as_calls import calls_of_attempt
    from spatial_workbench.engine.store import Project

    with Project.open(Path(project)) as opened:
        return [{"tool": name, "arguments": dict(given)} for name, given in calls_of_attempt(opened, attempt)]


def disagree(
    task_id: str,
    seconds: float | None = 60.0,
    answers: int | None = None,
    seed: int = 1,
    verifiers: Mapping[str, Judge] | None = None,
    own: Sequence[str] = (),
    project: Path | str | None = None,
    workers: int = 1,
    allow_programs: bool = False,
) -> list[Disagreement]:
    """Looks for answers that two verifiers of a task judge differently; questions come first.

    >>> def lenient(instance, answer):
    ...     return {"score": 1, "passed": True}
    >>> found = disagree("maze_3d", answers=30, verifiers={"lenient": lenient})
    >>> next(each.verifiers for each in found if each.is_question)
    ('default', 'own:lenient')

    Args:
        task_id: Whose verifiers are compared.
        seconds: How long it looks; it does not matter where `answers` is given.
        answers: About how many answers it asks; equal calls then find the same.
        seed: Of all draws.
        verifiers: Functions of yours by their names, which get the instance and the answer and give a verdict, all as
            plain data (docs/own_verifiers.md). They are asked in this process.
        own: Names of verifiers that were added with `spatial-workbench verifiers add`.
        project: A project file that keeps the search, which goes on from there; its attempts are asked about, too.
        workers: How many processes look.
        allow_programs: Whether programs in answers run, in the sandbox; otherwise such answers are left out.

    Raises:
        KeyError: There is no such task.
        ValueError: No verifier of that name was added; or functions are given with a project or several workers.
    """
    from spatial_workbench.laboratory import disagreements

    return disagreements(task_id, seconds, answers, seed, verifiers or {}, own, project, workers, allow_programs)


@overload
def shrink(found: Disagreement, seconds: float = 60.0) -> Disagreement: ...
@overload
def shrink(found: RegressionCase, seconds: float = 60.0) -> RegressionCase: ...
def shrink(found: Disagreement | RegressionCase, seconds: float = 60.0) -> Disagreement | RegressionCase:
    """A smaller answer, on the same instance or a smaller one, on which the same verifiers part in the same way.

    It is the same if nothing smaller is found after some seconds.

    Raises:
        CaseError: All verifiers agree on a case, so that there is no difference to keep.
    """
    from spatial_workbench.laboratory import made_small

    return made_small(found, seconds)


def regression_case(
    place: Place, answer: Answer | str | bytes | Mapping[str, Any] | list[Any], reason: str = "", who: str = ""
) -> RegressionCase:
    """An answer, with what all verifiers of its task say of it now, to be run again after changes.

    >>> case = regression_case("maze_3d:0", "A5054", "The grid has five rows.")
    >>> case.run()
    []

    Args:
        place: The instance.
        answer: As `verify` takes it.
        reason: Who is right, by which rule.
        who: Who says so.

    Raises:
        CaseError: The answer holds a program.
    """
    from spatial_workbench.engine.evaluation.laboratory.answer_parts import as_answer
    from spatial_workbench.engine.evaluation.laboratory.cases import case_of

    known, asked = _both(place)
    if isinstance(answer, Answer):
        text = known.format(answer)
    else:
        text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else as_answer(answer)
    return case_of(asked.address, text, reason, who)


def read_case(path: Path | str) -> RegressionCase:
    """The regression case in a file, which `case.write` or the window wrote.

    Raises:
        CaseError: It is none; names the place.
    """
    from spatial_workbench.engine.evaluation.laboratory.cases import read_case as read

    return read(Path(path))


def _both(place: Place) -> tuple[Task[Any], Instance]:
    if isinstance(place, Instance):
        return task(place.task), place
    return _resolve(place)


def _read(known: Task[Any], answer: Any) -> Answer | None:
    """The answer as the task's own type; None if it cannot be read."""
    if isinstance(answer, Answer):
        return answer
    try:
        read: Answer = known.parse(answer)
    except AnswerError:
        return None
    return read
