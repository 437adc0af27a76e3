// Finds the addon and loads it. The addon itself refuses a libmcp whose ABI is not the one it was built for.
'use strict';

const { find, name, packageOf } = require('./platform.js');

const file = find();
if (file === undefined) {
  throw new Error(`libmcp: there is no addon for ${name()}. npm installs ${packageOf(name())} with libmcp, unless optional `
    + 'dependencies are left out ("--omit=optional") or there is none for this machine; then build it in a checkout of libmcp with '
    + '"npm run build", which needs a C++ compiler and an installed libmcp that pkg-config finds');
}

module.exports = require(file);
