"""How runs and replies ended, and what cut them off."""

import json

_RUNS_CUT_OFF = {
    **{"step_limit": "steps", "timeout": "time", "program_ended": "program ended"},
    **{"calls": "calls", "time": "time", "tokens": "tokens", "money": "spending", "program ended": "program ended"},
}
"""The ends of agents on the cube, and of models with hands."""
_REPLIES_CUT_OFF = {"length": "output limit", "content_filter": "content filter"}


def run_end_of(transcript: str | None) -> str | None:
    """Why a run ended, from its record (JSON), such as "solved" or "step_limit"; None if it does not say."""
    try:
        record = json.loads(transcript or "")
    except (ValueError, RecursionError):
        return None
    end = record.get("end") if isinstance(record, dict) else None
    return end if isinstance(end, str) and end else None


def cut_off_by(run_end: str | None, finish_reason: str | None) -> str | None:
    """What cut an attempt off: "time", "steps", "calls", "tokens", "spending", "program ended", "output limit",
    "content filter"; None: nothing did.

    Of a run, its own end counts, since it goes on after a reply that was cut off.
    """
    if run_end is not None:
        return _RUNS_CUT_OFF.get(run_end)
    return _REPLIES_CUT_OFF.get(finish_reason or "")
