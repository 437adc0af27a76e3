// A server with the TypeScript SDK, as its page makes one for both eras: over HTTP, with --tls CERTIFICATE KEY of
// https, or over the standard streams with the argument stdio; if --socket PATH stands after that, over each connection to a Unix socket.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createSocket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const fibonacci = (n) => (n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2));
const raised = (value) => (typeof value === 'string' ? value.toUpperCase() : value);
// The tools of published benchmarks (benches/languages.py).
const PUBLISHED = {
    hello: [{ name: z.string() }, ({ name }) => `Hello, ${name}!`],
    calculate_fibonacci: [{ n: z.number().int() }, ({ n }) => String(fibonacci(n))],
    process_json_data: [{ data: z.record(z.string(), z.unknown()) }, ({ data }) =>
        JSON.stringify(Object.fromEntries(Object.entries(data).map(([key, value]) => [key, raised(value)])))],
    simulate_database_query: [{ query: z.string(), delay_ms: z.number() }, ({ query, delay_ms }) => sleep(delay_ms, query)],
};

function make() {
    const server = new McpServer({ name: 'mcp-bench', version: '1.0.0' });
    const definition = { description: 'Says it again', inputSchema: z.object({ text: z.string() }) };
    server.registerTool('echo', definition, async ({ text }) => ({ content: [{ type: 'text', text }] }));
    for (const [name, [shape, work]] of Object.entries(PUBLISHED)) {
        server.registerTool(name, { inputSchema: z.object(shape) }, async (given) => ({ content: [{ type: 'text', text: await work(given) }] }));
    }
    return server;
}

if (process.argv[2] === 'stdio' && process.argv[5] === '--socket') {
    const listening = createSocket((socket) => {
        serveStdio(make, { transport: new StdioServerTransport(socket, socket) });
    });
    listening.listen(process.argv[6], () => console.log('listening'));
    // Nothing is written to it: the end of it is what is waited for.
    process.stdin.resume().on('end', () => listening.close());
} else if (process.argv[2] === 'stdio') {
    serveStdio(make);
} else {
    const handler = toNodeHandler(createMcpHandler(make));
    const [, , option, certificate, key] = process.argv;
    const isSecure = option === '--tls';
    const http = isSecure
        ? createSecureServer({ allowHTTP1: true, cert: readFileSync(certificate), key: readFileSync(key) }, handler)
        : createServer(handler);
    const scheme = isSecure ? 'https' : 'http';
    http.listen(0, '127.0.0.1', () => console.log(`${scheme}://127.0.0.1:${http.address().port}/mcp`));
}
