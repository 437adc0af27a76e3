'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');

const { version } = require('..');
const { STATUS_NAMES, KIND_NAMES, STATE_NAMES } = require('../lib/generated/constants.js');
const addon = require('../lib/native.js');

test('the names of the tables are the library\'s', () => {
  for (const [table, names] of Object.entries({ status: STATUS_NAMES, kind: KIND_NAMES, state: STATE_NAMES })) {
    for (const [number, name] of Object.entries(names)) assert.equal(addon.nameOf(table, Number(number)), name);
  }
});

test('the version is the library\'s', () => {
  assert.match(version, /^\d+\.\d+\.\d+/);
  assert.equal(addon.version, version);
});
