"""python -m app: the same as the command spatial-workbench."""

import sys

from app.commands.main import main

if __name__ == "__main__":
    sys.exit(main())
