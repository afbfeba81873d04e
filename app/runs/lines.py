"""What each line of the runs browser shows: an attempt, or the head of a group of attempts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from spatial_workbench.app.attempts.columns import instance_title, task_title
from spatial_workbench.app.frame.people import shown_name
from spatial_workbench.engine.core.words import counted, score_words

if TYPE_CHECKING:
    from spatial_workbench.engine.store import RunGroup

GROUPINGS = (("", "No groups"), ("who", "Group by model"), ("task", "Group by task"), ("address", "Group by instance"))
"""What attempts can be grouped by, in words."""


@dataclass(frozen=True)
class RunListing:
    """Attempts as a list; in groups, if there are any.

    Attributes:
        numbers: The numbers of all attempts, those of closed groups, too.
        grouped_by: What the groups have in common, one of the keys of GROUPINGS; empty: there are no groups.
    """

    numbers: Sequence[int] = ()
    groups: tuple[RunGroup, ...] = ()
    grouped_by: str = ""

    @classmethod
    def of_groups(cls, groups: Sequence[RunGroup], grouped_by: str) -> RunListing:
        """The attempts of some groups."""
        return cls([number for group in groups for number in group.numbers], tuple(groups), grouped_by)

    def lines(self, opened: Collection[str]) -> Sequence[int]:
        """The number of the attempt in each line, or -1 less the position of the group whose head it is.

        opened: The keys of the groups whose attempts are shown.
        """
        if not self.grouped_by:
            return self.numbers
        lines: list[int] = []
        for position, group in enumerate(self.groups):
            lines.append(-1 - position)
            if group.key in opened:
                lines.extend(group.numbers)
        return lines

    def group(self, line: int) -> RunGroup | None:
        """The group whose head a line of `lines` is; None: it is an attempt."""
        return self.groups[-1 - line] if line < 0 else None

    def title(self, group: RunGroup) -> str:
        """What the attempts of a group have in common, in words."""
        if self.grouped_by == "task":
            return task_title(group.key)
        return instance_title(group.key) if self.grouped_by == "address" else shown_name(group.key)


def group_words(group: RunGroup) -> str:
    """Count and mean of a group: "12 attempts · mean 0.74 (2 without a score)"."""
    lacking = len(group.numbers) - group.scored
    mean = "no score" if group.mean is None else f"mean {score_words(group.mean)}"
    without = f" ({lacking:,} without a score)" if lacking and group.scored else ""
    return f"{counted(len(group.numbers), 'attempt')} · {mean}{without}"
