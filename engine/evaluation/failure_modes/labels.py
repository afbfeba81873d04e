"""The five ways in which an attempt fails (SCBench, failure modes; definitions in our words)."""

from __future__ import annotations

from enum import StrEnum


class FailureMode(StrEnum):
    """Why an attempt failed; exactly one for each attempt. In the order in which a judge asks for them."""

    EVASION = "Evasion / Forfeit"
    TRIVIALIZED = "Trivialized / Misframed"
    NEAR_MISS = "Near-Miss Edge Case"
    LOCAL_ONLY = "Local-Only (Global Constraint Integration Failure)"
    RUNAWAY = "Runaway Overthinking"

    @property
    def meaning(self) -> str:
        """What it says about an attempt."""
        return _MEANINGS[self]

    @property
    def signs(self) -> str:
        """What it typically looks like."""
        return _SIGNS[self]


_MEANINGS = {
    FailureMode.EVASION: "There is no serious attempt at what was asked for.",
    FailureMode.TRIVIALIZED: "Another or an easier problem was solved: a constraint that defines the task was dropped.",
    FailureMode.NEAR_MISS: "Nearly right: one crisp check fails, and a small change in one place would mend it.",
    FailureMode.LOCAL_ONLY: "The single steps are sound, but what they add up to is inconsistent as a whole.",
    FailureMode.RUNAWAY: "Long reasoning that goes in circles and ends without something usable.",
}
_SIGNS = {
    FailureMode.EVASION: "a refusal; “use a solver”; an empty list or object; a placeholder; a required field left out",
    FailureMode.TRIVIALIZED: "the example of the prompt given back; a bounding box in place of the shape; another form "
    "than the schema although that is clear",
    FailureMode.NEAR_MISS: "off by one; one entry twice; one element over a tolerance; one wrong label in a list",
    FailureMode.LOCAL_ONLY: "overlaps; a mesh that is not closed; paths that cross; wrong counts by class; many "
    "missing and many extra elements",
    FailureMode.RUNAWAY: "needs both: a trace that spirals, and several kinds of verifier errors",
}
