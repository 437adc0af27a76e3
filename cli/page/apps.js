// Apps of servers: documents in a frame that is an origin of its own, to which this file is the host (SEP-1865).
import { html, useState, useEffect, useRef } from "./vendor.js";
import { copyOf, write, isObject, textOf, why } from "./json.js";
import { about, act, call, callOf, policies, raw, realOf, servers, say, version } from "./state.js";
import { Json, plain, short } from "./view.js";

/** The revision of the protocol between views and hosts, and the bounds of one view. */
const REVISION = "2026-01-26";
const MOST = 4 << 20;
const IN_FLIGHT = 20;
const MESSAGES = 500;
/** How many messages and characters a view may send in a second, and how many milliseconds are between two drawings of them. */
const RATE = 500;
const CHARACTERS = 16 << 20;
const DRAWN = 200;
/** The characters of messages that are kept, and how many consents may wait. */
const LOGGED = 4 << 20;
const CONSENTS = 5;

/** @param {{ server: number, params: Any }} made */
const toolOf = (made) => (servers.value[made.server]?.lists.tools?.items || []).find((one) => one.name === made.params?.name);
/**
 * The address of the app of a tool, if it has one; to be read it is the one that the server sent.
 * @param {{ server: number, params: Any }} made
 * @param {(tool: Any) => Any} of
 */
export function appOf(made, of = (tool) => tool) {
  const tool = toolOf(made);
  const meta = tool && of(tool)._meta;
  const uri = isObject(meta?.ui) ? meta.ui.resourceUri : meta?.["ui/resourceUri"];
  return typeof uri === "string" && uri.startsWith("ui://") ? uri : null;
}
/** @param {Any} tool */
const mayApp = (tool) => { const seen = tool?._meta?.ui?.visibility; return !!tool && (seen === undefined || seen === null || (Array.isArray(seen) && seen.includes("app"))); };

/** A call, once it has an outcome. @type {(number: number) => Promise<Made>} */
const outcome = (number) => new Promise((done) => {
  const stop = version.subscribe(() => { const made = callOf(number); if (made && made.status !== "open") { setTimeout(() => stop()); done(made); } });
});

