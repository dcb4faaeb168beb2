// Runs the program folder named on the command line, as Electron's own default app does.
const { app } = require('electron');
const { readFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const folder = resolve(process.argv.slice(1).find((argument) => !argument.startsWith('-')));
const { name, main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
app.setName(name);
app.setAppPath(folder);
require(join(folder, main));
