"""python -m app: the same as the command spatial-workbench."""

import multiprocessing
import sys

from app.commands.main import main

if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main())
