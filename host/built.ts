/** What `npm run build` makes one file of: the host, as long as it was made of the sources that are here; else the sources. */
import { sourcesId } from './software.ts';

/** `sourcesId` of what this file was made of. */
declare const BUILT_FROM: string;

// build/program/host
const root = new URL('../../../', import.meta.url);
if (sourcesId(root) === BUILT_FROM) await import('./main.ts');
else {
  process.stderr.write('[host] build/program is not of these sources, which run instead: npm run build\n');
  await import(/* @vite-ignore */ new URL('host/main.ts', root).href);
}
