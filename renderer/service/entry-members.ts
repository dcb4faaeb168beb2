/**
 * Every member of every entry of the ledger: in which order they are read and how their values are
 * said.
 */

import type { EVENT_ROWS, EventType, TableEvent } from '../../engine/engine.ts';
import type { Person } from '../../engine/table/inputs.ts';
import type { OptionValue } from '../../engine/table/profile.ts';
import type { HostEvent } from '../../wire/host-events.ts';
import type Resources from '../texts/resources';

/**
 * The value is a code, or several, with a text in one of these groups; what has none is shown as it
 * is.
 */
export interface Coded<Group extends string = string> {
  readonly groups: readonly Group[];
}
export type How =
  | 'plain'
  | 'money'
  | 'signed'
  | 'card'
  /** A time of the day, to the second. */
  | 'second'
  | 'moment'
  | 'span'
  | 'yes'
  | 'person'
  | 'articles'
  /** Counted from 0 in the ledger and from 1 by people. */
  | 'hand'
  | 'fraction'
  /** What is won to what is laid, as on the felt. */
  | 'odds'
  /** A fraction too. */
  | 'percent'
  /** What a place of the profile holds, and its name. */
  | 'option'
  | 'place'
  | 'options'
  | 'rulebook'
  | 'device'
  /** A number; null = all of them. */
  | 'acceptor'
  /** A number; 0 = the bank. */
  | 'seat-or-bank'
  /** A part of 255. */
  | 'confidence'
  /** One of the choices of a player's seat. */
  | 'setting'
  | 'inside'
  /** Long: shown when it is asked for. */
  | 'folded'
  | Coded;

const group = <const Space extends 'table' | 'service', const Name extends string>(
  space: Space,
  name: Name,
) => `${space}:${name}` as const;
const coded = <const Groups extends readonly string[]>(...groups: Groups) => ({ groups });
const WORD = group('service', 'word');
const FAULT = group('table', 'fault');
const WHY = group('service', 'why');

