/**
 * Which entry of the ledger is which event of event-catalogue.ts. Every kind of entry has its codes
 * or the reason why it has none, those of the table in the rows of the engine; a new kind without
 * either does not compile.
 */
import { EVENT_ROWS, type TableEvent } from '../../engine/engine.ts';
import { type CodeRule, stepOf } from '../../engine/table/event-row.ts';
import { allRows } from '../../engine/table/lane.ts';
import { type EventClass, type EventCode, rowOf } from '../../wire/event-catalogue.ts';
import { codesOfFault, FAULTS, type FaultRow, faultRow } from '../../wire/faults.ts';
import type { HostEvent } from '../../wire/host-events.ts';
import { standIn } from '../table/sealed-cards.ts';

/** As in the rows of the engine, with codes that the list has. */
type Rule<E> = EventCode | (Exclude<CodeRule<E>, string> & { readonly code: EventCode });
type Coding<E> = readonly [Rule<E>, ...Rule<E>[]] | { readonly none: string };
export type AnyCoding = Coding<never> | 'begins-fault' | 'ends-fault';

type AnyEvent = TableEvent | HostEvent;
export type EntryKind = AnyEvent['type'];

/** Of the entries of the host; those of the table stand in the rows of the engine. */
const OF_HOST = {
  'access-refused': ['219'],
  'access-regained': ['219C'],
  'exclusion-checked': [{ code: '953', if: 'somebody is on it', when: ({ listed }) => listed }],
  'shift-handed-over': ['817'],
  'fault-end-refused': ['816'],
  'shoe-event-refused': [
    { code: '412', if: 'a card', when: ({ event }) => event === 'card' },
    { code: '318', if: 'anything else it told', when: ({ event }) => event !== 'card' },
  ],
  'shoe-link': [
    { code: '401', if: 'down', when: ({ link }) => link === 'down' },
    { code: '401C', if: 'up', when: ({ link }) => link === 'up' },
  ],
  'note-rejected-by-device': ['304'],
  'note-credit-repeated': ['318'],
  'unit-accepted': [
    { code: '320C', if: 'an acceptor', when: ({ device }) => device.startsWith('acceptor') },
    { code: '419C', if: 'a shoe', when: ({ device }) => device.startsWith('shoe') },
  ],
  'notes-confirmed': ['323C'],
  'ledger-repaired': stepOf<EventCode>('902'),
  'ledger-restored': ['903C'],
  'self-test-run': [
    { code: '106', if: 'something failed', when: ({ passed }) => !passed },
    { code: '106C', if: 'passed', when: ({ passed }) => passed },
  ],
  'recall-displayed': ['515'],
  'acceptors-gated': [
    { code: '316', if: 'shut', when: ({ gates }) => gates.some(({ shut }) => shut !== null) },
    { code: '316C', if: 'open', when: ({ gates }) => gates.some(({ shut }) => shut === null) },
  ],
  'touch-set': {
    none: 'where a glass is felt; a glass that is dead or felt wrongly is no event of a device',
  },
  'program-started': [
    {
      code: '102',
      if: 'after a power cut',
      when: ({ after, roundOpen }) => after === 'power-loss' && !roundOpen,
    },
    {
      code: '103',
      if: 'after a power cut in a round',
      when: ({ after, roundOpen }) => after === 'power-loss' && roundOpen,
    },
    { code: '907', if: 'after the end of the process alone', when: ({ after }) => after === 'crash' },
    { code: '104', if: 'not the first start', when: ({ after }) => after !== 'nothing' },
  ],
  'program-stopped': ['105'],
  'code-checked': [
    { code: '904', if: 'not approved', when: ({ approved }) => approved === false },
    {
      code: '904C',
      if: 'approved, or the same as before',
      when: ({ approved, was, id }) => approved === true || (approved === null && was?.id === id),
    },
    { code: '905', if: 'another one than before', when: ({ was, id }) => was !== null && was.id !== id },
  ],
  'process-restarted': ['907'],
  'clock-jumped': ['108'],
  'reading-differed': ['513'],
  'round-unread': ['513'],
  'usb-unknown': ['910'],
  'terminal-file-changed': ['813'],
  'people-changed': ['814'],
  'manufacturer-admitted': [
    { code: '815', if: 'for a time', when: ({ untilMs }) => untilMs !== null },
    { code: '815C', if: 'no longer', when: ({ untilMs }) => untilMs === null },
  ],
  'profile-refused': { none: 'nothing came into force' },
  'cards-opened': { none: 'each card stands in its own entry' },
  'simulation-used': [
    { code: '809', if: 'a fault was provoked', when: ({ command }) => command === 'sim-fault' },
    { code: '808', if: 'any other use', when: ({ command }) => command !== 'sim-fault' },
  ],
  'doors-counted': { none: 'the faults of the doors tell it' },
  'service-key': [
    { code: '223', if: 'turned', when: ({ turned }) => turned },
    { code: '223C', if: 'turned back', when: ({ turned }) => !turned },
  ],
  'device-tested': ['808'],
  'slip-sent': stepOf<EventCode>('616'),
  'slip-ended': [
    { code: '616', if: 'not printed', when: ({ printed }) => !printed },
    { code: '616C', if: 'printed', when: ({ printed }) => printed },
  ],
  'change-planned': stepOf<EventCode>('806'),
  'change-dropped': stepOf<EventCode>('806'),
  'export-begun': stepOf<EventCode>('812'),
  'export-made': ['812'],
  'drill-begun': ['809'],
  'drill-ended': ['809C'],
  'centre-command': ['703'],
  'centre-command-answered': [
    { code: '703', if: 'refused', when: ({ outcome }) => outcome === 'refused' },
    {
      code: '106',
      if: 'a check that was asked for has failed',
      when: ({ answer }) => answer?.what === 'integrity' && !answer.passed,
    },
    {
      code: '106C',
      if: 'it has passed',
      when: ({ answer }) => answer?.what === 'integrity' && answer.passed,
    },
  ],
  'centre-command-refused': ['703'],
  'centre-table-refused': ['703'],
} as const satisfies {
  readonly [Kind in HostEvent['type']]: Coding<Extract<HostEvent, { readonly type: Kind }>>;
};

