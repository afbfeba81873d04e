// Draws scenes of attempts: in space with WebGL, in the plane on a canvas. The form of the data is described in
// engine/reporting/site/scene_data.py. Nothing is loaded from elsewhere.
"use strict";

const SEAM = 0.985;
const EDGES_UP_TO = 4000;
const FACES = [
  [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[-1, 0, 0], [0, 0, 1], [0, 1, 0]], [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
  [[0, -1, 0], [1, 0, 0], [0, 0, 1]], [[0, 0, 1], [1, 0, 0], [0, 1, 0]], [[0, 0, -1], [0, 1, 0], [1, 0, 0]],
];
const FRAME_MS = 250, TURN_MS = 12000;
const FOCUS = 1 / Math.tan(0.36);

function rgbOf(hex) {
  return [1, 3, 5].map((place) => parseInt(hex.slice(place, place + 2), 16) / 255);
}

function pointsOf(flat) {
  const points = [];
  for (let k = 0; k < flat.length; k += 3) points.push([flat[k], flat[k + 1], flat[k + 2]]);
  return points;
}

function turned(point, [x, y, z, w]) {
  const [a, b, c] = point;
  const tx = 2 * (y * c - z * b), ty = 2 * (z * a - x * c), tz = 2 * (x * b - y * a);
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
}

// Triangles and lines of an item -----------------------------------------------------------------------------------

class Shape {
  // Collects positions, normals and colours; `colorOf(k)` is the colour of the item's element k.
  constructor(item, colorOf) {
    this.item = item;
    this.colorOf = colorOf;
    this.alpha = item.alpha ?? 1;
    this.triangles = [];
    this.lines = [];
    this.dots = [];
    this.labels = [];
    const make = { boxes: "boxes", bodies: "bodies", mesh: "mesh", field: "field", line: "line", area: "area" }[item.k];
    if (make) this[make]();
    else if (item.k === "points") pointsOf(item.p).forEach((point, k) => this.dots.push(...point, ...colorOf(k), item.w));
    else if (item.k === "label") this.labels.push({ point: pointsOf(item.p)[0], text: item.text, color: colorOf(0) });
  }

  corner(point, normal, color) {
    this.triangles.push(...point, ...normal, ...color);
  }

  triangle(a, b, c, color) {
    const u = a.map((value, i) => b[i] - value), v = a.map((value, i) => c[i] - value);
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    for (const point of [a, b, c]) this.corner(point, normal, color);
  }

  segment(a, b, color, width) {
    // Two triangles that the shader widens to `width` pixels.
    for (const [from, to, side] of [[a, b, 1], [a, b, -1], [b, a, 1], [b, a, 1], [a, b, -1], [b, a, -1]]) {
      this.lines.push(...from, ...to, side * (from === b ? -1 : 1), width, ...color);
    }
  }

  box(center, size, angle, color, edges) {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const half = size.map((value) => (value * SEAM) / 2);
    const place = (local) => {
      const [x, y, z] = local.map((value, i) => value * half[i]);
      return [center[0] + cos * x - sin * y, center[1] + sin * x + cos * y, center[2] + z];
    };
    for (const [out, u, v] of FACES) {
      const at = (a, b) => place(out.map((value, i) => value + a * u[i] + b * v[i]));
      const normal = [cos * out[0] - sin * out[1], sin * out[0] + cos * out[1], out[2]];
      for (const [a, b] of [[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]]) this.corner(at(a, b), normal, color);
    }
    if (!edges) return;
    const dark = color.map((value) => value * 0.55);
    for (const [axis, a, b] of [[0, 1, 2], [1, 0, 2], [2, 0, 1]]) {
      for (const [s, t] of [[-1, -1], [-1, 1], [1, -1], [1, 1]]) {
        const ends = [-1, 1].map((end) => {
          const local = [0, 0, 0];
          local[axis] = end; local[a] = s; local[b] = t;
          return place(local);
        });
        this.segment(ends[0], ends[1], dark, 1);
      }
    }
  }

  boxes() {
    const { p, s, a, studs } = this.item;
    const centers = pointsOf(p);
    const edges = this.alpha === 1 && centers.length <= EDGES_UP_TO;
    centers.forEach((center, k) => {
      const size = s.length === 3 ? s : s.slice(3 * k, 3 * k + 3);
      const angle = a ? (a[k] * Math.PI) / 180 : 0;
      this.box(center, size, angle, this.colorOf(k), edges);
      if (studs && centers.length <= 400) this.studs(center, size, angle, studs, this.colorOf(k));
    });
  }

  studs(center, size, angle, [nx, ny], color) {
    const radius = 0.3 * Math.min(size[0] / nx, size[1] / ny), height = 0.18 * size[2], sides = 10;
    for (let i = 0; i < nx; i++) {
      for (let j = 0; j < ny; j++) {
        const x = ((i + 0.5) / nx - 0.5) * size[0], y = ((j + 0.5) / ny - 0.5) * size[1];
        const middle = [center[0] + Math.cos(angle) * x - Math.sin(angle) * y,
          center[1] + Math.sin(angle) * x + Math.cos(angle) * y, center[2] + size[2] / 2];
        const rim = (k, up) => [middle[0] + radius * Math.cos((2 * Math.PI * k) / sides),
          middle[1] + radius * Math.sin((2 * Math.PI * k) / sides), middle[2] + up * height];
        for (let k = 0; k < sides; k++) {
          this.triangle(rim(k, 0), rim(k + 1, 0), rim(k + 1, 1), color);
          this.triangle(rim(k, 0), rim(k + 1, 1), rim(k, 1), color);
          this.triangle([middle[0], middle[1], middle[2] + height], rim(k, 1), rim(k + 1, 1), color);
        }
      }
    }
  }

  faces(points, indices, color, wire) {
    for (let k = 0; k < indices.length; k += 3) {
      const [a, b, c] = [points[indices[k]], points[indices[k + 1]], points[indices[k + 2]]];
      if (!wire) this.triangle(a, b, c, color);
      else for (const [from, to] of [[a, b], [b, c], [c, a]]) this.segment(from, to, color, 1);
    }
  }

  mesh() {
    this.faces(pointsOf(this.item.p), this.item.f, this.colorOf(0), this.item.wire);
  }

  bodies() {
    const { of, p, q, meshes } = this.item;
    const shapes = meshes.map(([points, indices]) => [pointsOf(points), indices]);
    pointsOf(p).forEach((place, k) => {
      if (place[0] > 1e8) return;
      const [points, indices] = shapes[of[k]];
      const moved = points.map((point) => turned(point, q.slice(4 * k, 4 * k + 4)).map((value, i) => value + place[i]));
      this.faces(moved, indices, this.colorOf(k), false);
    });
  }

  field() {
    const { rows, columns, z, pitch, o, steps } = this.item;
    const color = this.colorOf(0);
    const at = (row, column, up) => [o[0] + pitch * column, o[1] + pitch * row, o[2] + up];
    const quad = (a, b, c, d) => { this.triangle(a, b, c, color); this.triangle(a, c, d, color); };
    const height = (row, column) => z[row * columns + column];
    for (let row = 0; row + (steps ? 0 : 1) < rows; row++) {
      for (let column = 0; column + (steps ? 0 : 1) < columns; column++) {
        const h = height(row, column);
        if (!steps) {
          const ends = [[0, 0], [0, 1], [1, 1], [1, 0]];
          quad(...ends.map(([i, j]) => at(row + i + 0.5, column + j + 0.5, height(row + i, column + j))));
          continue;
        }
        quad(at(row, column, h), at(row, column + 1, h), at(row + 1, column + 1, h), at(row + 1, column, h));
        if (column + 1 < columns && height(row, column + 1) !== h) {
          const other = height(row, column + 1);
          quad(at(row, column + 1, h), at(row, column + 1, other), at(row + 1, column + 1, other), at(row + 1, column + 1, h));
        }
        if (row + 1 < rows && height(row + 1, column) !== h) {
          const other = height(row + 1, column);
          quad(at(row + 1, column, h), at(row + 1, column + 1, h), at(row + 1, column + 1, other), at(row + 1, column, other));
        }
      }
    }
  }

  line() {
    const points = pointsOf(this.item.p);
    for (let k = 0; k + 1 < points.length; k++) {
      if (this.item.dashed && k % 2 && points.length > 12) continue;
      this.segment(points[k], points[k + 1], this.colorOf(0), this.item.w);
    }
  }

  area() {
    const points = pointsOf(this.item.p);
    for (let k = 1; k + 1 < points.length; k++) this.triangle(points[0], points[k], points[k + 1], this.colorOf(0));
    if (this.item.line === undefined) return;
    points.forEach((point, k) => this.segment(point, points[(k + 1) % points.length], this.colorOf(-1), 1));
  }
}

// In space ---------------------------------------------------------------------------------------------------------

const SOLID = [
  `attribute vec3 at; attribute vec3 normal; attribute vec3 color; uniform mat4 view; uniform vec3 eye;
   varying vec3 shade; varying float glow;
   void main() {
     vec3 n = normalize(normal); vec3 to = normalize(eye - at); if (dot(n, to) < 0.0) n = -n;
     float key = max(0.0, dot(n, normalize(vec3(-0.35, -0.55, 0.85))));
     float fill = max(0.0, dot(n, normalize(vec3(0.7, 0.4, 0.25))));
     shade = color * (0.5 + 0.42 * key + 0.16 * fill); gl_Position = view * vec4(at, 1.0); }`,
  `precision mediump float; varying vec3 shade; uniform float alpha; void main() { gl_FragColor = vec4(shade, alpha); }`,
];
const LINE = [
  `attribute vec3 at; attribute vec3 to; attribute float side; attribute float width; attribute vec3 color;
   uniform mat4 view; uniform vec2 size; uniform float order; varying vec3 shade;
   void main() {
     vec4 a = view * vec4(at, 1.0), b = view * vec4(to, 1.0);
     vec2 along = (b.xy / max(b.w, 1e-6) - a.xy / max(a.w, 1e-6)) * size;
     vec2 across = length(along) > 0.0 ? normalize(vec2(-along.y, along.x)) : vec2(0.0);
     a.xy += across * side * width / size * a.w; a.z -= (0.00015 + 0.00004 * order) * a.w; shade = color; gl_Position = a; }`,
  `precision mediump float; varying vec3 shade; uniform float alpha; void main() { gl_FragColor = vec4(shade, alpha); }`,
];
const DOT = [
  `attribute vec3 at; attribute vec3 color; attribute float width; uniform mat4 view; uniform float ratio;
   varying vec3 shade;
   void main() { gl_Position = view * vec4(at, 1.0); gl_Position.z -= 0.001 * gl_Position.w;
     gl_PointSize = width * ratio; shade = color; }`,
  `precision mediump float; varying vec3 shade; uniform float alpha;
   void main() { if (length(gl_PointCoord - 0.5) > 0.5) discard; gl_FragColor = vec4(shade, alpha); }`,
];
const LAYOUTS = {
  triangles: { at: [3, 0], normal: [3, 3], color: [3, 6] },
  lines: { at: [3, 0], to: [3, 3], side: [1, 6], width: [1, 7], color: [3, 8] },
  dots: { at: [3, 0], color: [3, 3], width: [1, 6] },
};

function product(a, b) {
  const out = new Float32Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      for (let k = 0; k < 4; k++) out[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    }
  }
  return out;
}

