import type { TableEvent } from '../table/events.ts';
import { grossMinor, type SettlementLine } from '../table/settlement.ts';

export interface Meter {
  readonly code: string;
  readonly unit: 'money' | 'count';
  /** Minor units or a plain count; life to date, it never falls. */
  readonly value: number;
}

/**
 * Meters as a fold over the events of one table, from its first. `values` holds every meter by code; `laid` is the
 * money of bets that are not final yet and no meter.
 */
export interface MeterFold {
  readonly values: Map<string, number>;
  laidMinor: number;
}

/** Meters that are counts; every other one is an amount in minor units. */
const COUNTS = new Set([
  'rounds-dealt',
  'demo-rounds',
  'rounds-voided',
  'seat-games',
  'games-won',
  'games-lost',
  'games-push',
  'bills-accepted',
  'bills-returned',
  'bills-refused',
  'bills-held-cases',
  'cashouts',
  'special-prizes-count',
  'cards-dealt',
  'cards-burned',
  'cards-doubtful',
  'cards-confirmed',
  'shoes-loaded',
  'service-entries',
  'config-changes',
  'faults',
  'holds',
  'power-resets',
  'attendant-calls',
]);

const ALWAYS_SHOWN = [
  'coin-in',
  'coin-out',
  'drop-total',
  'bills-in',
  'bills-accepted',
  'bills-returned',
  'bills-refused',
  'bills-held',
  'bills-held-cases',
  'att-paid-cancelled',
  'cancelled-total',
  'handpaid-total',
  'att-paid-jackpot',
  'credit-adjust-up',
  'credit-adjust-down',
  'cashouts',
  'rounds-dealt',
  'rounds-voided',
  'voided-bets',
  'seat-games',
  'games-won',
  'games-lost',
  'games-push',
  'push-returned',
  'won-total',
  'bet-main',
  'bet-double',
  'bet-split',
  'bet-insurance',
  'pay-main',
  'pay-insurance',
  'pay-special-prize',
  'surrender-kept',
  'special-prizes',
  'special-prizes-count',
  'cards-dealt',
  'cards-burned',
  'cards-doubtful',
  'cards-confirmed',
  'shoes-loaded',
  'holds',
  'faults',
  'service-entries',
  'config-changes',
  'power-resets',
  'attendant-calls',
];

export const emptyMeters = (): MeterFold => ({
  values: new Map(ALWAYS_SHOWN.map((code) => [code, 0])),
  laidMinor: 0,
});

/** All meters in a stable order: the fixed ones first, then those per denomination. */
export const metersOf = (fold: MeterFold): Meter[] =>
  [...fold.values].map(([code, value]) => ({ code, unit: isCount(code) ? 'count' : 'money', value }));

const isCount = (code: string): boolean => COUNTS.has(code) || code.startsWith('bill-in-');

/** Adds one event, in place. */
export function countEvent(fold: MeterFold, event: TableEvent): void {
  const add = (code: string, amount = 1): void => {
    fold.values.set(code, (fold.values.get(code) ?? 0) + amount);
  };
  /** A wager that is final: turnover, once by kind and once in all. */
  const wager = (kind: string, amountMinor: number): void => {
    add(`bet-${kind}`, amountMinor);
    add('coin-in', amountMinor);
  };
  switch (event.type) {
    case 'terminal-started':
      add('power-resets');
      break;
    case 'table-configured':
      add('config-changes');
      break;
    case 'service-entered':
      add('service-entries');
      break;
    case 'fault-reported':
      add('faults');
      break;
    case 'table-held':
      add('holds');
      if (event.hold.code === 'doubtful-card') add('cards-doubtful');
      break;
    case 'attendant-called':
      if (event.on) add('attendant-calls');
      break;
    case 'shoe-loaded':
      add('shoes-loaded');
      break;
    case 'card-dealt':
    case 'bank-card-dealt':
    case 'player-side-card-dealt':
      add('cards-dealt');
      break;
    case 'card-burned':
      add('cards-burned');
      break;
    case 'card-confirmed':
      add('cards-confirmed');
      break;
    case 'bet-placed':
      fold.laidMinor += event.amountMinor;
      break;
    case 'bet-withdrawn':
      fold.laidMinor -= event.amountMinor;
      break;
    case 'deal-began':
      for (const bet of event.bets) wager(bet.bet, bet.amountMinor);
      fold.laidMinor = 0;
      break;
    case 'insurance-laid':
      wager('insurance', event.amountMinor);
      break;
    case 'pair-bet-laid':
      wager('anyPair', event.amountMinor);
      break;
    case 'hand-doubled':
      for (const raise of event.raises) wager('double', raise.amountMinor);
      break;
    case 'raise-followed':
      wager(event.kind, event.amountMinor);
      break;
    case 'hand-split':
      for (const raise of event.raises) wager('split', raise.amountMinor);
      break;
    case 'war-declared':
      for (const raise of event.raises) wager('war', raise.amountMinor);
      break;
    case 'demo-round-opened':
      add('demo-rounds');
      break;
    case 'round-settled':
      // A window in which nobody bet but a series was given up is no round.
      if (event.lines.some(({ outcome }) => outcome !== 'forfeit')) add('rounds-dealt');
      countLines(event.lines, add);
      for (const { amountMinor } of event.byHand ?? []) add('coin-out', -amountMinor);
      break;
    case 'jackpot-moved':
      if (event.why === 'paid') add('jackpot-paid', -event.amountMinor);
      else if (event.why === 'undone') add('jackpot-undone', -event.amountMinor);
      else if (event.why === 'collected') add('jackpot-increments', event.amountMinor);
      else add('jackpot-seeds', event.amountMinor);
      break;
    case 'round-voided':
      add('rounds-voided');
      if (event.committed) {
        add(
          'voided-bets',
          event.lines.reduce((sum, line) => sum + line.returnedMinor, 0),
        );
      }
      fold.laidMinor = 0;
      break;
    case 'note-credited':
      countNote(event.currency, event.valueMinor, add);
      break;
    case 'note-returned':
      add('bills-returned');
      break;
    case 'note-refused':
      add('bills-refused');
      break;
    case 'note-held':
      add('bills-held', event.valueMinor ?? 0);
      add('bills-held-cases');
      break;
    case 'held-note-resolved':
      if (event.credited && event.valueMinor !== null) countNote(event.currency, event.valueMinor, add);
      break;
    case 'hand-paid':
      add('handpaid-total', event.amountMinor);
      if (event.win) {
        add('att-paid-jackpot', event.amountMinor);
        break;
      }
      add('cashouts');
      for (const code of ['att-paid-cancelled', 'cancelled-total']) add(code, event.amountMinor);
      break;
    case 'credit-adjusted':
      add(event.amountMinor > 0 ? 'credit-adjust-up' : 'credit-adjust-down', Math.abs(event.amountMinor));
      break;
    default:
      break;
  }
}

