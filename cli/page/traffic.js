// What was spoken: messages, exchanges of HTTP, standard error; and the same as a plot of times.
import { html, useState, useMemo, useRef, useEffect, useCallback } from "./vendor.js";
import { table, textOf, why } from "./json.js";
import { current, data, missing, records, say, spans, tasks, version, whole } from "./state.js";
import { Copy, Json, Text, ms, plain, save as saveFile, short, size } from "./view.js";
import { saveTrace } from "./views.js";

const SHOWN = { message: "messages", http: "HTTP", stderr: "stderr", text: "text that is not a message", lost: "lost", remark: "remarks" };
const ROWS = 300;

/** How long a request took. @param {Span | Bar} span */
const timeOf = (span) => (span.end ?? span.begin) - span.begin;

/** What a record is, in a line. @param {Rec} record */
export function line(record) {
  const value = record.cut ? null : data(record);
  if (record.kind === "message") {
    if (record.cut) return `${record.span?.method ?? "a message"}, ${size(record.cut)}`;
    const one = Array.isArray(value) ? value[0] : value;
    if (one?.method) return one.id === undefined ? textOf(one.method) : `${textOf(one.method)} ${textOf(one.params?.name ?? one.params?.uri ?? "")}`;
    return `${one?.error ? "error of" : "result of"} ${record.span?.method ?? "a request"}`;
  }
  if (record.kind === "http") return value?.status ? `${value.status} ${value.verb ?? ""} ${value.method ?? value.step ?? ""}` : value?.error ? `no answer: ${value.error}` : `${value?.verb ?? ""} ${value?.url ?? ""} ${value?.body ?? ""}`;
  if (record.kind === "lost") return `${record.text} messages are not here: they came too quickly`;
  if (record.kind === "remark") return textOf(value?.what ?? value?.event ?? "");
  return typeof value === "string" ? value : record.text;
}
/** @param {Rec} record */
const arrow = (record) => (record.kind === "stderr" ? "!" : record.kind === "http" ? "\u21c4" : record.from === "client" ? "\u2192" : "\u2190");
/** @param {Rec} record */
const spoken = (record) => (record.kind === "stderr" ? "standard error" : record.kind === "http" ? "HTTP" : record.from === "client" ? "sent" : "received");

/** @param {{ record: Rec, isOpen: boolean, toggle: (n: number) => void }} own */
const Record = ({ record, isOpen, toggle }) => {
  // What reads a signal is drawn again when that changes or its members do, and not for each record that comes.
  current.value;
  const [, again] = useState(0);
  const show = async () => { try { await whole(record); again(1); } catch (error) { say(why(error), true); } };
  const value = isOpen && !record.cut ? data(record) : null;
  const failed = record.span?.answer === record && record.span.failed;
  return html`<li class=${`record ${record.kind}`}><button class="line" aria-expanded=${isOpen} onClick=${() => toggle(record.n)}><span class="time">${record.t.toFixed(1)}</span> <span aria-hidden="true">${arrow(record)}</span><span class="away"> ${spoken(record)} </span> <span dir="auto" class=${failed ? "fault" : ""}>${failed ? "\u2717 " : ""}${short(line(record), 160)}</span>${record.span?.answer === record && html` <span class="type">${ms(timeOf(record.span))}</span>`}</button>
    ${isOpen && html`<div class="detail">${record.cut ? html`<p>${size(record.cut)} <button onClick=${show}>Show all</button></p><${Text} text=${JSON.parse(record.text)} />` : typeof value === "string" ? html`<${Text} text=${value} />` : html`<${Json} value=${value} label="Message" name=${`record-${record.n}.json`} />`}</div>`}</li>`;
};

/** The records that are shown, newest last; with a filter. @param {{ kinds: Set<string>, chosen?: string, save?: (rows: Rec[]) => void }} own */
export const List = ({ kinds, chosen, save }) => {
  version.value;
  const [words, filter] = useState("");
  const [open, toggle] = useState(Number(chosen) || 0);
  const [most, more] = useState(ROWS);
  const [follows, follow] = useState(true);
  const end = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => { if (chosen) toggle(Number(chosen)); }, [chosen]);
  const flip = useCallback((/** @type {number} */ n) => toggle((now) => (now === n ? 0 : n)), []);
  const wanted = words.toLowerCase();
  /** @type {Rec[]} */
  const rows = [];
  let left = 0;
  for (let at = records.length - 1; at >= 0; at--) {
    const one = records[at];
    if (!one || one.server !== current.value || !kinds.has(one.kind)) continue;
    if (wanted && !one.text.toLowerCase().includes(wanted) && !line(one).toLowerCase().includes(wanted)) continue;
    if (rows.length < most || one.n === open) rows.push(one); else left++;
  }
  rows.reverse();
  const last = rows.at(-1)?.n;
  useEffect(() => { if (follows && end.current) end.current.scrollTop = end.current.scrollHeight; }, [last, follows]);
  const scrolled = (/** @type {Any} */ event) => { const own = event.currentTarget; follow(own.scrollHeight - own.scrollTop - own.clientHeight < 40); };
  return html`<div class="tools"><label>Filter <input type="search" aria-label="Filter the traffic" value=${words} onInput=${(event) => filter(event.currentTarget.value)} /></label></div>
    ${(missing.older > 0 || missing.lost > 0) && html`<p class="about">${missing.older > 0 && `${missing.older} older records are in the saved file only. `}${missing.lost > 0 && `${missing.lost} were lost.`}</p>`}
    ${rows.length > 0 && save && html`<p class="tools"><button onClick=${() => save(rows)}>Save these ${rows.length}</button></p>`}
    ${left > 0 && html`<button onClick=${() => more(most * 4)}>${left} earlier ones</button>`}
    ${rows.length ? html`<ol class="records" ref=${end} onScroll=${scrolled} tabindex="0" aria-label="Records">${rows.map((one) => html`<${Record} key=${one.n} record=${one} isOpen=${one.n === open} toggle=${flip} />`)}</ol>` : html`<p class="empty">${wanted ? "Nothing fits the filter." : "Nothing was seen yet."}</p>`}`;
};

