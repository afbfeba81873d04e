"""The benchmark command: how fast everything is, and how much memory it takes."""
