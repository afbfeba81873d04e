"""Acting by commands in tests: calls, and calls that lead from the empty answer to another."""

from spatial_workbench.engine.core import Instance, Task
from spatial_workbench.engine.core.acting.commands import commands_of


def after(task: Task, instance: Instance, *calls, answer=None):
    """The answer after calls, each the name of a command and its arguments, from the empty answer if none is given."""
    commands = commands_of(task)
    answer = task.empty(instance) if answer is None else answer
    for name, arguments in calls:
        answer = commands[name].apply(instance, answer, arguments)
    return answer
