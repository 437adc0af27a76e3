'use strict';

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');
const { promisify } = require('node:util');

const { Client, textOf } = require('..');
const { EXAMPLE, EVERYTHING, SCRIPTED } = require('./servers.js');

/** @param {string} name @param {string[]} args */
async function run(name, args) {
  const program = path.join(__dirname, '..', 'examples', `${name}.mjs`);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...args], { timeout: 60_000 });
  if (name !== 'everything') assert.equal(stderr, '');
  return stdout;
}

/** What each example must show: of the example server, and of server-everything. @type {[string, RegExp | null, RegExp][]} */
const SHOWN = [
  ['quickstart', /^tool: echo$[^]*^Hello from Node\.js$/m, /^tool: echo$[^]*^Echo: Hello from Node\.js$/m],
  ['tools', /^add\(a, b\): [^]*^no-such-tool was refused: .*-32602[^]*failed[^]*says 5$[^]*given up: TimeoutError$/m,
    /^get-sum\(a, b\): [^]*^no-such-tool (failed|was refused)[^]*sum of 2 and 3 is 5[^]*given up: TimeoutError$/m],
  ['resources-watch', /^demo:\/\/greeting reads: Hello, world!\ndemo:\/\/greeting changed and reads: Hello, world!$/m,
    /architecture\.md reads: .*\n.*architecture\.md changed and reads: /],
  ['elicitation', /^the server asks: What is your[^]*^the tool says: blue$/m, /^the server asks: [^]*^the tool says: [^]*blue/m],
  ['sampling', null, /^the server asks the model, for at most 100 tokens: .*How are you\?\n[^]*I read \d+ words\./],
  ['progress', /^1 of 3\n2 of 3\n3 of 3\nwaited 300 ms$/m, /^1 of 3\n2 of 3\n3 of 3\nLong running operation completed/m],
];
for (const [name, ofExample, ofEverything] of SHOWN) {
  if (ofExample !== null) {
    test(`the example ${name} works with the example server`, async () => {
      assert.match(await run(name, [EXAMPLE]), ofExample);
    });
  }
  test(`the example ${name} works with server-everything`, { skip: EVERYTHING === undefined && 'not installed' }, async () => {
    assert.match(await run(name, /** @type {string[]} */ (EVERYTHING)), ofEverything);
  });
}

test('the example multi-server works, though one of its servers does not', async () => {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'libmcp-')), 'mcp.json');
  const servers = { first: { command: EXAMPLE }, second: { command: '${MCP_EXAMPLE_SERVER}' }, third: { command: '/no/such/server' } };
  fs.writeFileSync(file, JSON.stringify({ mcpServers: servers }));
  try {
    assert.match(await run('multi-server', [file]), /^first: \d+ tools\nsecond: \d+ tools\nthird: cannot start '\/no\/such\/server'/);
  } finally {
    fs.rmSync(path.dirname(file), { recursive: true });
  }
});

/** The programs that the README shows, as printed, but for their servers. */
const PRINTED = fs.readFileSync(path.join(__dirname, '..', 'README.md'), 'utf8').split('```js\n').slice(1)
  .map((block) => /** @type {string} */ (block.split('```')[0]));

/** @param {string} program @param {string} before */
async function runPrinted(program, before = '') {
  const words = ['--input-type=module', '--eval', before + program];
  const options = { cwd: path.join(__dirname, '..'), timeout: 60_000 };
  return (await promisify(execFile)(process.execPath, words, options)).stdout;
}

test("the README's first program works as printed", { skip: EVERYTHING === undefined && 'not installed' }, async () => {
  const [command, ...args] = /** @type {string[]} */ (EVERYTHING);
  const printed = "command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything']";
  const program = /** @type {string} */ (PRINTED[0]);
  assert.ok(program.includes(printed));
  const started = `command: ${JSON.stringify(command)}, args: ${JSON.stringify(args)}`;
  assert.match(await runPrinted(program.replace(printed, started)), /^echo$[^]*^Echo: Hello$/m);
});

test("the README's program with a task works as printed", async () => {
  const program = /** @type {string} */ (PRINTED.find((block) => block.includes('tasks: true')));
  const ours = program.replace("'research-server'", JSON.stringify(SCRIPTED));
  assert.notEqual(ours, program);
  const printed = await runPrinted(`${ours}console.log(textOf(again)); await client.close();`, "import { Client, textOf } from 'libmcp';");
  assert.equal(printed, 'researched honey\n');
});

/** All that a client does: what must be said whatever the server, which words some of it in its own way. */
const EVERYTHING_SHOWN = [/^\d+ tools, among them echo\nEcho: hello\n\d+ degrees, Light rain/, /^1 of 2\n2 of 2\nTimeoutError$/m, /^the server logged at level \w+$/m,
  /You said: .*are you there/, /Ada/, /file:\/\/\/home\/ada/, / has \d+ characters\nWhat's weather in Rome\?$/m, /^100 sums at the same time\nEcho: both, Echo: both$/m,
  /^the server is gone: transport, not to be tried again\nEcho: back$/m];
const PYTHON = process.env.MCP_PYTHON;
for (const [server, command, why] of /** @type {[string, string[] | undefined, string | false][]} */ ([
  ['server-everything', EVERYTHING, EVERYTHING === undefined && 'not installed'],
  ['a server on the Python SDK', PYTHON === undefined ? [] : [PYTHON, path.join(__dirname, 'peer.py')], PYTHON === undefined && 'not installed'],
])) {
  test(`the example everything works with ${server}`, { skip: why }, async () => {
    const shown = await run('everything', /** @type {string[]} */ (command));
    for (const line of EVERYTHING_SHOWN) assert.match(shown, line);
  });
}

test("the README's server works as printed", async (t) => {
  const program = /** @type {string} */ (PRINTED.find((block) => block.includes("name: 'calculator'")));
  const client = new Client({ command: process.execPath, args: ['--input-type=module', '--eval', program], cwd: path.join(__dirname, '..') });
  t.after(() => client.close());
  assert.equal(textOf(await client.callTool('add', { a: 2, b: 3 })), '5');
});

test("the README's tea house works as printed", async () => {
  const program = /** @type {string} */ (PRINTED.find((block) => block.includes("name: 'tea-house'")));
  assert.match(await runPrinted(program), /^http:\/\/127\.0\.0\.1:\d+\/mcp\n$/);
});

// http.test.js runs the example login, serving.test.js the servers.
test('every example is run', () => {
  const files = fs.readdirSync(path.join(__dirname, '..', 'examples')).filter((file) => file.endsWith('.mjs'));
  assert.deepEqual(files.map((file) => file.replace('.mjs', '')).sort(), [...SHOWN.map(([name]) => name), 'multi-server', 'login', 'everything', 'server', 'http-server'].sort());
});
