"""The templates of the gate's pages."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from spatial_workbench.app.serving.pages.page_languages import language_choices
from spatial_workbench.engine.core.languages.translation import spoken_language
from spatial_workbench.engine.core.shipped import resource

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = "serving"


def part(name: str) -> str:
    """A template, the style sheet or a script."""
    return resource(FOLDER, name).read_text("utf-8")


def rendered(template: str, **values: Any) -> str:
    """A page made from a template, in the language that is spoken; what it is given is escaped."""
    own = {"language": spoken_language(), "languages": language_choices()}
    return _templates().get_template(template).render(own | values)


@lru_cache
def _templates() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(loader=FunctionLoader(part), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
