// The photo with the board's outline: four corners to drag, the lots between them, and a loupe under the finger.
const NAMES = ["north-west", "north-east", "south-east", "south-west"];
const SHORT = ["NW", "NE", "SE", "SW"];
const MOVES = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

class Outline {
  constructor(data, send) {
    this.queue = new Queue(data.ack, send);
    this.dragged = null;
    this.focused = null;
  }

  // Streamlit sometimes puts a component into the page anew. Corners that Python has not yet heard of stay moved.
  mount(root) {
    if (this.root === root) return false;
    this.left = this.root?.getRootNode().host ?? null; // where the outline was; it may still be in the page
    this.root = root;
    this.photo = root.querySelector(".photo");
    this.shape = null;
    return true;
  }

  update(root, data, send) {
    const moved = this.mount(root);
    this.queue.send = send;
    this.queue.acknowledge(data.ack);
    this.data = data;
    const shape = JSON.stringify([data.url, data.width, data.height]);
    if (shape !== this.shape) this.build(data);
    this.shape = shape;
    if (this.dragged === null && !this.queue.pending.length) this.corners = data.corners.map((corner) => [...corner]);
    if (moved && this.dragged !== null) this.drop(this.dragged); // the handle under the finger is gone
    else if (moved) this.queue.sendAgain();
    this.draw();
    if (moved && this.focused !== null && [document.body, this.left].includes(document.activeElement)) this.handles[this.focused].focus();
  }

  build(data) {
    this.photo.replaceChildren();
    this.photo.setAttribute("viewBox", `0 0 ${data.width} ${data.height}`);
    svg("image", { href: data.url, width: data.width, height: data.height }, this.photo);
    this.under = svg("polygon", { class: "under" }, this.photo);
    this.grid = svg("path", { class: "grid" }, this.photo);
    this.side = svg("polygon", { class: "side" }, this.photo);
    const size = Math.max(data.width, data.height);
    this.unit = size / 100;
    this.handles = NAMES.map((name, index) => this.handle(name, index));
    this.loupe = svg("svg", { class: "loupe", visibility: "hidden", "pointer-events": "none" }, this.photo);
  }

  handle(name, index) {
    const group = svg("g", { class: "corner", tabindex: 0, role: "slider", "aria-label": `${name} corner of the board`, "data-corner": SHORT[index] }, this.photo);
    svg("circle", { r: 5.5 * this.unit, class: "touch" }, group);
    svg("circle", { r: 2.6 * this.unit, class: "dot" }, group);
    svg("circle", { r: 0.35 * this.unit, class: "centre" }, group);
    svg("text", { y: -3.2 * this.unit, "font-size": 2.6 * this.unit, "stroke-width": 0.6 * this.unit, "text-anchor": "middle", class: "name" }, group, SHORT[index]);
    group.addEventListener("pointerdown", (event) => this.grab(event, index, group));
    group.addEventListener("pointermove", (event) => this.drag(event, index));
    for (const end of ["pointerup", "pointercancel"]) group.addEventListener(end, () => this.drop(index));
    group.addEventListener("keydown", (event) => this.nudge(event, index));
    group.addEventListener("focus", () => { this.focused = index; });
    // A handle that leaves the page with its outline has not been left by the person who is on it. Whether it does is
    // known only a moment later.
    group.addEventListener("blur", () => setTimeout(() => {
      if (group.isConnected && this.focused === index && !group.matches(":focus")) this.focused = null;
    }));
    return group;
  }

