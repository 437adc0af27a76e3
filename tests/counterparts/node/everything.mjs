// everything SERVER [ARGUMENT...]: bindings/node/examples/everything.mjs on the official SDK.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  CreateMessageRequestSchema, ElicitRequestSchema, ErrorCode, ListRootsRequestSchema, LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

const [command, ...args] = process.argv.slice(2);
const open = async (onLog) => {
  const client = new Client({ name: 'everything', version: '1.0' }, {
    capabilities: { sampling: {}, elicitation: { form: { applyDefaults: true } }, roots: {} },
  });
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => ({
    role: 'assistant', model: 'parrot', content: { type: 'text', text: `You said: ${[params.messages[0].content].flat().map(({ text }) => text).join('\n')}` },
  }));
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }));
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///home/ada', name: 'home' }] }));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => onLog?.(params));
  await client.connect(new StdioClientTransport({ command, args }));
  return client;
};
const textOf = ({ content }) => content.map(({ text }) => text ?? '').join('\n');
const call = (client, name, args = {}, options = {}) => client.callTool({ name, arguments: args }, undefined, options);
let client;
const logged = new Promise((resolve) => { client = open(resolve); });
client = await client;

const names = [];
let cursor;
do {
  const page = await client.listTools({ cursor });
  names.push(...page.tools.map(({ name }) => name));
  cursor = page.nextCursor;
} while (cursor !== undefined);
console.log(`${names.length} tools, among them ${names.find((name) => name === 'echo')}`);
console.log(textOf(await call(client, 'echo', { message: 'hello' })));
const { structuredContent: weather } = await call(client, 'get-structured-content', { location: 'Chicago' });
console.log(`${weather.temperature} degrees, ${weather.conditions}`);

await call(client, 'trigger-long-running-operation', { duration: 0.2, steps: 2 }, {
  onprogress: ({ progress, total }) => console.log(`${progress} of ${total}`),
});
const signal = AbortSignal.timeout(100);
await call(client, 'trigger-long-running-operation', { duration: 30, steps: 3 }, { signal }).catch(() => console.log(signal.reason.name));

await client.setLoggingLevel('debug');
await call(client, 'toggle-simulated-logging');
console.log(`the server logged at level ${(await logged).level}`);

console.log(textOf(await call(client, 'trigger-sampling-request', { prompt: 'are you there', maxTokens: 20 })));
console.log(textOf(await call(client, 'trigger-elicitation-request')));
console.log(textOf(await call(client, 'get-roots-list')));
const { resources: [{ uri }] } = await client.listResources();
const { contents } = await client.readResource({ uri });
console.log(`${uri} has ${contents.map(({ text }) => text ?? '').join('\n').length} characters`);
const { messages } = await client.getPrompt({ name: 'args-prompt', arguments: { city: 'Rome' } });
console.log(messages.map(({ content }) => content.text ?? '').join(''));

const sums = await Promise.all(Array.from({ length: 100 }, (_, a) => call(client, 'get-sum', { a, b: 1 })));
console.log(`${sums.filter((sum, a) => textOf(sum).includes(String(a + 1))).length} sums at the same time`);
const second = await open();
console.log((await Promise.all([client, second].map((it) => call(it, 'echo', { message: 'both' })))).map(textOf).join(', '));

const lost = call(client, 'trigger-long-running-operation', { duration: 30, steps: 3 });
process.kill(client.transport.pid, 'SIGKILL');
await lost.catch(({ code }) => console.log(`the server is gone: ${code === ErrorCode.ConnectionClosed ? 'transport' : code}, not to be tried again`));
// The SDK does not connect again: the program starts a client with all its handlers once more.
client = await open();
console.log(textOf(await call(client, 'echo', { message: 'back' })));
await Promise.all([client.close(), second.close()]);
