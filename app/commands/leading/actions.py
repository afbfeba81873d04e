"""What the commands about a study in a project have in common: how they name the study and a code."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.app.commands.plumbing import Actions, add_action, opened

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project


def add_study_action(actions: Actions, name: str, run: Any, text: str, *more: str) -> argparse.ArgumentParser:
    """Adds an action on a study of a project."""
    action = add_action(actions, name, run, text)
    action.add_argument("project", metavar="PROJECT")
    action.add_argument("study", metavar="STUDY", help="its id, its name, or the beginning of its hash")
    for argument in more:
        action.add_argument(argument, metavar=argument.upper())
    return action


@contextmanager
def chosen_study(options: argparse.Namespace) -> Iterator[tuple[Project, str]]:
    """The project, and the id of the study that a command names."""
    with opened(Path(options.project)) as project:
        yield project, project.studies.find(options.study)


def chosen_code(options: argparse.Namespace) -> str:
    """The code that a command names, in its usual form.

    Raises:
        CodeError: It is none.
    """
    from spatial_workbench.engine.studies.planning.codes import code_of, number_of

    return code_of(number_of(options.code))
