"""Work done outside the window's thread: processes, verdicts and the project."""
