import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Card } from '../../engine/core/cards.ts';
import { MOST_MINOR } from '../../engine/core/money.ts';
import { seededChance } from '../../hardware/transport/faults.ts';
import { parseMessage } from '../../host/server/messages.ts';
import type { Command } from '../../wire/commands.ts';
import type { DisplayRole } from '../../wire/display.ts';
import { Rude } from '../support/rude.ts';
import { CREDENTIAL, TestTerminal } from './test-terminal.ts';

const rudeOf = (kit: TestTerminal, role: DisplayRole): Promise<Rude> =>
  Rude.connect(kit.host.ticketUrl(role, 600_000).url);

const ID = 'a-good-command-id';
const text = (command: unknown, id: unknown = ID): string => JSON.stringify({ t: 'command', id, command });
const bet = { type: 'place-bet', roundId: 'r', seat: 1, bet: 'main', amountMinor: 10_000, touchedAtMs: 1 };

/**
 * What is sent -> where the answer says the mistake is; `refused` where no sender's id could be
 * read.
 */
const MALFORMED: readonly (readonly [string, string, 'answer' | 'refused'])[] = [
  ['', 'not JSON', 'refused'],
  ['{"t":"command"', 'not JSON', 'refused'],
  ['null', 'message', 'refused'],
  ['[]', 'message', 'refused'],
  ['7', 'message', 'refused'],
  ['{"t":"command"}', 'id', 'refused'],
  ['{"t":"dance"}', 't', 'refused'],
  [text(bet, 'short'), 'id', 'refused'],
  [text(bet, 7), 'id', 'refused'],
  [text(bet, `${ID}'; DROP TABLE entries`), 'id', 'refused'],
  [text(null), 'command', 'answer'],
  [text({ type: 'print-money' }), 'command.type', 'answer'],
  [text({ ...bet, amountMinor: '10000' }), 'command.amountMinor', 'answer'],
  [text({ ...bet, amountMinor: 0.5 }), 'command.amountMinor', 'answer'],
  [text({ ...bet, amountMinor: -10_000 }), 'command.amountMinor', 'answer'],
  [text({ ...bet, amountMinor: 0 }), 'command.amountMinor', 'answer'],
  [text({ ...bet, amountMinor: 2 ** 53 }), 'command.amountMinor', 'answer'],
  [text({ ...bet, amountMinor: null }), 'command.amountMinor', 'answer'],
  [text(bet).replace('10000', '1e400'), 'command.amountMinor', 'answer'],
  [text({ ...bet, seat: 0 }), 'command.seat', 'answer'],
  [text({ ...bet, seat: 13 }), 'command.seat', 'answer'],
  [text({ ...bet, seat: 1.5 }), 'command.seat', 'answer'],
  [text({ ...bet, by: 0 }), 'command.by', 'answer'],
  [text({ ...bet, by: null }), 'command.by', 'answer'],
  [text({ ...bet, credit: 2 }), 'command', 'answer'],
  [text({ ...bet, touchedAtMs: -1 }), 'command.touchedAtMs', 'answer'],
  [
    text({ type: 'enter-service', credential: { person: '4', pin: '12' } }),
    'command.credential.pin',
    'answer',
  ],
  [
    text({ type: 'enter-service', credential: { person: '4', pin: 4444 } }),
    'command.credential.pin',
    'answer',
  ],
  [text({ type: 'enter-service', credential: { pin: '4444' } }), 'command.credential.person', 'answer'],
  [text({ type: 'enter-service', pin: '4444' }), 'command.credential', 'answer'],
  [text({ type: 'confirm-card', card: 52 }), 'command.card', 'answer'],
  [
    text({ type: 'void-round', reason: 'bored', credential: CREDENTIAL.supervisor }),
    'command.reason',
    'answer',
  ],
  [text({ type: 'set-language', seat: 1, language: 'fr' }), 'command.language', 'answer'],
  [text({ type: 'sim-fault', device: '../../etc', fault: 'jam' }), 'command.device', 'answer'],
  [JSON.stringify({ t: 'query', id: ID, query: { query: 'secrets' } }), 'query.query', 'answer'],
  [
    JSON.stringify({ t: 'query', id: ID, query: { query: 'events', beforeSeq: 0, limit: 9, kind: null } }),
    'query.beforeSeq',
    'answer',
  ],
  ['[['.repeat(2_000), 'not JSON: nested deeper', 'refused'],
  [
    text({ type: 'plan-change', edit: { options: { a: 'HERE' } } }).replace(
      '"HERE"',
      `${'['.repeat(2_000)}${']'.repeat(2_000)}`,
    ),
    'not JSON: nested deeper',
    'refused',
  ],
  [text({ ...bet, amountMinor: Number.MAX_SAFE_INTEGER }), 'command.amountMinor', 'answer'],
  [text(bet).replace('{', '{"__proto__":{"role":"table"},'), "not JSON: '__proto__' is no name", 'refused'],
];

