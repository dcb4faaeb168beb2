import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { KNOWN_BETS } from '../engine/books.ts';
import { cannotRun, here, root } from '../test/kits/cli.ts';
import { fullOr, LONG } from '../test/support/long.ts';
import { isNear } from './simulate.ts';

interface Bet {
  readonly bet: string;
  readonly wagered: number;
  readonly returned: number;
  readonly returnToPlayer: number | null;
  readonly netPerInitial: number;
  readonly netStandardError: number;
  readonly exact: { readonly id: string; readonly net: number; readonly sigmas: number | null } | null;
}
interface Report {
  readonly strategy: string | null;
  readonly options: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
  readonly decks: number;
  readonly rounds: number;
  readonly bets: readonly Bet[];
  readonly threads: number;
  readonly isReached: boolean | null;
  readonly holds: boolean | null;
}

const STRATEGIES = join(import.meta.dirname, 'simulate/strategies.json');

const run = async (...argv: string[]): Promise<Report> => {
  const { status, stdout, stderr } = await here(['simulate', ...argv, '--json']);
  assert.equal(status, 0, stdout + stderr);
  return JSON.parse(stdout) as Report;
};
const ids = ({ bets }: Report): (string | null)[] =>
  bets.map(({ bet, exact }) => exact && `${bet} ${exact.id}`);

/** Not only small in standard errors: these are not so large that anything would agree. */
function agrees({ bets, holds }: Report, most: number): void {
  for (const { bet, exact, netStandardError } of bets) {
    if (!exact) continue;
    assert.ok(Math.abs(exact.sigmas ?? 0) < 5, `${bet}: ${exact.sigmas} standard errors`);
    if (bet === 'main' && holds !== null) assert.ok(exact.sigmas !== null);
    if (bet === 'main') assert.ok(netStandardError < most, `${bet}: ${netStandardError}`);
  }
}

