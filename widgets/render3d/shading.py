"""How surfaces are lit, and how their edges are drawn.

The fragment shader draws edges from where a fragment lies in its box, stud or cell. Such lines have a constant width in
pixels, need no geometry, never fight with their faces for depth, and fade out where the boxes get too small.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from vtkmodules.vtkRenderingCore import vtkShaderProperty
from vtkmodules.vtkRenderingOpenGL2 import vtkOpenGLShaderProperty

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.widgets.render3d.camera import Camera
from spatial_workbench.widgets.render3d.section import CuttingPlane

Look = Literal["plain", "box", "stud", "cells", "tiles", "quads", "flat", "ground"]
"""plain: lit; box, stud: the unit glyphs; cells: lines at whole numbers; tiles: the same, in x and y only; quads: lines
around each quad; flat: unlit, and drawn a little nearer to the viewer; ground: the ground grid."""

QUAD_PLACE = "swQuad"
"""The name of the point array of "quads": where in its quad a point lies, (n, 2) from 0 to 1."""

KEY_LIGHT = (-0.35, 0.55, 0.75)
"""Direction to the key light in the viewer's frame (right, up, towards)."""

_PLACE = {
    "box": "vertexMC.xyz",
    "stud": "vertexMC.xyz",
    "cells": "vertexMC.xyz",
    "tiles": "vec3(vertexMC.xy, 0.5)",
    "quads": f"vec3({QUAD_PLACE}, 0.0)",
    "ground": "vertexMC.xyz",
}

_CELLS = """
      vec3 rate = fwidth(swPlace);
      vec3 off = abs(swPlace - floor(swPlace + 0.5)) / max(rate, vec3(1e-5));
      vec3 apart = mix(vec3(1e5), off, step(vec3(1e-4), rate));
      float near = min(apart.x, min(apart.y, apart.z));
      vec3 span = 1.0 / max(rate, vec3(1e-5));
      float across = min(span.x, min(span.y, span.z));"""

_NEAREST_EDGE = {
    # Pixels to the nearest edge (near) and pixels across the smallest side of the face (across). The coordinate along
    # a face's normal does not change on it: its derivative is 0, so it drops out of the median and of the minimum.
    "box": """
      vec3 rate = max(fwidth(swPlace), vec3(1e-5));
      vec3 d = (0.5 - abs(swPlace)) / rate;
      float near = max(min(d.x, d.y), min(max(d.x, d.y), d.z));
      vec3 span = 1.0 / rate;
      float across = min(span.x, min(span.y, span.z));""",
    "stud": """
      float radius = length(swPlace.xy);
      bool top = swPlace.z > 0.999;
      float near = top ? (0.5 - radius) / max(fwidth(radius), 1e-5)
                       : min(swPlace.z, 1.0 - swPlace.z) / max(fwidth(swPlace.z), 1e-5);
      float across = 0.8 / max(fwidth(swPlace.x), fwidth(swPlace.y));""",
    "cells": _CELLS,
    "tiles": _CELLS,
    "quads": """
      vec2 rate = max(fwidth(swPlace.xy), vec2(1e-5));
      vec2 d = (0.5 - abs(swPlace.xy - 0.5)) / rate;
      float near = min(d.x, d.y);
      float across = min(1.0 / rate.x, 1.0 / rate.y);""",
}

_LIT = """
      vec3 n = normalize(normalVCVSOutput);
      float sky = 0.5 + 0.5 * dot(n, swUp);
      float key = max(dot(n, swKey), 0.0);
      float turned = dot(n, swEast);
      float light = 0.48 + 0.23 * sky + 0.30 * key + 0.07 * max(n.z, 0.0) + 0.07 * turned * turned;
      vec3 rgb = min(diffuseColor * light, vec3(1.0));"""

_EDGED = """
      float bright = dot(rgb, vec3(0.3, 0.59, 0.11));
      vec3 edge = bright > 0.16 ? rgb * 0.55 : rgb + 0.16;
      float strength = 1.0 - smoothstep(swWidth - 0.5, swWidth + 0.5, near);
      rgb = mix(rgb, edge, strength * mix(0.45, 1.0, opacity) * smoothstep(3.0, 9.0, across / max(swWidth, 0.01)));"""

_GROUND = """{
      vec2 p = swPlace.xy;
      vec2 rate = max(fwidth(p), vec2(1e-6));
      vec2 d = abs(p - floor(p + 0.5)) / rate;
      vec2 dense = smoothstep(vec2(3.0), vec2(12.0), 1.0 / rate);
      vec2 lines = (1.0 - smoothstep(vec2(swWidth - 0.45), vec2(swWidth + 0.45), d)) * dense;
      vec2 beyond = max(max(-p, p - swGround.xy), vec2(0.0));
      float out_ = length(beyond) / swGround.z;
      vec2 side = min(abs(p), abs(p - swGround.xy)) / rate;
      bool near = max(beyond.x / rate.x, beyond.y / rate.y) < swWidth;
      float border = near ? 1.0 - smoothstep(swWidth - 0.2, swWidth + 0.8, min(side.x, side.y)) : 0.0;
      float inside = out_ > 0.0 ? 0.0 : 1.0;
      float fade = mix(0.5 * pow(1.0 - min(out_, 1.0), 2.0), 1.0, inside);
      float alpha = max(max(lines.x, lines.y) * fade * 0.85, 0.10 * inside);
      alpha = max(alpha, border);
      if (alpha < 0.01) discard;
      gl_FragData[0] = vec4(diffuseColor, alpha * opacity);
    }
"""

_NEARER = "gl_Position.z -= 1e-4 * gl_Position.w;\n"
_FARTHER = "gl_Position.z += 1e-4 * gl_Position.w;\n"
"""Lines in a face are moved a little nearer, and the ground a little farther away, so that nothing fights for depth."""


