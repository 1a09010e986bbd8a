// Heat maps of a metric over two settings; the others are held.

const inOrder = (values) => [...new Set(values)].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));

/**
 * Those that some runs have, if they tell each run from all others: else a place of the map could be several runs. A
 * setting that a run lacks, as one program's arguments, is held at any value for it, and so tells it from no other one.
 */
function mappedSettings({ settings, runs }) {
  const kinds = new Map(); // runs by the settings that they have
  for (const run of runs) {
    const has = settings.map((_, i) => i).filter((i) => run.settings[i] !== "");
    const kind = JSON.stringify(has);
    if (!kinds.has(kind)) kinds.set(kind, { has, runs: [] });
    kinds.get(kind).runs.push(run);
  }
  const placesOf = (kind, shared) => new Set(kind.runs.map((run) => JSON.stringify(shared.map((i) => run.settings[i]))));
  const all = [...kinds.values()];
  const areApart = all.every((one, n) => placesOf(one, one.has).size === one.runs.length && all.slice(n + 1).every((other) => {
    const shared = one.has.filter((i) => other.has.includes(i)), places = placesOf(other, shared);
    return [...placesOf(one, shared)].every((place) => !places.has(place));
  }));
  const usable = settings.map((_, i) => i).filter((i) => runs.some((run) => run.settings[i] !== ""));
  return usable.length >= 2 && areApart ? usable : [];
}

class HeatMap {
  constructor(data, metrics, mapped) {
    Object.assign(this, { data, metrics, mapped, metric: Math.max(0, metrics.findIndex((metric) => metric.key === "speed_up")) });
    this.values = data.settings.map((_, i) => inOrder(data.runs.map((run) => run.settings[i]).filter((value) => value !== "")));
    const areMissing = (i) => data.runs.some((run) => run.settings[i] === "");
    [this.x, this.y] = [...mapped].sort((a, b) => areMissing(a) - areMissing(b) || this.values[b].length - this.values[a].length);
    this.held = this.values.map((values, i) => Math.max(0, values.indexOf(data.runs[0].settings[i])));
    this.controls = element("div", { class: "controls" });
    this.chart = new Chart("", { height: this.height(), option: () => this.option(), rows: () => this.rows() });
    this.fillControls();
  }
  height() {
    return 130 + Math.max(3, this.values[this.y].length) * 34;
  }
  change(what, value) {
    if (what === "x" && value === this.y) this.y = this.x;
    if (what === "y" && value === this.x) this.x = this.y;
    this[what] = value;
    this.fillControls();
    this.chart.change(this.height());
  }
  fillControls() {
    const { settings } = this.data;
    const names = this.mapped.map((i) => settings[i]);
    const held = this.mapped.filter((i) => i !== this.x && i !== this.y);
    this.controls.replaceChildren(
      chooser("Show", this.metrics.map((metric) => metric.title), this.metric, (i) => this.change("metric", i)),
      chooser("across", names, this.mapped.indexOf(this.x), (i) => this.change("x", this.mapped[i])),
      chooser("down", names, this.mapped.indexOf(this.y), (i) => this.change("y", this.mapped[i])),
      ...held.map((setting) => chooser(settings[setting], this.values[setting], this.held[setting], (i) => {
        this.held[setting] = i;
        this.chart.change();
      })));
  }
  /** x, y, value. */
  cells() {
    const isHeld = (run) => this.mapped.every((i) => (i === this.x || i === this.y ? run.settings[i] !== ""
      : run.settings[i] === "" || run.settings[i] === this.values[i][this.held[i]]));
    const place = (run, axis) => this.values[axis].indexOf(run.settings[axis]);
    return this.data.runs.filter(isHeld)
      .map((run) => [place(run, this.x), place(run, this.y), run.metrics[this.metrics[this.metric].i]])
      .filter((cell) => cell[2] !== null);
  }
  rows() {
    const cells = this.cells(), { digits } = this.metrics[this.metric];
    const at = (x, y) => cells.find((cell) => cell[0] === x && cell[1] === y)?.[2] ?? null;
    return [["", ...this.values[this.x]], ...this.values[this.y].map((name, y) => [name, ...this.values[this.x].map((_, x) => written(at(x, y), digits))])];
  }
  option() {
    const cells = this.cells(), metric = this.metrics[this.metric];
    const numbers = cells.length ? cells.map((cell) => cell[2]) : [0];
    const axis = (setting) => ({ type: "category", name: this.data.settings[setting], nameLocation: "middle", data: this.values[setting], splitArea: { show: false }, axisLabel: { width: 180, overflow: "truncate", hideOverlap: true } });
    return {
      tooltip: { formatter: ({ value }) => `${escapedText(this.values[this.x][value[0]])}, ${escapedText(this.values[this.y][value[1]])}: <b>${written(value[2], metric.digits)}</b> ${metric.unit}` },
      grid: fittingGrid({ top: 8, left: 30, bottom: 76 }),
      xAxis: { ...axis(this.x), nameGap: 26 },
      yAxis: { ...axis(this.y), nameGap: 60, inverse: true },
      visualMap: {
        min: Math.min(...numbers), max: Math.max(...numbers), orient: "horizontal", left: "center", bottom: 0, itemWidth: 14, itemHeight: 240,
        text: [written(Math.max(...numbers), metric.digits), written(Math.min(...numbers), metric.digits)], precision: metric.digits,
        textStyle: { color: themeColour("muted") }, inRange: { color: [0, 0.25, 0.5, 0.75, 1].map(heatColour) },
      },
      series: [{
        type: "heatmap", data: cells, itemStyle: { borderColor: themeColour("background"), borderWidth: 1 },
        label: { show: this.values[this.x].length <= 16, color: themeColour("text"), formatter: ({ value }) => written(value[2], metric.digits) },
        emphasis: { itemStyle: { borderColor: themeColour("text") } },
      }],
    };
  }
}
