/**
 * Which entry of the ledger is which event of event-catalogue.ts. Every kind of entry has its codes here or the reason why
 * it has none; a new kind without either does not compile.
 */
import type { EventOf, TableEvent } from '../../engine/table/events.ts';
import type { Person } from '../../engine/table/inputs.ts';
import { type EventClass, type EventCode, rowOf } from '../../wire/event-catalogue.ts';
import { FAULTS, type FaultRow, faultRow } from '../../wire/faults.ts';
import type { HostEvent } from '../../wire/host-events.ts';
import { standIn } from '../table/sealed-cards.ts';

/** A code the entry always has, or one it has under a condition; `class` where it is not the row's own. */
type Rule<E> =
  | EventCode
  | {
      readonly code: EventCode;
      readonly class?: EventClass;
      /** The condition in words, for docs/events.md. */
      readonly if: string;
      readonly when: (body: E) => boolean;
    };
type Coding<E> =
  | readonly [Rule<E>, ...Rule<E>[]]
  | { readonly none: string }
  /** The code of the fault's row in faults.ts. */
  | 'begins-fault'
  | 'ends-fault';

type AnyEvent = TableEvent | HostEvent;
export type EntryKind = AnyEvent['type'];

const IN_ANOTHER = (code: EventCode): { readonly none: string } => ({ none: `a step of what ${code} tells` });

/** Entries of before there was the field: whoever opened service mode then was most likely an operator. */
const isOperator = (person: Person | undefined): boolean =>
  person?.role !== 'attendant' && person?.role !== 'auditor';

const IS_OF_RULES = /^(rulebook|options|authorisations)\b/;
/** Entries of before there was the field say only that something is another thing now. */
const hasChanged = ({ changes }: EventOf<'table-configured'>, place: RegExp): boolean =>
  changes === undefined || changes.some((change) => place.test(change.place));

