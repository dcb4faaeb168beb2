import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KNOWN_BETS, validateOptions } from '../../engine/books.ts';
import { BLACKJACK } from '../../engine/engine.ts';
import { rulebookOf } from '../../engine/rules/rulebook.ts';
import { sightOn } from '../../engine/table/looker.ts';
import type { OptionValue, RulebookId } from '../../engine/table/profile.ts';
import type { Apart, Sight, Tell } from '../../engine/table/sight.ts';
import type { Hand } from '../../engine/table/state.ts';
import { fullOr, LONG } from '../../test/support/long.ts';
import { CannotRun, DoesNotHold } from '../command.ts';
import { isOfSeats, RememberedTable, sightFor } from './remembered.ts';
import { bySeat, RememberedSeats } from './remembered-seats.ts';
import { type Asked, setUp } from './setup.ts';
import { SimulatedTable, type TableSetup } from './table.ts';

/** Of each table; thousands make a long run. */
const ROUNDS = Number(process.env['BANCA_REMEMBERED_ROUNDS'] ?? fullOr(50, 20));
const ALONE = 1_000;

type Options = Readonly<Record<string, OptionValue>>;

interface Table {
  readonly setup: TableSetup;
  readonly sight: Sight | { readonly live: string };
}

function tableFor(asked: Partial<Asked> & Pick<Asked, 'rulebook'>, bets?: readonly string[]): Table {
  const { rulebook, shoe = 'fresh' } = asked;
  const [table] = setUp({ options: null, strategy: null, seats: 1, shoe, ...asked });
  const { options, rules, seatCount, player } = table!;
  const laid = bets ? bets.map((bet) => ({ seat: 1, bet, as: bet })) : table!.laid;
  return {
    setup: { rulebook, options, seatCount, shoe, player, laid, seed: 3 },
    sight: sightFor(rules, laid),
  };
}

function remembered(
  { setup, sight }: Table,
  change: (sight: Sight) => Sight = (same) => same,
): RememberedTable | RememberedSeats {
  assert.ok(!('live' in sight), 'is played live');
  const Table = isOfSeats(sight, setup.laid) ? RememberedSeats : RememberedTable;
  return new Table(setup, change(sight));
}

/** Both roads from the same cards: the same lines in every round, and the same figures. */
function lockstep(table: Table, rounds: number): void {
  const memory = remembered(table);
  const live = new SimulatedTable(table.setup);
  for (let round = 0; round < rounds; round++) {
    memory.play(1);
    live.play(1);
    const isApart = memory instanceof RememberedSeats;
    const lines = isApart ? bySeat(live.lines) : live.lines;
    if (isApart) {
      assert.deepEqual(memory.series, live.state.streaks);
      const [[meter], [lives]] = [memory.jackpots, live.state.jackpots];
      assert.deepEqual([meter?.meterMinor, meter?.rest], [lives?.meterMinor, lives?.rest]);
    }
    assert.deepEqual(memory.lines, lines, `round ${round} of ${JSON.stringify(table.setup.options)}`);
  }
  memory.finish();
  live.finish();
  const figures = ({ tallies, stakeMinor }: typeof memory | typeof live): unknown =>
    tallies.map((tally) => [
      tally.bet,
      tally.sums.wageredMinor,
      tally.sums.returnedMinor,
      tally.sums.initialMinor,
      tally.sums.paidBlocks,
      tally.netPerInitial(stakeMinor)?.standardError.toFixed(9),
      tally.returnToPlayer(stakeMinor)?.standardError.toFixed(9),
    ]);
  assert.deepEqual(figures(memory), figures(live));
  // Where suits are seen, five hundred rounds can each come to something new: it plays on alone.
  const { asked } = memory.known;
  memory.play(ALONE);
  assert.ok(memory.known.asked - asked < ALONE, 'every round was asked for');
}

