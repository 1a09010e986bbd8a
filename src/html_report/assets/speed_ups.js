// Speed-ups: a bar for each contestant in each group, and the means.

function speedUpChart({ contestants, baselines, groups, values, means, groups_of_means: count }) {
  const hasMean = groups.length > 1 && count > 0;
  const zooms = groups.length * contestants.length > 90;
  const withMean = (list, mean) => (!hasMean ? list : zooms ? [mean, ...list] : [...list, mean]); // in view from the first
  const categories = withMean(groups, "geometric mean");
  const numbers = contestants.map((_, i) => withMean(values[i], means[i]));
  const title = `Speed-up over ${baselines.join(" and ")}` +
    (hasMean && count < groups.length ? ` (mean over the ${count} groups that have every contestant)` : "");
  return new Chart(title, {
    height: zooms ? 460 : 340,
    rows: () => [["", ...contestants], ...categories.map((name, g) => [name, ...numbers.map((row) => written(row[g], 3))])],
    option: () => ({
      legend: {},
      tooltip: { trigger: "axis", axisPointer: { type: "shadow" }, valueFormatter: (value) => `${written(value, 2)} ×` },
      grid: fittingGrid({ top: 50, bottom: zooms ? 44 : 8 }),
      dataZoom: zooms ? [{ type: "slider", bottom: 8, height: 20, endValue: Math.ceil(90 / contestants.length), brushSelect: false }] : [],
      xAxis: { type: "category", data: categories, axisLabel: { interval: 0, hideOverlap: true, rotate: categories.length > 8 ? 35 : 0, width: zooms ? 240 : 150, overflow: "truncate" } },
      yAxis: { type: "value", name: "×", min: 0 },
      series: contestants.map((name, i) => ({
        name,
        type: "bar",
        data: numbers[i],
        itemStyle: { color: series(i) },
        barMaxWidth: 36,
        label: { show: categories.length * contestants.length <= 24, position: "top", color: themeColour("muted"), formatter: ({ value }) => written(value, 2) },
        markLine: i ? undefined : { silent: true, symbol: "none", label: { show: false }, lineStyle: { color: themeColour("muted"), type: "dashed" }, data: [{ yAxis: 1 }] },
      })),
    }),
  });
}
