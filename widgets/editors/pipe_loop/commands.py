"""Commands of buttons and keys on the chain: each is one step of the history, or says why it is not done."""

from __future__ import annotations

from spatial_workbench.engine.tasks.pipe_loop.editing import closed_with_two, mirrored, ring_of, stretch_of, turned
from spatial_workbench.widgets.editors.pipe_loop.chain import Chain


class ChainCommands:
    """The commands on a chain."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain

    def close_chain(self) -> None:
        """Adds the two pipes that close the chain."""
        if self._chain.closed:
            self._chain.message("The chain is closed already.")
        else:
            self._chain.replace_or_explain("Close", closed_with_two(self._chain.points, self._chain.limits))

    def start_ring(self) -> None:
        """Starts again with all pipes in a ring; if the square is too small, the pipes are too short at first."""
        self._chain.locked.clear()
        self._chain.replace_points("Ring", ring_of(self._chain.order.pipes, self._chain.order.side))

    def take_back(self) -> None:
        """Removes the last point."""
        self._chain.replace_points("Take back last pipe", self._chain.points[:-1])

    def remove(self) -> None:
        """Deletes the selected joints."""
        gone = set(self._chain.joints.all_chosen)
        if gone:
            self._chain.locked.clear()
            self._chain.replace_points(
                "Delete joints", [point for i, point in enumerate(self._chain.points) if i not in gone]
            )

    def toggle_lock(self) -> None:
        """Locks the selected joints, or unlocks them if all are locked."""
        chosen = set(self._chain.joints.all_chosen)
        if not chosen:
            self._chain.message("Select joints first: click one, or drag a box around several, with the Move tool.")
        self._chain.locked = (
            self._chain.locked - chosen if chosen <= self._chain.locked else self._chain.locked | chosen
        )
        self._chain.view.update()

    def mirror(self) -> None:
        """Mirrors the stretch between the selected joints."""
        if stretch := self._stretch():
            self._chain.replace_or_explain("Mirror", mirrored(self._chain.points, *stretch, self._chain.limits))

    def turn(self) -> None:
        """Turns the stretch between the selected joints."""
        if stretch := self._stretch():
            self._chain.replace_or_explain("Turn", turned(self._chain.points, *stretch, self._chain.limits))

    def _stretch(self) -> tuple[int, int] | None:
        stretch = stretch_of(self._chain.joints.all_chosen, len(self._chain.points))
        if stretch is None:
            self._chain.message("Select the two ends of a stretch first (Shift-click with the Move tool).")
        return stretch
