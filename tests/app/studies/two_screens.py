"""A participant's window on a machine with two screens, in a process of its own: prints which windows are seen where.

Each line that it prints is JSON: the widget's class, its screen, and whether it fills it.
"""

import json
import sys
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication

from spatial_workbench.app.studies.participant.application import build_window
from spatial_workbench.app.studies.participant.window_form import WindowForm
from spatial_workbench.engine.studies.files.bundles import write_bundle
from spatial_workbench.engine.studies.sessions.entry import enter
from tests.studies.sittings import bundle, study


def show_windows(application):
    """Prints what is seen now."""
    for _ in range(20):
        application.processEvents()
    seen = [w for w in application.topLevelWidgets() if w.isVisible()]
    rows = [(type(w).__name__, w.screen().name(), w.geometry() == w.screen().geometry()) for w in seen]
    print(json.dumps(sorted(rows)), flush=True)


def main(folder):
    application = QApplication([])
    made = bundle(study())
    write_bundle(folder / "f.study", made)
    window = build_window(application, made, folder / "f.study", "", folder, form=WindowForm.KIOSK)
    window.open()
    window.take(enter(made, "P001H", folder))
    show_windows(application)
    window.move(application.screens()[1].geometry().topLeft() + QPoint(50, 50))
    application.processEvents()
    window.sitting.entering.consent({"part": True})
    show_windows(application)
    window.sitting.leaving.stop(keeps=True)
    show_windows(application)
    window.leave()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
