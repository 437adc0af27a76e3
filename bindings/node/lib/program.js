#!/usr/bin/env node
// `npx libmcp`: runs the program of the package for this machine (scripts/packages.js), with its arguments, input, output and end.
'use strict';

const { spawn } = require('node:child_process');
const { constants } = require('node:os');
const { isatty } = require('node:tty');

const { name, packageOf } = require('./platform.js');

/** Where the program is. @param {string} machine */
function find(machine) {
  try {
    return require.resolve(`${packageOf(machine)}/mcp`);
  } catch {
    return undefined;
  }
}

function main() {
  const machine = name();
  const program = find(machine);
  if (program === undefined) {
    console.error(`libmcp: there is no program for ${machine}: the package ${packageOf(machine)} that has it is not installed, or has none. `
      + 'npm leaves it out with --omit=optional; for other systems build the program from the sources (cargo install --path cli).');
    process.exitCode = 1;
    return;
  }
  // What is sent to this process alone is passed on. A terminal sends SIGINT to both, also where a part of what they have open is a pipe,
  // and the program decides what it means. The program may be seen to run before this goes on, so that the handlers are there first; they
  // run after this function.
  const hasTerminal = [0, 1, 2].some((open) => isatty(open));
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => { if (signal !== 'SIGINT' || !hasTerminal) child.kill(signal); });
  }
  const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' });
  child.on('error', (error) => {
    console.error(`libmcp: ${program} does not start: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    // As a shell tells of a program that a signal has ended.
    process.exitCode = signal === null ? code ?? 1 : 128 + constants.signals[signal];
  });
}

main();
