// A view of the official package (MCP Apps): view.mjs MODULE. It speaks over the standard streams, and tells on standard error what it sees.
import { createInterface } from "node:readline";

const { App } = await import(process.argv[2]);
const tell = (name, value) => process.stderr.write(`${JSON.stringify([name, value])}\n`);
const app = new App({ name: "view", version: "1" }, { availableDisplayModes: ["inline", "fullscreen"], tools: { listChanged: true } }, { autoResize: false });
app.ontoolinput = (params) => tell("input", params);
app.ontoolresult = (params) => tell("result", params);
app.onhostcontextchanged = (params) => tell("changed", params);
app.onlisttools = async () => ({ tools: [{ name: "move", inputSchema: { type: "object" } }] });
app.oncalltool = async ({ name, arguments: given }) => ({ content: [{ type: "text", text: `${name} ${JSON.stringify(given)}` }] });
app.onteardown = async (params) => { tell("teardown", params); setTimeout(() => process.exit(0)); return {}; };
const transport = {
  async start() {
    const lines = createInterface({ input: process.stdin });
    lines.on("line", (line) => this.onmessage?.(JSON.parse(line))).on("close", () => process.exit(3));
  },
  async send(message) { process.stdout.write(`${JSON.stringify(message)}\n`); },
  async close() {},
};
const attempt = async (name, done) => { try { tell(name, await done()); } catch (error) { tell(name, { code: error.code }); } };
await app.connect(transport);
tell("theme", app.getHostContext().theme);
await attempt("call", () => app.callServerTool({ name: "draw", arguments: { x: 1 } }));
await attempt("secret", () => app.callServerTool({ name: "secret", arguments: {} }));
await attempt("read", () => app.readServerResource({ uri: "ui://x" }));
await attempt("link", () => app.openLink({ url: "https://a.example/" }));
await attempt("script", () => app.openLink({ url: "javascript:1" }));
await attempt("message", () => app.sendMessage({ role: "user", content: [{ type: "text", text: "hi" }] }));
await attempt("context", () => app.updateModelContext({ content: [{ type: "text", text: "c" }] }));
await attempt("mode", () => app.requestDisplayMode({ mode: "fullscreen" }));
await attempt("pip", () => app.requestDisplayMode({ mode: "pip" }));
await attempt("file", () => app.downloadFile({ contents: [{ type: "resource", resource: { uri: "file:///a/b.csv", text: "1" } }] }));
await app.sendLog({ level: "info", data: "logged" });
await app.sendSizeChanged({ width: 10, height: 20 });