/** r.43: prizes of odds, of a share and of all that remains. */
const JACKPOT = {
  stake: 1_000,
  seed: 10_000_000,
  increment: '1/3',
  cards: 4,
  pays: [
    { combination: 'A3', share: '1', odds: null },
    { combination: 'A2s', share: '1/7', odds: null },
    { combination: 'A2', share: null, odds: 10 },
  ],
  marking: 'automatic',
};
const authorisedBets = KNOWN_BETS as unknown as OptionValue;
const SIDES = ['perfectPair', 'anyPair', 'sevens', 'over13', 'under13'];
const TABLES: readonly (readonly [Partial<Asked> & Pick<Asked, 'rulebook'>, bets?: readonly string[]])[] = [
  [{ rulebook: 'macau-baccarat', shoe: 'cut' }],
  [
    {
      rulebook: 'macau-baccarat',
      options: { cardSource: 'autoShuffler', lucky6: true, authorisedBets },
      seats: 7,
    },
  ],
  // The round after the end card, which may find too few cards; the first card says how many are
  // burnt.
  [
    {
      rulebook: 'macau-baccarat',
      shoe: 'cut',
      options: { lastRound: 'oneMore', cutFromEnd: 12, burn: 'firstCardFace', decks: 6 },
    },
  ],
  [{ rulebook: 'macau-casino-war' }],
  [{ rulebook: 'macau-casino-war', shoe: 'cut', options: { warBurn: 'once' } }, ['main']],
  [
    {
      rulebook: 'macau-casino-war',
      shoe: 'cut',
      strategy: 'always-surrender',
      options: { tieBettorMain: 'choose' },
    },
    ['main', 'tie'],
  ],
  [{ rulebook: 'macau-blackjack-2004' }],
  [{ rulebook: 'macau-blackjack-2004', shoe: 'cut', options: { burnEachRound: 'oneAndBeforeDealerSecond' } }],
  [
    {
      rulebook: 'macau-blackjack-2004',
      options: { decks: 1, cardSource: 'box', dealing: 'faceDown' },
    },
  ],
  [{ rulebook: 'macau-blackjack-2009', shoe: 'cut' }],
  [{ rulebook: 'macau-blackjack-2009', strategy: 'us-s17-das', shoe: 'cut' }],
  [{ rulebook: 'macau-blackjack-2009', strategy: 'macau2009-hole-h17-peek-5card' }],
  // A series that runs, and a card of the bank that is turned at the end.
  [
    {
      rulebook: 'macau-blackjack-2009',
      strategy: 'macau2009-hole-h17-peek-5card',
      options: { dealing: 'holeCard', sideBets: ['streak2', 'streak3'] },
    },
    ['main', 'streak2', 'streak3'],
  ],
  [
    {
      rulebook: 'macau-blackjack-2009',
      shoe: 'cut',
      options: { dealerPlaysOut: 'ifNeeded', specialPrizeMode: 'closesHand', dealerCardPass: 2 },
    },
  ],
  [{ rulebook: 'macau-blackjack-2009', options: { sideBets: SIDES, sevensThird: 'splitOrHit' } }],
  // One deck has no end card: too few cards end the shoe.
  [
    {
      rulebook: 'macau-blackjack-2009',
      strategy: 'streak-nosplit-s17-obo',
      shoe: 'cut',
      options: { decks: 1 },
    },
  ],
  // Several seats; series and meters that go on from round to round.
  [{ rulebook: 'macau-blackjack-2009', strategy: 'us-s17-das', shoe: 'cut', seats: 7 }],
  [{ rulebook: 'macau-blackjack-2009', strategy: 'macau2009-hole-h17-peek-5card', seats: 3 }],
  [
    {
      rulebook: 'macau-blackjack-2009',
      shoe: 'cut',
      seats: 2,
      options: { dealerPlaysOut: 'ifNeeded', specialPrizeMode: 'closesHand', dealerCardPass: 2 },
    },
  ],
  [{ rulebook: 'macau-blackjack-2009', seats: 2, options: { sideBets: [...SIDES, 'streak2', 'streak4'] } }],
  [{ rulebook: 'macau-blackjack-2009', shoe: 'cut', options: { sideBets: ['streak3', 'streak5'] } }],
  [
    {
      rulebook: 'macau-blackjack-2004',
      shoe: 'cut',
      seats: 4,
      options: { burnEachRound: 'oneAndBeforeDealerSecond' },
    },
  ],
  [{ rulebook: 'portugal-blackjack', shoe: 'cut', seats: 7 }],
  [{ rulebook: 'portugal-blackjack', options: { jackpot: JACKPOT as unknown as OptionValue } }],
  [
    {
      rulebook: 'portugal-blackjack',
      shoe: 'cut',
      seats: 3,
      options: { jackpot: JACKPOT as unknown as OptionValue },
    },
  ],
  [{ rulebook: 'macau-casino-war', shoe: 'cut', seats: 6, options: { warBurn: 'once', cutFromEnd: 20 } }],
  [{ rulebook: 'macau-casino-war', seats: 5, options: { warBurn: 'perCard' } }],
  [{ rulebook: 'portugal-blackjack' }],
  [{ rulebook: 'portugal-blackjack', shoe: 'cut' }],
];

