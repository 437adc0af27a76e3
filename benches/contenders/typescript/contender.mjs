// The TypeScript SDK through its high-level client: `callTool` for each call.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const SLOTS = 64;
const READY = 'ready version=2.4.0';
// A client takes 10 MiB of frames at a time by default, less than a frame with 10 MiB of text.
const MOST_BYTES = 32 << 20;
const options = Object.fromEntries(process.argv.slice(2).map((word) => word.split(/=(.*)/s)));
const texts = Array.from(
    { length: SLOTS },
    (_, slot) => `call ${String(slot).padStart(2, '0')} of the benchmark, with enough words to be sixty-four now`,
);

const say = (line) => process.stdout.write(`${line}\n`);

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

async function wait() {
    if ((await lines.next()).done) throw new Error('the runner is gone');
}

async function call(client, slot) {
    const result = await client.callTool({ name: 'echo', arguments: { text: texts[slot] } });
    if (result.content[0]?.text !== texts[slot]) throw new Error(`wrong answer: ${JSON.stringify(result)}`);
}

// Calls one after another, beginning with a slot and going on by `step`.
async function work(client, first, step, calls, samples) {
    for (let i = 0; i < calls; i++) {
        const start = samples && process.hrtime.bigint();
        await call(client, (first + i * step) % SLOTS);
        samples?.push(Number(process.hrtime.bigint() - start));
    }
}

async function callBig(client, bytes, block) {
    const result = await client.callTool({ name: 'big', arguments: { bytes, escapes: options.workload === 'big-escapes' } });
    const text = result.content[0]?.text ?? '';
    let at = 0;
    while (at < bytes && text.startsWith(block, at)) at += block.length;
    if (at !== bytes || text.length !== bytes) throw new Error(`wrong big answer of ${text.length} bytes`);
}

// The text is ASCII and whole blocks.
async function runBig(client, calls, samples) {
    const block = readFileSync(options.block, 'latin1');
    for (let i = 0; i < calls; i++) {
        const start = samples && process.hrtime.bigint();
        await callBig(client, Number(options.bytes), block);
        samples?.push(Number(process.hrtime.bigint() - start));
    }
}

async function run(client, calls, samples) {
    if (options.workload.startsWith('big')) return runBig(client, calls, samples);
    if (!options.workload.endsWith('pipe')) return work(client, 0, 1, calls, samples);
    const share = (slot) => Math.floor((calls * (slot + 1)) / SLOTS) - Math.floor((calls * slot) / SLOTS);
    await Promise.all(texts.map((_, slot) => work(client, slot, 0, share(slot), samples)));
}

async function connected() {
    const transport = options.url
        ? new StreamableHTTPClientTransport(new URL(options.url))
        : new StdioClientTransport({ command: options.server, args: ['--era', options.era], maxBufferSize: MOST_BYTES });
    const mode = options.era === 'modern' ? { pin: '2026-07-28' } : 'legacy';
    const client = new Client({ name: 'mcp-bench', version: '1.0.0' }, { versionNegotiation: { mode } });
    await client.connect(transport);
    return client;
}

const clients = [await connected()];
const client = clients[0];
if (options.workload === 'start') {
    await call(client, 0);
    say('first');
} else if (options.workload === 'rss') {
    await call(client, 0);
    while (clients.length < Number(options.clients)) {
        clients.push(await connected());
        await call(clients.at(-1), 0);
    }
    say(READY);
    await wait();
} else {
    const calls = Number(options.calls);
    await run(client, Math.floor(calls / 20) + 1);
    say(READY);
    await wait();
    const start = process.hrtime.bigint();
    await run(client, calls);
    say(`done calls=${calls} ns=${process.hrtime.bigint() - start}`);
    await wait();
    const samples = [];
    await run(client, calls / 10 < 100 ? calls : Math.floor(calls / 10), samples);
    samples.sort((a, b) => a - b);
    say(`latency p50=${samples[samples.length >> 1]} p99=${samples[Math.floor((samples.length * 99) / 100)]}`);
}
await Promise.all(clients.map((client) => client.close()));
process.stdin.destroy();
