import { CURRENCIES, type Currency, unitsOf } from '../core/money.ts';
import { authorisedNames } from '../rules/rulebook.ts';
import type { TableEvent } from '../table/events.ts';
import { rowOf } from '../table/lane.ts';
import { commissionMinor, type SettlementLine, stillUnpaid } from '../table/settlement.ts';
import type { HandPay } from '../table/state.ts';
import { add, count, forgetOldShifts, type MeterFold, meterValue, N } from './meter-fold.ts';
import { AUTHORISED, BET_KINDS, betKind } from './meter-table.ts';

/** One side of an entry as the ledger has it. */
type Booked = { readonly account: string; readonly amountMinor: number };

type Door = 'main' | 'drop' | 'logic' | 'acceptor' | 'cabinet';
const DOORS: readonly Door[] = ['main', 'drop', 'logic', 'acceptor', 'cabinet'];

/** What the host tells and meters count; all its other entries are passed over. */
export type HostFact =
  | {
      readonly type: 'access-refused' | 'note-rejected-by-device' | 'recall-displayed' | 'process-restarted';
    }
  | {
      readonly type: 'doors-counted';
      readonly opened: Readonly<Record<Door, number>>;
      readonly openedOff: Readonly<Record<Door, number>>;
    }
  | { readonly type: 'self-test-run'; readonly failed: readonly string[] }
  | { readonly type: 'program-started'; readonly after: string };

/** What `bet_` and `pay_` of this bet are called; null = no table has such a bet. */
function countedAs({ context }: MeterFold, bet: string): string | null {
  const kind = betKind(bet);
  if (BET_KINDS.has(kind)) return kind;
  return context.authorised.includes(bet) ? AUTHORISED : null;
}

/** A wager that is final: turnover, once in all and once by its kind. */
function wager(fold: MeterFold, seat: number, bet: string, amountMinor: number): void {
  const kind = betKind(bet);
  add(fold, N.coinIn, amountMinor, seat, kind);
  const counted = countedAs(fold, bet);
  if (counted !== null) count(fold, `bet_${counted}`, amountMinor, seat, kind);
}

/**
 * Counts one entry, in place.
 * @param tilts codes of the faults that it is
 */