type Add = (code: string, amount?: number) => void;

/** Denominations are named in whole units, as on the note. */
function countNote(currency: string, valueMinor: number, add: Add): void {
  add('bills-accepted');
  add('bills-in', valueMinor);
  add('drop-total', valueMinor);
  add(`bill-in-${currency}-${valueMinor / 100}`);
}

/** What a settlement pays, by bet; a seat's game is won, lost or tied by its net over all lines of the round. */
function countLines(lines: readonly SettlementLine[], add: Add): void {
  const nets = new Map<number, number>();
  for (const line of lines) {
    const isPrize = line.bet === 'specialPrize';
    add('coin-out', line.returnedMinor);
    add('won-total', line.returnedMinor);
    add(isPrize ? 'pay-special-prize' : `pay-${line.bet}`, line.returnedMinor);
    if (line.outcome === 'push') add('push-returned', line.returnedMinor);
    if (line.outcome === 'surrender') add('surrender-kept', -line.netMinor);
    if (line.commission && line.netMinor > 0) add('commission', grossMinor(line) - line.netMinor);
    if (isPrize) {
      add('special-prizes', line.netMinor);
      add('special-prizes-count');
    }
    // Who has left and loses a series has played no game.
    if (line.outcome !== 'forfeit') nets.set(line.by, (nets.get(line.by) ?? 0) + line.netMinor);
  }
  for (const net of nets.values()) {
    add('seat-games');
    add(net > 0 ? 'games-won' : net < 0 ? 'games-lost' : 'games-push');
  }
}

/**
 * Equations of the meters against the credits of the seats: everything that came in is somewhere.
 * @param openMinor credit of all seats, hand-pays that wait, meters of the jackpots
 * @returns one sentence per equation that does not hold
 */
export function metersAgree(
  fold: MeterFold,
  openMinor: { credit: number; pending: number; jackpot?: number },
): string[] {
  const value = (code: string): number => fold.values.get(code) ?? 0;
  const broken: string[] = [];
  const mustEqual = (name: string, left: number, right: number): void => {
    if (left !== right) broken.push(`${name}: ${left} is not ${right}`);
  };
  mustEqual(
    'credit = bills in + coin out + voided bets + adjusted up - adjusted down - coin in - cancelled',
    openMinor.credit + openMinor.pending + fold.laidMinor,
    value('bills-in') +
      value('coin-out') +
      value('voided-bets') +
      value('credit-adjust-up') -
      value('credit-adjust-down') -
      value('coin-in') -
      value('cancelled-total'),
  );
  mustEqual(
    'jackpot = seeds + increments - undone - paid',
    openMinor.jackpot ?? 0,
    value('jackpot-seeds') + value('jackpot-increments') - value('jackpot-undone') - value('jackpot-paid'),
  );
  const sumOf = (prefix: string): number =>
    [...fold.values].reduce((sum, [code, amount]) => (code.startsWith(prefix) ? sum + amount : sum), 0);
  mustEqual('coin in = sum of bets', value('coin-in'), sumOf('bet-'));
  mustEqual('won = sum of pays', value('won-total'), sumOf('pay-'));
  mustEqual(
    'bills in = sum of denominations',
    value('bills-in'),
    [...fold.values].reduce(
      (sum, [code, count]) =>
        code.startsWith('bill-in-') ? sum + count * Math.round(Number(code.split('-')[3]) * 100) : sum,
      0,
    ),
  );
  return broken;
}
