// The page: the bar, the list, the item and the traffic, and the keys.
import { html, render, useState, useEffect, useRef, signal } from "./vendor.js";
import { act, about, begin, current, go, href, now, licences, offline, openFile, kept, questions, route, said, say, servers, version, WORDS, calls } from "./state.js";
import { table, textOf, why } from "./json.js";
import { Menu, Part, Save, plain, short } from "./view.js";
import { Apps, Changes, Doctor, History, KINDS, Login, Overview, Prompt, Requests, Resource, Skills, State, Tasks, Tool, itemsOf, savePage, saveTrace } from "./views.js";
import { Everything, Traffic } from "./traffic.js";

const VIEWS = table({ overview: "Overview", tools: "Tools", resources: "Resources", prompts: "Prompts", skills: "Skills", tasks: "Tasks", apps: "Apps", requests: "Requests", history: "History", traffic: "Traffic", login: "Login", doctor: "Doctor", changes: "Changes" });
const OWN = table({ overview: Overview, skills: Skills, tasks: Tasks, apps: Apps, requests: Requests, history: History, traffic: Everything, login: Login, doctor: Doctor, changes: Changes });
/** The most items of a list that are drawn at one time. */
const MOST = 200;

// What the browser keeps: choices of the look, and nothing of servers.
/** @type {(name: string, usual: string) => string} */
const choice = (name, usual) => { try { return localStorage.getItem(name) ?? usual; } catch { return usual; } };
/** @type {(name: string, value: string) => void} */
const keep = (name, value) => { try { localStorage.setItem(name, value); } catch { /* a browser that keeps nothing */ } };
const theme = signal(choice("theme", "system"));
const keys = signal(choice("keys", "on") === "on");
const palette = signal(false);
const help = signal(false);
/** Which region is shown where there is room for one. */
const region = signal("item");
/** @param {string} to */
const setTheme = (to) => { theme.value = to; keep("theme", to); document.documentElement.style.colorScheme = to === "system" ? "light dark" : to; };

const Bar = () => {
  const server = now();
  version.value;
  const waiting = [...questions.values()].filter((one) => one.server === current.value).length;
  return html`<header class="bar"><a class="away" href="#item" onClick=${(event) => { event.preventDefault(); document.getElementById("item")?.focus(); }}>To the item</a>
    ${servers.value.length > 1 ? html`<label><span class="away">Server</span><select aria-label="Server" onChange=${(event) => { current.value = Number(event.currentTarget.value); go("overview"); }}>${servers.value.map((one) => html`<option value=${String(one.server)} selected=${one.server === current.value}>${short(one.name, 60)}</option>`)}</select></label>` : html`<strong class="name" dir="auto">${short(server.info?.server?.title ?? server.info?.server?.name ?? server.name, 60)}</strong>`}
    <span class=${`state ${server.state}`}>${WORDS[server.state] ?? server.state}</span>
    ${server.info && html`<span class="type">${short(server.info.revision ?? "", 20)} ${short(server.info.transport ?? "", 20)}</span>`}
    ${server.state !== "file" && html`<button onClick=${() => act("connect", {}).catch(() => {})}>${server.state === "idle" ? "Connect" : "Restart"}</button>`}
    <button onClick=${() => { palette.value = true; }}>Find <kbd>Ctrl K</kbd></button>
    <${Menu} label="Menu"><button onClick=${saveTrace}>Save as a trace</button>${!kept.value && html`<button onClick=${savePage}>Save as one page</button>`}
      <label>Look <select onChange=${(event) => setTheme(event.currentTarget.value)}>${["system", "light", "dark"].map((one) => html`<option selected=${one === theme.value}>${one}</option>`)}</select></label>
      <label><input type="checkbox" checked=${keys.value} onChange=${(event) => { keys.value = event.currentTarget.checked; keep("keys", keys.value ? "on" : "off"); }} /> Shortcuts of one key</label>
      <button onClick=${() => { help.value = true; }}>Keys</button><p class="type">mcp ${about.value.version} ${licences() ? html`<${Save} label="Licences" name="licences.txt" type="text/plain" text=${licences()} />` : html`<a href="/licenses.txt" target="_blank" rel="noopener">licences</a>`}</p></${Menu}>
    <nav aria-label="Views"><ul>${Object.entries(VIEWS).map(([view, name]) => html`<li><a href=${href(view)} aria-current=${route.value.view === view ? "page" : undefined}>${name}${view === "requests" && waiting > 0 ? html` <span class="count-of">${waiting}<span class="away"> waiting</span></span>` : ""}</a></li>`)}</ul></nav></header>`;
};

