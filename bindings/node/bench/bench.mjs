// This binding as benches/languages.py measures it beside the official SDK: a client, or a server.
//
//     node bench/bench.mjs workload=seq|pipe era=legacy server=PROGRAM calls=N
//     node bench/bench.mjs stdio|http
//
// As a client it speaks the lines of benches/contenders; as a server over HTTP it says its URL, and ends with its input.
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRequire } from 'node:module';

const { Client, Server } = createRequire(import.meta.url)('libmcp');

const SLOTS = 64;
const options = Object.fromEntries(process.argv.slice(2).map((word) => word.split(/=(.*)/s)));
const texts = Array.from(
  { length: SLOTS },
  (_, slot) => `call ${String(slot).padStart(2, '0')} of the benchmark, with enough words to be sixty-four now`,
);
const fibonacci = (n) => (n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2));
const object = (properties) => ({ inputSchema: { type: 'object', properties, required: Object.keys(properties) } });
const text = { type: 'string' };

async function serve(how) {
  const server = new Server({ name: 'bench', version: '1' });
  server.tool('echo', object({ text }), ({ text }) => text);
  server.tool('hello', object({ name: text }), ({ name }) => `Hello, ${name}!`);
  server.tool('calculate_fibonacci', object({ n: { type: 'integer' } }), ({ n }) => String(fibonacci(n)));
  server.tool('process_json_data', object({ data: { type: 'object' } }), ({ data }) => JSON.stringify(
    Object.fromEntries(Object.entries(data).map(([key, value]) => [key, typeof value === 'string' ? value.toUpperCase() : value]))));
  server.tool('simulate_database_query', object({ query: text, delay_ms: { type: 'integer' } }), async ({ query, delay_ms }) => {
    await sleep(delay_ms);
    return query;
  });
  if (how === 'stdio') return server.run({ stdio: true });
  console.log((await server.serve({ url: 'http://127.0.0.1:0/mcp' })).url);
  process.stdin.resume().on('end', () => server.close());
}

/** Calls from so many places, and looks at each answer. */
async function work(client, at, calls) {
  await Promise.all(texts.slice(0, at).map(async (text) => {
    for (let i = 0; i < Math.floor(calls / at); i++) {
      const said = (await client.callTool('echo', { text })).content[0].text;
      if (said !== text) throw new Error(`echo says ${said}`);
    }
  }));
}

async function measure() {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const client = new Client({ command: options.server, args: ['--era', options.era] });
  await client.connect();
  const at = options.workload === 'pipe' ? SLOTS : 1;
  const calls = Number(options.calls);
  await work(client, at, calls / 10 + at);
  console.log('ready version=libmcp');
  await lines.next();
  const start = process.hrtime.bigint();
  await work(client, at, calls);
  console.log(`done calls=${Math.floor(calls / at) * at} ns=${process.hrtime.bigint() - start}`);
  await lines.next();
  await client.close();
  process.stdin.destroy();
}

await (process.argv[2] === 'stdio' || process.argv[2] === 'http' ? serve(process.argv[2]) : measure());
