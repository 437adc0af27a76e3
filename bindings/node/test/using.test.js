'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');

const ts = require('typescript');

test('await using closes the client, in a program in TypeScript', () => {
  const source = fs.readFileSync(path.join(__dirname, 'using.ts'), 'utf8');
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS },
  });
  const program = path.join(__dirname, 'using.out.cjs');
  fs.writeFileSync(program, outputText);
  try {
    const out = execFileSync(process.execPath, [program], { encoding: 'utf8', timeout: 20_000 });
    assert.deepEqual(out.trim().split('\n'), [
      'idle true { sum: 3 }', 'info', 'server -32601', 'again?', 'invalid_argument', 'TypeError', 'the server is gone',
    ]);
  } finally {
    fs.rmSync(program);
  }
});
