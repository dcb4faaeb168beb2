import { useEffect, useState } from 'preact/hooks';
import type { SettlementLine } from '../../engine/table/settlement.ts';
import type { SeatResult, SeatView, TableView } from '../../wire/view.ts';
import { Icon } from '../parts/icons.tsx';
import { lineSum, ownBets } from '../parts/mode.ts';
import { useWords, type Words } from '../station/words.ts';
import { textOfCode } from '../texts/i18n.ts';
import { AccountRow } from './account-row.tsx';
import { sumWord } from './sum-word.ts';

const LINES_PER_PAGE = 2;

/** Every line of the round's result with its arithmetic and its article, and the total. */
export function ResultBody({ seat, view, result }: { seat: SeatView; view: TableView; result: SeatResult }) {
  const words = useWords();
  const { t, signed } = words;
  const [page, setPage] = useState(0);
  useEffect(() => setPage(0), [result]);
  const pages = Math.ceil(result.lines.length / LINES_PER_PAGE);
  const shown = result.lines.slice(page * LINES_PER_PAGE, (page + 1) * LINES_PER_PAGE);
  const sign = result.netMinor > 0 ? 'win' : result.netMinor < 0 ? 'lose' : 'even';
  return (
    <fieldset class="result-body" aria-label={t('result.label')}>
      <p class={`result-sum result-${sign}`} data-pages={pages > 1 || undefined}>
        <span>{sumWord(result, t)}</span>{' '}
        <strong data-long={signed(result.netMinor).length > 9 || undefined}>{signed(result.netMinor)}</strong>
        {pages > 1 && (
          <button
            type="button"
            class="button button-page"
            aria-label={t('result.more', { page: page + 1, pages })}
            onClick={() => setPage((page + 1) % pages)}
          >
            {`${page + 1}/${pages}`}
            <Icon name="next" />
          </button>
        )}
      </p>
      <ul class="result-lines" data-count={shown.length}>
        {shown.map((line, index) => (
          <ResultLine
            key={page * LINES_PER_PAGE + index}
            words={words}
            line={line}
            own={line.seat === seat.seat}
            hands={view.seats[line.seat - 1]?.hands.length ?? 0}
            title={sumWord(result, t)}
          />
        ))}
      </ul>
      {ownBets(view, seat).length === 0 && pages === 1 && <AccountRow seat={seat} />}
    </fieldset>
  );
}

/** One bet with its arithmetic and its articles. */
export function ResultLine(props: {
  readonly words: Words;
  readonly line: SettlementLine;
  /** It is about the hand of the bettor's own seat. */
  readonly own: boolean;
  readonly hands: number;
  /** What stands above already and need not be said twice. */
  readonly title: string;
}) {
  const { line, own, hands, title } = props;
  const { t, money, signed, articles, language } = props.words;
  const sum = lineSum(line, money);
  const name =
    line.bet !== 'main'
      ? textOfCode('table', 'bet.name', line.bet, language)
      : textOfCode('table', 'outcome', line.outcome, language);
  const place = own ? '' : `${t('seat.name', { seat: line.seat })} · `;
  const hand = hands > 1 && line.hand !== null ? `${t('hand.short', { n: line.hand + 1 })} · ` : '';
  const said = `${place}${hand}${name}`;
  return (
    <li class="result-line">
      {said !== title && <span class="result-name">{said}</span>}
      <span class="sum">
        {line.netMinor === 0
          ? t('result.returned', { amount: line.returnedMinor })
          : sum === null
            ? signed(line.netMinor)
            : `${sum} = ${signed(line.netMinor)}`}
      </span>
      <span class="quiet cite">{articles(line.cites)}</span>
    </li>
  );
}