export function countEvent(
  fold: MeterFold,
  event: TableEvent | HostFact,
  postings: readonly Booked[],
  tilts: readonly number[] = [],
): void {
  if (postings.length > 0) countPostings(fold, event.type, postings);
  for (const code of tilts) count(fold, `tilts_${code}`);
  for (const { by, bet, amountMinor } of rowOf(event.type)?.wagers?.(event as never) ?? [])
    wager(fold, by, bet, amountMinor);
  switch (event.type) {
    case 'terminal-started':
      count(fold, 'power_resets');
      count(fold, 'self_audit_runs');
      reset(fold, 'games_since_power');
      break;
    case 'table-configured':
      fold.context = {
        ...fold.context,
        seatCount: event.profile.seatCount,
        game: event.profile.rulebook,
        authorised: authorisedNames(event.rules),
      };
      count(fold, 'config_changes');
      break;
    case 'dealer-signed-in':
      fold.context = { ...fold.context, dealer: event.person.id, shift: String(event.atMs) };
      forgetOldShifts(fold);
      break;
    case 'dealer-signed-out':
      fold.context = { ...fold.context, dealer: '', shift: '' };
      break;
    case 'service-entered':
      count(fold, IN_AUDIT.has(event.person.role) ? 'audit_entries' : 'service_entries');
      break;
    case 'access-refused':
      count(fold, 'failed_access');
      break;
    case 'self-test-run':
      count(fold, 'self_audit_runs');
      if (event.failed.includes('books')) count(fold, 'self_audit_fail');
      break;
    case 'fault-reported':
      countFault(fold, event.fault);
      break;
    case 'fault-cleared':
      // What is put in is an empty box.
      if (event.fault === 'link-down')
        count(fold, 'link_down_seconds', Math.floor((event.forMs ?? 0) / 1_000));
      if (event.fault === 'cash-box-removed')
        emptyBox(fold, Number(/^acceptor-(\d+)$/.exec(event.device)?.[1] ?? 0));
      break;
    case 'box-taken':
      count(fold, 'stacker_removed');
      break;
    case 'box-put-back':
      emptyBox(fold, event.acceptor);
      break;
    case 'table-held':
      count(fold, 'holds');
      if (event.hold.code === 'doubtful-card') count(fold, 'card_misread');
      break;
    case 'attendant-called':
      if (event.on) count(fold, 'attendant_calls', 1, event.seat);
      break;
    case 'complaint-raised':
      count(fold, 'disputes', 1, event.seat);
      break;
    case 'shoe-loaded':
      count(fold, 'shoes_loaded');
      break;
    case 'card-dealt':
      count(fold, 'cards_dealt', 1, event.seat);
      break;
    case 'bank-card-dealt':
    case 'player-side-card-dealt':
      count(fold, 'cards_dealt');
      break;
    case 'card-burned':
      count(fold, BY_RULE.has(event.why) ? 'cards_burned' : 'cards_void');
      break;
    case 'card-taken-back':
    case 'bank-second-burned':
      count(fold, 'cards_void');
      break;
    case 'card-confirmed':
      if (event.read === null) count(fold, 'card_manual');
      else if (event.read !== event.card) count(fold, 'card_corrected');
      break;
    case 'bet-placed':
      add(fold, N.laid, event.amountMinor, event.by);
      break;
    case 'bet-withdrawn':
      add(fold, N.laid, -event.amountMinor, event.by);
      break;
    case 'deal-began':
      for (const { by, bet, amountMinor } of event.bets) {
        add(fold, N.laid, -amountMinor, by);
        wager(fold, by, bet, amountMinor);
      }
      break;
    case 'demo-round-opened':
      count(fold, 'demo_rounds');
      break;
    case 'round-settled':
      // A window in which nobody bet but a series was given up is no round.
      if (event.lines.some(({ outcome }) => !isGivenUp(outcome))) {
        count(fold, 'rounds_dealt');
        count(fold, 'games_since_power');
        count(fold, 'games_since_door');
      }
      countPaid(fold, stillUnpaid(event.lines), event.byHand ?? []);
      countGames(fold, event.lines);
      break;
    case 'paid-at-once':
      countPaid(fold, event.lines, event.byHand ?? []);
      break;
    case 'round-voided':
      count(fold, 'rounds_voided');
      for (const { by, bet, returnedMinor } of stillUnpaid(event.lines)) {
        if (event.committed) add(fold, N.voided, returnedMinor, by, betKind(bet));
        else add(fold, N.laid, -returnedMinor, by);
      }
      break;
    case 'jackpot-moved':
      countJackpot(fold, event.why, event.amountMinor);
      break;
    case 'note-credited':
      countNote(fold, event.seat, event.currency, event.valueMinor);
      box(fold, event.acceptor, event.seat, event.currency, event.valueMinor);
      break;
    case 'note-returned':
    case 'note-refused':
      count(fold, 'bills_returned');
      break;
    case 'note-rejected-by-device':
      count(fold, 'bills_rejected');
      break;
    case 'note-held':
      count(fold, 'bills_held', event.valueMinor ?? 0, event.seat ?? 0);
      if (event.inBox) box(fold, event.acceptor, event.seat ?? 0, event.currency, event.valueMinor);
      break;
    case 'held-note-found':
      box(fold, event.acceptor, 0, event.currency, event.valueMinor);
      break;
    case 'held-note-resolved':
      if (event.credited) {
        countNote(fold, event.seat!, event.currency, event.valueMinor!);
        if (!event.inBox) box(fold, event.acceptor, event.seat!, event.currency, event.valueMinor);
      }
      break;
    case 'cash-out-requested':
      count(fold, 'handpays_pending', 1, event.seat);
      break;
    case 'cash-out-cancelled':
      count(fold, 'handpays_pending', -1, event.seat);
      break;
    case 'hand-paid':
      count(fold, 'handpays_pending', -1, event.seat);
      add(fold, N.handpaid, event.amountMinor, event.seat);
      if (event.win) {
        add(fold, N.winsPending, -event.amountMinor, event.seat);
        break;
      }
      count(fold, 'cashouts', 1, event.seat);
      for (const no of [N.cashouts, N.attPaid, N.cancelled]) add(fold, no, event.amountMinor, event.seat);
      break;
    case 'credit-adjusted':
      add(
        fold,
        event.amountMinor > 0 ? N.adjustedUp : N.adjustedDown,
        Math.abs(event.amountMinor),
        event.seat,
      );
      break;
    case 'program-started':
      if (event.after === 'power-loss') count(fold, 'power_losses');
      if (event.after === 'crash') count(fold, 'process_restarts');
      break;
    case 'doors-counted':
      countDoors(fold, event);
      break;
    case 'process-restarted':
      count(fold, 'process_restarts');
      break;
    case 'recall-displayed':
      count(fold, 'recalls');
      break;
    default:
      break;
  }
}

