import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import type { Card } from '../../engine/core/cards.ts';
import type { HidingPlace } from '../../engine/engine.ts';
import { keyFromPrivate } from '../../ledger/chain/key.ts';
import type { Entry, LedgerReader, NewEntry } from '../../ledger/store/ledger.store.ts';
import { OpenedCards, SealCheck, Sealer, standIn } from './sealed-cards.ts';

const newMac = () => keyFromPrivate(generateKeyPairSync('ed25519').privateKey).mac;
const mac = newMac();
/** Before and after. */
const HIDDEN = [false, new Set<HidingPlace>(['bank', 'waiting'])] as const;
const NOWHERE: ReadonlySet<HidingPlace> = new Set();
const OVER = [true, NOWHERE] as const;

const entry = (kind: string, body: object): NewEntry => ({ kind, roundId: 'r', body, postings: [] });
const hole = (card: number): NewEntry =>
  entry('bank-card-dealt', { card, drawNo: 4, confidence: 255, waited: false, faceDown: true });
const stored = (entries: readonly (NewEntry | Entry)[]): Entry[] =>
  entries.map((each, i) => ({
    ...each,
    seq: i + 1,
    atMs: 0,
    commandId: null,
    noteId: null,
    hash: new Uint8Array(),
  }));
const readerOf = (entries: readonly Entry[]): LedgerReader =>
  ({
    terminalId: 'T',
    read: (fromSeq: number, limit: number) => entries.slice(fromSeq - 1, fromSeq - 1 + limit),
  }) as unknown as LedgerReader;

test('a card is sealed, opens with the key alone until it is published, and with what is published after it', () => {
  const sealer = new Sealer(mac, 'T', []);
  const first = sealer.seal([hole(12)], 1, ...HIDDEN);
  assert.doesNotMatch(JSON.stringify(first), /"card":12|opening|"confidence":255/);
  const before = stored(first);
  const cardOf = (reader: OpenedCards): unknown => (reader.in(before[0]!).body as { card: unknown }).card;
  assert.equal(cardOf(new OpenedCards(readerOf(before))), null);
  assert.equal(cardOf(new OpenedCards(readerOf(before), mac)), 12);
  assert.throws(
    () => cardOf(new OpenedCards(readerOf(before), newMac())),
    /entry 1: its sealed card opens with the key/,
  );

  const after = stored([...first, ...sealer.seal([entry('hole-card-turned', {})], 2, ...OVER)]);
  assert.deepEqual(
    after.map(({ kind }) => kind),
    ['bank-card-dealt', 'hole-card-turned', 'cards-opened'],
  );
  assert.equal(cardOf(new OpenedCards(readerOf(after))), 12);
  assert.deepEqual(new OpenedCards(readerOf(after)).in(before[0]!).body, hole(12).body, 'as if never sealed');
  assert.deepEqual(sealer.seal([entry('round-closed', {})], 4, ...OVER).length, 1, 'opened once');
});

test('art. 5.1.1 a card that is taken back is opened with the entry that names it, the others stay closed', () => {
  const sealer = new Sealer(mac, 'T', []);
  const at3: ReadonlySet<HidingPlace> = new Set([3]);
  const down = (card: number): NewEntry => entry('card-dealt', { card, seat: 3, faceDown: true });
  sealer.seal([down(5)], 1, false, at3);
  sealer.seal([down(5)], 2, true, at3);
  const taken = sealer.seal([entry('card-taken-back', { card: 5, seat: 3 })], 3, true, at3);
  const opened = (entries: readonly NewEntry[]): unknown[] =>
    entries.flatMap(({ kind, body }) =>
      kind === 'cards-opened' ? (body as { cards: { seq: number }[] }).cards.map(({ seq }) => seq) : [],
    );
  assert.deepEqual(opened(taken), [2], 'the one dealt last');
  assert.deepEqual(opened(sealer.seal([entry('round-settled', {})], 5, ...OVER)), [1]);
});

