"""What all rooms stand in: the window as a host, its tabs, settings, themes, people."""
