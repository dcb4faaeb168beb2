import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { TableProfile } from '../../engine/table/profile.ts';
import type { TableState } from '../../engine/table/state.ts';
import type { FiguresPage } from '../../wire/pages.ts';
import { FiguresDesk } from './figures-desk.ts';

const profile: TableProfile = {
  terminalId: 't-1',
  tableName: 'Mesa 1',
  rulebook: 'macau-baccarat',
  options: { decks: 8 },
  authorisations: [],
  currency: 'MOP',
  chipsMinor: [10_000],
  seatCount: 7,
  acceptors: 'per-seat',
  notesMinor: [10_000],
  maxCreditMinor: 100_000_000,
  twoPersonHandPayMinor: 10_000_000,
  timing: { bettingMs: 20_000, offersMs: 15_000, decisionMs: 15_000, minConfidence: 200, minResultMs: 3_000 },
} as unknown as TableProfile;

const desk = (log: string[] = []): FiguresDesk =>
  new FiguresDesk({
    terminal: { state: { profile } as TableState, now: () => 1_800_000_000_000 },
    log: (line) => log.push(line),
  });

async function answer(from: FiguresDesk, options: Readonly<Record<string, unknown>>): Promise<FiguresPage> {
  for (;;) {
    const page = from.page({ options });
    if (page.state !== 'working') return page;
    await wait(50);
  }
}

it('says the edge of every bet under options that are thought of, and remembers it', async () => {
  const figures = desk();
  assert.equal(figures.page({ options: { lucky6: true } }).state, 'working');
  const page = await answer(figures, { lucky6: true });
  assert.deepEqual(
    page.bets.map(({ bet, edge, error, favoursPlayer }) => [bet, edge.slice(0, 8), error, favoursPlayer]),
    [
      ['player', '0.012350', null, false],
      ['banker', '0.010579', null, false],
      ['tie', '0.143596', null, false],
      ['playerPair', '0.103614', null, false],
      ['bankerPair', '0.103614', null, false],
      ['lucky6', '0.166835', null, false],
    ],
  );
  assert.equal(figures.page({ options: { lucky6: true } }), page);
  figures.stop();
});

it('says the edges of the table in force to its players, after what the staff thinks of', async () => {
  const figures = desk();
  assert.equal(figures.page({ options: { lucky6: true } }).state, 'working');
  assert.equal(figures.inForce().state, 'working', 'the one of the staff goes on');
  const thought = await answer(figures, { lucky6: true });
  let inForce = figures.inForce();
  for (; inForce.state === 'working'; inForce = figures.inForce()) await wait(50);
  assert.deepEqual(
    inForce.bets.map(({ bet, edge }) => [bet, edge]),
    thought.bets.filter(({ bet }) => bet !== 'lucky6').map(({ bet, edge }) => [bet, edge]),
  );
  figures.stop();
});

it('ends what is asked for no more, and names what is not legal', async () => {
  const log: string[] = [];
  const figures = desk(log);
  assert.equal(figures.page({ options: { decks: 7 } }).state, 'working');
  const page = await answer(figures, { decks: 5 });
  assert.equal(page.state, 'failed');
  assert.match(page.why!, /option decks \(art\.1\)/);
  // The first was ended without a word.
  assert.equal(log.length, 1);
  const again = figures.page({ options: { decks: 7 } });
  assert.equal(again.state, 'working');
  figures.stop();
});
