// libmcp beside the official SDK (its first major), in one run, in turns. As a client, against the same server; as a server,
// for the same client:
//
//     node --expose-gc bench/bench.mjs SERVER PEERS [ROUNDS]
//
// SERVER is a server with its arguments, in one word: 'target/release/mcp-bench-server --era legacy', the neutral server of the
// benchmarks, or the example server of libmcp (target/release/mcp-example-server). PEERS is a folder in which npm has installed
// @modelcontextprotocol/sdk and zod (target/peers/npm). Absolute numbers depend on the machine; read the ratios.
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const { Client, Server } = createRequire(import.meta.url)('libmcp');

const [server, peers, rounds = '5'] = process.argv.slice(2);
if (peers === undefined) {
  console.error('usage: bench.mjs SERVER PEERS [ROUNDS]');
  process.exit(2);
}
const words = server.split(' ');
const { resolve } = createRequire(path.join(path.resolve(peers), 'package.json'));
const load = (name) => import(resolve(name));

// Servers of the benchmark itself, started as children.
if (server === '--serve') {
  if (process.argv[4] === 'libmcp') {
    const it = new Server({ name: 'bench' });
    it.tool('echo', { inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } }, async ({ text }) => text);
    await it.run({ stdio: true });
  } else {
    const [{ McpServer }, { StdioServerTransport }, { z }] = await Promise.all([
      load('@modelcontextprotocol/sdk/server/mcp.js'), load('@modelcontextprotocol/sdk/server/stdio.js'), load('zod')]);
    const it = new McpServer({ name: 'bench', version: '1' });
    it.registerTool('echo', { inputSchema: { text: z.string() } }, async ({ text }) => ({ content: [{ type: 'text', text }] }));
    await it.connect(new StdioServerTransport());
  }
}

async function libmcp(command, args = []) {
  const client = new Client({ command, args, protocol: 'legacy' });
  await client.connect();
  return { call: (name, args) => client.callTool(name, args), close: () => client.close() };
}

async function main() {
  const [{ Client: OfficialClient }, { StdioClientTransport }] = await Promise.all([
    load('@modelcontextprotocol/sdk/client/index.js'), load('@modelcontextprotocol/sdk/client/stdio.js')]);
  async function official() {
    const client = new OfficialClient({ name: 'bench', version: '1' });
    await client.connect(new StdioClientTransport({ command: words[0], args: words.slice(1), stderr: 'ignore' }));
    return { call: (name, args) => client.callTool({ name, arguments: args }), close: () => client.close() };
  }
  const served = (which) => () => libmcp(process.execPath, [fileURLToPath(import.meta.url), '--serve', peers, which]);
  console.log(`Node.js ${process.version}, medians of ${rounds} rounds\n`);
  await compare('client, same server', { libmcp: () => libmcp(words[0], words.slice(1)), official }, CLIENT);
  await compare('server, same client', { libmcp: served('libmcp'), official: served('official') }, SERVER);
}

const echo = { text: 'x'.repeat(64) };
const one = { count: 3000, run: within(async (it, count) => {
  for (let i = 0; i < count; i++) await it.call('echo', echo);
}) };
const many = { count: 15000, run: within(async (it, count) => {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await it.call('echo', echo);
  };
  await Promise.all(Array.from({ length: 64 }, worker));
}) };
const SERVER = { 'one after another': one, '64 under way': many };
const CLIENT = {
  'start, call, close': { count: 20, run: (open, count) => measure(async () => {
    for (let i = 0; i < count; i++) {
      const it = await open();
      await it.call('echo', echo);
      await it.close();
    }
  }) },
  ...SERVER,
  '5 MiB of text': { count: 10, run: within(async (it, count) => {
    for (let i = 0; i < count; i++) await it.call('big', { bytes: 5 << 20 });
  }) },
};

/** Milliseconds of time and of this process's processor for some work. */
async function measure(work) {
  globalThis.gc?.();
  const cpu = process.cpuUsage();
  const start = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { time: performance.now() - start, cpu: (user + system) / 1000 };
}

function within(work) {
  return async (open, count) => {
    const it = await open();
    // Both engines warm, and the server's start not in the measure.
    for (let i = 0; i < 500; i++) await it.call('echo', echo);
    const figures = await measure(() => work(it, count));
    await it.close();
    return figures;
  };
}

async function compare(side, contenders, workloads) {
  const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
  console.log([side.padEnd(22), 'libmcp'.padStart(18), 'official'.padStart(18), 'ratio of time'.padStart(16)].join(''), ' (µs of time / of the client\'s processor)');
  for (const [name, { count, run }] of Object.entries(workloads)) {
    const figures = { libmcp: [], official: [] };
    for (let round = 0; round < Number(rounds); round++) {
      for (const [who, open] of Object.entries(contenders)) figures[who].push(await run(open, count));
    }
    const of = (who, what) => median(figures[who].map((it) => (it[what] * 1000) / count));
    const cell = (who) => `${of(who, 'time').toFixed(0)} / ${of(who, 'cpu').toFixed(0)}`.padStart(18);
    console.log(`${name.padEnd(22)}${cell('libmcp')}${cell('official')}${(of('official', 'time') / of('libmcp', 'time')).toFixed(2).padStart(16)}`);
  }
  console.log();
}

if (server !== '--serve') await main();
