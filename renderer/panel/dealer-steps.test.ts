import assert from 'node:assert/strict';
import test from 'node:test';
import { cards } from '../../test/fixtures/view-kit.ts';
import { VIEWS } from '../../test/fixtures/views.ts';
import { tableText } from '../texts/i18n.ts';
import { dialogStands, stepButton, stepText } from './dealer-steps.ts';

const pt = tableText('pt');

test('a step names its seat, its hand where there are several, and its card', () => {
  const decide = { step: 'await-decision', seat: 3, hand: 1, cites: [] } as const;
  assert.equal(stepText(decide, 1, pt), 'Decide o lugar 3');
  assert.equal(stepText(decide, 4, pt), 'Decide o lugar 3, mão 2');
  assert.equal(
    stepText({ step: 'await-offers', seats: [1, 5], cites: [] }, 0, pt),
    'Por responder: lugar 1 · 5',
  );
  assert.equal(
    stepText({ step: 'confirm-card', card: cards('TD')[0]!, cites: [] }, 0, pt),
    'Confirme a carta 10♦',
  );
  assert.equal(stepText({ step: 'burn', done: 1, count: 6, cites: [] }, 0, pt), 'Retire cartas: 1 / 6');
});

test('only steps that the dealer confirms have a button; the cards answer the others', () => {
  const labels = Object.values(VIEWS).map(({ dealer }) => stepButton(dealer.step)?.label ?? dealer.step.step);
  assert.deepEqual([...new Set(labels)].sort(), [
    'await-decision',
    'await-offers',
    'burn',
    'call-supervisor',
    'close-betting',
    'close-complaint',
    'confirm-layout',
    'draw-for-bank',
    'draw-for-player-side',
    'draw-for-seat',
    'in-service',
    'load-packet',
    'locked-by-centre',
    'open-betting',
    'open-shuffler',
    'read-results',
    'resolve-card',
    'sign-in',
  ]);
  assert.equal(stepButton(VIEWS.turn.dealer.step), null);
  const load = { step: 'load-shoe', cites: [] } as const;
  assert.equal(stepButton(load), null);
  assert.deepEqual(stepButton(load, true), { label: 'load-shoe', command: { type: 'load-shoe' } });
  assert.deepEqual(stepButton(VIEWS.betting.dealer.step), {
    label: 'close-betting',
    command: { type: 'close-betting' },
  });
});

test('a dialog of the step ends with it; a void in the middle of its PIN outlives the next card', () => {
  assert.equal(dialogStands('sign-in', VIEWS['no-dealer']), true);
  assert.equal(dialogStands('sign-in', VIEWS.betting), false);
  assert.equal(dialogStands('void-round', VIEWS.turn), true);
  assert.equal(dialogStands('void-round', VIEWS['split-four']), true);
  assert.equal(dialogStands('void-round', VIEWS['idle-empty']), false);
  assert.equal(dialogStands('assign-card', VIEWS['hold-unexpected-card']), true);
  assert.equal(dialogStands('service', VIEWS.service), false);
  assert.equal(dialogStands('held-notes', VIEWS.turn), true, 'the staff may look at an empty list');
});