class SpaceView {
  constructor(canvas, low, high) {
    this.canvas = canvas;
    this.gl = canvas.getContext("webgl", { antialias: true, alpha: true, premultipliedAlpha: false });
    if (!this.gl) throw new Error("There is no WebGL.");
    this.programs = { triangles: this.program(SOLID), lines: this.program(LINE), dots: this.program(DOT) };
    this.corners = [low, high];
    this.middle = low.map((value, i) => (value + high[i]) / 2);
    this.moved = [0, 0, 0];
    this.size = Math.hypot(...low.map((value, i) => high[i] - value)) || 1;
    this.parts = new Map();
    this.reset();
  }

  program([vertex, fragment]) {
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    return program;
  }

  reset() {
    this.yaw = -0.9;
    this.pitch = 0.5;
    this.target = this.middle.map((value, i) => value + this.moved[i]);
    this.distance = this.fitting();
  }

  fitting() {
    // The distance from which all corners of the scene are in sight.
    const [low, high] = this.corners;
    const aspect = (this.canvas.clientWidth || 480) / (this.canvas.clientHeight || 300), margin = 0.92;
    const [cy, sy, cp, sp] = [Math.cos(this.yaw), Math.sin(this.yaw), Math.cos(this.pitch), Math.sin(this.pitch)];
    let distance = 0.05 * this.size;
    for (let corner = 0; corner < 8; corner++) {
      const [x, y, z] = [0, 1, 2].map((i) => ((corner >> i) & 1 ? high[i] : low[i]) - this.middle[i]);
      const back = cp * (cy * x + sy * y) + sp * z;
      const right = -sy * x + cy * y, up = cp * z - sp * (cy * x + sy * y);
      const needed = FOCUS * Math.max(Math.abs(right) / aspect, Math.abs(up)) / margin;
      distance = Math.max(distance, back + needed);
    }
    return distance;
  }

