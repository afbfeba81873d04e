"""The shipped machines of all levels: `python -m tools.studio.machine_references [--write]`.

Simulates each in its level, tells what it is worth by every rule, and fails where that is not what
resources/machines/references.json says; with --write it is stored there instead.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core.formats.jsonlayout import layout
from spatial_workbench.engine.machines.building.tree import read_tree
from spatial_workbench.engine.machines.levels.catalogue import levels
from spatial_workbench.engine.machines.results.scoring import RULES
from spatial_workbench.engine.physics.machine_judging import judge_machine

FILE = Path("resources/machines/references.json")
TOLERANCE = 0.03
"""Other builds of the physics engine differ in late digits, which contacts amplify."""


def main() -> int:
    """Checks or stores; the exit code is 1 where something differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="store what the machines are worth")
    arguments = parser.parse_args()
    data = json.loads(FILE.read_text("utf-8"))
    differing = [level for level, row in data["references"].items() if not _agrees(level, row)]
    if arguments.write:
        FILE.write_text(layout(data) + "\n", "utf-8")
        return 0
    return 1 if differing else 0


def _agrees(level: str, row: dict[str, Any]) -> bool:
    """Measures a machine, tells of it, and puts the measured values into its row."""
    rewards, line = measure(level, row["tree"])
    before = row.get("rewards", {})
    row["rewards"] = rewards
    agrees = all(abs(rewards[rule] - before.get(rule, -1.0)) <= TOLERANCE * rewards[rule] + 1e-9 for rule in rewards)
    print(f"{level:6} {line}{'' if agrees else '   differs from what is stored'}", flush=True)
    return agrees


def measure(level_id: str, rows: Any) -> tuple[dict[str, float], str]:
    """R of a machine by every rule, and a line about it."""
    level = levels()[level_id]
    reading = read_tree(rows)
    scores = {}
    for rule in RULES:
        judged = judge_machine(reading, level, rule)
        assert judged.is_valid, f"{level_id}: {[fault.sentence for fault in (*reading.faults, *judged.spatial)]}"
        scores[rule] = judged.score
    shown = scores["default"].shown
    success = {None: "", True: ", succeeds", False: ", does not succeed"}[scores["default"].success]
    line = f"R {scores['default'].reward:9.2f}, {shown.name} {shown.value:.2f} {shown.unit}{success}"
    # Rounded down, so that the machine itself scores 1.
    return {rule: math.floor(1000 * score.reward) / 1000 for rule, score in scores.items()}, line


if __name__ == "__main__":
    sys.exit(main())
