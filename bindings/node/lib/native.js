// Finds the addon and loads it. The addon itself refuses a libmcp whose ABI is not the one it was built for.
'use strict';

const { find, name, prebuilds } = require('./platform.js');

const file = find();
if (file === undefined) {
  const others = prebuilds();
  throw new Error(`libmcp: there is no addon for ${name()}, ${others.length === 0 ? 'nor for any other machine' : `only for ${others.join(', ')}`}: `
    + 'build it with "npm rebuild libmcp", which needs a C++ compiler and an installed libmcp that pkg-config finds');
}

module.exports = require(file);