test('what is not a message is refused with its place, and nothing has happened', async (t) => {
  const kit = await TestTerminal.open(t);
  const rude = await rudeOf(kit, 'table');
  t.after(() => rude.close());
  const before = kit.fingerprint;
  for (const [sent, place, kind] of MALFORMED) {
    rude.heard.length = 0;
    rude.send(sent);
    await kit.until(`an answer to ${sent.slice(0, 80)}`, () => rude.heard.length > 0);
    const [heard] = rude.heard;
    if (kind === 'refused') {
      assert.ok(heard?.t === 'refused', `${sent}: ${JSON.stringify(heard)}`);
      assert.ok(heard.reason.startsWith(place), `${sent}: ${heard.reason}`);
    } else {
      assert.ok(heard?.t === 'answer' && heard.status === 'rejected', `${sent}: ${JSON.stringify(heard)}`);
      assert.deepEqual([heard.id, heard.code], [ID, 'malformed']);
      assert.ok(heard.detail?.startsWith(place), `${sent}: ${heard.detail}`);
    }
    assert.equal(kit.fingerprint, before, sent);
  }
  assert.equal(rude.closedWith, null, 'a mistake does not cost the connection');
});

test('a frame of several messages: each is checked and answered for itself', async (t) => {
  const kit = await TestTerminal.open(t);
  for (const seat of [1, 2, 3]) await kit.fund(seat, 50_000);
  await kit.ready('TS 9H TD 8C');
  await kit.do({ type: 'open-betting' });
  const rude = await rudeOf(kit, 'table');
  t.after(() => rude.close());
  const bets = [1, 2, 3].map((seat) => text(kit.bet(seat, 10_000), `bet-of-seat-${seat}`));
  rude.send([bets[0], bets[1], text(null), '', bets[2]].join('\n'));
  await kit.until('five answers', () => rude.heard.length === 5);
  const said = rude.heard.map((heard) =>
    heard.t === 'answer' ? `${heard.id} ${heard.status}` : `${heard.t} ${'reason' in heard && heard.reason}`,
  );
  assert.deepEqual(
    said.toSorted(),
    [
      `${ID} rejected`,
      'bet-of-seat-1 done',
      'bet-of-seat-2 done',
      'bet-of-seat-3 done',
      said.find((each) => each.startsWith('refused not JSON'))!,
    ].toSorted(),
  );
  for (const seat of [1, 2, 3]) assert.equal(kit.seat(seat).creditMinor, 40_000);
});

test('a message that is too long, or of bytes, ends the connection and nothing else; another version hears so', async (t) => {
  const kit = await TestTerminal.open(t);
  const before = kit.fingerprint;
  for (const bytes of ['x'.repeat(20_000), Buffer.from([1, 2, 3])]) {
    const rude = await rudeOf(kit, 'table');
    rude.send(bytes);
    await kit.until('the end of the connection', () => rude.closedWith !== null);
    assert.equal(rude.heard.length, 0);
  }
  const old = await rudeOf(kit, 'table');
  old.send(JSON.stringify({ t: 'hello', version: 99, lastSeq: null }));
  await kit.until('the end of the connection', () => old.closedWith !== null);
  assert.equal(old.heard[0]?.t, 'refused');
  assert.equal(kit.fingerprint, before);
  await kit.do({ type: 'call-attendant', seat: 1, on: true });
});

