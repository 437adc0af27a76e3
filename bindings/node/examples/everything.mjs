// everything SERVER [ARGUMENT...]: what a client does, all of it in one program, with a server that has the tools of
// @modelcontextprotocol/server-everything.
import { Client, textOf } from 'libmcp';

const [command, ...args] = process.argv.slice(2);
const open = () => new Client({ command, args, reconnect: { initial_ms: 10 } }, {
  sampling: ({ messages }) => ({ role: 'assistant', model: 'parrot', content: { type: 'text', text: `You said: ${textOf({ content: [messages[0].content].flat() })}` } }),
  elicitation: (params, answer) => answer.accept({ name: 'Ada' }),
  roots: () => [{ uri: 'file:///home/ada', name: 'home' }],
});
const client = open();

// Lists come whole; `tools()` reads them page by page.
const names = [];
for await (const { name } of client.tools()) names.push(name);
console.log(`${names.length} tools, among them ${names.find((name) => name === 'echo')}`);
console.log(textOf(await client.callTool('echo', { message: 'hello' })));
const { structuredContent: weather } = await client.callTool('get-structured-content', { location: 'Chicago' });
console.log(`${weather.temperature} degrees, ${weather.conditions}`);

await client.callTool('trigger-long-running-operation', { duration: 0.2, steps: 2 }, {
  onProgress: ({ progress, total }) => console.log(`${progress} of ${total}`),
});
const signal = AbortSignal.timeout(100);
await client.callTool('trigger-long-running-operation', { duration: 30, steps: 3 }, { signal }).catch((error) => console.log(error.name));

const notifications = client.notifications('notifications/message');
await client.setLogLevel('debug');
await client.callTool('toggle-simulated-logging');
for await (const { params } of notifications) {
  console.log(`the server logged at level ${params.level}`);
  break;
}

console.log(textOf(await client.callTool('trigger-sampling-request', { prompt: 'are you there', maxTokens: 20 })));
console.log(textOf(await client.callTool('trigger-elicitation-request')));
console.log(textOf(await client.callTool('get-roots-list')));
const [{ uri }] = await client.listResources();
console.log(`${uri} has ${textOf(await client.readResource(uri)).length} characters`);
console.log(textOf(await client.getPrompt('args-prompt', { city: 'Rome' })));

const sums = await Promise.all(Array.from({ length: 100 }, (_, a) => client.callTool('get-sum', { a, b: 1 })));
console.log(`${sums.filter((sum, a) => textOf(sum).includes(String(a + 1))).length} sums at the same time`);
const second = open();
console.log((await Promise.all([client, second].map((it) => it.callTool('echo', { message: 'both' })))).map(textOf).join(', '));

const lost = client.callTool('trigger-long-running-operation', { duration: 30, steps: 3 });
process.kill(client.info().pid, 'SIGKILL');
await lost.catch(({ status, retryable }) => console.log(`the server is gone: ${status}, ${retryable ? '' : 'not '}to be tried again`));
console.log(textOf(await client.callTool('echo', { message: 'back' }, { whenUnavailable: 'wait' })));
await Promise.all([client.close(), second.close()]);
