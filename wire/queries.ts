/**
 * Everything a display may ask: one row a query, with its members, who may ask it and what it is
 * answered with. The types `Query` and `AnswerOf` and the document of the wire come from these
 * rows.
 */
import { z } from 'zod';
import { SLICES } from '../engine/accounting/meter-fold.ts';
import { EVENT_CODES } from './event-catalogue.ts';
import { at, edit, gameDevice, language, roundId, seat, sentence } from './fields.ts';
import {
  type ChangeCheck,
  type ChangePage,
  type ClockPage,
  type DevicePage,
  type DisplayPage,
  type DrillPage,
  type EdgesPage,
  type EventPage,
  type ExportPage,
  type FiguresPage,
  type LinkPage,
  type MeterPage,
  NOTE_OUTCOMES,
  type NotePage,
  type NoteTrace,
  type OwnRound,
  type OwnRounds,
  type PayoutPage,
  type PeoplePage,
  type ProfilePage,
  type ReadingPage,
  type RecallPage,
  type RecordingPage,
  type RoundDetail,
  type RoundPage,
  type Said,
  type SoftwareFilesPage,
  type SoftwarePage,
  type SpeechPage,
  type StorageReport,
  type TablesPage,
  type TrendPage,
} from './pages.ts';

/**
 * `service`: the table and the display of service mode, while a service session is open · `seat`:
 * the table, and the display of the very seat · `recall`: the table, while it may play a round of
 * the past · `dealer`: as `service`, and table and dealer while that is possible.
 */
export type Asker = 'service' | 'seat' | 'recall' | 'dealer';
const askers = z.registry<{
  readonly asker: Asker;
  /** For the document of the wire. */
  readonly says: string;
}>();

/** Carries the type of an answer, and no value. */
export interface Answers<T> {
  readonly answer?: () => T;
}
const answers = <T>(): Answers<T> => ({});

const row =
  (asker: Asker) =>
  <S extends z.ZodObject, T>(asked: S, says: string, answered: Answers<T>): S & Answers<T> => {
    askers.add(asked, { asker, says });
    return Object.assign(asked, answered);
  };
const ofService = row('service');
const ofSeat = row('seat');
const ofRecall = row('recall');
const ofDealer = row('dealer');

const ask = <const N extends string, M extends z.core.$ZodShape>(query: N, members: M) =>
  z.strictObject({ query: z.literal(query), ...members });

