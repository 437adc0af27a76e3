// http-server [PORT]: MCP at one path of an HTTP server that has others too. It streams: progress comes while the tool works.
import { createServer } from 'node:http';

import { Server } from 'libmcp';

const server = new Server({ name: 'clock', version: '1.0' });
server.tool('count', { inputSchema: { type: 'object', properties: { to: { type: 'integer', maximum: 100 } }, required: ['to'] } }, async ({ to }, request) => {
  for (let i = 1; i <= to && !request.signal.aborted; i++) {
    request.progress(i, to);
    await new Promise((resolve) => { setTimeout(resolve, 5); });
  }
  return `counted to ${to}`;
});

const http = createServer((request, response) => {
  if (request.url === '/mcp') return mcp(request, response);
  return response.end('This is the page of the program.\n');
});
http.listen(Number(process.argv[2] ?? 0), '127.0.0.1');
await new Promise((resolve) => { http.once('listening', resolve); });
const { port } = /** @type {import('node:net').AddressInfo} */ (http.address());
// Where clients reach it: requests with another Host are refused.
const mcp = server.http({ url: `http://127.0.0.1:${port}/mcp` });
console.log(`serving at http://127.0.0.1:${port}/mcp`);

process.once('SIGTERM', async () => {
  await server.close();
  http.close();
  http.closeAllConnections();
});
