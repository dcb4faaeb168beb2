import type { Card } from '../../engine/core/cards.ts';
import type { LastResultView, SeatView } from '../../wire/view.ts';
import { CardSign } from '../parts/bilingual.tsx';
import { useWords } from '../station/words.ts';

/**
 * What a round has brought stays until the bettor's next bet, whatever the panel shows besides: the
 * sum, the stake and the cards, their own before the bank's.
 */
export function LastRound({ seat, last }: { readonly seat: SeatView; readonly last: LastResultView }) {
  const { t, money, signed } = useWords();
  const { netMinor, stakeMinor, cards } = last;
  return (
    <div class="last-round">
      <p class={`last-sum result-${netMinor > 0 ? 'win' : netMinor < 0 ? 'lose' : 'even'}`}>
        <span>{t('result.last')}</span> <strong>{signed(netMinor)}</strong>
      </p>
      <p class="last-stake">
        {t('bet.yours')} <b>{money(stakeMinor)}</b>
      </p>
      {cards && (
        <ul class="last-cards">
          {cards.hands.map((hand, index) => (
            <Laid
              key={index}
              name={hand.seat === seat.seat ? null : t('seat.name', { seat: hand.seat })}
              cards={hand.cards}
            />
          ))}
          <Laid name={t('bet.name.player')} cards={cards.playerSide ?? []} />
          <Laid name={t('recall.bank')} cards={cards.bank} />
        </ul>
      )}
    </div>
  );
}

function Laid({ name, cards }: { readonly name: string | null; readonly cards: readonly (Card | null)[] }) {
  if (cards.length === 0) return null;
  return (
    <li>
      {name !== null && <span>{name}</span>}
      {cards.map((card, index) => (
        <CardSign key={index} card={card} />
      ))}
    </li>
  );
}
