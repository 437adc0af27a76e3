// Values as the texts that the library takes, and its texts as the program's.
'use strict';

/** The longest time of a call that the library takes, in milliseconds: a year. */
const LONGEST_CALL = 365 * 24 * 60 * 60 * 1000;
/** The longest wait of a function of the library. */
const LONGEST_WAIT = 2 ** 31 - 1;

/** What the library calls the options of a call. */
const OPTIONS = new Map(['timeoutMs', 'maxTotalMs', 'resetOnProgress', 'whenUnavailable', 'logLevel', 'taskTtlMs', 'allowDynamic']
  .map((name) => [underscored(name), name]));

/** @param {string} name */
function underscored(name) {
  return name.replace(/[A-Z]/g, (it) => `_${it.toLowerCase()}`);
}

/** @param {object | undefined} value */
function textOf(value) {
  return value === undefined ? undefined : jsonOf(value);
}

/** A value as JSON. What JSON would make an empty object of is a mistake. @param {unknown} value */
function jsonOf(value) {
  const json = JSON.stringify(value);
  // Only where there is one it is looked for.
  if (json !== undefined && json.includes('{}')) refuseLost(value, '');
  return json;
}

/** @param {any} value @param {string} place */
function refuseLost(value, place) {
  if (value === null || typeof value !== 'object') return;
  const why = typeof value.then === 'function' ? 'a promise: await it' : value instanceof Map ? 'a Map: give Object.fromEntries(it)'
    : value instanceof Set ? 'a Set: give an Array of it' : undefined;
  if (why !== undefined && typeof value.toJSON !== 'function') throw new TypeError(`${place === '' ? 'the value' : place} is ${why}`);
  for (const [key, item] of Object.entries(value)) refuseLost(item, `${place}/${key}`);
}

/**
 * An argument that must be a string. One with a NUL character cannot be a string of C.
 * @param {string} name @param {unknown} value
 */
function stringOf(name, value) {
  if (typeof value !== 'string') throw new TypeError(`${name} must be a string`);
  if (value.includes('\0')) throw new TypeError(`${name} must not hold a NUL character`);
  return value;
}

/** An object of the program, where a text or a function in its place is what it should have in it. @param {string} what @param {any} value @param {string} form */
function objectGiven(what, value, form) {
  if (value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof URL)) return value;
  const given = typeof value === 'string' || value instanceof URL ? `'${value}'` : Array.isArray(value) ? 'a list' : value === null ? 'null' : typeof value;
  throw new TypeError(`${what} takes an object, ${form}; not ${given}`);
}

/**
 * A function of the program. A promise in its place is one that nothing has awaited. @param {string} what @param {unknown} value
 * @returns {Function}
 */
function functionGiven(what, value) {
  if (typeof value === 'function') return value;
  const isPromise = typeof /** @type {any} */ (value)?.then === 'function';
  throw new TypeError(`${what} must be a function; it is ${isPromise ? 'a promise: await it, or give the function without calling it' : nameOf(value)}`);
}

