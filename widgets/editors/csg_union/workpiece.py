"""The body that is worked on: the answer as vertices and faces, what is wrong with it, and steps of the history."""

from __future__ import annotations

from collections.abc import Iterable

from engine.geometry.polyhedron.modelling import Body
from engine.tasks.csg_union import Polyhedron
from engine.tasks.csg_union.answer import MAX_ELEMENTS
from engine.tasks.csg_union.editing import Findings, body_of
from widgets.editing.document import AnswerDocument


class Workpiece:
    """The document's answer as a body; worked out once an answer."""

    def __init__(self, document: AnswerDocument) -> None:
        self.document = document
        self._of: tuple[int, Findings] | None = None

    @property
    def findings(self) -> Findings:
        """The body with what can be said of it at once."""
        if self._of is None or self._of[0] != self.document.revision:
            self._of = self.document.revision, Findings(body_of(self.document.answer))
        return self._of[1]

    @property
    def body(self) -> Body:
        """Vertices and faces."""
        return self.findings.body

    def put(self, label: str, body: Body, merge: str = "") -> str:
        """Makes this the body, as one step of the history; says why not, if it is too large."""
        if max(len(body.vertices), len(body.faces)) > MAX_ELEMENTS:
            return f"An answer holds {MAX_ELEMENTS} vertices and faces at most"
        vertices = [[round(value, 12) + 0.0 for value in xyz] for xyz in body.vertices.tolist()]
        self.document.edit(label, Polyhedron.of(vertices, body.faces), merge)
        return ""


def numbers_of(ids: Iterable[str], kind: str) -> list[int]:
    """The numbers in ids of a kind: 3 in "face 3"."""
    parts = (name.partition(" ") for name in ids)
    return [int(number) for word, _, number in parts if word == kind and number.isdigit()]
