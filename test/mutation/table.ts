import { type Bug, bugsIn, type Mutation } from './bugs.ts';

const inTable = (file: string, ...bugs: Bug[]): Mutation[] =>
  bugsIn('macau-blackjack-2009', `engine/table/${file}`, bugs);
const inPortugal = (file: string, ...bugs: Bug[]): Mutation[] =>
  bugsIn('portugal-blackjack', `engine/table/${file}`, bugs);
const inBaccarat = (file: string, ...bugs: Bug[]): Mutation[] =>
  bugsIn('macau-baccarat', `engine/table/${file}`, bugs);

/** What all games have in common: settlement, cards, the shoe's end, burns, the betting window. */
export const TABLE: readonly Mutation[] = [
  ...bugsIn('macau-baccarat', 'engine/core/money.ts', [
    [
      'rounding-exchanged',
      'art.18.1',
      "(rest !== 0 && rounded === 'up' ? 1 : 0)",
      "(rest !== 0 && rounded === 'down' ? 1 : 0)",
      'fractions go the other way',
    ],
  ]),
  ...inBaccarat('settlement.ts', [
    'commission-on-losses',
    'art.18.1',
    'return result <= 0',
    'return result === 0',
    'commission is taken from losses',
  ]),
  ...inTable(
    'events-round.ts',
    [
      'paid-to-the-seat',
      'art.20.1',
      'for (const { by, returnedMinor } of lines) addCredit(state, by, returnedMinor);',
      'for (const { seat, returnedMinor } of lines) addCredit(state, seat, returnedMinor);',
      'winnings of a bettor behind go to the seat they bet on',
    ],
    [
      'cards-never-back',
      'art.2.2.4',
      'if (cardsBack) takeCardsBack(shoe);',
      'if (!cardsBack) takeCardsBack(shoe);',
      'a shoe gets its cards back after the round, a shuffler does not',
    ],
  ),
  ...inTable(
    'rounds.ts',
    [
      'last-round-not-announced',
      'art.2.2.1',
      'shoe.rounds + 1 >= shoe.lastRound',
      'shoe.rounds >= shoe.lastRound',
      'a round more is dealt after the last one',
    ],
    [
      'demonstration-in-play',
      'art.2.2',
      'if (rounds > shown) return',
      'if (rounds < shown) return',
      'a round without bets is shown in the middle of a shoe',
    ],
    [
      'one-demonstration-more',
      'art.2.2',
      'return shown >= most ?',
      'return shown > most ?',
      'one more round without bets than the house has',
    ],
  ),
  ...inTable(
    'events-shoe.ts',
    [
      'end-card-in-its-round',
      'art.2.2.1',
      'round.last = roundOfShoe(state) >= lastRound',
      'round.last = roundOfShoe(state) > lastRound',
      'the round in which the second white card came out is not the last',
    ],
    [
      'round-of-the-shoe',
      'art.2.2.1',
      '(round?.dealt ? 0 : 1)',
      '(round?.dealt ? 1 : 0)',
      'a round counts before its first card, not after',
    ],
  ),
  ...inTable(
    'cards.ts',
    [
      'first-card-of-every-round',
      'art.5.1.1',
      'shoe.rounds === 0 && shoe.drawn ===',
      'shoe.drawn ===',
      'the first card after the shuffler took its cards back is a first card of the game',
    ],
    [
      'figures-burn-more',
      'art.2.1',
      'const face = Math.min(rankOf(card) + 1, 10);',
      'const face = rankOf(card) + 1;',
      'a king burns thirteen cards',
    ],
    [
      'face-itself',
      'art.2.1',
      "burnByFace === 'included' ? face : face + 1",
      "burnByFace === 'included' ? face : face + 2",
      'beside the first card one too many is burnt',
    ],
    [
      'shoe-without-reserve',
      'art.2.1.1',
      'shoe.decks * 52 - shoe.drawn <',
      'shoe.decks * 52 + shoe.drawn <',
      'a round is dealt out of what lay behind a missed white card',
    ],
  ),
  ...bugsIn('macau-blackjack-2009', 'engine/table/draft.ts', [
    [
      'touch-after-the-window',
      '',
      'atMs <= deadlineAtMs + TOUCH_GRACE_MS',
      'touchedAtMs <= deadlineAtMs + TOUCH_GRACE_MS',
      'a touch is taken however late it is handled',
    ],
  ]),
  ...inTable(
    'betting.ts',
    [
      'bet-after-the-first-card',
      'art.13',
      "(state.phase === 'dealing' && !round.dealt)",
      "state.phase === 'dealing'",
      'bets are taken after the first card',
    ],
    [
      'last-chip-refused',
      '',
      "return amountMinor > creditOf(state, by) ? reject('no-credit') : null;",
      "return amountMinor >= creditOf(state, by) ? reject('no-credit') : null;",
      'the last chip of a credit is refused',
    ],
  ),
  ...inPortugal(
    'events-shoe.ts',
    [
      'laid-open-order-goes-on',
      'r.12',
      "state.phase = 'shoe';\n      state.lastCutBy = null;",
      "state.phase = 'shoe';",
      'after the shoe was laid open the lowest seat does not begin',
    ],
    [
      'replaced-cards-unseen',
      'r.7',
      "state.decksChecked = false;\n      if (state.shoe.toOrder === 'irregular')",
      "if (state.shoe.toOrder === 'irregular')",
      'replaced cards are not shown',
    ],
    [
      'emptied-shuffler-not-shown',
      'r.53',
      "state.shoe.toOrder = 'due';\n      // r.53: before the next game they are shown again.\n      state.decksChecked = false;",
      "state.shoe.toOrder = 'due';",
      'the cards of a shuffler that was emptied are played again unseen',
    ],
    [
      'irregular-deck-played',
      'r.55',
      "else shoe.toOrder = 'irregular';",
      'else delete shoe.toOrder;',
      'a deck that is not regular is played again',
    ],
    [
      'one-report-for-all',
      'r.51',
      'state.toReport = (state.toReport ?? 0) + 1',
      'state.toReport = 1',
      'of several damaged cards one is reported',
    ],
  ),
  ...inPortugal('settlement.ts', [
    'kept-part-forgotten',
    'r.48',
    'commissionMinor(line) - keptMinor',
    'commissionMinor(line)',
    'what the house keeps is paid out',
  ]),
  ...inTable('settlement.ts', [
    'stake-forgotten',
    'art.10.4',
    'line.stakeMinor + line.netMinor',
    'Math.max(line.stakeMinor, line.netMinor)',
    'the stake does not come back beside the win',
  ]),
  ...bugsIn('macau-blackjack-2009', 'engine/games/blackjack/events.ts', [
    [
      'raise-unpaid',
      'art.17.1',
      '(stakeMinor + raised[i]!) as Minor',
      '(stakeMinor + raised[i]! * 2) as Minor',
      'a double is booked with more than was paid for it',
    ],
    [
      'stale-prizes',
      'art.5.1.2',
      'round!.prizes = round!.prizes.filter(({ atOnce }) => atOnce);',
      '',
      'side bets decided by wrongly dealt cards stand',
    ],
    [
      'paid-prizes-forgotten',
      'art.15',
      'round!.prizes = round!.prizes.filter(({ atOnce }) => atOnce);',
      'round!.prizes = [];',
      'a prize that was paid at once is paid again after a swap of first cards',
    ],
    [
      'answer-closes-even-money',
      'art.10.3',
      'if (!stillAsked) answer(state, seat, by);\n    },\n    postings: null',
      'answer(state, seat, by);\n    },\n    postings: null',
      'a player who declines insurance is no longer offered even money',
    ],
    [
      'stale-blackjack',
      'art.5.1.2',
      "else if (hand.status === 'blackjack') hand.status = 'open';",
      '',
      'a blackjack of wrongly dealt cards stays one',
    ],
  ]),
  ...bugsIn('macau-blackjack-2009', 'engine/games/blackjack/blackjack.ts', [
    [
      'swap-after-the-look',
      'art.5.1.2',
      '    !bankLooked &&\n',
      '',
      'first cards are exchanged after the bank has looked',
    ],
  ]),
  ...inTable('events-shoe.ts', [
    'cards-back-but-gone',
    'art.2.2.4',
    'shoe.drawn = shoe.waiting.length;',
    '',
    'a shuffler comes to an end though it has its cards back',
  ]),
];
