/** Alarms in words, and as cards beside the tables. */
import type { AlarmLine, FloorLine } from './floor.store.ts';
import { type FloorClock, faultOf, integerText, moneyText } from './floor-figures.ts';
import { acceptorOf, type Language } from './floor-table.ts';
import type { FloorWords } from './floor-words.ts';
import { Html, html } from './html.ts';

/** Red: something stands still or is wrong. Gold: somebody waits. Amber: to be kept in mind. */
export type Tone = 'fault' | 'waiting' | 'slow';
export type Sign = 'fault' | 'slow' | 'call' | 'money' | 'complaint';

export const WAITING: Readonly<Partial<Record<AlarmLine['kind'], Sign>>> = {
  call: 'call',
  complaint: 'complaint',
  'hand-pay': 'money',
  'held-note': 'money',
};
const RED: ReadonlySet<AlarmLine['kind']> = new Set(['hold', 'silent', 'locked']);

export const toneOf = ({ kind, facts }: AlarmLine): Tone => {
  if (WAITING[kind] !== undefined) return 'waiting';
  if (RED.has(kind) || (kind === 'fault' && faultOf(facts.fault ?? '').level !== 'N')) return 'fault';
  return 'slow';
};
export const signOf = (alarm: AlarmLine): Sign => {
  const tone = toneOf(alarm);
  return tone === 'waiting' ? WAITING[alarm.kind]! : tone;
};
const ORDER: readonly Tone[] = ['fault', 'waiting', 'slow'];
/** Not seen before seen, red before gold before amber, then the oldest. */
export const byUrgency = (a: AlarmLine, b: AlarmLine): number =>
  Number(a.seenMs !== null) - Number(b.seenMs !== null) ||
  ORDER.indexOf(toneOf(a)) - ORDER.indexOf(toneOf(b)) ||
  a.sinceMs - b.sinceMs ||
  a.no - b.no;

export interface Told {
  /** Where a table stands; null where the house has no plan. */
  readonly zoneOf: (terminal: string) => string | null;
  readonly w: FloorWords;
  readonly lang: Language;
  readonly clock: FloorClock;
  readonly nowMs: number;
}

/** What it is, in two or three words. */
export function titleOf({ kind, about, facts }: AlarmLine, { w, lang }: Pick<Told, 'w' | 'lang'>): string {
  if (kind === 'pace') return w.kinds[about === 'low' ? 'pace-low' : 'pace-high'];
  if (kind !== 'fault') return w.kinds[kind];
  return faultOf(facts.fault ?? '').name?.[lang] ?? `${w.kinds.fault} ${facts.fault}`;
}

const placeOf = (device: string, w: FloorWords): string | null => {
  const [part] = device.split('-');
  const name = Object.hasOwn(w.devices, part!) ? w.devices[part!]! : null;
  const acceptor = acceptorOf(device);
  return name === null ? null : acceptor === null ? name : `${name} ${acceptor}`;
};

/** Where or about whom, in a few words. */
export function briefOf({ kind, facts }: AlarmLine, { w, lang }: Pick<Told, 'w' | 'lang'>): string | null {
  const { seat = 0, no = 0, acceptor = 0, currency = '' } = facts;
  const amount = facts.amountMinor == null ? null : moneyText(facts.amountMinor, currency, lang);
  switch (kind) {
    case 'call':
      return w.speaks(seat, facts.language === undefined ? null : w.languages[facts.language]);
    case 'complaint':
      return w.complains(seat, facts.roundNo ?? 0);
    case 'hand-pay':
      return w.owed(seat, amount ?? '');
    case 'held-note':
      return w.heldCase(no, acceptor, amount);
    case 'fault':
      return placeOf(facts.device ?? '', w);
    default:
      return null;
  }
}

