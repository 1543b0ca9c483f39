// Bundles src/ into dist/report.html: one file, no network, the same bytes from the same sources.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = new URL(".", import.meta.url);
const read = (path) => readFileSync(new URL(path, here), "utf8");

async function bundle(entry) {
  const result = await build({
    entryPoints: [fileURLToPath(new URL(entry, here))],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    legalComments: "none", // the licences stand at the top of the page in full
    logLevel: "warning",
  });
  return result.outputFiles[0].text.trim();
}

function insert(page, placeholder, text) {
  const parts = page.split(placeholder);
  if (parts.length !== 2) throw new Error(`${placeholder} must occur exactly once`);
  return parts.join(text);
}

/** A stale page is found without node: README.md has the shell command that gives the same. */
function hashOfSources() {
  const inside = (folder) =>
    readdirSync(new URL(`${folder}/`, here), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? inside(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
    );
  const paths = [...inside("src"), "build.mjs", "package.json", "package-lock.json"].sort();
  return paths
    .reduce((hash, path) => hash.update(readFileSync(new URL(path, here))), createHash("sha256"))
    .digest("hex");
}

export async function render() {
  const script = await bundle("src/main.ts");
  const style = await bundle("src/style.css");
  if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style))
    throw new Error("the bundle would end its own element");
  const licences = ["three", "uplot"]
    .map((name) => `${name}\n\n${read(`node_modules/${name}/LICENSE`).trim()}`)
    .join("\n\n");
  if (licences.includes("--")) throw new Error("a licence would end its own comment");

  let page = read("src/page.html");
  page = insert(page, "__SOURCES__", hashOfSources());
  page = insert(page, "__LICENCES__", licences);
  page = insert(page, "__SCRIPT_HASH__", `sha256-${createHash("sha256").update(script).digest("base64")}`);
  page = insert(page, "__STYLE__", style);
  return insert(page, "__SCRIPT__", script);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = await render();
  writeFileSync(new URL("dist/report.html", here), page);
  console.log(`dist/report.html: ${(page.length / 1000).toFixed(0)} kB`);
}
