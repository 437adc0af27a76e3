// libmcp beside the official client, against the same server, in one run, in turns:
//
//     node --expose-gc bench/bench.mjs SERVER [ROUNDS]
//
// SERVER is the example server of libmcp (target/release/mcp-example-server). Absolute numbers depend on the machine; read
// the ratios.
import { createRequire } from 'node:module';

import { Client as OfficialClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const { Client } = createRequire(import.meta.url)('libmcp');

const [server, rounds = '5'] = process.argv.slice(2);
if (server === undefined) {
  console.error('usage: bench.mjs SERVER [ROUNDS]');
  process.exit(2);
}

async function libmcp() {
  const client = new Client({ command: server, protocol: 'legacy' });
  await client.connect();
  return { call: (name, args) => client.callTool(name, args), close: () => client.close() };
}

async function official() {
  const client = new OfficialClient({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport({ command: server, stderr: 'ignore' }));
  return { call: (name, args) => client.callTool({ name, arguments: args }), close: () => client.close() };
}

const echo = { text: 'x'.repeat(64) };

/** Milliseconds of time and of processor for some work. */
async function measure(work) {
  globalThis.gc?.();
  const cpu = process.cpuUsage();
  const start = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { time: performance.now() - start, cpu: (user + system) / 1000 };
}

const WORKLOADS = {
  'start, call, close': { count: 20, run: (open, count) => measure(async () => {
    for (let i = 0; i < count; i++) {
      const it = await open();
      await it.call('echo', echo);
      await it.close();
    }
  }) },
  'one after another': { count: 5000, run: within(async (it, count) => {
    for (let i = 0; i < count; i++) await it.call('echo', echo);
  }) },
  '64 under way': { count: 20000, run: within(async (it, count) => {
    let left = count;
    const worker = async () => {
      while (left-- > 0) await it.call('echo', echo);
    };
    await Promise.all(Array.from({ length: 64 }, worker));
  }) },
  '5 MiB of text': { count: 10, run: within(async (it, count) => {
    for (let i = 0; i < count; i++) await it.call('big', { bytes: 5 << 20 });
  }) },
};

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

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

console.log(`Node.js ${process.version}, ${rounds} rounds, each a call: µs of time, µs of processor\n`);
console.log(['workload'.padEnd(20), 'libmcp'.padStart(18), 'official'.padStart(18), 'ratio of time'.padStart(16)].join(''));
for (const [name, { count, run }] of Object.entries(WORKLOADS)) {
  const figures = { libmcp: [], official: [] };
  for (let round = 0; round < Number(rounds); round++) {
    for (const [who, open] of Object.entries({ libmcp, official })) {
      figures[who].push(await run(open, count));
    }
  }
  const of = (who, what) => median(figures[who].map((it) => (it[what] * 1000) / count));
  const cell = (who) => `${of(who, 'time').toFixed(0)} / ${of(who, 'cpu').toFixed(0)}`.padStart(18);
  const ratio = of('official', 'time') / of('libmcp', 'time');
  console.log(`${name.padEnd(20)}${cell('libmcp')}${cell('official')}${ratio.toFixed(2).padStart(16)}`);
}