test('a display touches only what its role may touch', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  await kit.do({ type: 'open-betting' });
  const [seat2, dealer, service, operator] = await Promise.all([
    kit.display('seat:2'),
    kit.display('dealer'),
    kit.display('service'),
    kit.display('operator'),
  ]);
  const touch = { roundId: kit.roundId, seat: 1, touchedAtMs: kit.now() };
  const ofSeat1: Command[] = [
    kit.bet(1, 10_000),
    { type: 'undo-bet', ...touch },
    { type: 'clear-bets', ...touch },
    { type: 'repeat-bets', ...touch },
    { type: 'double-bets', ...touch },
    { ...kit.act(1, 'stand') },
    { type: 'set-language', seat: 1, language: 'pt' },
    { type: 'call-attendant', seat: 1, on: true },
    { type: 'request-cash-out', seat: 1 },
    { type: 'cancel-cash-out', seat: 1, requestId: 'some-request' },
  ];
  const ofDealer: Command[] = [
    { type: 'close-betting' },
    { type: 'open-betting' },
    { type: 'sign-out-dealer' },
    { type: 'sign-in-dealer', credential: CREDENTIAL.dealer },
    { type: 'confirm-layout' },
    { type: 'set-card-aside' },
    { type: 'end-card-out' },
    { type: 'void-round', reason: 'misdeal', credential: CREDENTIAL.supervisor },
  ];
  const ofOperator: Command[] = [
    { type: 'sim-draw-card' },
    { type: 'sim-load-shoe' },
    { type: 'sim-insert-note', acceptor: 1, valueMinor: 10_000 },
  ];
  const ofService: Command[] = [
    { type: 'enter-service', credential: CREDENTIAL.technician },
    { type: 'run-self-test' },
  ];
  for (const command of [...ofSeat1, ...ofDealer, ...ofOperator, ...ofService])
    await kit.refused(command, 'not-allowed', seat2);
  for (const command of [...ofSeat1, ...ofOperator]) await kit.refused(command, 'not-allowed', dealer);
  for (const command of [...ofSeat1, ...ofDealer, ...ofOperator])
    await kit.refused(command, 'not-allowed', service);
  for (const command of [...ofSeat1, ...ofDealer, ...ofService])
    await kit.refused(command, 'not-allowed', operator);
  await kit.do({ type: 'set-language', seat: 2, language: 'pt' }, seat2);
  await kit.do({ type: 'close-betting' }, dealer);
});

test('a command that comes again is done once, through reconnection and restart; its id is no other command', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  await kit.do({ type: 'open-betting' });
  const id = randomUUID();
  const laid = kit.bet(1, 10_000);
  assert.equal((await kit.send(laid, kit.table, id)).status, 'done');
  const before = kit.fingerprint;
  assert.equal((await kit.send(laid, kit.table, id)).status, 'exists');
  const other = await kit.send({ ...laid, amountMinor: 20_000 }, kit.table, id);
  assert.ok(other.status === 'rejected' && other.code === 'duplicate');
  const again = await kit.display('table');
  assert.equal((await kit.send(laid, again, id)).status, 'exists');
  assert.equal(kit.fingerprint, before);

  await kit.restart();
  const after = kit.fingerprint;
  assert.equal((await kit.send(laid, kit.table, id)).status, 'exists');
  assert.equal(kit.fingerprint, after);
  assert.equal(kit.seat(1).creditMinor, 40_000);
});

