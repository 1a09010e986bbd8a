// An experiment's figures, the paper's numbers beside ours.

function experimentChart({ title, categories, series: lists }) {
  const values = lists.flatMap((list) => list.values).filter((value) => value !== null);
  return new Chart(title, {
    height: 330,
    rows: () => [["", ...lists.map((list) => list.name)], ...categories.map((name, i) => [name, ...lists.map((list) => brief(list.values[i]))])],
    option: () => ({
      legend: {},
      tooltip: { trigger: "axis", axisPointer: { type: "shadow" }, valueFormatter: brief },
      grid: fittingGrid({ top: 50 }),
      xAxis: { type: "category", data: categories, axisLabel: { interval: 0, rotate: categories.length > 8 ? 35 : 0 } },
      yAxis: { type: "value", min: values.every((value) => value >= 0) ? 0 : undefined },
      series: lists.map((list, i) => ({
        name: list.name, type: "bar", barMaxWidth: 30, data: list.values,
        itemStyle: list.name === "paper"
          ? { color: themeColour("background"), borderColor: themeColour("text"), borderWidth: 1.5, borderType: "dashed" }
          : { color: series(i) },
      })),
    }),
  });
}

function claimsTable(claims) {
  const mark = (claim) => (claim.holds === null || claim.holds === undefined
    ? element("td", {}, "?")
    : element("td", { class: claim.holds ? "holds" : "fails" }, claim.holds ? "✓ holds" : "✗ does not"));
  return element("div", { class: "scrolls" }, element("table", {},
    element("thead", {}, element("tr", {}, ...["the paper says", "paper", "here", ""].map((title) => element("th", {}, title)))),
    element("tbody", {}, ...claims.map((claim) => element("tr", {}, element("td", {}, claim.text), element("td", {}, claim.paper),
      element("td", {}, typeof claim.here === "number" ? brief(claim.here) : "–"), mark(claim))))));
}

function experimentSection(experiment) {
  return [
    element("p", { class: "muted" }, `${experiment.paper}; scale ${experiment.scale}`),
    ...experiment.figures.flatMap((figure) => [
      element("h3", {}, `${figure.name}: ${figure.title}`),
      ...figure.charts.map((chart) => experimentChart(chart).figure),
      figure.claims.length ? claimsTable(figure.claims) : null,
    ]),
  ];
}
