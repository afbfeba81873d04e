"""Changes of the blocks of a plan and of their items, as plain data."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from spatial_workbench.engine.studies.planning.attention import attention_address
from spatial_workbench.engine.studies.planning.document import ItemKind, ItemPhase
from spatial_workbench.engine.studies.planning.drafting import block_of, item_id
from spatial_workbench.engine.studies.planning.orders import Order

Blocks = list[dict[str, Any]]
COMPARED = (ItemPhase.COMPREHENSION.value, ItemPhase.ATTENTION.value)
"""The phases whose answers are compared with expected scores."""
_FULL_SCORE = {"score": 1}


def items_of(blocks: Blocks) -> list[dict[str, Any]]:
    """The items of all blocks, in order."""
    return [item for block in blocks for item in block["items"]]


def with_instances(blocks: Blocks, place: int, addresses: Sequence[str], phase: ItemPhase) -> Blocks:
    """Blocks with instances added to one of them; an attention item expects the full score.

    Raises:
        InstanceError: An address means nothing.
    """
    taken = {item["id"] for item in items_of(blocks)}
    made = [item.model_dump(mode="json") for item in block_of("new", addresses).items]
    for item in made:
        item["id"] = item_id(item["address"], taken)
        item["phase"] = phase.value
        if phase is ItemPhase.ATTENTION:
            item["expects"] = _FULL_SCORE
        taken.add(item["id"])
    return _with_items(blocks, place, made)


def with_attention(blocks: Blocks, place: int) -> Blocks:
    """Blocks with an attention item added to one of them, which looks like the main items of this block."""
    instances = [item for item in items_of(blocks) if item["kind"] == ItemKind.INSTANCE]
    here = _addresses_of_phase(blocks[place]["items"], ItemPhase.MAIN)
    address = attention_address(
        here or _addresses_of_phase(instances, ItemPhase.MAIN),
        _addresses_of_phase(instances, ItemPhase.ATTENTION),
        [item["address"] for item in instances],
    )
    return with_instances(blocks, place, [address], ItemPhase.ATTENTION)


def with_written(blocks: Blocks, place: int, item: dict[str, Any]) -> Blocks:
    """Blocks with a written item added to one of them, under an id of its own."""
    taken = {other["id"] for other in items_of(blocks)}
    return _with_items(blocks, place, [{**item, "id": item_id(item["kind"], taken)}])


def with_own_block(blocks: Blocks, ids: Collection[str]) -> Blocks:
    """Blocks with some of their items in a new one behind the others; blocks that are left empty go."""
    items = [item for item in items_of(blocks) if item["id"] in ids]
    if not items:
        return blocks
    names = {block["id"] for block in blocks}
    name = next(name for name in (f"block{n}" for n in range(2, len(names) + 3)) if name not in names)
    order = Order.LATIN if len(items) > 1 else Order.FIXED
    return [*_without(blocks, ids), {**blocks[0], "id": name, "title": "", "items": items, "order": order.value}]


def without_items(blocks: Blocks, ids: Collection[str]) -> Blocks:
    """Blocks without some of their items; blocks that are left empty go, but never all of them."""
    return _without(blocks, ids) or blocks


def with_changed_items(blocks: Blocks, ids: Collection[str], **values: Any) -> Blocks:
    """Blocks with other values in some of their items."""
    return [
        {**block, "items": [{**item, **values} if item["id"] in ids else item for item in block["items"]]}
        for block in blocks
    ]


def with_phase(blocks: Blocks, ids: Collection[str], phase: str) -> Blocks:
    """Blocks with some of their items in another phase; an instance expects the full score where one is needed."""
    for item in items_of(blocks):
        if item["id"] in ids:
            usual = _FULL_SCORE if item["kind"] == ItemKind.INSTANCE else None
            expects = (item.get("expects") or usual) if phase in COMPARED else None
            blocks = with_changed_items(blocks, (item["id"],), phase=phase, expects=expects)
    return blocks


def with_changed_block(blocks: Blocks, place: int, **values: Any) -> Blocks:
    """Blocks with other values in one of them."""
    return [*blocks[:place], {**blocks[place], **values}, *blocks[place + 1 :]]


def _addresses_of_phase(items: Sequence[dict[str, Any]], phase: ItemPhase) -> list[str]:
    return [item["address"] for item in items if item["kind"] == ItemKind.INSTANCE and item["phase"] == phase]


def _with_items(blocks: Blocks, place: int, items: Sequence[dict[str, Any]]) -> Blocks:
    return with_changed_block(blocks, place, items=[*blocks[place]["items"], *items])


def _without(blocks: Blocks, ids: Collection[str]) -> Blocks:
    kept = [{**block, "items": [item for item in block["items"] if item["id"] not in ids]} for block in blocks]
    return [block for block in kept if block["items"]]
