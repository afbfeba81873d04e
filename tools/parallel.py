"""Runs a few commands of the virtual environment at once and shows their outputs one after another."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LONGEST_STEP_S = 15 * 60


@dataclass(frozen=True)
class ToolStep:
    """A command whose first word is a program beside the interpreter."""

    name: str
    command: tuple[str, ...]


def run_steps(steps: Sequence[ToolStep]) -> int:
    """Runs steps, as many at once as there are processors; 0 if all succeed, else 1.

    What failed is shown with its output.
    """
    failed = 0
    with ThreadPoolExecutor(max(1, os.cpu_count() or 1)) as pool:
        for future in as_completed([pool.submit(_run, step) for step in reversed(steps)]):
            step, code, output, seconds = future.result()
            failed += code != 0
            print(f"{'failed' if code else 'passed'}  {step.name}  {seconds:.1f} s", flush=True)
            if code:
                print(output.rstrip(), flush=True)
    return 1 if failed else 0


def _run(step: ToolStep) -> tuple[ToolStep, int, str, float]:
    """The step, its exit code, its output, and the seconds that it took."""
    begun = time.monotonic()
    program = Path(sys.executable).with_name(step.command[0])
    try:
        done = subprocess.run(
            [str(program), *step.command[1:]],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LONGEST_STEP_S,
        )
    except subprocess.TimeoutExpired:
        return step, 1, f"It did not end within {LONGEST_STEP_S // 60} minutes.", time.monotonic() - begun
    return step, done.returncode, done.stdout, time.monotonic() - begun
