// The page of `warpfork step`: MULTIPATH Figure 2 on a warp, under pdom and multi-path side by side.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, scratch, warpfork } from "./page.mjs";

/** Writes the page with these options. */
function write(file, ...options) {
  const words = [...options, "--set", "core.register_allocation=off", "-o", file];
  warpfork("step", ...words, "--launch", "parts.toml", "parts.ptx");
  return file;
}

const file = join(scratch, "step.html");
let browser;
let page;
let faults;

before(async () => {
  write(file, "--divergence", "pdom,multi-path");
  browser = await launch();
  ({ page, faults } = await open(browser, file));
});
after(() => browser?.close());

const cycle = async () => Number(await page.inputValue("#cycle"));
const press = (...keys) => keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
const notes = () => page.$$eval("#runs .note", (all) => all.map((note) => note.textContent));
const rows = (run, table) =>
  page.$$eval(
    `#runs article:nth-child(${run}) section:nth-of-type(${table}) tbody tr`,
    (all) => all.map((row) => [...row.cells].map((cell) => cell.querySelector(".mask")?.title ?? cell.textContent)),
  );

/** Goes to the first event that a note of this beginning tells of. */
async function goTo(beginning) {
  await press("Home");
  for (;;) {
    if ((await notes()).some((note) => note.startsWith(beginning))) return;
    const was = await cycle();
    await press("Shift+ArrowRight");
    assert.notEqual(await cycle(), was, `no event '${beginning}'`);
  }
}

test("loads without a fault, and loads nothing else", () => {
  assert.deepEqual(faults, []);
});

test("begins with both mechanisms, all lanes together", async () => {
  assert.deepEqual(await page.$$eval("#runs h2", (all) => all.map((h) => h.firstChild.data)), ["pdom", "multi-path"]);
  assert.equal((await page.$$("#runs article:nth-child(1) .lane")).length, 32);
  assert.equal(new Set(await page.$$eval("#runs article:nth-child(2) .lane", (all) => all.map((l) => l.textContent))).size, 1);
});

test("arrows go a cycle, Home and End to the ends, and not beyond", async () => {
  await press("Home");
  const first = await cycle();
  await press("ArrowLeft");
  assert.equal(await cycle(), first);
  await press("ArrowRight", "ArrowRight");
  assert.equal(await cycle(), first + 2);
  await press("ArrowLeft");
  assert.equal(await cycle(), first + 1);
  await press("End");
  const last = await cycle();
  await press("ArrowRight");
  assert.equal(await cycle(), last);
  assert.ok(last > first + 100); // a store to memory and back takes that long
});

// Figure 3: the stack, bottom first; B (pc 7) on top. Figure 5: two splits; the entry of D (pc 9), all pending.
test("with shift to the next event: where the lanes part, stack beside tables", async () => {
  await goTo("divergence");
  const all = "1".repeat(32);
  const [even, odd] = ["01".repeat(16), "10".repeat(16)];
  assert.deepEqual(await rows(1, 2), [["9", "-", all, ""], ["4", "9", odd, ""], ["7", "9", even, "top"]]);
  assert.deepEqual(await rows(2, 2), [["7", "9", even, ""], ["4", "9", odd, ""]]);
  assert.deepEqual(await rows(2, 3), [["9", "-", all, all, "", ""]]);
});

test("lanes that have parted have two colours and two numbers", async () => {
  await goTo("divergence");
  const seen = await page.$$eval("#runs article:nth-child(2) .lane", (all) =>
    all.map((lane) => `${lane.textContent} ${getComputedStyle(lane).borderTopColor}`));
  assert.equal(new Set(seen).size, 2);
  assert.equal(new Set(seen.map((text) => text.split(" ")[0])).size, 2);
  assert.equal(seen[0], seen[2]); // lanes 31 and 29
  assert.notEqual(seen[0], seen[1]);
});

test("the scoreboard shows the first register while it is being written", async () => {
  await press("Home");
  for (let i = 0; i < 500 && (await rows(1, 3))[0][0] === "empty"; ++i) await press("ArrowRight");
  assert.deepEqual((await rows(1, 3))[0].slice(0, 3), ["%r1", "1".repeat(32), "0"]);
});

test("events go back, too, and the barrier is one of them", async () => {
  await goTo("11111111111111111111111111111111 wait at the barrier");
  const barrier = await cycle();
  await press("Shift+ArrowLeft");
  assert.ok((await cycle()) < barrier);
  await press("Shift+ArrowRight");
  assert.equal(await cycle(), barrier);
});

test("slider and number go to any cycle", async () => {
  await page.fill("#cycle", "150");
  await page.press("#cycle", "Enter");
  assert.equal(await page.inputValue("#slider"), "150");
  await page.fill("#slider", "120");
  assert.equal(await cycle(), 120);
  await page.focus("#slider");
  await press("ArrowRight");
  assert.equal(await cycle(), 121);
});

test("plays to the end by itself", async () => {
  await press("Home");
  await page.selectOption("#speed", "60");
  await page.click("#play");
  await page.waitForFunction(() => document.querySelector("#cycle").value === document.querySelector("#cycle").max);
  await page.waitForFunction(() => document.querySelector("#play").textContent.includes("play"));
});

test("is dark where the system is, and where the reader wants it", async () => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.click("#theme");
  assert.notEqual(await background(), light);
  await page.click("#theme");
  assert.equal(await background(), light);
});

test("still without a fault", () => assert.deepEqual(faults, []));

/** What the page complains of that is stepped through its changes, and its text at the end. */
async function steppedThrough(...options) {
  const other = await open(browser, write(join(scratch, "other.html"), ...options));
  await other.page.selectOption("#speed", "60");
  await other.page.click("#play");
  await other.page.waitForFunction(() => document.querySelector("#cycle").value === document.querySelector("#cycle").max);
  const text = await other.page.innerText("body");
  await other.page.close();
  assert.deepEqual(other.faults, []);
  return text;
}

test("the block-wide stack: the place of a warp", async () => {
  assert.match(await steppedThrough("--divergence", "tbc,capri"), /Under tbc and capri threads move between warps/);
});

test("temporal lanes, dual-path and early reconvergence", async () => {
  const machine = ["--machine", "tesla30", "--lanes", "stsimt4"];
  assert.match(await steppedThrough(...machine, "--divergence", "dual-path,multi-path-or"), /stsimt4 lanes/);
});

test("a warp that goes on after what was recorded is said to", async () => {
  assert.match(await steppedThrough("--cycles", "10-300"), /Under pdom the warp goes on after cycle 300/);
});
