"""What goes on a site and what stays out, told before anything is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.reporting.site.contents import SiteContents

_SEEDS = (
    "Addresses of generated instances hold their seeds: whoever has the workbench can make these instances, and solve "
    "them with the reference solver."
)
_SOLUTIONS = "Answers that are right are published, but for tasks with one right answer."


@dataclass(frozen=True)
class SiteListing:
    """What a site would hold.

    Attributes:
        parts: Each kind of page with a sentence about it.
        runs: The names that are published, each with its kind and the number of its attempts.
        remarks: What to think of before publishing.
        left_out: What is not published.
    """

    parts: tuple[tuple[str, str], ...]
    runs: tuple[tuple[str, str, int], ...]
    remarks: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def lines(self) -> list[str]:
        """The list in words."""
        names = [f"  {title} ({kind}): {counted(count, 'attempt')}" for title, kind, count in self.runs]
        return [
            "This goes in:",
            *(f"  {title}: {text}" for title, text in self.parts),
            *(["Under these names:", *names] if names else []),
            *(["Before you publish:", *(f"  {text}" for text in self.remarks)] if self.remarks else []),
            "This stays out:",
            *(f"  {text}" for text in self.left_out),
        ]

    @property
    def data(self) -> dict[str, Any]:
        """The list as JSON data."""
        return {
            "parts": dict(self.parts),
            "runs": [{"name": title, "kind": kind, "attempts": count} for title, kind, count in self.runs],
            "remarks": list(self.remarks),
            "left_out": list(self.left_out),
        }


def listing(contents: SiteContents) -> SiteListing:
    """What a site with these contents would hold."""
    runs = tuple((run.title, run.kind, len(run.attempts)) for run in contents.runs)
    left_out = (*contents.left_out, *(f"{study.name}: {text}" for study in contents.studies for text in study.left_out))
    return SiteListing(tuple(_parts(contents)), runs, tuple(_remarks(contents)), left_out)


def _parts(contents: SiteContents) -> Iterator[tuple[str, str]]:
    yield "Title", contents.choice.title
    yield "Leaderboard", counted(len(contents.runs), "run")
    yield "Tasks", ", ".join(task.title for task in contents.tasks) or "none"
    drawn = ", drawn and turning" if contents.choice.pictures else ", without pictures"
    shown = sum(not attempt.withheld for attempt in contents.attempts.values())
    built = sum(bool(attempt.history) for attempt in contents.attempts.values())
    steps = f"; {built:,} with every step of how they were built, without its time" if built else ""
    yield "Attempts", f"{len(contents.attempts):,}, of these {shown:,} with their answers{drawn}{steps}"
    yield "Comparisons", f"{counted(len(contents.comparisons), 'pair')} of runs"
    for study in contents.studies:
        people = counted(study.people, "person shares", "people share")
        yield "Study", f"{study.name}: its report and data, of the {people} their answers"


def _remarks(contents: SiteContents) -> Iterator[str]:
    if contents.has_seeds:
        yield _SEEDS
    if any(attempt.passed and not attempt.withheld for attempt in contents.attempts.values()):
        yield _SOLUTIONS
    people = [run.title for run in contents.runs if run.kind == "person" or run.kind == "import"]
    if people:
        yield f"Attempts of people: {', '.join(people)}. Publish them only if these people agreed."
