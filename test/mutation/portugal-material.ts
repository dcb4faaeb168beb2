import { type Bug, bugsIn, type Mutation } from './bugs.ts';

const inBlackjack = (file: string, ...bugs: Bug[]): Mutation[] =>
  bugsIn('portugal-blackjack', `engine/games/blackjack/${file}`, bugs);
const inTable = (file: string, ...bugs: Bug[]): Mutation[] =>
  bugsIn('portugal-blackjack', `engine/table/${file}`, bugs);

/**
 * Portugal: the cut and the cards, rules 5-12; the jackpot, rules 38-50; shufflers, rules 51-61.
 */
export const PORTUGAL_MATERIAL: readonly Mutation[] = [
  // ---- the cut, r.8-r.12 ----
  ...inTable(
    'shoe.ts',
    [
      'same-seat-cuts',
      'r.8',
      'if (seat > last) return seat;',
      'if (seat >= last) return seat;',
      'whoever cut last cuts again',
    ],
    [
      'refusal-forgotten',
      'r.8',
      ' || state.shoe.cutRefused.includes(seat)) continue;',
      ') continue;',
      'who has refused is asked again',
    ],
    [
      'cut-out-of-turn',
      'r.8',
      'if (seat !== turn) {',
      'if (seat !== turn && seat === null) {',
      'whoever wants to cuts the pack',
    ],
    [
      'order-after-the-supervisor',
      'r.8',
      'lastCutBy: seat, person',
      'lastCutBy: seat ?? state.lastCutBy, person',
      "after the supervisor's cut the order goes on where it was",
    ],
    [
      'supervisor-unneeded',
      'r.8',
      "turn === null && person?.role !== 'supervisor'",
      "turn === null && person?.role === 'technician'",
      'where nobody cuts anybody does',
    ],
    [
      'cards-not-shown',
      'r.7',
      'if (procedure.deckCheck && !state.decksChecked) {',
      'if (procedure.deckCheck && state.decksChecked) {',
      'the cards are not shown before the first shoe',
    ],
    // ---- shufflers, r.51-r.61 ----
    [
      'packets-one-too-many',
      'r.54',
      'input.last && no < packets',
      'input.last && no <= packets',
      'a third packet is asked for',
    ],
    [
      'loading-without-supervisor',
      'r.54',
      "if (shoe.stage !== 'packets') return reject('not-due', cites);\n  if (input.person.role !== 'supervisor')",
      "if (shoe.stage !== 'packets') return reject('not-due', cites);\n  if (input.person.role === 'technician')",
      'a shuffler is loaded without a supervisor',
    ],
    [
      'shuffler-emptied-by-anybody',
      'r.55',
      'isShuffler || profileOf(state)',
      '!isShuffler || profileOf(state)',
      'a shuffler is emptied without a supervisor',
    ],
    [
      'single-card-replaced',
      'r.5',
      "what === 'card' && !mayReplaceOne",
      "what === 'card' && mayReplaceOne",
      'single cards are replaced where the deck must be',
    ],
  ),
  ...inTable(
    'shuffler.ts',
    [
      'fed-against-a-complaint',
      'r.61',
      "return state.complaints.length > 0 ? reject('not-allowed', [complaints], 'a complaint is open') : null;",
      'return null;',
      'cards are fed while a complaint is open',
    ],
    [
      'feeding-of-burnt-cards',
      'r.59',
      'state.shoe.discarded > state.shoe.burned',
      'state.shoe.discarded >= state.shoe.burned',
      'feeding is due without a round',
    ],
    [
      'never-fed',
      'r.59',
      'state.shoe.decks * 52 - state.shoe.drawn <',
      'state.shoe.decks * 52 + state.shoe.drawn <',
      'the shuffler runs out of cards',
    ],
    [
      'jam-opened-by-the-technician',
      'r.51',
      "jam === 'for-supervisor' ? 'supervisor' : 'technician'",
      "jam === 'for-supervisor' ? 'technician' : 'supervisor'",
      'the technician opens a jam before the supervisor',
    ],
  ),
  ...inTable(
    'complaints.ts',
    [
      'complaint-until-the-next-round',
      'r.61',
      "const isOpen = state.phase === 'settled' || isFeedingDue(state);",
      "const isOpen = state.phase === 'settled' || state.phase === 'idle';",
      'no complaint once the next betting is open, although the cards lie there',
    ],
    [
      'complaint-with-the-round',
      'r.61',
      "const isOpen = state.phase === 'settled' || isFeedingDue(state);",
      'const isOpen = isFeedingDue(state);',
      'no complaint while the result is on the table',
    ],
    [
      'complaint-closed-by-anybody',
      'r.61',
      "reject('nothing-to-do', cites, 'no such complaint');\n  if (person.role !== 'supervisor')",
      "reject('nothing-to-do', cites, 'no such complaint');\n  if (person.role === 'technician')",
      'the dealer answers a complaint themselves',
    ],
  ),
  ...inTable('events-shoe.ts', [
    'cards-back-but-counted',
    'r.59',
    'shoe.counts.fill(0);',
    '',
    'cards that are back in the shuffler count as out',
  ]),
  ...bugsIn('portugal-blackjack', 'engine/core/money.ts', [
    [
      'increment-remainder-lost',
      'r.40',
      'BigInt(a) + kept',
      'BigInt(a)',
      'fractions of the increment are lost round by round',
    ],
    [
      'increment-rounded-up',
      'r.40',
      'amountMinor: Number(whole / BigInt(b)),',
      'amountMinor: Number((whole + BigInt(b) - 1n) / BigInt(b)),',
      'a fraction lifts the meter and is kept as well',
    ],
    [
      'odd-units-to-the-higher-seats',
      'r.50.b',
      'at < amountMinor % shares',
      'shares - 1 - at < amountMinor % shares',
      'odd units of a shared prize go to the higher seats',
    ],
  ]),
  ...inBlackjack(
    'jackpot.ts',
    [
      'largest-prize-first',
      'r.50.a',
      'prizeOf(x) - prizeOf(y)',
      'prizeOf(y) - prizeOf(x)',
      'prizes are paid from the largest down',
    ],
    [
      'highest-prize-not-split',
      'r.50.b',
      'odds: [1, tops.length], rounded',
      'odds: [1, 1], rounded',
      'each of several highest combinations takes the whole meter',
    ],
    [
      'meter-below-zero',
      'r.50.a',
      'if (prizeOf(chip) > left) Object.assign',
      'if (prizeOf(chip) > meter.meterMinor) Object.assign',
      'prizes take more than the meter holds',
    ],
    [
      'no-restart',
      'r.44',
      "if (tops.length > 0) move(draft, 'restarted'",
      "if (tops.length > 1) move(draft, 'restarted'",
      'after the highest prize the meter stays empty',
    ],
    [
      'restart-from-the-least',
      'r.44',
      'jackpotMeter(draft.state), terms.seed, meter.rest',
      'jackpotMeter(draft.state), 10_000 * terms.stake, meter.rest',
      'the meter starts again from the least value, not from its start value',
    ],
    [
      'two-cards-count',
      'r.42',
      'dealt.slice(0, terms.cards)',
      'dealt.slice(0, 4)',
      'more cards count than the option says',
    ],
    [
      'combination-needs-one-more',
      'r.43',
      'ofRank.length >= need',
      'ofRank.length > need',
      'a combination needs a card more than it says',
    ],
    [
      'combination-of-any-suits',
      'r.43',
      'if (combination.length === 2) return',
      'if (combination.length >= 2) return',
      'a combination of one suit is paid for any suits',
    ],
    [
      'chip-comes-back',
      'r.48',
      'keptMinor: stakeMinor, rounded',
      'rounded',
      'the chip comes back with the prize',
    ],
    [
      'chip-on-any-seat',
      'r.42',
      "if (seat !== by) return reject('not-own-seat', [articles.jackpotOwnCards]);",
      '',
      "a chip lies on another player's cards",
    ],
    [
      'two-chips',
      'r.47',
      "bet.bet === 'jackpot' && bet.by === by",
      "bet.bet === 'jackpot' && bet.by !== by",
      'a second chip is taken',
    ],
    [
      'chip-of-more',
      'r.47',
      'amountMinor === terms.stake',
      'amountMinor >= terms.stake',
      'a chip above the fixed amount is taken',
    ],
    [
      'chip-without-main',
      'r.45',
      "bet.bet === 'main' && bet.seat === by && bet.by === by",
      "bet.bet === 'main' && bet.by === by",
      'a chip lies where the player has no main bet',
    ],
    [
      'cancelled-fraction-kept',
      'r.48',
      'meter.before.meterMinor - meter.meterMinor, meter.before.rest',
      'meter.before.meterMinor - meter.meterMinor, meter.rest',
      'the fraction of a cancelled round stays in the meter',
    ],
    [
      'meter-lost-with-the-profile',
      'r.44',
      'else if (meter.meterMinor < least)',
      'else',
      'a meter that stands starts again with every profile',
    ],
  ),
  ...bugsIn('portugal-blackjack', 'engine/games/blackjack/jackpot-terms.ts', [
    ['start-of-1000-chips', 'r.44', '10_000)', '1_000)', 'the meter may start from 1,000 chips'],
  ]),
  ...bugsIn('portugal-blackjack', 'engine/games/blackjack/events.ts', [
    // ---- the jackpot, r.38-r.50 ----
    [
      'counted-on-the-first-hand',
      'r.42',
      'counted !== null && counted.length < MOST_COUNTED',
      'counted !== null && counted.length < MOST_COUNTED && roundSeat(round!, seat)!.hands.length === 1',
      'cards of a split hand do not count for the jackpot',
    ],
    [
      'three-cards-count',
      'r.42',
      'MOST_COUNTED = 4',
      'MOST_COUNTED = 3',
      'the fourth card never counts for the jackpot',
    ],
  ]),
];
