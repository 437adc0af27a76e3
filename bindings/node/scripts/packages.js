// Lays out what is published, in the way of napi-rs: one package for each machine, which has an addon and no code, and the
// package that programs use, which names them as optional dependencies. npm installs the one that fits; nothing is compiled.
//
//     node scripts/packages.js [--out FOLDER]
//
// FOLDER is "npm" unless it is named. The addons are those in prebuilds (scripts/build.js --static). One that works on the
// machine alone where it was built is refused: one that looks for libraries by a path, or for libmcp outside itself. So is one for
// another processor or C library than the package says. A program "mcp" beside an addon becomes part of its package: "npx libmcp" runs it.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

const { ROOT, packageOf, prebuilds } = require('../lib/platform.js');

/** As they are called at the root of the checkout. */
const LICENCES = ['LICENSE-APACHE', 'LICENSE-MIT'];
/** What goes along with an addon where it was put beside it: the program, and the licences of what is in the library and the program. */
const BESIDE = ['THIRD-PARTY-PROGRAM.md', 'THIRD-PARTY.md', 'mcp'];

// Of the ELF specification: program headers, and tags of the dynamic section.
const PT_LOAD = 1;
const PT_DYNAMIC = 2;
const TAGS = { needed: 1n, strings: 5n, rpath: 15n, runpath: 29n };
/** The numbers of processors. @type {Record<string, number>} */
const PROCESSORS = { x64: 62, arm64: 183 };
/** How the C libraries are named by what needs them: musl's also by its processor. @type {Record<string, RegExp>} */
const LIBRARIES = { gnu: /^libc\.so\.6$/, musl: /^libc\.(so|musl-.*)$/ };

/** What an ELF file of 64 bits says to the dynamic loader; nothing of a file of another kind. @param {Buffer} file */
function dynamicOf(file) {
  const found = { needed: [], paths: [] };
  if (file.toString('latin1', 0, 4) !== '\x7fELF' || file[4] !== 2 || file[5] !== 1) return found;
  const headers = Number(file.readBigUInt64LE(32));
  const segments = Array.from({ length: file.readUInt16LE(56) }, (_, number) => {
    const at = headers + number * file.readUInt16LE(54);
    const [offset, address, , size] = [8, 16, 24, 32].map((field) => Number(file.readBigUInt64LE(at + field)));
    return { type: file.readUInt32LE(at), offset, address, size };
  });
  const entries = [];
  for (const { offset, size } of segments.filter(({ type }) => type === PT_DYNAMIC)) {
    for (let at = offset; at < offset + size; at += 16) entries.push([file.readBigUInt64LE(at), Number(file.readBigUInt64LE(at + 8))]);
  }
  const address = entries.find(([tag]) => tag === TAGS.strings)?.[1] ?? 0;
  const home = segments.find((it) => it.type === PT_LOAD && it.address <= address && address < it.address + it.size);
  if (home === undefined) return found;
  const text = (start) => {
    const at = address - home.address + home.offset + start;
    return file.toString('utf8', at, file.indexOf(0, at));
  };
  for (const [tag, value] of entries) {
    if (tag === TAGS.needed) found.needed.push(text(value));
    else if (tag === TAGS.rpath || tag === TAGS.runpath) found.paths.push(text(value));
  }
  return found;
}

/** Why an addon may not be published. @param {string} file */
function faultsOf(file) {
  const { needed, paths } = dynamicOf(fs.readFileSync(file));
  return [
    ...paths.map((it) => `it has the RUNPATH ${it}`),
    ...needed.filter((it) => it.startsWith('libmcp.')).map((it) => `it needs ${it}`),
  ];
}

/** Why an addon is for another machine than its package says. @param {string} file @param {string} machine */
function strangenessOf(file, machine) {
  const [os, cpu, libc] = machine.split('-');
  if (os !== 'linux') return [];
  const bytes = fs.readFileSync(file);
  const processor = bytes.readUInt16LE(18);
  const { needed } = dynamicOf(bytes);
  const libraries = needed.filter((it) => /^libc\./.test(it));
  return [
    ...(processor === PROCESSORS[cpu] ? [] : [`the number of its processor is ${processor}, and that of ${cpu} is ${PROCESSORS[cpu]}`]),
    ...(libraries.length > 0 && libraries.every((it) => LIBRARIES[libc]?.test(it)) ? [] : [`of C libraries it needs "${libraries}"`]),
  ];
}

/** @param {string} folder @param {object} manifest @param {string} readme */
function layOut(folder, manifest, readme) {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  // npm publishes a file "LICENSE" in any case, but not these.
  const published = { ...manifest, files: [...manifest.files, ...LICENCES] };
  fs.writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);
  fs.writeFileSync(path.join(folder, 'README.md'), readme);
  // In the checkout they are at its root; what xtask tests is a copy without them.
  for (const licence of LICENCES) {
    const source = [ROOT, path.join(ROOT, '../..')].map((place) => path.join(place, licence)).find((file) => fs.existsSync(file));
    if (source !== undefined) fs.copyFileSync(source, path.join(folder, licence));
  }
}

/** @param {string[]} words */
function main(words) {
  const at = words.indexOf('--out');
  const out = path.resolve(at < 0 ? path.join(ROOT, 'npm') : /** @type {string} */ (words[at + 1] ?? ''));
  const machines = prebuilds();
  if (machines.length === 0) throw new Error('there is no addon in prebuilds: make one with "npm run build -- --static"');
  const source = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const { scripts, dependencies, devDependencies, ...manifest } = source;
  const { version, license, repository, engines } = manifest;
  for (const machine of machines) {
    const addon = path.join(ROOT, 'prebuilds', machine, 'libmcp.node');
    const faults = faultsOf(addon);
    if (faults.length > 0) throw new Error(`${addon} works on no other machine: ${faults.join(', ')}. Build it with "npm run build -- --static".`);
    const strange = strangenessOf(addon, machine);
    if (strange.length > 0) throw new Error(`${addon} is not for ${machine}: ${strange.join(', ')}. Build it with a compiler for ${machine} (CXX).`);
    const beside = BESIDE.filter((name) => fs.existsSync(path.join(path.dirname(addon), name)));
    const [os, cpu, libc] = machine.split('-');
    layOut(path.join(out, machine), {
      name: packageOf(machine), version, description: `The addon of libmcp for ${machine}`, license, repository, engines,
      os: [os], cpu: [cpu], ...(libc === undefined ? {} : { libc: [libc === 'gnu' ? 'glibc' : libc] }),
      main: 'libmcp.node', files: ['libmcp.node', ...beside],
    }, `# ${packageOf(machine)}\n\nThe addon of [libmcp](https://www.npmjs.com/package/libmcp) for ${machine}. Install \`libmcp\`, which brings it.\n`);
    for (const name of ['libmcp.node', ...beside]) fs.copyFileSync(path.join(path.dirname(addon), name), path.join(out, machine, name));
  }
  const folder = path.join(out, 'libmcp');
  const optionalDependencies = Object.fromEntries(machines.map((machine) => [packageOf(machine), version]));
  layOut(folder, { ...manifest, bin: { libmcp: 'lib/program.js' }, files: ['lib'], optionalDependencies }, fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8'));
  fs.cpSync(path.join(ROOT, 'lib'), path.join(folder, 'lib'), { recursive: true });
  for (const machine of [...machines, 'libmcp']) console.log(path.join(out, machine));
}

try {
  main(process.argv.slice(2));
} catch (/** @type {any} */ error) {
  console.error(`libmcp: ${error.message}`);
  process.exitCode = 1;
}