/** What a value is, for an error. @param {any} value */
function nameOf(value) {
  if (value === null || value === undefined) return `${value}`;
  const name = Array.isArray(value) ? 'list' : typeof value === 'object' ? value.constructor?.name ?? 'object' : typeof value;
  return `${/^[AEIOUaeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

/**
 * The options of a function of its own: one of another name would have no effect.
 * @param {string} what @param {any} options @param {string[]} names
 */
function only(what, options = {}, ...names) {
  refuseSignal(what, options, names.includes('signal'));
  for (const name of Object.keys(objectGiven(what, options, `such as { ${names[0]} }`))) {
    if (!names.includes(name)) throw new TypeError(`${what} has no option '${name}'; it has ${names.join(', ')}`);
  }
  return options;
}

/**
 * A signal in the place of options would not be looked at: it has no members of its own.
 * @param {string} what @param {unknown} options @param {boolean} takes whether there is an option `signal`
 */
function refuseSignal(what, options, takes) {
  if (!(options instanceof AbortSignal || options instanceof AbortController)) return;
  throw new TypeError(`${what} takes ${takes ? 'a signal as a member of its options: { signal }' : 'no signal'}; it was given ${nameOf(options)} in place of its options`);
}

/** The options of a call. @param {any} options */
function optionsGiven(options) {
  refuseSignal('a call', options, true);
  if (options !== undefined) objectGiven('options', options, 'such as { timeoutMs: 1000 }');
  const { signal, onProgress, onTask } = options ?? {};
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function') {
    throw new TypeError(`signal must be an AbortSignal; it is ${nameOf(signal)}${signal instanceof AbortController ? ', which has it as a member' : ''}`);
  }
  if (onProgress !== undefined) functionGiven('onProgress', onProgress);
  if (onTask !== undefined) functionGiven('onTask', onTask);
  return options;
}

/** The options of a call as the library names them. @param {any} options */
function optionsOf(options) {
  if (options === undefined) return undefined;
  const { signal, onProgress, onTask, timeoutMs, maxTotalMs, taskTtlMs, ...others } = options;
  const entries = Object.entries(others).map(([name, value]) => [underscored(name), value]);
  for (const [name, value] of Object.entries({ timeoutMs, maxTotalMs, taskTtlMs })) {
    if (value !== undefined) entries.push([underscored(name), timeOf(name, value, 1, LONGEST_CALL)]);
  }
  if (onProgress !== undefined) entries.push(['progress', true]);
  return entries.length === 0 ? undefined : JSON.stringify(Object.fromEntries(entries));
}

/**
 * How long a function of the library waits. @param {string} name @param {unknown} value
 * @param {number} forever what the function takes for no limit
 */
function waitOf(name, value, forever) {
  if (value === undefined || value === -1) return -1;
  return value === Infinity ? forever : timeOf(name, value, 0, LONGEST_WAIT);
}

/** Whole milliseconds. @param {string} name @param {unknown} value @param {number} least @param {number} most */
function timeOf(name, value, least, most) {
  if (typeof value !== 'number' || !(value >= least)) {
    const given = typeof value === 'number' ? `${value}` : `a value of type ${value === null ? 'null' : typeof value}`;
    throw new TypeError(`${name} must be a number of milliseconds from ${least}, or Infinity for no limit; it is ${given}`);
  }
  return Math.min(Math.ceil(value), most);
}

/**
 * The error object of a call, with the options named as the program names them.
 * @param {string | null} json @param {any} options
 */
function namedAsGiven(json, options) {
  if (json === null) return null;
  const names = new Map(OPTIONS);
  for (const name of Object.keys(options ?? {})) names.set(underscored(name), name);
  const object = JSON.parse(json);
  // What the server says stays as it said it.
  if (object.status === 'server') return json;
  // "timeouts.max_total_ms" is a key of the configuration, which has that name in JavaScript too.
  object.message = object.message?.replace(/(?<![\w.])[a-z]+(?:_[a-z]+)+(?!\w)/g, (/** @type {string} */ it) => names.get(it) ?? it);
  for (const detail of ['key', 'nearest']) {
    const value = object.details?.[detail];
    if (names.has(value)) object.details[detail] = names.get(value);
  }
  return JSON.stringify(object);
}

/** What was thrown as a text for the server, whatever it is. @param {unknown} thrown */
function messageOf(thrown) {
  try {
    const text = thrown instanceof Error ? thrown.message : thrown;
    return String(text).replaceAll('\0', '');
  } catch {
    return 'the handler failed, and what it threw cannot be written as a text';
  }
}

module.exports = { LONGEST_WAIT, functionGiven, jsonOf, messageOf, nameOf, namedAsGiven, objectGiven, only, optionsGiven, optionsOf, stringOf, textOf, waitOf, timeOf };
