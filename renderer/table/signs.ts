/**
 * What a view says in words and figures on the felt: totals, results, and the banner of a table
 * that stands still.
 */
import { type Card, rankOf } from '../../engine/core/cards.ts';
import { FELT_LANGUAGES } from '../../engine/rules/home.ts';
import type { SettlementLine } from '../../engine/table/settlement.ts';
import type { SeatView, TableView } from '../../wire/view.ts';
import { feltText, homeOf, tableText, textOfCode } from '../texts/i18n.ts';
import { signedText } from './chips.ts';
import { badgeCentre, badgeSize, type HandPlacement, layBank, layHand, layPlayerSide } from './hands.ts';
import type { BadgePiece, BadgeTone, Banner, RibbonPiece, RibbonTone } from './pieces.ts';
import { printedLine } from './print.ts';
import type { TableLayout } from './table-layout.ts';

const RANK_NAMES = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K'] as const;

/** War (art. 4): what counts of a hand is the rank of its last card. */
const rankText = (cards: readonly (Card | null)[]): string => {
  const last = cards.at(-1) ?? null;
  return last === null ? '' : RANK_NAMES[rankOf(last)]!;
};

/** Over the narrow hands of a seat that has split more than twice stands the higher total alone. */
const MOST_WITH_BOTH = 3;

/**
 * 'BJ', '16', and where both have room '8/18' while a soft hand may still take a card.
 */
export function totalText(points: number, soft: boolean, blackjack: boolean, both: boolean): string {
  if (blackjack) return 'BJ';
  return soft && both && points < 21 ? `${points - 10}/${points}` : `${points}`;
}

export function seatBadges(table: TableLayout, seat: SeatView): BadgePiece[] {
  const hands = seat.hands.length;
  return seat.hands.flatMap((hand, h) => {
    const war = table.form.game === 'casino-war';
    if (
      hand.cards.length === 0 ||
      (hand.status === 'surrendered' && !war) ||
      hand.faceDown ||
      hand.points === null
    )
      return [];
    const laid = layHand(
      table,
      seat.seat,
      h,
      hands,
      hand.cards.length,
      hand.doubled && hand.cards.length > 2,
    );
    const natural =
      !war &&
      (hand.status === 'blackjack' || (hand.cards.length === 2 && hand.points === 21 && !hand.fromSplit));
    const text = war
      ? rankText(hand.cards)
      : totalText(hand.points, hand.soft, natural, hand.status === 'open' && hands <= MOST_WITH_BOTH);
    const tone: BadgeTone = natural
      ? 'blackjack'
      : hand.status === 'busted'
        ? 'busted'
        : seat.turnHand === h
          ? 'turn'
          : 'total';
    const size = badgeSize(table, hands, text);
    const at = badgeCentre(laid, size.width);
    return [{ key: `${seat.seat}/${h}`, owner: seat.seat, text, tone, at, ...size }];
  });
}

/** Which side of baccarat has won, by the Banker's points less the Player's. */
function verdict(table: TableLayout, ahead: number): BadgePiece[] {
  if (table.verdict === null) return [];
  const u = table.unit;
  const key = `verdict.${ahead > 0 ? 'banker' : ahead < 0 ? 'player' : 'tie'}` as const;
  const text = printedLine(table.form, (t) => t(key));
  const tone: BadgeTone = ahead > 0 ? 'blackjack' : ahead < 0 ? 'player' : 'total';
  return [
    {
      key: '0/verdict',
      owner: 0,
      text,
      tone,
      at: table.verdict,
      width: 314 * u,
      height: 42 * u,
      font: 22 * u,
    },
  ];
}

/** Totals of the bank, and in baccarat of both sides. */
export function bankBadges(table: TableLayout, view: TableView): BadgePiece[] {
  const { bank, playerSide } = view;
  const badge = (
    key: string,
    text: string,
    tone: BadgeTone,
    laid: HandPlacement,
    hands: number,
  ): BadgePiece => {
    const size = badgeSize(table, hands, text);
    return { key, owner: 0, text, tone, at: badgeCentre(laid, size.width), ...size };
  };
  if (table.form.game === 'baccarat') {
    const sides = [
      { key: '0/0', side: bank, laid: layBank(table, bank.cards.length) },
      { key: '0/1', side: playerSide, laid: layPlayerSide(table, playerSide?.cards.length ?? 0) },
    ];
    const most = Math.max(bank.points ?? 0, playerSide?.points ?? 0);
    const ended = view.phase === 'settled' && bank.points !== null && playerSide?.points != null;
    const points = sides.flatMap(({ key, side, laid }) => {
      if (side === null || side.points === null || side.cards.length === 0) return [];
      return [badge(key, `${side.points}`, ended && side.points === most ? 'won' : 'total', laid, 0)];
    });
    return ended ? [...points, ...verdict(table, bank.points - playerSide.points)] : points;
  }
  if (bank.points === null || bank.cards.length === 0) return [];
  const text =
    table.form.game === 'casino-war'
      ? rankText(bank.cards)
      : totalText(bank.points, bank.soft, bank.blackjack, view.phase !== 'settled');
  const tone: BadgeTone = bank.blackjack ? 'blackjack' : bank.busted ? 'busted' : 'total';
  return [badge('0/0', text, tone, layBank(table, bank.cards.length), 1)];
}

