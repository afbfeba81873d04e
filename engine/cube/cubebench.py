"""The published results of CubeBench, tables 2 to 6 of the paper, as rows with one number each.

Numbers are as printed, even where the paper is wrong; `SLIPS` says where. Rates are over 20 runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from spatial_workbench.engine.core.shipped import resource

RUNS_PER_RATE = 20
SLIPS: Mapping[str, str] = {
    "table 5, policy gradient": "The row repeats the #MM values (5.17 and 400.00) under #MR.",
    "tables 2 and 5, Kimi K2": "Dated 2024-09-05, but named 0905 in table 6; 2025 is meant.",
    "sticker reward": "The stated minimum is 9; it is 6, and random states reach it.",
    "policy-gradient training": "40 000 steps for depth 1 and 320 000 for depth 4 do not fit one square law.",
    "depths": "Results by depth are only in a figure; in words, pass rates are 0.00 from depth 8 on.",
}
"""What is known to be wrong or missing in the paper."""


@dataclass(frozen=True)
class PublishedResult:
    """One number of a table.

    Attributes:
        table: 2 to 6.
        kind: "closed", "open", "baseline", or "" if the table does not say.
        agent: "basic", "standard-solver" or "ideal-solver".
        reward: "no_reward", "sticker", "face" or "heuristic".
        uses_code: False for the no-code mode of table 6.
        setting: "full_symbolic" ...
        horizon: "short" or "long".
        metric: "pass_rate", "mm" or "mr".
        value: As printed.
    """

    table: int
    model: str
    kind: str
    agent: str
    reward: str
    uses_code: bool
    setting: str
    horizon: str
    metric: str
    value: float


@cache
def published_results() -> tuple[PublishedResult, ...]:
    """Every number in the five tables; cells without a number are left out."""
    data = paper()
    rows = [
        *_cells(2, data["basic_agent_table2"]["pass_rate_and_mm"], ("pass_rate", "mm")),
        *_cells(3, data["rewards_table3"], ("pass_rate",)),
        *_cells(4, data["solver_agents_table4"], ("pass_rate",)),
        *_cells(5, data["move_ratio_table5"]["rows"], ("pass_rate", "mr")),
        *_no_code(data["no_code_table6"]["rows"]),
    ]
    return tuple(rows)


@cache
def paper() -> Mapping[str, Any]:
    """Everything that is known about the paper's results and its baseline, as plain data."""
    data: dict[str, Any] = json.loads(resource("cube", "published_results.json").read_text("utf-8"))
    return data


def _cells(table: int, rows: list[dict[str, Any]], metrics: tuple[str, ...]) -> Iterator[PublishedResult]:
    for row in rows:
        agent = row.get("agent", "Basic").lower()
        reward = row.get("reward", "no reward").replace(" ", "_")
        group = (table, row["model"], row.get("kind", ""), agent, reward, True)
        for metric in metrics:
            for cell, value in row[metric].items():
                setting, _, horizon = cell.rpartition("_")
                if value is not None:
                    yield PublishedResult(*group, setting, horizon, metric, value)


def _no_code(rows: list[dict[str, Any]]) -> Iterator[PublishedResult]:
    for row in rows:
        for mode in ("no_code", "code"):
            group = (6, row["model"], "", "basic", "no_reward", mode == "code", "full_symbolic", "short")
            for metric, value in row[mode].items():
                if value is not None:
                    yield PublishedResult(*group, metric, value)