const IN_AUDIT: ReadonlySet<string> = new Set(['attendant', 'auditor']);
const BY_RULE: ReadonlySet<string> = new Set(['start', 'round', 'before-bank-second', 'war']);

/**
 * What stands on the accounts: a second source beside the events, so that one can be held against
 * the other.
 */
function countPostings(fold: MeterFold, kind: string, postings: readonly Booked[]): void {
  let sum = 0;
  for (const { account, amountMinor } of postings) {
    sum += amountMinor;
    const colon = account.indexOf(':');
    switch (colon < 0 ? account : account.slice(0, colon)) {
      case 'seat-credit':
        add(fold, N.credit, -amountMinor, Number(account.slice(colon + 1)));
        break;
      case 'hand-pay-pending':
        add(fold, N.pending, -amountMinor, Number(account.slice(colon + 1)));
        break;
      case 'cash-box':
        add(fold, N.drop, amountMinor);
        break;
      case 'held-notes':
        count(fold, 'bills_held_now', -amountMinor);
        break;
      case 'jackpot':
        add(fold, N.jpNow, -amountMinor);
        break;
    }
  }
  // A table has money in one currency at a time.
  if (sum !== 0) fold.problems.push(`equation 2, postings of ${kind} = 0: they sum to ${sum}`);
}

function countFault(fold: MeterFold, fault: string): void {
  switch (fault) {
    case 'cash-box-removed':
      return count(fold, 'stacker_removed');
    case 'cash-box-full':
      return count(fold, 'stacker_full');
    case 'acceptor-jammed':
    case 'stacker-jammed':
      return count(fold, 'note_jams');
    case 'shoe-cover-open':
      return count(fold, 'cover_shoe');
    case 'books-differ':
      return count(fold, 'self_audit_fail');
    case 'link-down':
      return count(fold, 'link_down_count');
  }
}

function countDoors(
  fold: MeterFold,
  { opened, openedOff }: Extract<HostFact, { type: 'doors-counted' }>,
): void {
  for (const door of DOORS) {
    count(fold, `door_${door}`, opened[door]);
    count(fold, `door_${door}_poweroff`, openedOff[door]);
  }
  if (DOORS.some((door) => opened[door] + openedOff[door] > 0)) reset(fold, 'games_since_door');
}

const reset = (fold: MeterFold, code: string): void => count(fold, code, -meterValue(fold, code));

/** A note that is credited; a note of no currency has no meter, and equation 5 shows it. */
function countNote(fold: MeterFold, seat: number, currency: string, valueMinor: number): void {
  const note = noteOf(currency, valueMinor);
  add(fold, N.billsIn, valueMinor, seat, note ?? '');
  if (note !== null) count(fold, `bill_in_${note}`, 1, seat, note);
}

/** `MOP_500`, also for what no mint makes: a unit may say anything of a note that is held. */
const noteOf = (currency: string, valueMinor: number): string | null =>
  CURRENCIES.includes(currency as Currency) ? `${currency}_${unitsOf(valueMinor)}` : null;

