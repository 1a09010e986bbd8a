// The table of runs. It says what the charts below it show: its first rows, as sorted and filtered.

const shownCounts = [6, 12, 24, 48];

class Runs {
  constructor(data) {
    this.data = data;
    this.charts = [];
    this.metrics = data.metrics.map((metric, i) => ({ ...metric, i }))
      .filter((metric) => data.runs.some((run) => run.metrics[metric.i] !== null));
    this.most = data.runs.length <= 12 ? 12 : 6;
    const settings = data.settings.length ? data.settings : ["program"];
    const columns = [
      ...settings.map((name) => ({ title: name, ...this.numbersOf(name) })),
      ...this.metrics.map((metric) => ({ title: metric.title, unit: metric.unit, about: metric.about, digits: metric.digits })),
    ];
    this.table = new SortableTable(columns, data.runs.map((run) => this.row(run)), () => this.change());
  }
  /** A setting all of whose values are numbers is sorted as such. */
  numbersOf(name) {
    const column = this.data.settings.indexOf(name);
    const values = this.data.runs.map((run) => (column < 0 ? "" : run.settings[column]));
    if (!values.every((value) => value !== "" && !Number.isNaN(Number(value)))) return {};
    return { digits: Math.max(...values.map((value) => (value.split(".")[1] ?? "").length)) };
  }
  row(run) {
    const settings = this.data.settings.length
      ? run.settings.map((value, i) => (this.numbersOf(this.data.settings[i]).digits === undefined ? value : Number(value)))
      : [run.label];
    return [...settings, ...this.metrics.map((metric) => run.metrics[metric.i])];
  }
  get shown() {
    return this.table.order.slice(0, this.most);
  }
  /** A chart of the shown runs; `heightOf(count)`, if there is one, says how high it is for so many. */
  addChart(chart, heightOf) {
    this.charts.push({ chart, heightOf });
    return chart.figure;
  }
  change() {
    this.table.mark(this.shown);
    this.note.textContent = this.noteText();
    for (const { chart, heightOf } of this.charts) chart.change(heightOf?.(this.shown.length));
  }
  noteText() {
    const shown = this.shown.length, all = this.data.runs.length, left = this.table.order.length;
    const filtered = left === all ? "" : ` of ${left} that match`;
    return shown === all ? "" : `The charts of runs show the first ${shown}${filtered} of ${all}: sort or filter to choose.`;
  }
  section() {
    this.note = element("p", { class: "muted", "aria-live": "polite" }, this.noteText());
    this.table.mark(this.shown);
    const counts = shownCounts.filter((count) => count <= 12 || count < 2 * this.data.runs.length);
    const controls = element("div", { class: "controls" }, element("label", {}, "Filter ", this.table.filter),
      chooser("Charts show", counts.map(String), counts.indexOf(this.most), (i) => {
        this.most = counts[i];
        this.change();
      }));
    return [this.data.runs.length > 6 ? controls : null, this.note,
      element("div", { class: "runs", tabindex: 0, role: "region", "aria-label": "runs" }, this.table.table)];
  }
}
