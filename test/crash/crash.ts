/**
 * Kills the host in random sessions at several tables, in every state and in every way: just before
 * and after each commit, at any moment, in its start, in the middle of a sync, while the disk
 * refuses; after every second death the power goes too and takes of what was not synced. Counts
 * what was lost or doubled. `node test/crash/crash.ts [--kills N] [--seed S]`; prints where the
 * kills fell, the last line is JSON; exit 0 when nothing was lost or doubled. With `--power-cuts N`
 * instead, the whole terminal runs in a virtual machine with a file system of its own on a disk
 * with a write cache, and the power of that is cut N times (power/); `--lying-disk`: one that
 * ignores flushes, and must fail.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { auditSession, type Findings } from './audit.ts';
import { nextAction } from './director.ts';
import { buildDisk } from './disk.ts';
import { playPowerCuts } from './power/power-cuts.ts';
import { makePrograms } from './programs.ts';
import { type Action, type Programs, Session } from './session.ts';
import type { State } from './states.ts';
import { Toll } from './toll.ts';

const { values } = argumentsOf({
  options: {
    kills: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    keep: { type: 'boolean', default: false },
    'power-cuts': { type: 'string' },
    'lying-disk': { type: 'boolean', default: false },
  },
});
let wanted = Number(values.kills);
// Whoever stops it early gets the sum of what has been: the sessions come to their end and are
// audited.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    wanted = 0;
  });
const seed = Number(values.seed);
if (values['power-cuts'] !== undefined)
  process.exit(
    await playPowerCuts(Number(values['power-cuts']), seed, values['lying-disk'] ? 'lying' : 'honest'),
  );
const started = performance.now();

/**
 * One with complaints and a shuffler, one with a hole card, one whose players may go to war, and
 * the most common one.
 */
const TABLES = ['macau-2009', 'portugal-jackpot', 'macau-2009-hole-card', 'casino-war'];
/**
 * A session ends with the first quiet moment after so many kills: its audit looks at every entry.
 */
const KILLS_A_SESSION = 400;
/** A life mostly waits for its devices. */
const AT_ONCE = 4;

const toll = new Toll();
const found: Findings = { lost: 0, doubled: 0, problems: [], entries: 0, notes: 0, cards: 0, rounds: 0 };
let sessions = 0;
let actions = 0;

/** States that only an action itself goes through. */
const ahead = (action: Action): readonly State[] =>
  action.kind === 'device' && action.command.do === 'insert-note'
    ? ['note escrowed', 'note to be stacked', 'note stacked']
    : [];

async function play(programs: Programs): Promise<void> {
  const no = sessions;
  sessions += 1;
  const end = toll.kills + KILLS_A_SESSION;
  const isKilling = (): boolean => toll.kills < Math.min(wanted, end);
  const table = TABLES[no % TABLES.length] as string;
  const session = await Session.open(seed + no, table, programs, toll);
  let before = '';
  let again = 0;
  try {
    while (isKilling() || session.view?.phase !== 'idle' || session.view.heldNotes.length > 0) {
      const view = await session.alive();
      const unbooked = view.heldNotes.length > 0 ? await session.unbookedNotes() : new Set<number>();
      const action = nextAction(view, session.chance, unbooked);
      session.log(JSON.stringify(action));
      actions += 1;
      const [now, same] = [JSON.stringify(action), before];
      before = now;
      again = now === same ? again + 1 : 0;
      if (again > 20) throw new Error(`no way on at ${table}: ${now} ${JSON.stringify(session.view)}`);
      // Once enough are killed the session only comes to its end.
      const isFrequent = !toll.isRare([...session.states, ...ahead(action)]) && session.chance.below(5) > 0;
      await session.perform(action, isKilling() && !isFrequent);
      if (actions % 25 === 0) console.error(`${actions} actions, ${toll.kills} kills`);
    }
    const findings = await auditSession(session);
    for (const key of ['lost', 'doubled', 'entries', 'notes', 'cards', 'rounds'] as const)
      found[key] += findings[key];
    found.problems.push(...findings.problems.map((problem) => `${table}, seed ${seed + no}: ${problem}`));
    if (findings.problems.length > 0) console.error(`kept: ${session.dir}`);
    else if (!values.keep) rmSync(session.dir, { recursive: true, force: true });
  } catch (error) {
    // The other sessions go on.
    found.problems.push(`${table}, seed ${seed + no}: ${(error as Error).message.slice(0, 2000)}`);
  } finally {
    await session.close();
  }
}

const dir = mkdtempSync(join(tmpdir(), 'banca-crash-programs-'));
try {
  const disk = buildDisk(dir);
  if (disk === null) console.log('no C compiler (cc): no disk fails here, and no power cut takes anything');
  const programs = { ...(await makePrograms(dir)), disk };
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      do await play(programs);
      while (toll.kills < wanted);
    }),
  );
} finally {
  rmSync(dir, { recursive: true, force: true });
}
console.log(toll.table());
const { kills, powerCuts, sectorsLost, sectorsTorn } = toll;
console.log(
  JSON.stringify({
    seed,
    kills,
    powerCuts,
    sectorsLost,
    sectorsTorn,
    sessions,
    actions,
    ...found,
    never: Object.entries({ ...toll.byState(), ...toll.byDeath() }).flatMap(([name, n]) =>
      n === 0 ? [name] : [],
    ),
    seconds: Math.round((performance.now() - started) / 1000),
  }),
);
process.exitCode = found.lost + found.doubled + found.problems.length === 0 ? 0 : 1;
