// The board: one focusable group a lot, kept from update to update so that focus and speed survive.
const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

class BoardDrawing {
  constructor(root, page) {
    this.page = page;
    this.root = root;
    this.cells = new Map();
    this.current = null;
  }

  update(data) {
    const shape = JSON.stringify([data.columns, data.rows, data.picture, data.blocks, data.columnLabels, data.rowLabels]);
    if (shape !== this.shape) this.build(data);
    this.shape = shape;
    this.root.dataset.view = this.page.view;
    this.draw(data);
  }

  build(data) {
    this.root.replaceChildren();
    this.cells.clear();
    const margin = data.picture ? data.picture.margin * 100 : 0;
    // On a board of many squares a label must be larger to be as large on the screen.
    this.labelSize = Math.max(30, 3.1 * data.columns);
    const room = 1.55 * this.labelSize;
    const left = Math.max(room, margin), bottom = Math.max(room, margin);
    const width = data.columns * 100, height = data.rows * 100;
    this.root.setAttribute("viewBox", `${-left} ${-Math.max(margin, 4)} ${width + left + Math.max(margin, 4)} ${height + bottom + Math.max(margin, 4)}`);
    if (data.picture) {
      const frame = { x: -margin, y: -margin, width: width + 2 * margin, height: height + 2 * margin };
      svg("image", { ...frame, href: data.picture.url, preserveAspectRatio: "none", class: "picture" }, this.root);
    }
    this.drawGround(data, width, height);
    this.drawLabels(data, height);
    this.layer = svg("g", {}, this.root);
    for (const cell of data.cells) this.addCell(cell);
    if (!this.cells.has(this.current)) this.current = data.cells[0].at;
  }

  drawGround(data, width, height) {
    const ground = svg("g", { class: "ground" }, this.root);
    svg("rect", { x: 0, y: 0, width, height, class: "field" }, ground);
    for (const block of data.blocks) {
      const box = { x: block.x * 100, y: block.y * 100, width: block.width * 100, height: block.height * 100 };
      svg("rect", { ...box, fill: block.fill, class: "block" }, ground);
    }
    const lines = svg("g", { class: "lines" }, this.root);
    let path = "";
    for (let x = 0; x <= data.columns; x += 1) path += `M${x * 100},0V${height}`;
    for (let y = 0; y <= data.rows; y += 1) path += `M0,${y * 100}H${width}`;
    svg("path", { d: path }, lines);
    for (const block of data.blocks) {
      const box = { x: block.x * 100, y: block.y * 100, width: block.width * 100, height: block.height * 100 };
      svg("rect", { ...box, class: "border" }, lines);
    }
  }

  drawLabels(data, height) {
    const size = this.labelSize;
    const labels = svg("g", { class: "labels", "aria-hidden": "true" }, this.root);
    data.columnLabels.forEach((text, x) =>
      svg("text", { x: x * 100 + 50, y: height + 1.15 * size, "font-size": size, "text-anchor": "middle" }, labels, text));
    data.rowLabels.forEach((text, y) =>
      svg("text", { x: -10, y: y * 100 + 50 + size / 3, "font-size": size, "text-anchor": "end" }, labels, text));
  }

  addCell(cell) {
    const group = svg("g", { transform: `translate(${cell.x * 100} ${cell.y * 100})`, class: "cell", role: "button", "data-at": cell.at }, this.layer);
    svg("rect", { width: 100, height: 100, class: "target" }, group);
    const content = svg("g", { class: "content" }, group);
    group.addEventListener("click", () => { this.focus(cell.at); this.page.press(cell.at); });
    group.addEventListener("pointerenter", (event) => {
      if (event.buttons === 1 && event.pointerType !== "touch" && this.page.brush) this.page.press(cell.at);
    });
    group.addEventListener("keydown", (event) => this.onKey(event, cell));
    group.addEventListener("focus", () => { this.setCurrent(cell.at); this.page.focused = cell.at; });
    // A lot that leaves the page with its board has not been left by the person who is on it. Whether it does is
    // known only a moment later.
    group.addEventListener("blur", () => setTimeout(() => {
      if (group.isConnected && this.page.focused === cell.at && !group.matches(":focus")) this.page.focused = null;
    }));
    this.cells.set(cell.at, { group, content, cell, drawn: "" });
  }

  onKey(event, cell) {
    if (STEPS[event.key] && !event.altKey && !event.ctrlKey && !event.metaKey) {
      const [dx, dy] = STEPS[event.key];
      const next = [...this.cells.values()].find((other) => other.cell.x === cell.x + dx && other.cell.y === cell.y + dy);
      if (next) this.focus(next.cell.at);
      event.preventDefault();
    } else if (event.key === "Enter" || event.key === " ") {
      this.page.press(cell.at);
      event.preventDefault();
    } else if (this.page.key(event, cell.at)) {
      event.preventDefault();
    }
  }

  setCurrent(at) {
    this.cells.get(this.current)?.group.setAttribute("tabindex", "-1");
    this.current = at;
    this.cells.get(at).group.setAttribute("tabindex", "0");
  }

  focus(at) {
    this.setCurrent(at);
    this.cells.get(at).group.focus({ preventScroll: false });
  }

