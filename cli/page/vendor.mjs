// What the page uses of its libraries: `cargo xtask page` makes one file of it, vendor.js.
export { render, h, Fragment } from "preact";
export { useState, useEffect, useLayoutEffect, useRef, useMemo, useCallback, useId } from "preact/hooks";
export { signal, computed, effect, batch, untracked } from "@preact/signals";
import { h } from "preact";
import htm from "htm";
export const html = htm.bind(h);
