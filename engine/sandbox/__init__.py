"""The only place where code written by a model is run.

`availability()` tells whether a sandbox works on this machine, by trying one. `run_program` runs a whole program and
gives what it printed; `open_session` runs one step by step, with tools of the host. Where no sandbox works everything
here raises `SandboxUnavailable` with the reason; there is no way to run code without one. See docs/sandbox.md.
"""

from engine.sandbox.contracts import (
    Availability,
    Limits,
    ProgramFailed,
    ProgramResult,
    SandboxUnavailable,
    Session,
    StepResult,
    ToolError,
    Tools,
)
from engine.sandbox.openscad import compile_openscad, openscad_availability
from engine.sandbox.running import availability, open_session, run_program

__all__ = [
    "Availability",
    "Limits",
    "ProgramFailed",
    "ProgramResult",
    "SandboxUnavailable",
    "Session",
    "StepResult",
    "ToolError",
    "Tools",
    "availability",
    "compile_openscad",
    "open_session",
    "openscad_availability",
    "run_program",
]
