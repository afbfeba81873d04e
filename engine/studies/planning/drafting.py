"""Drafts with sensible defaults: what a new study begins with, to be edited before it is frozen."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from spatial_workbench.engine.core import answer_group_of, resolve
from spatial_workbench.engine.core.languages.translation import ENGLISH
from spatial_workbench.engine.studies.analysis.rules import DEFAULTS
from spatial_workbench.engine.studies.planning.default_texts import INSTRUCTIONS, default_boxes, library_in, said_in
from spatial_workbench.engine.studies.planning.document import (
    Block,
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
_ASKED = ("age", "software_3d", "puzzles", "team", "met_items", "used_ai", "used_tools")


@dataclass(frozen=True)
class Wish:
    """What a new study is to be about; everything can be changed afterwards.

    Attributes:
        languages: In which languages it is run; its default texts are in each that the program speaks.
    """

    name: str
    addresses: Sequence[str]
    passphrase: str
    leader: str = ""
    contact: str = ""
    question: str = ""
    population: str = ""
    slots: int | None = None
    item_s: float = ITEM_S
    languages: Sequence[str] = (ENGLISH,)


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
    library = {covariate.key: covariate for covariate in library_in(wish.languages)}
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
            boxes=default_boxes(wish.languages),
        ),
        languages=tuple(wish.languages),
        instructions=said_in(INSTRUCTIONS, wish.languages),
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
