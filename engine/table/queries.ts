import { downToStep, type Minor } from '../core/money.ts';
import { type Rejection, reject } from '../core/result.ts';
import { doubleOf, refuseBettor, refuseChange, repeatOf } from './betting.ts';
import {
  areBooksFaulty,
  isRoundOpen,
  isShoeFaulty,
  needsNewShoe,
  readCard,
  refuseFaceUp,
  refuseWrongCard,
} from './cards.ts';
import { complaintWindow, refuseComplaint } from './complaints.ts';
import { articlesOf, creditOf } from './draft.ts';
import { assignables, refuseDoubt, refuseReplacingSecond, refuseTakingBack } from './error-desk.ts';
import { gameOf } from './registry.ts';
import { refuseDemoRound, refuseOpening } from './rounds.ts';
import {
  cutTurn,
  refuseEndCard,
  refuseLayingOut,
  refuseReplacing,
  refuseReporting,
  replacementCites,
} from './shoe.ts';
import { isFeedingDue, refuseFeeding } from './shuffler.ts';
import type { Bet, TableState } from './state.ts';
import type { BehindChoice, BettingChoice, Choice, DealerOption, DealerStep } from './steps.ts';
import { stopOf } from './stops.ts';

/** The one thing the dealer is to do now. */
export function nextStep(state: TableState): DealerStep {
  if (state.service) return { step: 'in-service', cites: [] };
  if (!state.profile) return { step: 'call-supervisor', cites: [] };
  if (!state.dealer) return { step: 'sign-in', cites: [] };
  return heldStep(state) ?? phaseStep(state);
}

function heldStep(state: TableState): DealerStep | null {
  const { hold } = state;
  const articles = articlesOf(state);
  const { jam } = state.shoe;
  if (jam !== null) {
    return { step: 'open-shuffler', technician: jam === 'for-technician', cites: [articles.jam] };
  }
  switch (hold?.code) {
    case undefined:
      return null;
    case 'recovery':
    case 'misdeal':
      return { step: 'confirm-layout', cites: [articles.misdeal] };
    case 'shoe-fault':
      return { step: isShoeFaulty(state) ? 'call-supervisor' : 'confirm-layout', cites: [articles.misdeal] };
    case 'machine-fault':
      return { step: stopOf(state) ? 'call-supervisor' : 'confirm-layout', cites: [articles.misdeal] };
    case 'unread':
      return { step: 'call-supervisor', cites: [articles.misdeal] };
    case 'books':
      return { step: areBooksFaulty(state) ? 'call-supervisor' : 'confirm-layout', cites: [] };
    case 'doubtful-card': {
      const card = readCard(state);
      return card === null
        ? { step: 'resolve-card', cites: [articles.misdeal] }
        : { step: 'confirm-card', card, cites: [articles.misdeal] };
    }
    case 'card-gap':
      return { step: 'resolve-card', cites: [articles.misdeal] };
    case 'unexpected-card':
      return {
        step: 'resolve-card',
        cites: [refuseWrongCard(state) ? articles.exposed : articles.bankDraws],
      };
  }
}

