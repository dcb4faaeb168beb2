import type { HandView, SeatView, TableView } from '../../host/api.ts';
import type { TableText } from '../i18n.ts';
import { useWords } from '../words.ts';
import { AccountRow } from './account-row.tsx';

/** While there is nothing to touch: what the seat has, and what it waits for. */
export function WaitBody({ seat, view }: { seat: SeatView; view: TableView }) {
  const { t } = useWords();
  const playing = seat.hands.length > 0 || seat.bets.length > 0;
  return (
    <div class="message message-wait">
      {playing ? <Hands hands={seat.hands} t={t} /> : <strong>{idleTitle(view, seat, t)}</strong>}
      <span class="quiet">{waitReason(view, seat, t)}</span>
      {seat.insuranceMinor !== null && seat.insuranceMinor > 0 && (
        <span class="quiet">{t('bet.insured', { amount: seat.insuranceMinor })}</span>
      )}
      {seat.callsAttendant && <span class="called">{t('seat.attendantCalled')}</span>}
      {!playing && <AccountRow seat={seat} />}
    </div>
  );
}

function Hands({ hands, t }: { readonly hands: readonly HandView[]; readonly t: TableText }) {
  const first = hands[0];
  if (!first) return null;
  if (hands.length === 1) return <strong>{handText(first, t)}</strong>;
  return (
    <ol class="hands">
      {hands.map((hand, index) => (
        // A hand has no name but its place.
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is the hand's identity
        <li
          key={index}
          class={`hand hand-${hand.status}`}
          aria-label={`${t('hand.short', { n: index + 1 })} ${handText(hand, t)}`}
        >
          {hand.points}
        </li>
      ))}
    </ol>
  );
}

function handText(hand: HandView, t: TableText): string {
  if (hand.status === 'blackjack') return t('hand.blackjack');
  const points = t(hand.soft ? 'wait.softPoints' : 'wait.points', { points: hand.points });
  return hand.status === 'open' || hand.status === 'done'
    ? points
    : `${t(`hand.${hand.status}`)} · ${points}`;
}

function idleTitle(view: TableView, seat: SeatView, t: TableText): string {
  if (view.phase === 'closed') return t('wait.closed');
  if (view.phase === 'shoe') return t('wait.shoe');
  if (seat.creditMinor === 0 && !seat.cashOut) return t('wait.noCredit');
  return t('wait.nextRound');
}

function waitReason(view: TableView, seat: SeatView, t: TableText): string {
  const betting = seat.bets.length > 0 || seat.hands.length > 0;
  switch (view.phase) {
    case 'closed':
    case 'shoe':
    case 'idle':
      return t('wait.soon');
    case 'betting':
      return t('wait.noCredit');
    case 'dealing':
      return betting ? t('wait.dealing') : t('wait.noBet');
    case 'offers':
      return betting ? t('wait.others') : t('wait.noBet');
    case 'bank':
      return betting ? t('wait.bankDraws') : t('wait.noBet');
    case 'settled':
      return betting ? t('wait.settling') : t('wait.noBet');
    case 'turns':
      return betting ? turnReason(view, seat, t) : t('wait.noBet');
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
