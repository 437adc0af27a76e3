// The types of the client's side, as users meet them. Nothing here runs.
import { createPrivateKey, sign } from 'node:crypto';
import { Client, ERROR_CODES, keySigner, McpError, METHODS, openConfig, textOf } from 'libmcp';
import type { CallToolResult, Config, Elicitation, Handlers, Signer, Tool, ToolResult } from 'libmcp';
import { z } from 'zod';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
function is<T extends true>(): T | void {}

const config: Config = { command: 'x', args: ['y'], timeouts: { call_ms: 5 }, protocol: 'auto', limits: { overflow: 'block' } };
// @ts-expect-error A misspelt key.
const typo: Config = { comand: 'x' };
void typo;

const handlers: Handlers = {
  sampling: ({ messages, maxTokens }) => ({ role: 'assistant', model: `${messages.length} ${maxTokens}`, content: { type: 'text', text: 'x' } }),
  elicitation(params, context) {
    if (params.mode === 'url') return { action: params.url === '' ? 'decline' : 'accept' };
    const names: string[] = Object.keys(params.requestedSchema.properties);
    context.accept({ [names[0] ?? '']: 1 });
    return undefined;
  },
  roots: () => ['/tmp', { uri: 'file:///x', name: 'x' }],
  onSign: async ({ algorithm, input }, { signal }) => {
    signal.throwIfAborted();
    return algorithm === 'ES256' ? sign('sha256', Buffer.from(input), { key: 'x', dsaEncoding: 'ieee-p1363' }) : 'x';
  },
};
const signers: Signer[] = [keySigner(createPrivateKey('x')), () => new ArrayBuffer(64)];
void signers;

export async function main(): Promise<void> {
  await using client = new Client(config, handlers);
  // @ts-expect-error There is no such handler.
  new Client(config, { samplin: () => ({}) });
  // @ts-expect-error A result of sampling has a role and content.
  new Client(config, { sampling: () => ({ model: 'x' }) });
  // @ts-expect-error A signature is no number.
  new Client(config, { onSign: () => 7 });
  // @ts-expect-error A key is an object of node:crypto.
  keySigner('x');

  const weather: ToolResult<{ degrees: number }> = await client.callTool<{ degrees: number }>('weather', { city: 'Rome' });
  const degrees: number | undefined = weather.structuredContent?.degrees;
  const checked = await client.callTool('weather', {}, { resultSchema: z.object({ at: z.coerce.date() }) });
  is<Equal<NonNullable<typeof checked.structuredContent>, { at: Date }>>();
  const assignable: CallToolResult = checked;
  console.log(degrees, textOf(assignable));
  for (const block of weather.content) {
    switch (block.type) {
      case 'text': console.log(block.text); break;
      case 'image': console.log(block.mimeType, block.data); break;
      case 'audio': console.log(block.data.length); break;
      case 'resource_link': console.log(block.uri); break;
      case 'resource': console.log('text' in block.resource ? block.resource.text : block.resource.blob); break;
      default: block satisfies never;
    }
  }
  for await (const tool of client.tools()) is<Equal<typeof tool, Tool>>();
  const page = await client.page('tools/list');
  const next: string | undefined = page.nextCursor;
  await client.page('tools/list', next, { cache: 'refresh', timeoutMs: 5 });
  // @ts-expect-error No list.
  await client.page('tools/call');

  client.onRequest('elicitation/create', (params) => {
    const typed: Elicitation = params;
    void typed;
    return { action: 'decline' };
  });
  await using stream = client.messages();
  for await (const message of stream) {
    if (message.kind === 'state') console.log(message.previous);
    else if (message.kind === 'lost') console.log(message.count);
    else if (message.kind === 'stderr') console.log(message.line);
    else console.log(message.params);
  }
  for (const opened of openConfig('mcp.json', { defaults: { timeouts: { call_ms: 1 } } })) {
    if (opened.client === undefined) console.log(opened.error.status);
    else await opened.client.close();
  }
  try {
    await client.call(METHODS.TOOLS_LIST);
  } catch (error) {
    if (error instanceof McpError && error.code === ERROR_CODES.InvalidParams) console.log(error.details);
  }
}
