"""The style sheet of windows."""

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QProxyStyle, QStyle

from spatial_workbench.app.frame.style import dress


class IconsOnButtons(QProxyStyle):
    """The style of a desktop that puts icons on the buttons of dialogs."""

    def styleHint(self, hint, *rest):
        return 1 if hint == QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons else super().styleHint(hint, *rest)


def has_icon(dialog):
    box = QDialogButtonBox(dialog)
    style = IconsOnButtons("fusion")
    style.setParent(box)
    box.setStyle(style)
    return not box.addButton(QDialogButtonBox.StandardButton.Ok).icon().isNull()


def test_buttons_of_dialogs_have_no_icons_of_the_desktop(qtbot):
    dialog = QDialog()
    qtbot.addWidget(dialog)
    assert has_icon(dialog)
    dress(dialog)
    assert not has_icon(dialog)
