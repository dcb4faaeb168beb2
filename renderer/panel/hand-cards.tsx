import { type Card, cardName } from '../../engine/core/cards.ts';
import type { HandView } from '../../wire/view.ts';
import { CardSign } from '../parts/bilingual.tsx';
import { cardWords } from '../parts/card-text.ts';
import { pointsOf, pointsText } from '../parts/mode.ts';
import { useView } from '../station/station.ts';
import { useWords } from '../station/words.ts';
import { faceSheet, facesUrl } from '../table/faces.ts';
import { formOf } from '../table/form.ts';

/** Width of a card on the table, of the 1920 of its board. */
const CARD_WIDTH = 104;

/** The hand that is decided, large, with the faces of the felt. */
export function HandCards(props: {
  readonly cards: readonly (Card | null)[];
  /** They lie face down for all others. */
  readonly isUnspoken: boolean;
}) {
  const { cards, isUnspoken } = props;
  const view = useView();
  const { t } = useWords();
  const unit = Math.min(innerWidth / 1920, innerHeight / 1080);
  // The same picture the felt has loaded.
  const pixels = CARD_WIDTH * unit * devicePixelRatio;
  const url = `url("${facesUrl(formOf(view).faces, pixels)}")`;
  const sheet = faceSheet(pixels);
  return (
    <div
      class="hand-cards"
      style={{ '--cards': Math.max(2, cards.length) }}
      data-unspoken={isUnspoken ? '' : undefined}
    >
      {cards.map((card, index) => {
        const { x, y, w, h } = sheet.frames[card === null ? 'back' : cardName(card)]!;
        const percent = (at: number, whole: number): string => `${(100 * at) / whole}%`;
        return (
          <div
            key={`${index}-${card}`}
            class="hand-card"
            role="img"
            aria-label={card === null ? '?' : cardWords(card, t)}
            style={{
              '--at': index,
              backgroundImage: url,
              backgroundSize: `${percent(sheet.width, w)} ${percent(sheet.height, h)}`,
              backgroundPosition: `${percent(x, sheet.width - w)} ${percent(y, sheet.height - h)}`,
            }}
          />
        );
      })}
    </div>
  );
}

/**
 * The other hands of the seat: on the felt the panel lies over them all, so it is they that it
 * leaves out. `decided` is the one that stands above; null: that is another seat's.
 */
export function OtherHands({ hands, decided }: { hands: readonly HandView[]; decided: number | null }) {
  const { t } = useWords();
  const others = hands.map((hand, index) => ({ hand, index })).filter(({ index }) => index !== decided);
  if (others.length === 0) return null;
  return (
    <ul class="other-hands">
      {others.map(({ hand, index }) => {
        const name = hands.length > 1 ? t('hand.short', { n: index + 1 }) : '';
        const said = hand.cards.map((card) => (card === null ? '?' : cardWords(card, t)));
        return (
          <li
            key={index}
            class={`other-hand other-hand-${hand.status}`}
            data-unspoken={hand.faceDown ? '' : undefined}
            aria-label={[name, ...said, pointsText(hand, t), t(`hand.${hand.status}`)]
              .filter(Boolean)
              .join(', ')}
          >
            <span class="quiet">{name}</span>
            <span class="other-cards">
              {hand.cards.map((card, nth) => (
                <CardSign key={`${nth}-${card}`} card={card} />
              ))}
            </span>
            <b>{pointsOf(hand)}</b>
          </li>
        );
      })}
    </ul>
  );
}
