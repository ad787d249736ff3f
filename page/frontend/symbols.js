// Drawing: pieces and marks as SVG in a cell of 100 x 100 units. Text always goes through textContent.
const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes = {}, parent = null, text = null) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== null) element.textContent = text;
  if (parent) parent.appendChild(element);
  return element;
}

function html(name, attributes = {}, parent = null, text = null) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  if (text !== null) element.textContent = text;
  if (parent) parent.appendChild(element);
  return element;
}

const QUARTERS = { north: 0, east: 90, south: 180, west: 270 };
const HALF_WIDTH = { 1: 20, 2: 32, 3: 44 };

function letter(parent, layer, x, y, size) {
  if (!layer.text) return;
  svg("text", { x, y, "font-size": size, fill: layer.ink, "text-anchor": "middle", class: "letter" }, parent, layer.text);
}

const SHAPES = {
  tower(parent, layer) {
    svg("polygon", { points: "50,6 94,92 6,92", fill: layer.fill, class: "piece" }, parent);
    letter(parent, layer, 50, 82, 44);
  },
  cap(parent, layer) {
    svg("circle", { cx: 76, cy: 24, r: 22, fill: layer.fill, class: "piece" }, parent);
    letter(parent, layer, 76, 34, 28);
  },
  dome(parent, layer) {
    svg("circle", { cx: 50, cy: 50, r: 38, fill: layer.fill, class: "piece" }, parent);
    letter(parent, layer, 50, 66, 48);
  },
  block(parent, layer) {
    svg("rect", { x: 4, y: 4, width: 92, height: 92, rx: 10, fill: layer.fill, class: "piece" }, parent);
    letter(parent, layer, 50, 69, 54);
  },
  level(parent, layer) {
    const half = HALF_WIDTH[layer.size];
    const box = { x: 50 - half, y: 50 - half, width: 2 * half, height: 2 * half };
    svg("rect", { ...box, fill: layer.fill, class: "piece" }, parent);
    svg("path", { d: `M${50 - half},${50 - half}L${50 + half},${50 + half}M${50 + half},${50 - half}L${50 - half},${50 + half}`,
      stroke: layer.ink, class: "ridge" }, parent);
  },
  lying(parent, layer) {
    const half = HALF_WIDTH[layer.size];
    const turned = svg("g", { transform: `rotate(${QUARTERS[layer.points]} 50 50)` }, parent);
    svg("polygon", { points: `50,6 ${50 + half},94 ${50 - half},94`, fill: layer.fill, class: "piece" }, turned);
  },
  strip(parent, layer) {
    // Low in the cell, so that the piece itself stays to be seen.
    svg("rect", { x: 50 - 11 * layer.text.length, y: 66, width: 22 * layer.text.length, height: 30, rx: 8, class: "strip" }, parent);
    svg("text", { x: 50, y: 90, "font-size": 28, "text-anchor": "middle", class: "strip-text" }, parent, layer.text);
  },
};

function drawLayers(parent, layers) {
  for (const layer of layers) SHAPES[layer.shape](parent, layer);
}

function symbol(layers, size = 28) {
  const picture = svg("svg", { viewBox: "0 0 100 100", width: size, height: size, "aria-hidden": "true" });
  if (layers.length) drawLayers(picture, layers);
  else svg("text", { x: 50, y: 66, "font-size": 46, "text-anchor": "middle", class: "none" }, picture, "∅");
  return picture;
}

const SIDES = { north: "M2,2L98,2", east: "M98,2L98,98", south: "M2,98L98,98", west: "M2,2L2,98" };

function drawMark(parent, mark) {
  if (mark.role === "edge") {
    svg("path", { d: SIDES[mark.side], class: "edge halo" }, parent);
    svg("path", { d: SIDES[mark.side], class: "edge" }, parent);
  } else if (mark.role === "road") {
    svg("circle", { cx: 50, cy: 50, r: 27, class: "road" }, parent);
    svg("text", { x: 50, y: 62, "font-size": 34, "text-anchor": "middle", class: "road-text" }, parent, mark.text);
  } else {
    // A white ring below, because the piece under it may have the ring's own colour.
    svg("rect", { x: 5, y: 5, width: 90, height: 90, rx: 12, class: "ring halo" }, parent);
    svg("rect", { x: 5, y: 5, width: 90, height: 90, rx: 12, class: `ring ${mark.role}` }, parent);
    if (!mark.text) return;
    svg("rect", { x: 2, y: 2, width: 38, height: 34, rx: 8, class: `badge ${mark.role}` }, parent);
    svg("text", { x: 21, y: 29, "font-size": 28, "text-anchor": "middle", class: "badge-text" }, parent, mark.text);
  }
}

// The map from the unit square to a quadrilateral (north-west, north-east, south-east, south-west).
function unitTo(quad) {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = quad;
  const dx1 = x1 - x2, dx2 = x3 - x2, dx3 = x0 - x1 + x2 - x3;
  const dy1 = y1 - y2, dy2 = y3 - y2, dy3 = y0 - y1 + y2 - y3;
  const below = dx1 * dy2 - dx2 * dy1 || 1e-9;
  const g = (dx3 * dy2 - dx2 * dy3) / below, h = (dx1 * dy3 - dx3 * dy1) / below;
  const a = x1 - x0 + g * x1, b = x3 - x0 + h * x3, d = y1 - y0 + g * y1, e = y3 - y0 + h * y3;
  return (u, v) => {
    const w = g * u + h * v + 1;
    return [(a * u + b * v + x0) / w, (d * u + e * v + y0) / w];
  };
}
