// official.mjs LOG SERVER [model]: the server of an official app (MCP Apps) over the standard streams. LOG gets a line of JSON for each call of
// a tool that arrives; with `model`, its tools are for models alone. The page tells its host as a log message how its own calls of tools ended.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [log, server, forModels] = process.argv.slice(2);
const tap = `<script>addEventListener("message", ({ data }) => { if (data.error || data.result?.content) parent.postMessage({ jsonrpc: "2.0", method:
  "notifications/message", params: { level: "info", data: data.error ? "error " + data.error.code : "content" } }, "*"); });</script>`;
const child = spawn(process.execPath, [server, "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
createInterface({ input: process.stdin }).on("line", (line) => {
  const { method, params } = JSON.parse(line);
  if (method === "tools/call") appendFileSync(log, `${JSON.stringify({ call: params.name, arguments: params.arguments })}\n`);
  child.stdin.write(`${line}\n`);
}).on("close", () => child.stdin.end());
createInterface({ input: child.stdout }).on("line", (line) => {
  const message = JSON.parse(line);
  if (forModels) for (const tool of message.result?.tools ?? []) tool._meta.ui.visibility = ["model"];
  for (const page of message.result?.contents ?? []) page.text = page.text.replace(/<head[^>]*>/, (head) => head + tap);
  process.stdout.write(`${JSON.stringify(message)}\n`);
});
child.once("exit", (code) => process.exit(code ?? 1));