const List = () => {
  version.value;
  const { view, item } = route.value;
  const [words, filter] = useState("");
  const [most, more] = useState(MOST);
  const all = itemsOf(view);
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = wanted.length ? all.filter(({ item, name }) => { const text = `${name} ${textOf(item.title ?? "")} ${textOf(item.description ?? "")}`.toLowerCase(); return wanted.every((word) => text.includes(word)); }) : all;
  const server = now();
  const failed = (KINDS[view] || []).map(([member]) => server.lists[member]?.error).find(Boolean);
  const has = server.info?.capabilities?.[view];
  return html`<section class="list" id="list" tabindex="-1" aria-label=${`List of ${view}`}>
    <label class="filter"><span class="away">Filter the ${view}</span><input type="search" id="filter" placeholder=${`Filter ${all.length} ${all.length === 1 ? view.replace(/s$/, "") : view}`} value=${words} onInput=${(event) => { filter(event.currentTarget.value); more(MOST); }} /></label>
    ${failed && html`<p class="fault">${plain(failed.message ?? "The list failed.")}</p>`}
    ${!all.length && !failed && html`<p class="empty">${server.state === "ready" ? (has ? `The server lists no ${view}.` : `The server does not offer ${view}.`) : WORDS[server.state]}</p>`}
    ${all.length > 0 && !shown.length && html`<p class="empty" role="status">Nothing fits the filter.</p>`}
    <ul onKeyDown=${arrows}>${shown.slice(0, most).map(({ item: one, name, member }) => html`<li key=${member + name}><a dir="auto" href=${href(view, name)} aria-current=${item === name ? "true" : undefined} onClick=${() => { region.value = "item"; }}><span>${short(one.title ?? one.name ?? name, 80)}</span>${member === "resourceTemplates" && html` <span class="type">template</span>`}${server.updated.has(name) && html` <span class="type">changed</span>`}<span class="about">${short(one.description ?? "", 90)}</span></a></li>`)}</ul>
    ${shown.length > most && html`<button onClick=${() => more(most * 5)}>${shown.length - most} more</button>`}</section>`;
};
/** Arrows go from one item to the next. @param {Any} event */
function arrows(event) {
  const way = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (!way) return;
  const all = [...event.currentTarget.querySelectorAll("a")];
  const at = all.indexOf(document.activeElement);
  const next = all[at + way];
  if (next) { next.focus(); event.preventDefault(); }
}

const SHOWN = table({ tools: Tool, resources: Resource, prompts: Prompt });
const Item = () => {
  version.value;
  const { view, item, query } = route.value;
  const server = now();
  const own = OWN[view];
  if (own) return html`<${own} item=${item} key=${`${view} ${current.value}`} />`;
  if (!KINDS[view]) return html`<h1>Not here</h1><p class="empty">There is no view '${short(view, 40)}'. <a href="#/overview">Overview</a></p>`;
  const found = itemsOf(view).find(({ name }) => name === item);
  if (!found) return html`<h1>${VIEWS[view]}</h1><${State} />${item !== "" && server.state === "ready" && KINDS[view].every(([member]) => server.lists[member]) ? html`<p class="empty">The server lists no '${short(item, 80)}'.</p>` : html`<p class="empty">Choose one in the list.</p>`}`;
  const key = `${current.value} ${found.member} ${item}`;
    return html`<${State} /><${SHOWN[view]} key=${key} item=${found.item} member=${found.member} query=${query} />`;
};

