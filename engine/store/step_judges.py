"""What the judges of steps are called: by name, and where several have the same name, by what else tells them apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from spatial_workbench.engine.store.records import WITHOUT_SETTINGS, StepJudge, setting_words

MAX_WORDS = 80
"""Characters of a setting in a title."""


class UnknownJudge(KeyError):
    """No judge is called so, or several are; says which there are."""

    def __str__(self) -> str:
        return str(self.args[0])


def judge_titles(judges: Iterable[StepJudge]) -> dict[StepJudge, str]:
    """What each judge is called; no two of them are called the same.

    A name that only one has is enough. Otherwise the first setting that tells judges apart stands in brackets, the
    endpoint before all others, then further ones as far as they are needed: "oak (llm.example.org/v1)".
    """
    known = list(dict.fromkeys(judges))
    titles: dict[StepJudge, str] = {}
    for name, group in groupby(sorted(known, key=lambda judge: judge.plain_title), lambda judge: judge.plain_title):
        alike = list(group)
        titles |= {alike[0]: name} if len(alike) == 1 else _told_apart(name, alike)
    return _unique({judge: titles[judge] for judge in known})


def judge_named(judges: Sequence[StepJudge], text: str) -> StepJudge:
    """The judge with that key, title or name.

    Raises:
        UnknownJudge: There is none, or several have that name.
    """
    titles = judge_titles(judges)
    for judge, title in titles.items():
        if text in (judge.key, title):
            return judge
    named = [judge for judge in titles if text in (judge.name, judge.plain_title)]
    if len(named) == 1:
        return named[0]
    if named:
        raise UnknownJudge(f"{len(named)} judges are called “{text}”: {_listed(titles[judge] for judge in named)}.")
    there = f"there are {_listed(titles.values())}" if titles else "nobody has judged steps in this project"
    raise UnknownJudge(f"There is no judge of steps “{text}”; {there}.")


def _listed(titles: Iterable[str]) -> str:
    return ", ".join(titles)


def _told_apart(name: str, alike: Sequence[StepJudge]) -> dict[StepJudge, str]:
    settings = {judge: judge.settings for judge in alike}
    recorded = [own for own in settings.values() if own]
    names = _distinguishing(recorded)
    return {judge: _with_words(name, judge, own, names) for judge, own in settings.items()}


def _with_words(name: str, judge: StepJudge, settings: Mapping[str, Any], names: Sequence[str]) -> str:
    if not settings:
        words = "a person" if judge.is_person else WITHOUT_SETTINGS
    else:
        words = ", ".join(_words(setting, settings) for setting in names)
    return f"{name[:-1]}; {words})" if name.endswith(")") else f"{name} ({words})"


def _words(name: str, settings: Mapping[str, Any]) -> str:
    if name not in settings:
        return f"no {name}"
    words = setting_words(name, settings[name])
    return words if len(words) <= MAX_WORDS else f"{words[: MAX_WORDS - 1]}…"


def _distinguishing(recorded: Sequence[Mapping[str, Any]]) -> list[str]:
    """The settings that tell judges apart, as few as are needed; the endpoint if a single one has any."""
    names = list(dict.fromkeys(name for own in recorded for name in own))
    names.sort(key=lambda name: name != "endpoint")
    chosen: list[str] = []
    count = 1
    for name in names:
        kinds = len({tuple(str(own.get(chosen_name)) for chosen_name in (*chosen, name)) for own in recorded})
        if kinds > count:
            chosen.append(name)
            count = kinds
    return chosen or names[:1]


def _unique(titles: Mapping[StepJudge, str]) -> dict[StepJudge, str]:
    """The titles, with the key of a judge where words were not enough."""
    by_title: dict[str, list[StepJudge]] = {}
    for judge, title in titles.items():
        by_title.setdefault(title, []).append(judge)
    return {judge: title if len(by_title[title]) == 1 else f"{title} [{judge.key}]" for judge, title in titles.items()}
