import assert from 'node:assert/strict';
import test from 'node:test';
import type { Act } from '../../engine/table/inputs.ts';
import { choice } from '../../test/fixtures/view-kit.ts';
import { type Decision, decisionOf } from './decision.ts';

const of = (...acts: Act[]): Decision => decisionOf(acts.map((act) => choice(act)));
const names = ({ acts }: Decision): Act[] => acts.map(({ act }) => act);

test('a turn has four acts at most: to surrender has its place next to them', () => {
  const turn = of('hit', 'stand', 'double', 'split', 'surrender');
  assert.equal(turn.question, 'turn');
  assert.deepEqual(names(turn), ['hit', 'stand', 'double', 'split']);
  assert.equal(turn.surrender?.act, 'surrender');
});

test('art. 12.1 of the engine’s two ways to say no to insurance one is shown', () => {
  const offer = of('insure', 'declineInsurance', 'playOn');
  assert.deepEqual(names(offer), []);
  assert.equal(offer.insurance?.no?.act, 'declineInsurance');
  assert.equal(of('insure', 'playOn').insurance?.no?.act, 'playOn');
});

test('in a turn and beside even money no «no» to insurance is needed', () => {
  assert.equal(of('hit', 'stand', 'insure').insurance?.no, null);
  const natural = of('evenMoney', 'insure', 'declineInsurance', 'playOn');
  assert.deepEqual(names(natural), ['evenMoney', 'playOn']);
  assert.equal(natural.insurance?.no, null);
});

test('who cannot pay for insurance plays on', () => {
  const short = of('declineInsurance', 'playOn');
  assert.equal(short.question, 'insuranceShort');
  assert.equal(short.insurance, null);
  assert.deepEqual(names(short), ['playOn']);
});

test('art. 10.3 even money alone leaves the choice to wait', () => {
  assert.equal(of('evenMoney').mayWait, true);
  assert.equal(of('evenMoney', 'playOn').mayWait, false);
});
