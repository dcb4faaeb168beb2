/**
 * What every receipt says in the same words, each written as one character, so that its code has a
 * fifth fewer modules. The host writes by this list and the page of receipts reads by it: a word is
 * only ever added at the end, or receipts of yesterday cannot be read.
 */
const WORDS = [
  'banca-receipt-v1\n{"checkpoint":{"atMs":',
  ',"entryHash":"',
  '","no":',
  ',"reason":"snapshot","seq":',
  ',"signature":"',
  '","stateHash":"',
  '"},"currency":"',
  '","key":"',
  '","returnedMinor":',
  ',"round":{"bank":"',
  '","dealer":"',
  '","hands":["',
  '"],"isVoid":false,"lines":[[',
  ',"openedAtMs":',
  ',"playerSide":"","rulebook":"',
  '","steps":[[0,"betting-opened",0,"",0,"","",[]],[',
  ']],"table":"',
  '"},"roundId":"',
  '","seat":',
  ',"stakedMinor":',
  ',"terminal":"',
  ',"betting-closed",0,"",0,"","",[]],[',
  ',"bet-placed",',
  ',"bank-card-dealt",0,"",0,"',
  ',"card-dealt",',
  ',"main","',
  '"art.',
  '"]],"no":',
  '","","",["',
  ',"",0,"',
  ',"player-side-card-dealt",0,"",0,"',
  '"hole-card-turned"',
  '"hole-card-checked"',
  '"offer-passed"',
  '"hand-stood"',
  '"hand-doubled"',
  '"hand-split"',
  '"round-voided"',
  'macau-blackjack-2009',
  'macau-blackjack-2004',
  'portugal-blackjack',
  'macau-baccarat',
  'macau-casino-war',
] as const;

/** Characters that no receipt has: JSON escapes those under 0x20, and names have none of them. */
const signOf = (index: number): string =>
  String.fromCharCode(index < 9 ? index + 1 : index < 30 ? index + 2 : index + 98);

export const inShort = (text: string): string =>
  WORDS.reduce((short, word, index) => short.replaceAll(word, signOf(index)), text);

/** Throws nothing: what is no receipt becomes some text that is none either. */
export const inFull = (short: string): string =>
  WORDS.reduce((text, word, index) => text.replaceAll(signOf(index), () => word), short);

/** Cards are two characters each, as in 'KH8S'; '??' lies face down. */
export interface RoundOfReceipt {
  readonly no: number;
  readonly openedAtMs: number;
  readonly table: string;
  readonly rulebook: string;
  readonly dealer: string;
  readonly isVoid: boolean;
  /** People have named a card of it; absent = the shoe has read all of them. */
  readonly byHand?: boolean;
  /** Seat, hand, bet, outcome, stake and net in minor units, odds, articles. */
  readonly lines: readonly (readonly [
    seat: number,
    hand: number | null,
    bet: string,
    outcome: string,
    stakeMinor: number,
    netMinor: number,
    odds: readonly [number, number] | null,
    cites: readonly string[],
  ])[];
  /**
   * What happened, oldest first: seconds since the opening, kind of the event, seat (0 = none), bet
   * and amount in minor units, the table after it. Hands are '3:KH8S', by seat. Empty where the
   * round was too long for a code.
   */
  readonly steps: readonly (readonly [
    seconds: number,
    kind: string,
    seat: number,
    bet: string,
    amountMinor: number,
    bank: string,
    playerSide: string,
    hands: readonly string[],
  ])[];
  /** The table at the end, as in a step. */
  readonly bank: string;
  readonly playerSide: string;
  readonly hands: readonly string[];
}
