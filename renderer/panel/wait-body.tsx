import type { HandView, SeatView, TableView } from '../../host/api.ts';
import type { TableText } from '../i18n.ts';
import { useWords } from '../words.ts';
import { AccountRow } from './account-row.tsx';

/** While there is nothing to touch: what the seat has, and what it waits for. */
export function WaitBody({ seat, view }: { seat: SeatView; view: TableView }) {
  const { t, money } = useWords();
  const staked = seat.bets.reduce((sum, bet) => sum + (bet.by === seat.seat ? bet.amountMinor : 0), 0);
  const playing = seat.hands.length > 0 || staked > 0;
  return (
    <div class="message message-wait">
      {playing ? <Hands hands={seat.hands} t={t} /> : <strong>{idleTitle(view, seat, t)}</strong>}
      <span class="quiet">{waitReason(view, seat, t)}</span>
      {staked > 0 && (
        <span class="staked">
          {t('bet.yours')} <b>{money(staked)}</b>
        </span>
      )}
      {seat.insuranceMinor !== null && seat.insuranceMinor > 0 && (
        <span class="staked">{t('bet.insured', { amount: seat.insuranceMinor })}</span>
      )}
      {seat.callsAttendant && <span class="called">{t('seat.attendantCalled')}</span>}
      {!playing && <AccountRow seat={seat} />}
    </div>
  );
}

function Hands({ hands, t }: { readonly hands: readonly HandView[]; readonly t: TableText }) {
  const first = hands[0];
  if (!first || first.cards.length === 0) return null;
  if (hands.length > 1) {
    return (
      <ol class="hands">
        {hands.map((hand, index) => (
          <li
            key={index}
            class={`hand hand-${hand.status}`}
            aria-label={`${t('hand.short', { n: index + 1 })} ${pointsText(hand, t)} ${t(`hand.${hand.status}`)}`}
          >
            {hand.points}
          </li>
        ))}
      </ol>
    );
  }
  const natural = first.status === 'blackjack' || (first.status === 'paid' && first.points === 21);
  return (
    <p class={`one-hand hand-is-${first.status}`}>
      <strong>{natural ? t('hand.blackjack') : pointsText(first, t)}</strong>
      {!natural && first.status !== 'open' && first.status !== 'done' && (
        <span class="hand-state">{t(`hand.${first.status}`)}</span>
      )}
    </p>
  );
}

const pointsText = (hand: HandView, t: TableText): string =>
  t(hand.soft ? 'wait.softPoints' : 'wait.points', { points: hand.points });

function idleTitle(view: TableView, seat: SeatView, t: TableText): string {
  if (view.phase === 'closed') return t('wait.closed');
  if (view.phase === 'shoe') return t('wait.shoe');
  if (seat.creditMinor === 0 && !seat.cashOut) return t('wait.noCredit');
  return t('wait.nextRound');
}

/** Phases in which nothing of a round is under way. */
const BETWEEN_ROUNDS: ReadonlySet<TableView['phase']> = new Set(['closed', 'shoe', 'idle']);

function waitReason(view: TableView, seat: SeatView, t: TableText): string {
  if (BETWEEN_ROUNDS.has(view.phase)) return t('wait.soon');
  if (view.phase === 'betting') return t('wait.noCredit');
  if (seat.bets.length === 0 && seat.hands.length === 0) return t('wait.noBet');
  switch (view.phase) {
    case 'dealing':
      return t('wait.dealing');
    case 'offers':
      return t('wait.others');
    case 'bank':
      return t('wait.bankDraws');
    case 'settled':
      return t('wait.settling');
    default:
      return turnReason(view, seat, t);
  }
}

function turnReason(view: TableView, seat: SeatView, t: TableText): string {
  const waiting = (each: SeatView): boolean => each.hands.some((hand) => hand.status === 'open');
  const deciding = view.seats.find((each) => each.turnHand !== null)?.seat ?? view.deadline?.seat ?? null;
  if (!waiting(seat)) return t('wait.bank');
  const next = view.seats.find((each) => each.seat > (deciding ?? 0) && waiting(each));
  if (deciding !== null && next?.seat === seat.seat) return t('wait.youNext');
  return deciding === null ? t('wait.others') : t('wait.seatDecides', { seat: deciding });
}