describe('remembered rounds are those of the live table', () => {
  for (const [asked, bets] of TABLES) {
    const { rulebook, strategy = '', shoe = 'fresh', options = {}, seats = 1 } = asked;
    // Fewer seats of the same rulebook are among the others.
    const skip = seats >= 4 && rulebook !== 'macau-baccarat' && LONG;
    it(`${rulebook} ${strategy} ${shoe} ${seats} ${JSON.stringify(options)}`, { skip }, () => {
      lockstep(tableFor(asked, bets), ROUNDS);
    });
  }

  it('random legal options of every rulebook', { skip: LONG }, () => {
    const random = randomFrom(20);
    for (const rulebook of [
      'macau-baccarat',
      'macau-casino-war',
      'macau-blackjack-2004',
      'macau-blackjack-2009',
      'portugal-blackjack',
    ] as const) {
      for (let played = 0; played < 2; ) {
        const table = randomTable(rulebook, random);
        if (!table) continue;
        lockstep(table, ROUNDS);
        played += 1;
      }
    }
  });
});

/** Mulberry32, 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Null where these options cannot be played together. */
function randomTable(rulebook: RulebookId, random: () => number): Table | null {
  const options: Record<string, OptionValue> = {};
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  for (const { id, legal } of rulebookOf(rulebook)!.options) {
    if (random() < 0.5) continue;
    if (legal.kind === 'one-of') options[id] = pick(legal.values);
    else if (legal.kind === 'subset') options[id] = legal.of.filter(() => random() < 0.5);
    else if (id === 'decks' && legal.kind === 'integer') options[id] = pick([legal.min, 6, 8]);
  }
  const isShuffled =
    options['cardSource'] === 'autoShuffler' || options['cardSource'] === 'continuousShuffler';
  const shoe = isShuffled || options['cardSource'] === 'box' || random() < 0.5 ? 'fresh' : 'cut';
  try {
    const table = tableFor({ rulebook, options, shoe, seats: pick([1, 1, 2, 3]) });
    // Refusals of the table itself.
    new SimulatedTable(table.setup).play(50);
    return table;
  } catch (error) {
    if (error instanceof CannotRun) return null;
    throw error;
  }
}

type IsDeaf = (owner: { readonly status?: string }, said: unknown) => boolean;