  follow(moved) {
    // Moves the camera with something that has moved so far from where it began.
    this.target = this.target.map((value, i) => value + moved[i] - this.moved[i]);
    this.moved = moved;
  }

  remove(place) {
    for (const old of this.parts.get(place) ?? []) this.gl.deleteBuffer(old.buffer);
    this.parts.delete(place);
  }

  set(place, shape) {
    this.remove(place);
    const made = [];
    for (const kind of ["triangles", "lines", "dots"]) {
      if (!shape[kind].length) continue;
      const stride = Object.values(LAYOUTS[kind]).reduce((sum, [count]) => sum + count, 0);
      const buffer = this.gl.createBuffer();
      this.gl.bindBuffer(this.gl.ARRAY_BUFFER, buffer);
      this.gl.bufferData(this.gl.ARRAY_BUFFER, new Float32Array(shape[kind]), this.gl.STATIC_DRAW);
      made.push({ kind, order: Math.min(place, 40), buffer, stride, count: shape[kind].length / stride, alpha: shape.alpha });
    }
    this.parts.set(place, made);
  }

  drag(dx, dy, pans) {
    if (!pans) {
      this.yaw -= dx * 0.008;
      this.pitch = Math.min(1.55, Math.max(-1.55, this.pitch + dy * 0.008));
      return;
    }
    const step = this.distance / this.canvas.clientHeight;
    const right = [-Math.sin(this.yaw), Math.cos(this.yaw), 0];
    this.target = this.target.map((value, i) => value - right[i] * dx * step + (i === 2 ? dy * step : 0));
  }

