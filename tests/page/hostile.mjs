// hostile.mjs LOG: a server whose tool has a page that tries to get out of its frame (hostile.html). LOG gets a line of JSON for each call
// of a tool, and one for each thing that arrives at an address that the page may not reach.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { createInterface } from "node:readline";

const log = (line) => appendFileSync(process.argv[2], `${JSON.stringify(line)}\n`);
const canary = createServer((socket) => {
  socket.on("error", () => {}).on("data", (data) => { log({ canary: data.toString().split("\r\n")[0] }); socket.end("HTTP/1.1 204 No Content\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n"); });
  log({ canary: "a connection" });
});
canary.listen(0, "127.0.0.1");
await once(canary, "listening");
const { port } = canary.address();
createSocket("udp4").on("message", () => log({ canary: "a datagram" })).bind(port, "127.0.0.1");
const page = readFileSync(new URL("hostile.html", import.meta.url), "utf8").replaceAll("CANARY_PORT", String(port));

const schema = { type: "object" };
const tools = [
  { name: "show", description: "Shows a page.", inputSchema: schema, _meta: { ui: { resourceUri: "ui://hostile/page" } } },
  { name: "report", description: "What the page saw.", inputSchema: schema, _meta: { ui: { visibility: ["app"] } } },
  { name: "secret", description: "For models alone.", inputSchema: schema, _meta: { ui: { visibility: ["model"] } } },
];
const done = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  switch (method) {
    case "initialize": return done(id, { protocolVersion: "2025-11-25", capabilities: { tools: {}, resources: {} }, serverInfo: { name: "hostile", version: "1" } });
    case "tools/list": return done(id, { tools });
    case "resources/list": return done(id, { resources: [] });
    case "resources/templates/list": return done(id, { resourceTemplates: [] });
    case "resources/read": return done(id, { contents: [{ uri: params.uri, mimeType: "text/html;profile=mcp-app", text: page }] });
    case "tools/call": log({ call: params.name, arguments: params.arguments }); return done(id, { content: [{ type: "text", text: "done" }] });
    default: return process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no such method" } })}\n`);
  }
}).on("close", () => process.exit(0));
