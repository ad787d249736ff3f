// Beside the board: tools, the selected lot with its candidates, pieces to place, broken rules, lines of the score.
const MOST_CHIPS = 12;

class Panel {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.drawn = {};
  }

  update(data) {
    this.part("tools", [data.editable, data.canUndo, data.canRedo, this.page.view, this.page.zoom, Boolean(data.picture)], (box) => this.tools(box, data));
    this.part("summary", [data.summary], (box) => { box.textContent = data.summary; });
    const at = this.page.selected;
    this.part("doubts", [data.doubtful, at, data.editable], (box) => this.doubts(box, data));
    this.part("chosen", [at, this.page.cell(at), data.candidates[at], this.page.problemsAt(at), data.editable, data.tileOf[at]], (box) => this.chosen(box, data));
    // Numbers change with every tap. The buttons must not: a press on one that is drawn anew would be lost.
    const sections = data.palette.sections.map((section) => ({ ...section, options: section.options.map(({ left, ...option }) => option) }));
    this.part("palette", [sections, this.page.brush, this.page.combination, at, data.editable, this.guessed(data)], (box) => this.palette(box, data));
    this.counters(data);
    this.part("over", [data.palette.over, data.editable], (box) => this.over(box, data));
    this.part("problems", [data.problems, this.page.problem], (box) => this.problems(box, data));
    this.part("lines", [data.lines, this.page.line], (box) => this.lines(box, data));
  }

  // Redraws a part only when what it shows has changed, so that focus stays on the button that was pressed.
  part(name, facts, fill) {
    const box = this.root.querySelector(`[data-part="${name}"]`);
    const signature = JSON.stringify(facts);
    if (this.drawn[name] === signature) return;
    this.drawn[name] = signature;
    const active = this.root.getRootNode().activeElement;
    const focused = active?.dataset?.id;
    const inside = focused && box.contains(active);
    box.replaceChildren();
    fill(box);
    if (inside) box.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  button(parent, id, text, press, more = {}) {
    return html("button", { type: "button", "data-id": id, onclick: press, ...more }, parent, text);
  }

  tools(box, data) {
    if (data.editable) {
      this.button(box, "undo", "↶ Undo", () => this.page.step("undo"), { disabled: !data.canUndo, title: "Ctrl+Z" });
      this.button(box, "redo", "↷ Redo", () => this.page.step("redo"), { disabled: !data.canRedo, title: "Ctrl+Y" });
      this.button(box, "reset", "Reset", () => this.page.step("reset"), { disabled: !data.canUndo, title: "Back to where this board began" });
    }
    const zoomed = this.page.zoom > 1;
    this.button(box, "zoom", zoomed ? "Smaller" : "Larger", () => this.page.setZoom(zoomed ? 1 : 2), { "aria-pressed": String(zoomed) });
    if (!data.picture) return;
    const views = [["both", "Photo and pieces"], ["photo", "Photo only"], ["drawing", "Drawing"]];
    const choice = html("select", { "data-id": "view", "aria-label": "What the board shows", onchange: (event) => this.page.setView(event.target.value) }, box);
    for (const [value, text] of views) html("option", { value, selected: value === this.page.view }, choice, text);
  }

  doubts(box, data) {
    if (!data.editable || !data.asked) return;
    if (!data.doubtful.length) {
      html("p", { class: "good" }, box, "✓ Nothing is doubtful any more.");
      return;
    }
    html("h4", {}, box, data.doubtful.length === 1 ? "One place is doubtful" : `${data.doubtful.length} places are doubtful`);
    if (data.doubtful.length > 1) html("p", { class: "quiet" }, box, "First those where a mistake would change the score most.");
    this.chips(box, data.doubtful.slice(0, MOST_CHIPS));
    // On a phone a long list would push what can be done with a lot off the screen.
    const rest = data.doubtful.slice(MOST_CHIPS);
    if (rest.length) this.chips(this.fold(box, `${rest.length} more`, "doubts"), rest);
  }

  chips(box, places) {
    const row = html("div", { class: "row" }, box);
    for (const place of places) {
      const at = place.replace("tile:", "");
      const text = place.startsWith("tile:") ? `tile ${at}` : at;
      this.button(row, `doubt-${place}`, `? ${text}`, () => this.page.select(at, true), { class: "chip doubt", "aria-pressed": String(this.page.selected === at) });
    }
  }

  chosen(box, data) {
    const at = this.page.selected;
    if (!at || !this.page.cell(at)) {
      if (data.editable) html("p", { class: "quiet" }, box, "Tap a lot to change it, or choose a piece as a brush and tap several. Keys: arrows, Enter, and the letters on the pieces.");
      return;
    }
    const head = html("div", { class: "row" }, box);
    head.appendChild(symbol(this.page.cell(at).layers, 34));
    html("strong", {}, head, this.page.cell(at).label);
    this.button(head, "close", "Close", () => this.page.select(null), { class: "close" });
    for (const problem of this.page.problemsAt(at)) html("p", { class: "problem" }, box, `! ${problem.title}: ${problem.text}`);
    if (!data.editable) return;
    this.candidates(box, at, data.candidates[at], "The reader's guesses");
    const tile = data.tileOf[at];
    if (tile) this.candidates(box, `tile:${tile}`, data.candidates[`tile:${tile}`], `Guesses for the tile ${tile}`);
  }

  candidates(box, place, list, title) {
    if (!list) return;
    html("h4", {}, box, title);
    const row = html("div", { class: "row" }, box);
    list.forEach((candidate, index) => {
      const button = this.button(row, `candidate-${place}-${index}`, null, () => this.page.take(place, index, candidate), { class: "piece-button" });
      if (candidate.layers) button.appendChild(symbol(candidate.layers));
      html("span", {}, button, `${candidate.label} ${percent(candidate.p)}`);
    });
  }

  // What of the selected lot has guesses that may all be wrong: "lot", "tile" or nothing.
  guessed(data) {
    const at = this.page.selected;
    if (data.doubtful.includes(`tile:${data.tileOf[at]}`)) return "tile";
    return data.candidates[at] ? "lot" : "";
  }

  palette(box, data) {
    if (!data.editable) return;
    const { sections, combine, brushes } = data.palette;
    const at = this.page.selected;
    html("h4", {}, box, at ? `${this.guessed(data) ? "Other: put" : "Put"} on ${at}` : "Brush: choose a piece, then tap lots");
    if (this.page.brush && !at) this.button(box, "no-brush", `Lay the brush down (${brushes[this.page.brush]?.label ?? ""})`, () => this.page.setBrush(null), { class: "wide" });
    sections.forEach((section, number) => {
      const common = section.options.filter((option) => !option.rare), rare = section.options.filter((option) => option.rare);
      // Only tiles are folded away; where one is doubtful, none of the guesses may be right.
      if (section.folded && this.guessed(data) === "tile") this.page.open[section.name] ??= true;
      const home = section.folded ? this.fold(box, section.name) : html("div", {}, box);
      if (!section.folded) html("h5", {}, home, section.name);
      this.options(home, common, number, combine, brushes);
      if (rare.length) {
        const more = this.fold(home, "Other colours");
        this.options(more, rare, number, combine, brushes);
      }
    });
    if (combine && at) this.button(box, "put", `Put ${brushes[this.page.combined()]?.label ?? ""} on ${at}`, () => this.page.paint(at, this.page.combined()), { class: "wide" });
    if (combine && !at && !this.page.brush) this.button(box, "take-brush", `Take as brush: ${brushes[this.page.combined()]?.label ?? ""}`, () => this.page.setBrush(this.page.combined()), { class: "wide" });
  }

  // A part that is folded away, and stays open once somebody opened it.
  fold(parent, text, key = text) {
    const details = html("details", {}, parent);
    details.open = Boolean(this.page.open[key]);
    details.addEventListener("toggle", () => { this.page.open[key] = details.open; });
    html("summary", {}, details, text);
    return details;
  }

  over(box, data) {
    if (!data.editable) return;
    for (const sentence of data.palette.over) html("p", { class: "problem" }, box, `! ${sentence}`);
  }

  counters(data) {
    for (const [number, section] of data.palette.sections.entries()) {
      for (const { id, left } of section.options) {
        const counter = this.root.querySelector(`[data-left="${number}-${CSS.escape(id)}"]`);
        if (!counter || left === null) continue;
        counter.textContent = left < 0 ? `${-left} too many` : `${left} left`;
        counter.className = left < 0 ? "left over" : "left";
      }
    }
  }

  options(parent, options, number, combine, brushes) {
    const row = html("div", { class: "row" }, parent);
    for (const option of options) {
      const chosen = combine && !option.brush ? this.page.combination[number] === option.id : this.page.brush === option.id;
      const press = () => this.page.pick(option, number);
      const button = this.button(row, `option-${number}-${option.id}`, null, press, { class: "piece-button", "aria-pressed": String(chosen), title: option.key ? `Key ${option.key}` : "" });
      const brush = brushes[option.id];
      if (option.layers || brush?.layers) button.appendChild(symbol(option.layers || brush.layers));
      html("span", {}, button, option.label);
      if (option.left !== null) html("span", { "data-left": `${number}-${option.id}` }, button);
    }
  }

  problems(box, data) {
    if (!data.problems.length) {
      if (data.legal) html("p", { class: "good" }, box, `✓ ${data.legal}`);
      return;
    }
    const broken = data.problems.filter((problem) => problem.certain).length;
    if (broken) html("h4", { class: "problem" }, box, broken === 1 ? "One rule is broken" : `${broken} rules are broken`);
    const doubtful = data.problems.length - broken;
    const folded = doubtful ? this.fold(box, `Perhaps broken, depending on what was not seen (${doubtful})`, "perhaps") : null;
    data.problems.forEach((problem, index) => {
      const button = this.button(problem.certain ? box : folded, `problem-${index}`, null, () => this.page.showProblem(index), { class: "line", "aria-pressed": String(this.page.problem === index) });
      html("strong", {}, button, problem.certain ? `! ${problem.title}` : `? ${problem.title}, perhaps`);
      html("span", {}, button, problem.text);
      if (problem.rule) html("em", {}, button, problem.rule);
    });
    if (folded) box.appendChild(folded);
  }

  lines(box, data) {
    if (!data.lines.length) return;
    html("h4", {}, box, "Touch a line to see where its points come from");
    data.lines.forEach((line, index) => {
      const button = this.button(box, `line-${index}`, null, () => this.page.showLine(index), { class: "line", "aria-pressed": String(this.page.line === index) });
      const head = html("span", { class: "line-head" }, button);
      html("strong", {}, head, line.owner);
      html("strong", {}, head, String(line.points));
      html("span", {}, button, line.text);
      if (this.page.line === index && line.legend) html("em", {}, button, line.legend);
    });
  }
}

function percent(p) {
  if (p > 0 && p < 0.01) return "<1 %";
  if (p < 1 && p > 0.99) return ">99 %";
  return `${Math.round(100 * p)} %`;
}