  zoom(factor) {
    this.distance = Math.min(8 * this.size, Math.max(0.05 * this.size, this.distance * factor));
  }

  get eye() {
    const flat = Math.cos(this.pitch) * this.distance;
    return [this.target[0] + flat * Math.cos(this.yaw), this.target[1] + flat * Math.sin(this.yaw),
      this.target[2] + Math.sin(this.pitch) * this.distance];
  }

  matrix() {
    const eye = this.eye, aspect = this.canvas.width / this.canvas.height;
    const back = [0, 1, 2].map((i) => (eye[i] - this.target[i]) / this.distance);
    const right = [-Math.sin(this.yaw), Math.cos(this.yaw), 0];
    const up = [back[1] * right[2] - back[2] * right[1], back[2] * right[0] - back[0] * right[2], back[0] * right[1] - back[1] * right[0]];
    const dot = (a) => -(a[0] * eye[0] + a[1] * eye[1] + a[2] * eye[2]);
    const look = [right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0, dot(right), dot(up), dot(back), 1];
    const near = this.distance / 100, far = this.distance + 20 * this.size, f = FOCUS;
    const lens = [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0];
    return product(lens, look);
  }

  draw() {
    const gl = this.gl, ratio = devicePixelRatio || 1, view = this.matrix();
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    const parts = [...this.parts.values()].flat();
    for (const solid of [true, false]) {
      gl.depthMask(solid);
      for (const part of parts) if ((part.alpha === 1) === solid) this.drawPart(part, view, ratio);
    }
    gl.depthMask(true);
    return (point) => {
      const [x, y, , w] = [0, 1, 2, 3].map((row) => view[row] * point[0] + view[4 + row] * point[1] + view[8 + row] * point[2] + view[12 + row]);
      return w > 0 ? [(x / w + 1) / 2, (1 - y / w) / 2] : null;
    };
  }