  at(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.photo.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  grab(event, index, group) {
    const [x, y] = this.at(event);
    this.dragged = index;
    // The corner keeps its distance from the finger, so that a touch beside it does not make it jump.
    this.offset = [this.corners[index][0] - x, this.corners[index][1] - y];
    group.setPointerCapture(event.pointerId);
    group.focus();
    event.preventDefault();
    this.draw();
  }

  drag(event, index) {
    if (this.dragged !== index) return;
    const [x, y] = this.at(event);
    this.move(index, x + this.offset[0], y + this.offset[1]);
  }

  drop(index) {
    if (this.dragged !== index) return;
    this.dragged = null;
    this.tell(index);
  }

  nudge(event, index) {
    const step = MOVES[event.key];
    if (!step) return;
    const far = (event.shiftKey ? 1 : 0.1) * this.unit;
    const [x, y] = this.corners[index];
    this.move(index, x + step[0] * far, y + step[1] * far);
    this.tell(index);
    event.preventDefault();
  }

  move(index, x, y) {
    const room = 0.1 * Math.max(this.data.width, this.data.height); // corners may lie a little outside of the photo
    this.corners[index] = [
      Math.min(Math.max(x, -room), this.data.width + room),
      Math.min(Math.max(y, -room), this.data.height + room),
    ];
    this.draw();
  }

  tell(index) {
    this.queue.add({ kind: "corners", corners: this.corners.map((corner) => [...corner]) });
    const [x, y] = this.corners[index].map(Math.round);
    this.root.querySelector("[aria-live]").textContent = `${NAMES[index]} corner at ${x}, ${y}`;
    this.draw();
  }

  draw() {
    const points = this.corners.map((corner) => corner.join(",")).join(" ");
    this.side.setAttribute("points", points);
    this.under.setAttribute("points", points);
    const place = unitTo(this.corners);
    let path = "";
    const line = (a, b) => { path += `M${place(...a)}L${place(...b)}`; };
    for (let x = 1; x < this.data.columns; x += 1) line([x / this.data.columns, 0], [x / this.data.columns, 1]);
    for (let y = 1; y < this.data.rows; y += 1) line([0, y / this.data.rows], [1, y / this.data.rows]);
    this.grid.setAttribute("d", path);
    this.handles.forEach((handle, index) => {
      const [x, y] = this.corners[index];
      handle.setAttribute("transform", `translate(${x} ${y})`);
      // At the top of the photo the name would be cut off.
      handle.querySelector(".name").setAttribute("y", (y < 6 * this.unit ? 5.2 : -3.2) * this.unit);
      handle.setAttribute("aria-valuetext", `${Math.round(x)}, ${Math.round(y)}`);
      handle.setAttribute("aria-valuenow", Math.round(x));
    });
    this.drawLoupe();
  }

  // Four times as large, in the corner of the photo that is furthest from the finger.
  drawLoupe() {
    this.loupe.setAttribute("visibility", this.dragged === null ? "hidden" : "visible");
    if (this.dragged === null) return;
    const [x, y] = this.corners[this.dragged];
    const size = 24 * this.unit, seen = size / 4;
    const left = x > this.data.width / 2 ? this.unit : this.data.width - size - this.unit;
    const top = y > this.data.height / 2 ? this.unit : this.data.height - size - this.unit;
    for (const [key, value] of Object.entries({ x: left, y: top, width: size, height: size, viewBox: `${x - seen / 2} ${y - seen / 2} ${seen} ${seen}` })) this.loupe.setAttribute(key, value);
    this.loupe.replaceChildren();
    svg("rect", { x: x - seen, y: y - seen, width: 2 * seen, height: 2 * seen, style: "fill:#000" }, this.loupe);
    svg("image", { href: this.data.url, width: this.data.width, height: this.data.height }, this.loupe);
    svg("path", { d: `M${x - seen},${y}H${x + seen}M${x},${y - seen}V${y + seen}` }, this.loupe);
    svg("rect", { x: x - seen / 2, y: y - seen / 2, width: seen, height: seen }, this.loupe);
  }
}

// By the key that Python gives each outline, so that one which is put into the page anew is found again.
const OUTLINES = (window.cityscanOutlines ??= new Map());

export default function (component) {
  const { data, parentElement, setStateValue } = component;
  const root = parentElement.querySelector(".outline");
  const send = (pending) => setStateValue("edits", pending);
  if (!OUTLINES.has(data.key)) OUTLINES.set(data.key, new Outline(data, send));
  OUTLINES.get(data.key).update(root, data, send);
}
