// Roofline: what a run reached, under what its machine can do.

function rooflineChart(runs) {
  const { roofs } = runs.data;
  const shown = () => runs.shown.map((i) => runs.data.runs[i]).filter((run) => run.roofline);
  const used = () => [...new Set(shown().map((run) => run.roofline[0]))];
  /** From a decade left of the roof's ridge, or of the points, to one right of them. */
  const range = () => {
    const places = [...shown().map((run) => run.roofline[1]), ...used().map((roof) => roofs[roof][0] / roofs[roof][1])];
    return [10 ** Math.floor(Math.log10(Math.min(...places)) - 0.3), 10 ** Math.ceil(Math.log10(Math.max(...places)) + 0.3)];
  };
  const roofLine = (roof) => {
    const [peak, bytes] = roofs[roof], [from, to] = range();
    return [[from, from * bytes], [peak / bytes, peak], [to, peak]];
  };
  const log = (name, more) => ({ type: "log", name, nameLocation: "middle", axisLabel: { formatter: brief }, ...more });
  const chart = new Chart("Roofline", {
    height: 420,
    rows: () => [["", "thread instructions a byte of DRAM", "thread instructions a cycle", "of the roof"],
      ...shown().map((run) => {
        const [roof, intensity, performance] = run.roofline;
        return [run.label, brief(intensity), brief(performance), percent(performance / Math.min(roofs[roof][0], roofs[roof][1] * intensity))];
      })],
    option: () => ({
      legend: { data: shown().map((run) => run.label) },
      tooltip: { formatter: ({ seriesName, value }) => `${escapedText(seriesName)}<br>${brief(value[0])} instructions a byte<br>${brief(value[1])} instructions a cycle` },
      grid: fittingGrid({ top: 48, bottom: 26, left: 30 }),
      xAxis: log("thread instructions a byte of DRAM", { min: range()[0], max: range()[1], nameGap: 26 }),
      yAxis: log("thread instructions a cycle", { nameGap: 44 }),
      series: [
        ...used().map((roof) => ({
          type: "line", silent: true, showSymbol: false, data: roofLine(roof), lineStyle: { color: themeColour("muted"), width: 2 },
          endLabel: { show: true, formatter: `${brief(roofs[roof][0])} a cycle`, color: themeColour("muted"), align: "right", verticalAlign: "bottom" },
        })),
        ...shown().map((run, i) => ({
          name: run.label, type: "scatter", symbolSize: 12, itemStyle: { color: series(i) }, data: [run.roofline.slice(1)],
        })),
      ],
    }),
  });
  return runs.addChart(chart);
}
