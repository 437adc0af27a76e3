// What the page knows. The program keeps everything; records come from it in one order, and this file makes of them what is shown.
import { signal, batch } from "./vendor.js";
import { parse, write, isObject, table, textOf, why } from "./json.js";

const KEPT = 20000;
/** How many records are taken in one turn, and how many milliseconds it may have, so that the page stays quick. */
const TURN = 400;
const SLICE = 20;

// A page in one file has a trace in it, and no program.
const embedded = document.getElementById("trace");
/** The licences of the libraries, where they are in the file itself. */
export const licences = () => { const own = document.getElementById("licences"); return own ? JSON.parse(own.textContent) : ""; };

// The token comes in the fragment, which no server sees, and is kept for this tab.
const given = /^#token=([0-9a-f]{64})/.exec(location.hash);
if (given) {
  sessionStorage.setItem("token", given[1]);
  history.replaceState(null, "", location.pathname + "#/");
}
const token = embedded ? "" : sessionStorage.getItem("token") || "";

/** Where the page is: the view, the item, and what the address fills in. */
export const route = signal(read());
function read() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  /** @param {string} text */
  const part = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
  const [view, ...item] = path.split("/");
  return { view: view || "overview", item: item.map(part).join("/"), query: new URLSearchParams(query || "") };
}
addEventListener("hashchange", () => { route.value = read(); });
/** @type {(view: string, item?: string, query?: string) => string} */
export const href = (view, item = "", query = "") => `#/${view}${item === "" ? "" : "/" + encodeURIComponent(item)}${query ? "?" + query : ""}`;
/** @type {(view: string, item?: string, query?: string) => void} */
export const go = (view, item, query) => { location.hash = href(view, item, query); };

export const servers = signal(/** @type {Server[]} */ ([]));
export const current = signal(0);
/** Counts batches of records: what shows them reads it. */
export const version = signal(0);
export const offline = signal("");
export const said = signal({ text: "", urgent: false, at: 0 });
export const about = signal(/** @type {{ version: string, dev: Any }} */ ({ version: "", dev: null }));
/** Says something, also to people who do not see the page. @type {(text: string, urgent?: boolean) => void} */
export const say = (text, urgent = false) => { said.value = { text, urgent, at: Date.now() }; };

/** @type {Rec[]} */
export const records = [];
/** @type {Map<number, Made>} */
export const calls = new Map();
/** @type {Map<number, Asked>} */
export const questions = new Map();
/** Drops the oldest of what is kept. @param {Map<any, any>} of */
const forget = (of) => of.delete(of.keys().next().value);
/** Requests by server, sender and id, for the messages that answer them. @type {Map<string, Span>} */
const open = new Map();
/** @type {Span[]} */
export const spans = [];
export const missing = { older: 0, lost: 0 };

/** @type {(server: { server: number, name: string, is_file?: boolean, place?: Place }) => Server} */
const fresh = (server) => ({
  ...server, state: server.is_file ? "file" : "idle", info: null, error: null, generation: 0, lists: {}, before: {}, doctor: null, login: null, updated: new Map(),
});
export const now = () => servers.value[current.value] || fresh({ server: 0, name: "" });

/**
 * Asks the program; throws an Error with its message.
 * @param {string} name
 * @param {string} [body]
 */
export async function ask(name, body) {
  if (embedded) throw new Error("This page is a file: there is no program behind it");
  /** @type {Record<string, string>} */
  const headers = { Authorization: `Bearer ${token}` };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(`/api/${name}`, { method: body === undefined ? "GET" : "POST", headers, body });
  const text = await answer.text();
  if (!answer.ok) {
    let said = text;
    try { said = JSON.parse(text).error.message; } catch { /* not JSON: show the text itself */ }
    const error = new Error(said || `the program answered ${answer.status}`);
    error.name = String(answer.status);
    throw error;
  }
  return text;
}
/** @type {(members: Record<string, Any>, server: number) => string} */
const body = (members, server) => `{${[`"server":${server}`, ...Object.entries(members).filter(([, one]) => one !== undefined).map(([key, one]) => `${JSON.stringify(key)}:${one instanceof Raw ? one.text : write(one)}`)].join(",")}}`;
/**
 * Does something at a server; what went wrong is said.
 * @param {string} name
 * @param {Record<string, Any>} members
 */
