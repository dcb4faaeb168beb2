import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minor } from '../../engine/core/money.ts';
import type { Person } from '../../engine/table/inputs.ts';
import type { PrintItem } from '../../hardware/ports.ts';
import { encodeDocument } from '../../hardware/printer/escpos.codec.ts';
import { draw } from '../../hardware/printer/letters.ts';
import { errorSlip, handPaySlip, type Place, roundSlip } from './slips.ts';

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
  // no code of the program stands on paper
  assert.ok(cancelled(MACAU).includes('派牌錯誤'));
  assert.ok(cancelled(PORTUGAL).includes('Erro na distribuição / Misdeal'));
  assert.ok(cancelled(PORTUGAL).some((line) => line.endsWith('Lei Ka Man (pagador)')));
});

const VIP: Place = { ...MACAU, tableName: '貴賓桌 1' };
const paidBy = (name: string): Parameters<typeof handPaySlip>[1] =>
  ({
    type: 'hand-paid',
    atMs: 0,
    seat: 3,
    requestId: 'r',
    amountMinor: 123_450,
    currency: 'MOP',
    person: { id: '2', name, role: 'attendant' } as Person,
    second: null,
    cites: [],
  }) as unknown as Parameters<typeof handPaySlip>[1];
const textsOf = (items: readonly PrintItem[]): readonly string[] =>
  items.flatMap((item) => (item.type === 'line' ? item.text : []));

test('a slip of Macau says everything in Chinese, Portuguese and English, and names people in their letters', () => {
  const items = handPaySlip(VIP, paidBy('陳大文'), true);
  const texts = textsOf(items);
  assert.deepEqual(texts.slice(0, 5), [
    '貴賓桌 1',
    '人手付款',
    'PAGAMENTO EM MÃO / HAND PAY',
    '副本',
    '2.ª VIA / COPY',
  ]);
  const at = texts.indexOf('支付人');
  assert.deepEqual(texts.slice(at, at + 3), ['支付人', 'Pago por / Paid by', '陳大文 (assistente)']);
  assert.ok(encodeDocument(1, items, 16, draw).length > 1000, 'every line of it can be printed');
});

test('a name that nobody has letters for is the number of the person; Portugal has no line of Chinese', () => {
  assert.ok(
    textsOf(handPaySlip(VIP, paidBy('\u{1f0a1}'), false)).some((text) =>
      /^Pago por.* 2 \(assistente\)$/.test(text),
    ),
  );
  const place: Place = { ...PORTUGAL, tableName: 'Mesa 1' };
  const texts = textsOf(handPaySlip(place, { ...paidBy('João'), currency: 'EUR' }, true));
  assert.ok(
    texts.length > 8 && texts.every((text) => /^[\x20-\x7e\xa0-\xff€]+$/.test(text)),
    texts.join('\n'),
  );
});

test('a receipt has the commission as an amount and says that a card was named by hand, or neither', () => {
  const round = (commissionMinor: number): string[] =>
    linesOf(
      roundSlip(
        MACAU,
        {
          no: 12,
          seat: 3,
          openedAtMs: EVENING_MS,
          byHand: commissionMinor > 0,
          stakedMinor: 156_000,
          commissionMinor,
          netMinor: 156_000 - commissionMinor,
          receipt: 'r',
        },
        false,
      ),
    );
  const charged = round(7_800);
  assert.ok(charged.some((line) => /^Comissão \/ Commission +MOP 78,00$/.test(line)));
  assert.ok(charged.some((line) => /^Resultado \/ Result +\+MOP 1 482,00$/.test(line)));
  assert.ok(charged.includes('Carta indicada à mão / Card by hand'));
  assert.ok(!round(0).some((line) => /Commission|by hand/.test(line)));
});
