// Apart from onceover.cjs because old versions of Node cannot parse `import()`.
'use strict';

const { pathToFileURL } = require('node:url');

module.exports = (file) => import(pathToFileURL(file).href);
