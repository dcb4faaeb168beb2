/** Which letters the canvas needs, and their slices of the font. */
import enFelt from '../../locales/en/felt.json' with { type: 'json' };
import enPortugal from '../../locales/en/portugal.json' with { type: 'json' };
import enTable from '../../locales/en/table.json' with { type: 'json' };
import ptFelt from '../../locales/pt/felt.json' with { type: 'json' };
import ptPortugal from '../../locales/pt/portugal.json' with { type: 'json' };
import ptTable from '../../locales/pt/table.json' with { type: 'json' };
import zhFelt from '../../locales/zh-Hant/felt.json' with { type: 'json' };
import zhPortugal from '../../locales/zh-Hant/portugal.json' with { type: 'json' };
import zhTable from '../../locales/zh-Hant/table.json' with { type: 'json' };

/** What Pixi measures a font with (CanvasTextMetrics.METRICS_STRING and BASELINE_SYMBOL). */
const MEASURED = '|ÉqÅM';

export const FIGURES = '0123456789 \u00a0,.+−–/·:;«»()';

type Words = Readonly<Record<string, string>>;

/**
 * Every letter the canvas can show: prints, outcomes and reasons of a hold in all languages, and
 * figures.
 */
export function canvasLetters(): string {
  const felts = [zhFelt, ptFelt, enFelt, zhPortugal.felt, ptPortugal.felt, enPortugal.felt];
  const words = felts.flatMap((felt) =>
    Object.values(felt).flatMap((part) => (typeof part === 'string' ? [part] : Object.values(part))),
  );
  const tables: readonly { readonly outcome?: Words; readonly hold?: Words }[] = [
    ...[zhTable, ptTable, enTable],
    ...[zhPortugal.table, ptPortugal.table, enPortugal.table],
  ];
  const told = tables.flatMap(({ outcome = {}, hold = {} }) => [
    ...Object.values(outcome),
    ...Object.values(hold),
  ]);
  const latin = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');
  return [...new Set([...FIGURES, ...MEASURED, ...latin, ...words.join(''), ...told.join('')])].join('');
}

const FAMILY = 'Noto Sans HK Variable';

/**
 * Loads the slices of the font that hold these letters; a canvas does not wait for fonts by itself.
 */
export async function loadLetters(): Promise<void> {
  const all = canvasLetters();
  // one file has all weights of its letters
  await document.fonts.load(`48px "${FAMILY}"`, all);
}
