// One run over time: panels over one axis of cycles.

const timePanels = [
  { title: "IPC", lines: [["ipc", "IPC"]], format: brief },
  { title: "active lanes", lines: [["active_lanes", "active lanes"]], format: brief },
  { title: "warps, splits", lines: [["warps", "live warps of a core"], ["splits", "splits of a warp"]], format: brief },
  { title: "schedulers", waits: true, format: (share) => percent(share, 0), max: 1 },
  { title: "misses", lines: [["l1d_misses", "L1D misses"], ["l2_misses", "L2 misses"]], format: (share) => percent(share, 0), max: 1 },
  { title: "DRAM", lines: [["dram", "DRAM bursts a cycle"]], format: brief },
];

/** A panel's lines: name, values, and whether they are stacked areas. */
function linesOf(timeline, panel) {
  if (panel.waits) return Object.entries(timeline.waits).map(([name, values]) => ({ name, values, stacked: true, colour: () => waitColour(name) }));
  return panel.lines.filter(([key]) => timeline[key]).map(([key, name], i) => ({ name, values: timeline[key], colour: () => series(i) }));
}

const panelHeight = 118;
const panelsOf = (timeline) =>
  timePanels.filter((panel) => linesOf(timeline, panel).some((line) => line.values.some((value) => value !== null)));
const heightOfTimeline = (timeline) => 44 + panelsOf(timeline).length * panelHeight + 26;

function timelineOption(timeline) {
  const panels = panelsOf(timeline);
  const place = (i) => ({ left: 72, right: 24, top: 44 + i * panelHeight, height: panelHeight - 42, outerBoundsMode: "none" });
  const launches = timeline.launches.length <= 40 ? timeline.launches : [];
  return {
    legend: { data: panels.map((panel) => linesOf(timeline, panel)).filter((lines) => lines.length > 1).flat().map((line) => line.name), selectedMode: false },
    tooltip: { trigger: "axis", formatter: (points) => timelineTip(points) },
    axisPointer: { link: [{ xAxisIndex: "all" }] },
    dataZoom: [{ type: "slider", xAxisIndex: panels.map((_, i) => i), bottom: 0, height: 16, brushSelect: false }],
    grid: panels.map((_, i) => place(i)),
    xAxis: panels.map((_, i) => ({ type: "value", gridIndex: i, min: 0, max: timeline.begin.at(-1), axisLabel: { show: i === panels.length - 1, hideOverlap: true, formatter: brief }, splitLine: { show: false } })),
    yAxis: panels.map((panel, i) => ({ type: "value", gridIndex: i, min: 0, max: panel.max, name: panel.title, nameLocation: "middle", nameGap: 46, splitNumber: 2, axisLabel: { formatter: panel.format } })),
    series: panels.flatMap((panel, i) => linesOf(timeline, panel).map((line, n) => ({
      name: line.name,
      type: "line",
      step: "end",
      xAxisIndex: i,
      yAxisIndex: i,
      showSymbol: false,
      stack: line.stacked ? `stack ${i}` : undefined,
      areaStyle: line.stacked ? { opacity: 0.85 } : undefined,
      lineStyle: { width: line.stacked ? 0 : 1.5, color: line.colour() },
      itemStyle: { color: line.colour() },
      data: timeline.begin.map((begin, at) => [begin, line.values[at]]),
      tooltip: { valueFormatter: panel.format },
      format: panel.format,
      markLine: n ? undefined : {
        silent: true, symbol: "none", lineStyle: { color: themeColour("line"), type: "solid" },
        label: { show: i === 0 && launches.length <= 8, formatter: ({ data }) => data.name, color: themeColour("muted"), position: "end", rotate: 0, align: "left" },
        data: launches.map((launch) => ({ xAxis: launch.begin, name: launch.name })),
      },
    }))),
  };
}

function timelineTip(points) {
  const lines = points.filter((point) => point.value[1] !== null && point.value[1] !== 0)
    .map((point) => `${point.marker}${escapedText(point.seriesName)} ${brief(point.value[1])}`);
  return `from cycle ${brief(points[0].value[0])}<br>${lines.join("<br>")}`;
}

function timelineSection(data) {
  let chosen = 0;
  const timeline = () => data.timelines[chosen];
  const chart = new Chart("", { height: heightOfTimeline(timeline()), option: () => timelineOption(timeline()) });
  const labels = data.timelines.map(({ run }) => data.runs[run].label);
  const choose = chooser("Run", labels, 0, (i) => {
    chosen = i;
    chart.change(heightOfTimeline(timeline()));
  });
  return [data.timelines.length > 1 ? element("div", { class: "controls" }, choose) : null, chart.figure];
}
