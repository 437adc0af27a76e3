// JSON without loss: a number that JavaScript cannot hold stays the text that it was.

/** A number as it is written. */
export class Num {
  /** @param {string} text */
  constructor(text) { this.text = text; }
  toString() { return this.text; }
  // Times of records are numbers like 2.0 too: what reckons with one gets what JavaScript makes of it.
  valueOf() { return Number(this.text); }
  /** @param {number} digits */
  toFixed(digits) { return Number(this.text).toFixed(digits); }
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** What may be a number, from a place on. */
const DIGITS = /-?\d[\d.eE+-]*/y;
/** @type {[string, boolean | null][]} */
const WORDS = [["true", true], ["false", false], ["null", null]];
/**
 * Whether a text is a number of JSON.
 * @param {string} text
 */
export const isNumber = (text) => NUMBER.test(text);
/**
 * A number of JSON: a number of JavaScript where that is written in the same way.
 * @param {string} text
 */
export const number = (text) => (String(Number(text)) === text ? Number(text) : new Num(text));

/**
 * Reads JSON text; throws a SyntaxError that says where it is wrong.
 * @param {string} text
 * @returns {Any}
 */
export function parse(text) {
  // The browser's own way is quicker; where it may lose digits or a sign, ours is taken.
  if (!/[\d.]{16}|\d[eE.]|(?:^|[\s,:[])-0/.test(text)) return JSON.parse(text);
  let at = 0;
  /** @type {(what: string) => never} */
  const fail = (what) => { throw new SyntaxError(`${what} at character ${at + 1}`); };
  const space = () => { while (" \t\n\r".includes(text[at] || "x")) at++; };
  const string = () => {
    const begin = at++;
    for (;;) {
      const end = text.indexOf('"', at);
      if (end < 0) fail("a text without an end");
      let slashes = 0;
      while (text[end - 1 - slashes] === "\\") slashes++;
      at = end + 1;
      if (slashes % 2 === 0) return JSON.parse(text.slice(begin, at));
    }
  };
  /** @type {(depth: number) => Any} */
  const value = (depth) => {
    if (depth > 500) fail("too many levels");
    space();
    const c = text[at];
    if (c === "{") {
      at++;
      /** @type {Record<string, Any>} */
      const out = {};
      for (space(); text[at] !== "}"; space()) {
        if (text[at] !== '"') fail("a name in quotes is expected");
        const name = string();
        space();
        if (text[at++] !== ":") fail("a colon is expected");
        const inside = value(depth + 1);
        Object.defineProperty(out, name, { value: inside, enumerable: true, configurable: true, writable: true });
        space();
        if (text[at] === ",") { at++; space(); if (text[at] === "}") fail("a name is expected"); } else if (text[at] !== "}") fail("a comma or } is expected");
      }
      at++;
      return out;
    }
    if (c === "[") {
      at++;
      const out = [];
      for (space(); text[at] !== "]"; space()) {
        out.push(value(depth + 1));
        space();
        if (text[at] === ",") { at++; space(); if (text[at] === "]") fail("a value is expected"); } else if (text[at] !== "]") fail("a comma or ] is expected");
      }
      at++;
      return out;
    }
    if (c === '"') return string();
    for (const [word, is] of WORDS) {
      if (text.startsWith(word, at)) { at += word.length; return is; }
    }
    DIGITS.lastIndex = at;
    const found = DIGITS.exec(text)?.[0] ?? "";
    if (!isNumber(found)) fail("a value is expected");
    at += found.length;
    return number(found);
  };
  const out = value(0);
  space();
  if (at < text.length) fail("more than one value");
  return out;
}

/**
 * Writes a value, with as many spaces for each level; none is one line.
 * @param {Any} value
 * @returns {string}
 */
export function write(value, indent = 0, level = 0) {
  if (value === undefined) return "";
  if (value instanceof Num) return value.text;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const isArray = Array.isArray(value);
  const parts = isArray
    ? value.map((/** @type {Any} */ one) => write(one === undefined ? null : one, indent, level + 1))
    : Object.entries(value).filter(([, one]) => one !== undefined)
      .map(([name, one]) => `${JSON.stringify(name)}:${indent ? " " : ""}${write(one, indent, level + 1)}`);
  const [open, close] = isArray ? "[]" : "{}";
  if (!parts.length) return open + close;
  if (!indent) return open + parts.join(",") + close;
  /** @param {number} depth */
  const line = (depth) => "\n" + " ".repeat(indent * depth);
  return open + line(level + 1) + parts.join("," + line(level + 1)) + line(level) + close;
}

/**
 * Any value as a text: an object of a server may have a member that is called `toString`.
 * @param {Any} value
 */
export const textOf = (value) => (value !== null && typeof value === "object" && !(value instanceof Num) ? write(value) : String(value));
/**
 * A member of its own: what every object has, such as `constructor`, is not a value of a server or a person.
 * @param {Any} value
 * @param {string} name
 */
export const ownOf = (value, name) => (value !== null && typeof value === "object" && Object.hasOwn(value, name) ? value[name] : undefined);
/**
 * What may be a list, as one.
 * @param {Any} value
 * @returns {Any[]}
 */
export const listOf = (value) => (Array.isArray(value) ? value : []);
/**
 * A table in which only its own names are found, such as no `constructor`.
 * @template T
 * @param {Record<string, T>} of
 * @returns {Record<string, T>}
 */
export const table = (of) => Object.assign(Object.create(null), of);
/**
 * What went wrong, in words.
 * @param {unknown} error
 */
export const why = (error) => (error instanceof Error ? error.message : textOf(error));
/**
 * Whether it is an object with members.
 * @param {Any} value
 */
export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof Num);
/** The levels that a message of another page may nest. */
const LEVELS = 200;
/**
 * A copy of what another page sent, and its length in characters; without a value where that is no JSON or longer than `most`. What is kept
 * is what was measured: a clone of the browser may hold buffers, maps and files, which JSON writes as `{}`. Nothing is walked behind the bound.
 * @param {Any} value
 * @param {number} most
 * @returns {{ value?: Any, length: number }}
 */
export function copyOf(value, most) {
  let length = 0;
  /** @param {number} more */
  const take = (more) => { if (more > most - length) { length = most; throw new RangeError("it is too long"); } length += more; };
  /** @type {(one: Any, level: number) => Any} */
  const copy = (one, level) => {
    if (level > LEVELS) throw new RangeError("it has too many levels");
    if (typeof one === "string") { take(one.length + 2); return one; }
    if (one === null || typeof one === "boolean" || typeof one === "number") { take(String(one).length); return one; }
    if (Array.isArray(one)) {
      // A length alone may be billions.
      take(one.length + 2);
      return Array.from(one, (inner) => copy(inner === undefined ? null : inner, level + 1));
    }
    if (typeof one !== "object" || Object.getPrototypeOf(one) !== Object.prototype) throw new TypeError("it is not JSON");
    take(2);
    return Object.fromEntries(Object.keys(one).filter((name) => one[name] !== undefined).map((name) => { take(name.length + 4); return [name, copy(one[name], level + 1)]; }));
  };
  try { return { value: copy(value, 0), length }; } catch { return { length }; }
}
