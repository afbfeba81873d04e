"""The process of a batch: python -m spatial_workbench.engine.evaluation PROJECT BATCH."""

import logging
import sys
from pathlib import Path

from spatial_workbench.engine.evaluation.runner import run_batch

if __name__ == "__main__":
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=logging.WARNING)
    run_batch(Path(sys.argv[1]), int(sys.argv[2]))
