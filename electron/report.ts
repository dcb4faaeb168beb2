import { unitsOf } from '../engine/core/money.ts';

/**
 * A settled round as the host reports it with --report-rounds; amounts in minor units of
 * `currency`.
 */
export interface RoundReport {
  readonly no: number;
  readonly currency: string;
  readonly bank: readonly string[];
  /** Baccarat: cards of the Player side, `bank` being the Banker's. */
  readonly playerSide?: readonly string[];
  readonly seats: readonly {
    readonly seat: number;
    /** Cards of each hand. */
    readonly cards: readonly (readonly string[])[];
    readonly decisions: readonly string[];
    readonly lines: readonly {
      readonly bet: string;
      readonly outcome: string;
      readonly netMinor: number;
      readonly cites: readonly string[];
    }[];
  }[];
  /** Newest entry of the ledger, and the newest that the centre has. */
  readonly headSeq: number;
  readonly ackedSeq: number;
}

/** `+MOP 1 234.50`: code first, so that it reads the same for every currency. */
export function signedAmount(minor: number, currency: string): string {
  const text = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2 }).format(unitsOf(Math.abs(minor)));
  return `${minor < 0 ? '-' : minor > 0 ? '+' : ''}${currency} ${text.replaceAll(',', ' ')}`;
}

/**
 * A few readable lines: bank, one line per seat that played, and where the ledger and the centre
 * stand.
 */
export function roundLines(round: RoundReport): string[] {
  const seats = round.seats.map((seat) => {
    const hands = seat.cards.map((hand) => hand.join(' ')).join(' | ');
    const decisions = seat.decisions.length > 0 ? ` (${seat.decisions.join(', ')})` : '';
    const lines = seat.lines.map(
      (line) =>
        `${line.bet} ${line.outcome} ${signedAmount(line.netMinor, round.currency)} [${line.cites.join(', ')}]`,
    );
    const played = `${hands}${decisions}`;
    const between = played !== '' && lines.length > 0 ? '  ' : '';
    return `  seat ${seat.seat}: ${played}${between}${lines.join('; ')}`;
  });
  const behind = round.headSeq - round.ackedSeq;
  return [
    `round ${round.no}  ${round.playerSide ? `player ${round.playerSide.join(' ')}  ` : ''}bank ${round.bank.join(' ')}`,
    ...seats,
    `  ledger at ${round.headSeq}, centre has ${round.ackedSeq}${behind > 0 ? ` (${behind} to send)` : ''}`,
  ];
}
