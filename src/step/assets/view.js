// The elements of the page, made anew for each cycle: lanes, splits, tables, registers, code.

const make = (name, { text, ...attributes } = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  element.append(...children);
  return element;
};

const SERIES = 8; // of the style sheet; more splits than that are told apart by their numbers
const coloured = (colour) => (colour < 0 ? undefined : `--colour: var(--series-${(colour % SERIES) + 1})`);
const pcText = (pc) => (pc === null ? "-" : String(pc));

/** What a lane does, for its class and for words. */
function laneStates(run, state) {
  const live = bits(state.live);
  const lanes = Array.from({ length: run.width }, (_, lane) => {
    const gone = !run.regroups && !((live >> BigInt(lane)) & 1n);
    return gone || state.colours[lane] < 0
      ? { kind: "gone", text: gone ? "has exited" : "no thread" }
      : { kind: "off", text: "waits for the others of its warp" };
  });
  for (const [pc, , mask, wait] of state.list)
    for (const lane of run.lanesOf(bits(mask)))
      lanes[lane] = { kind: wait.includes("barrier") ? "barrier" : "on", text: `pc ${pc}, ${wait || "starts"}` };
  for (const [pc, active, executed] of state.issued) {
    for (const lane of run.lanesOf(bits(active))) {
      const did = (bits(executed) >> BigInt(lane)) & 1n;
      const kind = lanes[lane].kind === "gone" ? "gone issued" : did ? "issued" : "guarded";
      lanes[lane] = { kind, text: `issued pc ${pc}; ${lanes[lane].text}` };
    }
  }
  return lanes;
}

function laneGrid(run, state) {
  const grid = make("div", { class: "lanes", style: `--width: ${run.width}`, role: "img", "aria-label": laneWords(state) });
  const states = laneStates(run, state);
  for (let lane = run.width - 1; lane >= 0; --lane) {
    const { kind, text } = states[lane];
    const colour = state.colours[lane];
    grid.append(
      make("span", { class: "number", text: run.width <= 8 || lane % 4 === 0 ? lane : "" }),
      make("span", {
        class: `lane ${kind}`,
        style: coloured(colour),
        title: `lane ${lane}: ${text}`,
        text: kind === "gone" ? "·" : colour + 1,
      }),
    );
  }
  return grid;
}

const laneWords = ({ list }) =>
  list.length ? list.map(([pc, , lanes]) => `${lanes} at pc ${pc}`).join(", ") : "no split may issue";

/** A mask as small cells, each in its lane's colour. */
function mask(run, state, digits) {
  const cells = make("span", { class: "mask", title: digits });
  [...digits.padStart(run.width, "0")].forEach((digit, place) => {
    const colour = state.colours[run.width - 1 - place];
    cells.append(make("i", digit === "1" ? { class: "one", style: coloured(colour) } : {}));
  });
  return cells;
}

/** "0:1110 1:0001": lanes by home warp. */
const HOMES = /^\d+:[01]+( \d+:[01]+)*$/;

function homes(run, state, text) {
  const parts = text.split(" ").map((part) => part.split(":"));
  if (parts.length === 1) return [`of warp ${parts[0][0]}`];
  return parts.map(([warp, digits]) => make("div", {}, `of warp ${warp} `, mask(run, state, digits)));
}

function cell(run, state, kind, value) {
  if (HOMES.test(value)) return make("td", { class: "muted" }, ...homes(run, state, value));
  if (kind === "mask") return make("td", {}, mask(run, state, value));
  const look = { text: "muted", pc: "number", number: "number" };
  return make("td", { class: look[kind], text: value.trim() });
}