function phaseStep(state: TableState): DealerStep {
  const articles = articlesOf(state);
  const { shoe, round } = state;
  if (shoe.toCount !== undefined) return { step: 'count-cards', cites: [] };
  if (needsNewShoe(state)) return { step: 'load-shoe', cites: [articles.reshuffle] };
  switch (state.phase) {
    case 'closed':
      return { step: 'sign-in', cites: [] };
    case 'shoe':
      if (shoe.stage === 'witness') return { step: 'witness-loading', cites: [] };
      if (shoe.stage === 'packets') {
        const { packets: least } = gameOf(state).shoe(state);
        return { step: 'load-packet', done: shoe.packets, least, cites: [articles.loading] };
      }
      if (shoe.stage === 'cut') {
        const isInTurn = gameOf(state).shoe(state).cut === 'in-turn';
        return { step: 'cut-shoe', seat: isInTurn ? (cutTurn(state) ?? 0) : null, cites: [articles.cut] };
      }
      if (shoe.stage === 'end-card') {
        const { least, most } = gameOf(state).shoe(state).endCard!;
        return { step: 'place-end-card', minBehind: least, maxBehind: most, cites: [articles.endCard] };
      }
      if (shoe.stage === 'burn') {
        if (isShoeFaulty(state)) return { step: 'call-supervisor', cites: [articles.misdeal] };
        return {
          step: 'burn',
          done: shoe.startBurned,
          count: shoe.startBurn,
          cites: [articles.burnAtStart],
        };
      }
      if (shoe.toOrder === 'due') return { step: 'order-decks', cites: [articles.closing] };
      if (shoe.toOrder === 'irregular') return { step: 'call-supervisor', cites: [articles.replacement] };
      if (gameOf(state).shoe(state).deckCheck && !state.decksChecked) {
        return { step: 'check-decks', cites: [articles.deckCheck] };
      }
      return { step: 'load-shoe', cites: [articles.cut] };
    case 'idle': {
      const complaint = state.complaints[0];
      // r.61: it keeps the cards out of the shuffler. Elsewhere it keeps nothing up: the ledger has
      // the cards.
      if (complaint && gameOf(state).cardsBack(state) === 'fed-by-dealer') {
        const { complaintNo, seat } = complaint;
        return { step: 'close-complaint', complaintNo, seat, cites: [articles.complaints] };
      }
      if (!refuseFeeding(state)) return { step: 'feed-shuffler', cites: [articles.feeding] };
      const refused = refuseOpening(state);
      if (refused?.code === 'centre-lock') return { step: 'locked-by-centre', cites: [] };
      return { step: refused ? 'call-supervisor' : 'open-betting', cites: [articles.dealOrder] };
    }
    case 'betting':
      return closingStep(state);
    case 'dealing':
    case 'offers':
    case 'turns':
    case 'bank':
      return gameOf(state).step(state);
    case 'settled': {
      if (state.deadline) return { step: 'read-results', untilMs: state.deadline.atMs, cites: [] };
      const unpaid = gameOf(state).unpaidPrize?.(state);
      return unpaid
        ? { step: 'pay-prize', seat: unpaid.seat, cites: [unpaid.cite] }
        : { step: 'close-round', cites: [round?.last ? articles.endOfShoe : articles.dealOrder] };
    }
  }
}

function closingStep(state: TableState): DealerStep {
  const missing = gameOf(state).refuseClosing(state);
  return missing
    ? { step: 'close-betting', owedBySeat: missing.seat, cites: missing.cites }
    : { step: 'close-betting', cites: [articlesOf(state).dealOrder] };
}

/** Lawful buttons of the dealer beside the next step; every one of them is its own input. */
export function dealerOptions(state: TableState): DealerOption[] {
  if (!state.profile || state.service) return [];
  const articles = articlesOf(state);
  const options: DealerOption[] = [];
  const add = (option: DealerOption['option'], ...cites: string[]): void => {
    options.push({ option, cites });
  };
  const { hold, phase } = state;
  if (hold?.code === 'doubtful-card' || hold?.code === 'card-gap') add('confirm-card', articles.misdeal);
  if (hold?.code === 'unexpected-card') add('set-card-aside', articles.exposed);
  for (const option of ['card-face-up', 'card-face-down'] as const)
    if (!refuseFaceUp(state, option === 'card-face-up')) add(option, articles.exposed);
  if (!refuseDoubt(state)) add('doubt-card', articles.misdeal);
  if (!refuseTakingBack(state)) add('take-back-card', articles.exposed);
  if (!refuseReplacingSecond(state)) add('replace-bank-second', articles.exposed);
  if (!refuseWrongCard(state)) add('draw-wrong', articles.bankDraws);
  if (assignables(state).length > 0) add('assign-card', articles.misdeal);
  if (!refuseEndCard(state)) add('end-card-out', articles.endOfShoe);
  const leaving = gameOf(state).series?.mayForfeit(state);
  if (leaving) add(leaving === 'lost' ? 'forfeit-streak' : 'release-streak', articles.sideBets);
  if (isRoundOpen(state)) add('void-round', articles.misdeal);
  const { demoRounds } = gameOf(state).shoe(state);
  if (!refuseDemoRound(state)) add('demo-round', demoRounds!.cite);
  if (state.shoe.stage === 'cut' && cutTurn(state) !== null && gameOf(state).shoe(state).cut === 'in-turn') {
    add('refuse-cut', articles.cut);
  }
  // r.60: cards that cannot be fed wait, and the game goes on.
  if (isFeedingDue(state) && !refuseOpening(state)) add('open-betting', articles.feeding);
  if (state.dealer && state.seats.some(({ seat }) => !refuseComplaint(state, seat)))
    add('raise-complaint', ...(complaintWindow(state)?.cites ?? []));
  if (!refuseLayingOut(state))
    add('lay-out-cards', gameOf(state).cardsBack(state) === 'never' ? articles.stop : articles.closing);
  if (!refuseReplacing(state)) add('replace-cards', ...replacementCites(state));
  if (!refuseReporting(state)) add('report-replacement', articles.jam);
  if (!hold && phase === 'idle') add('new-shoe', articles.reshuffle);
  if (state.dealer && !state.round) add('sign-out');
  return options;
}

