"""Tasks that cannot be used."""

from sample_tasks.count_corners import Count, CountCorners
from spatial_workbench.engine.core import Bucket, Family, Task


class Abstract(Task[Count]):
    """It lacks nearly everything."""

    title = summary = "Abstract"
    bucket = Bucket("counting")


class WithoutFamily(CountCorners):
    """It says that it belongs to the benchmark."""

    id = "without_family"
    family = Family.SCBENCH


class WithoutFile(CountCorners):
    """Its instances are not there."""

    id = "without_file"


class AnotherShikaku(CountCorners):
    """Its id is taken."""

    id = "shikaku"
