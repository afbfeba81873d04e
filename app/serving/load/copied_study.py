"""A copy of a study in a temporary folder, with a session for each simulated person.

The sessions have got as far as the instructions: consent and questions are behind them. Each person begins with another
item, since people in a study are seldom in the same. There are no limits of time within reach, and nothing is asked
after an item, so that everybody stays in items. Nothing of it is ever analysed: its phase is "rehearsal".
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from spatial_workbench.app.serving.addresses import ServingAddress
from spatial_workbench.app.serving.served_study import ServedStudy
from spatial_workbench.engine.studies.files.bundles import Bundle
from spatial_workbench.engine.studies.planning.codes import code_of
from spatial_workbench.engine.studies.planning.document import ItemKind, Study, StudySetting, study_of
from spatial_workbench.engine.studies.planning.slots import Slot
from spatial_workbench.engine.studies.sessions.entry import enter
from spatial_workbench.engine.studies.sessions.pages import StudyPage
from spatial_workbench.engine.studies.sessions.rehearsing import pass_entry

LONG_S = 86_400
_NOWHERE = ServingAddress("127.0.0.1", 0, "http://127.0.0.1")


class NobodyFits(RuntimeError):
    """Simulated people cannot take part in a study."""


def copy_study(bundle: Bundle, people: int, folder: Path) -> None:
    """Writes the copy of a bundle's study for so many people into a folder that is served.

    If the bundle has fewer places, they are used several times.

    Raises:
        NobodyFits: No answers were found that make somebody eligible.
        OSError: It cannot be written.
    """
    copy = Bundle(lasting(bundle.study), places(bundle, people), bundle.materials, "rehearsal")
    served = ServedStudy(None, copy, folder, _NOWHERE, people)
    served.prepare()
    for slot in copy.slots:
        _begin_session(copy, slot, served.folder_of(slot.code))


def lasting(study: Study) -> Study:
    """The study with nothing that ends an item or a sitting, or that asks something after an item.

    A limit of an item becomes one of a day, so that the clock is seen.
    """
    data = study.data
    limits = data["limits"]
    limits |= {"item_s": limits["item_s"] and LONG_S, "total_s": None, "sitting_s": None, "min_s": 0}
    limits["break_after"] = None
    limits["pauses"] = {"kind": "between"}
    data["on_leave"] = "log"
    data["questions"] = {"confidence": False}
    for block in data["blocks"]:
        block["break_after"] = False
        for item in block["items"]:
            item["limit_s"] = None
    return study_of(data)


def places(bundle: Bundle, people: int) -> tuple[Slot, ...]:
    """So many places with codes of their own, each with the instances of a place of the bundle.

    They begin with the first of its instances, the second, and so on.
    """
    instances = {item.id for item in bundle.study.items() if item.kind is ItemKind.INSTANCE}
    return tuple(_place(bundle.slots[index % len(bundle.slots)], index, instances) for index in range(people))


def _place(slot: Slot, index: int, instances: set[str]) -> Slot:
    trials = tuple(trial for trial in slot.trials if trial.item in instances) or slot.trials
    first = index % len(trials)
    number = index + 1
    return replace(slot, number=number, code=code_of(number), trials=trials[first:] + trials[:first], is_reserve=False)


def _begin_session(bundle: Bundle, slot: Slot, folder: Path) -> None:
    sitting = enter(bundle, slot.code, folder, setting=StudySetting.BROWSER)
    pass_entry(sitting, np.random.default_rng(slot.number))
    if sitting.state.page is not StudyPage.INSTRUCTIONS:
        raise NobodyFits("No answers were found with which simulated people are eligible for the study.")
    sitting.close()
