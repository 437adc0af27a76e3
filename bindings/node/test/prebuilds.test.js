// Which addon is loaded, and what npm may be given.
'use strict';

const assert = require('node:assert/strict');
const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');

const ROOT = path.join(__dirname, '..');
const { nameOf, name } = require('../lib/platform.js');

test('the C libraries of Linux are told apart', () => {
  const glibc = { header: { glibcVersionRuntime: '2.36' }, sharedObjects: [] };
  const musl = { header: {}, sharedObjects: ['linux-vdso.so.1', '/lib/ld-musl-x86_64.so.1'] };
  assert.equal(nameOf('linux', 'x64', glibc), 'linux-x64-glibc');
  assert.equal(nameOf('linux', 'arm64', musl), 'linux-arm64-musl');
  assert.equal(nameOf('linux', 'x64', { header: {}, sharedObjects: ['/system/lib64/libc.so'] }), 'linux-x64-unknown');
  assert.equal(nameOf('darwin', 'arm64', undefined), 'darwin-arm64');
  const interpreter = execFileSync('readelf', ['-l', process.execPath], { encoding: 'utf8' });
  assert.equal(name().endsWith('-musl'), /ld-musl/.test(interpreter), name());
});

test('where there is no addon for the machine the error says what to do', (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'libmcp-none-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  fs.cpSync(path.join(ROOT, 'lib'), path.join(folder, 'lib'), { recursive: true });
  fs.mkdirSync(path.join(folder, 'prebuilds/linux-x64-musl'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'prebuilds/linux-x64-musl/libmcp.node'), '');
  const { status, stderr } = spawnSync(process.execPath, ['-e', `require(${JSON.stringify(`${folder}/lib`)})`], { encoding: 'utf8' });
  assert.notEqual(status, 0);
  assert.ok(stderr.includes(`no addon for ${name()}`) && stderr.includes('npm rebuild libmcp') && stderr.includes('linux-x64-musl'), stderr);
});

test('an addon that was built for this machine alone is not packed', (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'libmcp-pack-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  for (const part of ['lib', 'scripts', 'src']) fs.cpSync(path.join(ROOT, part), path.join(folder, part), { recursive: true });
  fs.copyFileSync(path.join(ROOT, 'package.json'), path.join(folder, 'package.json'));
  fs.cpSync(path.join(ROOT, 'build'), path.join(folder, 'build'), { recursive: true });
  const pack = () => spawnSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: folder, encoding: 'utf8' });
  const packed = pack();
  assert.equal(packed.status, 0, packed.stderr);
  /** @type {string[]} */
  const files = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('['))).at(0).files.map((/** @type {any} */ it) => it.path);
  assert.ok(files.includes('lib/index.js'));
  assert.deepEqual(files.filter((file) => file.endsWith('.node')), []);

  // `npm pack` refuses an addon in `prebuilds` that has the path of this machine's library in it.
  const place = path.join(folder, 'prebuilds', name());
  fs.mkdirSync(place, { recursive: true });
  fs.copyFileSync(path.join(ROOT, 'build/libmcp.node'), path.join(place, 'libmcp.node'));
  const refused = pack();
  assert.notEqual(refused.status, 0);
  assert.match(refused.stderr, /RUNPATH/);
  assert.match(refused.stderr, /--static/);
});
