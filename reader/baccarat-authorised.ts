/**
 * art. 13.4, 13.6: bets that the regulator's director has authorised, as their record describes
 * them. Read from the options of the table, like every other term of it.
 */
export interface AuthorisedBet {
  readonly id: string;
  /** Of one seat, in minor units; undefined = as the other bets beside the sides. */
  readonly least: number | undefined;
  readonly most: number | undefined;
  readonly prizes: readonly { readonly odds: number; readonly when: readonly Condition[] }[];
}

/** What both hands have come to. */
export interface BothHands {
  readonly player: readonly string[];
  readonly banker: readonly string[];
  readonly playerTotal: number;
  readonly bankerTotal: number;
}

type Condition = (hands: BothHands) => boolean;

const isPaired = ([first, second]: readonly string[]): boolean => first![0] === second![0];

/** One member of the description, as it must come out. */
function conditionOf(member: string, wanted: unknown): Condition {
  switch (member) {
    case 'winner':
      if (wanted === 'tie') return ({ playerTotal, bankerTotal }) => playerTotal === bankerTotal;
      return wanted === 'player'
        ? ({ playerTotal, bankerTotal }) => playerTotal > bankerTotal
        : ({ playerTotal, bankerTotal }) => playerTotal < bankerTotal;
    case 'playerPoints':
      return ({ playerTotal }) => playerTotal === wanted;
    case 'bankerPoints':
      return ({ bankerTotal }) => bankerTotal === wanted;
    case 'playerCards':
      return ({ player }) => player.length === wanted;
    case 'bankerCards':
      return ({ banker }) => banker.length === wanted;
    case 'playerPair':
      return ({ player }) => isPaired(player);
    case 'bankerPair':
      return ({ banker }) => isPaired(banker);
    default:
      throw new Error(`no such part of a bet: ${member}`);
  }
}

type Members = Readonly<Record<string, unknown>>;

const amount = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function readBet({ id, min, max, wins }: Members): AuthorisedBet {
  const prizes = (wins as readonly Members[]).map(({ odds, ...asked }) => ({
    odds: Number(odds),
    when: Object.entries(asked).flatMap(([member, wanted]) =>
      wanted === null ? [] : [conditionOf(member, wanted)],
    ),
  }));
  return { id: String(id), least: amount(min), most: amount(max), prizes };
}

export const authorisedBets = (options: Members): readonly AuthorisedBet[] =>
  ((options['authorisedBets'] ?? []) as readonly Members[]).map(readBet);

/** The first prize whose hands have come is paid; where none has, the bet is lost. */
export function netOf({ prizes }: AuthorisedBet, hands: BothHands, stake: number): number {
  const prize = prizes.find(({ when }) => when.every((holds) => holds(hands)));
  return prize === undefined ? -stake : prize.odds * stake;
}
