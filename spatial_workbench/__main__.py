"""python -m spatial_workbench: the same as the command spatial-workbench."""

import sys

from spatial_workbench.app.commands.main import main

if __name__ == "__main__":
    sys.exit(main())
