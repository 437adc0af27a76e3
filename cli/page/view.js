// Small parts that several views are made of.
import { html, useState, useMemo, useEffect, useRef } from "./vendor.js";
import { parse, write, isObject, listOf, textOf, why, Num } from "./json.js";
import { act, whole, say, version } from "./state.js";

/** How a call stands: a tool that reports an error has not failed for the protocol, and has for a person. @param {Made} made */
export const stateOf = (made) => (made.status === "open" ? ["open", "under way"] : made.status === "ok" && made.result?.isError === true ? ["failed", "tool error"] : [made.status, made.status]);

/** More than this is shown when it is asked for. */
const LONG = 256 << 10;
const MANY = 100;

// Characters that are not seen, or that turn a text around, are shown by their numbers.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;
/** A text of a server for people. @param {Any} text */
export const plain = (text) => textOf(text).replace(HIDDEN, (one) => `\u27e8U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}\u27e9`);
/** @type {(text: Any, most?: number) => string} */
export const short = (text, most = 120) => { const line = plain(text).replace(/\s+/g, " "); return line.length > most ? line.slice(0, most - 1) + "\u2026" : line; };

/**
 * A part of the page that stays by itself: what cannot be drawn in it is said there, and the rest of the page goes on.
 * @type {(this: Any, own: { name: string, children?: Any }) => Any}
 */
export function Part({ name, children }) {
  const [fails, failed] = useState("");
  // The instance of a component catches what is thrown by those below it.
  this.componentDidCatch = (/** @type {unknown} */ error) => failed(why(error) || "a fault of the page");
  return fails === "" ? children : html`<section class="notice failed" role="alert" aria-label=${name}><p>The ${name} cannot be shown: ${plain(fails)}</p><p class="tools"><button onClick=${() => failed("")}>Try again</button></p></section>`;
}

