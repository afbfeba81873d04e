"""The study of these tests as a document, and what a command prints about it."""

import json

from tests.app.test_cli import run
from tests.store.studying import document

STUDY = document()


def printed_by(capsys, *arguments):
    """The JSON that a command prints."""
    return json.loads(run(capsys, "study", *arguments, "--json")[1])
