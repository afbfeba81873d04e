"""A small learned baseline for machines, in NumPy alone: the cross-entropy method over a table.

    python -m tools.machine_baseline --curve docs/pictures/machine_baseline.svg

An episode is ten edits on the starting block of `machine_movement:0`, judged at their end over two seconds. The policy
is a table with a number for each action at each edit; a possible action is drawn by softmax. Each generation plays some
episodes in as many environments as there are cores; then the policy is made to repeat the best episodes so far more
probably (the cross-entropy method over actions). The table of the first generation is 0: every possible edit is equally
likely. Gymnasium is needed (the extra `gym`).
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ADDRESS = "machine_movement:0"
ARGUMENTS: dict[str, Any] = {"address": ADDRESS, "edits": 10, "horizon_s": 2.0, "max_blocks": 12}
ELITE = 6
"""How many of the best episodes so far are imitated."""
CURIOSITY = 0.05
"""The share of actions that are drawn from all possible ones alike."""
FITTING_STEPS, RATE = 60, 1.0
Numbers = NDArray[np.float64]
Choice = tuple[NDArray[np.intp], int]
"""The places in the table of the possible actions, and which of them was taken."""


@dataclass(frozen=True)
class Episode:
    """What an episode earned, and its choices."""

    earned: float
    choices: list[Choice]


class Policy:
    """A number for each action at each edit of an episode."""

    def __init__(self, actions: int) -> None:
        self.actions = actions
        self.table: Numbers = np.zeros(ARGUMENTS["edits"] * actions)

    def chances(self, rows: NDArray[np.intp]) -> Numbers:
        """How probable actions are that have these rows."""
        raised = np.exp(self.table[rows] - self.table[rows].max())
        return np.asarray((1 - CURIOSITY) * raised / raised.sum() + CURIOSITY / len(rows))

    def draw(self, edit: int, mask: NDArray[np.int8], rng: np.random.Generator) -> tuple[int, Choice]:
        """A possible action for an edit, counted from 0."""
        possible = np.flatnonzero(mask)
        rows = possible + edit * self.actions
        taken = int(rng.choice(len(possible), p=self.chances(rows)))
        return int(possible[taken]), (rows, taken)

    def imitate(self, episodes: Sequence[Episode]) -> None:
        """Makes the choices of episodes more probable."""
        choices = [choice for episode in episodes for choice in episode.choices]
        for _ in range(FITTING_STEPS):
            slope = np.zeros_like(self.table)
            for rows, taken in choices:
                np.subtract.at(slope, rows, self.chances(rows))
                slope[rows[taken]] += 1
            self.table += RATE * slope / len(episodes)


def played(environments: Any, policy: Policy, rng: np.random.Generator) -> list[Episode]:
    """An episode in each environment."""
    count = environments.num_envs
    _, infos = environments.reset()
    totals = np.zeros(count)
    is_over = np.zeros(count, bool)
    choices: list[list[Choice]] = [[] for _ in range(count)]
    for edit in range(ARGUMENTS["edits"]):
        drawn = [policy.draw(edit, mask, rng) for mask in infos["action_mask"]]
        for k in np.flatnonzero(~is_over):
            choices[k].append(drawn[k][1])
        _, rewards, ended, cut_off, infos = environments.step(np.array([action for action, _ in drawn]))
        totals += np.where(is_over, 0.0, rewards)
        is_over |= ended | cut_off
    return [Episode(float(total), chosen) for total, chosen in zip(totals, choices, strict=True)]


def learn(generations: int, population: int, environments: int, seed: int) -> list[tuple[float, float]]:
    """The mean and the best return of every generation; the first is that of random edits."""
    import gymnasium

    from spatial_workbench.environments import NAMESPACE

    rng = np.random.default_rng(seed)
    best: list[Episode] = []
    curve = []
    vector = gymnasium.make_vec(
        f"spatial_workbench.environments:{NAMESPACE}/MachineEditing-v1",
        num_envs=environments,
        vectorization_mode="async",
        vector_kwargs={"context": "spawn"},
        **ARGUMENTS,
    )
    policy = Policy(int(vector.single_action_space.n))
    try:
        for generation in range(generations):
            episodes: list[Episode] = []
            while len(episodes) < population:
                episodes += played(vector, policy, rng)
            earned = [episode.earned for episode in episodes]
            curve.append((float(np.mean(earned)), max(earned)))
            print(f"generation {generation}: mean {curve[-1][0]:.3f}, best {curve[-1][1]:.3f}", flush=True)
            best = sorted([*best, *episodes], key=lambda episode: -episode.earned)[:ELITE]
            policy.imitate(best)
    finally:
        vector.close()
    return curve


def drawing_of(curve: list[tuple[float, float]]) -> str:
    """The curve as SVG: the mean and the best of each generation, and the mean of random edits."""
    width, height, left, bottom = 560, 300, 50, 260
    most = max(best for _, best in curve) or 1.0
    across = (width - left - 20) / max(1, len(curve) - 1)

    def line(values: list[float], style: str) -> str:
        points = " ".join(f"{left + k * across:.1f},{bottom - 220 * v / most:.1f}" for k, v in enumerate(values))
        return f'<polyline fill="none" stroke-width="2" points="{points}" {style}/>'

    means = [mean for mean, _ in curve]
    words = [
        (left, 20, f"share of the reference's metres (up to {most:.2f})"),
        (width // 2 - 40, 290, f"generation (0 to {len(curve) - 1})"),
        (width - 210, 20, "blue: mean, orange: best"),
        (width - 210, 36, f"dashed: random edits, {means[0]:.3f}"),
    ]
    texts = [f'<text x="{x}" y="{y}" font-size="12" fill="#667085">{text}</text>' for x, y, text in words]
    axes = f'<path d="M{left} 40V{bottom}H{width - 20}" fill="none" stroke="#98a2b3"/>'
    lines = [
        line([best for _, best in curve], 'stroke="#e07b39"'),
        line(means, 'stroke="#2f6fdb"'),
        line([means[0]] * len(curve), 'stroke="#667085" stroke-dasharray="4 4"'),
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">'
    return "\n".join([head, axes, *lines, *texts, "</svg>\n"])


def main() -> None:
    """Learns, prints each generation, and draws the curve."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--generations", type=int, default=16)
    parser.add_argument("--population", type=int, default=24)
    parser.add_argument("--environments", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--curve", type=Path, help="an SVG file")
    options = parser.parse_args()
    curve = learn(options.generations, options.population, options.environments, options.seed)
    if options.curve is not None:
        options.curve.write_text(drawing_of(curve), encoding="utf-8")


if __name__ == "__main__":
    main()
