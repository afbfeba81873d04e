"""What the view shows: ghosts, faces in colours that tell what is wrong with them, vertices, and the difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from spatial_workbench.engine.core import Scene
from spatial_workbench.engine.core.scene import Item, Label, Mesh, Polygon
from spatial_workbench.engine.tasks.csg_union import Solid
from spatial_workbench.engine.tasks.csg_union.drawing import (
    MOST_POLYGONS,
    drawable,
    framed,
    ghosts,
    named_edges,
    solid_id,
    vertices_and_backs,
)
from spatial_workbench.engine.tasks.csg_union.editing import Findings, UnionComparison
from spatial_workbench.engine.tasks.csg_union.gate import face_id

DONE = 0.9999
"""A body with a higher raw score counts as the union."""


@dataclass
class Display:
    """The person's choices for the view."""

    ghost_faces: bool = True
    see_through: bool = False
    numbers: bool = False
    difference: bool = False
    hidden_solids: set[int] = field(default_factory=set)


class Drawing:
    """Makes scenes. Items that look the same as before are the same objects, so that the view need not redraw them.

    is_judged: Whether faces that break a rule are marked.
    """

    def __init__(self, solids: tuple[Solid, ...], is_judged: bool) -> None:
        self.solids = solids
        self.is_judged = is_judged
        self._ghosts = tuple(ghosts(solids))
        self._faces: dict[tuple[object, ...], Polygon] = {}
        self._findings: Findings | None = None
        self._drawn: list[int] = []
        self._rest: tuple[Item, ...] = ()

    def scene(
        self, findings: Findings, display: Display, comparison: UnionComparison | None, named: Sequence[str] = ()
    ) -> Scene:
        """The scene of a body, with the edges that a verdict names. There are no ghosts once nothing is missing."""
        self._prepare_items(findings)
        items: list[Item] = list(self._shown_ghosts(display, comparison))
        items += self._polygons(findings, display, comparison)
        items += self._rest
        items += _bends(findings) if self.is_judged else ()
        items += _numbers(findings) if display.numbers else ()
        items += named_edges(findings.body.vertices, named)
        if comparison is not None and display.difference:
            items += comparison.items
        return framed(self.solids, items)

    def _shown_ghosts(self, display: Display, comparison: UnionComparison | None) -> Iterator[Item]:
        if comparison is not None and comparison.raw is not None and comparison.raw > DONE:
            return
        # What is missing coincides with faces of the solids; drawn together, they would flicker.
        with_faces = display.ghost_faces and not (comparison is not None and comparison.items and display.difference)
        for item in self._ghosts:
            is_face = item.name.startswith("solid")
            if int(item.name.rpartition(" ")[2]) not in display.hidden_solids and (with_faces or not is_face):
                yield item

    def _polygons(self, findings: Findings, display: Display, comparison: UnionComparison | None) -> list[Item]:
        vertices, faces = findings.body
        bent = findings.far_from_flat if self.is_judged else {}
        wrong = {*comparison.turned, *(i for p in comparison.crossing for i in p)} if comparison is not None else set()
        opacity = 0.45 if display.see_through else 1.0
        polygons: dict[tuple[object, ...], Polygon] = {}
        drawn = self._drawn
        if len(drawn) > MOST_POLYGONS:
            drawn = [i for i in drawn if i in wrong or i in bent][:MOST_POLYGONS]
        for i in drawn:
            color = "failed" if i in wrong else "warning" if i in bent else "neutral"
            points = vertices[list(faces[i])]
            key = (i, points.tobytes(), color, opacity)
            polygons[key] = self._faces.get(key) or Polygon(
                id=face_id(i), points=points, color=color, opacity=opacity, outline="text"
            )
        self._faces = polygons
        return list(polygons.values())

    def _prepare_items(self, findings: Findings) -> None:
        """Prepares the items that do not depend on the display options."""
        if self._findings is not findings:
            self._findings = findings
            vertices, faces = findings.body
            self._drawn = drawable(vertices, faces)
            self._rest = tuple(vertices_and_backs(vertices, [faces[i] for i in self._drawn]))


def _bends(findings: Findings) -> Iterator[Label]:
    """Labels that say how far faces are from flat."""
    vertices, faces = findings.body
    for i, away in findings.far_from_flat.items():
        middle = tuple(vertices[list(faces[i])].mean(axis=0).tolist())
        yield Label(id=f"bend {i}", position=middle, text=f"{away:.2g} cm off", color="warning")


def _numbers(findings: Findings) -> Iterator[Label]:
    for k, xyz in enumerate(findings.body.vertices.tolist()):
        yield Label(id=f"number {k}", position=tuple(xyz), text=str(k), size_px=11.0)


def ghost_of(solid: Solid) -> Sequence[Item]:
    """The ghost of a solid that could be added."""
    from spatial_workbench.engine.geometry.polyhedron import triangles_of

    vertices, faces = solid.shape
    return (Mesh(id=solid_id(-1), vertices=vertices, faces=triangles_of(vertices, faces)[0], opacity=0.5, edges=True),)
