"""Every command stands in one menu, beside those that it belongs to."""

from itertools import pairwise

from spatial_workbench.app.window.menus.menu_bar import GROUPS


def test_every_command_stands_in_one_menu(window):
    shown = [action.text() for menu in window.menuBar().actions() for action in menu.menu().actions() if action.text()]
    assert len(shown) == len(set(shown))


def test_the_groups_of_a_menu_name_commands_of_it(window):
    entries = window.actions_registry.entries
    for title, groups in GROUPS.items():
        assert {entries[name].menu for group in groups for name in group} == {title}


def test_a_line_stands_between_commands_alone(window):
    for action in window.menuBar().actions():
        lines = [entry.isSeparator() for entry in action.menu().actions()]
        assert not lines[0]
        assert not lines[-1]
        assert (True, True) not in pairwise(lines)