  drawPart(part, view, ratio) {
    const gl = this.gl, program = this.programs[part.kind];
    gl.useProgram(program);
    gl.bindBuffer(gl.ARRAY_BUFFER, part.buffer);
    const used = [];
    for (const [name, [count, offset]] of Object.entries(LAYOUTS[part.kind])) {
      const place = gl.getAttribLocation(program, name);
      if (place < 0) continue;
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, count, gl.FLOAT, false, 4 * part.stride, 4 * offset);
      used.push(place);
    }
    gl.uniformMatrix4fv(gl.getUniformLocation(program, "view"), false, view);
    gl.uniform1f(gl.getUniformLocation(program, "alpha"), part.alpha);
    gl.uniform3fv(gl.getUniformLocation(program, "eye"), this.eye);
    gl.uniform2f(gl.getUniformLocation(program, "size"), this.canvas.width / ratio, this.canvas.height / ratio);
    gl.uniform1f(gl.getUniformLocation(program, "ratio"), ratio);
    // Of lines on top of each other, the later one is seen.
    gl.uniform1f(gl.getUniformLocation(program, "order"), part.order);
    gl.drawArrays(gl.TRIANGLES * (part.kind !== "dots") + gl.POINTS * (part.kind === "dots"), 0, part.count);
    used.forEach((place) => gl.disableVertexAttribArray(place));
  }
}

// In the plane -----------------------------------------------------------------------------------------------------

class PlaneView {
  constructor(canvas, low, high, yUp) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.low = low;
    this.high = high;
    this.yUp = yUp;
    this.shapes = new Map();
    this.reset();
  }

  reset() {
    this.scale = 1;
    this.shift = [0, 0];
  }

  remove(place) {
    this.shapes.delete(place);
  }

  set(place, shape) {
    this.shapes.set(place, shape);
  }

  drag(dx, dy) {
    this.shift = [this.shift[0] + dx, this.shift[1] + dy];
  }

  zoom(factor) {
    this.scale = Math.min(20, Math.max(0.2, this.scale / factor));
  }

  draw() {
    const { context, canvas } = this, ratio = devicePixelRatio || 1;
    const [width, height] = [canvas.width / ratio, canvas.height / ratio];
    const extent = [0, 1].map((i) => this.high[i] - this.low[i] || 1);
    const unit = 0.88 * this.scale * Math.min(width / extent[0], height / extent[1]);
    const place = ([x, y]) => [
      width / 2 + this.shift[0] + unit * (x - (this.low[0] + this.high[0]) / 2),
      height / 2 + this.shift[1] + (this.yUp ? -1 : 1) * unit * (y - (this.low[1] + this.high[1]) / 2),
    ];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    for (const shape of this.shapes.values()) this.drawShape(shape, place, unit);
    return (point) => { const [x, y] = place(point); return [x / width, y / height]; };
  }

  drawShape(shape, place, unit) {
    const { context } = this, { item } = shape;
    const css = (k) => `rgb(${shape.colorOf(k).map((value) => Math.round(255 * value)).join(" ")})`;
    context.globalAlpha = shape.alpha;
    context.setLineDash([]);
    const path = (points) => { context.beginPath(); points.map(place).forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y))); };
    if (item.k === "area") {
      path(pointsOf(item.p));
      context.closePath();
      context.fillStyle = css(0);
      context.fill();
      if (item.pattern) this.hatch();
      if (item.line !== undefined) this.stroke(css(-1), 1);
    } else if (item.k === "line") {
      path(pointsOf(item.p));
      if (item.dashed) context.setLineDash([6, 4]);
      this.stroke(css(0), item.w);
      if (item.arrow) this.arrow(pointsOf(item.p).slice(-2).map(place), css(0), item.w);
    } else if (item.k === "points") {
      pointsOf(item.p).forEach((point, k) => {
        const [x, y] = place(point);
        context.beginPath();
        context.arc(x, y, item.w / 2, 0, 2 * Math.PI);
        context.fillStyle = css(k);
        context.fill();
      });
    } else if (item.k === "boxes") {
      pointsOf(item.p).forEach((center, k) => {
        const size = item.s.length === 3 ? item.s : item.s.slice(3 * k, 3 * k + 3);
        const [x, y] = place(center);
        context.save();
        context.translate(x, y);
        context.rotate(((item.a ? item.a[k] : 0) * (this.yUp ? -1 : 1) * Math.PI) / 180);
        context.fillStyle = css(k);
        context.fillRect((-SEAM * unit * size[0]) / 2, (-SEAM * unit * size[1]) / 2, SEAM * unit * size[0], SEAM * unit * size[1]);
        context.restore();
      });
    } else if (item.k === "mesh") {
      const points = pointsOf(item.p);
      for (let k = 0; k < item.f.length; k += 3) {
        path([0, 1, 2].map((i) => points[item.f[k + i]]));
        context.fillStyle = css(0);
        context.fill();
      }
    }
    context.globalAlpha = 1;
  }

  stroke(color, width) {
    Object.assign(this.context, { strokeStyle: color, lineWidth: width, lineJoin: "round", lineCap: "round" });
    this.context.stroke();
  }

  hatch() {
    const { context, canvas } = this;
    context.save();
    context.clip();
    context.beginPath();
    for (let x = -canvas.height; x < canvas.width; x += 8) { context.moveTo(x, 0); context.lineTo(x + canvas.height, canvas.height); }
    context.globalAlpha = 0.35;
    this.stroke("#000", 1);
    context.restore();
  }

  arrow([from, to], color, width) {
    if (!to) return;
    const angle = Math.atan2(to[1] - from[1], to[0] - from[0]), length = 5 + 2 * width;
    this.context.beginPath();
    this.context.moveTo(...to);
    for (const side of [-0.45, 0.45]) this.context.lineTo(to[0] - length * Math.cos(angle + side), to[1] - length * Math.sin(angle + side));
    this.context.closePath();
    this.context.fillStyle = color;
    this.context.fill();
  }
}