/** Outcomes that have a word of their own on the ribbon; others read as won, lost or even. */
const WORDS = new Set([
  'win',
  'lose',
  'push',
  'blackjack',
  'even-money',
  'surrender',
  'five-card-half',
  'special-prize',
  'busted',
  'half-loss',
  'war-win',
  'war-tie',
  'war-lose',
  'banker-six',
  'jackpot',
]);
const wordKey = (outcome: string, net: number): string =>
  WORDS.has(outcome) ? outcome : net > 0 ? 'win' : net < 0 ? 'lose' : 'push';

/**
 * What wins so many times its stake, or the jackpot, makes a big win of a round that has won on the
 * whole.
 */
const BIG_TIMES = 10;
const isBig = ({ netMinor, outcome, odds }: SettlementLine): boolean =>
  netMinor > 0 && (outcome === 'jackpot' || (odds !== null && odds[0] >= BIG_TIMES * odds[1]));

export function seatRibbon(table: TableLayout, seat: SeatView): RibbonPiece | null {
  const place = table.seats[seat.seat - 1]!;
  const ribbon = (
    net: number | null,
    outcome: string | null,
    tone: RibbonTone,
    big = false,
  ): RibbonPiece => ({
    seat: seat.seat,
    at: place.ribbon,
    width: place.zone.width - 12 * table.unit,
    amount: net === null || net === 0 ? '' : signedText(net, seat.language),
    word:
      outcome === null
        ? ''
        : outcome === 'busted'
          ? feltText(seat.language)('busted')
          : outcome === 'bigWin'
            ? feltText(seat.language)('bigWin')
            : outcome === 'even'
              ? tableText(seat.language)('result.even')
              : textOfCode('table', 'outcome', outcome, seat.language),
    tone,
    light: big ? { x: place.ribbon.x, y: place.y } : null,
  });
  // what the chips in front have come to; those behind tell it themselves
  const inFront = seat.lines.filter((line) => line.by === seat.front);
  const lines = inFront.length > 0 ? inFront : seat.lines;
  if (lines.length > 0) {
    const net = lines.reduce((sum, line) => sum + line.netMinor, 0);
    // side bets are shown on their own spots
    const mains = lines.filter(
      (line) => line.bet === 'main' || line.bet === 'specialPrize' || line.outcome === 'jackpot',
    );
    const words = new Set(
      (mains.length > 0 ? mains : lines).map((line) => wordKey(line.outcome, line.netMinor)),
    );
    if (words.has('lose') && seat.hands.length === 1 && seat.hands[0]!.status === 'busted') {
      words.delete('lose');
      words.add('busted');
    }
    // a word that says the contrary of the sum beside it is left out: a lost hand whose side bet
    // has won more
    const mainNet = (mains.length > 0 ? mains : lines).reduce((sum, line) => sum + line.netMinor, 0);
    const only =
      Math.sign(mainNet) !== Math.sign(net)
        ? null
        : words.size === 1
          ? [...words][0]!
          : words.has('jackpot')
            ? 'jackpot'
            : words.has('special-prize')
              ? 'special-prize'
              : null;
    const big = net > 0 && lines.some(isBig);
    const word = big && (only === null || only === 'win') ? 'bigWin' : only;
    const tone =
      big || only === 'blackjack' || only === 'special-prize'
        ? 'natural'
        : net > 0
          ? 'won'
          : net < 0
            ? 'lost'
            : 'even';
    return ribbon(net, word ?? (net === 0 ? 'even' : null), tone, big);
  }
  if (seat.hands.length === 1 && seat.hands[0]!.status === 'busted') return ribbon(null, 'busted', 'lost');
  return null;
}

export function bannerOf(view: TableView): Banner | null {
  const languages = FELT_LANGUAGES[homeOf(view.table.rulebook)];
  const closed = (key: 'service' | 'closed'): Banner => ({
    tone: 'closed',
    titles: languages.map((language) => feltText(language)(key)),
    reasons: [],
  });
  if (view.service !== null) return closed('service');
  if (view.hold !== null) {
    const key = `hold.${view.hold.code}` as const;
    return {
      tone: 'hold',
      titles: languages.map((language) => tableText(language)('hold.title')),
      reasons: languages.map((language) => tableText(language)(key)),
    };
  }
  return view.phase === 'closed' ? closed('closed') : null;
}
