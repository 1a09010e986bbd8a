// What a mechanism's frames say of any cycle, and which colour each lane has in it.

const bits = (mask) => BigInt(`0b${mask || "0"}`);
const count = (set) => set.toString(2).replaceAll("0", "").length;

class Run {
  constructor(data) {
    Object.assign(this, data);
    let state = {};
    this.states = this.frames.map(({ cycle, issued = [], notes = [], entered = [], ...changes }) => {
      state = { ...state, ...changes };
      return { ...state, cycle, issued, notes, entered };
    });
    this.events = this.states.filter((frame) => frame.notes.length).map((frame) => frame.cycle);
    this.colour();
  }

  /** The latest frame that is not later than the cycle; -1 before the first. */
  indexAt(cycle) {
    let low = 0;
    let high = this.states.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.states[middle].cycle <= cycle) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** State after the cycle; what happened is of this cycle alone. Null before the warp's block has started. */
  at(cycle) {
    const frame = this.states[this.indexAt(cycle)];
    if (!frame) return null;
    const happened = frame.cycle === cycle ? frame : { issued: [], notes: [], entered: [] };
    return {
      ...this.splits[frame.splits],
      tables: this.tables[frame.tables],
      registers: this.registers[frame.registers],
      issued: happened.issued,
      notes: happened.notes,
      entered: happened.entered,
      colours: frame.colours,
    };
  }

  /** Lanes that are together: the splits, then of the tables' rows, the fewest lanes first, what is left of them. */
  groups({ splits, tables }) {
    const groups = this.splits[splits].list.map(([, , lanes]) => bits(lanes));
    let covered = groups.reduce((all, lanes) => all | lanes, 0n);
    const rows = this.tables[tables].flatMap(({ layout, rows }) => {
      const column = this.layouts[layout].columns.findIndex(([, kind]) => kind === "mask");
      return column < 0 ? [] : rows.map((row) => bits(row[column]));
    });
    rows.sort((a, b) => count(a) - count(b));
    for (const lanes of rows) {
      if (lanes & ~covered) groups.push(lanes & ~covered);
      covered |= lanes;
    }
    return groups;
  }

  /** A group keeps the lowest colour that its lanes had; of those that have parted the first keeps it. */
  colour() {
    let before = new Array(this.width).fill(-1);
    for (const frame of this.states) {
      const groups = this.groups(frame).map((lanes) => this.lanesOf(lanes));
      const taken = new Set();
      const chosen = groups.map((lanes) => {
        const own = [...new Set(lanes.map((lane) => before[lane]))].filter((c) => c >= 0 && !taken.has(c));
        if (!own.length) return -1;
        const colour = Math.min(...own);
        taken.add(colour);
        return colour;
      });
      const colours = new Array(this.width).fill(-1);
      groups.forEach((lanes, group) => {
        if (chosen[group] < 0) {
          for (chosen[group] = 0; taken.has(chosen[group]); ) ++chosen[group];
          taken.add(chosen[group]);
        }
        for (const lane of lanes) colours[lane] = chosen[group];
      });
      frame.colours = before = colours;
    }
  }

  lanesOf(set) {
    const lanes = [];
    for (let lane = 0; lane < this.width; ++lane) if ((set >> BigInt(lane)) & 1n) lanes.push(lane);
    return lanes;
  }
}
