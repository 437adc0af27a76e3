// AbortSignals with many followers. Each signal gets one listener of ours, because Node.js warns of a leak at the
// eleventh, and a program may well give one signal to a thousand calls.
'use strict';

/** @type {WeakMap<AbortSignal, Set<() => void>>} */
const followers = new WeakMap();

/**
 * Calls `act` once when the signal aborts, unless what is returned is called before.
 * @param {AbortSignal} signal @param {() => void} act @returns {() => void}
 */
function onAbort(signal, act) {
  let acts = followers.get(signal);
  if (acts === undefined) {
    acts = new Set();
    followers.set(signal, acts);
  }
  const all = acts;
  if (all.size === 0) {
    signal.addEventListener('abort', abortAll, { once: true });
  }
  all.add(act);
  return () => {
    if (all.delete(act) && all.size === 0) signal.removeEventListener('abort', abortAll);
  };
}

/** @this {AbortSignal} */
function abortAll() {
  const acts = followers.get(this);
  followers.delete(this);
  for (const act of acts ?? []) act();
}

module.exports = { onAbort };
