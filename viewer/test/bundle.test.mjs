// The checked-in page is the one that the sources give.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { render } from "../build.mjs";
import { embed, planar } from "./fixtures.mjs";

const checkedIn = readFileSync(new URL("../dist/report.html", import.meta.url), "utf8");
const largestTemplate = 1_000_000; // bytes: leaves four fifths of 5 MB for the data of a report

test("dist/report.html is what the sources give", async () => {
  assert.ok(checkedIn === (await render()), "run `npm run build` and check in dist/report.html");
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
  const data = embed({ ...planar(), name: "</script><!--" }).split('type="application/json">')[1].split("</script>")[0];
  assert.equal(JSON.parse(data).name, "</script><!--");
  assert.ok(!data.includes("<"));
});
