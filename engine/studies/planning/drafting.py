"""Drafts with sensible defaults: what a new study begins with, to be edited before it is frozen."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from spatial_workbench.engine.core import answer_group_of, resolve
from spatial_workbench.engine.studies.analysis.rules import DEFAULTS
from spatial_workbench.engine.studies.planning.document import (
    Block,
    ConsentBox,
    Covariate,
    Limits,
    Retention,
    Sampling,
    Study,
    StudyConsent,
    StudyItem,
    StudyPlan,
    new_id,
)
from spatial_workbench.engine.studies.planning.orders import MOST_WILLIAMS, Order, row_count
from spatial_workbench.engine.studies.planning.sample_size import slots_for
from spatial_workbench.engine.studies.sessions.leaving import leave_of

SLOTS = 8
ITEM_S = 600.0
WITHDRAW_DAYS = 60
DELETE_DAYS = 5 * 365
_PASSPHRASE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_YES_NO = ("no", "yes")
_SOME = ("none", "a little", "much")

LIBRARY: tuple[Covariate, ...] = (
    Covariate(
        key="age", ask="How old are you?", type="choice", options=("18-24", "25-34", "35-44", "45-54", "55-64", "65+")
    ),
    Covariate(
        key="education",
        ask="What is the highest level of education that you completed?",
        type="choice",
        options=("school", "vocational training", "bachelor", "master", "doctorate"),
    ),
    Covariate(key="software_3d", ask="How much experience do you have with 3D software?", type="choice", options=_SOME),
    Covariate(key="puzzles", ask="How much experience do you have with puzzles?", type="choice", options=_SOME),
    Covariate(
        key="cube",
        ask="Have you ever solved Rubik's cube?",
        type="choice",
        options=("never", "with help", "alone"),
    ),
    Covariate(
        key="device",
        ask="What do you point with?",
        type="choice",
        options=("mouse", "left-handed mouse", "touchpad", "touch screen", "keyboard only"),
    ),
    Covariate(
        key="colour_vision", ask="Do you see all colours?", type="choice", options=("yes", "not all", "not known")
    ),
    Covariate(key="language", ask="How well do you read this language?", type="scale", range=(1, 5)),
    Covariate(
        key="met_items",
        ask="Had you seen any of these items before?",
        type="choice",
        options=_YES_NO,
        when="after",
    ),
    Covariate(key="team", ask="Do you belong to the research team?", type="choice", options=_YES_NO),
    Covariate(
        key="used_ai", ask="Did you use AI while you solved the items?", type="choice", options=_YES_NO, when="after"
    ),
    Covariate(
        key="used_tools",
        ask="Did you use any other tool that was not allowed?",
        type="choice",
        options=_YES_NO,
        when="after",
    ),
    Covariate(key="serious", ask="How seriously did you take the items?", type="scale", range=(1, 5), when="after"),
)
"""Questions that studies often ask, by their keys; “prefer not to say” is always offered."""
_ASKED = ("age", "software_3d", "puzzles", "team", "met_items", "used_ai", "used_tools")


@dataclass(frozen=True)
class Wish:
    """What a new study is to be about; everything can be changed afterwards."""

    name: str
    addresses: Sequence[str]
    passphrase: str
    leader: str = ""
    contact: str = ""
    question: str = ""
    population: str = ""
    slots: int | None = None
    item_s: float = ITEM_S


def drafted(wish: Wish, today: date | None = None) -> Study:
    """A draft in which every part has a default; without a number of slots, there are enough to use all rows equally.

    Raises:
        InstanceError: An address does not resolve.
        ValueError: The passphrase is too short, or the name too long.
    """
    begin = today or date.today()
    retention = Retention(
        withdraw_until=begin + timedelta(days=WITHDRAW_DAYS), delete_after=begin + timedelta(days=DELETE_DAYS)
    )
    block = block_of("main", wish.addresses)
    rows = row_count(block.order, len(block.items), 1)
    library = {covariate.key: covariate for covariate in LIBRARY}
    return Study(
        id=new_id(),
        name=wish.name,
        leader=wish.leader,
        contact=wish.contact,
        question=wish.question,
        population=wish.population,
        sampling=Sampling.CONVENIENCE,
        consent=StudyConsent(
            version="1",
            text=consent_text(wish.name, wish.leader),
            boxes=(
                ConsentBox(key="part", text="I take part.", required=True),
                ConsentBox(key="share", text="My answers may be shared without my name."),
                ConsentBox(key="quote", text="What I write about my strategy may be quoted."),
            ),
        ),
        instructions="Solve as many items as you can.",
        covariates=tuple(library[key] for key in _ASKED),
        blocks=(block,),
        limits=Limits(item_s=wish.item_s),
        rules=tuple(DEFAULTS.values()),
        plan=StudyPlan(slots=slots_for(SLOTS, 0.0, rows) if wish.slots is None else wish.slots),
        retention=retention,
        leave=leave_of(wish.passphrase),
    )


def block_of(name: str, addresses: Sequence[str], order: Order | None = None) -> Block:
    """A block of main items; instances that share an answer make one item.

    The order is balanced unless given: williams where it is possible, else latin.
    """
    items: list[StudyItem] = []
    groups: set[tuple[str, str]] = set()
    for address in addresses:
        task, instance = resolve(address)
        group = answer_group_of(task, instance)
        if group is None or (task.id, group) not in groups:
            own_id = item_id(address, {item.id for item in items})
            items.append(StudyItem(id=own_id, address=instance.address))
        if group is not None:
            groups.add((task.id, group))
    return Block(id=name, items=tuple(items), order=order or usual_order(len(items)))


def usual_order(items: int) -> Order:
    """The order that balances the most for a number of items."""
    if items < 2:
        return Order.FIXED
    return Order.WILLIAMS if items <= MOST_WILLIAMS else Order.LATIN


def item_id(address: str, taken: set[str]) -> str:
    """A short id for an item, made of its address."""
    stem = re.sub(r"[^A-Za-z0-9]+", "_", address.partition("?")[0])[:34].strip("_") or "item"
    names = [stem, *(f"{stem}_{number}" for number in range(2, len(taken) + 3))]
    return next(name for name in names if name not in taken)


def new_passphrase() -> str:
    """A passphrase that can be read aloud: four groups of four."""
    groups = ("".join(secrets.choice(_PASSPHRASE_LETTERS) for _ in range(4)) for _ in range(4))
    return "-".join(groups)


def consent_text(name: str, leader: str) -> str:
    """A consent to be adapted. What the document says elsewhere, pay, contact and dates, is shown below it."""
    return f"""# {name}

**Purpose.** We want to know how well people solve spatial tasks, to compare them with computer programs.

**What you do.** You solve tasks on this computer. You may stop at any time, without giving a reason.

**What is stored.** Your answers with sketches and notes, how long you took, every change that you made to an answer,
when the window was not in front, and what you tell us about yourself. Your name is not stored; a code stands for you.

**Who sees it.** The people who run the study: {leader or "the leader of the study"}.
"""
