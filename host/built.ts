/**
 * What `npm run build` makes one file of: the host, as long as it was made of the sources that are
 * here. Else the sources run, but not where money is at stake: what an approved build was not made
 * of may be anybody's.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { sourcesId } from './program/software.ts';

/** `sourcesId` of what this file was made of. */
declare const BUILT_FROM: string;

/**
 * Members of a terminal file that make it one for play. What else is wrong with the file, the host
 * says.
 */
const FOR_PLAY = ['devices', 'approvedSoftware', 'softwareKey'];

function isForPlay(): boolean {
  const { profile, production } = parseArgs({
    strict: false,
    options: { profile: { type: 'string' }, production: { type: 'boolean' } },
  }).values;
  if (production === true) return true;
  if (typeof profile !== 'string') return false;
  try {
    const file = JSON.parse(readFileSync(profile, 'utf8')) as object;
    return FOR_PLAY.some((member) => Object.hasOwn(file, member));
  } catch {
    return false;
  }
}

// build/program/host
const root = new URL('../../../', import.meta.url);
if (sourcesId(root) === BUILT_FROM) await import('./main.ts');
else if (isForPlay()) {
  process.stderr.write(
    '[host] build/program is not of these sources: a terminal for play runs neither, see docs/operations/install.md\n',
  );
  process.exit(2);
} else {
  process.stderr.write('[host] build/program is not of these sources, which run instead: npm run build\n');
  await import(/* @vite-ignore */ new URL('host/main.ts', root).href);
}
