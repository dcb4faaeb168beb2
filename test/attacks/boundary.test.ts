/** Nobody who can only speak to the terminal, or to its centre, ends it: each of these did. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Command } from '../../wire/commands.ts';
import { Rude } from '../support/rude.ts';
import { until } from '../support/until.ts';
import { type Attacked, terminalOfFile } from './kit.ts';

const opened = terminalOfFile({ centre: true });
const ROLES = ['seat:1', 'table', 'dealer', 'service', 'operator'] as const;

/** 4 KB of a lawful-looking message whose innermost value lies in 2,000 lists. */
const nested = (message: object): string =>
  JSON.stringify(message).replace('"HERE"', `${'['.repeat(2_000)}${']'.repeat(2_000)}`);

async function assertStands({ terminal, display }: Attacked, pid: number): Promise<void> {
  const table = await display('table');
  const answer = await table.command({ type: 'call-attendant', seat: 2, on: true });
  assert.equal(answer?.status, 'done', 'the host serves its displays');
  table.close();
  assert.equal(terminal.pidOf('host'), pid, 'the host is the one that was started');
}

test('2,000 brackets in one message end nothing, whatever the role: a dozen of them from each', async () => {
  const attacked = await opened();
  const pid = attacked.terminal.pidOf('host');
  const edit = { options: { a: 'HERE' } };
  for (const role of ROLES) {
    const rude = await Rude.connect(await attacked.terminal.mint(role));
    for (let i = 0; i < 4; i++) {
      const id = randomUUID();
      const plan = {
        type: 'plan-change',
        edit,
        reason: 'deeper',
        fromMs: null,
        credential: { person: '4', pin: '4444' },
        secondCredential: { person: '3', pin: '3333' },
      };
      rude.send(nested({ t: 'command', id, command: plan }));
      rude.send(nested({ t: 'query', id, query: { query: 'check-change', edit, fromMs: null } }));
      rude.send(nested({ t: 'hello', version: 'HERE', lastSeq: null }));
    }
    await until(`${role} has its answers`, () => rude.heard.length >= 12);
    assert.ok(
      rude.heard.every((answer) => answer.t === 'refused' && /nested deeper/.test(answer.reason)),
      JSON.stringify(rude.heard),
    );
    rude.close();
  }
  await assertStands(attacked, pid);
});

test('an amount that no house knows is refused with a sentence, the second as the first', async () => {
  const attacked = await opened();
  const pid = attacked.terminal.pidOf('host');
  const table = await attacked.display('table');
  const adjust = (amountMinor: number): Command => ({
    type: 'adjust-credit',
    seat: 1,
    amountMinor,
    reason: 'other',
    words: 'because',
    credential: { person: '2', pin: '2222' },
    secondCredential: { person: '3', pin: '3333' },
  });
  for (const amountMinor of [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 20_000_001]) {
    const answer = await table.command(adjust(amountMinor));
    assert.ok(answer?.status === 'rejected', JSON.stringify(answer));
    assert.match(answer.detail ?? '', /amountMinor: /);
  }
  assert.equal((await table.command(adjust(20_000_000)))?.status, 'done', 'what the table allows is done');
  const view = await table.until(({ seats }) => seats[0]?.creditMinor === 20_000_000);
  assert.ok(view, 'the credit is what was allowed');
  await assertStands(attacked, pid);
});

test('a display that floods is refused and hung up on; the others are served meanwhile', async () => {
  const attacked = await opened();
  const pid = attacked.terminal.pidOf('host');
  const table = await attacked.display('table');
  for (const what of [JSON.stringify({ t: 'pong', n: 1 }), '{"t":"dance"}']) {
    const rude = await Rude.connect(await attacked.terminal.mint('seat:1'));
    for (let i = 0; i < 20_000; i++) rude.send(what);
    const answer = await table.command({ type: 'call-attendant', seat: 2, on: true });
    assert.equal(answer?.status, 'done', 'the big table is served');
    await until('the flood is hung up on', () => rude.closedWith !== null);
    assert.ok(
      rude.heard.some((heard) => heard.t === 'refused' && /too many messages/.test(heard.reason)),
      'it hears why',
    );
    assert.ok(rude.heard.length < 1_000, `a flood makes no flood of answers: ${rude.heard.length}`);
  }
  table.close();
  const lines = attacked
    .log()
    .split('\n')
    .filter((line) => /display seat:1: /.test(line));
  assert.ok(lines.length > 0 && lines.length < 200, `${lines.length} lines of the log`);
  await assertStands(attacked, pid);
});

test('a process that somebody stops is replaced: host, simulated devices, centre', async (t) => {
  const attacked = await opened();
  const { terminal } = attacked;
  for (const name of ['host', 'rack', 'centre']) {
    await terminal.started(name);
    const pid = terminal.pidOf(name);
    const from = terminal.events.length;
    const stoppedMs = performance.now();
    process.kill(pid, 'SIGSTOP');
    await terminal.started(name, from);
    t.diagnostic(`${name} was replaced ${Math.round(performance.now() - stoppedMs)} ms after it was stopped`);
    assert.notEqual(terminal.pidOf(name), pid);
  }
  const table = await attacked.display('table');
  assert.equal((await table.command({ type: 'call-attendant', seat: 2, on: true }))?.status, 'done');
  table.close();
});