  draw(data) {
    const painted = this.page.queue.painted();
    for (const cell of data.cells) {
      const held = this.cells.get(cell.at);
      const look = {
        layers: this.shownLayers(cell, painted),
        icon: cell.icon, corner: cell.corner,
        doubt: this.page.isDoubtful(cell.at) && !painted.some((edit) => edit.at === cell.at),
        wrong: this.page.brokenAt(cell.at),
        selected: this.page.selected === cell.at,
        heat: this.page.heat()[cell.at] || null,
        marks: this.page.marksAt(cell.at),
        label: cell.label,
      };
      held.group.setAttribute("tabindex", cell.at === this.current ? "0" : "-1");
      const signature = JSON.stringify(look);
      if (signature === held.drawn) continue;
      held.drawn = signature;
      held.cell = cell;
      this.drawCell(held, look);
    }
  }

  // What Python knows, and over it what was tapped since.
  shownLayers(cell, painted) {
    let layers = cell.layers;
    for (const edit of painted) {
      if (edit.at !== cell.at) continue;
      if (edit.kind === "value") { layers = edit.layers; continue; }
      const brush = this.page.data.palette.brushes[edit.brush];
      if (!brush || brush.ground) continue;
      if (brush.over) layers = [...layers.filter((layer) => layer.shape !== "cap"), ...brush.layers];
      else layers = brush.layers;
    }
    return layers;
  }

  drawCell(held, look) {
    const { group, content, cell } = held;
    content.replaceChildren();
    group.classList.toggle("selected", look.selected);
    group.setAttribute("aria-label", this.spoken(cell, look));
    if (this.page.editable()) group.setAttribute("aria-pressed", String(look.selected));
    if (look.heat) {
      svg("rect", { x: 2, y: 2, width: 96, height: 96, class: "heat", "fill-opacity": 0.18 + 0.5 * look.heat.level }, content);
      svg("text", { x: 50, y: 66, "font-size": 44, "text-anchor": "middle", class: "heat-text" }, content, look.heat.text);
    }
    if (look.icon) svg("text", { x: 50, y: 68, "font-size": 52, "text-anchor": "middle", class: "icon" }, content, "✦");
    if (look.corner) {
      const [x, y] = look.corner.at;
      svg("text", { x, y, "font-size": 26, "text-anchor": "middle", class: "corner" }, content, look.corner.text);
    }
    const pieces = svg("g", { class: "pieces" }, content);
    drawLayers(pieces, look.layers);
    for (const mark of look.marks) drawMark(content, mark);
    if (look.doubt) {
      svg("rect", { x: 5, y: 5, width: 90, height: 90, rx: 8, class: "doubt" }, content);
      svg("circle", { cx: 17, cy: 17, r: 17, class: "doubt-badge" }, content);
      svg("text", { x: 17, y: 27, "font-size": 28, "text-anchor": "middle", class: "badge-text" }, content, "?");
    }
    if (look.wrong) {
      svg("rect", { x: 5, y: 5, width: 90, height: 90, rx: 8, class: "wrong" }, content);
      svg("circle", { cx: 83, cy: 83, r: 17, class: "wrong-badge" }, content);
      svg("text", { x: 83, y: 93, "font-size": 28, "text-anchor": "middle", class: "badge-text" }, content, "!");
    }
  }

  spoken(cell, look) {
    const parts = [cell.label];
    if (look.doubt) parts.push("doubtful");
    for (const problem of this.page.problemsAt(cell.at)) parts.push(problem.title);
    for (const mark of look.marks) if (mark.words) parts.push(mark.words);
    if (look.heat) parts.push(look.heat.words);
    return parts.join(", ");
  }
}

// The whole photo with the lots of the chosen line outlined where they lie in it.
class PhotoDrawing {
  constructor(box, page) {
    this.box = box;
    this.page = page;
  }

  update(data) {
    const photo = data.photo;
    this.box.hidden = !photo;
    if (!photo) return;
    const signature = JSON.stringify(photo);
    if (signature !== this.signature) {
      this.signature = signature;
      this.box.replaceChildren();
      this.drawing = svg("svg", { viewBox: `0 0 ${photo.width} ${photo.height}`, role: "img", "aria-label": "The photo" }, this.box);
      svg("image", { href: photo.url, width: photo.width, height: photo.height }, this.drawing);
      this.over = svg("g", {}, this.drawing);
    }
    const place = unitTo(photo.corners);
    const point = (x, y) => place(x / data.columns, y / data.rows).map((value) => value.toFixed(1)).join(",");
    this.over.replaceChildren();
    svg("polygon", { points: [point(0, 0), point(data.columns, 0), point(data.columns, data.rows), point(0, data.rows)].join(" "), class: "outline" }, this.over);
    for (const cell of data.cells) {
      for (const mark of this.page.marksAt(cell.at)) {
        const { x, y } = cell;
        const corners = [point(x, y), point(x + 1, y), point(x + 1, y + 1), point(x, y + 1)];
        svg("polygon", { points: corners.join(" "), class: `lot ${mark.role}` }, this.over);
        const [cx, cy] = place((x + 0.5) / data.columns, (y + 0.5) / data.rows);
        if (mark.text) svg("text", { x: cx, y: cy, "font-size": photo.width / 45, "text-anchor": "middle", class: "lot-text" }, this.over, mark.text);
      }
    }
  }
}
