"""What is recorded, and where it comes from: a view, an answer, the edits of a person. Free of Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np

from spatial_workbench.app.attempts.replays import MachineRun
from spatial_workbench.app.video.choices import VideoError
from spatial_workbench.engine.core import AnswerError, Progress, Scene, filmed_scene, resolve
from spatial_workbench.engine.core.scene import Frame
from spatial_workbench.engine.cube.agent.records import RunRecord
from spatial_workbench.engine.evaluation.edit_histories import EditHistory
from spatial_workbench.engine.physics.client import PhysicsUnavailable
from spatial_workbench.engine.tasks.machine import MachineAnswer

EDIT_S = 0.3
"""How long the drawing after an edit is seen."""


@dataclass(frozen=True, eq=False)
class FilmSide:
    """A scene with frames, as it is seen.

    name: Stands above it where there are several. view_state: Where it was seen from; None: from where it is best seen.
    seen_at: The frame in which it was seen from there. aspect: The width of that view by its height; a narrower picture
    is taken from further away, so that what was in sight stays so.
    """

    scene: Scene
    name: str = ""
    view_state: object = None
    seen_at: int = 0
    aspect: float | None = None


@dataclass(frozen=True, eq=False)
class Film:
    """Scenes that are played together, beside each other.

    frame_s: How long a frame is seen where frames do not count seconds; None: as long as in the window.
    """

    sides: tuple[FilmSide, ...]
    frame_s: float | None = None


class FilmSource(Protocol):
    """Where a film comes from; it can be sent to another process.

    Attributes:
        title: The proposed name of the file, for people.
    """

    @property
    def title(self) -> str: ...

    def film(self, progress: Progress) -> Film:
        """Makes the film; this may take long.

        Raises:
            VideoError: There is nothing that moves; says why.
            Cancelled: Raised by `progress`.
        """


TakeFilm = Callable[[FilmSource | str], None]
"""Takes what was offered: the source of a film, or a sentence that says why there is none."""


@runtime_checkable
class OffersFilm(Protocol):
    """A page that shows something that moves."""

    def offer_film(self, take: TakeFilm) -> None:
        """Offers what the page shows, at once or after it was read."""


@dataclass(frozen=True, eq=False)
class SceneFilm:
    """What a page plays now."""

    title: str
    sides: tuple[FilmSide, ...]

    def film(self, progress: Progress) -> Film:
        """The film of these scenes."""
        return Film(self.sides)


@dataclass(frozen=True)
class AnswerFilm:
    """What happens to an answer, such as the simulation of a machine.

    text: The answer; None: the empty one.
    """

    title: str
    address: str
    text: str | None

    def film(self, progress: Progress) -> Film:
        """The film of the answer in motion, seen from where it is best seen."""
        task, instance = resolve(self.address)
        try:
            answer = task.empty(instance) if self.text is None else task.parse(self.text)
        except AnswerError as error:
            raise VideoError(f"The answer cannot be read. {error}") from None
        try:
            scene = filmed_scene(task, instance, answer, progress)
        except PhysicsUnavailable as error:
            raise VideoError(f"Nothing can be simulated here: {error}") from None
        if not scene.frames:
            raise VideoError(f"Nothing moves in this answer to {task.title}.")
        return Film((FilmSide(scene),))


@dataclass(frozen=True)
class EditsFilm:
    """An answer as it was built, edit by edit."""

    title: str
    history: EditHistory

    def film(self, progress: Progress) -> Film:
        """A frame after each edit, all seen from where the last one is best seen."""
        task, instance = resolve(self.history.address)
        count = len(self.history.edits)
        scenes = []
        for number in range(count + 1):
            progress(number, count + 1, "drawing the edits")
            scenes.append(task.scene(instance, task.parse(self.history.answer_after(number))))
        labels = ["before the first edit", *(edit.label for edit in self.history.edits)]
        steps = enumerate(zip(scenes, labels, strict=True))
        frames = [Frame(float(number), scene.items, label) for number, (scene, label) in steps]
        whole = replace(_lasting(scenes), frames=frames, frame_unit=f"of {count}", marks=(), tracks=())
        return Film((FilmSide(whole),), EDIT_S)


@dataclass(frozen=True)
class MovesFilm:
    """A cube, and all moves of an agent's run."""

    title: str
    record: RunRecord

    def film(self, progress: Progress) -> Film:
        """The film of the moves, one after the other."""
        from spatial_workbench.engine.cube.letters import Faces
        from spatial_workbench.engine.cube.strings import colours_of_faces
        from spatial_workbench.engine.tasks.cube.drawing import draw_cube

        if not self.record.moves:
            raise VideoError("The agent made no move.")
        return Film((FilmSide(draw_cube(colours_of_faces(Faces(self.record.state)), self.record.moves)),))


def film_of_replay(record: Any, number: int) -> FilmSource | str:
    """The film of what `replay_of` gives of an attempt, or why there is none."""
    title = f"Attempt {number}"
    if isinstance(record, EditHistory):
        return EditsFilm(title, record)
    if isinstance(record, RunRecord):
        return MovesFilm(title, record)
    if not isinstance(record, MachineRun):
        return str(record)
    node = record.tree.node(record.tree.best) if record.tree.best is not None else None
    if node is None or node.tree is None:
        return f"Attempt {number} has no machine that could be simulated."
    return AnswerFilm(title, record.address, MachineAnswer.of(node.tree).model_dump_json())


def _lasting(scenes: Sequence[Scene]) -> Scene:
    """The last scene with room for all, and without items: frames hold those."""
    last = scenes[-1]
    bounds = [scene.bounds for scene in scenes if scene.bounds is not None]
    if len(bounds) < len(scenes):
        return replace(last, items=())
    low = np.min([low for low, _ in bounds], axis=0)
    high = np.max([high for _, high in bounds], axis=0)
    return replace(last, items=(), bounds=(low.tolist(), high.tolist()))
