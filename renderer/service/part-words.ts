/** The name of a part, and the one number or word that stands under it. */
import type { TableView } from '../../wire/view.ts';
import { textOfCode } from '../texts/i18n.ts';
import type { Part, Told } from './machine.ts';
import type { ServiceWords } from './service-words.ts';

export const nameOf = ({ kind, no }: Pick<Part, 'kind' | 'no'>, { m }: ServiceWords): string =>
  m(`part.${kind}`, { no: no ?? '' });

/** A fault of an earlier version has no word here. */
const shortOf = (fault: string, { tableCode, language }: ServiceWords): string => {
  const short = textOfCode('map', 'short', fault, language);
  return short === fault ? tableCode('fault', fault) : short;
};

export function wordOf(part: Part, view: TableView, told: Told, words: ServiceWords): string {
  const { m, s, code, count, percent } = words;
  const [worst] = part.faults;
  if (worst !== undefined) return shortOf(worst.fault, words);
  const device = told.devices?.devices.find((each) => each.view.id === part.id) ?? null;
  const state = view.devices.find(({ id }) => id === part.id)?.state ?? '';
  switch (part.kind) {
    case 'bill-acceptor': {
      if (part.health !== 'ok') return code('deviceState', state);
      const notes = device?.boxNotes ?? null;
      if (notes === null) return s('none');
      return m('value.notes', { n: count(notes), count: notes });
    }
    case 'card-shoe': {
      if (part.health !== 'ok') return code('deviceState', state);
      const { loaded, remaining, decks } = view.shoe;
      return loaded ? m('value.cards', { left: remaining, of: decks * 52 }) : m('value.notLoaded');
    }
    case 'receipt-printer':
      return code('deviceState', state);
    case 'cabinet-board':
      return state === 'idle' ? m('value.doorsClosed') : code('deviceState', state);
    case 'power-supply': {
      if (state !== 'idle') return code('deviceState', state);
      const charge = device?.power?.charge ?? null;
      return charge === null ? m('value.onMains') : percent(charge / 100);
    }
    case 'table-display':
    case 'dealer-display':
    case 'sign-display':
    case 'seat-display': {
      const glass = told.displays?.displays.find(({ role }) => `display:${role}` === part.id);
      if (glass === undefined) return m('value.there');
      const frames = glass.measured?.framesPerSecond;
      return part.kind !== 'table-display' || frames === undefined
        ? m('value.there')
        : m('value.frames', { n: Math.round(frames) });
    }
    case 'link': {
      const { state, headSeq, ackedSeq } = view.link;
      if (state === 'off') return m('value.noCentre');
      if (state !== 'up') return m('value.down');
      const left = headSeq - ackedSeq;
      return left <= 0 ? m('value.allSent') : m('value.toSend', { n: count(left) });
    }
    case 'ledger': {
      const disk = told.storage?.disk ?? null;
      return disk === null
        ? s('none')
        : m('value.room', { part: percent(Math.round((100 * disk.roomBytes) / disk.budgetBytes) / 100) });
    }
    case 'copy': {
      const copy = told.storage?.copy ?? null;
      if (copy === null) return s('none');
      if (copy.state === 'starting') return m('value.starting');
      return copy.behind === 0 ? m('value.same') : m('value.behind', { n: count(copy.behind) });
    }
    case 'clock': {
      if (told.clock === null) return s('none');
      const { wallMs, centre } = told.clock;
      if (centre.offMs === null) return words.clock(wallMs);
      return `${centre.offMs < 0 ? '−' : '+'}${count(Math.abs(Math.round(centre.offMs)))} ms`;
    }
    case 'reader':
      return told.reading?.isThere ? m('value.answers') : m('value.silent');
    case 'program':
      if (part.health !== 'ok') return m('value.testFailed');
      return told.software === null ? s('none') : m('value.version', { version: told.software.version });
  }
}