describe('banca simulate', () => {
  it('baccarat: every bet of a round beside its exact figure', async () => {
    const report = await run('--rulebook', 'macau-baccarat', '--rounds', '20000', '--seed', '1');
    assert.deepEqual(ids(report), [
      'player baccarat-8d-player-he',
      'banker baccarat-8d-banker-he-5pct',
      'tie baccarat-8d-tie-he-8to1',
      'playerPair baccarat-8d-pair-he-11to1',
      'bankerPair baccarat-8d-pair-he-11to1',
    ]);
    agrees(report, 0.01);
    assert.ok(report.bets.every(({ wagered }) => wagered === 20_000 * 1_000));
  });

  it('baccarat without commission, six decks, with the bets on the lucky six and seven', async () => {
    const commission = 'none-banker-six-half';
    const bets = { lucky6: true, pairs: false, authorisedBets: KNOWN_BETS };
    const options = JSON.stringify({ decks: 6, commission, ...bets });
    const argv = ['--rulebook', 'macau-baccarat', '--options', options, '--rounds', '20000', '--seed', '2'];
    const report = await run(...argv);
    assert.deepEqual(ids(report), [
      'player baccarat-6d-player-he',
      'banker baccarat-6d-banker-he-nocomm-b6half',
      'tie baccarat-6d-tie-he-8to1',
      'lucky6 baccarat-6d-lucky6-he-12-20',
      'lucky7 baccarat-6d-lucky7-he',
      'superLucky7 baccarat-6d-superLucky7-he',
    ]);
    agrees(report, 0.01);
  });

  it('war: challenged or given up, and the tie bet on a seat of its own', async () => {
    const argv = ['--rulebook', 'macau-casino-war', '--rounds', '20000', '--seed', '5'];
    const war = await run(...argv);
    assert.deepEqual(ids(war), [
      'main war-6d-ev-war',
      'main beside tie war-6d-win',
      'tie war-6d-tie-he-10to1',
    ]);
    agrees(war, 0.01);
    const surrender = await run(...argv, '--strategy', 'always-surrender', '--options', '{"tieBet":false}');
    assert.deepEqual(ids(surrender), ['main war-6d-ev-surrender']);
    agrees(surrender, 0.01);
    assert.ok(war.bets[0]!.wagered > surrender.bets[0]!.wagered, 'the challenge is a raise');
  });

  for (const [rulebook, strategy, skip = false] of [
    ['macau-blackjack-2004', 'macau2004-enhc-5card', LONG],
    ['macau-blackjack-2009', 'macau2009-hole-h17-peek-5card'],
    ['macau-blackjack-2009', 'macau-wizard-rsa', LONG],
    ['portugal-blackjack', 'portugal', LONG],
  ] as const) {
    it(`black jack: ${strategy} on ${rulebook}`, { skip }, async () => {
      const argv = ['--rulebook', rulebook, '--strategy', strategy, '--rounds', '10000', '--seed', '3'];
      const report = await run(...argv);
      assert.equal(report.bets[0]?.exact?.id, `bj-${strategy}-6d-ev`);
      assert.deepEqual(report.notes, []);
      agrees(report, 0.012);
    });
  }

  it('a single loss, closing prizes and pairs paid again have exact figures too', {
    skip: LONG,
  }, async () => {
    const options = {
      ...{ bustedVsDealerBlackjack: 'bustsLost', specialPrizeMode: 'closesHand', over13Ace: 'eleven' },
      ...{ doubleOn: ['eleven', 'afterSplit'], sevensThird: 'splitOrHit' },
      sideBets: ['anyPair', 'sevens', 'over13', 'under13'],
    };
    const report = await run(
      ...['--rulebook', 'macau-blackjack-2009', '--options', JSON.stringify(options)],
      ...['--rounds', '30000', '--seed', '3'],
    );
    assert.deepEqual(
      report.bets.map(({ bet, exact }) => [bet, exact !== null]),
      // What a bank's blackjack takes of three hands that may all be bust is left open.
      [
        ['main', false],
        ...['anyPair', 'sevens', 'over13', 'under13', 'specialPrize'].map((bet) => [bet, true]),
      ],
    );
    agrees(report, 1);
    const eleven = await run(
      ...['--rulebook', 'macau-blackjack-2009', '--options', '{"doubleOn":["eleven"],"maxHands":6}'],
      ...['--rounds', '30000', '--seed', '4'],
    );
    assert.equal(eleven.bets[0]!.exact?.id, 'bj-macau2009-nohole-s17-obo-5card-6d-ev');
    agrees(eleven, 0.02);
  });

  it('side bets and streaks of a strategy that never splits: all have an exact figure', {
    skip: LONG,
  }, async () => {
    const sideBets = ['perfectPair', 'anyPair', 'sevens', 'over13', 'under13', 'streak2', 'streak3'];
    const argv = ['--strategy', 'streak-nosplit-s17-obo', '--options', JSON.stringify({ sideBets })];
    const report = await run(
      '--rulebook',
      'macau-blackjack-2009',
      ...argv,
      '--rounds',
      '8000',
      '--seed',
      '4',
    );
    assert.deepEqual(ids(report), [
      'main bj-streak-nosplit-s17-obo-6d-ev',
      'perfectPair bj-streak-nosplit-s17-obo-6d-perfectPair',
      'anyPair bj-streak-nosplit-s17-obo-6d-anyPair',
      'sevens bj-streak-nosplit-s17-obo-6d-sevens',
      'over13 bj-streak-nosplit-s17-obo-6d-over13',
      'under13 bj-streak-nosplit-s17-obo-6d-under13',
      'streak2 bj-streak-nosplit-s17-obo-6d-streak2',
      'streak3 bj-streak-nosplit-s17-obo-6d-streak3',
      'specialPrize bj-streak-nosplit-s17-obo-6d-prize',
    ]);
    agrees(report, 0.02);
    const prize = report.bets.find(({ bet }) => bet === 'specialPrize')!;
    assert.equal(prize.exact?.sigmas, null, 'a few prizes in so few rounds say nothing');
    const streak3 = report.bets.find(({ bet }) => bet === 'streak3')!;
    assert.ok(streak3.wagered < report.bets[0]!.wagered / 2, 'no new one while a series runs');
  });

  it('a file at other decks, seven seats', { skip: LONG }, async () => {
    const [first] = JSON.parse(readFileSync(STRATEGIES, 'utf8')) as [{ rules: { decks: number } }];
    first.rules.decks = 8;
    const file = join(root, 'eight.json');
    writeFileSync(file, JSON.stringify(first));
    const argv = ['--rulebook', 'macau-blackjack-2009', '--strategy', file, '--seats', '7'];
    const report = await run(...argv, '--rounds', '1500', '--seed', '9');
    assert.deepEqual([report.decks, ids(report)[0]], [8, 'main bj-macau-wizard-rsa-8d-ev']);
    agrees(report, 0.03);
  });

  it('of a file with several strategies those that the rulebook has a table for', async () => {
    const three = (JSON.parse(readFileSync(STRATEGIES, 'utf8')) as { id: string }[]).filter(({ id }) =>
      id.startsWith('streak-nosplit'),
    );
    const file = join(root, 'three.json');
    writeFileSync(file, JSON.stringify(three));
    const argv = ['simulate', '--rulebook', 'macau-blackjack-2009', '--strategy', file];
    const { status, stdout, stderr } = await here([...argv, '--rounds', '300', '--seed', '1', '--json']);
    assert.equal(status, 0, stderr);
    assert.deepEqual(
      (JSON.parse(stdout) as Report[]).map(({ strategy }) => strategy),
      ['streak-nosplit-h17-obo', 'streak-nosplit-s17-obo'],
    );
    assert.match(stderr, /left out: macau-blackjack-2009 has no table for streak-nosplit-s17-enhc: a bank's/);
  });

  it('shoes dealt to the end card: figures stand beside, and nothing is held against them', async () => {
    for (const rulebook of ['macau-baccarat', 'macau-casino-war', 'portugal-blackjack']) {
      const report = await run('--rulebook', rulebook, '--shoe', 'cut', '--rounds', '1500', '--seed', '1');
      assert.equal(report.options['cardSource'], 'shoe');
      assert.equal(report.holds, null);
      agrees(report, 0.04);
    }
  });

  it('a shoe of one deck has no end card: its rounds are one sample until too few cards are left', async () => {
    const argv = [
      '--rulebook',
      'macau-blackjack-2009',
      '--strategy',
      'streak-nosplit-s17-obo',
      '--shoe',
      'cut',
    ];
    const options = ['--options', '{"decks":1}'];
    const [main] = (await run(...argv, ...options, '--rounds', '2000', '--seed', '1')).bets;
    assert.ok(
      main!.netStandardError > 0.015 && main!.netStandardError < 0.04,
      String(main!.netStandardError),
    );
  });

  it('exit 1 beyond four standard errors, on either side', () => {
    const at = (sigmas: number | null) => isNear({ exact: { id: 'x', net: 0, sigmas } });
    assert.deepEqual([at(4), at(-4), at(4.01), at(-4.01), at(null)], [true, true, false, false, true]);
    assert.ok(isNear({ exact: null }));
  });

  it('the same seed plays the same rounds', async () => {
    const play = async (seed: string) =>
      (await run('--rulebook', 'macau-casino-war', '--rounds', '500', '--seed', seed)).bets;
    const first = await play('11');
    assert.deepEqual(await play('11'), first);
    assert.notDeepEqual(await play('12'), first);
  });

  it('on as many threads as one likes, the same figures: live, and with what lives on', async () => {
    const sideBets = JSON.stringify({ sideBets: ['streak2'] });
    const streaks = ['--strategy', 'streak-nosplit-s17-obo', '--options', sideBets];
    for (const [threads, ...argv] of [
      // The last share is short: of 20,000 rounds live, and of 200,000 seat by seat.
      ['3', '--rulebook', 'macau-baccarat', '--rounds', '40500', '--live', '--shoe', 'cut'],
      ['2', '--rulebook', 'macau-blackjack-2009', '--rounds', '201000', ...streaks],
    ].slice(0, fullOr(Infinity, 1))) {
      const on = async (threads = '1'): Promise<Report> =>
        await run(...argv, '--seed', '6', '--threads', threads);
      const [one, more] = [await on(), await on(threads)];
      assert.deepEqual([one.threads, more.threads], [1, Number(threads)]);
      assert.deepEqual(more.bets, one.bets);
      agrees(more, 0.01);
    }
  });

  it('until every standard error is as small as asked for, the same on any number of threads', {
    skip: LONG,
  }, async () => {
    const argv = ['--rulebook', 'macau-baccarat', '--until', '20bp', '--seed', '8'];
    const [one, two] = [await run(...argv, '--threads', '1'), await run(...argv, '--threads', '2')];
    assert.equal(one.isReached, true);
    assert.deepEqual([two.rounds, two.bets], [one.rounds, one.bets]);
    assert.ok(one.bets.every(({ netStandardError }) => netStandardError <= 0.002));
    assert.equal(one.rounds % 1_000_000, 0);
    const short = [...argv, '--rounds', '500000', '--json'];
    const { status, stdout } = await here(['simulate', ...short]);
    assert.deepEqual(
      [status, (JSON.parse(stdout) as Report).isReached],
      [1, false],
      'the rounds are the most',
    );
    const spoken = await here(['simulate', ...argv, '--rounds', '500000']);
    assert.match(spoken.stdout, /^not every standard error is as small as asked for$/m);
  });

  it('the box with its one deck serves one round', async () => {
    const options = '{"decks":1,"cardSource":"box","dealing":"faceDown"}';
    const argv = [
      '--rulebook',
      'macau-blackjack-2004',
      '--options',
      options,
      '--rounds',
      '1500',
      '--seed',
      '1',
    ];
    const report = await run(...argv);
    assert.equal(report.bets[0]?.exact?.id, 'bj-macau2004-enhc-5card-1d-ev');
    agrees(report, 0.04);
  });

  it('says it in words without --json', async () => {
    const strategy = ['--strategy', 'streak-nosplit-s17-obo', '--rounds', '300', '--seed', '1'];
    const options = ['--options', '{"dealerHitsSoft17":true,"soft17":"aceSix"}'];
    const argv = ['simulate', '--rulebook', 'macau-blackjack-2009', ...strategy, ...options];
    const { status, stdout } = await here(argv);
    assert.equal(status, 0);
    assert.match(stdout, /^macau-blackjack-2009, streak-nosplit-s17-obo, 6 decks, 1 seat, every round/);
    assert.match(stdout, /^differs from the strategy: the bank's rule is to hit only ace\+6 in two cards/m);
    assert.match(stdout, /^main +\d+ +\d+ +\d\.\d{6} ± 0\.\d{6} /m);
    assert.match(stdout, /^300 rounds in /m);
  });

  it('that cannot run gets one sentence and exit 2', async () => {
    const play = (...more: string[]) => ['simulate', '--rounds', '1', '--seed', '1', ...more];
    const bj = (...more: string[]) => play('--rulebook', 'macau-blackjack-2009', ...more);
    await cannotRun(['simulate'], /--rulebook is missing/);
    await cannotRun(play('--rulebook', 'poker'), /--rulebook poker: one of macau-blackjack-2004, /);
    await cannotRun(['simulate', '--rulebook', 'macau-baccarat', '--seed', '1'], /--rounds is missing/);
    await cannotRun(['simulate', '--rulebook', 'macau-baccarat', '--rounds', '1'], /--seed is missing/);
    for (const rounds of ['0', '1.5', 'many', '1e6', '-1'])
      await cannotRun(bj(`--rounds=${rounds}`), /--rounds .*: a whole number from 1 to /);
    await cannotRun(bj('--seed=4294967296'), /--seed 4294967296: a whole number from 0 to 4294967295/);
    for (const until of ['1', '0bp', '101%', '1bps', 'bp', '1e-4bp', '0.001bp'])
      await cannotRun(bj(`--until=${until}`), /--until .*: a standard error from 0.01bp to 100%/);
    await cannotRun(bj('--threads', '0'), /--threads 0: a whole number from 1 to 256/);
    await cannotRun(bj('--seats', '0'), /--seats 0: a whole number from 1 to 12/);
    await cannotRun(bj('--shoe', 'old'), /--shoe old: one of fresh, cut/);
    await cannotRun(bj('--options', '[]'), /--options \[\]: not a JSON object/);
    await cannotRun(bj('--options', '{'), /--options \{: not a JSON object/);
    await cannotRun(bj('--options', '{"decks":13}'), /option decks \(art\.1\.2\): 13 is not /);
    await cannotRun(bj('--options', '{"sideBets":["lucky"]}'), /option sideBets \(art\.13\): /);
    await cannotRun(bj('--strategy', 'none'), /--strategy none: neither one of macau-wizard-rsa, /);
    await cannotRun(bj('--strategy', 'portugal'), /macau-blackjack-2009 has no table for portugal: /);
    await cannotRun(bj('--strategy', 'us-h17-das-ls-rsa'), /no surrender against an ace$/m);
    await cannotRun(play('--rulebook', 'macau-baccarat', '--strategy', 'x'), /nobody decides anything/);
    await cannotRun(
      play('--rulebook', 'macau-casino-war', '--strategy', 'always'),
      /--strategy always: one of always-war, always-surrender/,
    );
    await cannotRun(
      play('--rulebook', 'macau-baccarat', '--shoe', 'cut', '--options', '{"cardSource":"autoShuffler"}'),
      /--shoe cut: a shuffler takes its cards back/,
    );
    await cannotRun(
      bj('--options', '{"sideBets":["anyPair","sevens"],"sideBetsAtOnce":"oneKind"}'),
      /one-kind/,
    );
  });
});
