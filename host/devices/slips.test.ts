import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Person } from '../../engine/table/inputs.ts';
import type { PrintItem } from '../../hardware/ports.ts';
import { encodeDocument } from '../../hardware/printer/escpos.codec.ts';
import { draw } from '../../hardware/printer/letters.ts';
import { handPaySlip, type Place } from './slips.ts';

const MACAU: Place = { terminalId: 'T-1', tableName: '貴賓桌 1', currency: 'MOP', isSimulated: false };
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
  const items = handPaySlip(MACAU, paidBy('陳大文'), true);
  const texts = textsOf(items);
  assert.deepEqual(texts.slice(0, 5), [
    '貴賓桌 1',
    '人手付款',
    'PAGAMENTO MANUAL / HAND PAY',
    '副本',
    '2.ª VIA / COPY',
  ]);
  const at = texts.indexOf('支付人');
  assert.deepEqual(texts.slice(at, at + 3), ['支付人', 'Pago por / Paid by', '陳大文 (attendant)']);
  assert.ok(encodeDocument(1, items, 16, draw).length > 1000, 'every line of it can be printed');
});

test('a name that nobody has letters for is the number of the person; Portugal has no line of Chinese', () => {
  assert.ok(
    textsOf(handPaySlip(MACAU, paidBy('\u{1f0a1}'), false)).some((text) =>
      /^Pago por.* 2 \(attendant\)$/.test(text),
    ),
  );
  const place: Place = { ...MACAU, tableName: 'Mesa 1', currency: 'EUR' };
  const texts = textsOf(handPaySlip(place, { ...paidBy('João'), currency: 'EUR' }, true));
  assert.ok(
    texts.length > 8 && texts.every((text) => /^[\x20-\x7e\xa0-\xff]+$/.test(text)),
    texts.join('\n'),
  );
});
