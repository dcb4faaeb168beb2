import { type Card, cardName } from '../../engine/core/cards.ts';
import { cardWords } from '../parts/card-text.ts';
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
