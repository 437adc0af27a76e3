// The page of `mcp inspect` in Chromium: every view in both eras, sizes and looks with axe-core; a hostile server; the keyboard alone; a
// page of others. Arguments: the program, the browser, the folder of the npm packages, a folder for what is written.
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { appendFileSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createInterface } from "node:readline";
import path from "node:path";
import assert from "node:assert/strict";

const [mcp, executablePath, packages, out, only = ""] = process.argv.slice(2);
const require = createRequire(path.join(packages, "package.json"));
const { chromium, firefox } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const server = fileURLToPath(new URL("server.mjs", import.meta.url));
const VIEWS = ["overview", "tools", "resources", "prompts", "skills", "tasks", "apps", "requests", "history", "traffic", "login", "doctor", "changes"];
mkdirSync(out, { recursive: true });

/** Programs that are under way: a test that fails leaves them here. */
const running = new Set();
/** The program with a page; ends with `end`. */
const start = (...words) => begin("inspect", ...words);
async function begin(command, ...words) {
  // What the program keeps, such as a login, is of this run.
  const home = path.join(out, "home");
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: path.join(home, "config"), XDG_DATA_HOME: path.join(home, "data"), XDG_CACHE_HOME: path.join(home, "cache"), XDG_STATE_HOME: path.join(home, "state") };
  const child = spawn(mcp, [command, "--no-open", ...words], { stdio: ["ignore", "pipe", "inherit"], env });
  running.add(child);
  child.once("exit", () => running.delete(child));
  const [url] = await new Promise((done, failed) => {
    createInterface({ input: child.stdout }).once("line", (line) => done([line]));
    child.once("exit", (code) => failed(new Error(`mcp inspect ended with ${code}`)));
  });
  return { url, origin: new URL(url).origin, token: url.split("token=")[1], end: () => new Promise((done) => { child.once("exit", (code) => done(code)); child.kill("SIGINT"); }) };
}
const node = (...words) => ["--", process.execPath, server, ...words];