// The viewer -------------------------------------------------------------------------------------------------------

const CALM = matchMedia("(prefers-reduced-motion: reduce)");

class Viewer {
  constructor(figure, scene) {
    this.figure = figure;
    this.scene = scene;
    this.frame = scene.begin;
    this.speed = 1;
    this.follows = scene.track.length > 0 && !CALM.matches;
    this.pointed = null;
    this.shareMeshes();
    this.build();
    this.fill();
    this.listen();
    if (this.slider) this.show(this.frame);
    figure.dataset.shown = String(this.items().length);
  }

  shareMeshes() {
    // The meshes of bodies are written once, and again where they change.
    const known = new Map();
    const share = (place, item) => {
      if (item.k !== "bodies") return;
      if (item.meshes) known.set(place, item.meshes);
      else item.meshes = known.get(place);
    };
    this.scene.items.forEach((item, place) => share(place, item));
    for (const frame of this.scene.frames) for (const [place, item] of frame.items) share(place, item);
  }

  build() {
    this.stage = document.createElement("div");
    this.stage.className = "stage";
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    const plays = this.scene.frames.length > 1 ? " Space plays it, comma and period step." : "";
    const keys = `Arrow keys ${this.scene.flat ? "move" : "turn"} it, plus and minus zoom, 0 resets.${plays}`;
    this.canvas.setAttribute("aria-label", `${this.figure.querySelector("img").alt}. ${keys}`);
    this.labels = document.createElement("div");
    this.labels.className = "labels";
    this.labels.setAttribute("aria-hidden", "true");
    this.stage.append(this.canvas, this.labels);
    this.image = this.figure.querySelector("img");
    this.image.after(this.stage);
    const { flat, low, high, yUp } = this.scene;
    try {
      this.view = flat ? new PlaneView(this.canvas, low, high, yUp) : new SpaceView(this.canvas, low, high);
    } catch (error) {
      this.stage.remove();
      throw error;
    }
    this.image.hidden = true;
    this.image.remove();
    this.figure.append(this.controls());
    this.resize();
  }