export async function act(name, members, server = current.value) {
  try {
    return JSON.parse(await ask(name, body(members, server)));
  } catch (error) {
    say(why(error), true);
    throw error;
  }
}
/** JSON text that goes as it is: only what the person typed, after it was parsed. */
export class Raw {
  /** @param {string} text */
  constructor(text) { this.text = text; }
}

/** Makes a call; gives its number, or what is wrong with the arguments. @type {(method: string, params: Any, more?: Record<string, Any>, server?: number) => Promise<Any>} */
export const call = (method, params, more = {}, server) => act("call", { method, params, ...more }, server);

// What is shown has no secrets: the program puts a mask in their place. What is done needs names, addresses and arguments as they were
// spoken: they are asked for by the number of a call or of a question, and are not shown.
const MASK = "****";
/** @param {Any} value */
export const isMasked = (value) => (typeof value === "string" ? value : write(value)).includes(MASK);
/** The parameters and the outcome of a call (`{ call }`), or the parameters of a question (`{ question }`), as they were spoken. @type {(members: Record<string, Any>, server: number) => Promise<Any>} */
export const raw = async (members, server) => parse(await ask("raw", body(members, server)));
/** @type {WeakMap<object, Any>} */
const reals = new WeakMap();
/** An item of a list as the server sent it, where a mask is in the one that is shown. @param {Any} item */
export const realOf = (item) => reals.get(item) ?? item;
/**
 * A member of an item, to be sent.
 * @param {Any} item
 * @param {string} key
 */
export function keyOf(item, key) {
  const value = realOf(item)[key];
  if (reals.has(item) || !isMasked(value)) return value;
  const error = new Error(`This ${key} is masked, and its list is no longer kept: choose Restart at the top of the page`);
  say(error.message, true);
  throw error;
}
/**
 * A value without the parts that are masked.
 * @param {Any} value
 * @returns {Any}
 */
export function unmasked(value) {
  if (Array.isArray(value)) return value.filter((one) => typeof one !== "string" || !isMasked(one)).map(unmasked);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, one]) => typeof one !== "string" || !isMasked(one)).map(([name, one]) => [name, unmasked(one)]));
}
/**
 * Tasks by their ids.
 * @param {Any} one
 * @param {Rec} record
 */
function tasked(one, record, real = one) {
  const id = textOf(real.taskId);
  const same = real === one && isMasked(id) ? [...tasks].filter(([, other]) => other.server === record.server && textOf(other.taskId) === id) : [];
  const key = same.length === 1 && same[0] ? same[0][0] : id;
  const known = tasks.get(key);
  const isOver = /^(completed|failed|cancelled)$/.test(textOf(one.status));
  tasks.set(key, { ...known, ...one, server: record.server, begin: known?.begin ?? record.t, end: known?.end ?? (isOver ? record.t : null), at: record.t, isMasked: key === id && real === one && isMasked(id) });
  if (tasks.size > KEPT) forget(tasks);
}

/** The call with this number, also before its record is here. @param {number} number */
export const callOf = (number) => calls.get(number);

/** The data of a record, read when it is needed. @param {Rec} record */
export function data(record) {
  if (record.value === undefined) {
    try { record.value = record.cut ? null : parse(record.text); } catch { record.value = null; }
  }
  return record.value;
}
/** A long record as a whole. @param {Rec} record */
export async function whole(record) {
  if (record.cut) {
    const line = await ask(`record?n=${record.n}`);
    Object.assign(record, { cut: undefined }, split(line.trim()), { value: undefined });
  }
  return record;
}

/**
 * @param {string} line
 * @returns {Rec}
 */
function split(line) {
  const at = line.indexOf(',"data":');
  if (at < 0) return JSON.parse(line);
  const head = JSON.parse(line.slice(0, at) + "}");
  head.text = line.slice(at + 8, -1);
  return head;
}

/**
 * Takes the records of a file that was dropped here.
 * @param {string} text
 * @param {string} name
 */
