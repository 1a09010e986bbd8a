// A kernel's source, a row a line, hot where time went; below it the control-flow graph.

// What a line cost stands before it: source may be wide.
const costColumns = [
  { title: "time", number: true, about: "of the kernel's scheduler cycles: this line was issued, or waited nearest to issuing" },
  { title: "issues", number: true, about: "warp instructions" },
  { title: "stalled by", about: "the largest cause, and its share of the kernel's scheduler cycles" },
  { title: "awaited", number: true, about: "of the kernel's scheduler cycles: warps waited for this line's answers from memory" },
  { title: "lost", number: true, about: "lane-slots of lanes that were not active, of the kernel's" },
  { title: "lanes", number: true, about: "active ones of an issue, mean" },
  { title: "trans.", number: true, about: "transactions a request, mean" },
  { title: "rounds", number: true, about: "of shared memory a request, mean: n is an n-way bank conflict" },
  { title: "misses", number: true, about: "of the first cache, loads' transactions" },
  { title: "PTX", number: true, about: "lines" },
  { title: "line", number: true },
  { title: "source" },
];

const heatStyle = (time, hottest) => (time ? `background:${heatColour(time / hottest)}` : null);
const digitsOf = (value, digits) => (value === null || value === undefined ? "–" : written(value, digits));

function costCells(line, hottest) {
  const [first, last] = line.ptx;
  const number = (text, style = null) => element("td", { class: "number", style }, text);
  return [
    number(percent(line.time), heatStyle(line.time, hottest)), number(written(line.issues)),
    element("td", {}, line.stalled ? `${line.cause} ${percent(line.stalled)}` : "–"), number(percent(line.awaited)),
    number(percent(line.lost)),
    number(digitsOf(line.lanes, 1)), number(digitsOf(line.transactions, 1)), number(digitsOf(line.rounds, 1)),
    number(written(line.misses)), number(first === last ? String(first) : `${first}…${last}`),
  ];
}

/** Each line of the file between the first and the last that cost something; `source` may be missing. */
function listing(lines, source, hottest) {
  const cost = new Map(lines.map((line) => [line.line, line]));
  const numbers = source
    ? source.lines.map((_, i) => source.first + i).filter((n) => n >= lines[0].line - 3 && n <= lines.at(-1).line + 3)
    : lines.map((line) => line.line);
  return numbers.map((number) => {
    const line = cost.get(number);
    const text = source ? source.lines[number - source.first] : line.text ?? "";
    const style = line ? heatStyle(line.time, hottest) : null;
    const code = element("td", { class: "code source-line", style }, text);
    return element("tr", {}, ...(line ? costCells(line, hottest) : [element("td", { colspan: costColumns.length - 2 })]),
      element("td", { class: "number muted" }, number), code);
  });
}

function sourceNote(file, source) {
  if (file === "") return "PTX lines whose source line is not known";
  if (!source) return `${file} (the file was not found: name it, or its folder, with --source)`;
  return source.newer ? `${source.path}, written after the results: lines may have moved since` : source.path;
}

function kernelListing(kernel, sources) {
  const hottest = Math.max(...kernel.lines.map((line) => line.time ?? 0)) || 1;
  const files = [...new Set(kernel.lines.map((line) => line.file))];
  const timeOf = (file) => kernel.lines.filter((line) => line.file === file).reduce((sum, line) => sum + (line.time ?? 0), 0);
  files.sort((one, other) => timeOf(other) - timeOf(one));
  const heading = element("tr", {}, ...costColumns.map((column) =>
    element("th", { class: column.number ? "number" : null, title: column.about }, column.title)));
  const rows = files.flatMap((file) => {
    const source = sources[file];
    const note = element("td", { colspan: costColumns.length, class: source?.newer ? "fails" : "muted" }, sourceNote(file, source));
    return [element("tr", {}, note), ...listing(kernel.lines.filter((line) => line.file === file), source, hottest)];
  });
  return element("div", { class: "listing", tabindex: 0, role: "region", "aria-label": "source" },
    element("table", {}, element("thead", {}, heading), element("tbody", {}, ...rows)));
}

function kernelSection(data) {
  const place = element("div");
  const labels = data.kernels.map((kernel) => `${kernel.name}${data.runs.length > 1 ? ` (${data.runs[kernel.run].label})` : ""}`);
  const timeOf = (kernel) => kernel.lines.reduce((sum, line) => sum + line.issues, 0);
  function show(i) {
    const kernel = data.kernels[i];
    place.replaceChildren(
      element("p", { class: "muted" }, kernel.launches === 1 ? "One launch." : `${kernel.launches} launches together.`),
      kernelListing(kernel, data.sources),
      ...(kernel.blocks.length ? [element("h3", {}, "Control-flow graph"), controlFlowGraph(kernel)] : []));
  }
  const first = data.kernels.reduce((best, kernel, i) => (timeOf(kernel) > timeOf(data.kernels[best]) ? i : best), 0);
  show(first);
  return [data.kernels.length > 1 ? element("div", { class: "controls" }, chooser("Kernel", labels, first, show)) : null, place];
}
