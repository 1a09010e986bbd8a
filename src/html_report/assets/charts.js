// Elements of the page, and charts by Apache ECharts in the page's colours.

/** An element with attributes and children: element("p", { class: "muted" }, "text", other). */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== null && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** <select> of names; `choose` is called with the index. */
function chooser(title, names, chosen, choose) {
  const options = names.map((name, i) => element("option", { value: i, selected: i === chosen ? "" : null }, name));
  const select = element("select", { onchange: () => choose(Number(select.value)) }, ...options);
  return element("label", {}, `${title} `, select);
}

const series = (index) => themeColour(`series-${(index % 8) + 1}`);

/** Thousands parted by thin spaces; null as a dash. */
function written(value, digits = 0) {
  if (value === null || value === undefined) return "–";
  const [whole, part] = value.toFixed(digits).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  return part === undefined ? grouped : `${grouped}.${part}`;
}
const percent = (share, digits = 1) => (share === null || share === undefined ? "–" : `${written(100 * share, digits)} %`);
/** Three digits or more, for axes and tooltips. */
const brief = (value) => (value === null || value === undefined ? "–" : Number(value.toPrecision(4)).toLocaleString("en"));

const escapedText = (text) => element("i", {}, text).innerHTML;

/** What all charts have: fonts and colours of the page, no motion. */
function themed(option) {
  const text = themeColour("text"), muted = themeColour("muted"), line = themeColour("line");
  const axis = (one) => ({
    ...one,
    axisLine: { lineStyle: { color: line }, ...one.axisLine },
    axisLabel: { color: muted, ...one.axisLabel },
    axisTick: { lineStyle: { color: line }, ...one.axisTick },
    nameTextStyle: { color: muted, ...one.nameTextStyle },
    splitLine: { lineStyle: { color: line, opacity: 0.6 }, ...one.splitLine },
  });
  const axes = (given) => (Array.isArray(given) ? given.map(axis) : given && axis(given));
  return {
    animation: false,
    aria: { enabled: true },
    textStyle: { color: text, fontFamily: getComputedStyle(document.body).fontFamily },
    ...option,
    xAxis: axes(option.xAxis),
    yAxis: axes(option.yAxis),
    legend: option.legend && {
      type: "scroll", top: 0, left: 0, itemWidth: 14, itemHeight: 10, textStyle: { color: text },
      pageTextStyle: { color: muted }, pageIconColor: muted, pageIconInactiveColor: line, ...option.legend,
    },
    tooltip: option.tooltip && {
      confine: true, backgroundColor: themeColour("surface"), borderColor: line, textStyle: { color: text, fontSize: 13 },
      ...option.tooltip,
    },
  };
}

/** Room for labels of axes within a chart's element. */
const fittingGrid = (more = {}) => ({
  left: 8, right: 24, top: 34, bottom: 8, outerBoundsMode: "same", outerBoundsContain: "axisLabel", ...more,
});

/** A chart is drawn when it comes into view (or to paper), again when colours or the window change. */
const charts = new Set();
const nearView = new IntersectionObserver(
  (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => entry.target.warpforkChart.draw()),
  { rootMargin: "400px" },
);

class Chart {
  /** `option()` says what to draw now, `rows()` the same as a table: the first row is the heading. */
  constructor(title, { height = 320, option, rows }) {
    this.option = option;
    this.place = element("div", { class: "chart", style: `height:${height}px` });
    this.place.warpforkChart = this;
    this.numbers = element("details", { class: "screen-only", ontoggle: () => this.tell() }, element("summary", {}, "Numbers"));
    this.rows = rows;
    this.figure = element("figure", {}, title ? element("figcaption", {}, title) : null, this.place, rows ? this.numbers : null);
    charts.add(this);
    nearView.observe(this.place);
  }
  draw() {
    if (this.drawn) return;
    this.instance ??= echarts.init(this.place, null, { renderer: "svg" });
    this.instance.setOption(themed(this.option()), true);
    this.drawn = true;
  }
  /** What it shows has changed. */
  change(height) {
    if (height) this.place.style.height = `${height}px`;
    const wasDrawn = this.drawn;
    this.drawn = false;
    if (wasDrawn) {
      if (height) this.instance.resize();
      this.draw();
    }
    this.tell();
  }
  tell() {
    if (!this.numbers.open || !this.rows) return;
    const [heading, ...rows] = this.rows();
    const row = (tag, cells) => element("tr", {}, ...cells.map((cell, i) => element(tag, { class: i ? "number" : null }, cell)));
    this.numbers.querySelector(".scrolls")?.remove();
    this.numbers.append(element("div", { class: "scrolls" },
      element("table", {}, element("thead", {}, row("th", heading)), element("tbody", {}, ...rows.map((cells) => row("td", cells))))));
  }
}

window.addEventListener("themechange", () => charts.forEach((chart) => chart.change()));
window.addEventListener("beforeprint", () => charts.forEach((chart) => chart.draw()));
let resizing = 0;
window.addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(() => charts.forEach((chart) => chart.instance?.resize()), 100);
});

/** Colour at a share of the way through a scale that both themes can show: from the background to the page's heat. */
const heatColour = (share) => `rgba(${themeColour("heat")}, ${(0.06 + 0.84 * share).toFixed(3)})`;
