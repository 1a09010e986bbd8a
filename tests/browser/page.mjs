// What specs share: pages that warpfork writes, opened in Chromium.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

/** A folder for what a spec writes; gone when it ends. */
export const scratch = mkdtempSync(join(tmpdir(), "warpfork-browser-"));
process.on("exit", () => rmSync(scratch, { recursive: true }));

/** Runs warpfork with these words in the folder of the specs; returns what it prints. */
export function warpfork(...words) {
  return execFileSync(process.env.WARPFORK, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** As root Chromium has no sandbox; it opens our own file alone. */
export async function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
}

/** Opens a file. `faults` lists what the page complains of while it is open, and whatever it tries to load. */
export async function open(browser, file, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, colorScheme: "light", ...options });
  const faults = [];
  const url = pathToFileURL(file).href;
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  page.on("request", (request) => {
    if (request.url() !== url && !request.url().startsWith("data:")) faults.push(`loads ${request.url()}`);
  });
  await page.goto(url);
  await page.waitForSelector('body:not([aria-busy="true"])', { state: "attached" });
  return { page, faults };
}
