/**
 * Chart of accounts. Debit is positive, credit negative, so that the postings of every event sum to
 * zero. `of: 'acceptor' | 'seat'`: one account per number, named `kind:N`; a seat's account is the
 * account of its bettor.
 */
export interface AccountKind {
  readonly kind: string;
  readonly of: 'acceptor' | 'seat' | 'table';
  readonly side: 'asset' | 'liability' | 'house';
  readonly meaning: string;
}

export const CHART_OF_ACCOUNTS: readonly AccountKind[] = [
  { kind: 'cash-box', of: 'acceptor', side: 'asset', meaning: 'notes in the box of an acceptor' },
  { kind: 'notes-in-doubt', of: 'table', side: 'asset', meaning: 'notes whose place is not known' },
  { kind: 'hand-pay', of: 'table', side: 'asset', meaning: 'cash paid out by attendants' },
  { kind: 'seat-credit', of: 'seat', side: 'liability', meaning: 'credit of a bettor' },
  { kind: 'stake', of: 'seat', side: 'liability', meaning: 'money a bettor has in the round' },
  { kind: 'hand-pay-pending', of: 'seat', side: 'liability', meaning: 'credit waiting for a hand-pay' },
  { kind: 'held-notes', of: 'table', side: 'liability', meaning: 'notes nobody has been credited with' },
  { kind: 'unclaimed', of: 'table', side: 'liability', meaning: 'held notes closed without a credit' },
  { kind: 'adjustments', of: 'table', side: 'house', meaning: 'credit put right by two persons' },
  { kind: 'jackpot', of: 'table', side: 'liability', meaning: 'meter of the progressive jackpot' },
  { kind: 'bank', of: 'table', side: 'house', meaning: 'what the house won (credit) and lost (debit)' },
];

export const cashBox = (acceptor: number): string => `cash-box:${acceptor}`;
export const seatCredit = (seat: number): string => `seat-credit:${seat}`;
export const stake = (seat: number): string => `stake:${seat}`;
export const handPayPending = (seat: number): string => `hand-pay-pending:${seat}`;
