"""Which tasks and verifiers are meant by the words of a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spatial_workbench.app.commands.plumbing import Refused

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.laboratory.own import OwnVerifier

_ALL = "all"


def chosen_tasks(words: str) -> list[str]:
    """The ids of tasks with commas between them; “all” are all.

    Raises:
        Refused: There is no such task.
    """
    from spatial_workbench.engine.core.registry import tasks

    known = [task.id for task in tasks()]
    if words == _ALL:
        return known
    chosen = [word for word in words.split(",") if word]
    unknown = [word for word in chosen if word not in known]
    if unknown or not chosen:
        raise Refused(f"There is no task “{', '.join(unknown) or words}”. Tasks: {', '.join(known)}.")
    return list(dict.fromkeys(chosen))


def own_verifier(name: str) -> OwnVerifier:
    """The verifier of that name.

    Raises:
        Refused: There is none, or the list of verifiers is damaged.
    """
    from spatial_workbench.engine.evaluation.laboratory.own import OwnVerifierError, OwnVerifiers

    try:
        return OwnVerifiers().get(name)
    except OwnVerifierError as error:
        raise Refused(str(error)) from None
