// Puts the page together: a section for whatever the results have.

function addSections(data) {
  const page = document.getElementById("report");
  const links = element("nav", { "aria-label": "sections" });
  const has = (key) => data.runs.some((run) => run[key] !== undefined);
  function add(id, title, ...content) {
    links.append(element("a", { href: `#${id}` }, title));
    page.append(element("section", { id }, element("h2", {}, title), ...content.filter(Boolean)));
  }

  page.append(
    element("header", {}, element("button", { id: "theme", type: "button" }, "Dark / light"), element("h1", {}, data.title),
      element("p", { class: "muted" }, data.common.map(([name, value]) => `${name} ${value}`).join(" · ")),
      data.failures ? element("p", { class: "fails" }, data.failures === 1 ? "1 point has failed and is not shown." : `${data.failures} points have failed and are not shown.`) : null),
    links);
  data.experiments.forEach((experiment, i) => add(`experiment-${i}`, experiment.experiment, ...experimentSection(experiment)));
  if (data.speed_ups) add("speed-ups", "Speed-up", speedUpChart(data.speed_ups).figure);
  if (data.runs.length) {
    const runs = new Runs(data);
    add("runs", "Runs", ...runs.section());
    const mapped = mappedSettings(data);
    if (mapped.length && data.runs.length > 12) {
      const map = new HeatMap(data, runs.metrics, mapped);
      add("heat-map", "Heat map", map.controls, map.chart.figure);
    }
    if (has("waits")) add("stalls", "Stalls", waitStacks(runs));
    if (has("lanes")) add("lanes", "Lanes", lanesChart(runs));
    if (data.timelines.length) add("time", "Over time", ...timelineSection(data));
    if (data.kernels.length) add("lines", "By line", ...kernelSection(data));
    if (has("energy")) add("energy", "Energy", energyStacks(runs));
    if (has("caches") || has("dram"))
      add("memory", "Memory", element("div", { class: "pair" }, has("caches") ? cacheBars(runs) : null, has("dram") ? dramBars(runs) : null));
    if (has("roofline")) add("roofline", "Roofline", rooflineChart(runs));
  }
}

addSections(await pageData("data"));