/** @param {{ made: Made }} own */
export const App = ({ made }) => {
  const frame = useRef(/** @type {HTMLIFrameElement | null} */ (null));
  const [shown, show] = useState(/** @type {AppShown | null} */ (null));
  const [fails, failed] = useState("");
  const log = useRef(/** @type {{ from: string, message: Any, length: number }[]} */ ([]));
  const [, draw] = useState(0);
  const [isOpen, open] = useState(false);
  const [consents, ask] = useState(/** @type {{ question: string, done: (yes: boolean) => void }[]} */ ([]));
  const consent = consents[0];
  const [height, resize] = useState(240);
  const uri = appOf(made);

  useEffect(() => {
    let isOver = false;
    (async () => {
      try {
        const read = await outcome((await call("resources/read", { uri: appOf(made, realOf) }, {}, made.server)).call);
        if (read.error) throw new Error(plain(read.error.message));
        // The program has it as it was spoken: what comes here has masks, or is too long.
        const kept = await act("app", { call: read.number }, made.server);
        if (!isOver) show(kept);
      } catch (error) { if (!isOver) failed(why(error)); }
    })();
    return () => { isOver = true; };
  }, [uri, made.number]);

  useEffect(() => {
    if (!shown) return undefined;
    const tool = toolOf(made) && realOf(toolOf(made));
    let isReady = false;
    let underWay = 0;
    /** @type {Any[]} */
    let waiting = [];
    let told = false;
    let later = 0;
    let kept = log.current.reduce((sum, one) => sum + one.length, 0);
    const note = (/** @type {string} */ from, /** @type {Any} */ message, /** @type {number} */ length) => {
      kept += length;
      log.current.push({ from, message, length });
      while (log.current.length > MESSAGES || (kept > LOGGED && log.current.length > 1)) kept -= log.current.shift()?.length ?? 0;
      // Drawn now and then, for a view may say much.
      later ||= setTimeout(() => { later = 0; draw((drawn) => drawn + 1); }, DRAWN);
    };
    const post = (/** @type {Any} */ message) => {
      // For other pages a number is a number of JavaScript.
      const text = write(message);
      const sent = JSON.parse(text);
      note("host", sent, text.length);
      frame.current?.contentWindow?.postMessage(sent, "*");
    };
    const send = (/** @type {Any} */ message) => (isReady ? post(message) : waiting.push(message));
    const answer = (/** @type {Any} */ id, /** @type {Any} */ result) => post({ jsonrpc: "2.0", id, result });
    const refuse = (/** @type {Any} */ id, /** @type {number} */ code, /** @type {string} */ message) => post({ jsonrpc: "2.0", id, error: { code, message } });
    const tell = async () => {
      if (told) return;
      told = true;
      try {
        const { params } = await raw({ call: made.number }, made.server);
        send({ jsonrpc: "2.0", method: "ui/notifications/tool-input", params: { arguments: params.arguments ?? {} } });
        const seen = await outcome(made.number);
        const ended = (await raw({ call: made.number }, made.server)).outcome ?? seen;
        if (ended.result) send({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params: ended.result });
        else send({ jsonrpc: "2.0", method: "ui/notifications/tool-cancelled", params: { reason: textOf(ended.error?.message ?? "failed") } });
      } catch (error) {
        say(why(error), true);
        send({ jsonrpc: "2.0", method: "ui/notifications/tool-cancelled", params: { reason: why(error) } });
      }
    };
    // One after the other: a question never takes the place of the one that is being answered.
    let asked = 0;
    /** @type {(question: string) => Promise<boolean>} */
    const consented = (question) => (asked >= CONSENTS ? Promise.resolve(false) : new Promise((done) => {
      asked++;
      const one = { question, done: (/** @type {boolean} */ yes) => { asked--; ask((all) => all.filter((other) => other !== one)); done(yes); } };
      ask((all) => [...all, one]);
    }));
    const request = async (/** @type {Any} */ { id, method, params }) => {
      if (method === "ui/initialize") {
        isReady = false; told = false; waiting = [];
        if (!isObject(params) || !isObject(params.appInfo ?? params.clientInfo) || !isObject(params.appCapabilities ?? params.capabilities)) return refuse(id, -32602, "ui/initialize needs appInfo and appCapabilities");
        const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
        return answer(id, {
          protocolVersion: REVISION, hostInfo: { name: "mcp inspect", version: about.value.version },
          hostCapabilities: { openLinks: {}, serverTools: {}, serverResources: {}, logging: {}, sandbox: {} },
          hostContext: { ...(tool && { toolInfo: { tool: { ...tool, inputSchema: tool.inputSchema ?? { type: "object" } } } }), theme: isDark ? "dark" : "light", displayMode: "inline", availableDisplayModes: ["inline"], platform: "web", locale: navigator.language, containerDimensions: { maxHeight: 800 } },
        });
      }
      if (method === "ping") return answer(id, {});
      if (method === "tools/call" || method === "resources/read") {
        if (!isObject(params)) return refuse(id, -32602, `${method} needs params that are an object`);
        if (underWay >= IN_FLIGHT) return refuse(id, -32000, "too many calls are under way");
        const name = params.name;
        if (method === "tools/call" && !mayApp((servers.value[made.server]?.lists.tools?.items || []).map(realOf).find((one) => one.name === name))) return refuse(id, -32000, "apps may not call this tool");
        underWay++;
        try {
          const begun = await call(method, params, { unchecked: true }, made.server);
          const seen = await outcome(begun.call);
          const ended = (await raw({ call: begun.call }, made.server)).outcome ?? seen;
          return ended.result ? answer(id, ended.result) : refuse(id, -32000, textOf(ended.error?.message ?? "failed"));
        } catch (error) { return refuse(id, -32000, why(error)); } finally { underWay--; }
      }
      if (method === "ui/open-link") {
        let url = null;
        try { url = new URL(String(params?.url)); } catch { /* refused below */ }
        if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || !(await consented(`open ${url.href}`))) return answer(id, { isError: true });
        window.open(url.href, "_blank", "noopener,noreferrer");
        return answer(id, {});
      }
      if (method === "ui/message" || method === "ui/update-model-context") { say("The app says something to a model, which this page has not"); return answer(id, method === "ui/message" ? { isError: true } : {}); }
      if (method === "ui/request-display-mode") return answer(id, { mode: "inline" });
      return refuse(id, -32601, `this host does not know ${String(method).slice(0, 100)}`);
    };
    let second = 0;
    let heardIn = 0;
    let charactersIn = 0;
    const heard = (/** @type {MessageEvent} */ event) => {
      if (!frame.current || event.source !== frame.current.contentWindow) return;
      const now = Math.floor(performance.now() / 1000);
      if (now !== second) { second = now; heardIn = 0; charactersIn = 0; }
      heardIn++;
      // One that sends without a pause would keep the page from what the person does.
      if (heardIn > RATE || charactersIn > CHARACTERS) { failed(`The app sent more than ${heardIn > RATE ? `${RATE} messages` : `${CHARACTERS >> 20} MiB`} in a second and was closed: call the tool again to open it`); show(null); return; }
      const { value: message, length } = copyOf(event.data, MOST);
      charactersIn += length;
      if (!isObject(message) || message.jsonrpc !== "2.0" || (message.method !== undefined && typeof message.method !== "string") || String(message.method).startsWith("ui/notifications/sandbox-")) return;
      note("app", message, length);
      if (message.method !== undefined && message.id !== undefined) { request(message); return; }
      if (message.method === "ui/notifications/initialized") {
        isReady = true;
        for (const one of waiting.splice(0)) post(one);
        tell();
      } else if (message.method === "ui/notifications/size-changed") {
        const to = message.params?.height;
        resize((now) => (typeof to === "number" && Number.isFinite(to) && (to > now || now - to > 4) ? Math.min(Math.max(to, 40), 800) : now));
      }
    };
    addEventListener("message", heard);
    return () => { removeEventListener("message", heard); clearTimeout(later); post({ jsonrpc: "2.0", id: "teardown", method: "ui/resource-teardown", params: { reason: "closed" } }); };
  }, [shown]);

  version.value;
  const reports = shown ? policies.get(shown.url.split("/").at(-1) ?? "") ?? [] : [];
  return html`<section class="app" aria-label="App of the tool"><h3>App <span class="tag">${short(uri)}</span></h3>
    ${fails ? html`<p class="fault">${plain(fails)}</p>` : !shown && html`<p role="status">Reading the app\u2026</p>`}
    ${consent && html`<div class="notice" role="alertdialog" aria-label="Consent"><p>The app wants to ${short(consent.question, 300)}</p><div class="tools"><button onClick=${() => consent.done(true)}>Allow</button><button onClick=${() => consent.done(false)}>Refuse</button></div></div>`}
    ${shown && html`<iframe ref=${frame} title=${`App ${short(uri, 60)}`} src=${shown.url} sandbox="allow-scripts allow-forms" referrerpolicy="no-referrer" height=${height}></iframe>
      <details open=${reports.length > 0}><summary>Policy${reports.length > 0 && html`: ${reports.length} refused`}</summary><p><code>${plain(shown.policy)}</code></p>${reports.length > 0 && html`<ul class="lines">${reports.map((one) => html`<li><span class="tag">refused</span> ${short(one.directive, 60)}: ${short(one.blocked, 200)}</li>`)}</ul>`}${shown.refused.length > 0 && html`<p class="fault">Left out, for they are no single sources: ${short(shown.refused.join(", "), 400)}</p>`}</details>
      <details onToggle=${(event) => open(event.currentTarget.open)}><summary>Messages (${log.current.length})</summary>${isOpen && html`<ul class="lines">${log.current.slice(-100).map((one) => html`<li><span class="tag">${one.from}</span> ${short(one.message.method ?? "answer", 60)} <${Json} value=${one.message} label="Message" /></li>`)}</ul>`}</details>`}
  </section>`;
};