export async function openFile(text, name) {
  const lines = text.split("\n").filter(Boolean);
  if (!lines[0] || !/^\{"trace":1[,}]/.test(lines[0])) throw new Error(`${name} is not a trace: its first line has no "trace":1`);
  const about = parse(lines[0]);
  kept.value = text;
  batch(() => {
    records.length = 0; calls.clear(); questions.clear(); open.clear(); spans.length = 0;
    servers.value = [fresh({ server: 0, name: textOf(about.server ?? name), is_file: true })];
    current.value = 0;
  });
  await takeAll(lines.slice(1));
}
/** The trace that is shown in place of what the program has. */
export const kept = signal(embedded?.textContent ?? "");
/** The most servers of one file. */
const SERVERS = 100;

/** @param {string[]} lines */
async function takeAll(lines) {
  for (let at = 0; at < lines.length;) {
    batch(() => {
      const until = Math.min(at + TURN, lines.length);
      const end = performance.now() + SLICE;
      do {
        try { take(split(lines[at] ?? "")); } catch { missing.lost++; }
        at++;
      } while (at < until && performance.now() < end);
      servers.value = [...servers.value];
      version.value++;
    });
    // A turn for what the person does.
    if (at < lines.length) await new Promise((done) => setTimeout(done));
  }
}

/** @param {Rec} record */
function take(record) {
  if (record.kind === "older") { missing.older += record.count ?? 0; return; }
  record.n ??= (records.at(-1)?.n ?? 0) + 1;
  record.server ??= 0;
  records.push(record);
  if (records.length > KEPT) records.splice(0, KEPT / 10);
  // A file may be of a page with several servers.
  while (kept.value && servers.value.length <= record.server && servers.value.length < SERVERS) servers.value.push(fresh({ server: servers.value.length, name: `server ${servers.value.length + 1}`, is_file: true }));
  const server = servers.value[record.server];
  if (!server) return;
  const by = TAKEN[record.kind];
  // Of a file only what was spoken counts: its calls are made of that, whatever wrote it.
  if (by && (!server.is_file || ["message", "doctor", "lost"].includes(record.kind))) by(record, server);
}

/** Of a message that is too long to be read at once: what tells which one it answers. @param {Rec} record */
function beginningOf(record) {
  const text = JSON.parse(record.text);
  const id = /"id":\s*(\d{1,15}|"[^"\\]{0,200}")/.exec(text);
  if (!id) return null;
  const method = /"method":\s*"([^"\\]{1,200})"/.exec(text);
  return { id: JSON.parse(id[1]), ...(method ? { method: method[1] } : { result: {} }) };
}

/** @type {(result: Any, list: string) => Any[]} */
const itemsIn = (result, list) => (Array.isArray(result?.[list]) ? result[list].filter(isObject) : []);
/** The tasks that an outcome tells of. @type {(outcome: { method?: string, result?: Any }) => Any[]} */
const tasksIn = ({ method, result }) => [result?.task, ...(method === "tasks/list" && Array.isArray(result?.tasks) ? result.tasks : []), ...(/^tasks\/(get|cancel)$/.test(method || "") ? [result] : [])].filter((one) => isObject(one) && one.taskId);

