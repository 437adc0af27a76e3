// The views of a server: what it is, what it has, and what was asked of it.
import { html, useState, useEffect, useMemo, signal } from "./vendor.js";
import { parse, write, isObject, listOf, ownOf, table, textOf, why } from "./json.js";
import { Raw, act, ask, call, callOf, isMasked, keyOf, raw, realOf, unmasked, calls, current, data, go, href, now, questions, records, say, servers, tasks, version, loginAddress, WORDS, LISTS, builds, about, kept, repeats } from "./state.js";
import { Block, Copy, Json, Menu, Result, Save, Text, ms, plain, save, short, stateOf } from "./view.js";
import { Form, resolve } from "./form.js";
import { App, appOf } from "./apps.js";

/** What was filled in, by server and item; it stays while the page is open. @type {Map<string, Any>} */
const inputs = new Map();
const changed = signal(0);
/** @param {string} key */
const inputOf = (key, start = {}) => inputs.get(key) ?? start;
/** @type {(key: string, value: Any) => void} */
const fill = (key, value) => { inputs.set(key, value); changed.value++; };

/** The name of a list in the page, its member, how items are called, and what is asked for. */
export const KINDS = table({
  tools: [["tools", "name", "tools/list"]],
  resources: [["resources", "uri", "resources/list"], ["resourceTemplates", "uriTemplate", "resources/templates/list"]],
  prompts: [["prompts", "name", "prompts/list"]],
});
/**
 * The items of a view.
 * @param {string} view
 * @returns {Item[]}
 */
export function itemsOf(view) {
  const server = now();
  // Names that are masked may be the same.
  const seen = new Map();
  const own = (/** @type {string} */ name) => { seen.set(name, (seen.get(name) ?? 0) + 1); return seen.get(name) > 1 ? `${name} #${seen.get(name)}` : name; };
  return (KINDS[view] || []).flatMap(([member, key]) => (server.lists[member]?.items || []).map((item) => ({ item, member, name: own(textOf(item[key] ?? "")) })));
}

/** What a terminal into which it is pasted takes as a key, such as the end of what is pasted: no quotes keep it from that. */
const KEYS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
/** JSON in one line, in which they are escaped. @param {Any} value */
const json = (value) => write(value).replace(KEYS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
/** A word of a command line, as a shell takes it. @param {Any} word */
const quoted = (word) => {
  const text = textOf(word);
  if (text.search(KEYS) >= 0) throw new Error(`${json(text)} has control characters, which a terminal takes as keys: copy JSON-RPC`);
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
};
/** A word that is not an option, whatever a server calls what it has. @param {Any} word */
const operand = (word) => {
  if (textOf(word).startsWith("-")) throw new Error(`mcp would take ${json(textOf(word))} for an option: copy curl or JSON-RPC`);
  return quoted(word);
};
/** A header of a request, in one line. @param {string} text */
const line = (text) => {
  if (text.includes("\n")) throw new Error(`${json(text)} is not a header of one line: copy JSON-RPC`);
  return quoted(text);
};
/**
 * What is copied for a shell; where it cannot be written, a comment that says why. The comment is one line in quotes: some shells know no
 * comments at a prompt, and would run what a stranger's text has in it.
 * @param {() => string} make
 */
const forShell = (make) => { try { return make(); } catch (error) { return `# ${quoted(why(error))}`; } };
/** Values whose names say that they are secret are named as variables. @param {string} name */
const secret = (name) => /pass(word|phrase)?|secret|token|api_?key|credential|authorization/i.test(name);
/** What is secret is named as a variable of the shell. @param {string} name */
const variable = (name) => `"$${name.toUpperCase().replace(/\W/g, "_").replace(/^\d/, "_$&")}"`;
/** JSON for a shell, in which masks are variables. @param {Any} value */
const quotedJson = (value) => quoted(json(value)).replace(/"((?:[^"\\]|\\.)*)":"\*{4}"/g, (/** @type {string} */ _, /** @type {string} */ name) => `"${name}":"'${variable(name)}'"`);
/** @param {string} name */
const header = (name) => `-H ${line(`${name}: `)}${variable(name)}`;
/** @param {{ server: number, method: string, params: Any }} made */
export const command = (made) => forShell(() => {
  const place = servers.value[made.server]?.place || {};
  const params = made.params || {};
  const words = (place.words || []).map(operand);
  const options = [...(place.headers || []).map((name) => header(name)), ...(place.environment || []).map((name) => `-e ${quoted(`${name}=`)}${variable(name)}`)];
  const tail = place.program ? ["--", ...place.program.map(quoted)] : [];
  const verb = table({ "tools/call": ["call", params.name], "resources/read": ["read", params.uri], "prompts/get": ["get", params.name], ping: ["ping"], "tools/list": ["tools"], "resources/list": ["resources"], "prompts/list": ["prompts"] })[made.method];
  if (!verb) throw new Error(`mcp has no command for ${json(textOf(made.method))}: copy JSON-RPC`);
  const given = Object.entries(params.arguments || {});
  // Names that NAME=VALUE cannot have: of another option, of none, with a sign of the form itself.
  const odd = given.find(([name]) => /^-|^$|=|:$/.test(name) || name.search(KEYS) >= 0);
  if (odd && verb[0] !== "call") throw new Error(`mcp ${verb[0]} takes no argument of the name ${json(odd[0])}: copy curl or JSON-RPC`);
  const pairs = odd ? ["--json", quotedJson(Object.fromEntries(given.map(([name, value]) => [name, secret(name) ? "****" : value])))] : given.map(([name, value]) => {
    if (secret(name)) return `${quoted(`${name}=`)}${variable(name)}`;
    const isPlain = typeof value === "string" && !value.startsWith("@") && value.search(KEYS) < 0;
    return quoted(isPlain ? `${name}=${value}` : `${name}:=${json(value)}`);
  });
  return ["mcp", verb[0], ...words, ...(verb[1] === undefined ? [] : [operand(verb[1])]), ...pairs, ...options, ...tail].join(" ");
});
/** The messages of a call, for `curl`: with the handshake, where the era has one. @param {Made} made */
export const curl = (made) => forShell(() => {
  const server = servers.value[made.server];
  const url = (server?.place?.words || []).find((word) => /^https?:/.test(word));
  if (!url) throw new Error("curl is for a server at a URL: copy mcp call");
  const revision = server.info?.revision || "2025-11-25";
  const isModern = server.info?.era === "modern";
  const given = server?.place?.headers || [];
  const last = records.findLast((one) => one.server === made.server && one.kind === "http" && data(one)?.request_headers);
  const isLoggedIn = last && data(last).request_headers.authorization !== undefined && !given.some((name) => /^authorization$/i.test(name));
  const headers = [...given.map((name) => ` ${header(name)}`), isLoggedIn ? ' -H "Authorization: Bearer $TOKEN"' : ""].join("");
  const meta = isModern ? { ...made.params, _meta: { "io.modelcontextprotocol/protocolVersion": revision, "io.modelcontextprotocol/clientInfo": { name: "curl", version: "8" }, "io.modelcontextprotocol/clientCapabilities": {} } } : made.params;
  const post = (/** @type {Any} */ body, more = "") => `curl -sS ${quoted(url)} -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' -H ${line(`MCP-Protocol-Version: ${textOf(revision)}`)}${isModern ? ` -H ${line(`Mcp-Method: ${textOf(made.method)}`)}${made.params?.name ? ` -H ${line(`Mcp-Name: ${textOf(made.params.name)}`)}` : ""}` : ""}${headers}${more} -d ${quotedJson(body)}`;
  const request = { jsonrpc: "2.0", id: 2, method: made.method, params: meta };
  if (isModern) return post(request);
  const hello = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: "curl", version: "8" } } };
  return [`SESSION=$(${post(hello, " -D - -o /dev/null")} | sed -n 's/^[Mm]cp-[Ss]ession-[Ii]d: *//p' | tr -d '\\r')`, post({ jsonrpc: "2.0", method: "notifications/initialized" }, ' -H "Mcp-Session-Id: $SESSION"'), post(request, ' -H "Mcp-Session-Id: $SESSION"')].join("\n");
});
/** @param {Made} made */
const markdown = (made) => `### \`${made.method}\`${made.params?.name ? ` ${made.params.name}` : ""}\n\n\`\`\`json\n${write(made.params, 2)}\n\`\`\`\n\n${made.status} after ${ms(made.ms)}:\n\n\`\`\`json\n${write(made.error ?? made.result, 2)}\n\`\`\`\n`;

