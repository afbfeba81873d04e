"""What is done beside the window: processes, verdicts, and the project."""
