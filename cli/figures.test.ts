import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { cannotRun, here, root } from '../test/kits/cli.ts';
import type { TableFigures } from './figures/bet-figures.ts';
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

  it('gives every bet of a table with the chance of each result', async () => {
    const table = async (...argv: string[]) =>
      JSON.parse((await here(['figures', '--rulebook', ...argv, '--json'])).stdout) as TableFigures & {
        readonly estimates: readonly { readonly bet: string; readonly error: string }[];
      };
    const free = '{"commission":"none-banker-six-half","pairs":false,"step":3}';
    const baccarat = await table('macau-baccarat', '--options', free);
    const known = (await figures('--game', 'baccarat', '--decks', '8')).find(({ id }) =>
      id.endsWith('banker-he-nocomm-b6half'),
    );
    assert.deepEqual(
      baccarat.bets.map(({ bet, edge }) => [bet, edge]),
      [
        ['player', '0.012350813289166'],
        ['banker', known?.value],
        ['tie', '0.143596287787238'],
      ],
    );
    assert.match(baccarat.notes.join(), /rounded up \(art\. 18\.2\)/);
    const war = await table('macau-casino-war', '--options', '{"decks":1}');
    assert.deepEqual(
      war.bets.find(({ bet }) => bet === 'main beside tie')!.results.map(({ net, chance }) => [net, chance]),
      [
        ['+1', '0.470588235294118'],
        ['+0', '0.058823529411765'],
        ['-1', '0.470588235294118'],
      ],
    );
    const named = await table(
      ...['macau-blackjack-2009', '--strategy', 'macau2009-nohole-s17-obo-5card', '--estimate', '1'],
      ...['--options', '{"sideBets":["streak2","over13"],"over13Ace":"eleven","dealerHitsSoft17":false}'],
    );
    assert.deepEqual(
      named.bets.map(({ bet, favoursPlayer }) => [bet, favoursPlayer]),
      [
        ['main', true],
        ['over13', true],
        ['insurance', false],
      ],
    );
    assert.deepEqual(
      named.notEnumerated.map(({ bet }) => bet),
      ['main', 'streak2'],
    );
    assert.deepEqual(
      named.estimates.map(({ bet }) => bet),
      ['streak2'],
    );
    assert.ok(Number(named.estimates[0]!.error) > 0);
    const { stdout } = await here(['figures', '--rulebook', 'macau-casino-war']);
    assert.match(stdout, /^main: edge 0\.023300568063378 \(2\.3301 %\) = 23138\/993023$/m);
  });

  it('of a table names what is wrong with the options and what does not belong together', async () => {
    const of = (...more: string[]) => ['figures', '--rulebook', 'macau-baccarat', ...more];
    await cannotRun(of('--options', '{"decks":5}'), /option decks \(art\.1\)/);
    await cannotRun(of('--options', '[]'), /--options \[\]: not a JSON object/);
    await cannotRun(of('--decks', '8'), /--decks does not belong to --rulebook/);
    await cannotRun(of('--save', 'x'), /--strategy and --save belong to black jack/);
    await cannotRun(of('--estimate', '0'), /--estimate 0: a whole number from 1/);
    await cannotRun(['figures', '--options', '{}'], /--options belongs to --rulebook/);
    await cannotRun(['figures', '--rulebook', 'poker'], /--rulebook poker: one of/);
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
