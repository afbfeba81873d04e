"""Data sets of generated instances as Parquet files: prompts, pictures, schemas, reference answers and their scores.

plan       what a data set is made of, and the pieces that it is written in
choice     which seeds give different instances, none of them published
rows       an instance with its reference answer as a row
writing    writes the pieces, and resumes after it was killed
card       the page that describes the data set in a folder
"""

from spatial_workbench.engine.evaluation.datasets.plan import DatasetError, DatasetPlan, source_of
from spatial_workbench.engine.evaluation.datasets.rows import SolveRate
from spatial_workbench.engine.evaluation.datasets.writing import WrittenDataset, measured_rates, write_dataset

__all__ = ["DatasetError", "DatasetPlan", "SolveRate", "WrittenDataset", "measured_rates", "source_of", "write_dataset"]