/**
 * The decisions the panel of a seat shows now, on whatever seats its bettor has bet or decides, the
 * most urgent seat first; empty = nothing to decide.
 */
export function seatChoices(state: TableState, by: number): Choice[] {
  const { round } = state;
  if (!round || round.lines || state.service) return [];
  return gameOf(state).choices(state, by);
}

/**
 * What the bettor of a seat may lay on the hands of the others now (art. 20.1, r.15, r.16;
 * art. 13.1); empty while no betting window is open, and where seats have no hands.
 */
export function behindChoices(state: TableState, by: number): BehindChoice[] {
  if (state.phase !== 'betting' || state.service || !state.seats[by - 1]) return [];
  const { bets: laid } = state.round!;
  const kinds = gameOf(state).bets(state);
  if (!kinds.includes('main')) return [];
  const others: BehindChoice[] = [];
  for (const { seat } of state.seats) {
    if (seat === by) continue;
    const bets: { bet: string; amountMinor: Minor }[] = [];
    let refusal: Rejection | null = null;
    for (const bet of kinds) {
      const { refused, most } = placement(state, laid, { seat, by, bet });
      if (refused === null) bets.push({ bet, amountMinor: most });
      // The first kind is the main bet: its reason is the seat's.
      else refusal ??= refused;
    }
    others.push({
      seat,
      bets,
      refused: bets.length > 0 ? null : { code: refusal!.code, cites: refusal!.cites },
    });
  }
  return others;
}

/** Whether one more placement is lawful, and the most it may add. */
function placement(
  state: TableState,
  laid: readonly Bet[],
  at: { readonly seat: number; readonly by: number; readonly bet: string },
): { readonly refused: Rejection | null; readonly most: Minor } {
  const game = gameOf(state);
  const range = game.betRange(state, laid, at);
  const room = Math.min(range.most, creditOf(state, at.by));
  const most = Math.max(0, downToStep(room, range.step ?? state.rules!.step)) as Minor;
  const refused =
    refuseBettor(state, at.by) ??
    game.refuseBet(state, laid, { ...at, amountMinor: range.least as Minor }) ??
    (most < range.least ? reject('no-credit') : null);
  return { refused: state.hold ? reject('held') : refused, most };
}

/** What the panel of a seat may do with its bets now; empty while no betting window is open. */
export function bettingChoices(state: TableState, seat: number): BettingChoice[] {
  if (state.phase !== 'betting' || state.service || !state.seats[seat - 1]) return [];
  const { bets } = state.round!;
  const held = state.hold ? reject('held') : null;
  const sum = (placed: readonly { amountMinor: number }[]): Minor =>
    placed.reduce((total, { amountMinor }) => total + amountMinor, 0) as Minor;
  const choice = (
    act: BettingChoice['act'],
    refused: Rejection | null,
    amountMinor: Minor | null,
    bet: string | null = null,
  ): BettingChoice => ({
    act,
    bet,
    allowed: refused === null,
    code: refused?.code ?? null,
    cites: refused?.cites ?? [],
    amountMinor,
  });
  const placeable = gameOf(state)
    .bets(state)
    .map((bet) => {
      const { refused, most } = placement(state, bets, { seat, by: seat, bet });
      return choice('place-bet', refused, most, bet);
    });
  return [
    ...placeable,
    choice('undo-bet', held ?? refuseChange(state, 'undo-bet', seat), null),
    choice('clear-bets', held ?? refuseChange(state, 'clear-bets', seat), null),
    choice('repeat-bets', held ?? refuseChange(state, 'repeat-bets', seat), sum(repeatOf(state, seat))),
    choice('double-bets', held ?? refuseChange(state, 'double-bets', seat), sum(doubleOf(state, seat))),
  ];
}
