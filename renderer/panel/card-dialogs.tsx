import { useState } from 'preact/hooks';
import type { Card } from '../../engine/core/cards.ts';
import { cardOf, RANKS, rankOf, suitOf } from '../../engine/core/cards.ts';
import { SUPERVISORS } from '../../engine/table/duties.ts';
import { Bi, biText } from '../parts/bilingual.tsx';
import { rankText, SUIT_SIGNS } from '../parts/card-text.ts';
import { useView } from '../station/station.ts';
import { Frame, Seats, type SendProps, StaffPad } from './dialog-parts.tsx';

/**
 * art. 2.1.1: any player cuts, or the bank when nobody wants to; r.8: the player whose turn it is,
 * else the supervisor.
 */
export function CutShoe({ open, send }: SendProps) {
  const { seats, dealer } = useView();
  const turn = dealer.step.step === 'cut-shoe' ? dealer.step.seat : null;
  if (turn === 0) {
    return (
      <StaffPad
        title={(t) => t('dealer.supervisorPin')}
        roles={SUPERVISORS}
        onCredential={(credential) => send({ type: 'cut-shoe', seat: null, credential })}
        onClose={() => open(null)}
      />
    );
  }
  if (turn !== null) {
    return (
      <Frame title={(t) => t('step.cut-in-turn', { seat: turn })} open={open}>
        <button
          type="button"
          class="button button-gold"
          onClick={() => send({ type: 'cut-shoe', seat: turn })}
        >
          <Bi text={(t) => t('confirm.cut-shoe')} />
        </button>
        <button type="button" class="button" onClick={() => send({ type: 'refuse-cut', seat: turn })}>
          <Bi text={(t) => t('option.refuse-cut')} />
        </button>
      </Frame>
    );
  }
  return (
    <Frame title={(t) => t('dealer.whoCuts')} open={open}>
      <Seats seats={seats.map((seat) => seat.seat)} onTouch={(seat) => send({ type: 'cut-shoe', seat })} />
      <button type="button" class="button button-gold" onClick={() => send({ type: 'cut-shoe', seat: null })}>
        <Bi text={(t) => t('dealer.bank')} />
      </button>
    </Frame>
  );
}

/** art. 2.1.1: the second white card with the last 30 cards or more behind it. */
export function EndCard({ open, send }: SendProps) {
  const { dealer, table, shoe } = useView();
  const least = dealer.step.step === 'place-end-card' ? dealer.step.minBehind : 0;
  const usual = table.options['cutBehind'];
  const [behind, setBehind] = useState(typeof usual === 'number' ? Math.max(usual, least) : least);
  const move = (by: number): void =>
    setBehind(Math.min(Math.max(behind + by, least), Math.max(least, shoe.remaining)));
  const stepKey = (by: number) => (
    <button
      type="button"
      class="key"
      aria-label={biText((t) => t(by < 0 ? 'dealer.fewer' : 'dealer.more', { count: Math.abs(by) }))}
      onClick={() => move(by)}
    >
      {by < 0 ? `−${-by}` : `+${by}`}
    </button>
  );
  return (
    <Frame title={(t) => t('dealer.behind')} open={open}>
      <div class="stepper">
        {stepKey(-10)}
        {stepKey(-1)}
        <output>{behind}</output>
        {stepKey(1)}
        {stepKey(10)}
      </div>
      <button
        type="button"
        class="button button-gold"
        onClick={() => send({ type: 'place-end-card', cardsBehind: behind })}
      >
        <Bi text={(t) => t('confirm.place-end-card')} />
      </button>
    </Frame>
  );
}

/**
 * A card the shoe could not read for certain: the dealer says which one lies there, with a
 * supervisor if it is another.
 */
export function PickCard({ open, send }: SendProps) {
  const { dealer, hold } = useView();
  const read = dealer.step.step === 'confirm-card' ? dealer.step.card : null;
  const [suit, setSuit] = useState<number | null>(read === null ? null : suitOf(read));
  const [rank, setRank] = useState<number | null>(read === null ? null : rankOf(read));
  const [asksPin, setAsksPin] = useState(false);
  const card: Card | null = suit === null || rank === null ? null : cardOf(suit, rank);
  if (asksPin && card !== null) {
    return (
      <StaffPad
        title={(t) => t('dealer.supervisorPin')}
        roles={SUPERVISORS}
        onCredential={(credential) => send({ type: 'confirm-card', card, credential })}
        onClose={() => open(null)}
      />
    );
  }
  return (
    <Frame title={(t) => t('dealer.whichCard')} open={open}>
      <div class="card-picker">
        {(['S', 'H', 'D', 'C'] as const).map((name, index) => (
          <button
            type="button"
            key={name}
            class={`key suit-key suit-${index}`}
            aria-label={biText((t) => t(`dealer.suit.${name}`))}
            aria-pressed={suit === index}
            onClick={() => setSuit(index)}
          >
            {SUIT_SIGNS[index]}
          </button>
        ))}
        {[...RANKS].map((name, index) => (
          <button
            type="button"
            key={name}
            class="key rank-key"
            aria-pressed={rank === index}
            onClick={() => setRank(index)}
          >
            {rankText(index)}
          </button>
        ))}
        <button
          type="button"
          class="button button-gold pick-ok"
          disabled={card === null}
          onClick={() => {
            if (card === null) return;
            if (card === hold?.card) send({ type: 'confirm-card', card });
            else setAsksPin(true);
          }}
        >
          <Bi text={(t) => t('pin.ok')} />
        </button>
      </div>
    </Frame>
  );
}