/** @type {Record<string, (record: Rec, server: Server) => void>} */
const TAKEN = table({
  message(record, server) {
    const message = record.cut ? beginningOf(record) : data(record);
    if (!message) return;
    for (const one of Array.isArray(message) ? message : [message]) {
      if (one === null || typeof one !== "object") continue;
      /** @param {string} from */
      const key = (from) => `${record.server} ${from} ${JSON.stringify(textOf(one.id))}`;
      if (one.method !== undefined && one.id !== undefined) {
        const span = { server: record.server, from: record.from, method: textOf(one.method), id: one.id, begin: record.t, end: null, request: record, answer: null, name: one.params?.name ?? one.params?.uri };
        open.set(key(record.from), span);
        if (open.size > KEPT) forget(open);
        spans.push(span);
        if (spans.length > KEPT) spans.splice(0, KEPT / 10);
        record.span = span;
      } else if (one.id !== undefined && (one.result !== undefined || one.error !== undefined)) {
        const span = open.get(key(record.from === "client" ? "server" : "client"));
        if (span && span.end === null) {
          span.end = record.t; span.answer = record;
          // A server of an earlier era does not know server/discover, which is its answer.
          span.failed = (one.error !== undefined && span.method !== "server/discover") || one.result?.isError === true; record.span = span;
          open.delete(key(record.from === "client" ? "server" : "client"));
          if (server.is_file) fromSpan(span, server, one);
        }
      } else if (one.method === "notifications/resources/updated") {
        server.updated.set(textOf(one.params?.uri), record.t);
      } else if (/^notifications\/tasks(\/status)?$/.test(textOf(one.method)) && one.params?.taskId) {
        tasked(one.params, record);
      }
    }
  },
  state(record, server) {
    const state = data(record);
    // What an earlier connection came to says nothing of this one.
    if (state.generation < server.generation) return;
    if (state.state === "connecting") {
      server.before = { ...server.before, ...server.lists };
      server.lists = {};
      server.info = null;
      for (const [number, question] of questions) if (question.server === record.server) questions.delete(number);
    }
    if (state.info) server.info = state.info;
    server.state = state.state;
    server.generation = state.generation;
    server.error = state.error || state.failure || null;
    server.since = record.t;
    server.stray = state.stray_output;
    if (record.n > ready) say(`${server.name}: ${WORDS[state.state] || state.state}`, state.state === "failed");
    if (record.n > ready && state.state === "ready" && repeats.value) {
      const last = [...calls.values()].filter((one) => one.server === record.server && one.method === "tools/call" && one.by === "person").at(-1);
      if (last) act("again", { call: last.number }, record.server).catch(() => {});
    }
  },
  call(record) {
    const made = data(record);
    if (record.cut) return;
    calls.set(made.call, { number: made.call, server: record.server, by: made.by, method: made.method, params: made.params, t: record.t, status: "open", progress: null, questions: [], record, generation: made.generation });
    if (calls.size > 5000) forget(calls);
  },
  outcome(record, server) {
    const text = record.text;
    if (record.cut) {
      const number = Number(/^"\{\\"call\\":(\d+)/.exec(text)?.[1]);
      const made = calls.get(number);
      if (made) Object.assign(made, { status: "ok", outcome: record, ms: record.t - made.t, isLong: true });
      if (made && LISTS[made.method]) whole(record).then(() => { batch(() => { TAKEN.outcome(record, server); servers.value = [...servers.value]; version.value++; }); }, (error) => say(error.message, true));
      return;
    }
    const ended = data(record);
    const made = calls.get(ended.call);
    if (made) Object.assign(made, { status: ended.status, outcome: record, ms: ended.ms ?? record.t - made.t, result: ended.result, error: ended.error, isLong: false });
    const list = LISTS[ended.method];
    if (list) {
      const items = itemsIn(ended.result, list);
      if (isMasked(record.text)) {
        // One that fails leaves the items masked, and what is done with one says so.
        raw({ call: ended.call }, record.server).then((spoken) => { itemsIn(spoken.outcome.result, list).forEach((one, at) => { if (items[at]) reals.set(items[at], one); }); version.value++; }, () => {});
      }
      server.lists = { ...server.lists, [list]: { items, error: ended.error, at: record.t, cache: ended.result?.ttlMs } };
    }
    const found = tasksIn(ended);
    /** @param {Any} spoken */
    const masked = (spoken) => { const real = tasksIn(spoken); found.forEach((one, at) => tasked(one, record, real[at])); version.value++; };
    if (found.some((one) => isMasked(one.taskId))) raw({ call: ended.call }, record.server).then((spoken) => masked(spoken.outcome), () => found.forEach((one) => tasked(one, record)));
    else for (const one of found) tasked(one, record);
  },
  progress(record) {
    const made = calls.get(data(record)?.call);
    if (made) made.progress = data(record).progress;
  },
  question(record) {
    const asked = data(record);
    if (!asked) return;
    questions.set(asked.question, { ...asked, server: record.server, t: record.t });
    // Over a pipe a server does not say for which call it asks: it is shown beside the last one that is under way.
    const of = calls.get(asked.call) ?? [...calls.values()].filter((one) => one.server === record.server && one.status === "open" && one.by === "person").at(-1);
    of?.questions.push(asked.question);
    if (record.n > ready) say(ASKS[asked.method] ?? `The server asks: ${textOf(asked.params?.message ?? asked.method)}`, true);
  },
  answered(record) { questions.delete(data(record).question); },
  doctor(record, server) { server.doctor = record.cut ? { state: "failed", message: "the report is too long for this page" } : data(record); },
  login(record, server) { server.login = data(record); },
  lost(record) { missing.lost += Number(record.text) || 0; },
  build(record) { builds.value = data(record); },
  policy(record) { const { app, ...one } = data(record); policies.set(app, [...(policies.get(app) ?? []), one]); },
});
/** What a server asks for without words of its own. */
const ASKS = table({ "roots/list": "The server asks for folders (roots)", "sampling/createMessage": "The server asks a model" });
/** What the browser refused to the documents of apps, by their names. @type {Map<string, { directive: string, blocked: string }[]>} */
export const policies = new Map();
/** Whether the last call of a tool is made again when its server was started again. */
export const repeats = signal(false);
/** What `mcp dev` built last. */
export const builds = signal(/** @type {{ ok: boolean, command?: string, output?: string } | null} */ (null));
/** @type {Map<string, Task>} */
export const tasks = new Map();
/** The members of results that are lists. @type {Record<string, string>} */
export const LISTS = table({ "tools/list": "tools", "resources/list": "resources", "resources/templates/list": "resourceTemplates", "prompts/list": "prompts", "skills/list": "skills" });
export const WORDS = table({ idle: "not connected", connecting: "connecting", ready: "ready", ended: "the server has ended", failed: "failed", login: "login needed", file: "a file, without a server" });

/**
 * In a file there are no calls: what was asked and answered is one.
 * @param {Span} span
 * @param {Server} server
 * @param {Any} answer
 */
function fromSpan(span, server, answer) {
  if (span.from !== "client") return;
  const number = -1 - calls.size;
  const params = data(span.request)?.params ?? {};
  calls.set(number, { number, server: span.server, by: "person", method: span.method, params, t: span.begin, status: answer.error ? "failed" : "ok", ms: (span.end ?? span.begin) - span.begin, result: answer.result, error: answer.error, questions: [], progress: null });
  const list = LISTS[span.method];
  if (list && Array.isArray(answer.result?.[list])) server.lists = { ...server.lists, [list]: { items: itemsIn(answer.result, list), at: span.end ?? span.begin } };
  if (span.method === "initialize" || span.method === "server/discover") {
    const result = answer.result || {};
    const revision = result.protocolVersion ?? data(span.request)?.params?._meta?.["io.modelcontextprotocol/protocolVersion"];
    server.info = { server: result.serverInfo, capabilities: result.capabilities, instructions: result.instructions, revision };
  }
}

/** The record up to which nothing is said: it was there before the page. */
let ready = Infinity;

/** @param {unknown} error */
const isRefused = (error) => error instanceof Error && error.name === "401";

/** Begins to read. */
export async function begin() {
  if (embedded) {
    about.value = { version: "", dev: null };
    try { await openFile(kept.value, "a trace"); } catch (error) { offline.value = why(error); }
    return;
  }
  try {
    const state = JSON.parse(await ask("state"));
    about.value = { version: state.version, dev: state.dev };
    servers.value = state.servers.map(fresh);
  } catch (error) {
    offline.value = isRefused(error) ? why(error) : `The program does not answer: ${why(error)}`;
    return;
  }
  let last = 0;
  let wait = 250;
  while (!kept.value) {
    try {
      const text = await ask(`records?after=${last}`);
      offline.value = "";
      wait = 250;
      if (kept.value) return;
      const lines = text.split("\n").filter(Boolean);
      await takeAll(lines);
      if (records.length) last = Math.max(last, records.at(-1)?.n ?? 0);
      if (ready === Infinity && text.length < 1 << 20) ready = last;
    } catch (error) {
      offline.value = isRefused(error) ? why(error) : "The program has ended: what is shown stays.";
      await new Promise((done) => setTimeout(done, wait));
      wait = Math.min(wait * 2, 8000);
    }
  }
}
/** @param {number} server */
export const loginAddress = async (server) => JSON.parse(await ask("state")).servers[server]?.login;
