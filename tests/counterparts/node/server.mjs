// server [PORT]: bindings/node/examples/server.mjs on the official SDK.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { completable } from '@modelcontextprotocol/sdk/server/completable.js';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const teas = { assam: 2.5, sencha: 3 };
const text = (said) => ({ content: [{ type: 'text', text: said }] });

const makeServer = () => {
  const server = new McpServer({ name: 'tea-house', version: '1.0' }, { instructions: 'Sells tea.' });
  server.registerTool('price', {
    description: 'The price of a tea',
    inputSchema: { tea: z.string(), cups: z.number().int().min(1).default(1) },
    outputSchema: { price: z.number() },
  }, ({ tea, cups }) => {
    if (teas[tea] === undefined) throw new Error(`There is no ${tea}. There is ${Object.keys(teas).join(' and ')}.`);
    const structuredContent = { price: teas[tea] * cups };
    return { ...text(JSON.stringify(structuredContent)), structuredContent };
  });

  server.registerTool('brew', { description: 'Brews a tea, which takes a while', inputSchema: { tea: z.string() } }, async ({ tea }, request) => {
    const progressToken = request._meta?.progressToken;
    for (let minute = 1; minute <= 3 && !request.signal.aborted; minute++) {
      if (progressToken !== undefined) {
        const params = { progressToken, progress: minute, total: 3, message: `${minute} of 3 minutes` };
        await request.sendNotification({ method: 'notifications/progress', params });
      }
      await sleep(10);
    }
    return text(`Here is your ${tea}.`);
  });

  server.registerTool('order', { description: 'Orders a tea', inputSchema: { tea: z.string() } }, async ({ tea }) => {
    const { action, content } = await server.server.elicitInput({
      message: `Which size of ${tea}?`,
      requestedSchema: { type: 'object', properties: { size: { type: 'string', enum: ['small', 'large'] } }, required: ['size'] },
    });
    return text(action === 'accept' ? `A ${content.size} ${tea}.` : 'Nothing was ordered.');
  });

  server.registerResource('menu', 'tea://menu', { mimeType: 'application/json' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify(teas) }],
  }));
  const mood = completable(z.string(), (begun) => ['calm', 'awake'].filter((word) => word.startsWith(begun)));
  server.registerPrompt('recommend', { description: 'Asks for a tea', argsSchema: { mood } }, ({ mood }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Which tea is right for a person who wants to be ${mood}?` } }],
  }));
  return server;
};

const [port] = process.argv.slice(2);
if (port === undefined) {
  await makeServer().connect(new StdioServerTransport());
} else {
  // Each session has a server and a transport of its own, which the program keeps.
  const sessions = new Map();
  const app = createMcpExpressApp();
  app.all('/mcp', async (request, response) => {
    let transport = sessions.get(request.headers['mcp-session-id']);
    if (transport === undefined) {
      if (!isInitializeRequest(request.body)) return void response.status(404).send('no such session');
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => sessions.set(id, transport),
      });
      transport.onclose = () => sessions.delete(transport.sessionId);
      await makeServer().connect(transport);
    }
    await transport.handleRequest(request, response, request.body);
  });
  const listener = app.listen(Number(port), '127.0.0.1', () => console.log(`serving at http://127.0.0.1:${listener.address().port}/mcp`));
  process.once('SIGTERM', async () => {
    await Promise.all([...sessions.values()].map((transport) => transport.close()));
    listener.close();
  });
}
