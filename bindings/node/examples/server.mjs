// server [PORT]: a server with three tools, one of which asks the person, a resource and a prompt. Over the standard streams,
// or over HTTP at a port.
import { Server, ToolError } from 'libmcp';
import { z } from 'zod';

const server = new Server({ name: 'tea-house', version: '1.0', instructions: 'Sells tea.' });
const teas = { assam: 2.5, sencha: 3 };

server.tool('price', {
  description: 'The price of a tea',
  inputSchema: z.object({ tea: z.string(), cups: z.number().int().min(1).default(1) }),
  outputSchema: z.object({ price: z.number() }),
}, ({ tea, cups }) => {
  if (teas[tea] === undefined) throw new ToolError(`There is no ${tea}. There is ${Object.keys(teas).join(' and ')}.`);
  return { price: teas[tea] * cups };
});

server.tool('brew', { description: 'Brews a tea, which takes a while', inputSchema: z.object({ tea: z.string() }) }, async ({ tea }, request) => {
  for (let minute = 1; minute <= 3 && !request.signal.aborted; minute++) {
    request.progress(minute, 3, `${minute} of 3 minutes`);
    await new Promise((resolve) => { setTimeout(resolve, 10); });
  }
  return `Here is your ${tea}.`;
});

server.tool('order', { description: 'Orders a tea', inputSchema: z.object({ tea: z.string() }) }, async ({ tea }, request) => {
  // Runs again with the answer: what must happen once comes behind it.
  const { action, content } = await request.elicit('size', { message: `Which size of ${tea}?`, schema: z.object({ size: z.enum(['small', 'large']) }) });
  return action === 'accept' ? `A ${content.size} ${tea}.` : 'Nothing was ordered.';
});

server.resource({ uri: 'tea://menu', name: 'menu', mimeType: 'application/json' }, () => JSON.stringify(teas));
server.prompt('recommend', { description: 'Asks for a tea', argsSchema: z.object({ mood: z.string() }), complete: { mood: ['calm', 'awake'] } },
  ({ mood }) => `Which tea is right for a person who wants to be ${mood}?`);

const [port] = process.argv.slice(2);
if (port === undefined) {
  await server.run({ stdio: true });
} else {
  const { url } = await server.serve({ url: `http://127.0.0.1:${port}/mcp` });
  console.log(`serving at ${url}`);
  process.once('SIGTERM', () => server.close());
}
