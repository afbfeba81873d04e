"""The machine as text, beside the view."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spatial_workbench.engine.tasks.machine import MachineAnswer
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editors.machine.text_view import WIDTH_PX, MachineText
from spatial_workbench.widgets.layouts import split
from spatial_workbench.widgets.scene_views.view import SceneView


class TextPane:
    """Shows and hides the text, and keeps it and the selected block together.

    show_block: called with the block that the person points at in the text.
    """

    def __init__(
        self,
        text: MachineText,
        view: SceneView,
        document: AnswerDocument[MachineAnswer],
        show_block: Callable[[int], None],
    ) -> None:
        self.halves = split(view, text, shares=(1, 0))
        self._text = text
        self._document = document
        text.block_chosen.connect(show_block)
        text.left.connect(view.setFocus)
        text.hide()

    @property
    def is_shown(self) -> bool:
        """Whether the text is beside the view."""
        return not self._text.isHidden()

    def toggle(self) -> None:
        """Shows the machine's text beside the view, or hides it."""
        self._text.setVisible(self._text.isHidden())
        if self.is_shown:
            room = self.halves.width()
            width = min(WIDTH_PX, room // 2)
            self.halves.setSizes([room - width, width])
            self.follow_machine()
            self._text.edit.setFocus()

    def follow_machine(self) -> None:
        """Shows the current machine, if the text is shown."""
        if self.is_shown:
            self._text.show_machine(self._document.answer)

    def show_selected(self, blocks: Sequence[int]) -> None:
        """Goes to the first of the selected blocks, if the text is shown."""
        if blocks and self.is_shown:
            self._text.show_block(blocks[0])
