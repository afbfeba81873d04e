"""Verifiers that disagree: their verdicts side by side, and the export of people's rulings on them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from spatial_workbench.engine.core import Check, State, Verdict
from spatial_workbench.engine.store import Difference, Ruling
from spatial_workbench.engine.store.facts import CROSSCHECK, OWN_PREFIX

FIELDS = (
    *("attempt", "address", "task", "who", "first", "second", "by_check", "first_score", "second_score"),
    *("ruling", "note", "person", "at"),
)
"""The fields of each difference in an export, in order."""


@dataclass(frozen=True)
class CheckPair:
    """The checks of the same name in two verdicts; None if that verdict has no such check."""

    name: str
    first: Check | None
    second: Check | None

    @property
    def differs(self) -> bool:
        """Whether the two checks ended differently; one that a verdict lacks differs if it failed in the other."""
        if self.first is None or self.second is None:
            return State.FAILED in {check.state for check in (self.first, self.second) if check is not None}
        return self.first.state is not self.second.state

    @property
    def rank(self) -> int:
        """Its place among the checks of two verdicts, from 0."""
        fails = [check is not None and check.state is State.FAILED for check in (self.first, self.second)]
        if any(fails):
            return 2 if all(fails) else 0
        if None in (self.first, self.second):
            return 4
        return 1 if self.differs else 3

    @property
    def elements(self) -> tuple[str, ...]:
        """All elements that either names."""
        named = [check.elements for check in (self.first, self.second) if check is not None]
        return tuple(dict.fromkeys(element for elements in named for element in elements))


@dataclass(frozen=True)
class RulingContrast:
    """Two verdicts on one answer, side by side."""

    first: Verdict
    second: Verdict

    @property
    def checks(self) -> tuple[CheckPair, ...]:
        """The checks of both, in the order of the first verdict, then those that only the second has."""
        ours = {check.name: check for check in self.first.checks}
        theirs = {check.name: check for check in self.second.checks}
        return tuple(CheckPair(name, ours.get(name), theirs.get(name)) for name in dict.fromkeys((*ours, *theirs)))

    @property
    def by_weight(self) -> tuple[CheckPair, ...]:
        """The checks of both: those that fail in one only, others that differ, those that fail in both, others of the
        same name, and those that only one verdict has.
        """
        return tuple(sorted(self.checks, key=lambda pair: pair.rank))

    @property
    def only_first(self) -> tuple[str, ...]:
        """The elements that only the first finds fault with."""
        return _without(self.first, self.second)

    @property
    def only_second(self) -> tuple[str, ...]:
        """The elements that only the second finds fault with."""
        return _without(self.second, self.first)


def is_known(difference: Difference) -> bool:
    """Whether the two verifiers are ours and follow different rules, and so are bound to differ.

    The default and the cross-check follow the same rules, and what other people's verifiers do is a question to them.
    """
    return difference.second != CROSSCHECK and not difference.second.startswith(OWN_PREFIX)


def export_rows(differences: Iterable[Difference], rulings: Iterable[Ruling]) -> list[dict[str, Any]]:
    """All differences as plain data with the keys FIELDS, each with its newest ruling; None where nobody ruled."""
    newest = {(ruling.attempt, ruling.first, ruling.second): ruling for ruling in rulings}
    rows = []
    for difference in differences:
        ruling = newest.get((difference.attempt, difference.first, difference.second))
        judged = {} if ruling is None else {"person": ruling.person, "at": ruling.at.isoformat()}
        rows.append(dict.fromkeys(FIELDS) | difference.model_dump(mode="json") | judged)
    return rows


def to_json_lines(rows: Iterable[dict[str, Any]]) -> str:
    """JSON lines: an object per line."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def to_csv(rows: Iterable[dict[str, Any]]) -> str:
    """Comma-separated values with a header, as in RFC 4180."""
    out = io.StringIO()
    writer = csv.DictWriter(out, FIELDS)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _without(verdict: Verdict, other: Verdict) -> tuple[str, ...]:
    named = set(other.failed_elements)
    return tuple(element for element in verdict.failed_elements if element not in named)
