// The official package as the host of a page (MCP Apps): host.mjs PACKAGE SERVER, from the folder of the packages. The page of the first tool
// of the server runs in a window with what that page uses, and its messages go through the package's bridge. Prints what was seen.
import { runInNewContext } from "node:vm";

const [name, command] = process.argv.slice(2);
const isFirst = name === "ext-apps-1";
const { Client } = await import(isFirst ? "@modelcontextprotocol/sdk/client/index.js" : "@modelcontextprotocol/client");
const { StdioClientTransport } = await import(isFirst ? "@modelcontextprotocol/sdk/client/stdio.js" : "@modelcontextprotocol/client/stdio");
const { AppBridge } = await import(`./node_modules/${name}/dist/src/app-bridge.js`);
// A message that does not come ends this with what there is.
const late = setTimeout(() => { console.error("a message of the page or of the bridge does not come:", JSON.stringify(seen)); process.exit(3); }, 30000);
const seen = { sizes: [] };

const extensions = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };
const client = new Client({ name: "host", version: "1" }, { capabilities: { extensions } });
await client.connect(new StdioClientTransport({ command, args: [] }));
const { tools: [tool, ...others] } = await client.listTools();
const { contents: [{ text: page, mimeType }] } = await client.readResource({ uri: tool._meta.ui.resourceUri });
const result = await client.callTool({ name: tool.name, arguments: { city: "Paris" } });
Object.assign(seen, { tool: tool.name, others: others.map((other) => [other.name, other._meta.ui.visibility]), mimeType, text: result.content[0].text });

const bridge = new AppBridge(client, { name: "host", version: "1" }, { serverTools: {}, openLinks: {}, logging: {} });
const listeners = [];
const copy = (message) => JSON.parse(JSON.stringify(message));
const transport = {
  async start() {},
  async send(message) { setImmediate(() => { for (const listener of listeners) listener({ source: window.parent, data: copy(message) }); }); },
  async close() {},
};
const window = {
  parent: { postMessage: (message) => setImmediate(() => transport.onmessage(copy(message))) },
  document: { documentElement: { scrollHeight: 120 } }, chart: { innerHTML: "" },
  addEventListener: (type, listener) => { if (type === "message") listeners.push(listener); },
};
const isInitialized = new Promise((done) => { bridge.oninitialized = done; });
// The second size comes after the answer to the call that the page makes.
const isDrawn = new Promise((done) => {
  bridge.onsizechange = (size) => { seen.sizes.push([size, window.chart.innerHTML.split("<rect ").length - 1]); window.chart.innerHTML = ""; if (seen.sizes.length === 2) done(); };
});
const isOver = new Promise((done) => { bridge.onrequestteardown = done; });
await bridge.connect(transport);
runInNewContext(/<script>(.*)<\/script>/s.exec(page)[1], window);
await isInitialized;
Object.assign(seen, { app: bridge.getAppVersion() });
await bridge.sendToolInput({ arguments: { city: "Paris" } });
await bridge.sendToolResult(result);
await isDrawn;
window.chart.onclick();
await isOver;
Object.assign(seen, { teardown: await bridge.teardownResource({}) });
await client.close();
clearTimeout(late);
console.log(JSON.stringify(seen));
