/** Which voices are heard at a table, and in what words. */
import { rulebookOf } from '../../engine/books.ts';
import type { Language } from '../../engine/table/inputs.ts';
import type { TableView } from '../../wire/view.ts';
import { SPOKEN, type Voice } from './keys.ts';

type TableOf = Pick<TableView, 'table'>;

/** The house chooses what its Chinese is said in. */
const chineseOf = ({ table }: TableOf): Voice => (table.display?.chineseVoice === 'mandarin' ? 'cmn' : 'yue');

/** Whoever reads English hears Portuguese. */
export const voiceOf = (view: TableOf, language: Language): Voice =>
  language === 'zh-Hant' ? chineseOf(view) : 'pt';

/** What the house says by itself: in Portugal no Chinese. */
export const houseVoices = (view: TableOf): readonly Voice[] =>
  rulebookOf(view.table.rulebook)?.home === 'portugal' ? ['pt'] : [chineseOf(view), 'pt'];

/** The voices the players at the table understand, the house's first; a seat hears its own. */
export function voicesOf(view: TableView, seat: number | null): Voice[] {
  const heard = view.seats.filter((each) => (seat === null ? !each.free : each.seat === seat));
  const house = houseVoices(view);
  const voices = [...new Set<Voice>([...house, chineseOf(view), 'pt'])].filter((voice) =>
    heard.some(({ language }) => voiceOf(view, language) === voice),
  );
  return voices.length === 0 ? [...house] : voices;
}

/** The words of an announcement in one of its languages. */
export const spoken = (clips: readonly string[], voice: Voice | 'en'): string =>
  clips.map((clip) => SPOKEN[clip]?.[voice] ?? '').join(isChinese(voice) ? ' ' : ', ');

export const isChinese = (voice: Voice | 'en'): boolean => voice === 'yue' || voice === 'cmn';