/** What can be copied of a call. @param {{ made: Made }} own */
export const CopyAs = ({ made }) => html`<${Menu} label="Copy as">
  <${Copy} label="mcp call" text=${() => command(made)} /><${Copy} label="curl" text=${() => curl(made)} />
  <${Copy} label="JSON-RPC" text=${() => write({ jsonrpc: "2.0", id: 1, method: made.method, params: made.params }, 2)} />
  <${Copy} label="Result" text=${() => write(made.error ?? made.result, 2)} /><${Copy} label="Markdown" text=${() => markdown(made)} />
</${Menu}>`;

/** A call and all that belongs to it. @param {{ number: number, onEdit?: (() => void) | null }} own */
export const Call = ({ number, onEdit }) => {
  version.value;
  const made = callOf(number);
  if (!made) return html`<p role="status">Sent.</p>`;
  const asked = made.questions.filter((one) => questions.has(one));
  const progress = made.progress;
  return html`<section class="call" aria-label="The call">
    <div class="tools"><strong class=${`state ${stateOf(made)[0]}`}>${stateOf(made)[1]}</strong><span>${ms(made.ms)}</span>
      ${made.status === "open" && made.number > 0 && html`<button onClick=${() => act("cancel", { call: made.number }, made.server)}>Cancel <kbd>Ctrl .</kbd></button>`}
      ${made.status !== "open" && made.number > 0 && made.by === "person" && html`<${Again} made=${made} />`}
      ${onEdit && html`<button onClick=${onEdit}>Edit</button>`}<${CopyAs} made=${made} /></div>
    ${made.status === "open" && html`<progress aria-label="Progress" ...${progress && Number(progress.total) > 0 ? { value: Number(progress.progress), max: Number(progress.total) } : {}}></progress>`}
    ${progress && html`<p>${short(progress.message ?? "")} ${textOf(progress.progress ?? "")}${progress.total !== undefined ? ` of ${textOf(progress.total)}` : ""}</p>`}
    ${asked.map((one) => html`<${Question} key=${one} number=${one} />`)}
    <${Beside} made=${made} />
    <${Result} call=${made} />
    ${made.method === "tools/call" && appOf(made) && html`<${App} made=${made} />`}
  </section>`;
};

/** @param {{ made: Made }} own */
const Again = ({ made }) => html`<button onClick=${async () => { const { call } = await act("again", { call: made.number }, made.server); go("history", String(call)); }}>Replay</button>`;

/** Log messages and standard error while a call runs. @param {{ made: Made }} own */
const Beside = ({ made }) => {
  version.value;
  const end = made.t + (made.ms ?? Infinity);
  const lines = [];
  for (let at = records.length - 1; at >= 0 && records[at].t >= made.t && lines.length < 50; at--) {
    const one = records[at];
    if (one.server !== made.server || one.t > end + 50) continue;
    if (one.kind === "stderr") lines.push(["stderr", data(one)]);
    else if (one.kind === "message" && one.from === "server" && data(one)?.method === "notifications/message") lines.push([textOf(data(one).params?.level), typeof data(one).params?.data === "string" ? data(one).params.data : write(data(one).params?.data)]);
  }
  if (!lines.length) return null;
  return html`<details open=${made.status === "open"}><summary>Log and standard error (${lines.length})</summary><ul class="lines">${lines.reverse().map(([what, line]) => html`<li><span class="tag">${short(what, 20)}</span> <span dir="auto">${short(line, 500)}</span></li>`)}</ul></details>`;
};

/** @type {(server: number, method: string, name: Any) => Made | null} */
const lastCall = (server, method, name) => {
  let found = null;
  for (const made of calls.values()) if (made.server === server && made.method === method && (made.params?.name ?? made.params?.uri) === name) found = made;
  return found;
};

/** @param {{ children?: Any }} own */
const Empty = ({ children }) => html`<div class="empty">${children}</div>`;

