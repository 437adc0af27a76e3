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
    const out = execFileSync(process.execPath, [program], { encoding: 'utf8', timeout: 60_000 });
    assert.deepEqual(out.trim().split('\n'), [
      'idle true { sum: 3 }', 'info', 'server -32601', 'again?', 'invalid_argument', 'TypeError', 'the server is gone',
    ]);
  } finally {
    fs.rmSync(program);
  }
});

test('the compiler names what is wrong with a result', () => {
  const file = path.join(__dirname, 'mistake.out.ts');
  fs.writeFileSync(file, `import { Server } from 'libmcp';
    import { z } from 'zod';
    new Server({ name: 'x' }).tool('a', { inputSchema: z.object({ n: z.number() }), outputSchema: z.object({ m: z.number() }) }, ({ n }) => ({ m: String(n) }));`);
  try {
    const program = ts.createProgram([file], {
      strict: true, noEmit: true, skipLibCheck: true, types: [], target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext,
    });
    const said = ts.getPreEmitDiagnostics(program).map((it) => ts.flattenDiagnosticMessageText(it.messageText, '\n')).join('\n');
    assert.match(said, /Type 'string' is not assignable to type 'number'/);
    assert.doesNotMatch(said, /type 'undefined'/);
  } finally {
    fs.rmSync(file);
  }
});
