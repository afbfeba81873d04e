"""Draws scenes with VTK off screen, without any widget.

`Renderer3D` keeps a scene drawn while it changes; `render_scene` makes one picture; `probe` finds out what works on
this machine. Nothing here imports a Qt widget.
"""