export const CODINGS = {
  // the machine and its people
  'terminal-started': ['101'],
  'table-configured': [
    '806',
    { code: '807', if: 'the rules or their authorisations', when: (body) => hasChanged(body, IS_OF_RULES) },
    { code: '317', if: 'the notes it takes', when: (body) => hasChanged(body, /^notesMinor$/) },
  ],
  'dealer-signed-in': [
    '502',
    { code: '501', if: 'the table was closed', when: ({ relieves }) => relieves === undefined },
  ],
  'dealer-signed-out': ['502C', '501C'],
  'language-set': { none: 'a seat reads another language; nothing else changes' },
  'comfort-set': { none: 'a seat is shown in another way; nothing else changes' },
  'session-began': { none: 'money has come to an empty seat, which 302, 314 or 607 tells' },
  'session-ended': { none: 'the seat is empty, which 603 or the last 507 tells' },
  'own-limits-set': ['954'],
  'own-limit-reached': ['952'],
  'own-limit-confirmed': ['952C'],
  'attendant-called': [
    { code: '606', if: 'called', when: ({ on }) => on },
    { code: '606C', if: 'no longer', when: ({ on }) => !on },
  ],
  'service-entered': [
    { code: '801', if: 'an attendant or auditor', when: ({ person }) => !isOperator(person) },
    { code: '803', if: 'a supervisor or technician', when: ({ person }) => isOperator(person) },
    '805',
  ],
  'service-left': [
    { code: '802', if: 'an attendant or auditor', when: ({ person }) => !isOperator(person) },
    { code: '804', if: 'a supervisor or technician', when: ({ person }) => isOperator(person) },
    '805C',
  ],
  'fault-reported': 'begins-fault',
  'fault-cleared': 'ends-fault',
  'table-held': ['509'],
  'hold-released': ['509C'],
  'centre-locked': ['704'],
  'centre-unlocked': ['704C'],
  'notes-limited': [
    '317',
    { code: '316', if: 'an acceptor is off', when: ({ acceptorsOff }) => acceptorsOff.length > 0 },
    { code: '316C', if: 'none is off', when: ({ acceptorsOff }) => acceptorsOff.length === 0 },
  ],
  // the shoe
  'shoe-loaded': ['402'],
  'decks-checked': IN_ANOTHER('402'),
  'packet-loaded': ['402'],
  'cut-refused': IN_ANOTHER('402'),
  'shoe-cut': IN_ANOTHER('402'),
  'end-card-placed': IN_ANOTHER('402'),
  'start-burn-counted': IN_ANOTHER('404'),
  'shoe-readied': IN_ANOTHER('402'),
  'shuffler-fed': ['418'],
  'complaint-raised': ['510'],
  'complaint-closed': ['510C'],
  'cards-laid-out': ['416'],
  'cards-replaced': ['417'],
  'shuffler-jammed': IN_ANOTHER('410'),
  'shuffler-opened': IN_ANOTHER('410'),
  'end-card-seen': ['415'],
  'cards-waiting': [
    {
      code: '405',
      if: 'a face is in doubt',
      when: ({ waiting }) => waiting.some(({ why }) => why === 'doubtful'),
    },
    { code: '411', if: 'a card is missing', when: ({ waiting }) => waiting.some(({ why }) => why === 'gap') },
    {
      code: '412',
      if: 'a card was not due',
      when: ({ waiting }) => waiting.every(({ why }) => why === 'known'),
    },
  ],
  'face-up-announced': IN_ANOTHER('414'),
  'card-confirmed': [
    { code: '405C', if: 'as it was read', when: ({ read, card }) => read === card },
    {
      code: '407',
      if: 'another one than was read',
      when: ({ read, card }) => read !== null && read !== card,
    },
    { code: '408', if: 'none was read', when: ({ read }) => read === null },
  ],
  'card-burned': [
    '404',
    { code: '414', if: 'it lay open', when: ({ why }) => why === 'exposed' },
    {
      code: '412',
      if: 'it was not due',
      when: ({ why }) => ['set-aside', 'misdrawn', 'wrong-bank-card'].includes(why),
    },
  ],
  // the round
  'betting-opened': ['503', '505'],
  'demo-round-opened': ['505'],
  'bet-placed': ['504'],
  'bet-withdrawn': ['504C'],
  'betting-closed': ['503C'],
  'betting-cancelled': ['503C'],
  'betting-extended': IN_ANOTHER('503'),
  'streak-forfeited': ['514'],
  'deal-began': IN_ANOTHER('505'),
  'card-dealt': ['403'],
  'bank-card-dealt': ['403'],
  'player-side-card-dealt': ['403'],
  'cards-swapped': ['407'],
  'initial-deal-ended': IN_ANOTHER('505'),
  'hole-card-checked': IN_ANOTHER('505'),
  'hole-card-turned': IN_ANOTHER('403'),
  'offers-opened': IN_ANOTHER('506'),
  'insurance-laid': ['506'],
  'insurance-declined': ['506'],
  'even-money-taken': ['506'],
  'original-only-taken': ['506'],
  'offer-passed': ['506'],
  'hand-surrendered': ['506'],
  'offers-closed': IN_ANOTHER('506'),
  'intent-noted': { none: 'no decision yet; it moves nothing and may be taken back' },
  'intent-taken': IN_ANOTHER('506'),
  'intent-dropped': { none: 'what was noted could not be said any more; nothing was decided' },
  'turn-moved': IN_ANOTHER('506'),
  'hit-called': ['506'],
  'hand-stood': ['506'],
  'hand-doubled': ['506'],
  'hand-split': ['506'],
  'war-declared': ['506'],
  'raise-followed': ['506'],
  'resplit-declined': ['506'],
  'five-card-half-taken': ['506'],
  'pair-bet-laid': ['504'],
  'hand-closed': IN_ANOTHER('506'),
  'bank-turn-began': IN_ANOTHER('505'),
  'bank-second-burned': ['404', '414'],
  'blackjacks-paid': IN_ANOTHER('507'),
  'special-prize-won': IN_ANOTHER('507'),
  'side-bets-decided': IN_ANOTHER('507'),
  'jackpot-moved': [
    { code: '512', if: 'it was won', when: ({ why }) => why === 'paid' },
    { code: '512', class: 'I', if: 'its meter moved', when: ({ why }) => why !== 'paid' },
  ],
  'streak-moved': ['514'],
  'round-settled': [
    '507',
    { code: '602', if: 'a win is paid by hand', when: ({ byHand }) => byHand !== undefined },
  ],
  'substantial-win-noticed': ['511'],
  'results-shown': IN_ANOTHER('507'),
  'round-voided': ['508'],
  'round-closed': [
    '505C',
    { code: '418', if: 'the shuffler takes the cards', when: ({ cardsBack }) => cardsBack },
    { code: '416', if: 'the shoe has ended', when: ({ next }) => next === 'shoe' },
  ],
  // banknotes and payments
  'note-escrowed': ['301'],
  'note-stack-requested': IN_ANOTHER('301'),
  'note-refused': [
    { code: '322', if: 'it would exceed the limit', when: ({ why }) => why === 'limit' },
    { code: '304', if: 'any other reason', when: ({ why }) => why !== 'limit' },
  ],
  'note-seat-chosen': { none: 'a choice of where the next note goes' },
  'note-credited': ['302'],
  'note-closed': IN_ANOTHER('302'),
  'note-returned': ['303'],
  'note-held': ['313'],
  'held-note-found': ['313'],
  'held-note-resolved': ['314'],
  'cash-out-requested': ['601', '602'],
  'cash-out-cancelled': ['601C', '602C'],
  'hand-paid': ['603', '602C'],
  'credit-adjusted': ['607'],
  // the host
  'access-refused': ['219'],
  'access-regained': ['219C'],
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
  'unit-accepted': ['320C'],
  'ledger-repaired': IN_ANOTHER('902'),
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
  'usb-unknown': ['910'],
  'terminal-file-changed': ['813'],
  'people-changed': ['814'],
  'profile-refused': { none: 'nothing came into force' },
  'cards-opened': { none: 'each card stands in its own entry' },
  'simulation-used': [
    { code: '809', if: 'a fault was provoked', when: ({ command }) => command === 'sim-fault' },
    { code: '808', if: 'any other use', when: ({ command }) => command !== 'sim-fault' },
  ],
  'change-planned': IN_ANOTHER('806'),
  'change-dropped': IN_ANOTHER('806'),
  'export-begun': IN_ANOTHER('812'),
  'export-made': ['812'],
  'drill-begun': ['809'],
  'drill-ended': ['809C'],
  'centre-command': ['703'],
  'centre-command-refused': ['703'],
  'centre-table-refused': ['703'],
} as const satisfies { readonly [Kind in EntryKind]: Coding<Extract<AnyEvent, { readonly type: Kind }>> };

export interface Coded {
  readonly code: EventCode;
  readonly class: EventClass;
}

const coded = (code: EventCode): Coded => ({ code, class: rowOf(code).class });

/** The events an entry of the ledger is; none for a kind without a code, or of a later version. */
export function codesOf({ kind, body }: { readonly kind: string; readonly body: unknown }): readonly Coded[] {
  if (!Object.hasOwn(CODINGS, kind)) return [];
  const coding = CODINGS[kind as EntryKind] as Coding<never>;
  if (coding === 'begins-fault' || coding === 'ends-fault') {
    const no = faultRow((body as { readonly fault: string }).fault)?.code;
    return no === undefined ? [] : [coded(coding === 'begins-fault' ? `${no}` : `${no}C`)];
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
  return Object.entries<Coding<never>>(CODINGS).flatMap(([kind, coding]) => {
    const told =
      coding === 'begins-fault' || coding === 'ends-fault'
        ? Object.values<FaultRow>(FAULTS).map(({ code: no }) =>
            coded(coding === 'begins-fault' ? `${no}` : `${no}C`),
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
