// Runs the program folder named on the command line, as Electron's own default app does.
const { app } = require('electron');
const { readFileSync } = require('node:fs');
const path = require('node:path');

const folder = path.resolve(process.argv.slice(1).find((argument) => !argument.startsWith('-')));
const { name, main } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
app.setName(name);
app.setAppPath(folder);
require(path.join(folder, main));
