// One mounted board. Streamlit calls the default export again with every new set of data.
class Page {
  constructor(data, send) {
    this.data = data;
    this.queue = new Queue(data.ack, send);
    Object.assign(this, { selected: null, brush: null, line: null, problem: null, view: "both", zoom: 1, open: {} });
    this.combination = data.palette.sections.map((section) => section.options[0]?.id);
    this.focused = null;
  }

  // Streamlit sometimes puts a component into the page anew. Whatever somebody was doing goes on there.
  mount(root) {
    if (this.root === root) return false;
    const current = this.drawing?.current ?? null;
    this.left = this.root?.getRootNode().host ?? null; // where the board was; it may still be in the page
    this.root = root;
    this.drawing = new BoardDrawing(root.querySelector(".board"), this);
    this.drawing.current = current;
    this.photo = new PhotoDrawing(root.querySelector(".photo"), this);
    this.panel = new Panel(root, this);
    root.querySelector(".board").style.width = `${100 * this.zoom}%`;
    root.querySelector(".scroll").addEventListener("keydown", (event) => this.shortcut(event));
    return true;
  }

  update(root, data, send) {
    const moved = this.mount(root);
    this.queue.send = send;
    this.data = data;
    this.queue.acknowledge(data.ack);
    if (this.line !== null && this.line >= data.lines.length) this.line = null;
    if (this.problem !== null && this.problem >= data.problems.length) this.problem = null;
    if (!this.cell(this.selected)) this.selected = null;
    this.refresh();
    if (moved && this.focused && [document.body, this.left].includes(document.activeElement)) this.drawing.focus(this.focused);
  }

  refresh() {
    this.root.querySelector(".board").setAttribute("aria-label", this.data.title);
    this.drawing.update(this.data);
    this.photo.update(this.data);
    this.panel.update(this.data);
  }

  // --- what the drawing asks -------------------------------------------------------------------
  cell(at) { return this.data.cells.find((cell) => cell.at === at); }
  editable() { return this.data.editable; }
  isDoubtful(at) { return this.data.doubtful.includes(at) || this.data.doubtful.includes(`tile:${at}`); }
  heat() { return this.data.heat || {}; }
  brokenAt(at) { return this.problemsAt(at).some((problem) => problem.certain); }
  problemsAt(at) { return this.data.problems.filter((problem) => problem.at.includes(at)); }
  marksAt(at) {
    const line = this.line === null ? null : this.data.lines[this.line];
    const marks = line ? line.marks.filter((mark) => mark.at === at) : [];
    const problem = this.problem === null ? null : this.data.problems[this.problem];
    return problem && problem.at.includes(at) ? [...marks, { at, role: "problem" }] : marks;
  }

  // --- what people do --------------------------------------------------------------------------
  press(at) {
    if (this.brush && this.data.editable) this.paint(at, this.brush);
    else this.select(this.selected === at ? null : at);
  }

  select(at, move = false) {
    this.selected = at;
    if (at) this.brush = null;
    this.refresh();
    if (at && move) this.drawing.focus(at);
    // On a phone what can be done with the lot would be below the screen.
    if (at) this.root.querySelector(".chosen").scrollIntoView({ block: "nearest" });
  }

  setBrush(brush) {
    this.brush = brush;
    this.selected = null;
    this.refresh();
  }

  pick(option, number) {
    if (this.data.palette.combine && !option.brush) {
      this.combination = this.combination.map((old, index) => (index === number ? option.id : old));
      if (this.brush) this.brush = this.combined();
      this.refresh();
    } else if (this.selected) this.paint(this.selected, option.id);
    else this.setBrush(this.brush === option.id ? null : option.id);
  }

  // One option of every section, but for those that hold whole brushes.
  combined() { return this.combination.filter((_, n) => !this.data.palette.sections[n].options[0]?.brush).join("|"); }

  paint(at, brush) {
    this.queue.add({ kind: "paint", at, brush });
    this.say(`${at}: ${this.data.palette.brushes[brush]?.label ?? ""}`);
    this.refresh();
  }

  take(place, index, candidate) {
    this.queue.add({ kind: "value", at: place, index, layers: candidate.layers || [] });
    this.say(`${place}: ${candidate.label}`);
    // On to the next doubt, so that a few taps settle all of them.
    const next = this.data.doubtful.find((other) => other !== place);
    if (this.data.doubtful.includes(place) && next) this.select(next.replace("tile:", ""), true);
    else this.refresh();
  }

  step(kind) {
    this.queue.add({ kind: "step", step: kind });
    this.say(kind);
    this.refresh();
  }

  showLine(index) { this.line = this.line === index ? null : index; this.refresh(); }
  showProblem(index) { this.problem = this.problem === index ? null : index; this.refresh(); }
  setView(view) { this.view = view; this.refresh(); }
  setZoom(zoom) {
    this.zoom = zoom;
    this.root.querySelector(".board").style.width = `${100 * zoom}%`;
    this.refresh();
  }
  say(text) { this.root.querySelector("[aria-live]").textContent = text; }

  // --- keys ------------------------------------------------------------------------------------
  shortcut(event) {
    if (!this.data.editable || !(event.ctrlKey || event.metaKey)) return;
    const steps = { z: event.shiftKey ? "redo" : "undo", y: "redo" };
    const step = steps[event.key.toLowerCase()];
    if (!step) return;
    this.step(step);
    event.preventDefault();
  }

  key(event, at) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "Escape") { this.brush = null; this.select(null); return true; }
    if (!this.data.editable) return false;
    const pressed = event.key === "Backspace" || event.key === "Delete" ? "." : event.key;
    for (const same of [(key) => key === pressed, (key) => key?.toLowerCase() === pressed.toLowerCase()]) {
      for (const [number, section] of this.data.palette.sections.entries()) {
        const option = section.options.find((candidate) => same(candidate.key));
        if (!option) continue;
        if (!this.data.palette.combine || option.brush) this.paint(at, option.id);
        else {
          this.combination[number] = option.id;
          if (section.puts) this.paint(at, this.combined());
          else { this.say(option.label); this.refresh(); }
        }
        return true;
      }
    }
    return false;
  }
}

// By the key that Python gives each board, so that a board which is put into the page anew is found again.
const PAGES = (window.cityscanBoards ??= new Map());

export default function (component) {
  const { data, parentElement, setStateValue } = component;
  const root = parentElement.querySelector(".cityscan");
  const send = (pending) => setStateValue("edits", pending);
  if (!PAGES.has(data.key)) PAGES.set(data.key, new Page(data, send));
  PAGES.get(data.key).update(root, data, send);
}
