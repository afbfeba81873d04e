"""The metadata of a data set as Croissant 1.0 (JSON-LD), which search engines and loaders of data sets read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core import task
from spatial_workbench.engine.core.files import replacing
from spatial_workbench.engine.evaluation.datasets.canary import canary
from spatial_workbench.engine.evaluation.datasets.contents import DatasetContents, PieceFile
from spatial_workbench.engine.evaluation.datasets.plan import folder_of, task_id
from spatial_workbench.engine.evaluation.datasets.rows import ABOUT, COLUMNS
from spatial_workbench.engine.evaluation.datasets.sayings import (
    KEYWORDS,
    LANGUAGE,
    MAKERS,
    description,
    how_it_was_made,
    known_leaks,
    uses,
)

CROISSANT = "croissant.json"
LICENCE_URL = "https://spdx.org/licenses/Apache-2.0.html"
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The names of Croissant 1.0, as its specification prescribes them."""
_PARQUET = "application/x-parquet"
_TYPES = {"string": "sc:Text", "int64": "sc:Integer", "float64": "sc:Float", "bool": "sc:Boolean"}
_SPLITS = "splits"
_SPLIT_OF_FILE = r"(?:data/[^/]+/)?([a-z0-9_]+)(?:-[0-9]+\.parquet)?$"
"""Finds the split in the path of a file. It also accepts the split alone, since mlcroissant applies it twice."""


def write_croissant(folder: Path, contents: DatasetContents) -> None:
    """Writes croissant.json."""
    with replacing(folder / CROISSANT) as part:
        part.write_text(json.dumps(croissant(contents), ensure_ascii=False, indent=1) + "\n", "utf-8")


def croissant(contents: DatasetContents) -> dict[str, Any]:
    """The metadata: every file with its checksum, and a record set for each configuration with its columns."""
    plan = contents.plan
    sources = [source for source in plan.tasks if contents.splits(source)]
    about = {
        "name": plan.about.title,
        "description": f"{description(contents)} {canary(plan.guid)}",
        "license": LICENCE_URL,
        "url": plan.about.url,
        "datePublished": plan.about.date,
        "version": plan.version,
        "creator": {"@type": "sc:Organization", "name": MAKERS},
        "keywords": [*KEYWORDS, *dict.fromkeys(task_id(source) for source in plan.tasks)],
        "inLanguage": LANGUAGE,
        "isAccessibleForFree": True,
        "citeAs": f"{MAKERS}: {plan.about.title}, made with Spatial Workbench {plan.version}.",
        "rai:dataCollection": how_it_was_made(plan),
        "rai:dataLimitations": known_leaks(contents),
        "rai:dataUseCases": uses(contents),
    }
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": ["http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"],
        **{name: value for name, value in about.items() if value != ""},
        "distribution": [*map(_file, contents.pieces), *map(_file_set, sources)],
        "recordSet": [_splits(contents), *(_record_set(source) for source in sources)],
    }


def _file(piece: PieceFile) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": piece.shard.file,
        "name": piece.shard.file,
        "contentUrl": piece.shard.file,
        "contentSize": f"{piece.size} B",
        "encodingFormat": _PARQUET,
        "sha256": piece.sha256,
    }


def _file_set(source: str) -> dict[str, Any]:
    name = folder_of(source)
    return {
        "@type": "cr:FileSet",
        "@id": _files_of(source),
        "name": _files_of(source),
        "description": f"The files of the configuration {name}.",
        "encodingFormat": _PARQUET,
        "includes": f"data/{name}/*.parquet",
    }


def _files_of(source: str) -> str:
    return f"files-of-{folder_of(source)}"


def _splits(contents: DatasetContents) -> dict[str, Any]:
    """The record set with the names of the splits, to which the field “split” of the others refers."""
    name = f"{_SPLITS}/name"
    return {
        "@type": "cr:RecordSet",
        "@id": _SPLITS,
        "name": _SPLITS,
        "description": "The splits.",
        "dataType": "cr:Split",
        "key": {"@id": name},
        "field": [{"@type": "cr:Field", "@id": name, "name": "name", "dataType": "sc:Text"}],
        "data": [{name: split} for split in contents.splits()],
    }


def _record_set(source: str) -> dict[str, Any]:
    name = folder_of(source)
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": f"{task(task_id(source)).title}: an instance with its reference answer in each row.",
        "key": {"@id": f"{name}/id"},
        "field": [_split_field(source), *_fields(source)],
    }


def _split_field(source: str) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"{folder_of(source)}/split",
        "name": "split",
        "description": "The split to which the row belongs.",
        "dataType": "sc:Text",
        "references": {"field": {"@id": f"{_SPLITS}/name"}},
        "source": {
            "fileSet": {"@id": _files_of(source)},
            "extract": {"fileProperty": "fullpath"},
            "transform": {"regex": _SPLIT_OF_FILE},
        },
    }


def _fields(source: str) -> Iterator[dict[str, Any]]:
    for column, kind in COLUMNS.items():
        field: dict[str, Any] = {
            "@type": "cr:Field",
            "@id": f"{folder_of(source)}/{column}",
            "name": column,
            "description": ABOUT[column],
            "dataType": _TYPES.get(kind, "sc:ImageObject"),
            "source": {"fileSet": {"@id": _files_of(source)}, "extract": {"column": column}},
        }
        if kind == "pictures":
            field["repeated"] = True
            field["source"]["transform"] = {"jsonPath": "bytes"}
        yield field
