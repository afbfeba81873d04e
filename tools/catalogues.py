"""Brings the catalogues of translations up to date with the sources: `python -m tools.catalogues`.

Texts that are new are added without a translation; those that are gone are dropped. Nothing else changes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from spatial_workbench.engine.core.languages.catalogues import CatalogueMessage, read_catalogue, write_catalogue
from spatial_workbench.root import ROOT
from tools.data_sayings import DATA
from tools.sayings import arguments_in, sayings_in, sources_of_sayings

LOCALE = ROOT / "resources" / "locale"
ROOMS = ("engine", "widgets", "app")
HOME = "engine.core.languages.translation import"
"""What a source says that has texts with translations."""
_TEXTS = {"tr": 1, "marked": 1, "ntr": 2}
"""How many of the first arguments of these functions are texts."""


def messages_of_sources() -> list[CatalogueMessage]:
    """The texts of all sources without translations, each once, in the order of the sources."""
    found: dict[tuple[str, str], CatalogueMessage] = {}
    for path, texts_of in _sources():
        name = path.relative_to(ROOT).as_posix()
        for texts in texts_of(path.read_text("utf-8")):
            key = (texts[0], texts[1] if len(texts) > 1 else "")
            known = found.get(key, CatalogueMessage(key[0], key[1]))
            found[key] = replace(known, sources=tuple(dict.fromkeys((*known.sources, name))))
    return list(found.values())


def renewed(catalogue: Sequence[CatalogueMessage], sources: Sequence[CatalogueMessage]) -> list[CatalogueMessage]:
    """A catalogue with the texts that are in the sources now: the header, and translations as far as there are any."""
    known = {message.key: message for message in catalogue}
    header = [known[""]] if "" in known else []
    kept = (known.get(message.key, message) for message in sources)
    return header + [replace(old, sources=message.sources) for old, message in zip(kept, sources, strict=True)]


def catalogue_files() -> list[Path]:
    """The catalogues of all languages."""
    return sorted(LOCALE.glob("*.po"))


def main() -> None:
    """Rewrites all catalogues."""
    sources = messages_of_sources()
    for path in catalogue_files():
        catalogue = renewed(read_catalogue(path.read_text("utf-8")), sources)
        path.write_text(write_catalogue(catalogue), "utf-8")
        lacking = sum(not message.is_translated for message in catalogue)
        print(f"{path.name}: {len(sources)} texts, {lacking} without a translation")


def _sources() -> Iterator[tuple[Path, Callable[[str], Iterator[list[str]]]]]:
    """The modules with texts, each with what finds them there."""
    for room in ROOMS:
        files = sorted((ROOT / room).rglob("*.py"))
        yield from ((path, _texts_in) for path in files if HOME in path.read_text("utf-8"))
    yield from ((path, sayings_in) for path in sources_of_sayings())
    commands = sorted((ROOT / "engine" / "tasks").rglob("commands.py"))
    yield from ((path, arguments_in) for path in (*commands, ROOT / "engine" / "core" / "acting" / "elements.py"))
    yield from ((ROOT / name, texts_of) for name, texts_of in DATA.items())


def _texts_in(source: str) -> Iterator[list[str]]:
    """The texts that are passed to the functions of translation, in their order."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        count = _TEXTS.get(call.func.id, 0) if isinstance(call.func, ast.Name) else 0
        texts = [argument.value for argument in call.args[:count] if isinstance(argument, ast.Constant)]
        if count and len(texts) == count:
            yield [str(text) for text in texts]


if __name__ == "__main__":
    main()
