// The pages of `warpfork report`: drawn without faults, sorted, filtered, by keyboard, dark and light.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, scratch, warpfork } from "./page.mjs";

const workload = (name) => join(dirname(process.env.WARPFORK), "workloads", name);
const file = (name) => join(scratch, name);

let browser;
before(async () => {
  browser = await launch();
  const small = ["--set", "cores=1"];
  warpfork("compare", "--divergence", "pdom,tbc,capri", "--energy", ...small, "--json", file("compare.json"), workload("bfs"), "100");
  warpfork("run", "--lines", "--interval", "500", ...small, "--json", file("run.json"), workload("bfs"), "100");
});
after(() => browser.close());

async function report(name, ...results) {
  warpfork("report", ...results, "-o", file(name));
  return open(browser, file(name));
}
const firstCells = (page) => page.locator("table.sortable tbody tr td:first-child").allTextContents();
const charts = (page) => page.locator(".chart svg").count();

test("a comparison is drawn without faults", async () => {
  const { page, faults } = await report("compare.html", file("compare.json"));
  for (const id of ["speed-ups", "runs", "stalls", "lanes", "energy", "memory"]) assert.equal(await page.locator(`#${id}`).count(), 1, id);
  await page.locator("#energy").scrollIntoViewIfNeeded();
  await page.waitForSelector("#energy .chart svg");
  assert.ok((await charts(page)) >= 3);
  assert.deepEqual(faults, []);
});

test("a comparison beside an experiment keeps its speed-ups", async () => {
  const run = (configuration, cycles) => ({ benchmark: "bfs", configuration, totals: { cycles } });
  const experiment = { schema: 1, experiment: "x", paper: "p", scale: "small", figures: [], runs: [run("c1", 90), run("c2", 30)] };
  writeFileSync(file("experiment.json"), JSON.stringify(experiment));
  const { page, faults } = await report("both.html", file("experiment.json"), file("compare.json"));
  for (const id of ["experiment-0", "speed-ups", "runs"]) assert.equal(await page.locator(`#${id}`).count(), 1, id);
  const alone = await report("experiment.html", file("experiment.json"));
  assert.equal(await alone.page.locator("#speed-ups").count(), 0);
  assert.deepEqual([...faults, ...alone.faults], []);
});

test("of CPU cores it is the warps' cycles that are told", async () => {
  const core = (name) => ({ schema: 1, core: name, machine: {}, recording: { program: "p", arguments: [] }, totals: { cycles: 4, warp_cycles: { busy: 1, memory: 3 } } });
  writeFileSync(file("cores.json"), JSON.stringify({ schema: 1, results: [core("smt"), core("simt-x")] }));
  const titles = async (name, ...results) => {
    const { page, faults } = await report(name, ...results);
    await page.locator("#stalls").scrollIntoViewIfNeeded();
    assert.deepEqual(faults, []);
    return page.locator("#stalls").textContent();
  };
  assert.match(await titles("cores.html", file("cores.json")), /Where the warps' cycles went/);
  assert.match(await titles("both-kinds.html", file("cores.json"), file("compare.json")), /schedulers' cycles went \(of CPU cores the warps'\)/);
  assert.match(await titles("gpus.html", file("compare.json")), /Where the schedulers' cycles went(?! \()/);
});

test("headings sort, by keyboard too", async () => {
  const { page, faults } = await report("sorted.html", file("compare.json"));
  const heading = page.locator("table.sortable th").first();
  assert.deepEqual(await firstCells(page), ["pdom", "tbc", "capri"]);
  await heading.locator("button").focus();
  await page.keyboard.press("Enter");
  assert.equal(await heading.getAttribute("aria-sort"), "ascending");
  assert.deepEqual(await firstCells(page), ["capri", "pdom", "tbc"]);
  await page.keyboard.press("Enter");
  assert.deepEqual(await firstCells(page), ["tbc", "pdom", "capri"]);
  assert.deepEqual(faults, []);
});

test("dark and light are switched, and the charts with them", async () => {
  const { page, faults } = await report("dark.html", file("compare.json"));
  await page.waitForSelector("#speed-ups .chart svg");
  const picture = () => page.locator("#speed-ups .chart svg").innerHTML();
  const light = await picture();
  await page.locator("#theme").focus();
  await page.keyboard.press("Space");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  assert.notEqual(await picture(), light);
  assert.deepEqual(faults, []);
});

test("all charts are on paper, in light colours", async () => {
  const { page, faults } = await report("print.html", file("compare.json"));
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  assert.equal(await charts(page), await page.locator(".chart").count());
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
  assert.deepEqual(faults, []);
});

test("lines have heat, and the graph a box for each block", async () => {
  const { page, faults } = await report("run.html", file("run.json"));
  const { blocks } = JSON.parse(readFileSync(file("run.json"))).launches[0].lines;
  const kernels = page.locator("#lines select");
  if (await kernels.count()) await kernels.selectOption("0");
  assert.ok((await page.locator("#lines td[style*=background]").count()) > 0);
  assert.equal(await page.locator(".control-flow .block").count(), blocks.length);
  assert.equal(await page.locator("#time .chart").count(), 1);
  assert.deepEqual(faults, []);
});

test("a heat map has the settings that each program has of its own", async () => {
  const result = JSON.parse(readFileSync(file("compare.json"))).results[0];
  mkdirSync(file("q.results/points"), { recursive: true });
  const save = (name, axes) => {
    const point = { program: { name }, machine: { name: "gtx480" }, axes };
    writeFileSync(file(`q.results/points/${name}-${Object.values(axes).join("-")}.json`), JSON.stringify({ schema: 1, point, result }));
  };
  for (const warps of [16, 24, 48])
    for (const seed of ["s1", "s2", "s3"]) {
      for (const size of [32, 64]) save("mandelbrot", { seed, warps, size });
      for (const nodes of [1000, 2000]) save("bfs", { seed, warps, nodes });
    }
  const { page, faults } = await report("programs.html", file("q.results"));
  assert.equal(await page.locator("#heat-map .chart").count(), 1);
  await page.locator("#heat-map details").evaluate((numbers) => { numbers.open = true; });
  await page.waitForSelector("#heat-map td");
  for (const program of ["bfs", "mandelbrot"]) {
    await page.locator("#heat-map select", { has: page.locator("option", { hasText: "mandelbrot" }) }).selectOption({ label: program });
    const cells = await page.locator("#heat-map td:not(:first-child)").allTextContents();
    assert.equal(cells.filter((cell) => /^[0-9]/.test(cell)).length, 9, program); // of three warps and three seeds
  }
  assert.deepEqual(faults, []);
});

test("five hundred points are one page of less than 5 MB, of which a filter leaves what it names", async () => {
  const result = JSON.parse(readFileSync(file("compare.json"))).results[0];
  mkdirSync(file("p.results/points"), { recursive: true });
  for (let i = 0; i < 500; ++i) {
    const point = { program: { name: "bfs" }, machine: { name: "gtx480" }, axes: { nodes: i % 100, seed: `s${Math.floor(i / 100)}` } };
    writeFileSync(file(`p.results/points/${i}.json`), JSON.stringify({ schema: 1, point, result }));
  }
  const { page, faults } = await report("sweep.html", file("p.results"));
  assert.ok(statSync(file("sweep.html")).size < 5e6);
  assert.equal((await firstCells(page)).length, 500);
  await page.locator(".controls input").fill("s3");
  assert.equal((await firstCells(page)).length, 100);
  assert.equal(await page.locator("#heat-map .chart").count(), 1);
  assert.deepEqual(faults, []);
});
