// What the page is made of, for `tsc`: neither a build nor a browser reads this file.

/** What a server sent: JSON of any shape, which is looked at before it is used. */
type Any = any;

/** A record of the program: `text` is JSON, or the beginning of it as a text where `cut` says how long it is. */
interface Rec { n: number; t: number; server: number; kind: string; from: string; text: string; count?: number; value?: Any; cut?: number; span?: Span }
/** A request and its answer. */
interface Span { server: number; from: string; method: string; id: Any; begin: number; end: number | null; request: Rec; answer: Rec | null; failed?: boolean; name?: Any }
/** What is drawn of a request or a task. */
interface Bar { from: string; method: string; name?: Any; begin: number; end: number | null; failed?: boolean; state?: string }
/** A call: its number is negative where a file has it. */
interface Made {
  number: number; server: number; by: string; method: string; params: Any; t: number; status: string; ms?: number; result?: Any; error?: Any;
  progress: Any; questions: number[]; record?: Rec; outcome?: Rec; isLong?: boolean; generation?: number;
}
interface Listed { items: Any[]; error?: Any; at?: number; cache?: number }
type Lists = Record<string, Listed>;
interface Place { words?: string[]; program?: string[]; headers?: string[]; environment?: string[] }
interface Finding { grade: string; about: string; what: string; fix?: string }
interface Fault { about: string; what: string; fix: string }
interface Report {
  findings?: Finding[]; faults: number; advice: number; revisions?: { revision: string; why?: string; milliseconds?: number }[];
  hosts?: { host: string; source: string; faults: Fault[] }[];
}
interface Server {
  server: number; name: string; is_file?: boolean; place?: Place; state: string; info: Any; error: Any; generation: number; lists: Lists; before: Lists;
  doctor: { state: string; message?: string; report?: Report } | null; login: Any; updated: Map<string, number>; since?: number; stray?: string;
}
interface Asked { question: number; server: number; method: string; params: Any; call?: number; t: number }
interface Task { taskId?: Any; status?: string; server: number; begin: number; end: number | null; at: number; isMasked: boolean; ttl?: Any; ttlMs?: Any; statusMessage?: Any }
/** An item of a list, by the name that the page gives it. */
interface Item { item: Any; member: string; name: string }
/** What completes a member of a form. */
type Complete = ((name: string) => { values: string[]; typed: (text: string) => void }) | null;
/** One member of a form, or all of it. */
interface Filled { schema: Any; root: Any; value: Any; set: (value: Any) => void; path: string; fault: (path: string) => string; depth?: number; complete?: Complete }
interface AppShown { url: string; policy: string; refused: string[] }
