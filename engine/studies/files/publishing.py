"""The public form of a study's data: only what people agreed to share, under new codes, without dates and places."""

from __future__ import annotations

import json
import secrets
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from spatial_workbench.engine.studies.analysis.outcomes import Outcomes
from spatial_workbench.engine.studies.analysis.rules import Breach
from spatial_workbench.engine.studies.planning.document import Covariate, Leave, Study
from spatial_workbench.engine.studies.sessions.schema import SessionRecord, TrialRecord

SHARES, QUOTES = "share", "quote"
"""Keys of the boxes in the consent: “share my answers without my name”, “quote my strategy text”."""
LEAST_PEOPLE = 5
OTHER = "other"
_HIDDEN_EVENTS = frozenset({"copy", "paste", "session", "leave_try", "leave"})
_HIDDEN_FIELDS = frozenset({"wall", "at", "version", "build", "os", "screen", "scale", "pointers", "site", "bundle"})
_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXY23456789"


@dataclass(frozen=True)
class Public:
    """What may be published, and sentences on what was left out."""

    outcomes: Outcomes
    events: Mapping[str, Sequence[bytes]]
    left_out: tuple[str, ...]


def of_those_who_share(outcomes: Outcomes) -> Outcomes:
    """The outcomes of the people who agreed to share their answers, under their own codes."""
    shared = {session.id for session in outcomes.sessions if session.boxes.get(SHARES)}
    return replace(
        outcomes,
        sessions=tuple(session for session in outcomes.sessions if session.id in shared),
        judged={key: verdict for key, verdict in outcomes.judged.items() if key[0] in shared},
        breaches=tuple(breach for breach in outcomes.breaches if breach.session in shared),
        post_hoc=tuple(entry for entry in outcomes.post_hoc if entry.session in shared),
    )


def public_form(outcomes: Outcomes, events: Mapping[str, Sequence[bytes]] | None = None) -> Public:
    """The public form. Codes are random: two calls give different ones."""
    agreed = of_those_who_share(outcomes)
    shared = list(agreed.sessions)
    secrets.SystemRandom().shuffle(shared)
    kept, dropped = _kept_covariates(outcomes.study)
    merged = {item.key: _rare(item, shared) for item in kept}
    names = {session.id: (str(uuid.uuid4()), _code()) for session in shared}
    first = min((session.began_at for session in shared if session.began_at), default="")
    sessions = tuple(_public_session(session, names[session.id], merged, first) for session in shared)
    judged = {
        (names[session][0], position, number): replace(verdict, attempt=None)
        for (session, position, number), verdict in agreed.judged.items()
    }
    public = replace(
        agreed,
        study=_public_study(outcomes.study, kept),
        frozen=outcomes.frozen and outcomes.frozen.model_copy(update={"slots": ()}),
        sessions=sessions,
        judged=judged,
        breaches=tuple(_renamed(breach, names) for breach in agreed.breaches),
        post_hoc=tuple(replace(entry, session=names[entry.session][0], reason="", at="") for entry in agreed.post_hoc),
        notes=(),
    )
    chunks = {names[key][0]: [_public_events(value)] for key, value in (events or {}).items() if key in names}
    return Public(public, chunks, _sentences(outcomes, shared, dropped, merged))


def _public_study(study: Study, covariates: Sequence[Covariate]) -> Study:
    nobody = {"leader": "", "contact": "", "leave": Leave(salt="-", hash="-")}
    return study.model_copy(update={"covariates": tuple(covariates), **nobody})


def _code() -> str:
    return "X" + "".join(secrets.choice(_ALPHABET) for _ in range(6))


def _kept_covariates(study: Study) -> tuple[list[Covariate], list[Covariate]]:
    """The questions whose answers may be published, and the others: identifying ones, and free text."""
    kept = [item for item in study.covariates if not item.identifying and item.type != "text"]
    return kept, [item for item in study.covariates if item not in kept]


def _rare(covariate: Covariate, sessions: Sequence[SessionRecord]) -> set[Any]:
    """The answers that were given by so few people that they could be recognised."""
    counts = Counter(_key(session.covariates.get(covariate.key)) for session in sessions)
    return {value for value, count in counts.items() if count < LEAST_PEOPLE and value is not None}


def _key(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _public_session(
    session: SessionRecord, name: tuple[str, str], merged: Mapping[str, set[Any]], first: str
) -> SessionRecord:
    quotes = bool(session.boxes.get(QUOTES))
    given = {key: session.covariates[key] for key in merged if key in session.covariates}
    return session.model_copy(
        update={
            "id": name[0],
            "code": name[1],
            "build": "",
            "bundle": "",
            "site": "",
            "began_at": _day(session.began_at, first),
            "first_shown_at": "",
            "ended_at": "",
            "sealed": "",
            "covariates": {key: OTHER if _key(value) in merged[key] else value for key, value in given.items()},
            "trials": tuple(_public_trial(trial, quotes) for trial in session.trials),
        }
    )


def _day(at: str, first: str) -> str:
    """How many days after the first session: "day 0"."""
    if not at:
        return ""
    return f"day {(datetime.fromisoformat(at).date() - datetime.fromisoformat(first).date()).days}"


def _public_trial(trial: TrialRecord, quotes: bool) -> TrialRecord:
    if quotes:
        return trial
    responses = _without(trial.responses, {"strategy"})
    return trial.model_copy(update={"responses": responses, "sketches": {}, "scratch": "", "unapplied": ""})


def _without(values: Mapping[str, Any], keys: set[str] | frozenset[str]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key not in keys}


def _renamed(breach: Breach, names: Mapping[str, tuple[str, str]]) -> Breach:
    session, code = names[breach.session]
    # Values may hold codes of others (“answers as in P003Y”) and reasons in the leader's words.
    return replace(breach, session=session, code=code, value="", threshold="")


def _public_events(chunks: Sequence[bytes]) -> bytes:
    lines = []
    for line in b"".join(chunks).splitlines():
        event = json.loads(line)
        if event.get("kind") not in _HIDDEN_EVENTS:
            lines.append(json.dumps(_without(event, _HIDDEN_FIELDS), ensure_ascii=False, separators=(",", ":")))
    return "".join(f"{line}\n" for line in lines).encode()


def _sentences(
    outcomes: Outcomes, shared: Sequence[SessionRecord], dropped: Sequence[Covariate], merged: Mapping[str, set[Any]]
) -> tuple[str, ...]:
    withheld = len(outcomes.sessions) - len(shared)
    rare = [key for key, values in merged.items() if values]
    silent = sum(not session.boxes.get(QUOTES) for session in shared)
    sentences = [
        f"{withheld} of {len(outcomes.sessions)} sessions, whose people did not agree to share their answers."
        if withheld
        else "",
        f"Answers to these questions: {', '.join(item.key for item in dropped)}." if dropped else "",
        f"Answers that fewer than {LEAST_PEOPLE} people gave, merged to “{OTHER}”: {', '.join(rare)}." if rare else "",
        f"What {silent} of {len(shared)} people wrote about how they went about it, sketched or noted."
        if silent
        else "",
        "Codes of participants (replaced by random ones), dates (replaced by days), machines, sites, and versions.",
        "Events about copying, pasting and leaving.",
    ]
    return tuple(filter(None, sentences))
