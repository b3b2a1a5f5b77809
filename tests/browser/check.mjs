// Opens HTML reports in Chromium and holds them to their promises: no console message, no
// request, no horizontal overflow, no name that runs out of its cell, no violation that
// axe-core finds, nothing hidden from paper. Markdown reports go through markdown-it, and
// must stay inert there.
//
//   node check.mjs [--shots DIR] FILE.html FILE.md ...
//
// CHROMIUM names the browser; without it /usr/bin/chromium is used.
import { chromium } from "playwright-core";
import MarkdownIt from "markdown-it";
import { createRequire } from "node:module";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WIDTHS = [360, 768, 1440];
const LARGEST = 5 * 1024 * 1024;

const words = process.argv.slice(2);
let shots = null;
if (words[0] === "--shots") {
  shots = words[1];
  words.splice(0, 2);
}
if (words.length === 0) {
  console.error("no report was named");
  process.exit(2);
}

const problems = [];
const profile = mkdtempSync(join(tmpdir(), "lockdiag-browser-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  bypassCSP: false,
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});

async function open(file, scheme, script) {
  const page = await browser.newPage();
  const own = pathToFileURL(resolve(file)).href;
  const fail = (what) => problems.push(`${file} (${scheme}): ${what}`);
  page.on("console", (message) => fail(`console: ${message.text()}`));
  page.on("pageerror", (error) => fail(`error: ${error.message}`));
  page.on("dialog", (dialog) => { fail(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => {
    const url = request.url();
    if (url !== own && !url.startsWith("data:")) fail(`request: ${url.slice(0, 200)}`);
  });
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
  await page.goto(own, { waitUntil: "load", timeout: 60000 });
  return { page, fail };
}

/// What sticks out of the page, although nothing around it scrolls.
function overflow() {
  const wide = document.documentElement.scrollWidth;
  const room = document.documentElement.clientWidth;
  if (wide <= room) return null;
  const scrolls = (element) => {
    for (let e = element; e && e !== document.body; e = e.parentElement) {
      if (["auto", "scroll", "hidden"].includes(getComputedStyle(e).overflowX)) return true;
    }
    return false;
  };
  const guilty = [...document.body.querySelectorAll("*")]
    .filter((e) => e.getBoundingClientRect().right > room + 1 && !scrolls(e))
    .slice(0, 3)
    .map((e) => `${e.tagName}.${e.getAttribute("class") ?? ""}`);
  return `${wide} px wide in ${room}: ${guilty.join(", ")}`;
}

/// Names that run out of their cell into the next one.
function spilled() {
  const ends = (e) => e.getBoundingClientRect().right;
  return [...document.querySelectorAll("td, th")]
    .filter((cell) => cell.nextElementSibling)
    .filter((cell) => [...cell.querySelectorAll("code")].some((name) => ends(name) > ends(cell) + 1))
    .slice(0, 3)
    .map((cell) => cell.textContent.slice(0, 60));
}

/// What an author's name must never have become.
function foreign() {
  const bad = [];
  for (const e of document.querySelectorAll("img, iframe, object, embed, form, input, base, video, audio, math, style ~ style, [onclick], [onerror], [onload], [style]")) {
    bad.push(e.outerHTML.slice(0, 120));
  }
  for (const e of document.querySelectorAll("script")) {
    if (e.type !== "application/json") bad.push(e.outerHTML.slice(0, 120));
  }
  for (const e of document.querySelectorAll("[href]")) {
    const href = e.getAttribute("href");
    if (!href.startsWith("#") && href !== "data:,") bad.push(href.slice(0, 120));
  }
  for (const e of document.querySelectorAll("a[href^='#']")) {
    if (!document.getElementById(e.getAttribute("href").slice(1))) bad.push(`dead link ${e.getAttribute("href")}`);
  }
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
  if (twice.length) bad.push(`ids used twice: ${twice.slice(0, 3)}`);
  try {
    const data = JSON.parse(document.getElementById("report-data").textContent);
    if (data.schema !== "lockdiag.report/1") bad.push(`schema ${data.schema}`);
  } catch (error) {
    bad.push(`data: ${error}`);
  }
  return bad;
}

/// Texts of the pictures that leave their picture.
function outside() {
  const bad = [];
  for (const svg of document.querySelectorAll("svg.timeline")) {
    const box = svg.getBoundingClientRect();
    for (const e of svg.querySelectorAll("text, rect, circle, path, polyline")) {
      if (e.closest("defs")) continue;
      const r = e.getBoundingClientRect();
      if (r.width === 0 && r.height === 0) continue;
      if (r.left < box.left - 1 || r.right > box.right + 1 || r.top < box.top - 1 || r.bottom > box.bottom + 1) {
        bad.push(`${e.tagName}.${e.getAttribute("class") ?? ""} ${e.textContent.slice(0, 30)}`);
      }
    }
  }
  return bad.slice(0, 5);
}

async function html(file) {
  if (statSync(file).size > LARGEST) problems.push(`${file}: larger than ${LARGEST} bytes`);
  for (const scheme of ["light", "dark"]) {
    const { page, fail } = await open(file, scheme);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate(() => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
      const wide = await page.evaluate(overflow);
      if (wide) fail(`at ${width} px: ${wide}`);
      for (const one of await page.evaluate(spilled)) fail(`at ${width} px, out of its cell: ${one}`);
      const shot = await page.screenshot({ fullPage: false });
      if (shot.length < 4000) fail(`at ${width} px: the picture is empty`);
      if (shots) {
        const name = `${basename(file, ".html")}.${scheme}.${width}.png`;
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        await page.screenshot({ path: join(shots, name), clip: { x: 0, y: 0, width, height: Math.min(height, 7000) }, fullPage: true });
      }
    }
    if (scheme === "light") {
      for (const one of await page.evaluate(foreign)) fail(`foreign: ${one}`);
      for (const one of await page.evaluate(outside)) fail(`outside its picture: ${one}`);
      const pdf = await page.pdf({ format: "A4", path: shots ? join(shots, `${basename(file, ".html")}.pdf`) : undefined });
      if (pdf.length < 5000) fail("the PDF is empty");
    }
    // The page forbids scripts, so the checker is put in from outside of it.
    const session = await page.context().newCDPSession(page);
    const run = async (expression, awaitPromise) => {
      const { result, exceptionDetails } = await session.send("Runtime.evaluate", { expression, awaitPromise, returnByValue: true });
      if (exceptionDetails) fail(`axe-core: ${exceptionDetails.text} ${exceptionDetails.exception?.description ?? ""}`);
      return result.value;
    };
    await run(`${axe};0`, false);
    const found = await run("axe.run(document, { resultTypes: ['violations'] }).then((r) => JSON.stringify(r.violations.map((v) => [v.id, v.nodes.length, v.nodes[0].target.join(' '), v.nodes[0].failureSummary])))", true);
    for (const [id, count, target, summary] of JSON.parse(found ?? "[]")) {
      fail(`axe-core: ${id} (${count}): ${target}: ${summary.replace(/\s+/g, " ")}`);
    }
    await page.close();
  }
}

// What the reports of hostile names must not turn into, in a renderer that makes links of
// bare addresses and lets raw HTML through.
function markdown(file) {
  const text = readFileSync(file, "utf8");
  const out = new MarkdownIt({ html: true, linkify: true }).render(text);
  for (const tag of ["<script", "<img", "<a ", "<iframe", "<svg", "<style", "<input", "<form", "javascript:"]) {
    const visible = out.replace(/<code[\s\S]*?<\/code>/g, "");
    if (visible.includes(tag)) problems.push(`${file}: markdown-it made ${tag}`);
  }
  if (!out.includes("<table>") || !out.includes("<h1>")) problems.push(`${file}: markdown-it shows no table or title`);
}

for (const file of words) {
  if (file.endsWith(".md")) markdown(file);
  else await html(file);
}
await browser.close();
rmSync(profile, { recursive: true, force: true });
for (const problem of problems) console.error(problem);
console.log(`${words.length} reports, ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
