import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SettlementLine } from '../../engine/table/settlement.ts';
import type { SeatResult, SeatView, TableView } from '../../wire/view.ts';
import { Icon } from '../parts/icons.tsx';
import { lineSum, ownBets } from '../parts/mode.ts';
import { useWords, type Words } from '../station/words.ts';
import { textOfCode } from '../texts/i18n.ts';
import { AccountRow } from './account-row.tsx';
import { sumWord } from './sum-word.ts';

/** How the lines lie on a page: the next where one is too high. Tight: its parts in one flow. */
const FITS = [
  { lines: 2, isTight: false },
  { lines: 1, isTight: false },
  { lines: 1, isTight: true },
] as const;

/** Every line of the round's result with its arithmetic and its article, and the total. */
export function ResultBody({ seat, view, result }: { seat: SeatView; view: TableView; result: SeatResult }) {
  const words = useWords();
  const { t, signed, language } = words;
  const [page, setPage] = useState(0);
  const [fit, setFit] = useState(0);
  const body = useRef<HTMLFieldSetElement>(null);
  // Every picture of the table brings the same result anew: the page that is read stays.
  const said = JSON.stringify(result);
  useLayoutEffect(() => {
    setPage(0);
    setFit(0);
  }, [said, language]);
  // Long articles lift the panel over what the felt says of the same result.
  useLayoutEffect(() => {
    const panel = body.current?.closest<HTMLElement>('.panels > .panel');
    if (!panel || panel.offsetTop >= 0 || fit === FITS.length - 1) return;
    setFit(fit + 1);
    setPage((page * FITS[fit]!.lines) / FITS[fit + 1]!.lines);
  });
  const { lines: linesPerPage, isTight } = FITS[fit]!;
  const pages = Math.ceil(result.lines.length / linesPerPage);
  const shown = result.lines.slice(page * linesPerPage, (page + 1) * linesPerPage);
  const sign = result.netMinor > 0 ? 'win' : result.netMinor < 0 ? 'lose' : 'even';
  return (
    <fieldset ref={body} class="result-body" aria-label={t('result.label')}>
      <p class={`result-sum result-${sign}`}>
        <span>{sumWord(result, t)}</span> <strong>{signed(result.netMinor)}</strong>
      </p>
      <div class="result-page" data-count={shown.length} data-tight={isTight || undefined}>
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
        <ul class="result-lines">
          {shown.map((line, index) => (
            <ResultLine
              key={page * linesPerPage + index}
              words={words}
              line={line}
              own={line.seat === seat.seat}
              hands={view.seats[line.seat - 1]?.hands.length ?? 0}
              title={sumWord(result, t)}
            />
          ))}
        </ul>
      </div>
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
      {said !== title && <span class="result-name">{said}</span>}{' '}
      <span class="sum">
        {line.netMinor === 0
          ? t('result.returned', { amount: line.returnedMinor })
          : sum === null
            ? signed(line.netMinor)
            : `${sum} = ${signed(line.netMinor)}`}
      </span>{' '}
      <span class="quiet cite">{articles(line.cites)}</span>
    </li>
  );
}