# In window coordinates, since VTK declares its position in view coordinates only in shaders that it lights itself.
_CUT = "if (dot(swCut, vec4(gl_FragCoord.xyz, 1.0)) > 0.0) discard;\n"
_CUT_NEARER = "if (dot(swCut, vec4(gl_FragCoord.xy, gl_FragCoord.z + 5e-5, 1.0)) > 0.0) discard;\n"
"""Lines are cut where they are, not where `_NEARER` moves them: depths go from 0 to 1, and not from -1 to 1."""


class Shading:
    """The shaders of one view: their light follows the camera, and their lines keep their width in pixels."""

    def __init__(self) -> None:
        self._made: dict[tuple[Look, bool], vtkShaderProperty] = {}
        self._uniforms: dict[str, tuple[float, ...]] = {
            "swWidth": (1.0,),
            "swGround": (1.0, 1.0, 1.0),
            "swCut": (0.0, 0.0, 0.0, -1.0),
        }
        self.section: CuttingPlane | None = None
        self.aim(Camera())

    def set_section(self, section: CuttingPlane | None) -> None:
        """Cuts the scene along a plane, or no longer; the shaders change only when cutting begins or ends."""
        begins_or_ends = (section is None) != (self.section is None)
        self.section = section
        if begins_or_ends:
            for (look, depth_only), shader in self._made.items():
                _write_fragment(shader, look, depth_only, section is not None)

    def property(self, look: Look, depth_only: bool = False) -> vtkShaderProperty:
        """The shader of a look; `depth_only` leaves no colour, only depth."""
        key = look, depth_only
        if key not in self._made:
            self._made[key] = _build(look, depth_only, self.section is not None)
            for name, value in self._uniforms.items():
                _set(self._made[key], name, value)
        return self._made[key]

    def aim(self, camera: Camera) -> None:
        """Lights the scene for a camera: sky from above, key light over the viewer's left shoulder."""
        axes = camera.axes
        key = np.array(KEY_LIGHT) / np.linalg.norm(KEY_LIGHT)
        self._assign("swUp", axes[:, 2])
        self._assign("swEast", axes[:, 0])
        self._assign("swKey", key)

    def aim_section(self, to_window: Floats) -> None:
        """Gives the shaders the section plane in window coordinates.

        `to_window` (4, 4) takes homogeneous points of the scene to `gl_FragCoord`: pixels from the lower left, depth.
        """
        if self.section is not None:
            self._assign("swCut", np.linalg.solve(to_window.T, [*self.section.normal, -self.section.reach]))

    def set_ground(self, width: float, height: float, fade: float) -> None:
        """Sets the size of the ground grid, and how far it extends beyond that, in cells."""
        self._assign("swGround", [width, height, fade])

    def set_line_width(self, pixels: float) -> None:
        """Sets half the width of the line between two boxes."""
        self._assign("swWidth", [pixels])

    def _assign(self, name: str, values: object) -> None:
        value = tuple(float(v) for v in np.asarray(values))
        if self._uniforms.get(name) != value:
            self._uniforms[name] = value
            for shader in self._made.values():
                _set(shader, name, value)


def _set(shader: vtkShaderProperty, name: str, value: tuple[float, ...]) -> None:
    uniforms = shader.GetFragmentCustomUniforms()
    if len(value) == 1:
        uniforms.SetUniformf(name, value[0])
    elif len(value) == 3:
        uniforms.SetUniform3f(name, value)
    else:
        uniforms.SetUniform4f(name, value)


def _build(look: Look, depth_only: bool, cut: bool) -> vtkShaderProperty:
    shader = vtkOpenGLShaderProperty()
    place = _PLACE.get(look)
    if place and not depth_only:
        extra = f"in vec2 {QUAD_PLACE};\n" if look == "quads" else ""
        _insert(shader, "Vertex", "Normal::Dec", f"{extra}out vec3 swPlace;\n")
        _insert(shader, "Vertex", "Normal::Impl", f"swPlace = {place};\n")
    if look in ("flat", "ground"):
        _insert(shader, "Vertex", "PositionVC::Impl", _NEARER if look == "flat" else _FARTHER)
    _write_fragment(shader, look, depth_only, cut)
    return shader


def _write_fragment(shader: vtkShaderProperty, look: Look, depth_only: bool, cut: bool) -> None:
    shader.ClearAllFragmentShaderReplacements()
    if look in _PLACE and not depth_only:
        _insert(shader, "Fragment", "Normal::Dec", "in vec3 swPlace;\n")
    code = (_cut(look) if cut else "") + _fragment(look, depth_only)
    shader.AddFragmentShaderReplacement("//VTK::Light::Impl", True, code, False)


def _cut(look: Look) -> str:
    return {"ground": "", "flat": _CUT_NEARER}.get(look, _CUT)


def _fragment(look: Look, depth_only: bool) -> str:
    if depth_only:
        # VTK discards fragments with an opacity of 0; this opacity is too small to change a byte.
        return "gl_FragData[0] = vec4(0.0, 0.0, 0.0, 5e-4);\n"
    if look == "flat":
        return "gl_FragData[0] = vec4(diffuseColor, opacity);\n"
    if look == "ground":
        return _GROUND
    edges = _NEAREST_EDGE[look] + _EDGED if look in _NEAREST_EDGE else ""
    return f"{{{_LIT}{edges}\n      gl_FragData[0] = vec4(rgb, opacity);\n    }}\n"


def _insert(shader: vtkShaderProperty, stage: str, tag: str, code: str) -> None:
    add = getattr(shader, f"Add{stage}ShaderReplacement")
    add(f"//VTK::{tag}", True, f"//VTK::{tag}\n{code}", False)
