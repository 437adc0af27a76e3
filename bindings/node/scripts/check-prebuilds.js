// Refuses to pack an addon that works on the machine alone where it was built: one that looks for libraries by a path, or for
// libmcp outside itself. npm runs it before it packs.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

const { ROOT, prebuilds } = require('../lib/platform.js');

// Of the ELF specification: program headers, and tags of the dynamic section.
const PT_LOAD = 1;
const PT_DYNAMIC = 2;
const TAGS = { needed: 1n, strings: 5n, rpath: 15n, runpath: 29n };

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

for (const machine of prebuilds()) {
  const file = path.join(ROOT, 'prebuilds', machine, 'libmcp.node');
  const { needed, paths } = dynamicOf(fs.readFileSync(file));
  const faults = [
    ...paths.map((it) => `it has the RUNPATH ${it}`),
    ...needed.filter((it) => it.startsWith('libmcp.')).map((it) => `it needs ${it}`),
  ];
  if (faults.length > 0) {
    console.error(`libmcp: ${file} works on no other machine: ${faults.join(', ')}. Build it with "npm run build -- --static".`);
    process.exitCode = 1;
  }
}
