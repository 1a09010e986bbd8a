// That the harness notices what is wrong with a page.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, scratch } from "./page.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

async function faultsOf(body) {
  const file = join(scratch, "page.html");
  writeFileSync(file, `<!DOCTYPE html><link rel="icon" href="data:,">${body}`);
  const { faults } = await open(browser, file);
  return faults;
}

test("a page without faults has none", async () => {
  assert.deepEqual(await faultsOf("<p>well"), []);
});

test("an exception is a fault", async () => {
  assert.match((await faultsOf("<script>null.x</script>")).join(), /TypeError/);
});

test("a page that loads something has a fault", async () => {
  assert.match((await faultsOf('<img src="picture.png">')).join(), /loads .*picture\.png/);
});
