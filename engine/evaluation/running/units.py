"""Items of a batch that share an answer."""

from __future__ import annotations

from dataclasses import dataclass

from spatial_workbench.engine.store import BatchItem


@dataclass(frozen=True)
class Unit:
    """Items that share an answer: usually just one. The first is asked."""

    items: tuple[BatchItem, ...]

    @property
    def lead(self) -> BatchItem:
        """The item that is asked."""
        return self.items[0]
