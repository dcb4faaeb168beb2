import { useState } from 'preact/hooks';
import type { Choice } from '../../engine/table/steps.ts';
import { insuranceAmounts, nameOfPart } from '../parts/mode.ts';
import { useWords } from '../station/words.ts';
import { amountText } from '../table/chips.ts';
import { insuranceWins } from './costs.ts';

/**
 * Insurance as one chooser with one «no». A part is picked first, and its cost and its win are read
 * before the second touch buys it.
 */
export function InsuranceChooser(props: {
  readonly insure: Choice;
  readonly stakeMinor: number;
  readonly onInsure: (amountMinor: number) => void;
  /** null: «no» need not be said, the chooser only stands on it. */
  readonly onNo: (() => void) | null;
}) {
  const { insure, stakeMinor, onInsure, onNo } = props;
  const { t, language } = useWords();
  const [picked, pick] = useState<number | null>(null);
  const { minMinor, maxMinor } = insure;
  if (minMinor === null || maxMinor === null) return null;
  const money = (amountMinor: number): { amount: string } => ({ amount: amountText(amountMinor, language) });
  const partName = (amountMinor: number): string => {
    const part = nameOfPart(amountMinor, stakeMinor);
    return part === 'full' ? t('offer.full') : (part ?? amountText(amountMinor, language));
  };
  return (
    <div class="insurance">
      {/* Above the parts, which stay where they are: a second touch on one buys nothing. */}
      {picked === null ? (
        <div class="insurance-line">
          <span>{t('bet.name.insurance')}</span>
          <span class="quiet">{t('cost.pays', { odds: `${insuranceWins(1)}:1` })}</span>
        </div>
      ) : (
        <button type="button" class="insure-now" onClick={() => onInsure(picked)}>
          <b>{t('act.insure')}</b>{' '}
          <small>
            {t('cost.costs', money(picked))} · {t('cost.wins', money(insuranceWins(picked)))}
          </small>
        </button>
      )}
      <div class="shares">
        {onNo === null && picked === null ? (
          <span class="share share-picked">{t('offer.no')}</span>
        ) : (
          <button
            type="button"
            class="share"
            data-part="no"
            aria-label={t('act.declineInsurance')}
            onClick={onNo ?? (() => pick(null))}
          >
            {t('offer.no')}
          </button>
        )}
        {insuranceAmounts(minMinor, maxMinor).map((amountMinor) => (
          <button
            type="button"
            key={amountMinor}
            class="share"
            data-part="insure"
            aria-label={`${t('act.insure')} ${partName(amountMinor)}`}
            aria-pressed={amountMinor === picked}
            onClick={() => pick(amountMinor === picked ? null : amountMinor)}
          >
            {partName(amountMinor)}
          </button>
        ))}
      </div>
    </div>
  );
}
