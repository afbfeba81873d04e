"""The engine: tasks, verifiers, solvers and storage, all without a screen.

>>> import engine
>>> task = engine.task("lego_hemisphere")
>>> instance = task.instances()[0]
>>> verdict = task.verify(instance, task.solve(instance))
"""

from engine.core import (
    Answer,
    AnswerError,
    Instance,
    Scene,
    Task,
    Verdict,
    resolve,
    task,
)
from engine.core import (
    tasks as all_tasks,  # engine.tasks is the package of the tasks
)

__all__ = ["Answer", "AnswerError", "Instance", "Scene", "Task", "Verdict", "all_tasks", "resolve", "task"]
