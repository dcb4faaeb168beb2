import type { ComponentChildren } from 'preact';
import type { TableView } from '../../wire/view.ts';
import { useSecondsLeft, useView } from '../station/station.ts';
import { useWords } from '../station/words.ts';
import { Chip } from './chip.tsx';

/** The largest chip that is no more than an amount; of less than the smallest the amount itself. */
export function chipOf(amountMinor: number, chipsMinor: readonly number[]): number {
  return chipsMinor.findLast((chip) => chip <= amountMinor) ?? amountMinor;
}

/** A bet as a row: its spot, where the chip that is laid comes to lie, and its words beside it. */
export function BetRow(props: {
  readonly bet: string;
  readonly label: string;
  readonly laidMinor: number;
  /** The next chips go here; undefined: a touch on it lays one. */
  readonly isTarget: boolean | undefined;
  readonly isOpen: boolean;
  readonly onTouch: () => void;
  readonly children: ComponentChildren;
}) {
  const { bet, label, laidMinor, isTarget, isOpen, onTouch, children } = props;
  const { chipsMinor } = useView().table;
  return (
    <button
      type="button"
      class={laidMinor > 0 ? 'bet-row bet-row-laid' : 'bet-row'}
      data-bet={bet}
      aria-label={label}
      aria-pressed={isTarget}
      aria-disabled={!isOpen}
      onClick={onTouch}
    >
      <span class="bet-spot">{laidMinor > 0 && <Chip valueMinor={chipOf(laidMinor, chipsMinor)} />}</span>
      {children}
    </button>
  );
}

const LAST_CALL_S = 5;

/**
 * Until betting ends. The table announces the last ones; words for them here would take another
 * line and move every button under the fingers of those who hurry.
 */
export function Seconds({ view }: { readonly view: TableView }) {
  const { t } = useWords();
  const seconds = useSecondsLeft(view.deadline?.atMs ?? null);
  if (seconds === null) return null;
  return (
    <span class={seconds <= LAST_CALL_S ? 'seconds seconds-last' : 'seconds'}>
      {t('bet.seconds', { count: seconds })}
    </span>
  );
}
