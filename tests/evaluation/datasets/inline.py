"""What tests of data sets have in common: an executor in this process, small plans, and the rows that were written."""

import importlib

from spatial_workbench.engine.evaluation.datasets import DatasetPlan, write_dataset
from spatial_workbench.engine.executor import Finished, JobOutcome
from spatial_workbench.engine.executor.contracts import cancelled


class Inline:
    """An executor that runs jobs at once, in this process; `rows` counts those that make rows."""

    def __init__(self, limit=None):
        self.waiting = []
        self.rows = 0
        self.limit = limit
        self.cancelled = []

    @property
    def pending(self):
        return len(self.waiting) + len(self.cancelled)

    def submit(self, job):
        self.waiting.append(job)

    def cancel(self, key):
        self.waiting = [job for job in self.waiting if job.key != key]
        self.cancelled.append(cancelled(key))

    def finished(self, timeout_s=None):
        if self.cancelled:
            taken = self.cancelled
            self.cancelled = []
            return taken
        job = self.waiting.pop(0)
        module, _, name = job.function.partition(":")
        if name == "row":
            if self.limit is not None and self.rows >= self.limit:
                raise KeyboardInterrupt
            self.rows += 1
        try:
            value = getattr(importlib.import_module(module), name)(**job.arguments)
            return [Finished(job.key, JobOutcome.DONE, value, "", 0.0, 1)]
        except ValueError as error:
            return [Finished(job.key, JobOutcome.FAILED, None, str(error), 0.0, 1)]


def plan(tasks=("shikaku", "hamiltonian_loop"), count=3, seed=7, published=False, **rest):
    return DatasetPlan.of(tasks, count, seed, published, "0", **rest)


def written(folder, *arguments, rates=None, **options):
    """The folder of a data set of such a plan."""
    write_dataset(folder, plan(*arguments, rates=rates, **options), Inline(), rates)
    return folder


def rows_of(folder, split=None):
    """The rows of a split, or of all, as the library `datasets` reads them."""
    import datasets as library

    loaded = library.load_dataset(str(folder), "all", cache_dir=str(folder.parent / "cache"))
    return [row for name, rows in loaded.items() if split in (None, name) for row in rows]