/** What still works, and who is there. */
function sentences(alarm: AlarmLine, line: FloorLine, { w, lang }: Told): string[] {
  const { kind, about, facts } = alarm;
  const { service, dealer, perSeat } = line.state;
  const people = service === null ? (dealer === null ? [] : [w.deals(dealer)]) : [w.isThere(service)];
  switch (kind) {
    case 'fault': {
      const { level } = faultOf(facts.fault ?? '');
      const acceptor = acceptorOf(facts.device ?? '');
      const seat = level === 'L' ? seatOf(facts.device ?? '') : perSeat ? acceptor : null;
      return [w.level[level](seat), ...people];
    }
    case 'hold': {
      const code = facts.code ?? '';
      const why = Object.hasOwn(w.holds, code) ? w.holds[code]! : code;
      return [w.holdSays(why), ...people];
    }
    case 'silent':
      return [w.silentSays, ...people];
    case 'locked':
      return [w.lockedSays];
    case 'clock': {
      const offMs = facts.offMs ?? 0;
      return [w.clockSays(integerText(Math.round(Math.abs(offMs) / 60_000), lang), offMs > 0)];
    }
    case 'late':
      return [w.lateSays(integerText(line.lag ?? 0, lang))];
    case 'pace':
      return [w.paceSays(facts.perHour ?? 0, facts.limit ?? 0, about === 'low')];
    default:
      return people;
  }
}
const seatOf = (device: string): number | null => {
  const digits = /(\d{1,2})$/.exec(device)?.[1];
  return digits === undefined ? null : Number(digits);
};

const SIGNS: Readonly<Record<Sign, string>> = {
  fault:
    '<path class="red" d="M-5.8-14H5.8L14-5.8V5.8L5.8 14H-5.8L-14 5.8V-5.8Z"/><path class="stroke" d="M-5-5 5 5M5-5-5 5"/>',
  slow: '<path class="amber" d="M0-13 14 12H-14Z"/><path class="stroke" d="M0-4V4M0 8V8.2"/>',
  call: '<circle class="gold" r="13"/><path class="ink" d="M-6 5H6L4.5 2V-2A4.5 4.5 0 0 0-4.5-2V2ZM-2 6.5A2 2 0 0 0 2 6.5Z"/>',
  money:
    '<circle class="gold" r="13"/><path class="ink" fill-rule="evenodd" d="M-8-5H8V5H-8ZM0-2.6A2.6 2.6 0 1 0 0 2.6 2.6 2.6 0 0 0 0-2.6Z"/>',
  complaint: '<circle class="gold" r="13"/><path class="ink" d="M-7-6H7V4H0L-4 8V4H-7Z"/>',
};
export const sign = (of: Sign, x = 0, y = 0): Html =>
  new Html(`<g class="sign" transform="translate(${x} ${y})">${SIGNS[of]}</g>`);
export const signAlone = (of: Sign): Html =>
  html`<svg class="icon" viewBox="-16 -16 32 32" aria-hidden="true">${sign(of)}</svg>`;

export const after = (brief: string | null): string => (brief === null ? '' : ` · ${brief}`);

// ---- a card ----

export function card(alarm: AlarmLine, line: FloorLine, told: Told): Html {
  const { w, clock, nowMs } = told;
  const { terminal, no, seenBy, seenMs } = alarm;
  const tone = toneOf(alarm);
  const brief = briefOf(alarm, told);
  const place = [brief, told.zoneOf(terminal)].filter((each) => each !== null).join(w.comma);
  const title = titleOf(alarm, told);
  const at = clock.at(alarm.sinceMs, nowMs);
  const id = `alarm-${terminal}-${no}`;
  const isSeen = seenMs !== null && seenBy !== null;
  const isWaiting = tone === 'waiting';
  const words = [
    ...(isWaiting
      ? []
      : [`${place === '' ? '' : `${place}${w.stop}`}${sentences(alarm, line, told).join(w.gap)}`]),
    ...(isSeen ? [w.seenBy(seenBy, clock.at(seenMs, nowMs))] : []),
  ].join(w.gap);
  const acknowledge = isSeen
    ? ''
    : html`<button type="button" class="see" id="see-${terminal}-${no}" data-see="${terminal}/${no}" >${w.acknowledge}<span class="spoken">: ${terminal}, ${title}</span></button>`;
  const show =
    tone === 'fault' && !isSeen
      ? html`<button type="button" class="show" id="show-${terminal}-${no}" data-table="${terminal}">${w.showTable}</button>`
      : '';
  const about = isWaiting && brief !== null ? html`<p class="brief">${brief}</p>` : '';
  const said = words === '' ? '' : html`<p class="words">${words}</p>`;
  return html`<li class="card ${tone} ${isSeen ? 'seen' : 'unseen'}" id="${id}"><div class="head">${signAlone(signOf(alarm))}<h3>${terminal} · ${title}</h3><span class="at">${at}</span></div><div class="rest">${about}${said}<span class="acts">${acknowledge}${show}</span></div></li>`;
}
