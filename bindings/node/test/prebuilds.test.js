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
  assert.equal(nameOf('linux', 'x64', glibc), 'linux-x64-gnu');
  assert.equal(nameOf('linux', 'arm64', musl), 'linux-arm64-musl');
  assert.equal(nameOf('linux', 'x64', { header: {}, sharedObjects: ['/system/lib64/libc.so'] }), 'linux-x64-unknown');
  assert.equal(nameOf('darwin', 'arm64', undefined), 'darwin-arm64');
  const interpreter = execFileSync('readelf', ['-l', process.execPath], { encoding: 'utf8' });
  assert.equal(name().endsWith('-musl'), /ld-musl/.test(interpreter), name());
});

test('of the packages the one for the machine is chosen', (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'libmcp-chosen-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  fs.cpSync(path.join(ROOT, 'lib'), path.join(folder, 'node_modules/libmcp/lib'), { recursive: true });
  const machines = ['x64', 'arm64'].flatMap((arch) => ['gnu', 'musl'].map((libc) => ({ arch, libc, name: `linux-${arch}-${libc}` })));
  for (const machine of machines) {
    const place = path.join(folder, 'node_modules', `libmcp-${machine.name}`);
    fs.mkdirSync(place);
    fs.writeFileSync(path.join(place, 'package.json'), JSON.stringify({ name: `libmcp-${machine.name}`, main: 'libmcp.node' }));
    fs.writeFileSync(path.join(place, 'libmcp.node'), '');
  }
  for (const { arch, libc, name: machine } of machines) {
    const report = libc === 'gnu' ? { header: { glibcVersionRuntime: '2.36' }, sharedObjects: [] }
      : { header: {}, sharedObjects: [`/lib/ld-musl-${arch === 'x64' ? 'x86_64' : 'aarch64'}.so.1`] };
    const script = `Object.defineProperty(process, 'platform', { value: 'linux' });
      Object.defineProperty(process, 'arch', { value: '${arch}' });
      process.report.getReport = () => (${JSON.stringify(report)});
      console.log(require('./node_modules/libmcp/lib/platform.js').find());`;
    const found = execFileSync(process.execPath, ['-e', script], { cwd: folder, encoding: 'utf8' }).trim();
    assert.equal(path.basename(path.dirname(found)), `libmcp-${machine}`);
  }
});

test('where there is no addon for the machine the error says what to do', (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'libmcp-none-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  fs.cpSync(path.join(ROOT, 'lib'), path.join(folder, 'lib'), { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, ['-e', `require(${JSON.stringify(`${folder}/lib`)})`], { encoding: 'utf8' });
  assert.notEqual(status, 0);
  assert.ok(stderr.includes(`no addon for ${name()}`) && stderr.includes(`libmcp-${name()}`) && stderr.includes('npm run build'), stderr);
});

test('an addon that was built for this machine alone is not published', (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'libmcp-pack-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  for (const part of ['lib', 'scripts', 'build']) fs.cpSync(path.join(ROOT, part), path.join(folder, part), { recursive: true });
  for (const file of ['package.json', 'README.md']) fs.copyFileSync(path.join(ROOT, file), path.join(folder, file));
  const packages = () => spawnSync(process.execPath, ['scripts/packages.js'], { cwd: folder, encoding: 'utf8' });
  const none = packages();
  assert.match(none.stderr, /no addon in prebuilds/);
  // It has the path of this machine's library in it.
  const place = path.join(folder, 'prebuilds', name());
  fs.mkdirSync(place, { recursive: true });
  fs.copyFileSync(path.join(ROOT, 'build/libmcp.node'), path.join(place, 'libmcp.node'));
  const refused = packages();
  assert.notEqual(refused.status, 0);
  assert.match(refused.stderr, /RUNPATH.*--static/);
  // The head of a file for another processor, which needs no C library.
  const head = Buffer.alloc(64);
  head.write('\x7fELF\x02\x01\x01', 'latin1');
  head.writeUInt16LE(22, 18);
  fs.writeFileSync(path.join(place, 'libmcp.node'), head);
  const strange = packages();
  assert.notEqual(strange.status, 0);
  assert.match(strange.stderr, /is not for .*processor is 22, .*of C libraries it needs ""/);
});
