// The checked-in page is the one that the sources give.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { render } from "../build.mjs";
import { embed, planar } from "./fixtures.mjs";

const checkedIn = readFileSync(new URL("../dist/report.html", import.meta.url), "utf8");
const largestTemplate = 1_000_000; // bytes: leaves four fifths of 5 MB for the data of a report

test("dist/report.html is what the sources give", async () => {
  assert.ok(checkedIn === (await render()), "run `npm run build` and check in dist/report.html");
});

test("the hash of the sources in the page is the one that a shell gives", () => {
  const command =
    "{ find src -type f; echo build.mjs; echo package.json; echo package-lock.json; } " +
    "| LC_ALL=C sort | xargs cat | sha256sum";
  const [hash] = execFileSync("sh", ["-c", command], { cwd: new URL("..", import.meta.url), encoding: "utf8" }).split(
    " ",
  );
  assert.match(hash, /^[0-9a-f]{64}$/);
  assert.ok(checkedIn.startsWith(`<!doctype html>\n<!-- sources sha256:${hash} -->\n`));
});

test("the template is small and asks nothing of the network", () => {
  assert.ok(checkedIn.length < largestTemplate);
  assert.doesNotMatch(checkedIn, /(src|href)="(?!data:)/);
  assert.match(checkedIn, /default-src 'none'/);
});

test("the licences of what is bundled stand in the page", () => {
  assert.match(checkedIn, /three\.js authors/);
  assert.match(checkedIn, /Leon Sorokin/);
});

test("embedding leaves no character of the data that could end its element", () => {
  const data = embed({ ...planar(), name: "</script><!--" })
    .split('type="application/json">')[1]
    .split("</script>")[0];
  assert.equal(JSON.parse(data).name, "</script><!--");
  assert.ok(!data.includes("<"));
});