function table(run, state, name, columns, rows) {
  const head = make("tr", {}, ...columns.map(([text, kind]) => make("th", { text, class: kind })));
  const body = rows.map((row) => make("tr", {}, ...row.map((value, i) => cell(run, state, columns[i][1], value))));
  if (!rows.length) body.push(make("tr", {}, make("td", { class: "muted", colspan: columns.length, text: "empty" })));
  return make("section", {}, make("h3", { text: name }), make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
}

function splitTable(run, state) {
  const columns = [["pc", "pc"], ["rpc", "pc"], ["lanes", "mask"], ["", "text"], ["", "text"]];
  const rows = state.list.map(([pc, rpc, lanes, wait, from]) => {
    return [pcText(pc), pcText(rpc), lanes, wait, from.map(([warp, part]) => `${warp}:${part}`).join(" ")];
  });
  return table(run, state, "Splits", columns, rows);
}

function scoreboard(run, state) {
  const columns = [["register", "register"], ["lanes", "mask"], ["of pc", "pc"], ["", "text"]];
  const rows = state.registers.map(([name, lanes, byMemory, pc]) => [name, lanes, pcText(pc), byMemory ? "from memory" : ""]);
  return table(run, state, "Scoreboard", columns, rows);
}

function happenings(run, state, cycle) {
  const list = make("ul", { class: "happened", "aria-live": "polite" });
  for (const [pc, active, executed] of state.issued) {
    const guard = executed === active ? "" : `  in ${executed}`;
    list.append(make("li", {}, mask(run, state, active), make("code", { text: ` pc ${pc}  ${run.code[pc][0]}${guard}` })));
  }
  for (const [lane, threads] of state.entered)
    list.append(make("li", {}, mask(run, state, threads), ` enter lane ${lane}`));
  for (const note of state.notes) list.append(make("li", { class: "note", text: note }));
  if (cycle > run.last)
    list.append(make("li", { class: "muted", text: run.ended ? `ended in cycle ${run.last}` : `recorded up to cycle ${run.last}` }));
  return list;
}

/** All of one mechanism. */
function showRun(pane, run, cycle) {
  const state = run.at(cycle);
  const head = make("h2", {}, run.mechanism, make("small", { class: "muted", text: ` ${run.lanes} lanes` }));
  if (!state) {
    pane.replaceChildren(head, make("p", { class: "muted", text: "the warp's block has not started" }));
    return;
  }
  const tables = state.tables.map(({ layout, rows, note }) => {
    const { name, columns } = run.layouts[layout];
    const shown = table(run, state, name, columns, rows);
    if (note) shown.append(make("p", { class: "muted", text: note }));
    return shown;
  });
  pane.replaceChildren(
    head,
    laneGrid(run, state),
    happenings(run, state, cycle),
    splitTable(run, state),
    ...tables,
    scoreboard(run, state),
  );
}

/** The code of the runs, a column of marks for each of them. */
class Listing {
  constructor(body, runs) {
    this.body = body;
    this.runs = runs;
    this.marks = []; // by pc and run
    let block = -1;
    let place = "";
    runs[0].code.forEach(([text, at, inBlock], pc) => {
      const marks = runs.map(() => make("td", { class: "marks" }));
      const row = make("tr", { class: inBlock === block ? undefined : "block" }, ...marks);
      row.append(make("td", { class: "number", text: pc }), make("td", { text }));
      row.append(make("td", { class: "muted", text: at === place ? "" : at }));
      this.marks.push(marks);
      body.append(row);
      [block, place] = [inBlock, at];
    });
  }

  show(cycle) {
    const marked = new Set();
    for (const marks of this.marks) marks.forEach((mark) => mark.replaceChildren());
    for (const row of this.body.rows) row.classList.remove("issued");
    this.runs.forEach((run, number) => {
      const state = run.at(cycle);
      if (!state) return;
      for (const [pc, , lanes] of state.list) {
        const lane = run.lanesOf(bits(lanes))[0];
        const colour = state.colours[lane];
        this.marks[pc][number].append(
          make("span", { class: "chip", style: coloured(colour), text: colour + 1, title: `${run.mechanism}: ${lanes}` }),
        );
        marked.add(pc);
      }
      for (const [pc] of state.issued) this.body.rows[pc].classList.add("issued");
    });
    this.scrollTo([...marked].sort((a, b) => a - b)[0]);
  }

  /** Without moving the page. */
  scrollTo(pc) {
    if (pc === undefined) return;
    const box = this.body.closest(".code-box");
    const row = this.body.rows[pc];
    const top = row.offsetTop;
    if (top < box.scrollTop + 40 || top + row.offsetHeight > box.scrollTop + box.clientHeight - 40)
      box.scrollTop = top - box.clientHeight / 3;
  }
}
