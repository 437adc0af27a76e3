// Views: the pages of tools (MCP Apps), for programs that show them.
import type { JsonObject } from '../generated/protocol.js';

/** What `mcp_app_new` of mcp.h takes: who the host is, what it offers to the page, and the tool. */
export interface ViewSettings {
  hostInfo: { name: string; version: string; [member: string]: unknown };
  hostCapabilities?: JsonObject | undefined;
  hostContext?: JsonObject | undefined;
  tool?: object | undefined;
  tools?: object[] | undefined;
  /** What the names of the page's own tools begin with, in a host that lets a model call those (a draft). */
  appTools?: string | undefined;
}

/** What the program has to do for a view; `mcp_app_poll` of mcp.h says when there is which. */
export type ViewAction =
  | { type: 'message'; message: JsonObject }
  | { type: 'request'; id: number | string; method: string; params: JsonObject }
  | { type: 'cancel'; id: number | string }
  | { type: 'size'; width?: number; height?: number }
  | { type: 'log'; params: JsonObject }
  | { type: 'app-tools'; tools: JsonObject[] }
  | { type: 'called'; call: number; result?: JsonObject; error?: JsonObject }
  | { type: 'warning'; text: string }
  | { type: 'ready' } | { type: 'teardown-requested' } | { type: 'ended' };

/** What the program tells the page, with the members that `mcp_app_tell` of mcp.h names. */
export type ViewTold =
  | 'input' | 'input-partial' | 'result' | 'cancelled' | 'answer' | 'progress' | 'context' | 'tools' | 'resources-changed'
  | 'call' | 'call-cancelled' | 'teardown';

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

/** What the frame of a document is given; `mcp_app_policy` of mcp.h says what each member is for. */
export interface ViewPolicy {
  csp: string;
  allow: string;
  refused: string[];
  /** What comes before the text of a document in `srcdoc`: the policy, and a script that takes away WebRTC. */
  head: string;
}

/** The policy for the frame of a document, of `_meta.ui` of its item of `readResource`. */
export function viewPolicy(ui?: object): ViewPolicy;

export {};