test('no two seals are alike, whatever the card and however often the same entry is written', () => {
  const texts = Array.from({ length: 200 }, () =>
    JSON.stringify(new Sealer(mac, 'T', []).seal([hole(7)], 1, ...HIDDEN)),
  );
  assert.equal(new Set(texts).size, 200);
  assert.equal(new Set(texts.map((text) => text.length)).size, 1);
  const other = JSON.stringify(new Sealer(mac, 'T', []).seal([hole(51)], 1, ...HIDDEN));
  assert.equal(other.length, texts[0]!.length, 'nor does the length tell it');
});

test('cards that wait and cards that are confirmed are sealed one by one, and the next process opens them', () => {
  const waiting = [
    { card: 3, confidence: 255, why: 'known' },
    { card: null, confidence: 0, why: 'gap' },
    { card: 44, confidence: 17, why: 'doubtful' },
  ];
  const open = [
    entry('cards-waiting', { waiting, drawnNow: 3 }),
    entry('card-confirmed', { read: 3, card: 3 }),
    entry('card-dealt', { card: 3 }),
  ];
  const sealed = stored(new Sealer(mac, 'T', []).seal(open, 1, ...HIDDEN));
  assert.doesNotMatch(JSON.stringify(sealed.slice(0, 2)), /"(?:card|read)":\d|"confidence":[1-9]/);
  assert.match(JSON.stringify(sealed[1]), /"same":true/);
  const reader = readerOf(sealed);
  // Without the key too a state is made of it in which a card waits: knownState hides which.
  const unopened = new OpenedCards(reader).in(sealed[1]!);
  assert.equal((unopened.body as { card: unknown }).card, null);
  assert.equal((standIn(unopened) as { card: unknown }).card, 0);
  const later = new Sealer(mac, 'T', new OpenedCards(reader, mac).unopened(0));
  const all = stored([...sealed, ...later.seal([entry('round-settled', {})], 4, ...OVER)]);
  const cards = new OpenedCards(readerOf(all));
  assert.deepEqual(
    all.slice(0, 3).map((each) => cards.in(each).body),
    open.map(({ body }) => body),
  );
  assert.deepEqual(new OpenedCards(readerOf(all), mac).unopened(0), []);
  assert.deepEqual(new Sealer(mac, 'T', []).seal(open, 1, false, NOWHERE), open, 'nothing is hidden');
});

test('another card than was sealed, one opened twice, and one that stays closed do not hold', () => {
  const sealer = new Sealer(mac, 'T', []);
  const good = stored([
    ...sealer.seal([hole(12)], 1, ...HIDDEN),
    ...sealer.seal([], 2, ...OVER),
    entry('round-closed', {}),
  ]);
  const verdict = (entries: readonly Entry[]): (string | null)[] => {
    const check = new SealCheck();
    return entries.map((each) => check.take(each));
  };
  assert.deepEqual(verdict(good), [null, null, null]);
  const [dealt, opened, closed] = good as [Entry, Entry, Entry];
  const [card] = (opened.body as { cards: [object] }).cards;
  const forged = { ...opened, body: { cards: [{ ...card, card: 13 as Card }] } };
  assert.match(verdict([dealt, forged])[1]!, /opens a card of entry 1 that was not sealed there/);
  assert.match(verdict([dealt, opened, opened])[2]!, /was not sealed there/);
  assert.match(verdict([dealt, closed])[1]!, /the card sealed in entry 1 is not open/);
  const { confidence: _confidence, ...without } = card as { confidence: number };
  assert.match(
    verdict([dealt, { ...opened, body: { cards: [without] } }])[1]!,
    /was not sealed there/,
    'nor does another confidence',
  );
});

