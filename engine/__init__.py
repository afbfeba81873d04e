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
    tasks,
)

__all__ = ["Answer", "AnswerError", "Instance", "Scene", "Task", "Verdict", "resolve", "task", "tasks"]
