// A server with the TypeScript SDK, as its page makes one for both eras: over HTTP, or over the standard streams with the
// argument stdio.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

function make() {
    const server = new McpServer({ name: 'mcp-bench', version: '1.0.0' });
    const definition = { description: 'Says it again', inputSchema: z.object({ text: z.string() }) };
    server.registerTool('echo', definition, async ({ text }) => ({ content: [{ type: 'text', text }] }));
    return server;
}

if (process.argv[2] === 'stdio') {
    serveStdio(make);
} else {
    const http = createServer(toNodeHandler(createMcpHandler(make)));
    http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));
}
