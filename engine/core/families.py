"""How tasks are grouped: by the system they come from, and by what they ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Family:
    """Where tasks come from: a published system, or a package that adds tasks of its own.

    Attributes:
        id: A short name, as it is used in files and on the command line.
        label: The name for people.
    """

    id: str
    label: str

    SCBENCH: ClassVar[Family]
    CUBE: ClassVar[Family]
    MACHINES: ClassVar[Family]
    PUZZLES: ClassVar[Family]
    PUBLISHED: ClassVar[tuple[Family, ...]]
    """The systems that are part of the workbench; tasks of other packages belong to none of them."""


Family.SCBENCH = Family("scbench", "SCBench")
Family.CUBE = Family("cube", "CubeBench")
Family.MACHINES = Family("machines", "BesiegeField")
Family.PUZZLES = Family("puzzles", "PuzzleWorld")
Family.PUBLISHED = (Family.SCBENCH, Family.CUBE, Family.MACHINES, Family.PUZZLES)


@dataclass(frozen=True)
class Bucket:
    """What a task asks for: a kind of SCBench, design for machines, puzzles, or one that a package adds."""

    id: str

    AXIOMATIC: ClassVar[Bucket]
    CONSTRUCTIVE: ClassVar[Bucket]
    PLANNING: ClassVar[Bucket]
    DESIGN: ClassVar[Bucket]
    PUZZLES: ClassVar[Bucket]
    PUBLISHED: ClassVar[tuple[Bucket, ...]]

    @property
    def label(self) -> str:
        """The name for people."""
        return self.id.capitalize()


Bucket.AXIOMATIC = Bucket("axiomatic")
Bucket.CONSTRUCTIVE = Bucket("constructive")
Bucket.PLANNING = Bucket("planning")
Bucket.DESIGN = Bucket("design")
Bucket.PUZZLES = Bucket("puzzles")
Bucket.PUBLISHED = (Bucket.AXIOMATIC, Bucket.CONSTRUCTIVE, Bucket.PLANNING)
