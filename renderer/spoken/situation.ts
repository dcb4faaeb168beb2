/**
 * What a seat hears in one breath: all that somebody needs who sees nothing of the table, in the
 * seat's words. Nothing that lies face down is in it.
 */
import type { Card } from '../../engine/core/cards.ts';
import type { HandView, SeatView, TableView } from '../../wire/view.ts';
import { amountToLay, costsOf, insuranceWins, stakeOf } from '../panel/costs.ts';
import { decisionOf } from '../panel/decision.ts';
import { questionText } from '../panel/question.ts';
import { sumWord } from '../panel/sum-word.ts';
import { idleTitle, waitReason } from '../panel/wait-reason.ts';
import { cardWords } from '../parts/card-text.ts';
import { choicesNow, insuranceAmounts, ownBets, panelMode, pointsText } from '../parts/mode.ts';
import { secondsLeft } from '../station/station.ts';
import { formGameOf } from '../table/form.ts';
import { durationText } from '../texts/clock.ts';
import { formatMoney, type TableText, tableText, textOfCode } from '../texts/i18n.ts';

type Parts = readonly (string | null)[];

/** Everything that stands on the panel now. */
export function situation(view: TableView, seat: SeatView): Parts {
  const t = tableText(seat.language);
  const mode = panelMode(view, seat);
  switch (mode) {
    case 'service':
      return [t('seat.inService')];
    case 'hold':
      return [t('hold.title'), t(`hold.${view.hold!.code}`), t('hold.safe')];
    case 'decide':
      return decision(view, seat, t);
    case 'cash-out':
      return [t('cashOut.title'), formatMoney(seat.cashOut!.amountMinor, seat.language), t('cashOut.coming')];
    case 'result':
      return result(view, seat, t);
    case 'limit': {
      const { reached, sinceMs, resultMinor } = seat.session!;
      return [
        reached === 'time'
          ? t('session.reachedTime', { time: durationText(Math.max(0, view.nowMs - sinceMs), t) })
          : t('session.reachedLoss', { amount: Math.max(0, -resultMinor) }),
        t('session.pause'),
      ];
    }
    case 'bet':
      return [
        t('speech.betsOpen'),
        ...lastRound(seat, t),
        limits(view, seat, t),
        laid(view, seat, t),
        balance(seat, t),
        timeLeft(view, t),
      ];
    case 'free':
      return [t('seat.free'), t('seat.insertNotes'), t('seat.notesFrom', { notes: notes(view, seat) })];
    case 'wait':
      return waiting(view, seat, t);
  }
}

const limits = ({ table }: TableView, { language }: SeatView, t: TableText): string => {
  const { minMinor, maxMinor } = table;
  return t('bet.limits', { min: formatMoney(minMinor, language), max: formatMoney(maxMinor, language) });
};

const notes = ({ table }: TableView, { language }: SeatView): string =>
  table.notesMinor.map((note) => formatMoney(note, language)).join(', ');

export const balance = (seat: SeatView, t: TableText): string =>
  `${t('seat.balance')} ${formatMoney(seat.creditMinor, seat.language)}`;

const timeLeft = ({ deadline, nowMs }: TableView, t: TableText): string | null =>
  deadline && t('speech.seconds', { count: secondsLeft(deadline.atMs, nowMs) });

/** What this bettor has laid; null = nothing. */
export function laid(view: TableView, seat: SeatView, t: TableText): string | null {
  const bets = ownBets(view, seat);
  if (bets.length === 0) return null;
  const each = bets.map(
    ({ seat: on, bet, amountMinor }) =>
      `${on === seat.seat ? '' : `${t('seat.name', { seat: on })}, `}${textOfCode('table', 'bet.name', bet, seat.language)} ${formatMoney(amountMinor, seat.language)}`,
  );
  return `${t('bet.yours')}: ${each.join(', ')}`;
}

const cardsAloud = (cards: readonly (Card | null)[], t: TableText): string =>
  cards.flatMap((card) => (card === null ? [] : [cardWords(card, t)])).join(', ');

/** What the round before came to, until the next bet. */
function lastRound({ seat: own, last, language }: SeatView, t: TableText): Parts {
  if (!last) return [];
  const { netMinor, stakeMinor, cards } = last;
  const sum = netMinor > 0 ? t('result.win') : netMinor < 0 ? t('result.lose') : t('result.even');
  const laid = [
    ...(cards?.hands ?? []).map((hand) => ({
      name: hand.seat === own ? t('speech.yourCards') : t('seat.name', { seat: hand.seat }),
      cards: hand.cards,
    })),
    { name: t('bet.name.player'), cards: cards?.playerSide ?? [] },
    { name: t('dealer.bank'), cards: cards?.bank ?? [] },
  ];
  return [
    `${t('result.last')}: ${sum}${netMinor === 0 ? '' : ` ${formatMoney(Math.abs(netMinor), language)}`}`,
    `${t('bet.yours')} ${formatMoney(stakeMinor, language)}`,
    ...laid.flatMap(({ name, cards }) => (cards.length === 0 ? [] : [`${name}: ${cardsAloud(cards, t)}`])),
  ];
}

