// The distribution's Chromium without a screen, with WebGL in software and without a network.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { embed } from "./fixtures.mjs";

export async function startBrowser() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-dev-shm-usage",
      "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
    ],
  });
  const folder = mkdtempSync(join(tmpdir(), "invar-report-"));
  let count = 0;

  const open = (report, options, beforeScripts) => {
    const file = join(folder, `${++count}.html`);
    writeFileSync(file, embed(report));
    return openFile(file, options, beforeScripts);
  };
  /** Opens a page from disk; page.problems collects what the console says and what is asked of the network. */
  const openFile = async (file, options = {}, beforeScripts = () => {}) => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      colorScheme: "light",
      ...options,
    });
    const page = await context.newPage();
    await page.addInitScript(beforeScripts);
    page.problems = [];
    page.on("console", (message) => {
      // Chromium itself remarks on reading pixels back from software WebGL.
      if (["error", "warning"].includes(message.type()) && !/GPU stall|swiftshader/i.test(message.text()))
        page.problems.push(message.text());
    });
    page.on("pageerror", (error) => page.problems.push(String(error)));
    page.on("dialog", (dialog) => {
      page.problems.push(`dialog ${dialog.message()}`);
      dialog.dismiss();
    });
    page.on("request", (request) => {
      if (!/^(file|data|blob):/.test(request.url())) page.problems.push(`request ${request.url()}`);
    });
    await page.goto(pathToFileURL(file).href);
    await settle(page);
    return page;
  };
  /** Opens a page of a server of this machine; page.problems collects what the console says. */
  const openAddress = async (address, options = {}) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    page.problems = [];
    page.on("console", (message) => {
      if (message.type() === "error") page.problems.push(message.text());
    });
    page.on("pageerror", (error) => page.problems.push(String(error)));
    await page.goto(address);
    return page;
  };
  const close = async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  };
  return { open, openFile, openAddress, close };
}

/** Two frames: what was asked to be drawn is drawn. */
export const settle = (page) =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50)))),
  );
