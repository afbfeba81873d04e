"""Data sets of generated instances as Parquet files: prompts, pictures, schemas, reference answers and their scores.

plan       what a data set is made of, and the pieces that it is written in
splits     names and sizes of splits, and which instance belongs to which
ids        ids of instances, which depend on nothing but what is asked
choice     which seeds give different instances, none of them published
rows       an instance with its reference answer as a row
writing    writes the pieces, and resumes after it was killed
contents   the files that were written, with their checksums
canary     words by which copies are found in other collections
sayings    what card and metadata say: how it was made, what may leak
card       the page that describes the data set in a folder
croissant  the metadata as Croissant (JSON-LD)
stored     reads the rows of data sets, whoever wrote them
checking   judges the stored answers again, and compares
"""

from spatial_workbench.engine.evaluation.datasets.plan import DatasetAbout, DatasetError, DatasetPlan, source_of
from spatial_workbench.engine.evaluation.datasets.rows import SolveRate
from spatial_workbench.engine.evaluation.datasets.writing import WrittenDataset, measured_rates, write_dataset

__all__ = [
    "DatasetAbout",
    "DatasetError",
    "DatasetPlan",
    "SolveRate",
    "WrittenDataset",
    "measured_rates",
    "source_of",
    "write_dataset",
]
