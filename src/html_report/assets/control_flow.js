// The control-flow graph of a kernel: blocks with their code, laid out in layers by dagre.

const lineHeight = 15, letter = 6.65, padding = 8;

function drawn(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** The texts of a block: what it is and cost, then its instructions behind their issues. */
function blockTexts(block, number) {
  const meets = block.meets === null || block.next.length < 2 ? "" : ` · threads meet in block ${block.meets}`;
  const head = block.issues === 0
    ? `block ${number} · not executed`
    : `block ${number} · ${percent(block.time)} of the time · ${written(block.lanes, 1)} lanes${meets}`;
  const width = Math.max(...block.instructions.map((one) => written(one.issues).length));
  const shorten = (text) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);
  return [head, ...block.instructions.map((one) => `${written(one.issues).padStart(width, "\u00a0")}  ${shorten(one.text)}`)];
}

function layOut(boxes, blocks) {
  const graph = new dagre.Graph();
  graph.setGraph({ ranksep: 34, nodesep: 30, marginx: 16, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  boxes.forEach((box, i) => graph.setNode(String(i), { width: box.width, height: box.height }));
  blocks.forEach((block, i) => block.next.forEach((next) => graph.setEdge(String(i), String(next))));
  dagre.layout(graph);
  return graph;
}

function drawnBlock(box, { x, y }, block, hottest) {
  const left = x - box.width / 2, top = y - box.height / 2;
  const lines = box.texts.map((text, i) =>
    drawn("text", { x: left + padding, y: top + padding + 11 + i * lineHeight, class: i ? "instruction" : "block-head", "xml:space": "preserve" }, text));
  const heats = block.instructions.map((one, i) => (one.time
    ? drawn("rect", { x: left + 1, y: top + padding + (i + 1) * lineHeight, width: box.width - 2, height: lineHeight, class: "heat", "fill-opacity": (0.06 + 0.84 * Math.min(1, one.time / hottest)).toFixed(3) })
    : ""));
  return drawn("g", { class: block.issues ? "block" : "block is-idle" },
    drawn("rect", { x: left, y: top, width: box.width, height: box.height, rx: 5 }), ...heats, ...lines);
}

/** A smooth way through the layout's points. */
function pathThrough(points) {
  const [start, ...rest] = points;
  let path = `M${start.x},${start.y}`;
  for (let i = 0; i < rest.length - 1; ++i) {
    const to = { x: (rest[i].x + rest[i + 1].x) / 2, y: (rest[i].y + rest[i + 1].y) / 2 };
    path += `Q${rest[i].x},${rest[i].y} ${i === rest.length - 2 ? `${rest[i + 1].x},${rest[i + 1].y}` : `${to.x},${to.y}`}`;
  }
  return rest.length === 1 ? `${path}L${rest[0].x},${rest[0].y}` : path;
}

function controlFlowGraph({ blocks }) {
  const hottest = Math.max(...blocks.flatMap((block) => block.instructions.map((one) => one.time ?? 0))) || 1;
  const boxes = blocks.map((block, i) => {
    const texts = blockTexts(block, i);
    return { texts, width: Math.max(...texts.map((text) => text.length)) * letter + 2 * padding, height: texts.length * lineHeight + 2 * padding };
  });
  const graph = layOut(boxes, blocks);
  const { width, height } = graph.graph();
  const arrow = drawn("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto" }, drawn("path", { d: "M0,0L8,4L0,8z" }));
  const edges = graph.edges().map((edge) => drawn("path", { class: "edge", d: pathThrough(graph.edge(edge).points), "marker-end": "url(#arrow)" }));
  const nodes = blocks.map((block, i) => drawnBlock(boxes[i], graph.node(String(i)), block, hottest));
  const picture = drawn("svg", { class: "control-flow", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "control-flow graph" },
    drawn("defs", {}, arrow), ...edges, ...nodes);
  return element("div", { class: "listing", tabindex: 0, role: "region", "aria-label": "control-flow graph" }, picture);
}
