// Values as the texts that the library takes.
'use strict';

/** @param {object | undefined} value */
function textOf(value) {
  return value === undefined ? undefined : JSON.stringify(value);
}

/** The options of a call as the library names them. @param {any} options */
function optionsOf(options) {
  if (options === undefined) return undefined;
  const { signal, onProgress, onTask, ...others } = options;
  const entries = Object.entries(others).map(([name, value]) => [name.replace(/[A-Z]/g, (it) => `_${it.toLowerCase()}`), value]);
  if (onProgress !== undefined) entries.push(['progress', true]);
  return entries.length === 0 ? undefined : JSON.stringify(Object.fromEntries(entries));
}

module.exports = { optionsOf, textOf };
