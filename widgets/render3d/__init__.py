"""Draws scenes with VTK off screen, without any widget.

`Renderer3D` keeps a scene drawn while it changes; `render_scene` makes one picture. What works on this machine is
found out by `probe`. Nothing here imports a Qt widget.
"""