/** @param {number | null} [time] */
export const ms = (time) => (time === undefined || time === null ? "" : time < 1000 ? `${time < 10 ? time.toFixed(1) : Math.round(time)} ms` : `${(time / 1000).toFixed(time < 10000 ? 2 : 1)} s`);
/** @param {number} bytes */
export const size = (bytes) => (bytes < 1024 ? `${bytes} bytes` : bytes < 1 << 20 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / (1 << 20)).toFixed(1)} MiB`);

/** @param {{ text: Any, most?: number, prose?: boolean }} own */
export const Text = ({ text, most = LONG, prose = false }) => {
  const [all, show] = useState(false);
  const whole = useMemo(() => plain(text), [text]);
  const isLong = whole.length > most && !all;
  return html`<pre class=${prose ? "text prose" : "text"} dir="auto" tabindex="0">${isLong ? whole.slice(0, 4096) + "\u2026" : whole}</pre>
    ${isLong && html`<p><button onClick=${() => show(true)}>Show all ${size(whole.length)}</button> <${Save} name="text.txt" type="text/plain" text=${text} /></p>`}`;
};

/**
 * Saves something that is here as a file.
 * @param {string} name
 * @param {string} type
 * @param {BlobPart} content
 */
export function save(name, type, content) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name.replace(/[^\w.-]+/g, "_").slice(0, 100) || "file";
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
/** @param {{ name: string, type: string, text: BlobPart | (() => BlobPart), label?: string }} own */
export const Save = ({ name, type, text, label = "Save" }) => html`<button onClick=${() => save(name, type, typeof text === "function" ? text() : text)}>${label}</button>`;

/** @param {{ text: string | (() => string | Promise<string>), label?: string }} own */
export const Copy = ({ text, label = "Copy" }) => {
  const copy = async () => {
    try { await navigator.clipboard.writeText(typeof text === "function" ? await text() : text); say("Copied"); } catch (error) { say(`The browser did not copy: ${why(error)}`, true); }
  };
  return html`<button onClick=${copy}>${label}</button>`;
};

/** @param {Any} value */
const leaf = (value) => (value instanceof Num ? ["number", value.text] : value === null ? ["null", "null"] : typeof value === "string" ? ["string", JSON.stringify(plain(value))] : [typeof value, String(value)]);

/** @type {(value: Any, words: string) => boolean} */
const holds = (value, words) => (value === null || typeof value !== "object" || value instanceof Num ? String(value).toLowerCase().includes(words) : Object.entries(value).some(([key, one]) => key.toLowerCase().includes(words) || holds(one, words)));

/** @param {{ name?: string, value: Any, depth: number, words: string }} own */
const Node = ({ name, value, depth, words }) => {
  const isTree = value !== null && typeof value === "object" && !(value instanceof Num);
  const [isOpen, open] = useState(depth < 2);
  const [most, more] = useState(MANY);
  const key = name === undefined ? "" : html`<span class="key">${plain(name)}</span>: `;
  if (!isTree) {
    const [kind, text] = leaf(value);
    return html`<li class=${words && (String(name).toLowerCase().includes(words) || text.toLowerCase().includes(words)) ? "found" : ""}>${key}<span class=${kind} dir="auto">${text.length > 20000 ? text.slice(0, 2000) + "\u2026" : text}</span></li>`;
  }
  let all = Object.entries(value);
  if (words) all = all.filter(([key, one]) => key.toLowerCase().includes(words) || holds(one, words) || String(name).toLowerCase().includes(words));
  const isArray = Array.isArray(value);
  const count = isArray ? `[${value.length}]` : `{${Object.keys(value).length}}`;
  if (!all.length) return html`<li>${key}<span class="null">${isArray ? "[]" : "{}"}</span></li>`;
  return html`<li><details open=${isOpen || !!words} onToggle=${(event) => open(event.currentTarget.open)}>
    <summary>${key}<span class="count">${count}</span></summary>
    ${(isOpen || words) && html`<ul>${all.slice(0, most).map(([key, one]) => html`<${Node} key=${key} name=${key} value=${one} depth=${depth + 1} words=${words} />`)}
      ${all.length > most && html`<li><button onClick=${() => more(most * 10)}>${all.length - most} more</button></li>`}</ul>`}
  </details></li>`;
};

/** A JSON value as a tree that can be searched. @param {{ value: Any, label?: string, name?: string }} own */
export const Json = ({ value, label = "JSON", name = "value.json" }) => {
  const [words, search] = useState("");
  const [isTree, tree] = useState(true);
  const isLarge = value !== null && typeof value === "object" && !(value instanceof Num);
  return html`<div class="json">
    ${isLarge && html`<div class="tools"><label>Search <input type="search" aria-label=${`Search in ${label}`} value=${words} onInput=${(event) => search(event.currentTarget.value)} /></label>
      <button aria-pressed=${!isTree} onClick=${() => tree(!isTree)}>As text</button><${Copy} text=${() => write(value, 2)} /><${Save} name=${name} type="application/json" text=${() => write(value, 2)} /></div>`}
    ${isTree ? html`<ul class="tree" aria-label=${label}><${Node} value=${value} depth=${0} words=${words.toLowerCase()} /></ul>` : html`<${Text} text=${write(value, 2)} />`}
  </div>`;
};

/** The text of a block as JSON, where it is an object or array of that. @param {Any} text */
function asJson(text) {
  if (typeof text !== "string" || !/^\s*[[{]/.test(text) || text.length > 4 << 20) return undefined;
  try { return parse(text); } catch { return undefined; }
}

/** @param {string} base64 */
const bytesOf = (base64) => { try { return Uint8Array.from(atob(base64), (one) => one.charCodeAt(0)); } catch { return null; } };

/** Sound plays from a blob; the address of one is given back when it is gone. @param {{ bytes: Uint8Array<ArrayBuffer>, type: string }} own */
const Audio = ({ bytes, type }) => {
  const [url, put] = useState("");
  useEffect(() => { const made = URL.createObjectURL(new Blob([bytes], { type })); put(made); return () => URL.revokeObjectURL(made); }, []);
  return url && html`<audio controls src=${url} aria-label="Audio of the result"></audio>`;
};

/** @param {{ text: string }} own */
const Csv = ({ text }) => {
  const rows = text.split(/\r?\n/).filter(Boolean).slice(0, 200).map((line) => (line.match(/("([^"]|"")*"|[^,]*)(,|$)/g) ?? []).slice(0, 50).map((cell) => cell.replace(/,$/, "").replace(/^"|"$/g, "").replaceAll('""', '"')));
  return html`<div class="wide" tabindex="0" role="region" aria-label="Table"><table><tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td dir="auto">${plain(cell)}</td>`)}</tr>`)}</tbody></table></div>`;
};

/** Markdown as elements: headings, lists, code, emphasis; no HTML and no pictures of others. @param {{ text: string }} own */
const Markdown = ({ text }) => {
  const inline = (/** @type {string} */ line) => plain(line).split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)\s]+\))/).map((part) => (/^`[^`]+`$/.test(part) ? html`<code>${part.slice(1, -1)}</code>` : /^\*\*[^*]+\*\*$/.test(part) ? html`<strong>${part.slice(2, -2)}</strong>` : /^\[[^\]]+\]\(/.test(part) ? html`<span class="link">${part.replace(/^\[([^\]]+)\]\((.*)\)$/, "$1 <$2>")}</span>` : part));
  const out = [];
  /** @type {string[] | null} */
  let code = null;
  for (const line of text.split("\n").slice(0, 5000)) {
    if (/^\s*```/.test(line)) { if (code) { out.push(html`<pre class="text">${plain(code.join("\n"))}</pre>`); code = null; } else code = []; continue; }
    if (code) { code.push(line); continue; }
    const head = /^(#{1,6}) +(.*)/.exec(line);
    const item = /^\s*(?:[-*+]|\d+[.)]) +(.*)/.exec(line);
    if (head) out.push(html`<p class="heading"><strong>${inline(head[2])}</strong></p>`);
    else if (item) out.push(html`<p class="entry">\u2022 ${inline(item[1])}</p>`);
    else if (line.trim()) out.push(html`<p dir="auto">${inline(line)}</p>`);
  }
  if (code) out.push(html`<pre class="text">${plain(code.join("\n"))}</pre>`);
  return html`<div class="markdown">${out}</div>`;
};

/** HTML in a frame of another origin in which no script runs; only when it is asked for. @param {{ call: Made, at: number }} own */
const Framed = ({ call, at }) => {
  const [url, put] = useState("");
  const show = async () => { try { put(url ? "" : (await act("html", { call: call.number, block: at }, call.server)).url); } catch { /* it is said already */ } };
  return html`<p class="tools"><button aria-pressed=${url !== ""} onClick=${show}>Show it without scripts</button></p>${url && html`<iframe title=${`HTML of block ${at + 1}`} src=${url} sandbox="" referrerpolicy="no-referrer" height="300"></iframe>`}`;
};

/** What a text is shown as, by its type or by what it looks like. @param {{ text: string, type?: string, name?: string }} own */
export const Shown = ({ text, type = "", name = "text" }) => {
  const [raw, show] = useState(false);
  const value = useMemo(() => (raw ? undefined : asJson(text)), [text, raw]);
  const kind = value !== undefined ? "json" : /markdown/.test(type) || /^#{1,3} |\n#{1,3} |\n```/.test(text) ? "markdown" : /csv/.test(type) ? "csv" : "text";
  return html`<div>${kind !== "text" && html`<div class="tools"><button aria-pressed=${raw} onClick=${() => show(!raw)}>As it is</button></div>`}
    ${raw || kind === "text" ? html`<${Text} text=${text} />` : kind === "json" ? html`<${Json} value=${value} label=${name} />` : kind === "csv" ? html`<${Csv} text=${text} />` : html`<${Markdown} text=${text} />`}</div>`;
};

const PICTURES = /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)$/;
/** One content of a result or a resource. @param {{ block: Any, at: number, call?: Made }} own */
export const Block = ({ block, at, call }) => {
  if (!isObject(block)) return html`<${Json} value=${block} />`;
  const inner = isObject(block.resource) ? block.resource : block;
  const type = textOf(inner.mimeType || "");
  const name = textOf(inner.uri || block.name || `block-${at + 1}`);
  if (typeof inner.text === "string") return html`<figure>${inner.uri && html`<figcaption>${short(inner.uri)} ${type && html`<span class="tag">${short(type, 40)}</span>`}</figcaption>`}<${Shown} text=${inner.text} type=${type} name=${short(name, 60)} />${/^text\/html\b/.test(type) && call && call.number > 0 && html`<${Framed} call=${call} at=${at} />`}</figure>`;
  const encoded = typeof block.data === "string" ? block.data : inner.blob;
  if (typeof encoded === "string") {
    const bytes = bytesOf(encoded);
    if (!bytes) return html`<figure><figcaption>${short(type || block.type)}: the data is not Base64</figcaption><${Text} text=${encoded} most=${400} /></figure>`;
    return html`<figure><figcaption>${short(type || "data")}, ${size(bytes.length)} <${Save} name=${name} type=${type} text=${bytes} /></figcaption>
      ${PICTURES.test(type) ? html`<img alt=${`Picture ${at + 1} of the result`} src=${`data:${type};base64,${encoded}`} />` : type.startsWith("audio/") ? html`<${Audio} bytes=${bytes} type=${type} />` : null}</figure>`;
  }
  if (block.type === "resource_link" && typeof block.uri === "string") return html`<p><a href=${`#/resources/${encodeURIComponent(block.uri)}`}>${short(block.title || block.name || block.uri)}</a> <span class="tag">${short(block.uri)}</span></p>`;
  return html`<${Json} value=${block} label=${`Block ${at + 1}`} />`;
};