  controls() {
    const bar = document.createElement("div");
    bar.className = "controls";
    if (this.scene.frames.length > 1) bar.append(...this.playControls());
    else {
      const hint = document.createElement("span");
      hint.className = "hint";
      hint.textContent = this.scene.flat ? "Drag to move, Ctrl and wheel to zoom" : "Drag to turn, Ctrl and wheel to zoom";
      bar.append(hint);
    }
    if (this.scene.track.length) bar.append(this.switch("Follow", this.follows, (on) => { this.follows = on; this.show(this.frame); }));
    if (!this.scene.flat) {
      this.turn = this.switch("Turn", false, () => this.turning(performance.now()));
      bar.append(this.turn);
    }
    bar.append(this.button("Reset view", () => { this.stopTurning(); this.view.reset(); this.draw(); }));
    return bar;
  }

  playControls() {
    this.play = this.button("Play", () => this.toggle());
    this.slider = document.createElement("input");
    Object.assign(this.slider, { type: "range", min: 0, max: this.scene.frames.length - 1, value: this.frame });
    this.slider.setAttribute("aria-label", "Moment");
    this.slider.addEventListener("input", () => { this.stop(); this.show(Number(this.slider.value)); });
    this.time = document.createElement("output");
    const speeds = document.createElement("select");
    speeds.setAttribute("aria-label", "Speed");
    for (const speed of [0.25, 0.5, 1, 2, 4]) speeds.add(new Option(`${speed} ×`, speed, speed === 1, speed === 1));
    speeds.addEventListener("change", () => { this.speed = Number(speeds.value); });
    return [this.play, this.slider, this.time, speeds];
  }

