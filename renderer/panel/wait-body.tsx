import type { HandView, SeatView, TableView } from '../../wire/view.ts';
import { OwnCards } from '../parts/bilingual.tsx';
import { lawfulDefault } from '../parts/lawful-default.ts';
import { ownBets, pointsText } from '../parts/mode.ts';
import { useWords } from '../station/words.ts';
import { formGameOf } from '../table/form.ts';
import type { TableText } from '../texts/i18n.ts';
import { AccountRow } from './account-row.tsx';
import { BetPills } from './bet-pills.tsx';
import { BETWEEN_ROUNDS, idleTitle, waitReason } from './wait-reason.ts';

/** While there is nothing to touch: what the seat has, and what it waits for. */
export function WaitBody(props: {
  readonly seat: SeatView;
  readonly view: TableView;
  /** Back to even money, which is still theirs; null = it is not. */
  readonly onEvenMoney: (() => void) | null;
}) {
  const { seat, view, onEvenMoney } = props;
  const { t, money } = useWords();
  const game = formGameOf(view.table.rulebook);
  const own = ownBets(view, seat);
  const staked = own.reduce((sum, bet) => sum + bet.amountMinor, 0);
  const beside = own.filter(({ seat: place, bet }) => place === seat.seat && bet !== 'main');
  // without a bet of their own the player looks at the hand they have bet on
  const played = view.seats.find((each) => each.seat === own[0]?.seat) ?? seat;
  const elsewhere = view.seats.flatMap(({ seat: place }) => {
    const laid = own.reduce((sum, bet) => sum + (bet.seat === place ? bet.amountMinor : 0), 0);
    return place === seat.seat || laid === 0 ? [] : [{ place, laid }];
  });
  const insured = view.seats
    .flatMap(({ insurance }) => insurance)
    .reduce((sum, { by, amountMinor }) => sum + (by === seat.seat ? amountMinor : 0), 0);
  const playing = staked > 0;
  const byDefault = lawfulDefault(view.table.rulebook, t);
  // A dealer who must call a supervisor opens no round: that is all there is to say.
  const isForStaff = BETWEEN_ROUNDS.has(view.phase) && view.dealer.step.step === 'call-supervisor';
  const saysDefault = !playing && !isForStaff && BETWEEN_ROUNDS.has(view.phase) && byDefault !== null;
  return (
    <div class="message message-wait">
      {playing ? (
        <>
          {played !== seat && <strong>{t('seat.name', { seat: played.seat })}</strong>}
          <Hands hands={played.hands} t={t} war={game === 'casino-war'} />
        </>
      ) : (
        !isForStaff && !seat.last && <strong>{idleTitle(view, seat, t)}</strong>
      )}
      {isForStaff ? (
        <span>{t(view.ledgerFaults.includes('link-overdue') ? 'wait.offline' : 'hold.machine-fault')}</span>
      ) : (
        // Who waits for an attendant has a line less of room, and knows why nothing begins; what
        // would be done by default is more than that a round begins soon.
        (playing || (!seat.callsAttendant && !saysDefault)) && (
          <span class="quiet">{waitReason(view, seat, t)}</span>
        )
      )}
      {beside.length > 0 && <BetPills bets={beside} />}
      {elsewhere.length > 0 && (
        <ul class="own-bets">
          {elsewhere.map(({ place, laid }) => (
            <li key={place}>
              {t('seat.name', { seat: place })} <b>{money(laid)}</b>
            </li>
          ))}
        </ul>
      )}
      {staked > 0 && (game !== 'baccarat' || own.length > 1) && (
        <span class="staked">
          {t('bet.yours')} <b>{money(staked)}</b>
        </span>
      )}
      {insured > 0 && <span class="staked">{t('bet.insured', { amount: insured })}</span>}
      {seat.callsAttendant && <span class="called">{t('seat.attendantCalled')}</span>}
      {saysDefault && <span class="quiet by-default">{byDefault}</span>}
      {onEvenMoney && (
        <button type="button" class="button" onClick={onEvenMoney}>
          {t('act.evenMoney')}
        </button>
      )}
      {!playing && isShortOfRoom(view, seat) && (
        <span class="quiet">
          {seat.largestNoteMinor == null
            ? t('seat.notesNone')
            : t('seat.notesUpTo', { amount: seat.largestNoteMinor })}
        </span>
      )}
      {!playing && <AccountRow seat={seat} />}
    </div>
  );
}

/** There are notes of the table that this seat has no room for. */
const isShortOfRoom = ({ table, noteSeat }: TableView, seat: SeatView): boolean =>
  seat.largestNoteMinor !== undefined &&
  (table.acceptors === 'per-seat' || noteSeat === seat.seat) &&
  table.notesMinor.some((note) => note > (seat.largestNoteMinor ?? 0));

function Hands(props: {
  readonly hands: readonly HandView[];
  readonly t: TableText;
  /** What counts is the rank of a card: it is shown itself. */
  readonly war: boolean;
}) {
  const { hands, t } = props;
  const first = hands[0];
  if (!first || first.cards.length === 0) return null;
  if (props.war) {
    return (
      <p class="one-hand one-hand-cards">
        <OwnCards cards={first.cards} />
      </p>
    );
  }
  if (hands.length > 1) {
    return (
      <ol class="hands">
        {hands.map((hand, index) => (
          <li
            key={index}
            class={`hand hand-${hand.status}`}
            data-unspoken={hand.faceDown ? '' : undefined}
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
    <p class={`one-hand hand-is-${first.status}`} data-unspoken={first.faceDown ? '' : undefined}>
      {first.faceDown && <OwnCards cards={first.cards} />}
      <strong>{natural ? t('hand.blackjack') : pointsText(first, t)}</strong>
      {!natural && first.status !== 'open' && first.status !== 'done' && (
        <span class="hand-state">{t(`hand.${first.status}`)}</span>
      )}
    </p>
  );
}
