import { useEffect } from 'preact/hooks';
import { useView } from '../station/station.ts';
import { houseSpeaksEnglish, LANGUAGE_SIGN, staffEnglish, tableText } from '../texts/i18n.ts';

/**
 * Under simulation, and where the house itself has no English: strip, dialogs and drawer in English
 * before the house's leading language. A table for money speaks as its law does.
 */
export function StaffEnglish() {
  const { simulation } = useView();
  const offered = simulation && !houseSpeaksEnglish();
  useEffect(() => {
    if (!offered) staffEnglish.value = false;
  }, [offered]);
  if (!offered) return null;
  return (
    <button
      type="button"
      class="language"
      lang="en"
      aria-label={`${LANGUAGE_SIGN.en} ${tableText('en')('language.en')}`}
      aria-pressed={staffEnglish.value}
      onClick={() => {
        staffEnglish.value = !staffEnglish.value;
      }}
    >
      {LANGUAGE_SIGN.en}
    </button>
  );
}
