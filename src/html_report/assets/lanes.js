// How many lanes were active, of the shown runs.

function lanesChart(runs) {
  const mostAtOnce = 8;
  const shown = () => runs.shown.map((i) => runs.data.runs[i]).filter((run) => run.lanes).slice(0, mostAtOnce);
  const lanes = () => Math.max(1, ...shown().map((run) => run.lanes.length - 1));
  const chart = new Chart("Active lanes of issued warp instructions", {
    rows: () => [["lanes", ...shown().map((run) => run.label)],
      ...Array.from({ length: lanes() + 1 }, (_, n) => [String(n), ...shown().map((run) => percent(run.lanes[n] ?? 0))])],
    option: () => ({
      legend: {},
      tooltip: { trigger: "axis", axisPointer: { type: "shadow" }, valueFormatter: (share) => percent(share) },
      grid: fittingGrid({ bottom: 24, top: 40 }),
      xAxis: { type: "category", name: "active lanes", nameLocation: "middle", nameGap: 26, data: Array.from({ length: lanes() + 1 }, (_, n) => n) },
      yAxis: { type: "value", axisLabel: { formatter: (share) => percent(share, 0) } },
      series: shown().map((run, i) => ({
        name: run.label, type: "bar", barCategoryGap: "12%", barGap: "0%", itemStyle: { color: series(i) },
        data: Array.from({ length: lanes() + 1 }, (_, n) => run.lanes[n] ?? 0),
      })),
    }),
  });
  return runs.addChart(chart);
}