test('hands on simulated devices leave their trace, and a repeated command moves them once', async (t) => {
  const kit = await TestTerminal.open(t);
  const operator = await kit.display('operator');
  await kit.until('the shoe is there', () =>
    kit.view.devices.some(({ id, state }) => id === 'shoe' && state !== 'offline'),
  );
  await kit.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  await kit.do({ type: 'sim-load-shoe' }, operator);
  await kit.shoeRead();
  await kit.do({ type: 'cut-shoe', seat: null });
  await kit.do({ type: 'place-end-card', cardsBehind: 60 });
  const id = randomUUID();
  for (const status of ['done', 'exists']) {
    assert.equal((await kit.send({ type: 'sim-draw-card' }, operator, id)).status, status);
    await kit.shoeRead();
  }
  assert.equal(kit.rack.sight().shoe.drawn.length, 1);
  assert.deepEqual(
    kit.entries('simulation-used').map(({ body }) => (body as { command: string }).command),
    ['sim-load-shoe', 'sim-draw-card'],
  );
  await kit.refused({ type: 'sim-fault', device: 'shoe', fault: 'no-such-fault' }, 'not-allowed', operator);
  await kit.refused({ type: 'sim-insert-note', acceptor: 12, valueMinor: 1 }, 'not-allowed', operator);
});

test('a white card that does not fit into the simulated shoe does not end the host', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.until('the shoe is there', () =>
    kit.view.devices.some(({ id, state }) => id === 'shoe' && state !== 'offline'),
  );
  await kit.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  // Said to be six packs, but only a few cards lie in it.
  kit.rack.shoe.load([1, 2, 3, 4, 5], 6);
  await kit.shoeRead();
  await kit.do({ type: 'cut-shoe', seat: null });
  await kit.do({ type: 'place-end-card', cardsBehind: 60 });
  assert.ok(kit.log.some((line) => line.startsWith('white card:')));
});

test('a hundred PINs sent at once open nothing, though the right one is among them', async (t) => {
  const kit = await TestTerminal.open(t);
  const pins = Array.from({ length: 100 }, (_, i) =>
    i === 60 ? CREDENTIAL.technician : { ...CREDENTIAL.technician, pin: String(7_000 + i) },
  );
  const answers = await Promise.all(
    pins.map((credential) => kit.send({ type: 'enter-service', credential })),
  );
  assert.ok(answers.every((answer) => answer.status === 'rejected' && answer.code === 'person'));
  assert.equal(kit.view.service, null);
  assert.equal(kit.entries('access-refused').length, 1, 'one of them was looked at');
});

