import { useState } from 'preact/hooks';
import type { Card } from '../../engine/core/cards.ts';
import { cardOf, RANKS, rankOf, suitOf } from '../../engine/core/cards.ts';
import { SUPERVISORS } from '../../engine/table/duties.ts';
import { CARD_REASONS, type CardReason } from '../../engine/table/inputs.ts';
import { Bi, biText } from '../parts/bilingual.tsx';
import { cardText, rankText, SUIT_SIGNS } from '../parts/card-text.ts';
import { Icon } from '../parts/icons.tsx';
import { useView } from '../station/station.ts';
import { Frame, Reasons, Seats, type SendProps, StaffPad } from './dialog-parts.tsx';

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

/** At the end of a shoe: both counts, then a supervisor where they are not as many as must be. */
export function CountCards({ open, send }: SendProps) {
  const [counts, setCounts] = useState<readonly number[]>([]);
  const [typed, type] = useState('');
  const [differs, say] = useState(false);
  const [left, discarded] = counts;
  if (differs && left !== undefined && discarded !== undefined)
    return <NameCards open={open} send={send} left={left} discarded={discarded} />;
  if (left !== undefined && discarded !== undefined) {
    return (
      <Frame title={(t) => t('dealer.counted', { left, discarded })} open={open} back={() => setCounts([])}>
        <button
          type="button"
          class="button button-gold"
          onClick={() => send({ type: 'count-cards', left, discarded })}
        >
          <Bi text={(t) => t('dealer.countAll')} />
        </button>
        <button type="button" class="button" onClick={() => say(true)}>
          <Bi text={(t) => t('dealer.countDiffers')} />
        </button>
      </Frame>
    );
  }
  return (
    <Frame title={(t) => t(left === undefined ? 'dealer.countLeft' : 'dealer.countDiscard')} open={open}>
      <p class="desk-sum" aria-live="polite">
        {typed === '' ? '–' : typed}
      </p>
      <div class="adjust-keys">
        {['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'].map((digit) => (
          <button type="button" class="key" key={digit} onClick={() => type(`${typed}${digit}`.slice(0, 3))}>
            {digit}
          </button>
        ))}
        <button type="button" class="key" aria-label={biText((t) => t('pin.erase'))} onClick={() => type('')}>
          <Icon name="erase" />
        </button>
        <button
          type="button"
          class="key"
          aria-label={biText((t) => t('pin.ok'))}
          disabled={typed === ''}
          onClick={() => {
            setCounts([...counts, Number(typed)]);
            type('');
          }}
        >
          <Icon name="check" />
        </button>
      </div>
    </Frame>
  );
}

const NO_CARDS: Readonly<Record<'missing' | 'extra', Card[]>> = { missing: [], extra: [] };

/** The supervisor's: each card that is missing or too many is named, then signed. */
function NameCards(props: SendProps & { readonly left: number; readonly discarded: number }) {
  const { left, discarded, open, send } = props;
  const [named, name] = useState(NO_CARDS);
  const [asks, ask] = useState<'missing' | 'extra' | 'pin' | null>(null);
  if (asks === 'pin')
    return (
      <StaffPad
        title={(t) => t('dealer.supervisorPin')}
        roles={SUPERVISORS}
        onCredential={(credential) => send({ type: 'count-cards', left, discarded, ...named, credential })}
        onClose={() => open(null)}
      />
    );
  if (asks !== null)
    return (
      <CardKeys
        first={null}
        open={open}
        onCard={(card) => {
          name({ ...named, [asks]: [...named[asks], card] });
          ask(null);
        }}
      />
    );
  const listed = (kind: 'missing' | 'extra'): string => named[kind].map(cardText).join(' ') || '–';
  return (
    <Frame title={(t) => t('dealer.countDiffers')} open={open} back={() => name(NO_CARDS)}>
      <div class="menu">
        {(['missing', 'extra'] as const).map((kind) => (
          <button type="button" class="button menu-item" key={kind} onClick={() => ask(kind)}>
            <Bi text={(t) => t(`dealer.cards.${kind}`, { cards: listed(kind) })} />
          </button>
        ))}
        <button type="button" class="button button-gold menu-item" onClick={() => ask('pin')}>
          <Bi text={(t) => t('dealer.supervisorPin')} />
        </button>
      </div>
    </Frame>
  );
}

