import type { Language } from '../../engine/table/inputs.ts';
import { formatMoney, withCurrency } from '../texts/i18n.ts';

/** An amount with its currency: the euro's sign is one of the figures, a code stands behind. */
export function Amount(props: {
  readonly minor: number;
  readonly currency: string;
  readonly language: Language;
  /** The figures alone stand out. */
  readonly strong?: boolean;
}) {
  const { currency, language } = props;
  const isEuro = currency === 'EUR';
  const figures = formatMoney(props.minor, language);
  const shown = isEuro ? withCurrency(figures, currency, language) : figures;
  return (
    <>
      {props.strong ? <strong>{shown}</strong> : shown}
      {!isEuro && (
        <>
          {' '}
          <small>{currency}</small>
        </>
      )}
    </>
  );
}
