"""The documentation; the window shows the rules of tasks from it."""
