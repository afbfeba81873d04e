"""The data that ship with the program."""

from importlib.resources import files
from importlib.resources.abc import Traversable


def resource(*names: str) -> Traversable:
    """A file or folder of the data, such as `resource("machines", "blocks.json")`."""
    return files("spatial_workbench.resources").joinpath(*names)
