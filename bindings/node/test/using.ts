// A TypeScript program as a user writes it. The types are checked, and using.test.js runs it.
import { Client, McpError, RequestError, textOf } from 'libmcp';
import type { CallOptions, Config, NotificationMessage, Progress, State, Tool } from 'libmcp';

const config: Config = {
  command: process.env.MCP_EXAMPLE_SERVER ?? '',
  capabilities: { elicitation: {} },
  timeouts: { call_ms: 10_000 },
};

async function main(): Promise<number> {
  await using client = new Client(config);
  client.onRequest('elicitation/create', (params, { signal }) => {
    if (signal.aborted) throw new RequestError(-1, 'too late');
    return { action: 'accept', content: { answer: params.message } };
  });
  const state: State | 'unknown' = client.state;
  const tools: Tool[] = await client.listTools();
  const options: CallOptions = { onProgress: ({ progress }: Progress) => void progress };
  const { structuredContent } = await client.callTool('add', { a: 1, b: 2 }, options);
  console.log(state, tools.length > 0, structuredContent);

  await using stream = client.notifications<{ level: string }>('notifications/message');
  await client.callTool('notify', { count: 1 }, { meta: { 'io.modelcontextprotocol/logLevel': 'info' } });
  for await (const message of stream) {
    const typed: NotificationMessage<{ level: string }> = message;
    console.log(typed.params.level);
    break;
  }
  try {
    await client.call<{ never: true }>('no/such/method');
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    console.log(error.status, error.code);
  }
  console.log(textOf(await client.callTool('ask', { question: 'again?' })));

  const status = (error: McpError) => console.log(error.status);
  // @ts-expect-error An option that does not exist.
  await client.ping({ timeout: 5 }).catch(status);
  // @ts-expect-error Tools have names.
  await client.callTool(7).catch((error: Error) => console.log(error.name));
  return Number(client.info().pid);
}

main().then((pid) => {
  try {
    process.kill(pid, 0);
    console.log('the server is still there');
  } catch {
    console.log('the server is gone');
  }
});
