"""The five ways in which an attempt fails (SCBench, failure modes; definitions in our words)."""

from __future__ import annotations

from enum import StrEnum


class Label(StrEnum):
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
    Label.EVASION: "There is no serious attempt at what was asked for.",
    Label.TRIVIALIZED: "Another or an easier problem was solved: a constraint that defines the task was dropped.",
    Label.NEAR_MISS: "Nearly right: one crisp check fails, and a small change in one place would mend it.",
    Label.LOCAL_ONLY: "The single steps are sound, but what they add up to is inconsistent as a whole.",
    Label.RUNAWAY: "Long reasoning that goes in circles and ends without something usable.",
}
_SIGNS = {
    Label.EVASION: "a refusal; “use a solver”; an empty list or object; a placeholder; a required field left out",
    Label.TRIVIALIZED: "the example of the prompt given back; a bounding box in place of the shape; another form "
    "than the schema although that is clear",
    Label.NEAR_MISS: "off by one; one entry twice; one element over a tolerance; one wrong label in a list",
    Label.LOCAL_ONLY: "overlaps; a mesh that is not closed; paths that cross; wrong counts by class; many missing "
    "and many extra elements",
    Label.RUNAWAY: "needs both: a trace that spirals, and several kinds of verifier errors",
}
