// Builds the addon with the machine's C++ compiler against the libmcp that pkg-config finds:
//
//     node scripts/build.js [--static] [--unless-built] [--out FILE]
//
// --static        libmcp becomes part of the addon, which then needs nothing installed: for the packages of scripts/packages.js
// --unless-built  does nothing if there is an addon for this machine already
// --out FILE      where the addon goes, instead of build/libmcp.node, or prebuilds/PLATFORM-ARCH-LIBC/libmcp.node with --static
//
// Without --static the addon finds libmcp by the path that it has on this machine, so it is never packed.
//
// Variables: CXX, CXXFLAGS, LDFLAGS, PKG_CONFIG, PKG_CONFIG_PATH. One addon works with every Node.js from 20 on, because
// Node-API is its only interface to it; that is also why neither node-gyp nor Node's own headers are needed.
'use strict';

const { execFileSync, spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const { BUILT, ROOT, find, prebuilt } = require('../lib/platform.js');

const SOURCES = path.join(ROOT, 'src');

async function main(words) {
  const options = { static: false, unlessBuilt: false, out: undefined };
  while (words.length > 0) {
    const word = words.shift();
    if (word === '--static') options.static = true;
    else if (word === '--unless-built') options.unlessBuilt = true;
    else if (word === '--out' && words.length > 0) options.out = path.resolve(words.shift());
    else throw new Error(`build does not know ${word}; it takes --static, --unless-built and --out FILE`);
  }
  if (options.unlessBuilt && find() !== undefined) return;
  options.out ??= options.static ? prebuilt() : BUILT;
  if (process.platform === 'win32') throw new Error('there is no build for Windows yet');

  const library = locate(options.static);
  const objects = fs.mkdtempSync(path.join(os.tmpdir(), 'libmcp-build-'));
  try {
    fs.mkdirSync(path.dirname(options.out), { recursive: true });
    const compile = ['-std=c++17', '-O2', '-fPIC', '-fvisibility=hidden', '-Wall', '-Wextra', '-pthread',
      '-DNAPI_VERSION=8', '-DNAPI_CPP_EXCEPTIONS', '-DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS', '-DNODE_ADDON_API_DISABLE_DEPRECATED',
      // Headers of others are not ours to warn about.
      '-isystem', require('node-api-headers').include_dir,
      '-isystem', path.dirname(require.resolve('node-addon-api')),
      ...library.compile, ...wordsOf(process.env.CXXFLAGS)];
    const files = fs.readdirSync(SOURCES).filter((file) => file.endsWith('.cc')).sort();
    const outs = files.map((file) => path.join(objects, `${file}.o`));
    await sideBySide(files.map((file, at) => [...compile, '-c', path.join(SOURCES, file), '-o', outs[at]]));
    await compiler([...linkFlags(options.static), ...outs, '-o', options.out, ...library.link, ...wordsOf(process.env.LDFLAGS)]);
  } finally {
    fs.rmSync(objects, { recursive: true });
  }
}

/** @param {boolean} isStatic */
function linkFlags(isStatic) {
  if (process.platform === 'darwin') return ['-bundle', '-undefined', 'dynamic_lookup', '-pthread'];
  // A worker that ends unloads its addons; the code must outlive it, because threads may still be leaving it.
  const exported = path.join(SOURCES, 'exports.map');
  const flags = ['-shared', '-pthread', '-Wl,-z,nodelete', `-Wl,--version-script=${exported}`];
  // The C++ library of another machine may be older, or not there.
  return isStatic ? [...flags, '-static-libstdc++', '-static-libgcc', '-s'] : flags;
}

/** What pkg-config knows about libmcp. */
function locate(isStatic) {
  const program = process.env.PKG_CONFIG || 'pkg-config';
  const ask = (...words) => execFileSync(program, [...words, 'mcp'], { encoding: 'utf8' }).trim();
  let libraries;
  try {
    libraries = ask('--variable=libdir');
  } catch (error) {
    throw new Error(`${program} does not find libmcp (mcp.pc): install libmcp, or name the folder of its mcp.pc in `
      + `PKG_CONFIG_PATH. ${error.stderr ?? error.message}`);
  }
  const compile = wordsOf(ask('--cflags'));
  if (!isStatic) return { compile, link: [...wordsOf(ask('--libs')), `-Wl,-rpath,${libraries}`] };
  const link = wordsOf(ask('--libs', '--static')).filter((word) => word !== '-lmcp');
  return { compile, link: [path.join(libraries, 'libmcp.a'), ...link] };
}

function wordsOf(text) {
  return (text ?? '').split(/\s+/).filter((word) => word !== '');
}

async function sideBySide(jobs) {
  const waiting = [...jobs];
  const worker = async () => {
    while (waiting.length > 0) await compiler(waiting.shift());
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, worker));
}

function compiler(words) {
  const [program, ...first] = wordsOf(process.env.CXX || 'c++');
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...first, ...words], { stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', (error) => reject(new Error(`cannot start ${program}: ${error.message}`)));
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${program} failed with status ${code}`))));
  });
}

main(process.argv.slice(2)).catch((error) => {
  console.error(`libmcp: the addon cannot be built: ${error.message}`);
  process.exitCode = 1;
});