const OF_TABLE: Readonly<Record<TableEvent['type'], { readonly codes: AnyCoding }>> = EVENT_ROWS;

const codesIn = (rows: Iterable<readonly [string, { readonly codes: unknown }]>) =>
  Object.fromEntries([...rows].map(([kind, { codes }]) => [kind, codes as AnyCoding]));

/** The codes of every kind of entry, those of games that were handed in later among them. */
export const CODINGS: Readonly<Record<EntryKind, AnyCoding>> = {
  ...(codesIn(Object.entries(OF_TABLE)) as Record<TableEvent['type'], AnyCoding>),
  ...codesIn(allRows()),
  ...OF_HOST,
};

export interface Coded {
  readonly code: EventCode;
  readonly class: EventClass;
}

const coded = (code: EventCode): Coded => ({ code, class: rowOf(code).class });

/** The events an entry of the ledger is; none for a kind without a code, or of a later version. */
export function codesOf({ kind, body }: { readonly kind: string; readonly body: unknown }): readonly Coded[] {
  if (!Object.hasOwn(CODINGS, kind)) return [];
  const coding = CODINGS[kind as EntryKind];
  if (coding === 'begins-fault' || coding === 'ends-fault') {
    const row = faultRow((body as { readonly fault: string }).fault);
    return row === null ? [] : [coded(codesOfFault(row)[coding === 'begins-fault' ? 'begins' : 'ends'])];
  }
  if ('none' in coding) return [];
  return coding.flatMap((rule) => {
    if (typeof rule === 'string') return coded(rule);
    if (!rule.when(standIn({ kind, body }) as never)) return [];
    return { code: rule.code, class: rule.class ?? rowOf(rule.code).class };
  });
}

const isAsked = (
  { code, class: cls }: Coded,
  asked: EventCode | null,
  askedClass: EventClass | null,
): boolean => (asked === null || code === asked) && (askedClass === null || cls === askedClass);

/** Kinds of entries that may be an event with this code and of this class; null = any. */
export function kindsThat(code: EventCode | null, cls: EventClass | null): string[] {
  return Object.entries(CODINGS).flatMap(([kind, coding]) => {
    const told =
      coding === 'begins-fault' || coding === 'ends-fault'
        ? Object.values<FaultRow>(FAULTS).map((row) =>
            coded(codesOfFault(row)[coding === 'begins-fault' ? 'begins' : 'ends']),
          )
        : 'none' in coding
          ? []
          : coding.map((rule) =>
              typeof rule === 'string'
                ? coded(rule)
                : { code: rule.code, class: rule.class ?? rowOf(rule.code).class },
            );
    return told.some((each) => isAsked(each, code, cls)) ? [kind] : [];
  });
}