/**
 * A card the shoe could not read for certain: the dealer says which one lies there, with a
 * supervisor and a reason if it is another.
 */
export function PickCard({ open, send }: SendProps) {
  const { dealer, hold } = useView();
  const read = dealer.step.step === 'confirm-card' ? dealer.step.card : null;
  const [card, setCard] = useState<Card | null>(null);
  const [said, say] = useState<{ reason: CardReason; words: string } | null>(null);
  if (card !== null && said !== null) {
    const { reason, words } = said;
    const why = { reason, ...(words === '' ? {} : { words }) };
    return (
      <StaffPad
        title={(t) => t('dealer.supervisorPin')}
        roles={SUPERVISORS}
        onCredential={(credential) => send({ type: 'confirm-card', card, ...why, credential })}
        onClose={() => open(null)}
      />
    );
  }
  if (card !== null) {
    return (
      <Reasons
        title={(t) => t('dealer.whyNamed', { card: cardText(card) })}
        reasons={CARD_REASONS}
        text={(reason) => (t) => t(`dealer.cardReason.${reason}`)}
        open={open}
        back={() => setCard(null)}
        onReason={(reason, words) => say({ reason, words })}
      />
    );
  }
  return (
    <CardKeys
      first={read}
      open={open}
      onCard={(chosen) => {
        if (chosen === hold?.card) send({ type: 'confirm-card', card: chosen });
        else setCard(chosen);
      }}
      {...(dealer.remedies.some(({ remedy }) => remedy === 'read-card-again') && {
        onReadAgain: () => send({ type: 'read-card-again' }),
      })}
    />
  );
}

/** r.5, r.51: a whole deck, or the single card that is named. */
export function ReplaceCards({ open, send }: SendProps) {
  const [what, setWhat] = useState<'deck' | 'card' | null>(null);
  const [card, setCard] = useState<Card | null>(null);
  if (what === 'card' && card === null) return <CardKeys first={null} open={open} onCard={setCard} />;
  if (what !== null) {
    return (
      <StaffPad
        title={(t) => t('dealer.supervisorPin')}
        roles={SUPERVISORS}
        onCredential={(credential) =>
          send({ type: 'replace-cards', what, ...(card === null ? {} : { card }), credential })
        }
        onClose={() => open(null)}
      />
    );
  }
  return (
    <Frame title={(t) => t('option.replace-cards')} open={open}>
      <div class="menu">
        <button type="button" class="button menu-item" onClick={() => setWhat('deck')}>
          <Bi text={(t) => t('dealer.wholeDeck')} />
        </button>
        <button type="button" class="button menu-item" onClick={() => setWhat('card')}>
          <Bi text={(t) => t('dealer.oneCard')} />
        </button>
      </div>
    </Frame>
  );
}

/** Suit and rank of one card. */
function CardKeys(props: {
  /** What is chosen at the beginning. */
  readonly first: Card | null;
  readonly open: SendProps['open'];
  readonly onCard: (card: Card) => void;
  /** Where the shoe can read it once more. */
  readonly onReadAgain?: () => void;
}) {
  const { first, open, onCard, onReadAgain } = props;
  const [suit, setSuit] = useState<number | null>(first === null ? null : suitOf(first));
  const [rank, setRank] = useState<number | null>(first === null ? null : rankOf(first));
  const card: Card | null = suit === null || rank === null ? null : cardOf(suit, rank);
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
            if (card !== null) onCard(card);
          }}
        >
          <Bi text={(t) => t('pin.ok')} />
        </button>
      </div>
      {onReadAgain && (
        <button type="button" class="button" onClick={onReadAgain}>
          <Bi text={(t) => t('remedy.read-card-again')} />
        </button>
      )}
    </Frame>
  );
}
