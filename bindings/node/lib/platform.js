// What this machine is, as far as an addon must be built for it.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

const ROOT = path.join(__dirname, '..');

/**
 * The folder of an addon for a machine. An addon for glibc does not load with musl, nor the other way round.
 * @param {string} platform @param {string} arch @param {any} report what process.report says
 */
function nameOf(platform, arch, report) {
  return platform === 'linux' ? `${platform}-${arch}-${libraryOf(report)}` : `${platform}-${arch}`;
}

/** The C library that Node.js runs with. @param {any} report */
function libraryOf(report) {
  if (report?.header?.glibcVersionRuntime !== undefined) return 'gnu';
  const isMusl = (/** @type {string} */ file) => /^(ld-musl-|libc\.musl-)/.test(path.basename(file));
  return report?.sharedObjects?.some(isMusl) ? 'musl' : 'unknown';
}

function report() {
  // Without this the report may look up the names of network peers, which can take seconds.
  const { excludeNetwork } = /** @type {any} */ (process.report);
  /** @type {any} */ (process.report).excludeNetwork = true;
  try {
    return process.report?.getReport();
  } finally {
    /** @type {any} */ (process.report).excludeNetwork = excludeNetwork;
  }
}

/** @type {string | undefined} */
let known;

/** The name of this machine. Asking costs some milliseconds, the first time. */
function name() {
  known ??= nameOf(process.platform, process.arch, process.platform === 'linux' ? report() : undefined);
  return known;
}

/** Where an addon goes that works on this machine alone: it finds libmcp by a path. It is not packed. */
const BUILT = path.join(ROOT, 'build', 'libmcp.node');

/** Where an addon goes that has libmcp inside: scripts/packages.js makes a package of it. */
function prebuilt() {
  return path.join(ROOT, 'prebuilds', name(), 'libmcp.node');
}

/** The package that brings the addon for a machine. @param {string} machine */
function packageOf(machine) {
  return `libmcp-${machine}`;
}

/** The addon to load; undefined if there is none. */
function find() {
  for (const file of [BUILT, prebuilt()]) if (fs.existsSync(file)) return file;
  try {
    return require.resolve(packageOf(name()));
  } catch {
    return undefined;
  }
}

/** For which machines addons that can be published were built here. */
function prebuilds() {
  const folder = path.join(ROOT, 'prebuilds');
  return fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [];
}

module.exports = { BUILT, ROOT, find, name, nameOf, packageOf, prebuilds, prebuilt };
