import { useEffect, useState } from 'preact/hooks';
import { formatNumber } from '../../engine/rules/formats.ts';
import { Scrolled } from '../parts/scrolled.tsx';
import { shortHash } from '../parts/short-hash.ts';
import { useQuery } from '../station/use-query.ts';
import { useWords } from '../station/words.ts';
import { textOfCode } from '../texts/i18n.ts';

/** While it is reckoned it is asked again. */
const AGAIN_MS = 1_000;
const DIGITS = 4;

/**
 * What the house keeps of each bet of this table, of a hundred staked: exact, or played so often
 * that it says how far it may be off. With the program and the table it was reckoned by.
 */
export function Edges({ seat }: { readonly seat: number }) {
  const { language, t } = useWords();
  const [isDone, setDone] = useState(false);
  const { data, failure } = useQuery({ query: 'edges', seat }, isDone ? null : AGAIN_MS);
  const over = data !== null && data.state !== 'working';
  useEffect(() => setDone(over), [over]);
  const part = (of: string): string => `${formatNumber(100 * Number(of), language, 0, DIGITS)} %`;
  const name = (bet: string): string => textOfCode('table', 'bet.name', bet, language);
  if (data?.state !== 'done') {
    const isFailed = data === null ? failure !== null : data.state === 'failed';
    return (
      <p class="own-note" role="status">
        {t(isFailed ? 'edges.failed' : 'edges.working')}
      </p>
    );
  }
  return (
    <Scrolled>
      <p class="rules-wording">{t('edges.about')}</p>
      <ul class="rules-rows">
        {data.bets.map(({ bet, edge, error }) => (
          <li key={bet} class="rules-row rules-row-pays">
            <span class="rules-text">{name(bet)}</span>
            <strong class="rules-value">
              {error === null ? part(edge) : `${part(edge)} ± ${part(error)}`}
            </strong>
          </li>
        ))}
      </ul>
      {data.notEnumerated.length > 0 && (
        <p class="rules-wording">{t('edges.none', { bets: data.notEnumerated.map(name).join(', ') })}</p>
      )}
      <p class="own-note">{t('edges.by', { version: data.version, table: shortHash(data.profileSha256) })}</p>
    </Scrolled>
  );
}
