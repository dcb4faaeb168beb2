import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { cannotRun, here, root } from '../test/kits/cli.ts';
import type { Figure } from './figures/figure.ts';

const STRATEGIES = join(import.meta.dirname, '../test/data/reference/reference-strategies.json');

const figures = async (...argv: string[]): Promise<Figure[]> =>
  JSON.parse((await here(['figures', ...argv, '--json'])).stdout) as Figure[];

describe('banca figures', () => {
  it('gives every game at six and eight decks when nothing is asked for', async () => {
    const ids = (await figures()).map(({ id }) => id);
    for (const id of ['baccarat-6d-tie', 'baccarat-8d-tie', 'war-6d-win', 'war-8d-win', 'bjside-8d-pp-he'])
      assert.ok(ids.includes(id), id);
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(!ids.some((id) => id.includes('streak')));
  });

  it('gives what is asked for: id, value and exact', async () => {
    assert.deepEqual((await figures('--game', 'casino-war', '--decks', '1')).slice(0, 1), [
      { id: 'war-1d-tie', value: '0.058823529411765', exact: '1/17' },
    ]);
    const several = await figures('--game', 'bjside', '--decks', '1,2,1');
    assert.deepEqual([...new Set(several.map(({ id }) => id.split('-')[1]))], ['1d', '2d']);
    const { stdout } = await here(['figures', '--game', 'casino-war', '--decks', '1']);
    assert.match(stdout, /^war-1d-tie +0\.058823529411765 {2}1\/17$/m);
  });

  it('gives the streak from the chances of a round', async () => {
    const [two] = await figures('--game', 'streak', '--win', '2/5', '--push', '0.2', '--lose', '2/5');
    assert.deepEqual(two, { id: 'streak2', value: '0.00000000000000', exact: '0/1' });
    const rounded = await figures('--game', 'streak', '--win', '.333', '--push', '.333', '--lose', '.333');
    assert.equal(rounded.length, 4);
    const all = await figures('--decks', '1', '--win', '1/2', '--push', '0', '--lose', '1/2');
    assert.ok(all.some(({ id }) => id === 'streak5') && all.some(({ id }) => id === 'war-1d-win'));
  });

  it('gives black jack for a strategy of a file, at its decks or at others', async () => {
    const one = (JSON.parse(readFileSync(STRATEGIES, 'utf8')) as { readonly id: string }[]).find(
      ({ id }) => id === 'streak-nosplit-s17-obo',
    );
    const file = join(root, 'strategy.json');
    writeFileSync(file, JSON.stringify(one));
    const own = await figures('--game', 'blackjack', '--strategy', file);
    assert.deepEqual(own[0], { id: 'bj-streak-nosplit-s17-obo-6d-ev', value: '-0.00975071795568' });
    const [ev] = await figures('--game', 'blackjack', '--strategy', file, '--decks', '8');
    assert.equal(ev?.id, 'bj-streak-nosplit-s17-obo-8d-ev');
    assert.notEqual(ev?.value, own[0]?.value);
  });

  it('that cannot run gets one sentence and exit 2', async () => {
    const streak = (...more: string[]) => ['figures', '--game', 'streak', ...more];
    for (const decks of ['0', '-1', '1.5', '101', '6,', 'six', ''])
      await cannotRun(['figures', `--decks=${decks}`], /^banca figures: --decks .*: whole numbers of decks/);
    await cannotRun(
      ['figures', '--game', 'poker'],
      /--game poker: one of baccarat, casino-war, bjside, blackjack, streak/,
    );
    await cannotRun(['figures', 'casino-war'], /'casino-war' is one argument too many/);
    await cannotRun(['figures', '--deck', '6'], /^banca figures: /);
    await cannotRun(streak(), /--win is missing/);
    await cannotRun(streak('--win', '1/2', '--push', '1/4'), /--lose is missing/);
    await cannotRun(streak('--win', '1/0', '--push', '0', '--lose', '1'), /--win 1\/0: a fraction/);
    await cannotRun(streak('--win', '1/2', '--push', '1/4', '--lose', '1/5'), /together they must be 1/);
    await cannotRun(streak('--win', '.334', '--push', '.334', '--lose', '.334'), /together they must be 1/);
    await cannotRun(streak('--win', '0', '--push', '1', '--lose', '0'), /decides no streak/);
    const none = join(root, 'none.json');
    await cannotRun(['figures', '--game', 'blackjack'], /--strategy is missing/);
    await cannotRun(['figures', '--strategy', none], /--strategy .*none\.json: ENOENT/);
    await cannotRun(
      ['figures', '--game', 'casino-war', '--strategy', none],
      /belongs to blackjack, not to casino-war/,
    );
    writeFileSync(none, '[{"id":"x"}]');
    await cannotRun(['figures', '--strategy', none], /--strategy .*none\.json: strategy 0\.rules: /);
    await cannotRun(
      ['figures', '--game', 'casino-war', '--win', '1'],
      /belong to the streak, not to casino-war/,
    );
  });
});
