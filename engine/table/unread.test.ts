/** Money of a round that is held until it has been read once more. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { play } from '../../test/support/spoken-round.ts';
import { SUPERVISOR, type TestTable } from '../../test/support/table-kit.ts';
import { cardName, parseCard } from '../core/cards.ts';
import type { HeldInput } from './inputs.ts';

const hold = (table: TestTable, input: HeldInput | null): string | null =>
  table.try({ type: 'hold-money', why: 'differs', input })?.code ?? null;
const again = (table: TestTable): string | null =>
  table.try({ type: 'read-again', person: SUPERVISOR })?.code ?? null;
const drawn = (card: string): HeldInput => ({
  ...{ type: 'draw-card', drawNo: null, card: parseCard(card)!, confidence: 255 },
});
const said = (table: TestTable, more: object = {}): HeldInput =>
  ({
    ...{ type: 'decide', roundId: table.roundId, seat: 1, by: 1, hand: 0, act: 'stand' },
    ...{ touchedAtMs: table.atMs, ...more },
  }) as HeldInput;
const fault = { device: 'display', fault: 'lost' } as const;

test('nothing is held without an open round, nor twice, and nothing is read again that was not held', () => {
  const table = play('TS 9H');
  assert.equal(again(table), 'nothing-to-do');
  assert.equal(hold(table, null), null);
  assert.equal(hold(table, null), 'not-due');
  assert.equal(again(table), null);
  table.draw('8D');
  table.wait();
  table.act(1, 'stand');
  table.draw('8C');
  assert.equal(table.state.phase, 'settled');
  assert.equal(hold(table, null), 'not-due');
});

test('the card that would have moved money waits, and lies where it was due once it is read again', () => {
  const table = play('TS 9H 8D wait 1:stand');
  assert.equal(hold(table, drawn('8C')), null);
  assert.deepEqual([table.state.hold?.code, table.bank], ['unread', '9H']);
  assert.equal(cardName(table.state.shoe.waiting[0]!.card!), '8C');
  assert.equal(again(table), null);
  assert.deepEqual([table.state.hold, table.bank, table.state.phase], [null, '9H 8C', 'settled']);
  table.checkReplay();
});

test('a decision is kept as it was made, with its amount, and is said when it is read again', () => {
  const stood = play('TS 9H 8D wait');
  assert.equal(hold(stood, said(stood)), null);
  assert.deepEqual(stood.state.unread?.act, { seat: 1, hand: 0, by: 1, act: 'stand' });
  assert.equal(again(stood), null);
  assert.equal(stood.state.phase, 'bank');
  const insured = play('TS AH 8D');
  assert.equal(hold(insured, said(insured, { act: 'insure', amountMinor: 500 })), null);
  assert.equal(again(insured), null);
  assert.equal(insured.state.round?.seats[0]?.bettors[0]?.insuranceMinor, 500);
  insured.checkReplay();
});

test('while there is another reason to stand still it is not read again; of a table that is held already this hold follows', () => {
  const table = play('TS 9H 8D wait');
  table.must({ type: 'report-fault', ...fault, place: '', stops: 'table' });
  assert.equal(hold(table, null), null);
  assert.equal(table.state.hold?.code, 'machine-fault');
  assert.equal(again(table), 'held');
  table.must({ type: 'clear-fault', ...fault });
  assert.equal(again(table), 'held', 'nobody has compared the layout');
  table.must({ type: 'confirm-layout', person: SUPERVISOR });
  assert.equal(table.state.hold?.code, 'unread');
  for (const [device, name, stops] of [
    ['display', 'lost', { stops: 'table' }],
    ['shoe', 'shoe-jam', {}],
    ['books', 'books-differ', {}],
  ] as const) {
    table.must({ type: 'report-fault', device, fault: name, place: '', ...stops });
    assert.equal(again(table), 'held', device);
    table.must({ type: 'clear-fault', device, fault: name });
    if (table.state.hold?.code !== 'unread') table.must({ type: 'confirm-layout', person: SUPERVISOR });
  }
  assert.equal(again(table), null);
  assert.equal(table.state.hold, null);
});
