/**
 * node test/mutation/read-one.ts ID|- RULEBOOK ROUNDS SEED [sound|host]: random play with the
 * planted bug ID (`-` = none), or as one looks for it but without it, or what was held in it also
 * in a running host; one line of JSON. The bug is planted while Node loads the file: nothing is
 * written.
 */
import { registerHooks } from 'node:module';
import type { RulebookId } from '../../engine/table/profile.ts';
import { plantedIn } from './bugs.ts';
import { MUTATIONS } from './mutations.ts';
import { LOOKS } from './unseen.ts';

const [id = '', rulebook = '', rounds = '', seed = '', how] = process.argv.slice(2);
const mutation = how === 'sound' ? undefined : MUTATIONS.find((each) => each.id === id);
if (id !== '-' && how !== 'sound' && !mutation) throw new Error(`no mutation ${id}`);
let isPlanted = mutation === undefined;
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (mutation === undefined || !url.endsWith(`/${mutation.file}`) || !loaded.source) return loaded;
    isPlanted = true;
    return { ...loaded, source: plantedIn(mutation, Buffer.from(loaded.source as Uint8Array).toString()) };
  },
});
const { playRead } = await import('./read-play.ts');
const look = LOOKS[id] ?? {};
const { sitting, ...play } = playRead(
  look.rulebook ?? (rulebook as RulebookId),
  Number(rounds),
  look.seed ?? Number(seed),
  look,
);
if (!isPlanted) throw new Error(`${mutation!.file} is not loaded`);
const inHost =
  how === 'host' && sitting !== null
    ? await (await import('./read-host.ts')).stoppedInHost(sitting)
    : undefined;
console.log(JSON.stringify({ ...play, inHost }));