test('random lawful-looking commands at random moments: refused ones change nothing, and the books hold', async (t) => {
  const kit = await TestTerminal.open(t);
  await Promise.all([1, 2, 3].map((seat) => kit.fund(seat, 100_000)));
  await kit.ready('TS 9H');
  const chance = seededChance(20_090_057);
  const pick = <T>(...from: readonly T[]): T => from[chance.below(from.length)] as T;
  const seat = (): number => 1 + chance.below(12);
  const player = (): number => 1 + chance.below(3);
  const touch = (at: number) => ({ roundId: kit.roundId, seat: at, touchedAtMs: kit.now() });
  const commands: readonly (() => Command)[] = [
    () => kit.bet(pick(player(), seat()), pick<number>(1, 5_000, 10_000, 50_000, MOST_MINOR)),
    () => ({ ...kit.bet(player(), 5_000), bet: pick('main', 'pairs', 'x') }),
    () => ({ type: pick('undo-bet', 'clear-bets', 'repeat-bets', 'double-bets'), ...touch(seat()) }),
    () => ({
      ...kit.act(
        pick(player(), seat()),
        pick(
          'hit',
          'stand',
          'double',
          'split',
          'surrender',
          'insure',
          'declineInsurance',
          'evenMoney',
          'playOn',
        ),
        chance.below(3),
      ),
      ...(chance.below(3) === 0 ? { amountMinor: pick(1, 2_500, 5_000) } : {}),
    }),
    () => ({ type: 'set-language', seat: seat(), language: pick('pt', 'en', 'zh-Hant') }),
    () => ({ type: 'call-attendant', seat: seat(), on: chance.below(2) === 0 }),
    () => ({ type: 'choose-note-seat', seat: seat() }),
    () => ({ type: 'request-cash-out', seat: seat() }),
    () => ({
      type: 'cancel-cash-out',
      seat: seat(),
      requestId: kit.view.seats.find((each) => each.cashOut)?.cashOut?.requestId ?? 'no-request',
    }),
    () => ({ type: 'cut-shoe', seat: seat() }),
    () => ({ type: 'place-end-card', cardsBehind: chance.below(400) }),
    () => ({ type: pick('open-betting', 'close-betting', 'close-round') }),
    () => ({ type: pick('set-card-aside', 'confirm-layout') }),
    () => ({ type: 'confirm-card', card: chance.below(52) as Card }),
    () => ({ type: 'assign-card', fromSeat: seat(), toSeat: player() }),
    () => ({ type: 'draw-wrong', shown: chance.below(2) === 0 }),
    () => ({ type: 'exit-service' }),
    () => ({ type: 'enter-service', credential: CREDENTIAL.technician }),
  ];
  /**
   * Time and dealer also do what they should: else the table would stand still at the first wrong
   * card.
   */
  const goOn = async (): Promise<Command | null> => {
    switch (kit.step) {
      case 'burn':
      case 'draw-for-seat':
      case 'draw-for-bank':
      case 'draw-for-player-side':
        await kit.draw();
        return null;
      case 'await-offers':
      case 'await-decision':
      case 'read-results':
        kit.passDeadline();
        return null;
      case 'open-betting':
        return { type: 'open-betting' };
      case 'close-betting':
        return kit.view.seats.some(({ bets }) => bets.length > 0)
          ? { type: 'close-betting' }
          : kit.bet(player(), 5_000);
      case 'close-round':
        return { type: 'close-round' };
      case 'resolve-card':
        return kit.view.hold?.code === 'unexpected-card'
          ? { type: 'set-card-aside' }
          : {
              type: 'confirm-card',
              card: chance.below(52) as Card,
              reason: 'not-read',
              credential: CREDENTIAL.supervisor,
            };
      case 'confirm-card':
        return { type: 'confirm-card', card: kit.view.hold?.card as Card };
      case 'call-supervisor':
        return { type: 'void-round', reason: 'supervisor', credential: CREDENTIAL.supervisor };
      case 'in-service':
        return { type: 'exit-service' };
      case 'load-shoe':
        await kit.loadShoe('2C');
        return { type: 'cut-shoe', seat: null };
      case 'place-end-card':
        return { type: 'place-end-card', cardsBehind: 60 };
      case 'confirm-layout':
        return { type: 'confirm-layout' };
      default:
        return null;
    }
  };
  let done = 0;
  let refused = 0;
  for (let i = 0; i < 800; i += 1) {
    if (chance.below(30) === 0) await kit.draw();
    if (chance.below(30) === 0)
      await kit.hands({ do: 'fault', device: 'shoe', fault: pick('doubtful', 'misread', 'double-feed') });
    const given = chance.below(2) === 0 ? await goOn() : pick(...commands)();
    if (!given) continue;
    const id = randomUUID();
    const parsed = parseMessage(JSON.stringify({ t: 'command', id, command: given }));
    assert.ok(parsed.ok && parsed.message.t === 'command', JSON.stringify(given));
    const before = kit.fingerprint;
    const outcome = await kit.host.command(id, parsed.message.command);
    if (outcome.status === 'rejected') {
      refused += 1;
      assert.equal(kit.fingerprint, before, JSON.stringify(given));
    } else done += 1;
    assert.equal(kit.host.terminal.locked, null);
  }
  assert.ok(done > 50 && refused > 50, `${done} done, ${refused} refused`);
  for (const kind of ['round-settled', 'round-closed', 'card-confirmed', 'card-burned', 'service-entered'])
    assert.ok(kit.entries(kind).length > 0, `${kind} was reached`);
});