/** Why there is nothing yet, with the next step. */
export const State = () => {
  const server = now();
  version.value;
  const [fails, failed] = useState("");
  if (server.state === "ready" || server.state === "file") return null;
  const lines = records.filter((one) => one.server === server.server && one.kind === "stderr").slice(-20);
  const login = async () => { try { await act("connect", { login: true }); } catch (error) { failed(why(error)); } };
  return html`<section class=${`notice ${server.state}`} aria-label="State of the connection">
    <p><strong>${WORDS[server.state]}</strong> ${server.error && plain(server.error.message ?? "")}</p>
    ${server.stray && html`<p>It wrote something other than messages to standard output: <code>${short(server.stray, 300)}</code></p>`}
    ${server.state !== "connecting" && lines.length > 0 && html`<details open><summary>The last lines of standard error</summary><${Text} text=${lines.map((one) => data(one)).join("\n")} /></details>`}
    <p class="tools">${server.state !== "connecting" && html`<button onClick=${() => act("connect", {}).catch((error) => failed(why(error)))}>${server.state === "idle" ? "Connect" : "Start again"}</button>`}
    ${server.state === "login" && html`<button onClick=${login}>Log in</button>`}${fails && html` <span class="fault" role="status">${plain(fails)}</span>`}</p>
    ${server.state === "connecting" && server.login && html`<${LoginLink} />`}
  </section>`;
};
const LoginLink = () => {
  const [url, put] = useState("");
  const server = now();
  version.value;
  useEffect(() => { loginAddress(current.value).then((found) => put(found || ""), (error) => say(why(error), true)); }, [server.login]);
  const safe = /^https?:\/\//.test(url);
  return html`<p>${server.login?.user_code && html`Code: <strong>${short(server.login.user_code, 40)}</strong>. `}${safe ? html`<a href=${url} target="_blank" rel="noopener noreferrer">Log in at ${short(new URL(url).host, 100)}</a>, then come back.` : "Waiting for the address of the login\u2026"}</p>`;
};

export const Overview = () => {
  version.value;
  const server = now();
  const info = server.info;
  const [method, name] = useState("ping");
  const [params, put] = useState("{}");
  const [number, sent] = useState(0);
  const [fails, failed] = useState("");
  const send = async () => { try { parse(params); failed(""); sent((await call(method, new Raw(params))).call); } catch (error) { failed(why(error)); } };
  return html`<h1>${short(info?.server?.title ?? info?.server?.name ?? server.name ?? "")}</h1><${State} />
    ${info && html`<dl><dt>Server</dt><dd>${short(`${info.server?.name ?? ""} ${info.server?.version ?? ""}`)}</dd><dt>Revision</dt><dd>${short(info.revision ?? "")} ${info.era && `(${info.era})`}</dd><dt>Transport</dt><dd>${short(info.transport ?? "")}</dd>
      ${Object.keys(LISTS).filter((one) => server.lists[LISTS[one]]).map((one) => html`<dt>${LISTS[one] === "resourceTemplates" ? "resource templates" : LISTS[one]}</dt><dd>${server.lists[LISTS[one]].error ? short(server.lists[LISTS[one]].error.message ?? "failed") : server.lists[LISTS[one]].items.length}</dd>`)}</dl>
      ${info.server?.description && html`<p dir="auto">${plain(info.server.description)}</p>`}
      <h2>Capabilities</h2><${Json} value=${info.capabilities ?? {}} label="Capabilities" />
      ${info.instructions && html`<h2>Instructions</h2><${Text} text=${info.instructions} prose />`}
      <h2>Any request</h2><div class="form"><label class="field">Method <input value=${method} onInput=${(event) => name(event.currentTarget.value)} /></label>
      <label class="field">Parameters as JSON <textarea rows="3" spellcheck=${false} value=${params} onInput=${(event) => put(event.currentTarget.value)}></textarea></label>
      <div class="tools"><button class="main" disabled=${server.state !== "ready"} onClick=${send}>Send</button></div>${fails && html`<p class="fault">${fails}</p>`}</div>
      ${number > 0 && html`<${Call} number=${number} />`}`}`;
};

/** What is wrong with arguments, by the program. @type {(tool: string, value: Any) => { faults: string[], notes: string[] }} */
const useCheck = (tool, value) => {
  const [found, put] = useState(/** @type {{ faults: string[], notes: string[] }} */ ({ faults: [], notes: [] }));
  const text = write(value);
  useEffect(() => {
    let isOver = false;
    const later = setTimeout(() => ask("check", `{"server":${current.value},"tool":${JSON.stringify(tool)},"arguments":${text}}`).then((found) => { if (!isOver) put(JSON.parse(found)); }, () => {}), 150);
    return () => { isOver = true; clearTimeout(later); };
  }, [tool, text, current.value]);
  return found;
};

/** What the static checks and the last examination say of an item. @param {{ name: string, kind: string }} own */
const Findings = ({ name, kind }) => {
  const report = now().doctor?.report;
  const found = (report?.findings || []).filter((one) => one.grade !== "good" && (one.about.includes(name) || one.what.includes(`'${name}'`)));
  const hosts = (report?.hosts || []).map(({ host, faults, source }) => ({ host, source, faults: faults.filter((fault) => fault.about === `${kind} ${name}`) }));
  const refusing = hosts.filter(({ faults }) => faults.length);
  if (!found.length && !refusing.length) return report && kind === "tool" && hosts.length ? html`<p class="about">Doctor: no finding, and ${hosts.map(({ host }) => host).join(", ")} take it.</p>` : null;
  return html`<details><summary>Doctor: ${found.length} for this ${kind}${refusing.length > 0 && `, refused by ${refusing.map(({ host }) => host).join(", ")}`}</summary><ul>${refusing.flatMap(({ host, faults, source }) => faults.map((fault) => html`<li><strong>${host}</strong>: ${plain(fault.what)} <em>${plain(fault.fix)}</em> <span class="tag">${short(source, 80)}</span></li>`))}${found.map((one) => html`<li><strong>${one.grade}</strong>: ${plain(one.what)} <em>${plain(one.fix ?? "")}</em></li>`)}</ul></details>`;
};

/**
 * @param {URLSearchParams} query
 * @param {Any} schema
 */
const fromQuery = (query, schema) => {
  const root = schema || {};
  const known = resolve(root, root).properties;
  const read = (/** @type {string} */ name, /** @type {string} */ text) => {
    const type = resolve(ownOf(known, name), root).type;
    try { return type === "string" || type === undefined ? text : parse(text); } catch { return text; }
  };
  return Object.fromEntries([...query].map(([name, text]) => [name, read(name, text)]));
};

