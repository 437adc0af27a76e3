// The types of the server's side, as users meet them. Nothing here runs; the step `node` has tsc read it with several
// settings.
import { Client, NotFoundError, Server, ToolError, withJsonSchema } from 'libmcp';
import type { CallToolResult, DescribedSchema, FromJsonSchema, HttpHandler, JsonObject, StandardSchema } from 'libmcp';
import * as v from 'valibot';
import { z } from 'zod';
import { z as z3 } from 'zod3';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
function is<T extends true>(): T | void {}

export async function main(): Promise<void> {
  await using server = new Server({ name: 'types', version: '1', timeouts: { request_ms: 1000 }, limits: { sessions: 3 } });

  server.tool('zod', { inputSchema: z.object({ city: z.string(), days: z.number().default(1) }) }, (args, request) => {
    is<Equal<typeof args, { city: string; days: number }>>();
    is<Equal<typeof request.signal, AbortSignal>>();
    if (args.city === '') throw new ToolError('there is no such city');
    return `${args.city.toUpperCase()} ${args.days + 1}`;
  });
  server.tool('structured', { inputSchema: z.object({}), outputSchema: z.object({ sum: z.number() }) }, async () => ({ sum: 1 }));
  server.tool('whole', { outputSchema: z.object({ sum: z.number() }) }, () => ({ structuredContent: { sum: 1 }, content: [{ type: 'text', text: 'one' }] }));
  // @ts-expect-error The sum is a number.
  server.tool('wrong', { inputSchema: z.object({}), outputSchema: z.object({ sum: z.number() }) }, async () => ({ sum: 'one' }));
  server.tool('json', {
    title: 'JSON',
    annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', properties: { a: { type: 'number' }, tags: { type: 'array', items: { enum: ['x', 'y'] } } }, required: ['a'] },
  }, (args) => {
    is<Equal<typeof args, { a: number; tags?: ('x' | 'y')[] }>>();
    return [{ type: 'text', text: String(args.a) }, 'more'];
  });
  server.tool('none', {}, () => undefined);
  server.tool('undefined', { inputSchema: undefined, outputSchema: undefined }, (args) => {
    is<Equal<typeof args, JsonObject>>();
    return 'x';
  });
  server.tool('half', { inputSchema: undefined, outputSchema: z.object({ sum: z.number() }) }, () => ({ sum: 1 }));
  const perhaps = Math.random() < 2 ? z.object({ city: z.string() }) : undefined;
  server.tool('perhaps', { inputSchema: perhaps, outputSchema: undefined }, () => 'x');
  server.prompt('undefined', { argsSchema: undefined, complete: undefined }, (args) => {
    is<Equal<typeof args, Record<string, string>>>();
    return 'x';
  });
  server.method('com.example/undefined', { params: undefined }, (params) => {
    is<Equal<typeof params, JsonObject>>();
  });
  server.tool('blocks', {}, () => ['one', { type: 'text', text: 'two' }]);
  server.tool('later', {}, async () => [{ type: 'image', data: '', mimeType: 'image/png' }]);
  server.tool('result', {}, async () => ({ content: [{ type: 'text', text: 'x' }], isError: true }));
  // @ts-expect-error A number is no result.
  server.tool('number', {}, () => 5);
  // @ts-expect-error There is no such member.
  server.tool('typo', { inputSchem: {} }, () => 'x');

  const foreign = { '~standard': { version: 1, vendor: 'foreign', validate: (value: unknown) => ({ value }) } } as
    StandardSchema<{ at: string }, { at: Date }>;
  const other: DescribedSchema<{ at: string }, { at: Date }> = withJsonSchema(foreign, { type: 'object' });
  server.tool('other', { inputSchema: other }, ({ at }) => at.toISOString());
  server.tool('zod 3', { inputSchema: z3.object({ at: z3.string() }) }, ({ at }) => at.trim());
  server.tool('valibot', { inputSchema: v.object({ at: v.string() }), outputSchema: v.object({ at: v.string() }) }, ({ at }) => ({ at }));
  // @ts-expect-error It does not say what it is in JSON Schema.
  server.tool('foreign', { inputSchema: foreign }, () => 'x');
  // @ts-expect-error The same.
  server.tool('foreign', { outputSchema: foreign }, () => ({ at: '' }));
  // @ts-expect-error The same.
  server.prompt('foreign', { argsSchema: foreign }, () => 'x');
  // @ts-expect-error The same.
  server.method('com.example/foreign', { params: foreign }, () => {});
  // @ts-expect-error An object belongs there.
  server.http('http://127.0.0.1/mcp');

  server.resource({ uri: 'about://us', name: 'about' }, 'text');
  server.resource({ uri: 'now://', name: 'now', mimeType: 'text/plain' }, (uri) => [{ uri, text: 'x' }, new Uint8Array(3)]);
  server.resourceTemplate({ uriTemplate: 'city://{name}', name: 'city', complete: { name: ['Rome'] } }, ({ name }) => {
    if (name === '') throw new NotFoundError();
    return `${name}`;
  });
  server.prompt('review', { argsSchema: z.object({ code: z.string() }), complete: { code: (value) => [value] } }, ({ code }) => code.trim());
  server.prompt('plain', { arguments: [{ name: 'x', required: true }] }, ({ x }) => ({ messages: [{ role: 'user', content: { type: 'text', text: x ?? '' } }] }));
  server.method('com.example/render', { params: z.object({ page: z.number() }) }, ({ page }) => ({ page: page + 1 }));

  server.tool('asks', {}, async (_args, request) => {
    const size = await request.elicit('size', { message: 'Which size?', schema: z.object({ size: z.enum(['small', 'large']) }) });
    if (size.action === 'accept') is<Equal<typeof size.content.size, 'small' | 'large'>>();
    const plain = await request.elicit('n', { message: 'How many?', schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } });
    if (plain.action !== 'accept') return 'nothing';
    is<Equal<typeof plain.content, { n: number }>>();
    const { content } = await request.sample('s', { maxTokens: 5, messages: [] });
    const [root] = await request.roots();
    request.startTask({ ttlMs: 5 });
    return `${plain.content.n} ${root?.uri} ${Array.isArray(content)}`;
  });

  const handler: HttpHandler = server.http({ url: 'http://localhost/mcp', hosts: ['x'] });
  const response: Response = await handler.fetch(new Request('http://localhost/mcp'));
  void response;
  const { url, socket } = await server.serve({ socket: 'tcp:127.0.0.1:0' });
  is<Equal<typeof url, string | undefined>>();
  void socket;

  await using client: Client = server.client({ protocol: 'modern' });
  const result: CallToolResult = await client.callTool('zod', { city: 'Rome' });
  void result;
  type Tree = FromJsonSchema<{ type: 'object'; properties: { a: { const: 5 }; b: { anyOf: [{ type: 'string' }, { type: 'null' }] } }; required: ['b'] }>;
  is<Equal<Tree, { b: string | null; a?: 5 }>>();
}