/** What a request came to. @param {{ call: Made }} own */
export const Result = ({ call }) => {
  version.value;
  const [, again] = useState(0);
  const [fails, failed] = useState("");
  if (call.status === "open") return null;
  if (call.isLong && call.outcome) {
    const record = call.outcome;
    const get = async () => { try { const read = parse((await whole(record)).text); Object.assign(call, { result: read.result, error: read.error, isLong: false }); again(1); } catch (error) { failed(why(error)); } };
    return html`<p>The result has ${size(record.cut ?? 0)}. <button onClick=${get}>Show all</button> ${fails}</p><${Text} text=${JSON.parse(record.text)} most=${4096} />`;
  }
  if (call.error) {
    return html`<div class="fault" role="group" aria-label="Error"><p><strong>${short(call.error.code ?? "error", 60)}</strong>: ${plain(call.error.message ?? "")}</p>
      ${call.error.details !== undefined && html`<details><summary>Details</summary><${Json} value=${call.error.details} label="Details of the error" /></details>`}</div>`;
  }
  const result = call.result;
  if (!isObject(result)) return html`<${Json} value=${result} />`;
  /** @type {Any[] | null} */
  const blocks = Array.isArray(result.content) ? result.content : Array.isArray(result.contents) ? result.contents : null;
  const rest = Object.fromEntries(Object.entries(result).filter(([key]) => !["content", "contents", "structuredContent", "isError"].includes(key)));
  return html`<div>
    ${result.isError === true && html`<p class="fault"><strong>The tool reports an error.</strong></p>`}
    ${listOf(result.messages).slice(0, 200).map((one, at) => html`<section class="message"><p class="tag">${short(one?.role ?? "", 20)}</p><${Block} block=${one?.content} at=${at} /></section>`)}
    ${blocks && blocks.slice(0, 200).map((block, at) => html`<${Block} key=${at} block=${block} at=${at} call=${call} />`)}
    ${blocks && blocks.length > 200 && html`<p>${blocks.length - 200} more blocks are in the message.</p>`}
    ${result.structuredContent !== undefined && html`<details open=${!blocks?.length}><summary>Structured content</summary><${Json} value=${result.structuredContent} label="Structured content" /></details>`}
    ${!blocks && !Array.isArray(result.messages) ? html`<${Json} value=${result} label="Result" />` : Object.keys(rest).some((key) => key !== "messages") && html`<details><summary>More of the result</summary><${Json} value=${rest} label="More of the result" /></details>`}
  </div>`;
};

/** A menu of a few actions. @param {{ label: string, children?: Any }} own */
export const Menu = ({ label, children }) => {
  const own = useRef(/** @type {HTMLDetailsElement | null} */ (null));
  useEffect(() => {
    const away = (/** @type {MouseEvent} */ event) => { if (own.current?.open && event.target instanceof Element && !own.current.contains(event.target)) own.current.open = false; };
    addEventListener("click", away);
    return () => removeEventListener("click", away);
  }, []);
  const key = (/** @type {KeyboardEvent} */ event) => { if (event.key === "Escape" && own.current?.open) { own.current.open = false; own.current.querySelector("summary")?.focus(); event.stopPropagation(); } };
  return html`<details class="menu" ref=${own} onKeyDown=${key}><summary>${label}</summary><div>${children}</div></details>`;
};