test('a card that is kept for the next hand stays sealed beyond its round, and opens in whatever round it is dealt', () => {
  const sealer = new Sealer(mac, 'T', []);
  const kept = entry('cards-waiting', { waiting: [{ card: 9, confidence: 250, why: 'kept' }] });
  const before = stored([...sealer.seal([kept], 1, ...HIDDEN), entry('round-closed', {})]);
  const later = new Sealer(mac, 'T', new OpenedCards(readerOf(before), mac).unopened(0));
  const dealt = { ...entry('card-dealt', { card: 9 }), roundId: 'next' };
  const all = stored([...before, ...later.seal([dealt], 3, ...OVER), entry('round-closed', {})]);
  assert.deepEqual(new OpenedCards(readerOf(all)).in(all[0]!).body, kept.body);
  const check = new SealCheck();
  assert.deepEqual(
    all.map((each) => check.take(each)),
    all.map(() => null),
  );
});

test('a player’s card that lies face down opens when it is shown, wherever it was given meanwhile', () => {
  const dealt = (card: number, seat: number): NewEntry =>
    entry('card-dealt', {
      card,
      drawNo: seat,
      confidence: 255,
      waited: false,
      seat,
      hand: 0,
      faceDown: true,
    });
  const at = (...places: HidingPlace[]): ReadonlySet<HidingPlace> => new Set(places);
  const first = new Sealer(mac, 'T', []).seal([dealt(8, 1), dealt(9, 2)], 1, false, at(1, 2));
  assert.doesNotMatch(JSON.stringify(first), /"card":\d|"confidence":255/);
  const swapped = entry('cards-swapped', { fromSeat: 2, toSeat: 1 });
  const before = stored([...first, swapped]);
  const cardsOf = (entries: readonly Entry[]): unknown[] => {
    const cards = new OpenedCards(readerOf(entries));
    return entries.slice(0, 2).map((each) => (cards.in(each).body as { card: unknown }).card);
  };
  // Also by a process that has to find out where they lie.
  const later = new Sealer(mac, 'T', new OpenedCards(readerOf(before), mac).unopened(0));
  const shown = stored([...before, ...later.seal([entry('hand-split', {})], 4, true, at(2))]);
  assert.deepEqual(cardsOf(shown), [null, 9], 'seat 1 has the card that was dealt to seat 2');
  const bust = later.seal([dealt(11, 2)], 6, true, at());
  const all = stored([...shown, ...bust, entry('round-closed', {})]);
  assert.deepEqual(cardsOf(all), [8, 9]);
  assert.deepEqual(
    all.map(({ kind }) => kind).slice(4),
    ['cards-opened', 'card-dealt', 'cards-opened', 'round-closed'],
    'what is shown as it comes opens with its own transaction',
  );
  const check = new SealCheck();
  assert.deepEqual(
    all.map((each) => check.take(each)),
    all.map(() => null),
  );
});

test('a burnt card that nobody has seen is in no entry, sealed or not, and cannot be opened by anybody', () => {
  const burnt = (card: number, confidence: number): NewEntry =>
    entry('card-burned', { unseen: true, card, drawNo: 1, confidence, waited: false, why: 'start' });
  for (const [hid, hiddenAt] of [HIDDEN, [false, NOWHERE], OVER] as const) {
    const [one, other] = [burnt(12, 255), burnt(40, 251)].map((each) =>
      new Sealer(mac, 'T', []).seal([each], 1, hid, hiddenAt),
    );
    assert.deepEqual(one, other);
    const all = stored(one!);
    assert.equal(all.length, 1);
    const { body } = new OpenedCards(readerOf(all), mac).in(all[0]!);
    assert.deepEqual(body, { ...(burnt(12, 255).body as object), card: null, confidence: null });
    assert.equal(new SealCheck().take(all[0]!), null);
  }
  const seen = entry('card-burned', { card: 12, drawNo: 1, confidence: 255, waited: false, why: 'exposed' });
  assert.deepEqual(new Sealer(mac, 'T', []).seal([seen], 1, ...HIDDEN), [seen], 'everybody has seen it');
});
