// Views: the pages of tools (MCP Apps), for programs that show them.
import type { JsonObject } from '../protocol.js';

/** What `mcp_app_new` of mcp.h takes: who the host is, what it offers to the page, and the tool. */
export interface ViewSettings {
  hostInfo: { name: string; version: string; [member: string]: unknown };
  hostCapabilities?: JsonObject | undefined;
  hostContext?: JsonObject | undefined;
  tool?: object | undefined;
  tools?: object[] | undefined;
}

/** What the program has to do for a view; `mcp_app_poll` of mcp.h says when there is which. */
export type ViewAction =
  | { type: 'message'; message: JsonObject }
  | { type: 'request'; id: number | string; method: string; params: JsonObject }
  | { type: 'cancel'; id: number | string }
  | { type: 'size'; width?: number; height?: number }
  | { type: 'log'; params: JsonObject }
  | { type: 'warning'; text: string }
  | { type: 'ready' } | { type: 'teardown-requested' } | { type: 'ended' };

/** What the program tells the page, with the members that `mcp_app_tell` of mcp.h names. */
export type ViewTold =
  'input' | 'input-partial' | 'result' | 'cancelled' | 'answer' | 'progress' | 'context' | 'tools' | 'resources-changed' | 'teardown';

/**
 * The host's side of the page of a tool (docs/guide/apps.md). It shows nothing: the program has a web view, gives the messages of the
 * page to `receive`, and does the actions that come out. Nothing waits.
 */
export class View implements Disposable {
  constructor(settings: ViewSettings);
  /** Takes a message of the page's own frame, as it came: a text, or what `postMessage` brought. Malformed or forbidden ones do no harm. */
  receive(message: string | object): void;
  /** Tells the page what happened: `tell('result', { result })`, `tell('answer', { id, result })`. */
  tell(type: ViewTold, members?: object): void;
  /** The next action; undefined when there is nothing to do until something is received or told. */
  poll(): ViewAction | undefined;
  /** The actions that are there, and those that come while they are done. */
  actions(): IterableIterator<ViewAction>;
  /** Frees it. Any number of times. */
  close(): void;
  [Symbol.dispose](): void;
}

/** The policy for the frame of a document, of `_meta.ui` of its item of `readResource`. */
export function viewPolicy(ui?: object): { csp: string; allow: string; refused: string[] };

export {};
