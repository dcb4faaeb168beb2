/**
 * Seven seats touched two hundred times a second each, anywhere on their panels and in front of
 * them, while a dealer plays round after round: real page, real host, real ledger, simulated
 * devices. Full length: `npm run test:touchmap`.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CREDENTIAL, newRack, TestTerminal } from '../host/test-terminal.ts';
import { noChromium } from '../support/chromium.ts';
import { giveHands } from './in-page.ts';
import { Workshop } from './screens.ts';

const FULL = process.env['BANCA_TOUCHMAP'] === 'full';
const STORM_MS = FULL ? 60_000 : 3_000;
const SEED = Number(process.env['BANCA_SEED'] ?? randomInt(1_000_000_000));
const SEATS = 7;
const TOUCHES_A_SECOND = 200;
const skip = noChromium;

let workshop: Workshop;
before(
  async () => {
    if (skip === false) workshop = await Workshop.open();
  },
  { timeout: 600_000 },
);
after(() => workshop?.close());

/** What a dealer does about the step that is due, while the players do what they like. */
async function deal(kit: TestTerminal, sinceMs: number): Promise<void> {
  switch (kit.step) {
    case 'open-betting':
      return void (await kit.send({ type: 'open-betting' }));
    case 'close-betting':
      if (performance.now() - sinceMs > 2_000) await kit.send({ type: 'close-betting' });
      return;
    case 'draw-for-seat':
    case 'draw-for-bank':
    case 'burn':
      return kit.draw();
    case 'await-offers':
    case 'await-decision':
      if (performance.now() - sinceMs > 700 && kit.host.terminal.state.deadline) kit.passDeadline();
      return;
    case 'read-results':
      if (kit.host.terminal.state.deadline) kit.passDeadline();
      return;
    case 'close-round':
      return void (await kit.send({ type: 'close-round' }));
    case 'close-complaint': {
      const [complaint] = kit.view.complaints;
      if (complaint)
        await kit.send({
          type: 'close-complaint',
          complaintNo: complaint.complaintNo,
          upheld: false,
          credential: CREDENTIAL.supervisor,
        });
      return;
    }
    default:
      assert.fail(`the dealer does not know what to do about ${kit.step}`);
  }
}

test(`${SEATS} seats, ${TOUCHES_A_SECOND} touches a second each, for ${STORM_MS / 1000} s: nothing lost, doubled or wrong (seed ${SEED})`, {
  skip,
  timeout: 900_000,
}, async (t) => {
  const kit = await TestTerminal.open(t, {
    rendererRoot: workshop.root,
    rack: newRack(SEATS),
    profile: { seatCount: SEATS },
  });
  for (let seat = 1; seat <= SEATS; seat++) await kit.fund(seat, 100_000, 100_000);
  await kit.ready('9S');
  const context = await workshop.browser.newContext({ viewport: { width: 1920, height: 1080 } });
  t.after(() => context.close());
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text());
  });
  await page.addInitScript(giveHands);
  await page.goto(kit.host.ticketUrl('table', 600_000).url);
  await page.locator('.felt canvas').first().waitFor({ timeout: 600_000 });
  const before = kit.headSeq;

  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const started = performance.now();
  await page.evaluate(([seed, rate]) => window.hands.beginStorm(seed!, rate!), [SEED, TOUCHES_A_SECOND]);
  let stepSince = started;
  let step = '';
  while (performance.now() - started < STORM_MS) {
    if (kit.step !== step) {
      step = kit.step;
      stepSince = performance.now();
    }
    await deal(kit, stepSince);
    await sleep(20);
  }
  const storm = await page.evaluate(() => window.hands.endStorm());
  const tookMs = performance.now() - started;
  delay.disable();
  // what is on its way arrives
  await page.waitForFunction(
    () => window.hands.commands().every(({ answers }) => answers.length > 0),
    undefined,
    { timeout: 600_000 },
  );
  const commands = await page.evaluate(() => window.hands.commands());

  for (const { type, sent, answers } of commands) {
    // Sent again over a new connection, where the machine was too busy for 8 s: done once all the
    // same.
    if (sent === 1) assert.equal(answers.length, 1, `${type} was answered ${answers.length} times`);
    const doneTimes = answers.filter((answer) => answer.status === 'done').length;
    assert.ok(doneTimes <= 1, `${type} was done ${doneTimes} times`);
    const [{ status, code }] = answers as [(typeof answers)[number]];
    assert.ok(
      status === 'done' || status === 'rejected' || (status === 'exists' && sent > 1),
      `${type}: ${status}`,
    );
    if (status === 'rejected') {
      assert.equal(typeof code, 'string');
      assert.notEqual(code, 'malformed', type);
      // A second complaint while one of the seat is open; no command is taken for another one.
      if (type !== 'raise-complaint') assert.notEqual(code, 'duplicate', type);
    }
  }
  // Every bet that was said to be laid is in the ledger, and no other.
  const done = commands.filter(({ answers }) => answers[0]?.status === 'done');
  const laid = done.filter(({ type }) => type === 'place-bet').length;
  const entries = kit.entries(null, before);
  assert.equal(entries.filter(({ kind }) => kind === 'bet-placed').length >= laid, true);
  const placed = done.flatMap(({ type, answers }) => (type === 'place-bet' ? [answers[0]!.seq] : []));
  assert.equal(new Set(placed).size, placed.length, 'two touches, one entry');
  for (const seq of placed)
    assert.ok(
      entries.some((entry) => entry.seq === seq),
      `entry ${seq}`,
    );
  assert.equal(kit.host.terminal.locked, null);
  assert.deepEqual(troubles, []);
  const rounds = entries.filter(({ kind }) => kind === 'round-settled').length;
  const codes = Object.groupBy(
    commands.map(({ answers }) => answers[0]!),
    ({ status, code }) => code ?? status,
  );
  const waits = commands
    .map(({ sentAtMs, answers }) => answers[0]!.atMs - sentAtMs)
    .toSorted((a, b) => a - b);
  const share = (part: number): string => `${Math.round(waits[Math.floor(waits.length * part)] ?? 0)} ms`;
  t.diagnostic(
    `${storm.touched} touches in ${(tookMs / 1000).toFixed(1)} s, ${commands.length} commands: ` +
      Object.entries(codes)
        .map(([code, all]) => `${code} ${all!.length}`)
        .join(', '),
  );
  t.diagnostic(`${entries.length} entries, ${rounds} rounds settled`);
  t.diagnostic(`answers after p50 ${share(0.5)}, p95 ${share(0.95)}, longest ${share(1 - 1 / waits.length)}`);
  t.diagnostic(
    `event loop of the host late p50 ${Math.round(delay.percentile(50) / 1e6)} ms, p99 ${Math.round(delay.percentile(99) / 1e6)} ms, longest ${Math.round(delay.max / 1e6)} ms; frames of the page p50 ${storm.frames.p50} ms, p99 ${storm.frames.p99} ms, longest ${storm.frames.longest} ms`,
  );
  // The page is there, or comes back: one that got no answer for 8 s has connected again.
  await page.locator('.veil-up').waitFor({ state: 'attached', timeout: 600_000 });
  // House.open ends with the file verified and its replay equal to the live state.
});
