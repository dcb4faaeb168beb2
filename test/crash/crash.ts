/**
 * Kills the host at every commit of a random session, just before it and just after it, and counts what was lost or doubled.
 * `node test/crash/crash.ts [--kills N] [--seed S]`; the last line is JSON; exit 0 when nothing was lost or doubled.
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { auditSession } from './audit.ts';
import { nextAction } from './director.ts';
import { Session } from './session.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    keep: { type: 'boolean', default: false },
  },
});
const wanted = Number(values.kills);
const seed = Number(values.seed);
const started = performance.now();

const session = await Session.open(seed);
let actions = 0;
try {
  while (session.kills < wanted || session.view?.phase !== 'idle') {
    const action = nextAction(await session.alive(), session.chance);
    if (process.env['CRASH_LOG']) console.error(performance.now() | 0, JSON.stringify(action));
    actions += 1;
    // Once enough are killed the session only comes to its end.
    await session.perform(action, session.kills < wanted);
    if (actions % 25 === 0)
      console.error(`${actions} actions, ${session.kills} kills, round ${session.view?.round?.no ?? '-'}`);
  }
  const findings = await auditSession(session);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    JSON.stringify({
      seed,
      kills: session.kills,
      bootKills: session.bootKills,
      actions,
      ...findings,
      seconds,
    }),
  );
  process.exitCode = findings.lost + findings.doubled + findings.problems.length === 0 ? 0 : 1;
} finally {
  await session.close();
  if (values.keep) console.error(`kept: ${session.dir}`);
  else rmSync(session.dir, { recursive: true, force: true });
}