// biome-ignore format: a list is read by its rows
export const MEMBERS = {
  // whose and what
  no: 'plain', name: 'plain', complaintNo: 'plain', caseNo: 'plain', payNo: 'plain', roundNo: 'plain', coupsGone: 'plain', tally: 'plain', talliesGone: 'plain',
  place: 'place', device: 'device', acceptor: 'acceptor', seat: 'plain', side: coded(group('table', 'bet.name')), fromSeat: 'plain', toSeat: 'seat-or-bank',
  by: 'plain', decider: 'plain', hand: 'hand', bet: coded(group('table', 'bet.name')), number: 'plain',
  kind: coded(WORD, group('table', 'act')), what: coded(WORD), fault: coded(FAULT), act: coded(group('table', 'act')),
  code: coded(group('table', 'hold'), group('table', 'reject'), WORD), hold: 'inside', detail: coded(FAULT),
  command: coded(WORD), event: 'plain', process: 'plain', drill: coded(group('service', 'drillName'), FAULT),
  status: coded(group('table', 'hand')), result: coded(WORD), outcome: coded(group('table', 'outcome')),
  slip: coded(WORD), of: 'plain', copy: 'yes', printed: 'yes', part: coded(WORD), turned: 'yes',
  opened: 'inside', openedOff: 'inside', totals: 'folded', main: 'plain', drop: 'plain', logic: 'plain', cabinet: 'plain', offSeconds: 'plain',
  link: coded(group('service', 'link')), language: coded(group('table', 'language')),
  card: 'card', read: 'card', bank: 'card', playerSide: 'card', hands: 'card', cards: 'inside', missing: 'card', extra: 'card',
  shoeSeq: 'plain', matrix: 'plain', drawNo: 'plain', lastDrawNo: 'plain', confidence: 'confidence', waiting: 'inside', drawnNow: 'plain',
  waited: 'yes', faceUp: 'yes', faceDown: 'yes', unseen: 'yes', additional: 'yes',
  // money
  amountMinor: 'money', valueMinor: 'money', valuesMinor: 'money', stakeMinor: 'money', odds: 'odds', baseMinor: 'money',
  commission: 'percent', keptMinor: 'money', rounded: coded(WORD), returnedMinor: 'money', netMinor: 'signed',
  meterMinor: 'money', rest: 'fraction', broughtMinor: 'money', inMinor: 'money', outMinor: 'money',
  resultMinor: 'signed', resultsStay: 'yes', cardsStay: 'yes', toCount: 'inside', due: 'inside', left: 'plain', discarded: 'plain', countCards: 'yes', counts: 'yes', listed: 'yes', handPays: 'plain', pendingMinor: 'money', heldNotes: 'plain', unreported: 'plain', calls: 'plain', complaints: 'plain', faults: coded(FAULT), creditMinor: 'money', lossMinor: 'money', adjustedMinor: 'signed', credited: 'yes', inBox: 'yes', win: 'yes',
  currency: 'plain', raises: 'inside', bets: 'inside', seats: 'inside', lines: 'inside', byHand: 'inside', open: 'inside', wins: 'plain',
  // how it came
  pad: coded(WORD), failures: 'inside',
  why: coded(WHY), reason: coded(group('table', 'desk.adjustReason'), group('table', 'desk.heldReason'), group('table', 'voidReason'), group('table', 'dealer.cardReason'), WHY),
  words: 'plain', from: 'option', to: 'option', after: coded(WORD), phase: coded(WORD), roundOpen: 'yes',
  byDefault: 'yes', signalled: 'yes', byDeadline: 'yes', byCentre: 'yes', committed: 'yes', upheld: 'yes', solved: 'yes', regular: 'yes', toReport: 'yes', toOrder: 'yes', on: 'yes',
  blackjack: 'yes', blackjacks: 'plain', bound: 'plain', pending: 'inside', modality: coded(WORD), aceLocked: 'yes', stillAsked: 'yes', atOnce: 'yes', aces: 'yes', closesHand: 'yes',
  last: 'yes', lastRound: 'plain', next: coded(WORD), cardsBack: 'yes', kept: 'yes', fullTime: 'yes',
  decks: 'plain', startBurn: 'plain', burnDue: 'plain', cardCount: 'plain', count: 'plain', cardsBehind: 'plain', lastCutBy: 'plain',
  text: 'setting', contrast: 'setting', reach: 'setting', motion: 'setting', speech: 'yes', leftHand: 'yes', comfort: 'inside',
  stops: coded(WORD), acceptorsOff: 'acceptor', boxes: 'acceptor', skipped: 'acceptor', notes: 'inside', gates: 'inside', shut: coded(WHY, FAULT, group('service', 'deviceState')),
  corrects: 'inside', cites: 'articles', person: 'person', second: 'person', persons: 'person', relieves: 'person',
  // when
  touchedAtMs: 'second', deadline: 'inside', atMs: 'second', totalMs: 'span', forMs: 'span', timeMs: 'span', byMs: 'span',
  sinceMs: 'moment', fromMs: 'moment', wallMs: 'moment', lastEntryMs: 'moment', lockedUntilMs: 'moment', untilMs: 'moment', waitMs: 'span',
  since: 'inside', timeSetMs: 'second', lossSetMs: 'second', inSetMs: 'second',
  // the machine
  ok: 'yes', passed: 'yes', approved: 'yes', failed: coded(group('service', 'check')), isComplete: 'yes', file: coded(WORD),
  identity: 'inside', unit: 'inside', table: 'inside', said: 'plain', model: 'plain', product: 'plain', serial: 'plain', firmware: 'plain', version: 'plain', was: 'inside', named: 'inside',
  changes: 'inside', staffNo: 'plain', newStaffNo: 'yes', newPin: 'yes', people: 'folded', files: 'plain', problems: 'plain', port: 'plain', dir: 'plain', evidence: 'plain',
  // the table
  profile: 'folded', rules: 'options', tableName: 'plain', rulebook: 'rulebook', options: 'options', seatCount: 'plain',
  acceptors: coded(WORD), dealerSide: coded(WORD), chipsMinor: 'money', notesMinor: 'money', maxCreditMinor: 'money', twoPersonHandPayMinor: 'money',
  handPaidWinMinor: 'money', complaintWindowMs: 'span', longSessionMs: 'span', noteLimits: 'inside', sessionMinor: 'money', roundMinor: 'money', span: 'inside', ms: 'span', mostMinor: 'money', offlineMs: 'span', shutAfterNote: 'yes', supervisedShoe: 'yes', payingCardConfirmed: 'yes', errorsBySupervisor: 'yes', timing: 'inside', bettingMs: 'span', offersMs: 'span', decisionMs: 'span',
  minResultMs: 'span', minRoundMs: 'span', minConfidence: 'confidence', display: 'inside', suitColours: 'plain', cardIndex: coded(WORD), slowReveal: 'yes', dealerEdge: coded(WORD), chineseVoice: coded(WORD),
  authorisations: 'inside', reference: 'plain', requestedOn: 'plain', effectiveOn: 'plain', untilOn: 'plain', revokedOn: 'plain', demonstration: 'yes',
  answer: 'inside', game: 'inside', byOrder: 'inside', issuer: 'plain', order: coded(group('service', 'order')), devices: 'inside', offMs: 'span', limitMs: 'span', node: 'plain', sqlite: 'plain',
  // names that only the machine reads come last
  profileSha256: 'plain', optionsSha256: 'plain',
  terminalId: 'plain', shoeId: 'plain', noteId: 'plain', requestId: 'plain', roundId: 'plain', ofRoundId: 'plain', batch: 'plain',
  seq: 'plain', fromSeq: 'plain', toSeq: 'plain', headSeq: 'plain', id: 'plain', bootId: 'plain', machineBootId: 'plain',
  softwareId: 'plain', sha256: 'plain', mark: 'plain', bytes: 'plain', signature: 'plain', commonSeq: 'plain', droppedEntries: 'plain', droppedSums: 'plain', witness: 'inside', at: 'plain', counter: 'inside', found: 'plain', willBe: 'plain', epochBefore: 'inside', endedAtMs: 'moment', folder: 'plain', keyId: 'plain', hash: 'plain', test: 'plain',
  opening: 'plain', ask: coded(WORD), differing: 'plain', cannot: 'plain', engine: 'inside', reader: 'inside',
} as const satisfies Record<MemberName, How>;

