"""Agents on the cube: the environment with its tools, steps in code or by tool calls, and the record of a run.

    environment    the cube as an agent meets it: tools that move, look, turn the view and ask a solver
    episode        a whole run: a model is asked step by step until the cube is solved or a limit is reached
    metrics        pass rates with their intervals, moves, moves per depth
    prompts        the first message to an agent
    records        every step, every tool call, and how the run ended
    stepping       one step of an agent: its code in the sandbox, or its tool call, and what it is shown afterwards

    environment = CubeEnvironment(state, Setting.FACE_VIEW, AgentKind.IDEAL_SOLVER, solver=two_phase)
    record = play(environment, model)

Rules and limits: docs/cube.md.
"""

from spatial_workbench.engine.cube.agent.environment import CubeEnvironment, Solver
from spatial_workbench.engine.cube.agent.episode import MAX_SECONDS, MAX_STEPS, play
from spatial_workbench.engine.cube.agent.records import (
    LONG_HORIZON,
    SHORT_HORIZON,
    AgentKind,
    AgentStep,
    CubeCall,
    CubeSetting,
    EndReason,
    RunRecord,
    run_id,
)

__all__ = [
    "LONG_HORIZON",
    "MAX_SECONDS",
    "MAX_STEPS",
    "SHORT_HORIZON",
    "AgentKind",
    "AgentStep",
    "CubeCall",
    "CubeEnvironment",
    "CubeSetting",
    "EndReason",
    "RunRecord",
    "Solver",
    "play",
    "run_id",
]
