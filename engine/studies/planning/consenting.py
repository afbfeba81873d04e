"""What people agree to, written from the plan where the leader has not written a text of their own.

It contradicts neither the plan nor the boxes below it: who may see answers depends on the boxes that there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spatial_workbench.engine.core.languages.translation import marked, ntr, tr
from spatial_workbench.engine.studies.planning.briefing import duration, spoken_words, written_in
from spatial_workbench.engine.studies.planning.document import ItemKind, ItemPhase, Study, StudyItem, StudySetting, Text
from spatial_workbench.engine.studies.planning.paying import bonus_words
from spatial_workbench.engine.studies.planning.slots import Slot, slots_of

_PAY = {"base": marked("Pay"), "bonus": marked("Bonus"), "rule": marked("How the bonus is worked out")}
_READ = {
    StudySetting.DESK: marked("What people read at a desk:"),
    StudySetting.BROWSER: marked("What people read in a browser:"),
}
_COUNTING = (ItemPhase.MAIN, ItemPhase.ATTENTION)
_SHARE = "share"
_QUOTE = "quote"


def consent_words(study: Study, slot: Slot, setting: StudySetting = StudySetting.DESK, time_factor: float = 1.0) -> str:
    """What the person in a slot agrees to in a setting, in Markdown, in the language that is spoken."""
    if own := spoken_words(study.consent.text, study):
        browser = [_titled(tr("In a browser"), _storage_of_browser())] if setting is StudySetting.BROWSER else []
        return _paragraphs([own, *browser, *_pay(study), _contact(study), _deletion_beside_own_words(study)])
    known = {item.id: item for item in study.items()}
    shown = [known[trial.item] for trial in slot.trials]
    return _paragraphs(
        [
            f"# {study.name}",
            _titled(
                tr("Purpose"),
                tr("We want to know how well people solve spatial tasks, to compare them with computer programs."),
            ),
            _titled(tr("What you do"), _activity(study, shown, setting)),
            _titled(tr("How long it takes"), " ".join(_length(study, shown, time_factor))),
            *(_pay(study) or [_titled(tr("Pay"), tr("No pay is promised."))]),
            _titled(tr("Risks"), _risks()),
            _titled(tr("What is stored"), " ".join(_storage(study, setting))),
            _titled(tr("Who sees it"), " ".join(_readers(study))),
            _titled(tr("When it is deleted"), " ".join(_deletion(study, setting))),
            *_approval(study),
            _contact(study) if study.contact else "",
        ]
    )


def written_consent(study: Study) -> Text:
    """The consent of the first place of a study, in each language, as the report and the data hold it.

    If people take part in several settings, it has the words of each.
    """
    slot = slots_of(study)[0]
    return written_in(study.languages, lambda: _consent_of_settings(study, slot))


def _consent_of_settings(study: Study, slot: Slot) -> str:
    words = {setting: consent_words(study, slot, setting) for setting in study.settings}
    if len(words) == 1:
        return words[study.settings[0]]
    return _paragraphs([f"{tr(_READ[setting])}\n\n{text}" for setting, text in words.items()])


def _paragraphs(parts: Sequence[str]) -> str:
    return "\n\n".join(filter(None, parts))


def _titled(title: str, text: str) -> str:
    return f"**{title}:** {text}"


def _activity(study: Study, shown: Sequence[StudyItem], setting: StudySetting) -> str:
    count = sum(item.kind is not ItemKind.TEXT for item in shown)
    if setting is StudySetting.BROWSER:
        does = ntr("You work on {number} item in your browser.", "You work on {number} items in your browser.", count)
    else:
        does = ntr("You work on {number} item on this computer.", "You work on {number} items on this computer.", count)
    asked = tr("You also answer questions about yourself; to each of them, you may prefer not to say.")
    stop = tr("Taking part is voluntary. You can stop at any time, without giving a reason.")
    return " ".join((does, asked, stop) if study.covariates else (does, stop))


def _length(study: Study, shown: Sequence[StudyItem], time_factor: float) -> Iterator[str]:
    limits = [item.limit_s or study.limits.item_s for item in shown if item.phase in _COUNTING]
    known = [limit for limit in limits if limit is not None]
    total = study.limits.total_s
    longest = sum(known) if len(known) == len(limits) else None
    if total is not None and (longest is None or total < longest):
        longest = total
    if longest is None:
        yield tr("There is no time limit for all items; you decide how long you work.")
    else:
        time = duration(time_factor * longest)
        yield tr(
            "Up to {time} for the items that count; instructions, practice, questions and breaks are added.", time=time
        )
    if study.limits.sitting_s is not None:
        yield ntr(
            "There is {number} sitting.", "You can spread it over up to {number} sittings.", study.limits.sittings
        )


def _pay(study: Study) -> list[str]:
    texts = {title: spoken_words(getattr(study.incentive, name), study) for name, title in _PAY.items()}
    paid = [_titled(tr(title), text) for title, text in texts.items() if text]
    return [*paid, _titled(tr("Bonus by results"), words)] if (words := bonus_words(study)) else paid


def _risks() -> str:
    return tr(
        "They are those of work at a screen: eyes can tire, and an item that is too hard can be frustrating. You need "
        "not solve every item."
    )


def _storage(study: Study, setting: StudySetting) -> Iterator[str]:
    yield tr(
        "Your answers with sketches and notes, how long you take, every change that you make to an answer, when the"
        " window is not in front, and what you tell us about yourself and about the items."
    )
    if study.log.pointer:
        yield tr("Where the pointer is, ten times a second, while you work on an item.")
    if setting is StudySetting.BROWSER:
        yield _storage_of_browser()
    yield tr("Your name is not stored; a code stands for you.")


def _storage_of_browser() -> str:
    return tr(
        "Of your browser: its kind and version, the size of its window, whether it is in front, and how long the"
        " connection takes; never your address on the internet."
    )


def _readers(study: Study) -> Iterator[str]:
    boxes = {box.key for box in study.consent.boxes}
    yield tr("The people who run the study: {leader}.", leader=study.leader or tr("the leader of the study"))
    yield tr("Figures that are worked out from the answers of all participants are published.")
    if _SHARE in boxes:
        yield tr("Your single answers are only shared with others if you tick the box for that, and without your code.")
    else:
        yield tr("Your single answers are not shared with others.")
    if _QUOTE in boxes:
        yield tr("What you write is only quoted if you tick the box for that.")


def _deletion(study: Study, setting: StudySetting) -> Iterator[str]:
    if setting is StudySetting.BROWSER:
        yield tr("If you stop, you can have what you did deleted at once.")
    else:
        yield tr("If you stop, you can have what you did deleted from this computer at once.")
    yield tr(
        "Later, you can have your data deleted until {withdraw_until}; for that, tell us your code. All data are "
        "deleted after {delete_after}.",
        withdraw_until=study.retention.withdraw_until,
        delete_after=study.retention.delete_after,
    )
    if any(box.key == _SHARE for box in study.consent.boxes):
        yield tr("What was shared by then because you allowed it cannot be taken back.")


def _approval(study: Study) -> list[str]:
    parts = (study.ethics.body, study.ethics.number, study.ethics.status)
    given = ", ".join(filter(None, parts))
    return [_titled(tr("Ethics review"), given)] if given else []


def _contact(study: Study) -> str:
    return _titled(tr("Contact"), study.contact)


def _deletion_beside_own_words(study: Study) -> str:
    return tr(
        "You can have your data deleted until {withdraw_until}; tell {leader} your code. All data are deleted "
        "after {delete_after}. Only your code is stored, never your name.",
        withdraw_until=study.retention.withdraw_until,
        leader=study.leader or tr("the person who leads the study"),
        delete_after=study.retention.delete_after,
    )
