"""The process of a batch: python -m spatial_workbench.engine.evaluation PROJECT BATCH [DRAWER].

DRAWER, "package.module:name", is what a child runs that draws for models with hands; without it, they see no pictures.
Keys of endpoints, if any were given for a session only, come as a JSON object from standard input.
"""

import logging
import sys
from pathlib import Path

from spatial_workbench.engine.children.drawing import ChildDrawer
from spatial_workbench.engine.evaluation.batch_process import take_keys
from spatial_workbench.engine.evaluation.runner import run_batch

if __name__ == "__main__":
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=logging.WARNING)
    if not sys.stdin.isatty():
        take_keys(sys.stdin.buffer)
    draws = ChildDrawer(sys.argv[3]) if sys.argv[3:] else None
    try:
        run_batch(Path(sys.argv[1]), int(sys.argv[2]), drawer=draws)
    finally:
        if draws is not None:
            draws.close()