/** At once, so that what is typed next is for the dialog. @type {(own: { current: HTMLDialogElement | null }, it: HTMLDialogElement | null) => void} */
const opened = (own, it) => { own.current = it; if (it && !it.open) it.showModal(); };

const ACTIONS = [
  { name: "Restart the server", kind: "action", take: () => { act("connect", {}).catch(() => {}); } }, { name: "Save as a trace", kind: "action", take: saveTrace },
  { name: "Save as one page", kind: "action", take: savePage }, { name: "Keys", kind: "action", take: () => { help.value = true; } },
];

const Palette = () => {
  const [words, type] = useState("");
  const [at, move] = useState(0);
  const own = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const all = [
    ...Object.entries(VIEWS).map(([view, name]) => ({ name, kind: "view", take: () => go(view) })),
    ...servers.value.map((one) => ({ name: one.name, kind: "server", take: () => { current.value = one.server; go("overview"); } })),
    ...Object.keys(KINDS).flatMap((view) => itemsOf(view).map(({ name, item }) => ({ name: item.title ? `${textOf(item.title)} (${name})` : name, kind: view, take: () => go(view, name) }))),
    ...ACTIONS.filter((one) => one.take !== savePage || !kept.value),
  ];
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = all.filter(({ name, kind }) => wanted.every((word) => `${name} ${kind}`.toLowerCase().includes(word))).slice(0, 30);
  const close = () => { palette.value = false; };
  const take = (/** @type {typeof all[number] | undefined} */ one) => { close(); one?.take(); region.value = "item"; };
  const key = (/** @type {Any} */ event) => {
    if (event.key === "ArrowDown") { move(Math.min(at + 1, shown.length - 1)); event.preventDefault(); } else if (event.key === "ArrowUp") { move(Math.max(at - 1, 0)); event.preventDefault(); } else if (event.key === "Enter") { take(shown[at]); event.preventDefault(); }
  };
  return html`<dialog ref=${(it) => opened(own, it)} aria-label="Find" onClose=${close}><input type="text" role="combobox" aria-expanded="true" aria-controls="found" aria-activedescendant=${shown.length ? `found-${at}` : undefined} aria-label="Find a view, an item or an action" autofocus value=${words} onInput=${(event) => { type(event.currentTarget.value); move(0); }} onKeyDown=${key} />
    <ul id="found" role="listbox" aria-label="Found">${shown.map(({ name, kind }, to) => html`<li id=${`found-${to}`} role="option" aria-selected=${to === at} onClick=${() => take(shown[to])}><span dir="auto">${short(name, 80)}</span> <span class="type">${kind}</span></li>`)}</ul></dialog>`;
};

const KEYS = [["Ctrl K", "find a view, an item or an action"], ["/", "filter the list"], ["Ctrl Enter", "call, read or get what is shown"], ["Ctrl .", "cancel the last call that is under way"], ["F6, Shift F6", "the next region, the one before"], ["arrows", "in a list: the next item"], ["?", "these keys"], ["Esc", "close"]];
const Keys = () => {
  const own = useRef(/** @type {HTMLDialogElement | null} */ (null));
  return html`<dialog ref=${(it) => opened(own, it)} aria-label="Keys" onClose=${() => { help.value = false; }}><h2>Keys</h2><dl>${KEYS.map(([key, what]) => html`<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`)}</dl><button onClick=${() => own.current?.close()}>Close</button></dialog>`;
};