/** The traffic beside the item. */
export const Traffic = () => html`<${List} kinds=${new Set(["message", "stderr", "text", "lost", "remark"])} />`;

const LANES = [["sent", "requests of the client"], ["received", "requests of the server"], ["notifications", "notifications"], ["tasks", "tasks"], ["http", "HTTP"], ["stderr", "standard error"]];
/** @param {Rec} record */
const laneOf = (record) => (record.kind === "http" ? 4 : record.kind === "stderr" ? 5 : 2);
/** Tasks as spans: from when one was first told of until it was over. */
const TASKS = 3;
/** @type {(server: number) => Bar[]} */
const spansOf = (server) => [...tasks.entries()].filter(([, one]) => one.server === server).slice(-300).map(([, one]) => ({ method: "task", name: one.taskId, from: "task", begin: one.begin, end: one.end, failed: one.status === "failed" || one.status === "cancelled", state: one.status }));
const laneNames = table({ client: "sent", server: "received", task: "task" });

const Timeline = () => {
  version.value;
  const [zoom, set] = useState(1);
  const [asTable, table] = useState(false);
  /** @type {Bar[]} */
  const mine = [...spans.filter((one) => one.server === current.value).slice(-1000), ...spansOf(current.value)];
  const points = records.filter((one) => one.server === current.value && (one.kind === "stderr" || one.kind === "http" || (one.kind === "message" && !one.cut && data(one)?.method && data(one).id === undefined))).slice(-1000);
  if (!mine.length && !points.length) return html`<p class="empty">Nothing was seen yet.</p>`;
  const latest = records.at(-1)?.t ?? 0;
  const times = [...mine.map((one) => one.begin), ...points.map((one) => one.t)];
  const begin = Math.min(...times);
  const end = Math.max(latest, ...mine.map((one) => one.end ?? 0)) + 1;
  const width = 900 * zoom;
  const x = (/** @type {number} */ t) => 10 + ((t - begin) / (end - begin)) * (width - 20);
  /** @type {Map<number, number[]>} */
  const ends = new Map([[0, []], [1, []], [TASKS, []]]);
  const bars = mine.map((one) => {
    const lane = one.from === "client" ? 0 : one.from === "server" ? 1 : TASKS;
    const rows = ends.get(lane) ?? [];
    let row = rows.findIndex((until) => until <= one.begin);
    if (row < 0) row = Math.min(rows.length, 7);
    rows[row] = one.end ?? end;
    return { one, lane, row };
  });
  const heights = LANES.map((_, at) => { const rows = ends.get(at); return rows ? Math.max(1, rows.length) * 14 : 16; });
  const tops = heights.map((_, at) => heights.slice(0, at).reduce((sum, one) => sum + one + 18, 34));
  const total = (tops.at(-1) ?? 0) + (heights.at(-1) ?? 0) + 10;
  const name = (/** @type {Bar} */ one) => `${one.method} ${textOf(one.name ?? "")}: ${one.end === null ? one.state ?? "no answer yet" : ms(timeOf(one))}${one.failed ? ", failed" : ""}, at ${one.begin.toFixed(1)} ms`;
  /** @type {Map<string, number[]>} */
  const byMethod = new Map();
  for (const one of mine) if (one.end !== null && one.from !== "task") byMethod.set(one.method, [...(byMethod.get(one.method) || []), timeOf(one)]);
  return html`<div class="tools"><label>Zoom <input type="range" min="1" max="20" step="1" value=${zoom} onInput=${(event) => set(Number(event.currentTarget.value))} /></label><button aria-pressed=${asTable} onClick=${() => table(!asTable)}>As a table</button></div>
    ${asTable ? html`<div class="wide" tabindex="0" role="region" aria-label="Requests by time"><table><thead><tr><th scope="col">Begin (ms)</th><th scope="col">Lane</th><th scope="col">Request</th><th scope="col">Time</th></tr></thead><tbody>${mine.slice(-300).map((one) => html`<tr><td>${one.begin.toFixed(1)}</td><td>${laneNames[one.from]}</td><th scope="row">${short(`${one.method} ${textOf(one.name ?? "")}`, 80)}</th><td>${one.end === null ? "open" : ms(timeOf(one))}${one.failed ? " failed" : ""}</td></tr>`)}</tbody></table></div>`
    : html`<div class="wide" tabindex="0" role="region" aria-label="Plot of times"><svg width=${width} height=${total} role="img" aria-label=${`${mine.length} requests and ${points.length} other events in ${ms(end - begin)}; the table has the same`}>
      ${[0, 0.25, 0.5, 0.75, 1].map((part) => html`<line class="tick" x1=${x(begin + part * (end - begin))} x2=${x(begin + part * (end - begin))} y1="14" y2=${total} /><text class="lane" x=${x(begin + part * (end - begin))} y="11" text-anchor=${part === 0 ? "start" : part === 1 ? "end" : "middle"}>${ms(begin + part * (end - begin))}</text>`)}
      ${LANES.map(([, words], at) => html`<text x="10" y=${tops[at] - 5} class="lane">${words}</text>`)}
      ${bars.map(({ one, lane, row }) => html`<rect class=${`span ${one.failed ? "failed" : one.end === null ? "open" : ""}`} x=${x(one.begin)} y=${(tops[lane] ?? 0) + row * 14} width=${Math.max(2, x(one.end ?? end) - x(one.begin))} height="11" rx="2"><title>${plain(name(one))}</title></rect>`)}
      ${points.map((one) => one.kind === "http" && Number(data(one)?.ms) > 0 ? html`<rect class=${`span http ${data(one).error ? "failed" : ""}`} x=${x(Math.max(begin, one.t - Number(data(one).ms)))} y=${tops[laneOf(one)] + 2} width=${Math.max(2, x(one.t) - x(Math.max(begin, one.t - Number(data(one).ms))))} height="11" rx="2"><title>${plain(short(line(one), 200))}: ${ms(Number(data(one).ms))}, at ${one.t.toFixed(1)} ms</title></rect>` : html`<circle class=${`point ${one.kind}`} cx=${x(one.t)} cy=${tops[laneOf(one)] + 8} r="4"><title>${plain(short(line(one), 200))} at ${one.t.toFixed(1)} ms</title></circle>`)}</svg></div>`}
    <h2>Times of each method</h2><div class="wide times" tabindex="0" role="region" aria-label="Times of each method"><table><thead><tr><th scope="col">Method</th><th scope="col">Count</th><th scope="col">Least</th><th scope="col">Middle</th><th scope="col">Most</th><th scope="col">Spread</th></tr></thead><tbody>${[...byMethod].map(([method, all]) => {
      const sorted = [...all].sort((a, b) => a - b);
      const most = sorted.at(-1) || 1;
      const bins = Array(12).fill(0);
      for (const one of sorted) bins[Math.min(11, Math.floor((one / most) * 12))]++;
      const top = Math.max(...bins);
      return html`<tr><th scope="row">${short(method, 40)}</th><td>${all.length}</td><td>${ms(sorted[0])}</td><td>${ms(sorted[sorted.length >> 1])}</td><td>${ms(sorted.at(-1))}</td><td><svg width="72" height="20" role="img" aria-label=${`Histogram: ${bins.join(", ")}`}>${bins.map((one, at) => html`<rect class="span" x=${at * 6} y=${20 - (one / top) * 20} width="5" height=${(one / top) * 20} />`)}</svg></td></tr>`;
    })}</tbody></table></div>`;
};

/** @param {{ item: string }} own */
export const Everything = ({ item }) => {
  const [view, show] = useState("all");
  const kinds = useMemo(() => table({ all: new Set(Object.keys(SHOWN)), messages: new Set(["message", "text", "lost", "remark"]), HTTP: new Set(["http"]), stderr: new Set(["stderr", "text"]) }), []);
  return html`<h1>Traffic</h1><div class="tools" role="group" aria-label="What is shown">${["all", "messages", "HTTP", "stderr", "timeline"].map((one) => html`<button aria-pressed=${view === one} onClick=${() => show(one)}>${one}</button>`)}<button onClick=${saveTrace}>Save as a trace</button></div>
    ${view === "timeline" ? html`<${Timeline} />` : html`<${List} key=${view} kinds=${kinds[view]} chosen=${item} save=${(/** @type {Rec[]} */ rows) => saveFile(`${view}.jsonl`, "application/jsonl", rows.map(({ t, kind, from, text }) => `{"t":${t},"kind":"${kind}","from":"${from}","data":${text}}\n`).join(""))} />`}`;
};
