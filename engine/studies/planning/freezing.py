"""Freezing: what is fixed beside a study's document, so that every machine asks the same.

The places are drawn once and read from then on. Of each item its parameters, its prompt and its verifier are
remembered by their digests: a machine that words an item differently does not begin.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict

from spatial_workbench.engine.core import Instance, InstanceError, Prompt, answer_group_of, resolve
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.core.version import application_version
from spatial_workbench.engine.studies.files.canonical import SHOWN_CHARS
from spatial_workbench.engine.studies.planning.document import ItemKind, Study, StudyItem
from spatial_workbench.engine.studies.planning.slots import Slot, slots_of


class Material(BaseModel):
    """What an item was when the study was frozen: digests of its parameters and prompt, and who judges it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    item: str
    address: str
    parameters: str
    prompt: str
    verifier: str
    version: str


class Frozen(BaseModel):
    """What is fixed beside a study's document."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    hash: str
    application: str
    slots: tuple[Slot, ...]
    materials: tuple[Material, ...]


def freeze(study: Study) -> Frozen:
    """The places and materials of a study, on this machine and with this version.

    Raises:
        InstanceError: An item's address does not resolve.
    """
    return Frozen(
        hash=study.hash, application=application_version(), slots=slots_of(study), materials=tuple(materials_of(study))
    )


def materials_of(study: Study) -> Iterator[Material]:
    """The materials of a study's instances, in the order of its items."""
    return (material_of(item) for item in study.items() if item.kind is ItemKind.INSTANCE)


def material_of(item: StudyItem) -> Material:
    """What an item is on this machine.

    Raises:
        InstanceError: Its address does not resolve.
    """
    task, instance = resolve(item.address)
    judge = task.verifiers()["default"]
    return Material(
        item=item.id,
        address=item.address,
        parameters=parameters_digest(instance),
        prompt=prompt_digest(task.prompt(instance)),
        verifier=judge.name,
        version=judge.version,
    )


def prompt_digest(prompt: Prompt) -> str:
    """The SHA-256 of a prompt: its text, then the bytes of each picture."""
    digest = hashlib.sha256(prompt.text.encode())
    for picture in prompt.pictures:
        digest.update(picture)
    return digest.hexdigest()


def parameters_digest(instance: Instance) -> str:
    """The SHA-256 of an instance's parameters."""
    return hashlib.sha256(instance.parameters_json.encode()).hexdigest()


def sharing(address: str) -> list[str]:
    """The addresses, in their usual form, of the instances that share the answer of an instance, itself included."""
    task, instance = resolve(address)
    group = answer_group_of(task, instance)
    if group is None or instance.number is None:
        return [instance.address]
    return [other.address for other in task.instances() if answer_group_of(task, other) == group]


def differences(study: Study, materials: tuple[Material, ...]) -> Iterator[str]:
    """What this machine would ask differently, a sentence for each item; nothing if people can begin."""
    frozen = {material.item: material for material in materials}
    for item in study.items():
        if item.kind is ItemKind.INSTANCE and item.id in frozen:
            yield from _difference(item, frozen[item.id])


def _difference(item: StudyItem, frozen: Material) -> Iterator[str]:
    try:
        here = material_of(item)
    except InstanceError as error:
        yield tr("This machine does not have {address}: {reason}", address=item.address, reason=error)
        return
    made = tr("This version makes {address} differently (study {then}, here {now}).")
    worded = tr("This version words {address} differently (study {then}, here {now}).")
    for sentence, then, now in (
        (made, frozen.parameters, here.parameters),
        (worded, frozen.prompt, here.prompt),
    ):
        if then != now:
            yield sentence.format(address=item.address, then=then[:SHOWN_CHARS], now=now[:SHOWN_CHARS])
