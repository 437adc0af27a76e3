// The types of vendor.js: those of its packages.
import type { VNode } from "preact";
export { render, h, Fragment } from "preact";
export { useState, useEffect, useLayoutEffect, useRef, useMemo, useCallback, useId } from "preact/hooks";
export { signal, computed, effect, batch, untracked } from "@preact/signals";
/** What stands in a template: a listener gets an event of any kind. */
type Part = ((event: any) => any) | object | string | number | boolean | null | undefined;
export const html: (strings: TemplateStringsArray, ...values: Part[]) => VNode<any>;
