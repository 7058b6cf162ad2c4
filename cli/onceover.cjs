#!/usr/bin/env node
// The one file that any Node can parse: it says in a sentence when Node is too old, instead of a syntax error.
'use strict';

var fs = require('fs');
var path = require('path');

var source = path.join(__dirname, 'main.ts');
var isSource = fs.existsSync(source);
// Node runs TypeScript from 22.18 on; the compiled program needs 22.13, where node:sqlite came without a flag.
var needed = isSource ? [22, 18] : [22, 13];
var version = process.versions.node.split('.').map(Number);

if (version[0] < needed[0] || (version[0] === needed[0] && version[1] < needed[1])) {
  console.error(
    'onceover needs Node ' +
      needed.join('.') +
      ' or newer and this is Node ' +
      process.versions.node +
      ': install it from https://nodejs.org.',
  );
  process.exit(2);
}

void require('./start.cjs')(isSource ? source : path.join(__dirname, '../.output/package/cli.js'));
