"""Rigid bodies by PyBullet, in a process of its own: the engine prints on import, and holds the interpreter's lock."""
