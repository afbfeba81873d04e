"""The answer: parts, each with its solid in one of four forms and its place in the assembly."""

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Any

import numpy as np
from pydantic import Field, WithJsonSchema

from spatial_workbench.engine.core import AnswerError, AnswerPart, Number, ReasonedAnswer, at_most
from spatial_workbench.engine.core.formats.jsontext import Path
from spatial_workbench.engine.core.scene import Floats

MAX_PARTS = 100
IDENTITY = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)


class Form(StrEnum):
    """The file formats of a part's solid."""

    STL = "STL"
    OPENSCAD = "OpenSCAD"
    PYTHON_OPENSCAD = "Python Generating OpenSCAD"
    PYTHON_STL = "Python Generating STL"

    @property
    def is_program(self) -> bool:
        """Whether something has to be run to know the solid."""
        return self is not Form.STL

    @classmethod
    def named(cls, name: str) -> "Form | None":
        """The form of that name, ignoring case; None if there is none."""
        return next((form for form in cls if form.lower() == name.strip().lower()), None)


class Part(AnswerPart):
    """One part."""

    fileContents: str = Field(description="The part's solid in mm, in the form that fileType names")
    fileType: Annotated[str, WithJsonSchema({"type": "string", "enum": list(Form)})] = Field(
        description="What fileContents is"
    )
    transform: Annotated[
        tuple[Number, ...],
        at_most(64, "numbers"),
        WithJsonSchema({"type": "array", "items": {"type": "number"}, "minItems": 16, "maxItems": 16}),
    ] = Field(description="4 x 4 matrix, row by row, from the part's frame (as printed) to the assembly's")

    @property
    def form(self) -> Form | None:
        """The form, if it is one of the four."""
        return Form.named(self.fileType)

    @property
    def is_program(self) -> bool:
        """Whether something has to be run to know the solid."""
        return self.form is not None and self.form.is_program

    @property
    def matrix(self) -> Floats | None:
        """The transform (4, 4); None unless it has 16 numbers."""
        return np.array(self.transform).reshape(4, 4) if len(self.transform) == 16 else None

    def placed(self, matrix: Floats) -> "Part":
        """The same part with another transform."""
        numbers = tuple(round(number, 9) + 0.0 for number in np.asarray(matrix, float).ravel().tolist())
        return self.model_copy(update={"transform": numbers})


class Parts(ReasonedAnswer):
    """The parts of a cage."""

    parts: Annotated[tuple[Part, ...], at_most(MAX_PARTS, "parts")] = Field(description="The parts, in any order")

    @classmethod
    def prepare(cls, data: Any, warn: Callable[[str], None]) -> Any:
        """Refuses what is not a list of parts."""
        if not isinstance(data, dict) or not isinstance(data.get("parts"), list | tuple):
            raise AnswerError("No list of parts was found", ("parts",))
        return data

    @classmethod
    def explain(cls, path: Path, kind: str, message: str) -> str | None:
        if len(path) < 2 or path[0] != "parts":
            return None
        if "transform" in path:
            return f"Part {path[1]}: transform must be a list of 16 finite numbers"
        if path[-1] in ("fileContents", "fileType"):
            return f"Part {path[1]}: {path[-1]} must be text"
        return f"Part {path[1]} must be an object with fileContents, fileType and transform"
