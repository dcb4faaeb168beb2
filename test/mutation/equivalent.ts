/**
 * Changes of conditions that no test can catch, each with the reason why it changes nothing.
 * `conditions.ts` measures it and compares.
 */
const EQUAL = 'equal points or cards are decided before';
const NOUGHT = 'null counts nought: it is above no maximum and below every least';
const LONG_WAY = 'a short cut: the long way ends with the same';
const FACELESS = 'what has no face has come no number of times';
const TWICE = 'nothing stands twice in what is sorted';

const BESIDE = 'no bet lies without a main bet of its bettor, nor on a seat without one';
const BUSTS = 'only 57/2009 may read busts otherwise, and there nobody loses all';
const TURN = 'the time of a decision runs in a turn, and whoever decides has a bet there';
const CREDITED = 'what is credited has a value and a seat';
const OF_MATRIX = 'the matrix of a note decides so of this record alone';

const listed = (file: string, changes: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(changes).map(([change, why]) => [`engine/${file} ${change}`, why]);

export const EQUIVALENT: Readonly<Record<string, string>> = Object.fromEntries([
  ...listed('core/money.ts', {
    'partOf: Number.isSafeInteger(product) -> false': LONG_WAY,
    'partOf: a < 0 -> a <= 0': 'no part of anything is nought, with either sign',
    'partOfGreat: parts[0] < 0 -> parts[0] <= 0': 'no product with nought is great',
    'minorOfUnits: power < 0 -> power <= 0': 'times one is divided by one',
  }),
  ...listed('accounting/meter-equations.ts', {
    'brokenEquations: left !== right -> true': LONG_WAY,
    'brokenEquations: value !== sum -> true': LONG_WAY,
  }),
  ...listed('accounting/meter-fold.ts', {
    'add: amount < 0 -> amount <= 0': 'nothing is not counted',
    'metersOf: a.code < b.code -> a.code <= b.code': TWICE,
    'compareKeys: a < b -> a <= b': TWICE,
  }),
  ...listed('accounting/meters.ts', {
    'countEvent: event.amountMinor > 0 -> event.amountMinor >= 0':
      'a correction of nothing is refused before',
    'countPostings: colon < 0 -> colon <= 0': 'no account begins with a colon',
  }),
  ...listed('games/baccarat/settle.ts', {
    'settlementLines: player > banker -> player >= banker': EQUAL,
    'settlementLines: player > banker (2) -> player >= banker': EQUAL,
    'sideBetOf: authorised -> true': 'a bet that no game has ends with an error in any case',
  }),
  ...listed('games/baccarat/roads.ts', {
    'winner: difference > 0 -> difference >= 0': EQUAL,
    'derivedColours: column < runs.length -> column <= runs.length': 'a column that is not there has no row',
  }),
  ...listed('games/baccarat/winning-hands.ts', {
    'winner: playerPoints > bankerPoints -> playerPoints >= bankerPoints': EQUAL,
  }),
  ...listed('games/baccarat/authorised-bets.ts', {
    'AUTHORISED_COMBINATIONS: max !== null -> true': NOUGHT,
  }),
  ...listed('games/blackjack/acts.ts', {
    'askedOf: seat === undefined -> false': 'without a seat there is no hand either',
    'refuseInsurance: amountMinor === null -> false': NOUGHT,
    "isAsked: hand.status === 'open' -> true": 'the hand whose turn it is, is open',
    'mustDraw: mustDrawBelow !== undefined -> true': 'no total is below undefined',
    'hard: isByTotal -> true': 'it is read where the total decides, and nowhere else',
    'refuseDouble: totalOf(hand.cards) === 21 -> false': 'two cards with 21 have closed their hand',
    'isClosedAcePair: hand.splitAces -> true': 'no other pair is closed by its second card',
    'refuseFollowing: o.seat === seat.seat -> true': 'raises are followed on one seat at a time',
  }),
  ...listed('games/blackjack/bank.ts', {
    'isLookDue: round.bankHoleDown -> true': 'it lies face down until the bank plays',
    "isBustUndecided: rules.splitVsDealerBlackjack !== 'loseAll' -> true": BUSTS,
    "isBustUndecided: rules.doubledVsDealerBlackjack !== 'loseAll' -> true": BUSTS,
  }),
  ...listed('games/blackjack/bets.ts', {
    "isBeside: lies.bet === 'main' -> true": BESIDE,
  }),
  ...listed('core/shoe.ts', {
    'shuffledShoe: last > 0 -> last >= 0': 'the first card is exchanged for itself',
  }),
  ...listed('games/blackjack/blackjack.ts', {
    "isExposedValid: due?.to !== 'bank' -> false": 'in Portugal nobody but the bank has a card face down',
  }),
  ...listed('games/blackjack/choices.ts', {
    'standingOffers: up === undefined -> false': 'until the bank has a card first cards are dealt',
  }),
  ...listed('games/blackjack/due.ts', {
    'mainSeatAfter: seat < next -> seat <= next': 'a seat stands for itself',
  }),
  ...listed('games/blackjack/events.ts', {
    'postings: amountMinor < 0 -> amountMinor <= 0': 'nothing is moved, with either sign',
  }),
  ...listed('games/blackjack/jackpot.ts', {
    "refuseChip: bet.bet === 'main' -> true": 'nothing lies on a seat of Portugal without a main bet',
    'collectChips: meter -> true': 'without a jackpot no chip lies',
    'undoJackpot: meter?.before -> true': 'a chip that was collected has left what the meter was',
  }),
  ...listed('games/blackjack/last-card.ts', {
    'lastOfTurns: bet.seat === turn.seat -> true':
      'a bet on the pair of a split hand is decided before another seat has its turn',
  }),
  ...listed('games/blackjack/play.ts', {
    'playAct: refused -> false': 'while somebody is asked nothing is closed',
    "afterOffer: draft.state.phase === 'offers' -> true": 'in the turns nobody is asked',
    'standByDefault: turn -> true': TURN,
    'standByDefault: round -> true': TURN,
    "standByDefault: 'ok' in asked -> false": TURN,
    "standByDefault: 'ok' in asked (2) -> false": TURN,
  }),
  ...listed('games/blackjack/round.ts', {
    'deciderOf: bet.by < highest.by -> bet.by <= highest.by': 'a bettor has one main bet on a seat',
    'deciderOf: nearest === undefined -> false':
      'only a state that was changed by hand comes to it, and test/host/meters.test.ts has it locked',
  }),
  ...listed('games/blackjack/settle.ts', {
    'lossBooked: bank.blackjack -> true': "it is read against a bank's blackjack, and nowhere else",
  }),
  ...listed('games/blackjack/side-bets.ts', {
    'sevensLine: third !== undefined -> true': 'no card is no seven',
    'refusePairBet: amountMinor === null -> false': NOUGHT,
    'pairChoices: turn -> true': 'whoever is asked is asked about the hand whose turn it is',
  }),
  ...listed('games/blackjack/sight.ts', {
    'tellers: open.length > 1 -> open.length >= 1': 'what it says of one card alone comes before',
  }),
  ...listed('games/blackjack/streak.ts', {
    'withStreaks: streaks.length === 0 -> false': LONG_WAY,
    'withStreaks: hasStreakBet(round!) -> true': LONG_WAY,
  }),
  ...listed('rules/authorisation.ts', {
    'lapsedChoices: records.some(({ untilOn, revokedOn }) => untilOn !== undefined || revokedOn !== undefined) -> true':
      LONG_WAY,
    'lapsedChoices: untilOn !== undefined -> true': LONG_WAY,
    'lapsedChoices: revokedOn !== undefined -> true': LONG_WAY,
  }),
  ...listed('rules/holidays.ts', {
    'workingDaysBetween: dayNumber(year + 1, 1, 1) <= requested -> false': LONG_WAY,
    'workingDaysBetween: dayNumber(year + 1, 1, 1) <= requested -> dayNumber(year + 1, 1, 1) < requested':
      LONG_WAY,
    'workingDaysBetween: dayNumber(year, 1, 1) >= effective -> false': LONG_WAY,
    'workingDaysBetween: dayNumber(year, 1, 1) >= effective -> dayNumber(year, 1, 1) > effective': LONG_WAY,
  }),
  ...listed('rules/rulebook.ts', {
    'rulebookOf: RULEBOOKS.size === 0 -> false':
      'books.ts hands the regulations in first: only who writes a program without it reads the error',
  }),
  ...listed('games/casino-war/settle.ts', {
    'isHigher: rankValue(hands[0]!.cards[at]!) > rankValue(bank[at]!) -> rankValue(hands[0]!.cards[at]!) >= rankValue(bank[at]!)':
      EQUAL,
  }),
  ...listed('table/cards.ts', {
    'isPlain: shoe.waiting.length === 0 -> true': 'a card waits without a hold only where none is due',
    'suspectShoe: card === null -> false': FACELESS,
    'readCard: card === null -> false': FACELESS,
    'isPaying: state.round === null -> false': 'without a round no card pays',
    'isUnsaid: head.card !== null -> true': 'what has no face is held in any case',
    'isDoubtful: head.card !== null -> true': 'what has no face is placed nowhere',
    'isFaceDown: head.card !== null -> true': 'what has no face shows none',
  }),
  ...listed('table/corrections.ts', {
    'adjustCredit: amountMinor > 0 -> amountMinor >= 0': 'a correction of nothing is refused before',
  }),
  ...listed('table/error-desk.ts', {
    'refuseBank: hand.cards.length === 0 -> false': 'the bank has no card before every seat has one',
  }),
  ...listed('table/events-cash.ts', {
    'apply: seat !== null -> true': CREDITED,
    'apply: valueMinor !== null -> true': CREDITED,
    'postings: seat !== null -> true': CREDITED,
    'named: ofRoundId === undefined -> false': 'an entry names both or neither',
    'named: from === undefined -> false': 'an entry names both or neither',
  }),
  ...listed('table/events-round.ts', {
    'keepResults: results[by]?.no === no -> false': LONG_WAY,
    'apply: toCount -> true': 'what is undefined is absent from every state that is kept',
  }),
  ...listed('table/events-machine.ts', {
    'apply: state.profile -> true': 'nobody signs in at a table without a profile',
  }),
  ...listed('table/hidden.ts', {
    'counted: hands[0]?.cards[i] === null -> false':
      'no regulation has a jackpot beside hands that lie face down',
  }),
  ...listed('table/notes.ts', {
    'whyRefused: inFlight(state, input.acceptor) -> false':
      'a note beside one on its way first makes a case of that one; a locked terminal gives it back',
    "takeCredit: record === 'stack-requested' -> true": OF_MATRIX,
    "takeCredit: record === 'held' -> true": OF_MATRIX,
  }),
  ...listed('table/shoe.ts', {
    "isBetweenShoes: state.phase === 'shoe' -> true": 'where there is no shoe one is made ready',
  }),
  ...listed('table/looker.ts', {
    'object: way?.member !== member -> true': LONG_WAY,
  }),
  ...listed('table/round-end.ts', {
    'winsByHand: limitMinor === undefined -> false': 'nothing is above a limit that is not there',
  }),
  ...listed('table/table.ts', {
    "clone: typeof value[0] === 'number' -> false": LONG_WAY,
    "clone: typeof member === 'object' -> true": LONG_WAY,
    'clone: member !== null -> true': LONG_WAY,
  }),
  ...listed('table/shape.ts', {
    'commonShape: common === null -> false':
      'engine.ts hands the games in first: only who writes a program without it reads the error',
  }),
  ...listed('table/settlement.ts', {
    'commissionMinor: result <= 0 -> result < 0': 'a part of nothing is nothing',
    'stillUnpaid: lines.some(({ atOnce }) => atOnce) -> true': LONG_WAY,
  }),
]);
