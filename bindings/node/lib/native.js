// Finds the addon and loads it. The addon itself refuses a libmcp whose ABI is not the one it was built for.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

const file = path.join(__dirname, '..', 'prebuilds', `${process.platform}-${process.arch}`, 'libmcp.node');
if (!fs.existsSync(file)) {
  throw new Error(`libmcp: there is no addon for ${process.platform}-${process.arch} (${file}): `
    + 'build it with "npm rebuild libmcp", which needs a C++ compiler and an installed libmcp that pkg-config finds');
}

module.exports = require(file);
