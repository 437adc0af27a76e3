// What a model reads of a server with 200 tools: the definitions, or the index and two functions of generated code. Prints bytes and tokens
// (o200k_base) for docs/guide/generate.md. Run by hand, since the tokenizer is no part of the tests:
//
//     mkdir /tmp/tokens && cd /tmp/tokens && npm install js-tiktoken@1.0.21
//     node CHECKOUT/tests/generate/tokens.mjs MCP
//
// MCP is the program `mcp`. The tools are the first 200 of the lists in cli/tests/corpus/servers, the lists in the order of their names.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TOOLS = 200;
const FUNCTIONS = ['create_issue', 'list_issues'];
const [, , mcp] = process.argv;
if (mcp === undefined) throw new Error('tokens.mjs MCP');

// The package is where the script is started, not beside the script.
const { getEncoding } = createRequire(join(process.cwd(), 'tokens.js'))('js-tiktoken');
const encoding = getEncoding('o200k_base');
const corpus = fileURLToPath(new URL('../../cli/tests/corpus/servers', import.meta.url));
const all = readdirSync(corpus).sort().flatMap((file) => JSON.parse(readFileSync(join(corpus, file), 'utf8')).tools);
const tools = all.slice(0, TOOLS);
if (tools.length < TOOLS) throw new Error(`there are ${tools.length} tools`);

function row(what, texts) {
  const text = texts.join('\n');
  // Texts that look like control words of a model count as texts.
  const tokens = encoding.encode(text, [], []).length;
  console.log(`| ${what} | ${Buffer.byteLength(text).toLocaleString('en')} | ${tokens.toLocaleString('en')} |`);
}

const folder = mkdtempSync(join(tmpdir(), 'mcp-tokens-'));
try {
  const list = join(folder, 'all.json');
  writeFileSync(list, JSON.stringify({ tools }));
  console.log('| what the model reads | bytes | tokens |\n|---|---|---|');
  row(`the ${TOOLS} definitions as JSON`, [JSON.stringify(tools)]);
  for (const [language, name, end] of [['python', 'Python', 'py'], ['typescript', 'TypeScript', 'ts']]) {
    const into = join(folder, language);
    execFileSync(mcp, ['generate', language, '--list', list, '--module', 'all', '--into', into]);
    const read = (...path) => readFileSync(join(into, ...path), 'utf8');
    const functions = FUNCTIONS.map((tool) => read('all', `${tool}.${end}`));
    const index = read('index.txt');
    row(`\`SKILL.md\`, \`index.txt\` and two functions, ${name}`, [read('SKILL.md'), index, ...functions]);
    if (language !== 'python') continue;
    const found = index.split('\n').filter((line) => /issue/i.test(line));
    row(`\`SKILL.md\`, the ${found.length} lines of \`index.txt\` that \`grep -i issue\` finds, and two functions, ${name}`, [read('SKILL.md'), ...found, ...functions]);
  }
} finally {
  rmSync(folder, { recursive: true });
}
