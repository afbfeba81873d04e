#!/usr/bin/env python3
"""Writes the application's icon as PNG files, in the folders where desktops look for icons, or as one Windows icon.

packaging/desktop/icons.py FOLDER       FOLDER/48x48/apps/spatial-workbench.png and the other sizes, and the SVG
packaging/desktop/icons.py FILE.ico     one file for Windows
packaging/desktop/icons.py FILE.icns    one file for macOS
"""

import os
import shutil
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PIL import Image
from PySide6.QtGui import QGuiApplication, QImage

from spatial_workbench.widgets.icons import APPLICATION_ICON_PX, application_icon

SOURCE = Path(__file__).resolve().parents[2] / "resources" / "spatial-workbench.svg"


def main() -> None:
    application = QGuiApplication([])
    target = Path(sys.argv[1])
    if target.suffix in (".ico", ".icns"):
        save_as_one_file(target)
    else:
        save_as_theme(target)
    del application


def picture(size: int) -> QImage:
    return application_icon().pixmap(size, size).toImage()


def save_as_theme(folder: Path) -> None:
    for size in APPLICATION_ICON_PX:
        path = folder / f"{size}x{size}" / "apps" / "spatial-workbench.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        picture(size).save(str(path))
    scalable = folder / "scalable" / "apps" / SOURCE.name
    scalable.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(SOURCE, scalable)


def save_as_one_file(path: Path) -> None:
    sizes = [size for size in APPLICATION_ICON_PX if size != 22]
    largest = Image.fromqimage(picture(max(sizes)))
    largest.save(path, sizes=[(size, size) for size in sizes])


if __name__ == "__main__":
    main()