/** Firefox as its makers ship it, by WebDriver BiDi. It has no command yet for the features of media: the look is that of the system. */
async function stockFirefox() {
  const launched = await firefox.launch({ channel: "moz-firefox", executablePath });
  const session = Object.getPrototypeOf(launched._connection.toImpl(launched)._browserSession);
  const { send } = session;
  session.send = function (method, params) { return method === "emulation.setMediaFeaturesOverride" ? Promise.resolve({}) : send.call(this, method, params); };
  return launched;
}
const isFirefox = /firefox/.test(path.basename(executablePath));
const browser = await (isFirefox ? stockFirefox() : chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] }));
const requests = [];
let wrongs = [];
/** A tab, with all that is wrong in it: errors of scripts, refusals of its policy, requests elsewhere. */
async function tab(program, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "light", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60000);
  const wrong = wrongs = [];
  // Firefox calls what the policy of an app refuses to that app an error of the page around it.
  page.on("pageerror", (error) => { if (!isFirefox || !error.message.includes("https://elsewhere.invalid/")) wrong.push(`error: ${error.message}`); });
  page.on("console", (message) => { if (message.type() === "error" && !message.location().url.includes("/app/") && !message.text().includes("status of 400")) wrong.push(`console: ${message.text()}`); });
  page.on("request", (request) => { const url = new URL(request.url()); requests.push(url.href); if (!["127.0.0.1", "localhost"].includes(url.hostname) && ["http:", "https:"].includes(url.protocol) && request.frame() === page.mainFrame()) wrong.push(`request to ${url.href}`); });
  await page.goto(program.url);
  await page.getByText("ready", { exact: true }).first().waitFor();
  return { page, wrong, close: () => context.close(), check: () => assert.deepEqual(wrong, []) };
}
const go = async (page, hash) => { await page.evaluate((hash) => { location.hash = hash; }, hash); await page.locator("#item h1").first().waitFor({ state: "attached" }); };
async function accessible(page, what, isLookAlone = false) {
  if (!await page.evaluate(() => !!window.axe)) await page.evaluate(axe);
  const { violations } = await page.evaluate((isLookAlone) => window.axe.run(document, { runOnly: isLookAlone ? ["color-contrast", "link-in-text-block"] : ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], resultTypes: ["violations"], iframes: false }), isLookAlone);
  return violations.map((one) => `${what}: ${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 200)} ${node.any[0]?.message ?? node.failureSummary}`).join(" | ")}`);
}
/** Nothing is wider than the window: the page is read by scrolling in one direction. */
async function reflows(page, what) {
  const [width, inner] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(width <= inner, `${what}: ${width} of ${inner}`);
}
/** What a person saves. */
async function saved(page, click) {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  return readFileSync(await download.path(), "utf8");
}

/** A server over HTTP that wants a login, with its authorization server; what it gives out is secret. */
async function withLogin() {
  const codes = new Map();
  const called = [];
  let origin = "";
  let number = 0;
  const server = createServer(async (request, answer) => {
    let body = "";
    for await (const part of request) body += part;
    const url = new URL(request.url, origin);
    const json = (status, value, headers = {}) => { answer.writeHead(status, { "Content-Type": "application/json", ...headers }); answer.end(value === null ? "" : JSON.stringify(value)); };
    const form = new URLSearchParams(body);
    if (url.pathname === "/.well-known/oauth-protected-resource/mcp") return json(200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    if (url.pathname === "/.well-known/oauth-authorization-server") return json(200, { issuer: origin, authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token`, registration_endpoint: `${origin}/register`, response_types_supported: ["code"], grant_types_supported: ["authorization_code"], code_challenge_methods_supported: ["S256"], token_endpoint_auth_methods_supported: ["none"] });
    if (url.pathname === "/register") return json(201, { ...JSON.parse(body), client_id: "page-test" });
    if (url.pathname === "/authorize") {
      const code = `code-s3cret-${number++}`;
      codes.set(code, url.searchParams.get("code_challenge"));
      const to = new URL(url.searchParams.get("redirect_uri"));
      to.searchParams.set("code", code);
      to.searchParams.set("state", url.searchParams.get("state"));
      answer.writeHead(302, { Location: to.href });
      return answer.end();
    }
    if (url.pathname === "/token") {
      const challenge = createHash("sha256").update(form.get("code_verifier") ?? "").digest("base64url");
      const isGood = codes.get(form.get("code")) === challenge;
      codes.delete(form.get("code"));
      return isGood ? json(200, { access_token: "token-s3cret-token-s3cret", token_type: "Bearer", expires_in: 3600 }) : json(400, { error: "invalid_grant" });
    }
    if (url.pathname !== "/mcp") return json(404, {});
    if (request.headers.authorization !== "Bearer token-s3cret-token-s3cret") return json(401, {}, { "WWW-Authenticate": `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"` });
    if (request.method !== "POST") return json(405, {});
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return json(202, null);
    if (method === "tools/call") called.push({ team: request.headers["x-team"], arguments: params.arguments });
    const result = { initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "with-login", version: "1" } }, "tools/list": { tools: [{ name: "whoami", inputSchema: { type: "object" } }] }, "tools/call": { content: [{ type: "text", text: "Ada" }] }, ping: {} }[method];
    return json(200, result ? { jsonrpc: "2.0", id, result } : { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${server.address().port}`;
  return { url: `${origin}/mcp`, called, end: () => server.closeAllConnections() ?? server.close() };
}

const TREES = fileURLToPath(new URL("trees.txt", import.meta.url));

/** Calls a tool as it stands, once it is the one that is shown. */
async function call(page, name) {
  const address = `#/tools/${encodeURIComponent(name)}`;
  await go(page, address);
  await page.locator(`.list a[aria-current][href="${address}"]`).waitFor({ state: "attached" });
  await page.locator("[data-call]").click();
}

/** Opens every view in both looks: no violation, nothing wider than the window, and a picture of some of them. */
async function everyView(era, width, height) {
  const found = [];
  const program = await start(...node(era));
  for (const colorScheme of ["light", "dark"]) {
    const { page, check, close } = await tab(program, { viewport: { width, height }, colorScheme });
    await go(page, "#/tools/echo?text=Hi");
    if (colorScheme === "light") {
      await page.locator("[data-call]").click();
      await page.locator(".call .state.ok").waitFor();
      await call(page, "ask");
      await page.locator(".question").first().waitFor();
    }
    for (const view of [...VIEWS, "tools/echo", "tools/every_form", "tools/ask", "resources/note%3A%2F%2Ftoday", "prompts/review", "nothing"]) {
      await go(page, `#/${view}`);
      const what = `${era} ${view} ${width} ${colorScheme}`;
      found.push(...await accessible(page, what, colorScheme === "dark"));
      await reflows(page, what);
      if (era === "legacy" && ["tools/every_form", "tools/ask", "traffic", "overview"].includes(view)) await page.screenshot({ path: path.join(out, `${view.replace("/", "-")}-${width}-${colorScheme}.png`) });
    }
    if (width < 700) {
      await go(page, "#/tools/echo");
      for (const region of ["List", "Traffic"]) {
        await page.locator(".bottom").getByRole("button", { name: region }).click();
        found.push(...await accessible(page, `${region} ${width} ${colorScheme}`, colorScheme === "dark"));
        await reflows(page, region);
      }
    }
    check();
    await close();
  }
  assert.deepEqual(found, []);
  await program.end();
}

const tests = {
  async "a tool is called and its result, log and messages are there in both eras"() {
    for (const era of ["legacy", "modern"]) {
      const program = await start(...node(era));
      const { page, check, close } = await tab(program);
      await go(page, "#/tools/echo?text=Hi");
      assert.equal(await page.getByLabel("text", { exact: true }).inputValue(), "Hi");
      assert.equal(await page.locator(".call").count(), 0, "an address never sends");
      await page.locator("[data-call]").click();
      await page.locator(".call").getByText("Hi", { exact: true }).waitFor();
      await page.locator("#traffic").getByText("result of tools/call").first().waitFor();
      await page.locator("#traffic").getByText("echo was called").first().waitFor();
      await page.getByText("Clear").click();
      await page.locator("[data-call]").click();
      await page.getByText("this is required").first().waitFor();
      await page.reload();
      await page.locator(".call").getByText("Hi", { exact: true }).waitFor();
      await go(page, "#/history");
      await page.locator(".rows a").first().click();
      await page.locator(".chosen").getByRole("button", { name: "Replay" }).click();
      await page.waitForFunction(() => document.querySelectorAll(".rows li").length > 5);
      check();
      await close();
      assert.equal(await program.end(), 0);
    }
  },
  async "what the server asks is answered beside its call, and in the list"() {
    for (const era of ["legacy", "modern"]) {
      const program = await start(...node(era));
      const { page, check, close } = await tab(program);
      await call(page, "ask");
      await page.locator(".call .question").waitFor();
      await go(page, "#/requests");
      const question = page.locator("#item .question");
      await question.getByRole("button", { name: "Answer", exact: true }).click();
      await question.locator(".fault").first().waitFor();
      await question.getByRole("textbox", { name: "name (Name)" }).fill("Ada");
      await question.getByRole("button", { name: "Answer", exact: true }).click();
      await go(page, "#/tools/ask");
      await page.locator(".call").getByText('answered: {"name":"Ada"}').waitFor();
      check();
      await close();
      await program.end();
    }
  },
  async "a question to a model and one for folders are answered by the person"() {
    const program = await start(...node("legacy"));
    const { page, check, close } = await tab(program);
    await call(page, "sample");
    await page.locator(".question").getByText("What is 1 + 1?").first().waitFor();
    await page.getByLabel("Answer of the model").fill("two");
    await page.locator(".question").getByRole("button", { name: "Answer", exact: true }).click();
    await page.getByLabel("URIs, one a line").fill("file:///home/me\nfile:///tmp");
    await page.getByRole("button", { name: "Answer with 2" }).click();
    await page.locator(".call").getByText('a model said two, folders [{"uri":"file:///home/me"},{"uri":"file:///tmp"}]').waitFor();
    check();
    await close();
    await program.end();
  },
  async "without a target the configured servers are there, and start when they are wanted"() {
    const file = path.join(out, "servers.json");
    writeFileSync(file, JSON.stringify({ mcpServers: { first: { command: process.execPath, args: [server, "legacy"] }, second: { command: process.execPath, args: [server, "modern"] } } }));
    const program = await start("--config", file);
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(60000);
    await page.goto(program.url);
    await page.getByLabel("Server").selectOption({ label: "second" });
    await page.locator(".bar .state.idle").waitFor();
    await page.locator("#item").getByRole("button", { name: "Connect" }).click();
    await page.locator(".bar .state.ready").waitFor();
    await page.locator(".bar").getByText("2026-07-28").waitFor();
    await page.getByLabel("Server").selectOption({ label: "first" });
    await page.locator(".bar .state.idle").waitFor();
    await context.close();
    await program.end();
  },
  async "tasks are listed, and the findings of doctor come to the page"() {
    const program = await start(...node("legacy"));
    const { page, check, close } = await tab(program);
    await go(page, "#/tasks");
    await page.getByRole("button", { name: "List again" }).click();
    await page.locator("td.state.working").waitFor();
    await go(page, "#/doctor");
    await page.getByRole("button", { name: "Examine" }).click();
    await page.getByText(/\d+ faults, \d+ pieces of advice/).waitFor({ timeout: 60000 });
    const hosts = page.getByRole("region", { name: "Verdicts of hosts" });
    await hosts.getByRole("row", { name: /Claude .*takes all github\.com/ }).waitFor();
    await go(page, "#/tools/echo");
    await page.locator("#item").getByText(/^Doctor: /).first().waitFor();
    await go(page, "#/traffic");
    await page.getByRole("button", { name: "timeline" }).click();
    await page.locator("svg title", { hasText: "task t1: working" }).waitFor({ state: "attached" });
    check();
    await close();
    await program.end();
  },
  async "a call shows its progress and is cancelled; a destructive tool asks first"() {
    const program = await start(...node("legacy"));
    const { page, check, close } = await tab(program);
    await call(page, "slow");
    await page.locator("progress[value]").waitFor();
    await page.keyboard.press("Control+.");
    await page.locator(".call .state.failed").waitFor();
    await call(page, "remove");
    await page.getByRole("alertdialog").waitFor();
    assert.equal(await page.locator(".call").count(), 0);
    await page.getByRole("button", { name: "Call it" }).click();
    await page.locator(".call").getByText("removed").waitFor();
    check();
    await close();
    await program.end();
  },
  async "every form makes the JSON that it shows, and numbers keep their digits"() {
    const program = await start(...node("modern"));
    const { page, check, close } = await tab(program);
    await go(page, "#/tools/every_form");
    await page.getByLabel("flag", { exact: true }).selectOption("false");
    await page.getByLabel("big", { exact: true }).fill("12345678901234567890");
    await page.getByLabel("ratio", { exact: true }).fill("1.50");
    await page.getByLabel("colour", { exact: true }).selectOption({ label: "7" });
    await page.getByRole("button", { name: "Add to words" }).click();
    await page.getByLabel("words 1", { exact: true }).fill("one");
    await page.getByLabel("maybe: form").selectOption({ label: "null" });
    await page.getByLabel("either: form").selectOption({ label: "by name" });
    await page.getByLabel("name", { exact: true }).last().fill("Ada");
    await page.getByLabel("when", { exact: true }).fill("");
    await page.getByRole("button", { name: "set empty: when" }).click();
    await page.getByRole("button", { name: "As JSON" }).first().click();
    const written = await page.getByLabel("Arguments as JSON").inputValue();
    for (const part of ['"flag": false', '"big": 12345678901234567890', '"ratio": 1.50', '"colour": 7', '"words": [', '"maybe": null', '"name": "Ada"', '"when": ""']) assert.ok(written.includes(part), `${part} in ${written}`);
    await page.locator("[data-call]").click();
    await page.locator(".call .state.ok").waitFor();
    const spoken = await (await fetch(`${program.origin}/api/trace`, { headers: { Authorization: `Bearer ${program.token}` } })).text();
    assert.match(spoken, /"from":"client".*"method":"tools\/call".*"big":12345678901234567890.*"ratio":1\.50|"ratio":1\.50.*"big":12345678901234567890/);
    check();
    await close();
    await program.end();
  },
  async "each content has its viewer"() {
    const program = await start(...node("modern"));
    const { page, check, close } = await tab(program);
    await call(page, "media");
    const own = page.locator(".call");
    await own.locator(".heading strong", { hasText: "Heading" }).waitFor();
    await own.locator(".tree .number", { hasText: "12345678901234567890" }).waitFor();
    for (const one of ["img", "audio", "td", "a[href='#/resources/note%3A%2F%2Ftoday']"]) await own.locator(one).first().waitFor();
    await page.waitForFunction(() => document.querySelector(".call img").naturalWidth === 1);
    await own.getByRole("button", { name: "Show it without scripts" }).click();
    await own.frameLocator("iframe").getByText("a heading of HTML").waitFor();
    assert.equal(await own.frameLocator("iframe").locator("#script").textContent(), "no script ran");
    await call(page, "huge");
    await page.locator(".call").getByRole("button", { name: "Show all" }).first().click();
    check();
    await close();
    await program.end();
  },
  async "an app runs in an origin of its own and reaches nothing"() {
    const program = await start(...node("legacy"));
    const { page, check, close } = await tab(program);
    await go(page, "#/tools/app?place=here");
    await page.locator("[data-call]").click();
    const frame = page.frameLocator("iframe");
    await frame.getByText('{"place":"here"} refused').waitFor();
    // Its document and its result are as the server made them, also where a record of them is masked or cut.
    await frame.getByText("s3cret", { exact: true }).waitFor();
    // Its words are no part of the body that the page sends, and only tools that are listed are called.
    await frame.getByText("2:tools/call needs params that are an object").waitFor();
    await frame.getByText("3:apps may not call this tool").waitFor();
    await frame.getByText("4:by the app").waitFor();
    await page.waitForFunction(() => document.querySelector("iframe").height === "99");
    await page.getByText("Left out, for they are no single sources: https://a b").waitFor({ state: "attached" });
    // What the browser refused to the app is beside it.
    await page.locator(".app li", { hasText: "connect-src: https://elsewhere.invalid/" }).waitFor();
    assert.ok(!requests.some((url) => url.includes("elsewhere.invalid") && !url.startsWith("http://")), "nothing left the frame");
    check();
    await close();
    await program.end();
  },
  async "a page of a server that tries to get out of its frame reaches nothing"() {
    const log = path.join(out, "hostile.log");
    writeFileSync(log, "");
    const lines = () => readFileSync(log, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
    const program = await start("--", process.execPath, path.join(path.dirname(server), "hostile.mjs"), log);
    const { page, close } = await tab(program);
    const others = [];
    page.context().on("page", (other) => others.push(other.url()));
    await go(page, "#/tools/show");
    const [before] = page.url().split("#");
    await page.locator("[data-call]").click();
    let told;
    for (let n = 0; n < 600 && !told; n++) { told = lines().find((line) => line.call === "report"); await page.waitForTimeout(50); }
    const { seen } = told.arguments;
    const refused = ["parent document", "parent location", "top document", "storage", "top", "scheme", "fetch", "no-cors fetch", "file", "socket", "events", "image", "script", "style", "module", "eval", "worker", "font", "base", "peer"];
    assert.deepEqual(refused.filter((name) => seen[name] !== "refused"), [], JSON.stringify(seen));
    const decided = { "model tool": "error", "unknown tool": "error", "other method": "error", "server method": "error", "script link": "denied", "file link": "denied", "user link": "denied", "message": "denied", "mode": "done", "still served": "yes", "window": "none", "frame element": "none", "origin": "null", "bridge": "undefinedundefinedundefined", "cookie": "refused" };
    for (const [name, came] of Object.entries(decided)) assert.equal(seen[name], came, name);
    // Then it floods, and tries to leave its document.
    await page.locator(".app .fault", { hasText: "more than 500 messages" }).waitFor();
    assert.equal(await page.locator("iframe").count(), 0);
    assert.equal(page.url().split("#")[0], before);
    assert.deepEqual(others, []);
    await go(page, "#/overview");
    assert.deepEqual(lines().filter((line) => line.canary || !["show", "report"].includes(line.call) || line.arguments?.nested || line.arguments?.late), []);
    await close();
    await program.end();
  },
  async "what is masked in what is shown is sent as the server named it, and a form has no mask"() {
    const program = await start(...node("legacy"));
    const { page, check, close } = await tab(program);
    await go(page, "#/resources");
    await page.locator(".list a", { hasText: "own" }).click();
    await page.locator("#item").getByText("note://own?token=****").first().waitFor();
    await page.locator("[data-call]").click();
    await page.locator(".call").getByText("asked for as it is").waitFor();
    await go(page, "#/tools/visit");
    await page.getByLabel("password", { exact: true }).fill("s3cret");
    await page.locator("[data-call]").click();
    const link = page.locator(".question a.button");
    await link.waitFor();
    assert.equal(await link.getAttribute("href"), "https://elsewhere.invalid/?token=s3cret");
    assert.ok(!(await page.evaluate(() => document.body.textContent)).includes("s3cret"), "it is not shown");
    await page.locator(".question").getByRole("button", { name: "Decline" }).click();
    await page.locator(".call").getByText("the visit: decline").waitFor();
    await go(page, "#/history");
    await page.locator(".rows a", { hasText: "visit" }).first().click();
    await page.locator(".chosen").getByRole("button", { name: "Edit" }).click();
    await page.locator("#item h1", { hasText: "visit" }).waitFor();
    assert.equal(await page.getByLabel("password", { exact: true }).inputValue(), "");
    for (const view of ["constructor", "toString", "__proto__"]) {
      await go(page, `#/${view}`);
      await page.locator("#item h1", { hasText: "Not here" }).waitFor();
    }
    check();
    await close();
    await program.end();
  },
  async "every view has no violation of WCAG at 1280 pixels"() { await everyView("legacy", 1280, 800); },
  async "every view has no violation of WCAG at 768 pixels"() { await everyView("legacy", 768, 1024); },
  async "every view has no violation of WCAG at 360 pixels"() { await everyView("legacy", 360, 740); },
  async "every view of the modern era has no violation of WCAG"() { await everyView("modern", 1280, 800); },
  async "every view reflows at 320 pixels"() { await everyView("legacy", 320, 640); },
  async "the keyboard alone finds a tool, fills it in, calls it, answers and replays"() {
    const program = await start(...node("legacy"));
    const { page, check, close } = await tab(program);
    const press = (key) => page.keyboard.press(key);
    await press("Control+k");
    await page.keyboard.type("echo");
    await press("Enter");
    await page.locator("#item h1", { hasText: "Echo" }).waitFor();
    await press("F6");
    const focused = () => page.evaluate(() => document.activeElement?.id);
    for (let at = 0; at < 8 && (await focused()) !== "item"; at++) await press("F6");
    assert.equal(await focused(), "item");
    for (let at = 0; at < 12 && !(await page.evaluate(() => document.activeElement?.tagName === "TEXTAREA")); at++) await press("Tab");
    await page.keyboard.type("by keys");
    await press("Control+Enter");
    await page.locator(".call").getByText("by keys").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.tagName), "TEXTAREA", "an update leaves the focus where it is");
    await press("Control+k");
    await page.keyboard.type("ask tools");
    await press("Enter");
    await page.locator("#item h1", { hasText: "ask" }).waitFor();
    await press("Control+Enter");
    await page.locator(".question textarea").waitFor();
    for (let at = 0; at < 60 && !(await page.evaluate(() => document.activeElement?.closest(".question") && document.activeElement.tagName === "TEXTAREA")); at++) await press("Tab");
    await page.keyboard.type("Ada");
    for (let at = 0; at < 10 && (await page.evaluate(() => document.activeElement?.textContent)) !== "Answer"; at++) await press("Tab");
    await press("Enter");
    await page.locator(".call").getByText("Ada").waitFor();
    await press("Control+k");
    await page.keyboard.type("history");
    await press("Enter");
    await page.locator("#item h1", { hasText: "History" }).waitFor();
    await press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await press("Escape");
    await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "detached" });
    check();
    await close();
    await program.end();
  },
  async "a hostile server is text and nothing else"() {
    for (const era of ["legacy", "modern"]) {
      const program = await start(...node(era, "hostile"));
      const { page, wrong, close } = await tab(program);
      for (const view of VIEWS) await go(page, `#/${view}`);
      for (const name of ["echo", "media", "fails", "javascript:alert(1)"]) { await call(page, name).catch(async () => { await page.locator("#item h1").waitFor(); }); }
      await call(page, "ask");
      await page.locator(".question").first().waitFor();
      // Names that every object has are names of arguments as others are: not set until a person sets them.
      await go(page, '#/tools/names?__proto__={"polluted":1}&valueOf=x');
      const given = page.locator("#item .form");
      for (const name of ["constructor", "toString"]) await given.locator(".head", { hasText: name }).getByText("not set").waitFor();
      await page.getByLabel("constructor", { exact: true }).fill("me");
      await page.getByLabel("toString", { exact: true }).fill("7");
      await page.getByLabel("valueOf", { exact: true }).first().fill("deep");
      await page.locator("[data-call]").click();
      await page.locator(".call .state.ok").waitFor();
      const spoken = await page.evaluate(() => [...document.querySelectorAll(".call .tree li")].map((one) => one.textContent).join("\n"));
      for (const part of ["__proto__: \"{\\\"polluted\\\":1}\"", 'constructor: "me"', "toString: 7", 'valueOf: "deep"']) assert.ok(spoken.includes(part), `${part} in ${spoken}`);
      assert.equal(await page.evaluate(() => ({}).polluted), undefined);
      await call(page, "numbers");
      await page.locator(".call summary", { hasText: "Structured content" }).click();
      await page.locator(".call .number", { hasText: /^10{5000}$/ }).waitFor();
      for (const text of ["1e999999", "-0"]) await page.locator(".call .number", { hasText: new RegExp(`^${text}$`) }).waitFor();
      await call(page, "links");
      await page.locator(".call .state.ok").waitFor();
      for (const one of await page.locator(".call a").all()) assert.match(await one.getAttribute("href"), /^#\/resources\//);
      await page.locator(".call a").first().click();
      await page.locator("#item h1").waitFor();
      await call(page, "errs");
      await page.locator(".call .state.failed").waitFor();
      await page.locator(".call summary", { hasText: /^Details$/ }).click();
      await page.locator(".call").getByText("-32000").waitFor();
      await call(page, "leads");
      const question = page.locator(".call .question");
      await page.locator(".call .state.ok, .call .state.failed").first().waitFor();
      assert.equal(await question.count(), 0, "an address that runs is refused before the person is asked to visit it");
      await call(page, "flood");
      await page.locator(".call").getByText("flooded").waitFor({ timeout: 60000 });
      await go(page, "#/traffic");
      // However many records there are, as many rows are drawn.
      await page.locator("#item .record").nth(299).waitFor();
      assert.equal(await page.locator("#item .record").count(), 300);
      const seen = await page.evaluate(() => ({ title: document.title, scripts: document.querySelectorAll("script").length, frames: document.querySelectorAll("iframe").length, handlers: document.querySelectorAll("[onerror],[onload]").length, hidden: /[\u001b\u202e\u200b]/.test(document.body.textContent), links: [...document.links].filter((one) => one.protocol === "javascript:").length }));
      assert.deepEqual({ ...seen, title: "" }, { title: "", scripts: 1, frames: 0, handlers: 0, hidden: false, links: 0 });
      assert.ok(seen.title.endsWith("mcp inspect"), seen.title);
      assert.deepEqual(wrong, []);
      await close();
      await program.end();
    }
  },
  async "an app made with the SDK of apps works"() {
    assert.ok(process.env.MCP_PAGE_SDK, "MCP_PAGE_SDK is the module of @modelcontextprotocol/ext-apps with what it needs");
    for (const module of process.env.MCP_PAGE_SDK.split(path.delimiter)) {
      const program = await start(...node("legacy", "sdk", module));
      const { page, check, close } = await tab(program);
      await go(page, "#/tools/app?place=here");
      await page.locator("[data-call]").click();
      const frame = page.frameLocator("iframe");
      // Half a megabyte of script, which a busy machine reads in more than a moment.
      await frame.getByText('{"place":"here"}').waitFor({ timeout: 60000 });
      await frame.getByText("in the app, by the SDK, mcp inspect").waitFor();
      check();
      await close();
      await program.end();
    }
  },
  async "an app of the official examples draws what its own tool says, and not if that is for models alone"() {
    assert.ok(process.env.MCP_PAGE_OFFICIAL, "MCP_PAGE_OFFICIAL is the program of @modelcontextprotocol/server-cohort-heatmap");
    const log = path.join(out, "official.log");
    const called = () => readFileSync(log, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
    const own = { call: "get-cohort-data", arguments: { metric: "retention", periodType: "monthly", cohortCount: 12, maxPeriods: 12 } };
    for (const [words, drawn, calls] of [[[], "100%", [own]], [["model"], "Failed to load data", []]]) {
      writeFileSync(log, "");
      const program = await start("--", process.execPath, path.join(path.dirname(server), "official.mjs"), log, process.env.MCP_PAGE_OFFICIAL, ...words);
      const { page, wrong, close } = await tab(program);
      await call(page, "get-cohort-data");
      // A frame that is out of sight draws nothing, and tells no size.
      await page.locator("iframe").scrollIntoViewIfNeeded();
      await page.frameLocator("iframe").getByText(drawn).first().waitFor({ timeout: 60000 });
      // The frame has the height that the app told.
      await page.locator('iframe:not([height="240"])').waitFor();
      assert.deepEqual(called().slice(1), calls, "after the call of the person");
      assert.deepEqual(wrong.filter((one) => !one.startsWith("console:")), []);
      await close();
      await program.end();
    }
  },
  async "an app that breaks out stays in its frame, and one that floods is closed"() {
    const got = [];
    const elsewhere = createServer((request, answer) => { got.push(request.url); answer.end("x"); });
    elsewhere.on("upgrade", (request, socket) => { got.push(request.url); socket.destroy(); });
    // What speaks no HTTP, such as a call between browsers.
    elsewhere.on("connection", () => { got.push("a connection"); });
    await new Promise((done) => elsewhere.listen(0, "127.0.0.1", done));
    const program = await start(...node("legacy", "hostile", `http://127.0.0.1:${elsewhere.address().port}`));
    const { page, wrong, close } = await tab(program);
    const opened = [];
    page.context().on("page", (other) => opened.push(other.url()));
    page.on("dialog", (dialog) => { opened.push(dialog.message()); dialog.dismiss(); });
    const before = await page.evaluate(() => [location.pathname, document.title.replace(/^.*mcp/, "mcp"), window.name]);
    // Its last attempt is to lead its own frame elsewhere: the policy of the page has an error there instead.
    const stopped = page.waitForEvent("framenavigated", (frame) => frame !== page.mainFrame() && !frame.url().includes("/app/"));
    await call(page, "escape");
    await page.locator(".app li", { hasText: "refused" }).first().waitFor();
    assert.match((await stopped).url(), /^(chrome-error:|about:blank$)/);
    await page.locator(".app summary", { hasText: "Messages" }).click();
    const pings = page.locator(".app li", { hasText: /^app ping/ });
    await pings.first().waitFor();
    assert.equal(await pings.count(), 1, "what is no JSON, or too long, is not kept");
    assert.match(await pings.innerText(), /params/);
    // What is kept of a message is bounded by what was measured.
    assert.deepEqual(await page.evaluate(async () => {
      const { copyOf } = await import("/json.js");
      const [cycle, sparse] = [{}, []];
      cycle.self = cycle;
      sparse.length = 4e9;
      let deep = {};
      for (let at = 0; at < 300; at++) deep = { deep };
      const given = [7, "ab", { a: [true, null, undefined], b: undefined }, JSON.parse('{"__proto__":1}'), "x".repeat(99), Array(60).fill(1), cycle, sparse, deep, new Map(), [new ArrayBuffer(1)], { a: new Date(0) }, 5n];
      return given.map((one) => { const { value, length } = copyOf(one, 100); return [JSON.stringify(value), length]; });
    }), [["7", 1], ['"ab"', 4], ['{"a":[true,null,null]}', 24], ['{"__proto__":1}', 16], ...[100, 100, 100, 100, 100, 0, 3, 7, 0].map((length) => [undefined, length])]);
    await go(page, "#/tools/escape");
    await page.getByLabel("flood", { exact: true }).selectOption("true");
    await page.locator("[data-call]").click();
    await page.locator(".app .fault", { hasText: "more than 500 messages" }).waitFor();
    assert.equal(await page.locator("iframe").count(), 0);
    await call(page, "echo");
    assert.deepEqual(await page.evaluate(() => [location.pathname, document.title.replace(/^.*mcp/, "mcp"), window.name]), before);
    assert.deepEqual([got, opened], [[], []]);
    assert.deepEqual(wrong.filter((one) => !one.startsWith("console:")), []);
    await close();
    await program.end();
    elsewhere.close();
  },
  async "a server that fails says why, one that ends keeps what was seen, and both start again"() {
    const fails = await start("--", process.execPath, "-e", "console.error('no port is free'); process.exit(3)");
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(fails.url);
    await page.locator("#item .notice.failed").getByText("no port is free").first().waitFor();
    await page.locator("#item").getByRole("button", { name: "Start again" }).click();
    await page.locator("#item .notice.failed").waitFor();
    await context.close();
    await fails.end();
    const program = await start(...node("legacy"));
    const { page: other, check, close } = await tab(program);
    await call(other, "dies");
    await other.locator("#item .notice.ended").waitFor();
    await other.locator(".call .state").waitFor();
    assert.ok(await other.locator(".list li").count() > 5, "the list stays");
    await other.locator("#item").getByRole("button", { name: "Start again" }).click();
    await other.locator(".bar .state.ready").waitFor();
    await other.locator("#item .notice").waitFor({ state: "detached" });
    check();
    await close();
    await program.end();
  },
  async "two servers are on one page, each with what is its own"() {
    const program = await start(`${process.execPath} ${server} legacy`, ...node("modern"));
    const { page, check, close } = await tab(program);
    await page.getByLabel("Server").selectOption({ index: 1 });
    await page.locator(".bar").getByText("2026-07-28").waitFor();
    await call(page, "fails");
    await page.locator(".call").getByText("The tool reports an error.").waitFor();
    await page.getByLabel("Server").selectOption({ index: 0 });
    await page.locator(".bar").getByText("2025-11-25").waitFor();
    await go(page, "#/tools/fails");
    assert.equal(await page.locator(".call").count(), 0);
    check();
    await close();
    await program.end();
  },
  async "dev starts the server again when its file changes, not when the build fails"() {
    const file = path.join(out, "watched.mjs");
    const gate = path.join(out, "gate.txt");
    copyFileSync(server, file);
    writeFileSync(gate, "0");
    const build = `sh -c 'echo building; exit $(cat "${gate}")'`;
    const program = await begin("dev", "--watch", "nothing", "--build", build, "--", process.execPath, file, "legacy");
    const { page, check, close } = await tab(program);
    writeFileSync(file, readFileSync(file, "utf8").replace("Reports an error.", "Reports an error, always."));
    await go(page, "#/changes");
    await page.locator("#item summary", { hasText: "tools: fails" }).waitFor({ timeout: 60000 });
    await page.locator("#item summary", { hasText: "tools: fails" }).click();
    await page.locator(".difference .added", { hasText: "always" }).waitFor();
    writeFileSync(gate, "1");
    appendFileSync(file, "// more\n");
    await page.getByText("the build failed").waitFor({ timeout: 60000 });
    await page.locator(".bar .state.ready").waitFor();
    // The last call again, where that is wanted.
    await call(page, "fails");
    await page.locator(".call").getByText("The tool reports an error.").waitFor();
    await go(page, "#/changes");
    await page.getByLabel("After each start, make the last call of a tool again").check();
    writeFileSync(gate, "0");
    appendFileSync(file, "// still more\n");
    await go(page, "#/history");
    await page.waitForFunction(() => [...document.querySelectorAll(".rows a")].filter((one) => one.textContent.includes("fails")).length === 2, null, { timeout: 60000 });
    check();
    await close();
    await program.end();
  },
  async "dev starts a server at a URL, and follows it without a page or behind a host"() {
    const file = path.join(out, "at-url.mjs");
    const source = (name) => `import { createServer } from "node:http";
      createServer(async (request, answer) => {
        let body = "";
        for await (const part of request) body += part;
        const { id, method } = request.method === "POST" ? JSON.parse(body) : {};
        const result = { initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "u", version: "1" } }, "tools/list": { tools: [{ name: "${name}", inputSchema: { type: "object" } }] } }[method];
        answer.writeHead(request.method !== "POST" ? 405 : id === undefined ? 202 : 200, { "Content-Type": "application/json" });
        answer.end(id === undefined ? "" : JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error: { code: -32601, message: "no" } }) }));
      }).listen(Number(process.argv[2]), "127.0.0.1", () => console.log("it listens"));`;
    writeFileSync(file, source("before"));
    const free = createServer();
    await new Promise((done) => free.listen(0, "127.0.0.1", done));
    const { port } = free.address();
    await new Promise((done) => free.close(done));
    const program = await begin("dev", "--url", `http://127.0.0.1:${port}/mcp`, "--", process.execPath, file, String(port));
    const { page, check, close } = await tab(program);
    await go(page, "#/tools");
    await page.locator(".list", { hasText: "before" }).waitFor();
    await page.locator("#traffic").getByText("it listens").first().waitFor();
    writeFileSync(file, source("after"));
    await page.locator(".list", { hasText: "after" }).waitFor({ timeout: 60000 });
    check();
    await close();
    await program.end();
    // A host stays connected: it is told that the list has changed.
    copyFileSync(server, file);
    const host = spawn(mcp, ["dev", "--stdio", "--", process.execPath, file, "legacy"], { stdio: ["pipe", "pipe", "inherit"] });
    const heard = [];
    const waits = [];
    createInterface({ input: host.stdout }).on("line", (line) => { heard.push(JSON.parse(line)); for (const wait of waits) wait(); });
    const until = (is) => new Promise((done) => { const look = () => { const found = heard.find(is); if (found) done(found); }; waits.push(look); look(); });
    const say = (message) => host.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    say({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "host", version: "1" } } });
    await until((one) => one.id === 1);
    say({ method: "notifications/initialized" });
    say({ id: 2, method: "tools/list" });
    assert.ok((await until((one) => one.id === 2)).result.tools.some((one) => one.description === "Reports an error."));
    writeFileSync(file, readFileSync(file, "utf8").replace("Reports an error.", "Reports an error, always."));
    await until((one) => one.method === "notifications/tools/list_changed");
    say({ id: 3, method: "tools/list" });
    const again = await until((one) => one.id === 3);
    assert.ok(again.result.tools.some((one) => one.description === "Reports an error, always."), JSON.stringify(again).slice(0, 500));
    host.stdin.end();
    assert.equal(await new Promise((done) => host.once("exit", done)), 0);
  },
  async "a person logs in at an authorization server, sees each step without a secret, and logs out"() {
    const other = await withLogin();
    const program = await start(other.url);
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(60000);
    await page.goto(program.url);
    await page.locator(".bar .state.login").waitFor();
    await page.locator("#item").getByRole("button", { name: "Log in" }).click();
    const link = page.getByRole("link", { name: /^Log in at 127\.0\.0\.1/ });
    const [visit] = await Promise.all([context.waitForEvent("page"), link.click()]);
    await page.locator(".bar .state.ready").waitFor();
    await visit.close();
    await call(page, "whoami");
    await page.locator(".call").getByText("Ada", { exact: true }).waitFor();
    await go(page, "#/login");
    for (const step of ["oauth-protected-resource", "oauth-authorization-server", "/token"]) await page.locator(".rows summary", { hasText: step }).first().waitFor();
    await page.evaluate(() => { for (const one of document.querySelectorAll("details")) one.open = true; });
    await page.locator(".rows .tree").first().waitFor();
    assert.ok(!(await page.evaluate(() => document.body.textContent)).includes("s3cret"), "no secret is shown");
    const spoken = await (await fetch(`${program.origin}/api/trace`, { headers: { Authorization: `Bearer ${program.token}` } })).text();
    assert.ok(spoken.includes("/token") && !spoken.includes("s3cret"), "no secret is kept");
    await go(page, "#/traffic");
    await page.getByRole("button", { name: "timeline" }).click();
    await page.locator("rect.http title", { hasText: /\/token|token/ }).first().waitFor({ state: "attached" });
    await go(page, "#/login");
    await page.getByRole("button", { name: "Log out" }).click();
    await page.locator(".bar .state.login").waitFor();
    await context.close();
    await program.end();
    other.end();
  },
  async "what is copied of a call does the same in a shell, and names secrets as variables"() {
    const other = await withLogin();
    const program = await start(other.url, "-H", "Authorization: Bearer token-s3cret-token-s3cret", "-H", "X-Team: blue");
    const { page, check, close } = await tab(program);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await go(page, "#/tools/whoami?api_key=s3cret&it%27s=a%27b");
    await page.locator("[data-call]").click();
    await page.locator(".call .state.ok").waitFor();
    const env = { PATH: `${path.dirname(mcp)}:${process.env.PATH}`, HOME: path.join(out, "home"), AUTHORIZATION: "Bearer token-s3cret-token-s3cret", X_TEAM: "blue", API_KEY: "s3cret" };
    await page.locator(".call summary", { hasText: "Copy as" }).click();
    for (const [label, says] of [["mcp call", /^Ada\n$/], ["curl", /"text":"Ada"/]]) {
      await page.locator(".call .menu").getByRole("button", { name: label, exact: true }).click();
      const text = await page.evaluate(() => navigator.clipboard.readText());
      assert.ok(!text.includes("s3cret") && text.includes("$API_KEY") && text.includes("$X_TEAM"), text);
      const run = await new Promise((done) => execFile("sh", ["-c", text], { env, timeout: 60000 }, (_, stdout, stderr) => done({ stdout, stderr })));
      assert.match(run.stdout, says, `${text}\n${run.stderr}`);
    }
    assert.deepEqual(other.called.map(({ team, arguments: given }) => [team, given]), Array(3).fill(["blue", { api_key: "s3cret", "it's": "a'b" }]));
    // Names and texts of strangers: one word each, no option, no key of a terminal; or a comment of one line that is in quotes.
    const run = "$(touch out)`touch out`\n'; touch out; '";
    const paste = "\u001b[201~\u0003\u009btouch out\n";
    const rows = [
      ["tools/call", { name: run, arguments: { a: run } }, ["call", run, `a=${run}`]],
      ["tools/call", { name: "x", arguments: { "--save": "y", password: "****", a: { token: "****" } } }, ["call", "x", "--json", '{"--save":"y","password":"p w","a":{"token":"t"}}']],
      ...["a=b", "a:", "", "a\u0003"].map((name) => ["tools/call", { name: "x", arguments: { [name]: "@y" } }, ["call", "x", "--json", JSON.stringify({ [name]: "@y" })]]),
      ["tools/call", { name: "x", arguments: { a: paste, "1key_token": "z" } }, ["call", "x", `a:="\\u001b[201~\\u0003\\u009btouch out\\n"`, "1key_token=one"]],
      ["prompts/get", { name: "=x", arguments: { a: "-b" } }, ["get", "=x", "a=-b"]],
      ["prompts/get", { name: "x", arguments: { "--raw": "y" } }, null],
      ["resources/read", { uri: "--save=x" }, null],
      ["tools/call", { name: "--", arguments: { a: "b" } }, null],
      ["tools/call", { name: `x${paste}` }, null],
      [`x\n${run}${paste}`, {}, null],
    ];
    const forShell = await page.evaluate(async (rows) => {
      const [{ command, curl }, { servers }] = [await import("/views.js"), await import("/state.js")];
      const made = ([method, params]) => ({ server: 0, method, params, number: 1 });
      const commands = rows.map((row) => command(made(row)));
      servers.value = servers.value.map((one) => ({ ...one, info: { ...one.info, era: "modern", revision: "x'; touch out; '" } }));
      return { commands, curls: rows.map((row) => curl(made(row))) };
    }, rows);
    const empty = path.join(out, "copied");
    rmSync(empty, { recursive: true, force: true });
    mkdirSync(empty, { recursive: true });
    const inShell = (text) => new Promise((done, failed) => execFile("sh", ["-c", `mcp() { printf '%s\\0' "$@"; }; curl() { printf '%s\\0' "$@"; }\n${text}`], { cwd: empty, env: { PATH: process.env.PATH, PASSWORD: "p w", TOKEN: "t", _1KEY_TOKEN: "one" }, timeout: 60000 }, (error, stdout) => (error ? failed(error) : done(stdout.split("\0").slice(0, -1)))));
    for (const [at, [method, params, words]] of rows.entries()) {
      const text = forShell.commands[at];
      const got = await inShell(text);
      if (words === null) assert.match(text, /^# '(?:[^'\x00-\x1f\x7f-\x9f]|'\\'')*'$/);
      assert.deepEqual(got.slice(0, Math.max(0, got.indexOf("-H"))).filter((word) => word !== other.url), words ?? [], text);
      const sent = await inShell(forShell.curls[at]);
      if (!`${method}${params.name ?? ""}`.includes("\n")) assert.deepEqual([sent.includes(`Mcp-Method: ${method}`), sent.includes("MCP-Protocol-Version: x'; touch out; '"), JSON.parse(sent.at(-1)).params.name], [true, true, params.name], forShell.curls[at]);
      else assert.match(forShell.curls[at], /^# '(?:[^'\x00-\x1f\x7f-\x9f]|'\\'')*'$/);
    }
    assert.deepEqual(readdirSync(empty), [], "what a stranger named was run");
    check();
    await close();
    await program.end();
    other.end();
  },
  async "what people asked the official inspector for takes a moment each"() {
    const program = await start(...node("legacy"));
    const { page, check, close } = await tab(program);
    const copied = async (label) => { await page.locator(".call summary", { hasText: "Copy as" }).first().click(); await page.locator(".call .menu").getByRole("button", { name: label, exact: true }).click(); return page.evaluate(() => navigator.clipboard.readText()); };
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const tasks = {
      // inspector#837: an address that fills in; #353, #771: what is not set is not sent.
      async "open a filled-in tool by its address, and send what is set alone"() {
        await go(page, "#/tools/echo?text=Hi");
        await page.locator("[data-call]").click();
        await page.locator(".call .state.ok").waitFor();
        assert.deepEqual(JSON.parse(await copied("JSON-RPC")).params.arguments, { text: "Hi" });
      },
      // #609
      async "look at another tool, and find what was filled in"() {
        await page.getByLabel("text", { exact: true }).fill("kept");
        await go(page, "#/tools/every_form");
        await go(page, "#/tools/echo");
        assert.equal(await page.getByLabel("text", { exact: true }).inputValue(), "kept");
      },
      // #1329
      async "read JSON in a text as a tree, and copy it"() {
        await call(page, "media");
        const tree = page.locator(".call .json").first();
        await tree.locator(".number", { hasText: "12345678901234567890" }).waitFor();
        await tree.getByRole("button", { name: "Copy", exact: true }).click();
        assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^\{\n {2}"number": 12345678901234567890,/);
      },
      // #2431
      async "save the result of a call"() { JSON.parse(await saved(page, () => page.locator(".call .json").first().getByRole("button", { name: "Save" }).click())); },
      // #1438
      async "replay a call of the history with another argument"() {
        await go(page, "#/history");
        await page.locator(".rows a", { hasText: "echo" }).last().click();
        await page.locator(".chosen").getByRole("button", { name: "Edit" }).click();
        await page.getByLabel("text", { exact: true }).fill("again");
        await page.locator("[data-call]").click();
        await page.locator(".call").getByText("again", { exact: true }).waitFor();
      },
      // #1034
      // Saved calls, which are planned there: a call is found again by a name of one's own.
      async "pin a call and name it"() {
        await go(page, "#/history");
        await page.locator(".rows a", { hasText: "media" }).first().click();
        await page.locator(".chosen").getByRole("button", { name: "Pin" }).click();
        await page.locator(".chosen").getByLabel("Name", { exact: true }).fill("all media");
        await page.locator(".rows li", { hasText: "pinned: all media" }).first().waitFor();
        assert.ok((await page.locator(".rows li").first().textContent()).includes("all media"), "it is the first one");
      },
      async "see what differs between two results"() {
        await go(page, "#/history");
        await page.locator(".rows a", { hasText: "echo" }).first().click();
        await page.locator(".chosen select").selectOption({ index: 1 });
        await page.locator(".difference .added", { hasText: "again" }).waitFor();
      },
      // #1354
      async "export the history"() {
        const history = JSON.parse(await saved(page, () => page.getByRole("button", { name: "Export" }).click()));
        assert.ok(history.some((one) => one.method === "tools/call" && one.params.arguments.text === "again" && one.result.content[0].text === "again"));
      },
      // #269
      async "find initialize with its answer"() {
        await page.getByRole("link", { name: "initialize" }).click();
        await page.locator("#item .record .detail", { hasText: "protocolVersion" }).waitFor();
      },
      // #1354 for what a server writes
      async "save what the server wrote to standard error"() {
        await page.getByRole("button", { name: "stderr" }).click();
        const text = await saved(page, () => page.getByRole("button", { name: /^Save these/ }).click());
        assert.ok(text.trim().split("\n").map((line) => JSON.parse(line)).some((one) => one.data === "echo was called"), text);
      },
      // #22, #1621
      async "see why a server did not start"() {
        const fails = await start("--", process.execPath, "-e", "console.error('no port is free'); process.exit(3)");
        const other = await page.context().newPage();
        await other.goto(fails.url);
        await other.locator("#item .notice.failed details", { hasText: "The last lines of standard error" }).getByText("no port is free").waitFor();
        await other.close();
        await fails.end();
      },
    };
    for (const [name, task] of Object.entries(tasks)) {
      const begin = Date.now();
      await task();
      const took = Date.now() - begin;
      assert.ok(took < 60000, `${name}: ${took} ms`);
      console.log(`    ${name}: ${took} ms`);
    }
    check();
    await close();
    await program.end();
  },
  async "what a screen reader is given of each view stays as it is"() {
    const program = await start(...node("legacy"));
    const { page, check, close } = await tab(program);
    await call(page, "echo");
    await go(page, "#/tools/echo?text=Hi");
    let text = "";
    for (const view of [...VIEWS.filter((one) => !["traffic", "overview"].includes(one)), "tools/every_form", "nothing"]) {
      await go(page, `#/${view}`);
      text += `# ${view}\n${await page.locator("#item").ariaSnapshot()}\n\n`;
    }
    text += `# the whole page\n${await page.locator(".bar").ariaSnapshot()}\n`;
    text = text.replace(/\d+(\.\d+)? (ms|s)\b/g, "N ms").replace(/#\/traffic\/\d+/g, "#/traffic/N");
    // MCP_PAGE_WRITE=1 writes the file: a change is read as one of a page is.
    if (process.env.MCP_PAGE_WRITE) writeFileSync(TREES, text);
    assert.equal(text, readFileSync(TREES, "utf8"));
    check();
    await close();
    await program.end();
  },
  async "servers of others are shown with all that they have"() {
    const others = JSON.parse(process.env.MCP_PAGE_OTHERS ?? "null");
    assert.ok(others, "MCP_PAGE_OTHERS names servers: {name: {command, tools, call, arguments, says}}");
    for (const [name, { command, tools, call: tool, arguments: given, says }] of Object.entries(others)) {
      const program = await start("--", ...command);
      const { page, check, close } = await tab(program);
      await go(page, "#/tools");
      await page.locator(".list li").nth(tools - 1).waitFor();
      for (let at = 0; at < tools; at++) {
        const link = page.locator(".list li a").nth(at);
        const title = await link.locator("span").first().textContent();
        await link.click();
        await page.waitForFunction((title) => document.querySelector("#item h1")?.textContent === title, title);
        assert.equal(await page.locator("#item .notice.failed").count(), 0, name);
      }
      assert.deepEqual(await accessible(page, name), []);
      await go(page, `#/tools/${tool}?${new URLSearchParams(given)}`);
      await page.locator("#item .tag, #item h1", { hasText: tool }).first().waitFor();
      await page.locator("[data-call]").click();
      await page.locator(".call .state.ok").waitFor();
      await page.locator(".call", { hasText: says }).waitFor();
      await page.screenshot({ path: path.join(out, `other-${name}.png`) });
      check();
      await close();
      await program.end();
    }
  },
  async "ten thousand tools are filtered at once"() {
    const program = await start(...node("legacy", "many"));
    const { page, check, close } = await tab(program);
    await go(page, "#/tools");
    await page.locator(".list li").nth(100).waitFor();
    const took = await page.evaluate(async () => {
      const filter = document.getElementById("filter");
      const begin = performance.now();
      filter.value = "tool 9876";
      filter.dispatchEvent(new Event("input", { bubbles: true }));
      while (document.querySelectorAll(".list li").length !== 1) await new Promise(requestAnimationFrame);
      return performance.now() - begin;
    });
    // 50 ms are promised for a machine that does nothing else.
    assert.ok(took < 1000, `${took} ms`);
    console.log(`    the filter took ${took.toFixed(0)} ms`);
    check();
    await close();
    await program.end();
  },
  async "a page of others gets nothing, and no name leads here"() {
    const program = await start(...node("legacy"));
    const evil = createServer((_, answer) => { answer.setHeader("Content-Type", "text/html"); answer.end("<!doctype html><title>evil</title>"); });
    await new Promise((done) => evil.listen(0, "127.0.0.1", done));
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${evil.address().port}/`);
    const port = new URL(program.origin).port;
    const got = await page.evaluate(async ({ port, token }) => {
      const tried = [];
      for (const host of ["127.0.0.1", "localhost"]) for (const at of ["/", "/main.js", "/api/state", "/api/records?after=0", "/api/call"]) for (const mode of ["cors", "no-cors"]) for (const method of ["GET", "POST"]) {
        try {
          const answer = await fetch(`http://${host}:${port}${at}`, { method, mode, ...(mode === "cors" ? { headers: { Authorization: `Bearer ${token}` } } : {}), ...(method === "POST" ? { body: '{"server":0,"method":"ping"}' } : {}) });
          if (answer.type !== "opaque") tried.push(`${host} ${at} ${mode} ${method} ${answer.status}`);
        } catch { /* the browser kept it from the page */ }
      }
      for (const at of ["/", "/main.js"]) tried.push(...await new Promise((done) => { const frame = document.createElement("iframe"); frame.src = `http://127.0.0.1:${port}${at}`; frame.onload = () => { try { done([frame.contentDocument ? "framed" : ""].filter(Boolean)); } catch { done([]); } }; document.body.append(frame); setTimeout(() => done([]), 1000); }));
      const script = await new Promise((done) => { const one = document.createElement("script"); one.type = "module"; one.src = `http://127.0.0.1:${port}/json.js`; one.onload = () => done(["script"]); one.onerror = () => done([]); document.head.append(one); });
      const socket = await new Promise((done) => { const one = new WebSocket(`ws://127.0.0.1:${port}/api/records?after=0`); one.onopen = () => done(["WebSocket"]); one.onerror = () => done([]); });
      const events = await new Promise((done) => { const one = new EventSource(`http://127.0.0.1:${port}/api/records?after=0`); one.onopen = () => done(["EventSource"]); one.onerror = () => { one.close(); done([]); }; });
      navigator.sendBeacon(`http://127.0.0.1:${port}/api/call`, new Blob(['{"server":0,"method":"ping"}'], { type: "text/plain" }));
      const form = document.createElement("form");
      Object.assign(form, { method: "post", enctype: "text/plain", target: "into", action: `http://127.0.0.1:${port}/api/call` });
      const field = document.createElement("input");
      Object.assign(field, { name: '{"server":0,"method":"ping","x":"', value: '"}' });
      const into = document.createElement("iframe");
      into.name = "into";
      form.append(field);
      document.body.append(into, form);
      form.submit();
      const picture = await new Promise((done) => { const one = new Image(); one.src = `http://127.0.0.1:${port}/api/state`; one.onload = () => done(["Image"]); one.onerror = () => done([]); });
      return [...tried, ...script, ...socket, ...events, ...picture];
    }, { port, token: program.token });
    assert.deepEqual(got, []);
    // A window that another page opens is not its own: it has no handle to it, and cannot speak to it.
    const [other] = await Promise.all([context.waitForEvent("page"), page.evaluate((url) => { globalThis.other = open(url); }, program.url)]);
    await other.getByText("ready", { exact: true }).first().waitFor();
    const held = await page.evaluate(() => { globalThis.other?.postMessage({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "echo" } }, "*"); return [globalThis.other === null || globalThis.other.closed]; });
    assert.deepEqual([held, await other.evaluate(() => globalThis.opener)], [[true], null]);
    const log = await (await fetch(`${program.origin}/api/records?after=0`, { headers: { Authorization: `Bearer ${program.token}` } })).text();
    assert.ok(log.includes('"state":"ready"') || log.includes("connecting"), "the token alone opens it");
    assert.ok(!log.includes('"method":"ping"'), "no call of the other page was made");
    await context.close();
    evil.close();
    await program.end();
  },
  async "what was spoken is saved, and opened again without a server"() {
    const program = await start(...node("modern"));
    const { page, close } = await tab(program);
    await call(page, "media");
    await page.locator(".call img").waitFor();
    await go(page, "#/traffic");
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as a trace" }).click()]);
    const file = path.join(out, "saved.jsonl");
    await download.saveAs(file);
    // The page itself with the trace in it: it needs no program, and nothing from elsewhere.
    await page.locator(".bar summary", { hasText: "Menu" }).click();
    const [whole] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as one page" }).click()]);
    const one = path.join(out, "saved.html");
    await whole.saveAs(one);
    await close();
    await program.end();
    const alone = await browser.newContext({ offline: true });
    const reader = await alone.newPage();
    const wrong = wrongs = [];
    reader.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
    reader.on("console", (message) => { if (message.type() === "error") wrong.push(`console: ${message.text()}`); });
    reader.on("request", (request) => { if (!/^(file|data|blob):/.test(request.url())) wrong.push(`request to ${request.url()}`); });
    await reader.goto(pathToFileURL(one).href);
    await reader.getByText("a file, without a server").first().waitFor();
    await go(reader, "#/history");
    await reader.locator(".rows a", { hasText: "tools/call" }).first().click();
    await reader.locator(".call img").waitFor();
    await go(reader, "#/tools/media");
    assert.equal(await reader.locator("[data-call]").isDisabled(), true, "there is no server to call");
    await reader.locator(".bar summary", { hasText: "Menu" }).click();
    const [licences] = await Promise.all([reader.waitForEvent("download"), reader.getByRole("button", { name: "Licences" }).click()]);
    assert.match(readFileSync(await licences.path(), "utf8"), /Preact/i);
    assert.deepEqual(wrong, []);
    await alone.close();
    const again = await start(file);
    const context = await browser.newContext();
    const other = await context.newPage();
    await other.goto(again.url);
    await other.getByText("a file, without a server").first().waitFor();
    await go(other, "#/history");
    await other.locator(".rows a", { hasText: "tools/call" }).first().click();
    await other.locator(".call img").waitFor();
    await context.close();
    await again.end();
  },
};

let failures = 0;
for (const [name, test] of Object.entries(tests)) {
  if (only !== "" && name !== only) continue;
  const begin = Date.now();
  try {
    await Promise.race([test(), new Promise((_, failed) => setTimeout(() => failed(new Error("it took more than 300 s")), 300000).unref())]);
    console.log(`ok ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failures++;
    for (const one of wrongs) console.log(`    in the page: ${one}`);
    console.log(`failed ${name}: ${String(error.stack ?? error).replaceAll("\n", "\n    ")}`);
  }
}
await browser.close();
await Promise.all([...running].map((child) => new Promise((done) => { child.once("exit", done); child.kill("SIGINT"); })));
process.exit(failures ? 1 : 0);
