"""An address means the same bytes for ever: data sets, frozen studies and stored attempts rely on it."""

import hashlib
import json
from pathlib import Path

import pytest

from spatial_workbench.engine.core import Family, resolve, tasks

MADE_SO_FAR = json.loads(Path(__file__).with_name("addresses.json").read_text())
"""Addresses with the beginning of the SHA-256 of their parameters, as they were made by earlier versions."""


@pytest.mark.parametrize(("address", "digest"), MADE_SO_FAR.items())
def test_an_address_gives_the_same_parameters_as_ever(address, digest):
    _, instance = resolve(address)
    assert hashlib.sha256(instance.parameters_json.encode()).hexdigest()[:16] == digest


def test_every_generator_is_among_them():
    generating = {task.id for task in tasks() if task.generates and task.family in Family.PUBLISHED}
    assert generating <= {address.partition("@")[0] for address in MADE_SO_FAR}