/** The states and faults that a self-test can tell of. */
export const FOUND = coded(
  group('service', 'deviceState'),
  FAULT,
  group('service', 'copyState'),
  group('service', 'link'),
);

/** Why a unit has refused a note by itself. */
export const REJECTION = coded(group('service', 'rejection'));

/** Where one name means another thing in one kind of entry. */
export const OF_KIND = {
  'note-rejected-by-device.reason': REJECTION,
  'complaint-raised.from': coded(group('table', 'desk.from')),
  'held-note-resolved.outcome': coded(WORD),
  'reading-differed.outcome': coded(WORD),
  'drill-ended.outcome': coded(group('service', 'drillOutcome')),
  'centre-command.outcome': coded(WORD),
  'centre-command-answered.outcome': coded(WORD),
  'recall-displayed.place': coded(WORD),
  'people-changed.was': 'person',
} as const satisfies Readonly<Record<string, How>>;

// ---- what there is, out of the types of the entries: a new member or a new value of one is an
// error here ----

type Body = TableEvent | HostEvent;
/** Their texts are those of the rules pages, see RulesWriter. */
type Elsewhere = 'rules' | 'options';

/**
 * Every name of a member in there, however deep; `type` and the time of the entry are columns of
 * their own.
 */
type NameIn<T> = [OptionValue] extends [T]
  ? never
  : T extends string | number | boolean | null | undefined | Person
    ? never
    : T extends readonly (infer U)[]
      ? NameIn<U>
      : { [K in keyof T & string]: K | (K extends Elsewhere ? never : NameIn<T[K]>) }[keyof T & string];
export type MemberName = Exclude<NameIn<Body>, 'type'>;

type Literals<V> = [OptionValue] extends [V]
  ? never
  : V extends string
    ? string extends V
      ? never
      : V
    : V extends readonly (infer U)[]
      ? Literals<U>
      : never;
/** 'member: value' of every value of a closed set, however deep. */
type ValuesIn<T> = [OptionValue] extends [T]
  ? never
  : T extends string | number | boolean | null | undefined | Person
    ? never
    : T extends readonly (infer U)[]
      ? ValuesIn<U>
      : {
          [K in keyof T & string]: K extends Elsewhere ? never : `${K}: ${Literals<T[K]>}` | ValuesIn<T[K]>;
        }[keyof T & string];

type At<Tree, Path extends string> = Path extends `${infer Head}.${infer Tail}`
  ? Head extends keyof Tree
    ? At<Tree[Head], Tail>
    : never
  : Path extends keyof Tree
    ? Tree[Path]
    : never;
type TextsOf<Group> = Group extends `${infer Space}:${infer Path}`
  ? Space extends keyof Resources
    ? keyof At<Resources[Space], Path>
    : never
  : never;
type SaidBy<H> = H extends Coded<infer Group> ? TextsOf<Group> : string;
type Said = {
  [K in MemberName]: `${K}: ${SaidBy<(typeof MEMBERS)[K]> & string}`;
}[MemberName];
type SaidOfKind = {
  [K in keyof typeof OF_KIND]: K extends `${string}.${infer Name}`
    ? `${Name}: ${SaidBy<(typeof OF_KIND)[K]> & string}`
    : never;
}[keyof typeof OF_KIND];
/** Values of coded members that have no text; `never` as it must be. */
export type Unsaid = Exclude<ValuesIn<Body>, Said | SaidOfKind | `type: ${string}`>;

/** Keys of the names of events that lead to no text; `never` as it must be. */
export type Unnamed = Exclude<
  (typeof EVENT_ROWS)[EventType]['words'],
  `event.${keyof Resources['table']['event']}`
>;