/** Its cards and their total, where they lie open. */
export function handWords(hand: HandView, t: TableText): string | null {
  if (hand.faceDown) return t('speech.faceDown');
  const open = hand.cards.filter((card) => card !== null);
  if (open.length === 0) return null;
  const total = hand.status === 'blackjack' ? t('hand.blackjack') : pointsText(hand, t);
  return [`${t('speech.yourCards')}: ${cardsAloud(open, t)}`, total].join(', ');
}

/** In casino war the cards alone count. */
const ownHand = (view: TableView, hand: HandView, t: TableText): string | null =>
  formGameOf(view.table.rulebook) === 'casino-war'
    ? handWords({ ...hand, points: null }, t)
    : handWords(hand, t);

function bankWords({ bank }: TableView, t: TableText): string | null {
  const open = bank.cards.filter((card) => card !== null);
  if (open.length === 0) return null;
  return `${t('dealer.bank')}: ${cardsAloud(open, t)}`;
}

function decision(view: TableView, seat: SeatView, t: TableText): Parts {
  const choices = choicesNow(seat);
  const first = choices[0]!;
  const subject = view.seats.find((each) => each.seat === first.seat) ?? seat;
  const hand = subject.hands[first.hand];
  const { question, acts, insurance, surrender, mayWait } = decisionOf(choices);
  const stakeMinor = stakeOf(subject, hand, seat.seat);
  const isHidden = hand?.faceDown ?? false;
  const waits = question === 'evenMoney' ? t('offer.wait') : t('act.playOn');
  const priced = (act: Parameters<typeof costsOf>[0], name: string, choice?: (typeof choices)[number]) => {
    const amountMinor = choice?.amountMinor ?? (choice && amountToLay(choice, subject, seat.seat));
    // What a hand stays at tells what it has.
    const costs =
      act === 'stand' && isHidden
        ? []
        : costsOf(act, { view, hand, question, stakeMinor, amountMinor }, t, seat.language, formatMoney);
    return [name, ...costs].join(', ');
  };
  const parts =
    insurance && insurance.insure.minMinor !== null && insurance.insure.maxMinor !== null
      ? [
          ...(insurance.no === null ? [] : [t('act.declineInsurance')]),
          ...insuranceAmounts(insurance.insure.minMinor, insurance.insure.maxMinor).map(
            (amount) =>
              `${t('act.insure')}, ${t('cost.costs', { amount: formatMoney(amount, seat.language) })}, ${t('cost.wins', { amount: formatMoney(insuranceWins(amount), seat.language) })}`,
          ),
        ]
      : [];
  const buttons = [
    ...acts.map((choice) =>
      priced(choice.act, choice.act === 'playOn' ? waits : t(`act.${choice.act}`), choice),
    ),
    ...(mayWait ? [priced('wait', waits)] : []),
    ...parts,
    ...(surrender ? [priced('surrender', t('act.surrender'), surrender)] : []),
  ];
  return [
    subject.seat === seat.seat ? null : t('seat.name', { seat: subject.seat }),
    subject.hands.length > 1 ? t('hand.label', { n: first.hand + 1, count: subject.hands.length }) : null,
    hand ? ownHand(view, hand, t) : null,
    bankWords(view, t),
    isHidden ? t('offer.decide') : questionText(question, view, { subject, hand }, t),
    ...buttons.map((button, index) => `${index + 1}: ${button}`),
    timeLeft(view, t),
  ];
}

function result(view: TableView, seat: SeatView, t: TableText): Parts {
  const { lines, netMinor } = seat.result!;
  const money = (amountMinor: number): string => formatMoney(Math.abs(amountMinor), seat.language);
  const { bank, playerSide } = view;
  const points = (amount: number): string => t('wait.points', { points: amount, count: amount });
  const totals =
    playerSide !== null
      ? [
          `${t('bet.name.player')} ${points(playerSide.points ?? 0)}`,
          `${t('bet.name.banker')} ${points(bank.points ?? 0)}`,
        ]
      : formGameOf(view.table.rulebook) === 'casino-war'
        ? [bankWords(view, t)]
        : bank.points === null
          ? []
          : [
              `${t('dealer.bank')} ${bank.blackjack ? t('hand.blackjack') : points(bank.points)}${bank.busted ? `, ${t('hand.busted')}` : ''}`,
            ];
  const each =
    lines.length === 1
      ? []
      : lines.map(
          (line) =>
            `${
              line.bet === 'main'
                ? textOfCode('table', 'outcome', line.outcome, seat.language)
                : textOfCode('table', 'bet.name', line.bet, seat.language)
            }: ${line.netMinor > 0 ? t('result.win') : line.netMinor < 0 ? t('result.lose') : t('result.even')} ${line.netMinor === 0 ? '' : money(line.netMinor)}`,
        );
  return [
    ...totals,
    ...each,
    `${sumWord(seat.result!, t)}${netMinor === 0 ? '' : ` ${money(netMinor)}`}`,
    balance(seat, t),
  ];
}

function waiting(view: TableView, seat: SeatView, t: TableText): Parts {
  const own = ownBets(view, seat);
  const [bet] = own;
  const played = view.seats.find((each) => each.seat === bet?.seat);
  return [
    ...(bet ? [] : seat.last ? lastRound(seat, t) : [idleTitle(view, seat, t)]),
    ...(played?.hands ?? []).map((hand) => ownHand(view, hand, t)),
    bankWords(view, t),
    waitReason(view, seat, t),
    laid(view, seat, t),
    balance(seat, t),
  ];
}
