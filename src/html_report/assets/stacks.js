// Bars of the shown runs, one a row: what the schedulers' cycles and the energy went to, caches and DRAM.

/** Names of all runs' figures, in the order in which they come up. */
const namesOf = (runs, key) => [...new Set(runs.flatMap((run) => Object.keys(run[key] ?? {})))];

const heightOfBars = (perRun) => (runs) => 84 + runs * perRun;

/** `bars`: name and value(run) of each; stacked unless `beside`. */
function barsOfRuns(runs, title, { has, bars, format, axis = {}, beside = false, colours = (i) => series(i) }) {
  const shown = () => runs.shown.map((i) => runs.data.runs[i]).filter(has);
  const height = heightOfBars(beside ? 12 + 14 * bars().length : 30);
  const chart = new Chart(title, {
    height: height(runs.shown.length),
    rows: () => [["", ...bars().map((bar) => bar.name)],
      ...shown().map((run) => [run.label, ...bars().map((bar) => format(bar.value(run)))])],
    option: () => ({
      legend: {},
      tooltip: { trigger: "axis", axisPointer: { type: "shadow" }, valueFormatter: format, order: "seriesAsc" },
      grid: fittingGrid({ top: bars().length > 6 ? 46 : 34 }),
      yAxis: { type: "category", inverse: true, data: shown().map((run) => run.label), axisLabel: { width: 300, overflow: "truncate", interval: 0 } },
      xAxis: { type: "value", axisLabel: { formatter: format, hideOverlap: true }, ...axis },
      series: bars().map((bar, i) => ({
        name: bar.name,
        type: "bar",
        stack: beside ? undefined : "all",
        barMaxWidth: 22,
        itemStyle: { color: colours(i, bar.name), borderColor: themeColour("background"), borderWidth: beside ? 0 : 0.5 },
        data: shown().map((run) => bar.value(run)),
      })),
    }),
  });
  return runs.addChart(chart, height);
}

/** In their order a cause has the same colour in every chart, whatever a run has not met. */
const waitNames = ["issued", "pipeline", "memory", "scoreboard", "fetch", "no_warp", "compaction", "barrier"];
const waitNamesOfCpu = ["busy", "latency", "memory", "width", "rename", "front_end", "waiting", "ended"];
const waitColour = (name) => series(Math.max(waitNames.indexOf(name), waitNamesOfCpu.indexOf(name)));

/** Of CPU cores it is warps that wait. */
function titleOfWaits(runs) {
  const waits = runs.filter((run) => run.waits !== undefined).map((run) => Object.keys(run.waits));
  const isOfCpu = (names) => names.every((name) => waitNamesOfCpu.includes(name));
  if (waits.every(isOfCpu)) return "Where the warps' cycles went";
  return waits.some(isOfCpu) ? "Where the schedulers' cycles went (of CPU cores the warps')" : "Where the schedulers' cycles went";
}

function waitStacks(runs) {
  const has = (run) => run.waits !== undefined;
  const names = namesOf(runs.data.runs, "waits");
  return barsOfRuns(runs, titleOfWaits(runs.data.runs), {
    has,
    bars: () => names.map((name) => ({ name, value: (run) => run.waits[name] ?? 0 })),
    format: (share) => percent(share),
    axis: { max: 1, axisLabel: { formatter: (share) => percent(share, 0) } },
    colours: (_, name) => waitColour(name),
  });
}

/** More parts than colours: the second eight are the first at half their strength. */
function energyStacks(runs) {
  const names = namesOf(runs.data.runs, "energy");
  return barsOfRuns(runs, "Energy by part", {
    has: (run) => run.energy !== undefined,
    bars: () => names.map((name) => ({ name, value: (run) => run.energy[name] ?? 0 })),
    format: (nanojoules) => `${brief(nanojoules / 1000)} µJ`,
    colours: (i) => (i < 8 ? series(i) : `color-mix(in srgb, ${series(i)} 55%, ${themeColour("background")})`),
  });
}