/** @param {{ item: Any, query: URLSearchParams }} own */
export const Tool = ({ item, query }) => {
  version.value; changed.value;
  const key = `${current.value} tool ${item.name}`;
  const value = inputOf(key, inputs.has(key) ? {} : fromQuery(query, item.inputSchema));
  const [shown, show] = useState(0);
  const [refused, refuse] = useState(/** @type {string[]} */ ([]));
  const [isAsking, asking] = useState(false);
  const found = useCheck(realOf(item).name, value);
  const isTouched = Object.keys(value).length > 0 || refused.length > 0;
  const faults = isTouched ? found.faults : [];
  const made = (shown && callOf(shown)) || lastCall(current.value, "tools/call", item.name);
  const notes = item.annotations || {};
  const isDestructive = notes.destructiveHint === true && notes.readOnlyHint !== true;
  const send = async (more = {}) => {
    asking(false);
    const done = await call("tools/call", { name: keyOf(item, "name"), arguments: value }, more);
    if (done.faults) { refuse(done.faults); say(`Not sent: ${done.faults.join("; ")}`, true); return; }
    refuse([]);
    show(done.call);
  };
  const begin = (/** @type {Record<string, boolean>} */ more = {}) => (isDestructive && !isAsking ? asking(true) : send(more));
  const isReady = now().state === "ready";
  const link = () => `mcp page: ${location.pathname}${href("tools", item.name, new URLSearchParams(Object.entries(value).map(([name, one]) => [name, typeof one === "string" ? one : write(one)])).toString())}`;
  const hints = [["readOnlyHint", "only reads"], ["destructiveHint", "destructive"], ["idempotentHint", "may be repeated"], ["openWorldHint", "reaches other systems"]].filter(([key]) => notes[key] === true);
  return html`<h1 dir="auto">${plain(item.title ?? item.name)}</h1>
    ${item.title && html`<p class="tag">${plain(item.name)}</p>`}
    <p class="tools">${hints.map(([, words]) => html`<span class="tag">${words}</span>`)}${appOf({ server: current.value, params: { name: item.name } }) && html`<span class="tag">has an app</span>`}<span class="type">~${Math.round(write(item).length / 4)} tokens</span></p>
    ${item.description && html`<${Text} text=${item.description} prose />`}
    <${Form} schema=${item.inputSchema} value=${value} set=${(inner) => { refuse([]); fill(key, inner); }} faults=${faults} label="Arguments" />
    ${faults.length > 0 && html`<ul class="fault">${faults.map((text) => html`<li>${plain(text)}</li>`)}</ul>`}${found.notes.map((text) => html`<p class="about">${plain(text)}</p>`)}
    ${isAsking && html`<div class="notice" role="alertdialog" aria-label="Confirm"><p>The server says that this tool may destroy something.</p><div class="tools"><button class="main" onClick=${() => send()}>Call it</button><button onClick=${() => asking(false)}>Do not call</button></div></div>`}
    <div class="tools"><button class="main" data-call disabled=${!isReady} onClick=${() => begin()}>Call <kbd>Ctrl \u23ce</kbd></button>
      ${hasTasks(now()) && item.execution?.taskSupport !== "forbidden" && html`<button disabled=${!isReady} onClick=${() => begin({ task: true })}>As a task</button>`}
      ${faults.length > 0 && html`<button disabled=${!isReady} onClick=${() => begin({ unchecked: true })}>Send all the same</button>`}
      <${Menu} label="More"><${Copy} label="Copy as mcp call" text=${() => command({ server: current.value, method: "tools/call", params: { name: item.name, arguments: value } })} /><${Copy} label="Copy the address" text=${link} /></${Menu}></div>
    ${made && html`<${Call} key=${made.number} number=${made.number} />`}
    <${Findings} name=${item.name} kind="tool" />
    <details><summary>Definition</summary><${Json} value=${item} label="Definition" /></details>`;
};

/** @type {(reference: Any, value: Any) => Complete} */
const useCompletion = (reference, value) => {
  const [last, ask] = useState({ name: "", number: 0 });
  version.value;
  if (!now().info?.capabilities?.completions) return null;
  return (name) => ({
    values: last.name === name ? listOf(callOf(last.number)?.result?.completion?.values).slice(0, 100).map(textOf) : [],
    typed: async (text) => {
      const settled = Object.fromEntries(Object.entries(value).filter(([key, one]) => key !== name && typeof one === "string"));
      try { ask({ name, number: (await call("completion/complete", { ref: reference, argument: { name, value: text }, context: { arguments: settled } })).call }); } catch { /* it is said already */ }
    },
  });
};

