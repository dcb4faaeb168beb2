import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minor } from '../../engine/core/money.ts';
import { errorSlip, handPaySlip, type Place } from './slips.ts';

const MACAU: Place = {
  terminalId: 'T-1',
  tableName: 'BJ 7',
  currency: 'MOP',
  home: 'macau',
  isSimulated: false,
};
const PORTUGAL: Place = { ...MACAU, tableName: 'Blackjack/21', currency: 'EUR', home: 'portugal' };
/** 20:14:07 in Lisbon, 04:14:07 of the next day in Macau. */
const EVENING_MS = Date.UTC(2026, 10, 26, 20, 14, 7);
const DEALER = { id: 'D-01', name: 'Lei Ka Man', role: 'dealer' } as const;

const linesOf = (items: readonly { readonly type: string }[]): string[] =>
  items.flatMap((item) => ('text' in item && item.type === 'line' ? [String(item.text)] : []));

const paid = (place: Place): string[] =>
  linesOf(
    handPaySlip(
      place,
      {
        type: 'hand-paid',
        atMs: EVENING_MS,
        seat: 3,
        requestId: 'r',
        payNo: 7,
        amountMinor: minor(5_731_250),
        currency: place.currency,
        person: DEALER,
        second: null,
        win: false,
      } as unknown as Parameters<typeof handPaySlip>[1],
      false,
    ),
  );

const cancelled = (place: Place): string[] =>
  linesOf(
    errorSlip(
      place,
      {
        type: 'round-voided',
        atMs: EVENING_MS,
        reason: 'misdeal',
        cites: [],
        person: DEALER,
      } as unknown as Parameters<typeof errorSlip>[1],
      { roundNo: 128, dealer: DEALER, isCopy: false },
    ),
  );

test('amounts and times on paper are those of the place', () => {
  assert.ok(paid(MACAU).includes('MOP 57 312,50'));
  assert.ok(paid(MACAU).some((line) => /^Data \/ Date +27\/11\/2026, 04:14:07$/.test(line)));
  assert.ok(paid(PORTUGAL).includes('57 312,50 €'));
  assert.ok(paid(PORTUGAL).some((line) => /^Data \/ Date +26\/11\/2026, 20:14:07$/.test(line)));
  // a printer has one kind of space
  for (const line of [...paid(MACAU), ...paid(PORTUGAL)]) assert.doesNotMatch(line, /\u00a0/);
});

test('the words on paper are those of the law', () => {
  assert.ok(cancelled(MACAU).includes('Jogada cancelada / Round cancelled'));
  assert.ok(cancelled(PORTUGAL).includes('Jogada anulada / Round cancelled'));
  assert.ok(cancelled(MACAU).some((line) => line.startsWith('Croupier / Dealer ')));
  assert.ok(cancelled(PORTUGAL).some((line) => line.startsWith('Pagador / Dealer ')));
  for (const line of [...cancelled(MACAU), ...cancelled(PORTUGAL)]) assert.ok(line.length <= 42, line);
});
