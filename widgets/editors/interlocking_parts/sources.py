"""Where parts come from: mesh files, and sources that are typed in a dialog."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from spatial_workbench.engine.core.languages.translation import marked, tr
from spatial_workbench.engine.tasks.interlocking_parts import Form
from spatial_workbench.widgets.editors.interlocking_parts.assembly import Assembly
from spatial_workbench.widgets.editors.interlocking_parts.commands import CageCommands, ShapeCommands
from spatial_workbench.widgets.editors.interlocking_parts.source_dialog import STARTS, SourceDialog

MESHES = marked("Meshes (*.stl *.obj *.3mf *.glb *.gltf);;All files (*)")


class PartSources:
    """Asks for files and sources; dialogs belong to a window."""

    def __init__(self, window: QWidget, assembly: Assembly, commands: CageCommands, shapes: ShapeCommands) -> None:
        self._window = window
        self._assembly = assembly
        self._commands = commands
        self._shapes = shapes

    def import_part(self) -> None:
        """Asks for a mesh file and adds it as a part."""
        path, _ = QFileDialog.getOpenFileName(self._window, tr("Import a part"), "", tr(MESHES))
        if path:
            self._commands.import_file(path)

    def new_source(self) -> None:
        """Asks for the source of a new part."""
        dialog = SourceDialog("New part", STARTS[Form.OPENSCAD], Form.OPENSCAD, self._window)
        dialog.saved.connect(lambda text, form: self._commands.add_source(form, text))
        dialog.run_requested.connect(lambda: self._shapes.run_program(len(self._assembly.parts) - 1))
        self._open_dialog(dialog)

    def edit_source(self) -> None:
        """Opens the source of the part on the bed."""
        number = self._assembly.shown
        if number is None:
            return
        part = self._assembly.parts[number]
        dialog = SourceDialog(f"Part {number}", part.fileContents, part.form or Form.STL, self._window)
        dialog.saved.connect(partial(self._shapes.set_source, number))
        dialog.run_requested.connect(partial(self._shapes.run_program, number))
        self._open_dialog(dialog)

    def is_program_chosen(self) -> bool:
        """Whether a program is selected."""
        return any(self._assembly.parts[i].is_program for i in self._assembly.selected)

    def _open_dialog(self, dialog: SourceDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog = dialog
        dialog.open()
