// Forms made of JSON Schemas. What is unset is not sent; null and an empty text are values. A form and its JSON are the same value.
import { html, useState, useId } from "./vendor.js";
import { parse, write, number, isNumber, isObject, listOf, ownOf, textOf, why, Num } from "./json.js";
import { plain, short } from "./view.js";

const DEEP = 12;

/**
 * What a `$ref` within the schema leads to, with what stands beside it; parts of `allOf` are put together.
 * @param {Any} schema
 * @param {Any} root
 * @returns {Any}
 */
export function resolve(schema, root, steps = 0) {
  if (schema === true || schema === undefined) return {};
  if (!isObject(schema) || steps > 50) return {};
  if (typeof schema.$ref === "string" && schema.$ref.startsWith("#")) {
    const part = (/** @type {string} */ name) => { try { return decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~"); } catch { return name; } };
    const found = schema.$ref.split("/").slice(1).reduce((/** @type {Any} */ at, /** @type {string} */ name) => ownOf(at, part(name)), root);
    const { $ref, ...beside } = schema;
    return { ...resolve(found, root, steps + 1), ...beside };
  }
  if (Array.isArray(schema.allOf)) {
    const { allOf, ...own } = schema;
    return [...allOf, own].map((one) => resolve(one, root, steps + 1)).reduce((all, one) => ({
      ...all, ...one,
      ...((all.properties || one.properties) && { properties: { ...all.properties, ...one.properties } }),
      ...((all.required || one.required) && { required: [...new Set([...listOf(all.required), ...listOf(one.required)])] }),
    }), {});
  }
  return schema;
}

/**
 * The forms that a value may have: their names and schemas.
 * @param {Any} schema
 * @param {Any} root
 * @returns {[string, Any][] | null}
 */
function choices(schema, root) {
  /** @type {Any[] | null} */
  const list = Array.isArray(schema.oneOf) ? schema.oneOf : Array.isArray(schema.anyOf) ? schema.anyOf : null;
  if (list) {
    const { oneOf, anyOf, ...own } = schema;
    return list.map((one, at) => { const inner = resolve(one, root); return [textOf(inner.title ?? nameOf(inner) ?? `form ${at + 1}`), resolve({ allOf: [own, one] }, root)]; });
  }
  if (Array.isArray(schema.type) && schema.type.length > 1) return listOf(schema.type).map((type) => [textOf(type), { ...schema, type }]);
  return null;
}
/** @param {Any} schema */
const nameOf = (schema) => (schema.const !== undefined ? write(schema.const) : schema.enum ? "choice" : Array.isArray(schema.type) ? schema.type.join(" or ") : schema.type ?? (schema.required ? listOf(schema.required).map(textOf).join(", ") : undefined));
/** @param {Any} schema */
const typeOf = (schema) => (Array.isArray(schema.type) ? schema.type[0] : schema.type) ?? (schema.properties ? "object" : schema.items ? "array" : undefined);

/** What a schema says of a value, in a few words. @param {Any} schema */
export function limits(schema) {
  /** @type {string[]} */
  const said = [];
  const say = (/** @type {string} */ key, /** @type {string} */ words) => { if (schema[key] !== undefined) said.push(`${words} ${short(write(schema[key]), 60)}`); };
  if (typeOf(schema) !== "string") say("format", "format");
  say("pattern", "pattern"); say("minimum", "at least"); say("maximum", "at most"); say("exclusiveMinimum", "over"); say("exclusiveMaximum", "under");
  say("minLength", "least length"); say("maxLength", "greatest length"); say("minItems", "at least, items:"); say("maxItems", "at most, items:"); say("multipleOf", "multiple of");
  if (schema.default !== undefined) said.push(`default ${short(write(schema.default), 60)}`);
  return said.join(", ").replaceAll('"', "");
}

/** @type {(schema: Any, value: Any) => boolean} */
const fits = (schema, value) => {
  /** @type {Record<string, boolean>} */
  const is = { string: typeof value === "string", number: typeof value === "number" || value instanceof Num, integer: typeof value === "number" || value instanceof Num, boolean: typeof value === "boolean", null: value === null, array: Array.isArray(value), object: isObject(value) };
  if (schema.const !== undefined) return write(schema.const) === write(value);
  const type = typeOf(schema);
  if (type && ownOf(is, type) !== true) return false;
  return !isObject(value) || !schema.properties || listOf(schema.required).every((name) => Object.hasOwn(value, name));
};

/** A value in place of another one, or without it. @type {(value: Any, name: string, inner: Any) => Any} */
const put = (value, name, inner) => {
  const out = { ...(isObject(value) ? value : {}) };
  if (inner === undefined) delete out[name]; else Object.defineProperty(out, name, { value: inner, enumerable: true, configurable: true, writable: true });
  return out;
};

/** One value: `name` labels it. `fault` gives what is wrong at a path. @param {Filled & { name: string, isRequired?: boolean }} own */
export const Field = ({ name, schema: given, root, value, set, isRequired, path, fault, depth = 0, complete }) => {
  const id = useId();
  const schema = resolve(given, root);
  const all = choices(schema, root);
  const fitting = all ? all.findIndex(([, one]) => fits(one, value)) : -1;
  const [chosen, choose] = useState(-1);
  const wrong = fault(path);
  const about = [schema.description && plain(schema.description), limits(schema)].filter(Boolean).join(" \u00b7 ");
  const described = `${id}-about${wrong ? ` ${id}-fault` : ""}`;
  const label = schema.title && schema.title !== name ? `${name} (${schema.title})` : name;
  const head = (/** @type {string} */ type, /** @type {Any} */ empty = "") => html`<div class="head"><label for=${id} dir="auto">${plain(label)}</label>${isRequired && html`<span class="tag">required</span>`}<span class="type">${type}</span>
    ${value === undefined ? html`<span class="type">not set</span>${empty}` : html`${value === "" && html`<span class="type">empty text</span>`}<button class="small" onClick=${() => set(undefined)} aria-label=${`Unset ${name}`}>unset</button>`}</div>`;
  const foot = html`<p class="about" id=${`${id}-about`} dir="auto">${about}</p>${wrong && html`<p class="fault" id=${`${id}-fault`}>${wrong}</p>`}`;
  const common = { id, "aria-describedby": described, "aria-invalid": wrong ? "true" : undefined, "aria-required": isRequired ? "true" : undefined };

  if (all && depth < DEEP) {
    const at = chosen >= 0 && (value === undefined || fitting < 0 || fits(all[chosen]?.[1] ?? {}, value)) ? chosen : Math.max(fitting, 0);
    const inner = all[at]?.[1] ?? {};
    const take = (/** @type {Any} */ event) => {
      const to = Number(event.currentTarget.value);
      choose(to);
      const next = all[to]?.[1] ?? {};
      set(typeOf(next) === "null" ? null : next.const !== undefined ? next.const : fits(next, value) ? value : undefined);
    };
    return html`<div class="field"><div class="head"><label for=${id} dir="auto">${plain(label)}: form</label>${isRequired && html`<span class="tag">required</span>`}</div>
      <select ...${common} value=${String(at)} onChange=${take}>${all.map(([title], to) => html`<option value=${String(to)} selected=${to === at}>${short(title, 60)}</option>`)}</select>${foot}
      ${inner.const === undefined && typeOf(inner) !== "null" && html`<${Field} key=${at} ...${{ name, schema: inner, root, value, set, isRequired, path, depth: depth + 1, complete }} fault=${() => ""} />`}</div>`;
  }
  if (schema.const !== undefined || Array.isArray(schema.enum)) {
    const values = schema.const !== undefined ? [schema.const] : listOf(schema.enum);
    const names = Array.isArray(schema.enumNames) ? listOf(schema.enumNames) : values;
    const at = value === undefined ? "" : String(values.findIndex((one) => write(one) === write(value)));
    return html`<div class="field">${head("choice")}<select ...${common} value=${at} onChange=${(event) => set(event.currentTarget.value === "" ? undefined : values[Number(event.currentTarget.value)])}>
      <option value="" selected=${at === ""}>not set</option>${values.map((one, to) => html`<option value=${String(to)} selected=${at === String(to)}>${short(typeof one === "string" ? names[to] ?? one : write(one), 200)}</option>`)}</select>${foot}</div>`;
  }
  const type = typeOf(schema);
  if (type === "boolean") {
    return html`<div class="field">${head("true or false")}<select ...${common} value=${String(value ?? "")} onChange=${(event) => set(event.currentTarget.value === "" ? undefined : event.currentTarget.value === "true")}>
      <option value="" selected=${value === undefined}>not set</option><option value="true" selected=${value === true}>true</option><option value="false" selected=${value === false}>false</option></select>${foot}</div>`;
  }
  if (type === "null") return html`<div class="field">${head("null")}<button id=${id} onClick=${() => set(null)}>Set null</button>${foot}</div>`;
  if (type === "integer" || type === "number") {
    // Text that is not a number stays as typed; the check reports it.
    const typed = (/** @type {Any} */ event) => { const text = event.currentTarget.value.trim(); set(text === "" ? undefined : isNumber(text) ? number(text) : text); };
    return html`<div class="field">${head(type)}<input ...${common} inputmode="decimal" autocomplete="off" value=${value === undefined ? "" : typeof value === "string" ? value : write(value)} onInput=${typed} />${foot}</div>`;
  }
  if (type === "string") {
    const options = complete?.(name);
    const take = async (/** @type {Any} */ event) => {
      const file = event.currentTarget.files[0];
      if (!file) return;
      const bytes = new Uint8Array(await file.arrayBuffer());
      let text = "";
      for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
      set(btoa(text));
    };
    const isBase64 = schema.contentEncoding === "base64" || schema.format === "byte";
    const shown = value === undefined ? "" : typeof value === "string" ? value : write(value);
    const typed = (/** @type {Any} */ event) => { set(event.currentTarget.value); options?.typed(event.currentTarget.value); };
    return html`<div class="field">${head(schema.format ? `text, ${short(schema.format, 30)}` : "text", html`<button class="small" onClick=${() => set("")} aria-label=${`set empty: ${name}`}>set empty</button>`)}
      ${options ? html`<input ...${common} dir="auto" autocomplete="off" list=${`${id}-list`} value=${shown} onInput=${typed} onFocus=${() => options.typed(shown)} /><datalist id=${`${id}-list`}>${options.values.map((one) => html`<option value=${one} />`)}</datalist>`
      : html`<textarea ...${common} dir="auto" rows=${Math.min(12, shown.split("\n").length)} spellcheck=${false} value=${shown} onInput=${typed}></textarea>`}
      ${isBase64 && html`<label>File <input type="file" aria-label=${`File for ${name}`} onChange=${take} /></label>`}${foot}</div>`;
  }
  if (type === "array" && depth < DEEP) {
    const items = listOf(value);
    const of = (/** @type {number} */ at) => (Array.isArray(schema.prefixItems) && at < schema.prefixItems.length ? schema.prefixItems[at] : schema.items);
    return html`<fieldset class="field"><legend>${plain(label)} <span class="type">${value === undefined ? "array, not set" : `array of ${items.length}`}</span>${isRequired && html` <span class="tag">required</span>`}</legend>${foot}
      ${items.slice(0, 200).map((one, at) => html`<div class="element" key=${at}><${Field} ...${{ name: `${name} ${at + 1}`, schema: of(at), root, value: one, path: `${path}/${at}`, fault, depth: depth + 1 }} set=${(inner) => set(items.map((old, to) => (to === at ? (inner === undefined ? null : inner) : old)))} />
        <button class="small" aria-label=${`Remove ${name} ${at + 1}`} onClick=${() => set(items.filter((_, to) => to !== at))}>remove</button></div>`)}
      <div class="tools"><button id=${id} aria-describedby=${described} onClick=${() => set([...items, first(resolve(of(items.length), root), root)])} aria-label=${`Add to ${name}`}>Add</button>
      ${value === undefined ? html`<button class="small" onClick=${() => set([])} aria-label=${`set empty: ${name}`}>set empty</button>` : html`<button class="small" onClick=${() => set(undefined)} aria-label=${`Unset ${name}`}>unset</button>`}</div></fieldset>`;
  }
  if (type === "object" && schema.properties && (depth < 2 || value !== undefined) && depth < DEEP) {
    return html`<fieldset class="field"><legend>${plain(label)} <span class="type">${value === undefined ? "object, not set" : "object"}</span>${isRequired && html` <span class="tag">required</span>`}</legend>${foot}
      <${Fields} ...${{ schema, root, value, set, path, fault, depth: depth + 1 }} />
      ${value !== undefined && html`<button class="small" onClick=${() => set(undefined)} aria-label=${`Unset ${name}`}>unset</button>`}</fieldset>`;
  }
  if (type === "object" && schema.properties) {
    return html`<div class="field">${head("object")}<button id=${id} aria-describedby=${described} onClick=${() => set({})} aria-label=${`Fill in ${name}`}>Fill in</button>${foot}</div>`;
  }
  return html`<div class="field">${head(type ? `${type}, as JSON` : "JSON")}<${JsonInput} common=${common} value=${value} set=${set} />${foot}</div>`;
};

/** What a new element begins with. @type {(schema: Any, root: Any) => Any} */
const first = (schema, root) => { const type = typeOf(schema); return schema.const ?? (type === "string" ? "" : type === "object" ? {} : type === "array" ? [] : type === "boolean" ? false : null); };

/** A value as JSON; while it is being written it may be none. @param {{ common: Record<string, Any>, value: Any, set: (value: Any) => void, rows?: number }} own */
const JsonInput = ({ common, value, set, rows = 3 }) => {
  const [draft, put] = useState(/** @type {{ text: string, fault: string } | null} */ (null));
  const typed = (/** @type {Any} */ event) => {
    const text = event.currentTarget.value;
    if (text.trim() === "") { put(null); set(undefined); return; }
    try { set(parse(text)); put({ text, fault: "" }); } catch (error) { put({ text, fault: why(error) }); }
  };
  const shown = draft && (draft.fault || (() => { try { return write(parse(draft.text)) === write(value); } catch { return false; } })()) ? draft.text : value === undefined ? "" : write(value, 2);
  return html`<textarea ...${common} rows=${Math.max(rows, Math.min(20, shown.split("\n").length))} spellcheck=${false} value=${shown} onInput=${typed}></textarea>${draft?.fault && html`<p class="fault">${draft.fault}</p>`}`;
};

/** The members of an object. @param {Filled} own */
export const Fields = ({ schema: given, root, value, set, path, fault, depth, complete }) => {
  const schema = resolve(given, root);
  const [name, type] = useState("");
  const known = Object.entries(isObject(schema.properties) ? schema.properties : {});
  const required = listOf(schema.required);
  const more = Object.keys(isObject(value) ? value : {}).filter((key) => !known.some(([own]) => own === key));
  const isOpen = schema.additionalProperties !== false && (schema.additionalProperties !== undefined || schema.patternProperties || !known.length);
  const other = isObject(schema.additionalProperties) ? schema.additionalProperties : {};
  const field = (/** @type {string} */ key, /** @type {Any} */ inner) => html`<${Field} key=${key} ...${{ name: key, schema: inner, root, value: ownOf(value, key), isRequired: required.includes(key), path: `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, fault, depth, complete }} set=${(inside) => set(put(value, key, inside))} />`;
  // Those that are needed come first.
  const sorted = [...known.filter(([key]) => required.includes(key)), ...known.filter(([key]) => !required.includes(key))];
  return html`${sorted.slice(0, 300).map(([key, inner]) => field(key, inner))}${more.map((key) => field(key, other))}
    ${isOpen && html`<div class="tools"><label>Other name <input value=${name} onInput=${(event) => type(event.currentTarget.value)} /></label><button disabled=${!name} onClick=${() => { set(put(value, name, first(resolve(other, root), root))); type(""); }}>Add</button></div>`}`;
};

/** The form of a schema, or the same as JSON. @param {{ schema: Any, value: Any, set: (value: Any) => void, faults?: string[], complete?: Complete, label: string }} own */
export const Form = ({ schema, value, set, faults = [], complete, label }) => {
  const [asJson, json] = useState(false);
  const root = isObject(schema) ? schema : {};
  const used = new Set();
  // What is missing is told in one text for all.
  const lacks = (/** @type {string} */ text, /** @type {string} */ name) => /^(arguments of .* are )?missing: /s.test(text) && text.slice(text.indexOf("missing: ") + 9).split(", ").includes(name);
  const fault = (/** @type {string} */ path) => {
    const name = path.slice(1).replaceAll("/", ".");
    const found = faults.filter((text) => text.startsWith(`the argument ${name}:`) || text.startsWith(`the argument ${name}.`) || lacks(text, name));
    found.forEach((text) => used.add(text));
    return found.map((text) => (lacks(text, name) ? "this is required" : text)).join("; ");
  };
  const all = resolve(root, root);
  const list = choices(all, root);
  const empty = !Object.keys(isObject(all.properties) ? all.properties : {}).length && !list && all.additionalProperties === undefined && all.patternProperties === undefined && !Object.keys(value).length;
  return html`<div class="form" role="group" aria-label=${label}>
    <div class="tools"><button aria-pressed=${asJson} onClick=${() => json(!asJson)}>As JSON</button><button onClick=${() => set({})} disabled=${!Object.keys(value).length}>Clear</button></div>
    ${asJson ? html`<div class="field"><${JsonInput} common=${{ "aria-label": `${label} as JSON` }} rows=${6} value=${value} set=${(inner) => set(isObject(inner) ? inner : {})} /></div>`
    : empty ? html`<p>It takes no arguments.</p>`
    : list ? html`<${Field} name=${label} schema=${all} root=${root} value=${value} set=${(inner) => set(isObject(inner) ? inner : {})} path="" fault=${fault} />`
    : html`<${Fields} schema=${all} root=${root} value=${value} set=${set} path="" fault=${fault} depth=${0} complete=${complete} />`}
  </div>`;
};
