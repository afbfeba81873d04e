"""The tasks for Inspect: `inspect eval spatial_workbench/lego_hemisphere --model …`.

Inspect finds this package by its entry point and calls a task by its id. See docs/inspect.md.

agents     hands, and the agents of the cube and of the machines, behind Inspect's model
samples    instances as samples of Inspect: prompts with pictures, and the schema of the answers
scoring    our verifiers as a scorer of Inspect
tasks      the tasks as Inspect calls them: one function for each, under its id
"""

from spatial_workbench.engine.core.extras import MissingExtra, how_to_get

try:
    import inspect_ai as inspect_ai
except ImportError as error:
    raise MissingExtra(how_to_get("inspect")) from error

from spatial_workbench.inspecting.agents import hands, workbench_agent
from spatial_workbench.inspecting.scoring import verdict
from spatial_workbench.inspecting.tasks import TASKS, inspect_task

__all__ = ["TASKS", "hands", "inspect_task", "verdict", "workbench_agent"]