const REGIONS = ["bar", "list", "item", "traffic"];
/** @param {Any} event */
function pressed(event) {
  const isCtrl = event.ctrlKey || event.metaKey;
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName ?? "");
  if (isCtrl && event.key.toLowerCase() === "k") { palette.value = !palette.value; event.preventDefault(); return; }
  if (isCtrl && event.key === "Enter") { /** @type {HTMLButtonElement | null} */ (document.querySelector("#item [data-call]:not(:disabled)"))?.click(); event.preventDefault(); return; }
  if (isCtrl && event.key === ".") { const open = [...calls.values()].filter((one) => one.status === "open" && one.server === current.value).at(-1); if (open) act("cancel", { call: open.number }).catch(() => {}); event.preventDefault(); return; }
  if (event.key === "F6") {
    const all = REGIONS.map((one) => /** @type {HTMLElement | null} */ (one === "bar" ? document.querySelector(".bar a[aria-current], .bar button") : document.getElementById(one))).filter((one) => one !== null && one.offsetParent !== null);
    const at = all.findIndex((one) => one?.contains(document.activeElement));
    all[(at + (event.shiftKey ? -1 : 1) + all.length) % all.length]?.focus();
    event.preventDefault();
    return;
  }
  if (!keys.value || isTyping || isCtrl || event.altKey || palette.value || help.value) return;
  if (event.key === "/") { const filter = document.getElementById("filter"); if (filter) { region.value = "list"; setTimeout(() => filter.focus()); event.preventDefault(); } }
  if (event.key === "?") { help.value = true; event.preventDefault(); }
}

/** What is said for those who do not see the page: results wait for their turn, requests do not. */
const Said = () => html`<p class="away" role="status" aria-live="polite">${said.value.urgent ? "" : plain(said.value.text)}</p><p class="away" role="alert" aria-live="assertive">${said.value.urgent ? plain(said.value.text) : ""}</p>`;
const Toast = () => {
  const [seen, hide] = useState(0);
  useEffect(() => { const later = setTimeout(() => hide(said.value.at), 6000); return () => clearTimeout(later); }, [said.value]);
  return said.value.text && seen !== said.value.at ? html`<div class=${`toast ${said.value.urgent ? "urgent" : ""}`} aria-hidden="true">${short(said.value.text, 300)}</div>` : null;
};

const Page = () => {
  version.value;
  const view = route.value.view;
  const hasList = !!KINDS[view];
  const waiting = questions.size;
  useEffect(() => { document.querySelector(".bar nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" }); }, [view]);
  useEffect(() => { document.title = `${VIEWS[view] ?? view} \u2013 mcp inspect`; }, [view]);
  // Where there is room for one region, the view says which.
  useEffect(() => { region.value = hasList && route.value.item === "" ? "list" : "item"; }, [view, route.value.item]);
  const isWide = view === "traffic";
  return html`<${Part} name="bar"><${Bar} /></${Part}>${offline.value && html`<p class="offline" role="alert">${offline.value}</p>`}
    <div class=${`regions ${hasList ? "" : "no-list"} ${isWide ? "no-traffic" : ""}`} data-region=${region.value}>
      ${hasList && html`<${Part} name="list" key=${`list ${view} ${current.value}`}><${List} key=${`${view} ${current.value}`} /></${Part}>`}
      <main class="item" id="item" tabindex="-1"><${Part} name="item" key=${`${view} ${route.value.item} ${current.value}`}><${Item} /></${Part}></main>
      ${!isWide && html`<aside class="traffic" id="traffic" tabindex="-1" aria-label="Traffic"><h2>Traffic</h2><${Part} name="traffic"><${Traffic} /></${Part}></aside>`}</div>
    <div class="bottom" role="group" aria-label="Regions">${[["list", "List"], ["item", "Item"], ["traffic", "Traffic"]].map(([one, name]) => html`<button aria-pressed=${region.value === one} onClick=${() => { region.value = one; }}>${name}</button>`)}<button onClick=${() => { region.value = "item"; go("requests"); }}>Requests ${waiting || ""}</button></div>
    ${palette.value && html`<${Palette} />`}${help.value && html`<${Keys} />`}<${Said} /><${Toast} />`;
};

addEventListener("keydown", pressed);
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", async (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files?.[0];
  if (!file) return;
  try { await openFile(await file.text(), file.name); say(`${file.name} is open`); go("history"); } catch (error) { say(why(error), true); }
});
setTheme(theme.value);
const root = document.createElement("div");
root.className = "page";
document.body.append(root);
render(html`<${Page} />`, root);
begin();