  switch(text, is_on, changed) {
    const button = this.button(text, () => {
      const now = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(now));
      changed(now);
    });
    button.setAttribute("aria-pressed", String(is_on));
    return button;
  }

  turning(before) {
    // A turntable, which stops as soon as somebody takes hold of the drawing.
    requestAnimationFrame((now) => {
      if (this.turn.getAttribute("aria-pressed") !== "true") return;
      this.view.yaw += (2 * Math.PI * Math.max(0, now - before)) / TURN_MS;
      this.draw();
      this.turning(now);
    });
  }

  stopTurning() {
    this.turn?.setAttribute("aria-pressed", "false");
  }

  button(text, pressed) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", pressed);
    return button;
  }

  items() {
    // Those of the scene, some of which the frame replaces.
    const items = [...this.scene.items];
    for (const [place, item] of this.scene.frames[this.frame]?.items ?? []) items[place] = item;
    return items;
  }

  colorOf(item, place, k) {
    const theme = isDark() ? 1 : 0;
    const chosen = k === -1 ? item.line : Array.isArray(item.c) ? item.c[k] : item.c;
    const color = rgbOf(this.scene.colors[chosen][theme]);
    if (this.pointed === null || this.pointed.has(`${place} ${Math.max(k, 0)}`)) return color;
    const ground = theme ? 0.16 : 0.94;
    return color.map((value) => 0.28 * value + 0.72 * ground);
  }

  fill() {
    this.captions = new Map();
    this.made = new Map();
    this.update();
  }

  update() {
    const items = this.items();
    for (const place of this.made.keys()) {
      if (items[place]) continue;
      this.view.remove(place);
      this.made.delete(place);
      this.captions.delete(place);
    }
    items.forEach((item, place) => {
      if (this.made.get(place) === item) return;
      this.made.set(place, item);
      const shape = new Shape(item, (k) => this.colorOf(item, place, k));
      this.view.set(place, shape);
      this.captions.set(place, shape.labels);
    });
    this.draw();
  }

  show(frame) {
    this.frame = frame;
    const { track } = this.scene;
    if (track.length) this.view.follow([0, 1, 2].map((i) => (this.follows ? track[3 * frame + i] - track[i] : 0)));
    this.update();
    if (!this.slider) return;
    const { time, caption } = this.scene.frames[frame];
    this.slider.value = frame;
    this.time.textContent = caption || `${time} ${this.scene.unit}`.trim();
    this.slider.setAttribute("aria-valuetext", this.time.textContent);
  }

  toggle() {
    if (this.playing) return this.stop();
    this.play.textContent = "Pause";
    this.playing = true;
    if (this.frame >= this.scene.frames.length - 1) this.show(0);
    this.next();
  }

  next() {
    const { frames, unit } = this.scene;
    if (!this.playing) return;
    if (this.frame + 1 >= frames.length) return this.stop();
    const step = unit === "s" ? 1000 * (frames[this.frame + 1].time - frames[this.frame].time) : Math.min(FRAME_MS, 8000 / frames.length);
    setTimeout(() => { if (this.playing) { this.show(this.frame + 1); this.next(); } }, Math.max(16, step / this.speed));
  }

  step(by) {
    this.stop();
    this.show(Math.min(this.scene.frames.length - 1, Math.max(0, this.frame + by)));
  }

  stop() {
    this.playing = false;
    this.play.textContent = "Play";
  }

  point(elements) {
    const marks = this.scene.marks;
    this.pointed = elements ? new Set(elements.flatMap((name) => (marks[name] ?? []).map(([place, k]) => `${place} ${k}`))) : null;
    this.figure.dataset.pointed = String(this.pointed ? this.pointed.size : 0);
    this.fill();
  }

  draw() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      const place = this.view.draw();
      this.label(place);
    });
  }

  label(place) {
    const spans = [...this.captions.values()].flat().map(({ point, text, color }) => {
      const at = place(point);
      if (!at) return null;
      const span = document.createElement("span");
      span.textContent = text;
      span.style.left = `${100 * at[0]}%`;
      span.style.top = `${100 * at[1]}%`;
      span.style.color = `rgb(${color.map((value) => Math.round(255 * value)).join(" ")})`;
      return span;
    });
    this.labels.replaceChildren(...spans.filter(Boolean));
  }

  resize() {
    const ratio = devicePixelRatio || 1;
    const width = this.canvas.clientWidth || 480, height = this.canvas.clientHeight || 300;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
  }

  listen() {
    const { canvas } = this;
    let last = null;
    canvas.addEventListener("pointerdown", (event) => {
      last = [event.clientX, event.clientY];
      this.stopTurning();
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!last) return;
      this.view.drag(event.clientX - last[0], event.clientY - last[1], event.shiftKey || event.buttons === 4);
      last = [event.clientX, event.clientY];
      this.draw();
    });
    for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, () => { last = null; });
    canvas.addEventListener("wheel", (event) => {
      // The wheel alone scrolls the page.
      if (!event.ctrlKey && document.activeElement !== canvas) return;
      event.preventDefault();
      this.view.zoom(Math.exp(event.deltaY * 0.0015));
      this.draw();
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const moves = { ArrowLeft: [-24, 0], ArrowRight: [24, 0], ArrowUp: [0, -24], ArrowDown: [0, 24] };
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (moves[event.key]) this.view.drag(...moves[event.key], event.shiftKey);
      else if (event.key === "+" || event.key === "=") this.view.zoom(0.85);
      else if (event.key === "-") this.view.zoom(1 / 0.85);
      else if (event.key === "0") this.view.reset();
      else if (this.slider && event.key === " ") this.toggle();
      else if (this.slider && (event.key === "," || event.key === ".")) this.step(event.key === "." ? 1 : -1);
      else return;
      event.preventDefault();
      this.stopTurning();
      this.draw();
    });
    new ResizeObserver(() => { this.resize(); this.draw(); }).observe(this.stage);
    document.addEventListener("theme", () => this.fill());
    this.listenToChecks();
  }

  listenToChecks() {
    const buttons = [...document.querySelectorAll("button.check")];
    for (const button of buttons) {
      const elements = JSON.parse(button.dataset.elements);
      if (!elements.some((name) => name in this.scene.marks)) continue;
      button.hidden = false;
      button.addEventListener("click", () => {
        const is_on = button.getAttribute("aria-pressed") === "true";
        for (const other of buttons) other.setAttribute("aria-pressed", "false");
        button.setAttribute("aria-pressed", String(!is_on));
        this.point(is_on ? null : elements);
      });
    }
  }
}

const figure = document.querySelector("figure[data-scene]");

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

// The file of the scene calls this with its data.
window.spatialScene = async (packed) => {
  try {
    figure.viewer = new Viewer(figure, await unpacked(packed));
  } catch (error) {
    figure.dataset.trouble = error.message;
  }
};
if (figure) {
  const script = document.createElement("script");
  script.src = figure.dataset.scene;
  document.head.append(script);
}
