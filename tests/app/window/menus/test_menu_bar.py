"""Every command stands in one menu."""


def test_every_command_stands_in_one_menu(window):
    shown = [action.text() for menu in window.menuBar().actions() for action in menu.menu().actions() if action.text()]
    assert len(shown) == len(set(shown))
