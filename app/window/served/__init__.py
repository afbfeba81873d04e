"""The main window where a browser shows it: no window manager runs there, and nobody sits at the machine.

addresses   files and addresses that the window wants to open elsewhere
frames      what a window manager does elsewhere: frames of dialogs, the keyboard, order
screen      the main window on a screen that a browser shows
"""