function box(
  fold: MeterFold,
  acceptor: number,
  seat: number,
  currency: string,
  valueMinor: number | null,
): void {
  if (valueMinor !== null) add(fold, N.toDrop, valueMinor, seat, noteOf(currency, valueMinor) ?? '');
  count(fold, 'stacker_count');
  count(fold, 'stacker_value', valueMinor ?? 0);
  fold.boxes[acceptor] ??= { count: 0, valueMinor: 0 };
  const at = fold.boxes[acceptor]!;
  at.count += 1;
  at.valueMinor += valueMinor ?? 0;
}

function emptyBox(fold: MeterFold, acceptor: number): void {
  const at = fold.boxes[acceptor];
  if (at === undefined) return;
  count(fold, 'stacker_count', -at.count);
  count(fold, 'stacker_value', -at.valueMinor);
  fold.boxes[acceptor] = { count: 0, valueMinor: 0 };
}

function countJackpot(fold: MeterFold, why: string, amountMinor: number): void {
  switch (why) {
    case 'collected':
      return add(fold, N.jpContrib, amountMinor);
    case 'undone':
      return add(fold, N.jpUndone, -amountMinor);
    case 'paid':
      count(fold, 'jp_hits');
      return add(fold, N.jpPaid, -amountMinor);
    default:
      return add(fold, N.jpSeeds, amountMinor);
  }
}

/**
 * What a settlement pays, by bet.
 * @param byHand wins that are not credited; each is taken from the winning bets of its player, in
 * their order
 */
function countPaid(fold: MeterFold, lines: readonly SettlementLine[], byHand: readonly HandPay[]): void {
  const handed = new Map(byHand.map(({ seat, amountMinor }) => [seat, amountMinor as number]));
  for (const { seat, amountMinor } of byHand) {
    count(fold, 'handpays_pending', 1, seat);
    add(fold, N.winsPending, amountMinor, seat);
  }
  for (const line of lines) {
    const { by, bet, outcome, returnedMinor, netMinor } = line;
    const kind = outcome === 'even-money' ? 'even_money' : betKind(bet);
    const inHand = netMinor > 0 ? Math.min(handed.get(by) ?? 0, returnedMinor) : 0;
    if (inHand > 0) handed.set(by, handed.get(by)! - inHand);
    const credited = returnedMinor - inHand;
    if (bet === 'jackpot') {
      add(fold, N.progressive, credited, by, kind);
      add(fold, N.progressiveByHand, inHand, by, kind);
    } else {
      add(fold, N.coinOut, credited, by, kind);
      add(fold, N.wonByHand, inHand, by, kind);
      add(fold, N.won, returnedMinor, by, kind);
      if (netMinor > 0) count(fold, 'mach_paid_win', credited, by, kind);
      if (netMinor === 0) count(fold, 'push_returned', returnedMinor, by, kind);
    }
    const counted = BET_KINDS.has(kind) ? kind : countedAs(fold, bet);
    if (counted !== null) count(fold, `pay_${counted}`, returnedMinor, by, kind);
    if (outcome === 'surrender' || outcome === 'half-loss') count(fold, 'surrender_kept', -netMinor, by);
    count(fold, 'commission', commissionMinor(line), by, kind);
    if (outcome === 'banker-six') {
      count(fold, 'banker6_half', 1, by);
      count(fold, 'banker6_half_amount', netMinor, by);
    }
    if (bet === 'specialPrize') {
      count(fold, 'special_prizes', netMinor, by);
      count(fold, 'special_prizes_count', 1, by);
    }
  }
}

/** art. 13.5.2.vi: of a bettor who has left, lost or given back. */
const isGivenUp = (outcome: string): boolean => outcome === 'forfeit' || outcome === 'released';

/** A game of a player is won, lost or tied by the net over all its lines of the round. */
function countGames(fold: MeterFold, lines: readonly SettlementLine[]): void {
  const nets = new Map<number, number>();
  for (const { by, outcome, netMinor } of lines) {
    // Who has left a series has played no game.
    if (!isGivenUp(outcome)) nets.set(by, (nets.get(by) ?? 0) + netMinor);
  }
  for (const [by, net] of nets) {
    count(fold, 'seat_games', 1, by);
    count(fold, net > 0 ? 'games_won' : net < 0 ? 'games_lost' : 'games_push', 1, by);
  }
}