describe('a wrong claim about what the law can tell apart is stopped', () => {
  const blackjack: Parameters<typeof tableFor> = [
    { rulebook: 'macau-blackjack-2009', shoe: 'cut', strategy: 'us-s17-das' },
  ];
  const without =
    (...names: string[]) =>
    (sight: Sight): Sight => ({
      ...sight,
      leftOut: { ...sight.leftOut, ...Object.fromEntries(names.map((name) => [name, 'planted'])) },
    });
  /** Cards of these ranks count as one kind, whatever the sight says. */
  const merged =
    (...ranks: number[]) =>
    (sight: Sight) => ({
      ...sight,
      kinds: sight.kinds.map((kind, card) => (ranks.includes(card % 13) ? sight.kinds[ranks[0]!]! : kind)),
    });
  const telling = (name: string, value: unknown) => (sight: Sight) => ({
    ...sight,
    tellers: { ...sight.tellers, [name]: (_: never, __: never, tell: (of: unknown) => void) => tell(value) },
  });
  /** What the sight tells of a member, without what it says in this place. */
  const deaf =
    (member: string, place: number, isDeaf: IsDeaf = () => true) =>
    (sight: Sight): Sight => ({
      ...sight,
      tellers: {
        ...sight.tellers,
        [member]: (value: never, owner: never, tell: Tell, state) => {
          let at = 0;
          sight.tellers[member]!(
            value,
            owner,
            (...said) => {
              if (at++ !== place || !isDeaf(owner, said[0])) tell(...said);
            },
            state,
          );
        },
      },
    });
  // Of a pair both cards are seen.
  const isOpen: IsDeaf = ({ status }, said) => status === 'open' && typeof said === 'number';
  const isClosed: IsDeaf = ({ status }) => status !== 'open';
  const byRank = (sight: Sight): Sight => ({ ...sight, kinds: sight.kinds.map((_, card) => card % 13) });
  const hiddenMerged =
    (...ranks: number[]) =>
    (sight: Sight): Sight => ({
      ...sight,
      hiddenKinds: sight.hiddenKinds.map((kind, card) =>
        ranks.includes(card % 13) ? sight.hiddenKinds[ranks[0]!]! : kind,
      ),
    });
  const sides: Parameters<typeof tableFor> = [
    { rulebook: 'macau-blackjack-2009', options: { sideBets: ['perfectPair', 'sevens'] } },
  ];
  const baccarat: Parameters<typeof tableFor> = [{ rulebook: 'macau-baccarat', shoe: 'cut' }];
  const war: Parameters<typeof tableFor> = [{ rulebook: 'macau-casino-war' }, ['main']];
  const tables = {
    portugal: [{ rulebook: 'portugal-blackjack', shoe: 'cut' }],
    old: [{ rulebook: 'macau-blackjack-2004', shoe: 'cut' }],
    down: [
      { rulebook: 'macau-blackjack-2004', options: { decks: 1, cardSource: 'box', dealing: 'faceDown' } },
    ],
    five: [{ rulebook: 'macau-blackjack-2009', shoe: 'cut' }],
    hole: [{ rulebook: 'macau-blackjack-2009', strategy: 'macau2009-hole-h17-peek-5card' }],
    needed: [
      {
        rulebook: 'macau-blackjack-2009',
        shoe: 'cut',
        options: { dealerPlaysOut: 'ifNeeded', specialPrizeMode: 'closesHand', dealerCardPass: 2 },
      },
    ],
    tie: [
      { rulebook: 'macau-casino-war', shoe: 'cut', options: { tieBettorMain: 'choose' } },
      ['main', 'tie'],
    ],
  } as const satisfies Readonly<Record<string, Parameters<typeof tableFor>>>;
  const seats = (options: Options, count: number, rest: object = {}): Parameters<typeof tableFor> => [
    { rulebook: 'macau-blackjack-2009', shoe: 'cut', seats: count, options, ...rest },
  ];
  const three = seats({}, 3, { strategy: 'us-s17-das' });
  const ifNeeded = seats({ dealerPlaysOut: 'ifNeeded' }, 2);
  const series = seats({ sideBets: ['streak2', 'streak3'] }, 1);
  const meter: Parameters<typeof tableFor> = [
    { rulebook: 'portugal-blackjack', options: { jackpot: JACKPOT as unknown as OptionValue }, seats: 2 },
  ];
  const wars: Parameters<typeof tableFor> = [
    { rulebook: 'macau-casino-war', seats: 5, options: { warBurn: 'perCard' } },
  ];
  const apart =
    (change: Partial<Apart>) =>
    (sight: Sight): Sight => ({ ...sight, apart: { ...sight.apart!, ...change } });
  const { portugal, old, down, five, hole, needed, tie } = tables;
  const PLANTED: readonly (readonly [string, Parameters<typeof tableFor>, (sight: Sight) => Sight])[] = [
    // Each of the two tells the other.
    ['a double is not seen', blackjack, without('hands.doubled', 'hands.stakesMinor')],
    ['how a hand was closed is not seen', blackjack, without('hands.status', 'hands.cards')],
    ['how many hands there are is not seen', blackjack, without('seats.hands')],
    ['the turn is not seen', blackjack, without('table.phase', 'round.turn', 'table.deadline', 'round.bank')],
    ['the cards of a hand are not seen', blackjack, without('hands.cards')],
    ['the cards of the bank are not seen', blackjack, without('round.bank')],
    ['prizes are not seen', blackjack, without('round.prizes')],
    ['nine and ten are one kind', blackjack, merged(8, 9)],
    ['two and three are one kind', blackjack, merged(1, 2)],
    ['ace and ten are one kind', blackjack, merged(0, 9)],
    ['the hidden card is never seen', blackjack, (sight) => ({ ...sight, hiddenKinds: new Uint8Array(52) })],
    [
      'suits of side bets are not seen',
      sides,
      (sight) => ({ ...sight, kinds: sight.kinds.map((_, card) => card % 13) }),
    ],
    ['side bets that are decided are not seen', sides, without('round.prizes')],
    ['the Banker is not seen', baccarat, without('round.bank')],
    ['the Player is not seen', baccarat, without('round.playerSide')],
    ['how many cards the Player has is not seen', baccarat, telling('round.playerSide', 0)],
    ['three and four are one kind', baccarat, merged(2, 3)],
    ['ten and king are one kind, and pairs are laid', baccarat, merged(9, 12)],
    ['the cards of the challenge are not seen', war, without('hands.cards')],
    ['the burnt cards are not counted', war, without('round.warBurned')],
    ['queen and king are one kind', war, merged(11, 12)],
    ['Portugal: aces of the bank are not seen', portugal, deaf('round.bank', 2)],
    ['Portugal: the total of an open hand is not seen', portugal, deaf('hands.cards', 1, isOpen)],
    ['Portugal: aces of an open hand are not seen', portugal, deaf('hands.cards', 2, isOpen)],
    ['Portugal: points of a closed hand are not seen', portugal, deaf('hands.cards', 0, isClosed)],
    ['Portugal: ace and ten are one kind', portugal, merged(9, 0)],
    ['Portugal: six and seven are one kind', portugal, merged(5, 6)],
    ['2004: how many cards an open hand has is not seen', old, deaf('hands.cards', 0, isOpen)],
    ['2004: points of a closed hand are not seen', old, deaf('hands.cards', 0, isClosed)],
    ['2004: what became of a hand is not seen', old, without('hands.status')],
    ['2004: aces of the bank are not seen', old, deaf('round.bank', 2)],
    ['cards face down: points of a closed hand are not seen', down, deaf('hands.cards', 0, isClosed)],
    ['cards face down: the total of the bank is not seen', down, deaf('round.bank', 1)],
    ['cards face down: eight and nine are one kind', down, merged(7, 8)],
    ['2009: how many cards an open hand has is not seen', five, deaf('hands.cards', 0, isOpen)],
    ['2009: suits are not seen', five, byRank],
    [
      '2009: two of six, seven and eight of one suit are not seen',
      five,
      deaf('hands.cards', 4, ({ status }) => status === 'open'),
    ],
    ['hole card: nine and ten are one kind when it is turned', hole, hiddenMerged(8, 9)],
    ['hole card: ace and two are one kind when it is turned', hole, hiddenMerged(0, 1)],
    ['hole card: the open card of the bank is not seen', hole, deaf('round.bank', 1)],
    ['bank only where needed: whether a hand stands is not seen', needed, deaf('seats.hands', 1)],
    ['a prize that closes the hand: suits are not seen', needed, byRank],
    ['the pair of the Banker is not seen', baccarat, deaf('round.bank', 2)],
    ['the pair of the Player is not seen', baccarat, deaf('round.playerSide', 2)],
    ['war with a tie bet: nine and ten are one kind', tie, merged(8, 9)],
    ['seats: how a hand was closed is not seen', three, without('hands.status', 'hands.cards')],
    ['seats: points of a closed hand are not seen', three, deaf('hands.cards', 0, isClosed)],
    ['seats: the total of the bank is not seen', three, deaf('round.bank', 1)],
    ['seats: two and three are one kind', three, merged(1, 2)],
    ['seats: the bank plays for whoever has lost', ifNeeded, apart({ needsBank: () => true })],
    ['seats: others do not ask for the cards of the bank', ifNeeded, apart({ rules: {} })],
    ['seats: burns of two challenges lie one after the other', wars, apart({ oneAtATime: false })],
    ['series: what runs on the seat is not seen', series, without('table.streaks')],
    [
      'series: hands of a split go on by themselves',
      series,
      (sight) => ({
        ...sight,
        aside: ({ seats: [seat] }) =>
          seat!.hands.length > 1 ? seat!.hands.filter(({ status }) => status !== 'open') : [],
        tellers: {
          ...sight.tellers,
          'seats.hands': (hands: readonly Hand[], _: never, tell: Tell) => {
            tell(hands.length);
            for (const hand of hands) if (hands.length === 1 || hand.status === 'open') tell(hand, 'hands');
          },
        },
      }),
    ],
    [
      'the suit of a hand that has waited is not seen',
      blackjack,
      (sight) => ({ ...sight, waiting: () => [] }),
    ],
    [
      'hands that wait take their turns from the last one on',
      blackjack,
      (sight) => ({ ...sight, waiting: (round) => sight.waiting(round).toReversed() }),
    ],
    ['jackpot: the counted cards are not seen', meter, without('seats.counted')],
    ['jackpot: aces are one kind', meter, merged(0)],
    ['jackpot: a prize is what it was before', meter, apart({ isOfTable: () => false })],
    ['jackpot: chips do not lift the meter', meter, apart({ passRounds: () => {} })],
  ];
  /** Hundreds of thousands of rounds until the claim is stopped; the others stop in thousands. */
  const LATE = new Set([
    ...['prizes are not seen', 'bank only where needed: whether a hand stands is not seen'],
    '2009: two of six, seven and eight of one suit are not seen',
  ]);
  for (const [name, table, plant] of PLANTED) {
    it(name, { skip: LATE.has(name) && LONG }, () => {
      assert.throws(() => {
        const memory = remembered(tableFor(...table), plant);
        memory.play(600_000);
      }, DoesNotHold);
    });
  }
});

describe('what is not covered', () => {
  it('an option that the sight does not mention is an error', () => {
    const checked = validateOptions('macau-blackjack-2009', {});
    assert.ok(checked.ok);
    const rules = { ...checked.resolved, planted: true };
    assert.throws(() => sightOn(rules, ['main']), /does not mention the option planted/);
    assert.throws(() => BLACKJACK.sight!.of(checked.resolved, ['main', 'planted']), /the bet planted/);
  });

  it('is played live, with the reason', () => {
    const { rules } = setUp({
      rulebook: 'macau-baccarat',
      options: null,
      strategy: null,
      seats: 1,
      shoe: 'fresh',
    })[0]!;
    const laid = Array.from({ length: 13 }, (_, i) => ({ seat: i + 1, bet: 'tie', as: 'tie' }));
    assert.ok(!('live' in sightFor(rules, laid.slice(1))));
    assert.deepEqual(sightFor(rules, laid), { live: 'more than 12 seats have cards of their own' });
  });
});