export const query = z.discriminatedUnion('query', [
  ofService(
    ask('devices', {}),
    'every device with its identity, faults and last frames; faults of the machine itself',
    answers<DevicePage>(),
  ),
  ofService(
    ask('recording', { device: gameDevice }),
    'writes what a device was fed and has sent lately into a file of the data folder',
    answers<RecordingPage>(),
  ),
  ofService(
    ask('meters', { asOfMs: at.nullable(), fromMs: at.nullable(), by: z.enum(SLICES).nullable() }).refine(
      ({ asOfMs, fromMs }) => asOfMs === null || fromMs === null || fromMs <= asOfMs,
      { path: ['fromMs'], message: 'is after asOfMs' },
    ),
    "as of a moment (null = now), since another one (null = the first entry), divided (null = the table's)",
    answers<MeterPage>(),
  ),
  ofService(
    ask('events', {
      beforeSeq: z.int().min(1).nullable(),
      limit: z.int().min(1).max(200),
      kind: z.string().max(40).nullable(),
      code: z.enum(EVENT_CODES).nullable().exactOptional(),
      class: z.enum(['I', 'N', 'W', 'F']).nullable().exactOptional(),
      seat: seat.nullable().exactOptional(),
      roundId: roundId.nullable().exactOptional(),
      person: z.string().min(1).max(40).nullable().exactOptional(),
      fromMs: at.nullable().exactOptional(),
      toMs: at.nullable().exactOptional(),
    }),
    'entries that match all of it, null or absent = whatever it is; `person` by id or name; from `fromMs` on, before `toMs`; `olderSeq` is the `beforeSeq` of the next page, which may be empty with more behind it',
    answers<EventPage>(),
  ),
  ofService(
    ask('payouts', { beforeSeq: z.int().min(1).nullable(), limit: z.int().min(1).max(100) }),
    'what was paid out by hand, by whom; `olderSeq` as of `events`',
    answers<PayoutPage>(),
  ),
  ofDealer(
    ask('rounds', {
      beforeNo: z.int().min(1).nullable(),
      limit: z.int().min(1).max(100),
      seat: seat.exactOptional(),
      atMs: at.exactOptional(),
    }),
    '`seat`: those in which a bettor of that seat, or one on its hand, had a bet; `atMs`: those opened up to that time; `older` continues it',
    answers<RoundPage>(),
  ),
  ofService(
    ask('round', { roundId }),
    'one round in full; null = there is none',
    answers<RoundDetail | null>(),
  ),
  ofService(ask('profile', {}), 'the table in force with its options', answers<ProfilePage>()),
  ofService(
    ask('check-change', { edit, fromMs: at.nullable() }),
    'what an edit would change, and what forbids it',
    answers<ChangeCheck>(),
  ),
  ofService(
    ask('figures', { edit }),
    'the edge of every bet with that edit; `working` while it is reckoned, which ends when nobody asks again',
    answers<FiguresPage>(),
  ),
  ofService(ask('change', {}), 'the change that waits', answers<ChangePage>()),
  ofService(ask('drills', {}), 'the drills, and the one that is held', answers<DrillPage>()),
  ofService(
    ask('exports', {}),
    'the places an export can go to, and the one that is made',
    answers<ExportPage>(),
  ),
  ofService(ask('tables', {}), 'the ready tables', answers<TablesPage>()),
  ofService(
    ask('people', {}),
    'who may be let in, of which list, and until when; whether the maker is',
    answers<PeoplePage>(),
  ),
  ofService(ask('link', {}), 'the link to the centre', answers<LinkPage>()),
  ofService(ask('software', {}), 'version, identity, self-test', answers<SoftwarePage>()),
  ofService(
    ask('software-files', {}),
    'every file of the program with its SHA-256',
    answers<SoftwareFilesPage>(),
  ),
  ofService(ask('storage', {}), 'the files of the ledger, the disk, the archive', answers<StorageReport>()),
  ofService(
    ask('notes', {
      beforeSeq: z.int().min(1).nullable(),
      limit: z.int().min(1).max(100),
      acceptor: seat.nullable(),
      outcome: z.enum(NOTE_OUTCOMES).nullable(),
    }),
    'banknotes with what became of each',
    answers<NotePage>(),
  ),
  ofService(
    ask('note-trace', { seq: z.int().min(1) }),
    'what device and driver said round the time of the note that begins with entry `seq`',
    answers<NoteTrace | null>(),
  ),
  ofService(
    ask('trends', { hours: z.int().min(1).max(744) }),
    'over the last so many hours',
    answers<TrendPage>(),
  ),
  ofService(
    ask('displays', {}),
    'the displays that are connected, with what each has measured',
    answers<DisplayPage>(),
  ),
  ofService(
    ask('clock', {}),
    'wall clock, clock of the ledger, and that of the centre',
    answers<ClockPage>(),
  ),
  ofService(ask('reading', {}), 'how payments are read a second time', answers<ReadingPage>()),
  ofRecall(
    ask('recall', { roundId, fromStep: z.int().min(0) }),
    'the views of a round, transaction by transaction, 40 at a time',
    answers<RecallPage | null>(),
  ),
  ofSeat(
    ask('own-rounds', { seat, from: z.int().min(0).max(199).exactOptional() }),
    'ten of the last 200 rounds of the player of that seat since it was last paid out, from the `from`th on, the newest being 0',
    answers<OwnRounds>(),
  ),
  ofSeat(
    ask('own-round', { seat, roundId }),
    "one of them: the player's own hands, bets and lines, nobody else's money",
    answers<OwnRound | null>(),
  ),
  ofSeat(
    ask('edges', { seat }),
    'what the house keeps of each bet of the table in force; `working` while it is reckoned, which ends when nobody asks again',
    answers<EdgesPage>(),
  ),
  ofSeat(
    ask('say', { seat, language, text: sentence }),
    'says a sentence at the seat, in place of the one before; an empty one ends that. `wav` (base64) is for the display to play; null where the seat has an output of its own',
    answers<Said>(),
  ),
  ofService(
    ask('speech', {}),
    'the synthesiser, its voices, and the outputs of the seats',
    answers<SpeechPage>(),
  ),
]);

export type Option = (typeof query)['options'][number];
export type Query = z.infer<typeof query>;
export type QueryName = Query['query'];
/** By its name, what is asked. */
export type Asked = { readonly [N in QueryName]: Extract<Query, { query: N }> };
/** By the name of the query, what is answered. */
export type Answered = {
  readonly [N in QueryName]: ReturnType<
    NonNullable<Extract<Option, { readonly shape: { readonly query: z.ZodLiteral<N> } }>['answer']>
  >;
};
export type AnswerOf<Q extends Query> = Answered[Q['query']];

/** The rows in words, for the document of the wire. */
export const QUERY_ROWS = query.options.map((schema) => ({
  name: schema.shape.query.value,
  schema,
  ...askers.get(schema)!,
}));

const ASKERS = new Map<string, Asker>(QUERY_ROWS.map(({ name, asker }) => [name, asker]));
export const askerOf = (name: QueryName): Asker => ASKERS.get(name)!;