/** @param {{ item: Any, member: string }} own */
export const Resource = ({ item, member }) => {
  version.value; changed.value;
  const isTemplate = member === "resourceTemplates";
  const uriOf = (/** @type {Any} */ one) => textOf(isTemplate ? one.uriTemplate : one.uri);
  const uri = uriOf(item);
  const key = `${current.value} ${member} ${uri}`;
  const names = isTemplate ? [...uriOf(realOf(item)).matchAll(/\{[+#./;?&]?([^}]+)\}/g)].flatMap((one) => one[1].split(",").map((name) => name.replace(/[*:].*$/, ""))) : [];
  const schema = { type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])), additionalProperties: false };
  const value = inputOf(key);
  const complete = useCompletion({ type: "ref/resource", uri: uriOf(realOf(item)) }, value);
  const [shown, show] = useState(0);
  const expanded = isTemplate ? expand(uri, value) : uri;
  const real = () => { const own = textOf(keyOf(item, isTemplate ? "uriTemplate" : "uri")); return isTemplate ? expand(own, value) : own; };
  const made = (shown && callOf(shown)) || lastCall(current.value, "resources/read", expanded);
  const isReady = now().state === "ready";
  const changedAt = now().updated.get(uri);
  const canWatch = now().info?.capabilities?.resources?.subscribe;
  return html`<h1 dir="auto">${plain(item.title ?? item.name ?? uri)}</h1><p class="tag" dir="auto">${plain(uri)}</p>
    <p>${item.mimeType && html`<span class="tag">${short(item.mimeType)}</span>`} ${item.size !== undefined && `${write(item.size)} bytes`}</p>
    ${item.description && html`<${Text} text=${item.description} prose />`}
    ${isTemplate && html`<${Form} schema=${schema} value=${value} set=${(inner) => fill(key, inner)} complete=${complete} label="Variables" /><p class="about">${plain(expanded)}</p>`}
    ${changedAt !== undefined && html`<p class="notice"><strong>changed</strong> since it was listed</p>`}
    <div class="tools"><button class="main" data-call disabled=${!isReady} onClick=${async () => show((await call("resources/read", { uri: real() })).call)}>Read <kbd>Ctrl \u23ce</kbd></button>
      ${canWatch && html`<button disabled=${!isReady} onClick=${() => call("resources/subscribe", { uri: real() })}>Subscribe</button><button disabled=${!isReady} onClick=${() => call("resources/unsubscribe", { uri: real() })}>Unsubscribe</button>`}</div>
    ${made && html`<${Call} key=${made.number} number=${made.number} />`}<${Findings} name=${uri} kind="resource" /><details><summary>Definition</summary><${Json} value=${item} label="Definition" /></details>`;
};
/**
 * The simple forms of RFC 6570.
 * @param {string} template
 * @param {Any} value
 */
function expand(template, value) {
  return template.replace(/\{([+#./;?&]?)([^}]+)\}/g, (/** @type {string} */ _, /** @type {string} */ kind, /** @type {string} */ list) => {
    const all = list.split(",").map((one) => one.replace(/[*:].*$/, "")).filter((name) => ownOf(value, name) !== undefined);
    const encode = (/** @type {string} */ text) => (kind === "+" || kind === "#" ? encodeURI(text) : encodeURIComponent(text));
    const isNamed = ";?&".includes(kind) && kind !== "";
    const first = kind === "+" ? "" : kind;
    const between = kind === "?" ? "&" : kind === "" || "+#".includes(kind) ? "," : kind;
    return all.length ? first + all.map((name) => (isNamed ? `${name}=` : "") + encode(textOf(value[name]))).join(between) : "";
  });
}

/** @param {{ item: Any }} own */
export const Prompt = ({ item }) => {
  version.value; changed.value;
  const key = `${current.value} prompt ${item.name}`;
  const list = listOf(item.arguments).filter(isObject);
  const schema = { type: "object", properties: Object.fromEntries(list.map((one) => [one.name, { type: "string", title: one.title, description: one.description }])), required: list.filter((one) => one.required).map((one) => one.name), additionalProperties: false };
  const value = inputOf(key);
  const complete = useCompletion({ type: "ref/prompt", name: realOf(item).name }, value);
  const [shown, show] = useState(0);
  const made = (shown && callOf(shown)) || lastCall(current.value, "prompts/get", item.name);
  return html`<h1 dir="auto">${plain(item.title ?? item.name)}</h1>${item.description && html`<${Text} text=${item.description} prose />`}
    <${Form} schema=${schema} value=${value} set=${(inner) => fill(key, inner)} complete=${complete} label="Arguments" />
    <div class="tools"><button class="main" data-call disabled=${now().state !== "ready"} onClick=${async () => show((await call("prompts/get", { name: keyOf(item, "name"), arguments: value })).call)}>Get <kbd>Ctrl \u23ce</kbd></button></div>
    ${made && html`<${Call} key=${made.number} number=${made.number} />`}<details><summary>Definition</summary><${Json} value=${item} label="Definition" /></details>`;
};

const SKILL = "skill://";
export const Skills = () => {
  version.value;
  const server = now();
  const found = [...(server.lists.skills?.items || []), ...(server.lists.resources?.items || []).filter((one) => textOf(one.uri).startsWith(SKILL))];
  const has = Object.keys(server.info?.capabilities?.extensions || {}).some((one) => /skill/.test(one));
  return html`<h1>Skills</h1>${found.length ? html`<ul class="rows">${found.map((one) => html`<li><a href=${href("resources", textOf(one.uri))}>${short(one.title ?? one.name ?? one.uri)}</a><p dir="auto">${short(one.description ?? "", 300)}</p></li>`)}</ul>` : html`<${Empty}><p>${has ? "No skill is listed yet." : "This server does not offer skills."}</p>${has && html`<button disabled=${server.state !== "ready"} onClick=${() => call("skills/list", {})}>Ask for them</button>`}</${Empty}>`}`;
};

/** Whether a server runs calls as tasks: a capability of its own once, an extension now. @param {Server} server */
const hasTasks = (server) => !!server.info?.capabilities?.tasks || Object.keys(server.info?.capabilities?.extensions || {}).some((one) => /task/.test(one));

export const Tasks = () => {
  version.value;
  const server = now();
  const all = [...tasks.entries()].filter(([, one]) => one.server === current.value);
  const isReady = server.state === "ready";
  const has = hasTasks(server);
  return html`<h1>Tasks</h1><div class="tools">${server.info?.capabilities?.tasks?.list && html`<button disabled=${!isReady} onClick=${() => call("tasks/list", {})}>List again</button>`}</div>
    ${all.length ? html`<div class="wide" tabindex="0" role="region" aria-label="Tasks"><table><thead><tr><th scope="col">Task</th><th scope="col">State</th><th scope="col">Time to live</th><th scope="col">Message</th><th scope="col">Actions</th></tr></thead><tbody>${all.map(([id, one]) => html`<tr><th scope="row">${short(one.taskId, 40)}</th><td class=${`state ${one.status}`}>${short(one.status ?? "", 30)}</td><td>${one.ttl === null ? "no end" : one.ttl !== undefined || one.ttlMs !== undefined ? ms(Number(one.ttl ?? one.ttlMs)) : ""}</td><td>${short(one.statusMessage ?? "")}</td>
      <td><div class="tools"><button disabled=${!isReady || one.isMasked} aria-label=${`State of ${short(one.taskId, 60)}`} onClick=${() => call("tasks/get", { taskId: id })}>State</button><button disabled=${!isReady || one.isMasked} aria-label=${`Result of ${short(one.taskId, 60)}`} onClick=${async () => go("history", String((await call("tasks/result", { taskId: id })).call))}>Result</button><button disabled=${!isReady || one.isMasked} aria-label=${`Cancel ${short(one.taskId, 60)}`} onClick=${() => call("tasks/cancel", { taskId: id })}>Cancel</button></div></td></tr>`)}</tbody></table></div>`
    : html`<${Empty}><p>${has ? "There are no tasks. Call a tool as a task to have one." : "This server does not offer tasks."}</p></${Empty}>`}`;
};

/** A question of the server. @param {{ number: number }} own */
export const Question = ({ number }) => {
  const asked = questions.get(number);
  const [value, set] = useState({});
  const [text, type] = useState("");
  const [fails, failed] = useState("");
  // The page to visit is the one that the server named, whatever is masked of it here.
  const isUrl = asked?.method === "elicitation/create" && asked.params?.mode === "url";
  const [page, lead] = useState("");
  useEffect(() => { if (isUrl) raw({ question: number }, asked.server).then((spoken) => lead(textOf(spoken.params.url ?? "")), (error) => failed(why(error))); }, [isUrl, number]);
  if (!asked) return null;
  const answer = async (/** @type {Record<string, Any>} */ members) => { try { await act("answer", { question: number, ...members }, asked.server); say("Answered"); } catch (error) { failed(why(error)); } };
  const params = asked.params || {};
  if (isUrl) {
    const url = textOf(params.url ?? "");
    let host = "";
    try { host = new URL(url).host; } catch { /* shown as it is */ }
    const isWeb = /^https?:\/\//.test(page);
    return html`<section class="question" aria-label="A page to visit"><p dir="auto"><strong>The server asks:</strong> ${plain(params.message ?? "")}</p><p>It wants this page to be visited, which then knows that you did: <strong>${host || "no host"}</strong></p><${Text} text=${url} />
      <div class="tools">${isWeb && html`<a class="button" href=${page} target="_blank" rel="noopener noreferrer" onClick=${() => answer({ action: "accept" })}>Visit ${host}</a>`}<button onClick=${() => answer({ action: "decline" })}>Decline</button><button onClick=${() => answer({ action: "cancel" })}>Close</button></div>${fails && html`<p class="fault">${plain(fails)}</p>`}</section>`;
  }
  if (asked.method === "elicitation/create") {
    return html`<section class="question" aria-label="A form of the server"><p dir="auto"><strong>The server asks:</strong> ${plain(params.message ?? "")}</p>
      <${Form} schema=${params.requestedSchema} value=${value} set=${set} label="Answer" />${fails && html`<p class="fault">${plain(fails)}</p>`}
      <div class="tools"><button class="main" onClick=${() => answer({ action: "accept", content: value })}>Answer</button><button onClick=${() => answer({ action: "decline" })}>Decline</button><button onClick=${() => answer({ action: "cancel" })}>Close</button></div></section>`;
  }
  if (asked.method === "sampling/createMessage") {
    const result = { role: "assistant", model: "a person", stopReason: "endTurn", content: { type: "text", text } };
    return html`<section class="question" aria-label="A question to a model"><p><strong>The server asks a model:</strong></p>${params.systemPrompt && html`<p dir="auto">${short(params.systemPrompt, 1000)}</p>`}
      ${listOf(params.messages).map((one, at) => html`<div><p class="tag">${short(one?.role ?? "", 20)}</p>${listOf(Array.isArray(one?.content) ? one.content : [one?.content]).map((block) => html`<${Block} block=${block} at=${at} />`)}</div>`)}
      <label class="field">Answer of the model <textarea rows="3" dir="auto" value=${text} onInput=${(event) => type(event.currentTarget.value)}></textarea></label>${fails && html`<p class="fault">${plain(fails)}</p>`}
      <div class="tools"><button class="main" onClick=${() => answer({ result })}>Answer</button><button onClick=${() => answer({})}>Decline</button></div><details><summary>The whole request</summary><${Json} value=${params} label="The whole request" /></details></section>`;
  }
  const roots = text.split("\n").map((line) => line.trim()).filter(Boolean).map((uri) => ({ uri }));
  return html`<section class="question" aria-label="Folders that the server asks for"><p><strong>The server asks for folders (roots).</strong></p><label class="field">URIs, one a line <textarea rows="3" placeholder="file:///home/me/project" value=${text} onInput=${(event) => type(event.currentTarget.value)}></textarea></label>${fails && html`<p class="fault">${plain(fails)}</p>`}
    <div class="tools"><button class="main" onClick=${() => answer({ result: { roots } })}>Answer with ${roots.length}</button><button onClick=${() => answer({})}>Decline</button></div></section>`;
};

export const Requests = () => {
  version.value;
  const all = [...questions.values()].filter((one) => one.server === current.value);
  return html`<h1>Requests of the server</h1>${all.length ? all.map((one) => html`<${Question} key=${one.question} number=${one.question} />`) : html`<${Empty}><p>The server asks nothing now. Its forms, questions to a model and for folders come here, and beside the call that they belong to.</p></${Empty}>`}`;
};

/** The views in which what was asked can be changed. */
const EDITED = table({ "tools/call": "tools", "resources/read": "resources", "prompts/get": "prompts" });
/** @type {{ value: Map<number, string> }} */
const pinned = signal(new Map());
/** @param {{ item: string }} own */
export const History = ({ item }) => {
  version.value;
  const [words, filter] = useState("");
  const [compared, compare] = useState(0);
  const all = [...calls.values()].filter((one) => one.server === current.value).reverse();
  const shown = all.filter((one) => !words || `${one.method} ${write(one.params)}`.toLowerCase().includes(words.toLowerCase()));
  shown.sort((a, b) => (pinned.value.has(b.number) ? 1 : 0) - (pinned.value.has(a.number) ? 1 : 0));
  const made = item !== "" ? calls.get(Number(item)) : null;
  const edit = (/** @type {Made} */ one) => { const view = EDITED[one.method] ?? ""; const name = one.params?.name ?? one.params?.uri; if (one.params?.arguments) { fill(`${current.value} ${view.replace(/s$/, "")} ${name}`, unmasked(one.params.arguments)); if (isMasked(one.params.arguments)) say("What is secret in the arguments is left out: fill it in again", true); } go(view, name); };
  const pin = (/** @type {Made} */ one) => { const next = new Map(pinned.value); if (next.has(one.number)) next.delete(one.number); else next.set(one.number, textOf(one.params?.name ?? one.method)); pinned.value = next; };
  const expectation = (/** @type {Made} */ one) => ["calls:", `  - tool: ${write(one.params?.name ?? "")}`, `    arguments: ${write(one.params?.arguments ?? {})}`, one.result?.isError ? "    fails: true" : `    equal: ${write(one.result?.structuredContent ?? one.result?.content ?? null)}`, ""].join("\n");
  const other = compared ? calls.get(compared) : null;
  const hellos = records.filter((one) => one.server === current.value && one.kind === "message" && one.from === "client" && /^(initialize|server\/discover)$/.test(data(one)?.method ?? "")).slice(-4);
  return html`<h1>History</h1><div class="tools"><label>Filter <input type="search" value=${words} onInput=${(event) => filter(event.currentTarget.value)} /></label><${Save} label="Export" name="history.json" type="application/json" text=${write(all.map(({ method, params, status, result, error, ms }) => ({ method, params, status, ms, result, error })), 2)} /></div>
    ${made && html`<section class="chosen"><h2>${short(made.method, 60)} ${short(made.params?.name ?? made.params?.uri ?? "", 80)}</h2>
      <details><summary>Parameters</summary><${Json} value=${made.params} label="Parameters" /></details><${Call} number=${made.number} onEdit=${EDITED[made.method] ? () => edit(made) : null} />
      <div class="tools"><button aria-pressed=${pinned.value.has(made.number)} onClick=${() => pin(made)}>Pin</button>${pinned.value.has(made.number) && html`<label>Name <input value=${pinned.value.get(made.number)} onInput=${(event) => { pinned.value = new Map(pinned.value).set(made.number, event.currentTarget.value); }} /></label>`}${made.method === "tools/call" && html`<${Save} label="Expect (mcp test)" name="calls.yaml" type="application/yaml" text=${expectation(made)} />`}
      <label>Compare with <select onChange=${(event) => compare(Number(event.currentTarget.value))}><option value="0">nothing</option>${all.filter((one) => one.number !== made.number && one.method === made.method).slice(0, 50).map((one) => html`<option value=${String(one.number)}>${short(`${one.number} ${one.params?.name ?? ""} ${write(one.params?.arguments ?? {})}`, 60)}</option>`)}</select></label></div>
      ${other && html`<h3>What differs from call ${other.number}</h3><${Lines} before=${write(other.error ?? other.result, 2)} after=${write(made.error ?? made.result, 2)} />`}</section>`}
    ${hellos.length > 0 && html`<p>${hellos.map((one) => html`<a href=${href("traffic", String((one.span?.answer ?? one).n))}>${data(one).method}</a> `)}with the answer, in the traffic</p>`}
    ${shown.length ? html`<ul class="rows">${shown.slice(0, 300).map((one) => html`<li><a aria-current=${String(one.number) === item ? "true" : undefined} href=${href("history", String(one.number))}><span class=${`state ${stateOf(one)[0]}`}>${stateOf(one)[1]}</span>${short(one.method, 40)} ${short(one.params?.name ?? one.params?.uri ?? "", 60)}</a> <span class="type">${ms(one.ms)}${one.by === "program" ? " \u00b7 by the program" : ""}${pinned.value.has(one.number) ? ` \u00b7 pinned: ${short(pinned.value.get(one.number), 60)}` : ""}</span></li>`)}</ul>` : html`<${Empty}><p>Nothing was called yet. <a href="#/tools">Choose a tool.</a></p></${Empty}>`}`;
};

/**
 * Two texts line by line: what is only in one of them.
 * @param {string} before
 * @param {string} after
 */
export function differing(before, after) {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [x, y] = [a.slice(start, a.length - end).slice(0, 400), b.slice(start, b.length - end).slice(0, 400)];
  // The longest common part, line by line.
  const common = Array.from({ length: x.length + 1 }, () => new Uint16Array(y.length + 1));
  for (let i = x.length - 1; i >= 0; i--) for (let j = y.length - 1; j >= 0; j--) common[i][j] = x[i] === y[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
  const out = a.slice(Math.max(0, start - 2), start).map((line) => [" ", line]);
  let [i, j] = [0, 0];
  while (i < x.length || j < y.length) {
    if (i < x.length && j < y.length && x[i] === y[j]) { out.push([" ", x[i]]); i++; j++; } else if (j < y.length && (i >= x.length || common[i][j + 1] >= common[i + 1][j])) out.push(["+", y[j++]]); else out.push(["-", x[i++]]);
  }
  return [...out, ...a.slice(a.length - end, a.length - end + 2).map((line) => [" ", line])];
}
const HOW = table({ "+": "added", "-": "removed" });
/** @param {{ before: string, after: string }} own */
const Lines = ({ before, after }) => (before === after ? html`<p>Nothing differs.</p>` : html`<ul class="difference">${differing(before, after).map(([how, line]) => html`<li class=${HOW[how] ?? ""}><span aria-label=${HOW[how] ?? "same"}>${how}</span> <code dir="auto">${plain(line)}</code></li>`)}</ul>`);

const snapshot = signal(/** @type {Any} */ (null));
export const Changes = () => {
  version.value;
  const server = now();
  const from = snapshot.value;
  /** @type {Lists} */
  const before = from ? Object.fromEntries(["tools", "resources", "resourceTemplates", "prompts"].map((member) => [member, { items: listOf(from[member]).map((one) => one?.definition).filter(isObject) }])) : server.before;
  const open = async (/** @type {Any} */ event) => { const file = event.currentTarget.files[0]; if (!file) return; try { const read = parse(await file.text()); if (read.snapshot !== 1) throw new Error(`${file.name} is no snapshot: mcp snapshot TARGET --into FILE makes one`); snapshot.value = read; } catch (error) { say(why(error), true); } };
  const rows = [];
  for (const [member = "", key = ""] of Object.values(KINDS).flat()) {
    if (!before[member] || !server.lists[member]) continue;
    const old = new Map(before[member].items.map((/** @type {Any} */ one) => [textOf(one[key]), one]));
    for (const one of server.lists[member].items) {
      const was = old.get(textOf(one[key]));
      old.delete(textOf(one[key]));
      if (!was) rows.push(["added", member, one[key], "", write(one, 2)]);
      else if (write(was, 2) !== write(one, 2)) rows.push(["changed", member, one[key], write(was, 2), write(one, 2)]);
    }
    for (const [name, one] of old) rows.push(["removed", member, name, write(one, 2), ""]);
  }
  return html`<h1>Changes</h1><p class="tools"><label>Compare with a snapshot (a file) <input type="file" accept=".json,application/json" onChange=${open} /></label>${from && html`<button onClick=${() => { snapshot.value = null; }}>Compare with the last start</button>`}</p>
    ${about.value.dev && html`<p><label><input type="checkbox" checked=${repeats.value} onChange=${(event) => { repeats.value = event.currentTarget.checked; }} /> After each start, make the last call of a tool again</label></p>`}
    ${builds.value && html`<${Build} />`}
    ${rows.length ? rows.map(([how, member, name, old, next]) => html`<details><summary><strong>${how}</strong> ${member}: ${short(name, 100)}</summary><${Lines} before=${old} after=${next} /></details>`) : html`<${Empty}><p>${from || Object.keys(before).length ? "Nothing that the server offers has changed." : "There is nothing to compare with yet: start the server again, or open a snapshot."}</p></${Empty}>`}`;
};
const Build = () => {
  const build = builds.value;
  return build && html`<section class=${build.ok ? "notice" : "notice failed"} aria-label="Build"><p><strong>${build.ok ? "built" : "the build failed: the server stays as it was"}</strong> <code>${short(build.command ?? "", 200)}</code></p>${build.output && html`<${Text} text=${build.output} />`}</section>`;
};

export const Doctor = () => {
  version.value;
  const [grade, only] = useState("all");
  const server = now();
  const doctor = server.doctor;
  const findings = doctor?.report?.findings || [];
  const shown = findings.filter((one) => grade === "all" ? one.grade !== "good" : one.grade === grade);
  return html`<h1>Doctor</h1><p>The server is started again and examined in every revision, as <code>mcp doctor</code> does.</p>
    <div class="tools"><button class="main" disabled=${server.state === "file" || doctor?.state === "running"} onClick=${() => act("doctor", {})}>${doctor?.state === "running" ? "Examining\u2026" : "Examine"}</button>
    ${doctor?.report && html`<label>Show <select value=${grade} onChange=${(event) => only(event.currentTarget.value)}>${["all", "fault", "advice", "good"].map((one) => html`<option selected=${one === grade}>${one}</option>`)}</select></label><${Save} label="Save the report" name="doctor.json" type="application/json" text=${write(doctor.report, 2)} />`}</div>
    ${doctor?.state === "failed" && html`<p class="fault">${plain(doctor.message ?? "")}</p>`}
    ${doctor?.report && html`<p role="status">${doctor.report.faults} faults, ${doctor.report.advice} pieces of advice.</p><div class="wide" tabindex="0" role="region" aria-label="Revisions"><table><thead><tr><th scope="col">Revision</th><th scope="col">Spoken</th></tr></thead><tbody>${(doctor.report.revisions || []).map((one) => html`<tr><th scope="row">${one.revision}</th><td dir="auto">${one.why ? plain(one.why) : ms(one.milliseconds)}</td></tr>`)}</tbody></table></div>
      ${Array.isArray(doctor.report.hosts) && doctor.report.hosts.length > 0 && html`<h2>What hosts take</h2><div class="wide" tabindex="0" role="region" aria-label="Verdicts of hosts"><table><thead><tr><th scope="col">Host</th><th scope="col">Verdict</th><th scope="col">Rules read at</th></tr></thead><tbody>${doctor.report.hosts.map((one) => html`<tr><th scope="row">${short(one.host, 40)}</th><td>${one.faults.length ? html`<details><summary><span class="state fault">refuses ${one.faults.length}</span></summary><ul>${one.faults.slice(0, 100).map((fault) => html`<li><strong>${short(fault.about, 80)}</strong>: ${plain(fault.what)} <em>${plain(fault.fix)}</em></li>`)}</ul></details>` : html`<span class="state good">takes all</span>`}</td><td>${short(one.source, 80)}</td></tr>`)}</tbody></table></div>`}
      <ul class="rows">${shown.map((one) => html`<li><p><strong class=${`state ${one.grade}`}>${one.grade}</strong> <span class="tag">${short(one.about)}</span></p><p dir="auto">${plain(one.what)}</p>${one.fix && html`<p class="about">${plain(one.fix)}</p>`}</li>`)}</ul>`}`;
};

export const Login = () => {
  version.value;
  const server = now();
  const steps = records.filter((one) => one.server === current.value && one.kind === "http" && /well-known|oauth|token|authorize|register/i.test(textOf(data(one)?.url)));
  const isHttp = server.info?.transport ? /http/.test(server.info.transport) : (server.place?.words || []).some((word) => /^https?:/.test(word));
  return html`<h1>Login</h1>${!isHttp ? html`<${Empty}><p>Logins are for servers at a URL.</p></${Empty}>` : html`<div class="tools"><button onClick=${() => act("connect", { login: true }).catch(() => {})}>Log in</button><button disabled=${server.state !== "ready"} onClick=${() => act("logout", {}).catch(() => {})}>Log out</button><${Copy} label="Copy mcp logout" text=${() => forShell(() => `mcp logout ${(server.place?.words || []).map(operand).join(" ")}`)} /></div>${server.login && server.state === "connecting" && html`<${LoginLink} />`}
    ${steps.length ? html`<ol class="rows">${steps.map((one) => { const it = data(one); return html`<li><details><summary><strong>${textOf(it.status ?? it.error ?? "")}</strong> ${short(`${it.verb ?? it.step ?? ""} ${it.url ?? ""}`, 120)}</summary><${Json} value=${it} label="Exchange" /></details></li>`; })}</ol>` : html`<${Empty}><p>No step of a login was seen.</p></${Empty}>`}`}`;
};

export const Apps = () => {
  version.value;
  const with_ = itemsOf("tools").filter(({ name }) => appOf({ server: current.value, params: { name } }));
  return html`<h1>Apps</h1>${with_.length ? html`<ul class="rows">${with_.map(({ item, name }) => html`<li><a href=${href("tools", name)}>${short(item.title ?? name)}</a> <span class="tag">${short(appOf({ server: current.value, params: { name } }))}</span></li>`)}</ul><p>Call the tool: its app is shown below the result.</p>` : html`<${Empty}><p>No tool of this server has an app (a resource at <code>ui://</code>).</p></${Empty}>`}`;
};

export const saveTrace = async () => { try { save("trace.jsonl", "application/jsonl", kept.value || (await ask("trace"))); say("The trace was saved"); } catch (error) { say(why(error), true); } };
/** The page itself as one file with what was seen; of a file that was dropped here the program knows nothing. */
export const savePage = async () => { try { save("mcp.html", "text/html", await ask("html")); say("The page was saved with the trace in it"); } catch (error) { say(why(error), true); } };
