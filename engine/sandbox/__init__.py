"""The only place where code written by a model is run.

    bubblewrap     the sandbox on Linux: bubblewrap's namespaces, a filter of system calls, resource limits
    contracts      the interface that all sandboxes share
    guest          runs inside the sandbox: executes steps, keeps their names from one to the next
    openscad       turns OpenSCAD models into STL with the program `openscad`, inside the Linux sandbox
    running        chooses the sandbox that works here, by running a program in it that tries to get out
    seccomp        the Linux kernel's filter of system calls, written as the BPF program that `seccomp` takes
    stepping       programs of agents, a block in each step
    webassembly    the sandbox everywhere else: CPython compiled to WebAssembly, which can only access what it is given

`availability()` says whether a sandbox works on this machine, by testing it. `run_program` runs a whole program and
returns what it printed; `open_session` runs a program step by step, with tools of the host. If no sandbox works, they
raise `SandboxUnavailable` with the reason; there is no way to run code without one. See docs/sandbox.md.
"""

from spatial_workbench.engine.sandbox.contracts import (
    Availability,
    ProgramFailed,
    ProgramResult,
    SandboxLimits,
    SandboxSession,
    SandboxUnavailable,
    StepResult,
    ToolError,
    Tools,
)
from spatial_workbench.engine.sandbox.openscad import compile_openscad, openscad_availability
from spatial_workbench.engine.sandbox.running import availability, open_session, run_program
from spatial_workbench.engine.sandbox.stepping import ProgramStep, ProgramSteps

__all__ = [
    "Availability",
    "ProgramFailed",
    "ProgramResult",
    "ProgramStep",
    "ProgramSteps",
    "SandboxLimits",
    "SandboxSession",
    "SandboxUnavailable",
    "StepResult",
    "ToolError",
    "Tools",
    "availability",
    "compile_openscad",
    "open_session",
    "openscad_availability",
    "run_program",
]
