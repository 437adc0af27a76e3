// `npx libmcp`: the program of the package for this machine, here a script in its place.
'use strict';

const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');

const { name, packageOf } = require('../lib/platform.js');

const PROGRAM = path.join(__dirname, '../lib/program.js');
const isWindows = process.platform === 'win32';

/** The environment in which the package of this machine has a program. @param {import('node:test').TestContext} t @param {string} script */
function withProgram(t, script) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'libmcp-program-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const home = path.join(folder, packageOf(name()));
  fs.mkdirSync(home);
  fs.writeFileSync(path.join(home, 'package.json'), '{}');
  fs.writeFileSync(path.join(home, 'mcp'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { ...process.env, NODE_PATH: folder };
}

test('the program gets arguments and input, and its output and exit code are passed on', { skip: isWindows }, (t) => {
  const env = withProgram(t, 'printf "%s|" "$@"; cat; exit 3');
  const done = spawnSync(process.execPath, [PROGRAM, 'call', 'a b', '--', 'x'], { env, input: 'given', encoding: 'utf8' });
  assert.deepEqual([done.stdout, done.stderr, done.status], ['call|a b|--|x|given', '', 3]);
});

for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP', 'SIGINT'])) {
  test(`${signal} to this process alone ends the program, and is told as a shell does`, { skip: isWindows }, async (t) => {
    const env = withProgram(t, 'echo $$; exec sleep 600');
    const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    // Where the signal is not passed on, both would stay, and the exit below would not come.
    const alarm = setTimeout(() => child.kill('SIGKILL'), 60_000);
    const [line] = await once(child.stdout, 'data');
    // It holds the output open where it was not ended.
    t.after(() => { try { process.kill(Number(line), 'SIGKILL'); } catch { /* it has ended */ } });
    child.kill(signal);
    const [code] = await once(child, 'exit');
    clearTimeout(alarm);
    assert.equal(code, 128 + os.constants.signals[signal]);
    assert.throws(() => process.kill(Number(line), 0), { code: 'ESRCH' });
  });
}

test('where the package of the machine is missing, the error says so and what to do', () => {
  const done = spawnSync(process.execPath, [PROGRAM], { env: { ...process.env, NODE_PATH: '' }, encoding: 'utf8' });
  assert.equal(done.status, 1);
  assert.match(done.stderr, new RegExp(`no program for ${name()}: the package ${packageOf(name())} .* not installed`));
});
