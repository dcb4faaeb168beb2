import type { OwnBet } from '../parts/mode.ts';
import { useView } from '../station/station.ts';
import { useWords } from '../station/words.ts';
import { amountText } from '../table/chips.ts';
import { feltText, textOfCode } from '../texts/i18n.ts';
import { chipOf } from './bet-row.tsx';
import { Chip } from './chip.tsx';

/** Of more the amounts stand on the felt alone. */
const MOST_AMOUNTS = 4;

/** What a player has laid beside the main bet, while it is in play; named as on the felt. */
export function BetPills({ bets }: { readonly bets: readonly OwnBet[] }) {
  const { chipsMinor } = useView().table;
  const { t, language } = useWords();
  return (
    <ul class="pills" aria-label={t('bet.spots')}>
      {bets.map(({ bet, amountMinor }) => (
        <li class="pill" key={bet}>
          <Chip valueMinor={chipOf(amountMinor, chipsMinor)} />
          <span
            role="img"
            aria-label={`${textOfCode('table', 'bet.name', bet, language)} ${amountText(amountMinor, language)}`}
          >
            {feltText(language)(`spot.${bet}` as never, { defaultValue: bet })}
          </span>
          {bets.length <= MOST_AMOUNTS && <b>{amountText(amountMinor, language)}</b>}
        </li>
      ))}
    </ul>
  );
}
