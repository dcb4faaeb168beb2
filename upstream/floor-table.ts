/**
 * What a table is now and what people have to know of, folded out of its entries. Pure; nothing in
 * an entry is believed to have a form, and what has none changes nothing.
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { z } from 'zod';
import { plainLine } from '../ledger/chain/plain-line.ts';

export const LANGUAGES = ['zh-Hant', 'pt', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

export type AlarmKind =
  | 'fault'
  | 'hold'
  | 'call'
  | 'complaint'
  | 'hand-pay'
  | 'held-note'
  | 'silent'
  | 'locked'
  | 'clock'
  | 'late'
  | 'pace';

/** What an alarm is about, besides its kind; each kind has some of them. */
export interface AlarmFacts {
  readonly device?: string;
  readonly fault?: string;
  readonly code?: string;
  readonly seat?: number;
  readonly acceptor?: number;
  readonly language?: Language;
  readonly no?: number;
  readonly roundNo?: number;
  readonly amountMinor?: number | null;
  readonly currency?: string;
  readonly offMs?: number;
  readonly perHour?: number;
  readonly limit?: number;
}

export interface TableNow {
  /** Its name in the profile; empty while it has not said which table it is. */
  readonly name: string;
  readonly rulebook: string;
  readonly seatCount: number;
  readonly perSeat: boolean;
  readonly currency: string;
  /** The first digits of its profile's SHA-256. */
  readonly profileId: string | null;
  readonly version: string | null;
  readonly softwareId: string | null;
  readonly dealer: string | null;
  /** Who is in service mode. */
  readonly service: string | null;
  readonly isHeld: boolean;
  readonly isLockedByCentre: boolean;
  /** Its program has ended in order: nothing will be heard of it. */
  readonly isOff: boolean;
  readonly phase: 'between' | 'betting' | 'playing' | 'paying';
  readonly roundNo: number;
  /** Seats with somebody, ascending. */
  readonly taken: readonly number[];
  readonly languages: Readonly<Record<string, Language>>;
  /** Since when rounds could be played here for somebody; its own clock, null = they cannot. */
  readonly activeSinceMs: number | null;
}

export const NOTHING_KNOWN: TableNow = {
  name: '',
  rulebook: '',
  seatCount: 0,
  perSeat: false,
  currency: '',
  profileId: null,
  version: null,
  softwareId: null,
  dealer: null,
  service: null,
  isHeld: false,
  isLockedByCentre: false,
  isOff: false,
  phase: 'between',
  roundNo: 0,
  taken: [],
  languages: {},
  activeSinceMs: null,
};

/** `about` null cures all of the kind. */
export type AlarmChange =
  | { readonly open: AlarmKind; readonly about: string; readonly facts: AlarmFacts }
  | { readonly cure: AlarmKind; readonly about: string | null };

export interface Folded {
  readonly now: TableNow;
  readonly alarms: readonly AlarmChange[];
  /** A round has ended. */
  readonly isRound: boolean;
}

const MOST_CHARACTERS = 120;
const text = z.string().transform((said) => plainLine(said.slice(0, MOST_CHARACTERS)));
const seat = z.int().min(1).max(12);
const no = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const amountMinor = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const person = z.object({ name: text });
const byHand = z
  .array(z.object({ seat, requestId: text, amountMinor }))
  .max(24)
  .default([]);

type Fold<T> = (
  now: TableNow,
  body: T,
) => Partial<Omit<Folded, 'now'>> & { readonly now?: Partial<TableNow> };
interface Row {
  /** Its body is not looked at. */
  readonly byName?: true;
  fold(now: TableNow, body: unknown): ReturnType<Fold<never>>;
}

const NONE = {};
/** An entry whose body has another form says nothing here. */
const row = <T>(schema: z.ZodType<T>, fold: Fold<T>): Row => ({
  fold(now, body) {
    const { data, success } = schema.safeParse(body);
    return success ? fold(now, data) : NONE;
  },
});
const always = (fold: (now: TableNow) => ReturnType<Fold<never>>): Row => ({ byName: true, fold });

const Fault = z.object({ device: text, fault: text });
const faultOf = ({ device, fault }: z.infer<typeof Fault>): string => `${device}/${fault}`;
/** The held note is an alarm itself. */
const NOTE_IN_DOUBT = 'note-in-doubt';
/** Holds that a fault brings: the fault is the alarm. */
const HOLDS_OF_FAULTS: ReadonlySet<string> = new Set(['shoe-fault', 'machine-fault']);

export const acceptorOf = (device: string): number | null => {
  const digits = /^acceptor-(\d{1,2})$/.exec(device)?.[1];
  return digits === undefined ? null : Number(digits);
};

const winsByHand = row(z.object({ byHand, currency: text }), (_now, body) => ({
  alarms: body.byHand.map(({ requestId, ...facts }) => ({
    open: 'hand-pay',
    about: requestId,
    facts: { ...facts, currency: body.currency },
  })),
}));

/** The rest of it counts for its id. */
const Profile = z.looseObject({
  tableName: text,
  rulebook: text,
  seatCount: seat,
  currency: text,
  acceptors: z.enum(['per-seat', 'shared']),
});

const ROWS: Readonly<Record<string, Row>> = {
  'program-started': always(() => ({ now: { isOff: false } })),
  'program-stopped': always(() => ({ now: { isOff: true } })),
  'code-checked': row(z.object({ version: text, id: text }), (_now, { version, id }) => ({
    now: { version, softwareId: id },
  })),
  'table-configured': row(z.object({ profile: Profile }), (_now, { profile }) => {
    const { tableName: name, rulebook, seatCount, currency, acceptors } = profile;
    const shape = { name, rulebook, seatCount, currency, perSeat: acceptors === 'per-seat' };
    return {
      now: { ...shape, profileId: idOf(profile), taken: [], phase: 'between' },
      // A table is changed while it is empty: nothing of it is owed any more.
      alarms: [{ cure: 'complaint', about: null }],
    };
  }),
  'dealer-signed-in': row(z.object({ person }), (_now, body) => ({ now: { dealer: body.person.name } })),
  'dealer-signed-out': always(() => ({ now: { dealer: null, phase: 'between' } })),
  'service-entered': row(z.object({ person }), (_now, body) => ({ now: { service: body.person.name } })),
  'service-left': always(() => ({ now: { service: null } })),
  'centre-locked': always(() => ({ now: { isLockedByCentre: true } })),
  'centre-unlocked': always(() => ({ now: { isLockedByCentre: false } })),
  'table-held': row(z.object({ hold: z.object({ code: text }) }), (_now, { hold: { code } }) => ({
    now: { isHeld: true },
    alarms: HOLDS_OF_FAULTS.has(code) ? [] : [{ open: 'hold', about: '', facts: { code } }],
  })),
  'hold-released': always(() => ({ now: { isHeld: false }, alarms: [{ cure: 'hold', about: null }] })),
  'betting-opened': row(z.object({ roundNo: no }), (_now, { roundNo }) => ({
    now: { phase: 'betting', roundNo },
  })),
  'demo-round-opened': row(z.object({ roundNo: no }), (_now, { roundNo }) => ({
    now: { phase: 'playing', roundNo },
  })),
  'betting-closed': always(() => ({ now: { phase: 'playing' } })),
  'betting-cancelled': always(() => ({ now: { phase: 'between' } })),
  'round-settled': {
    fold: (now, body) => ({ ...winsByHand.fold(now, body), now: { phase: 'paying' } }),
  },
  'paid-at-once': winsByHand,
  'round-voided': always(() => ({ now: { phase: 'paying' } })),
  'round-closed': always(() => ({ now: { phase: 'between' }, isRound: true })),
  'session-began': row(z.object({ seat }), (now, body) => ({
    now: { taken: [...new Set([...now.taken, body.seat])].toSorted((a, b) => a - b) },
  })),
  'session-ended': row(z.object({ seat }), (now, body) => ({
    now: { taken: now.taken.filter((each) => each !== body.seat) },
  })),
  'language-set': row(z.object({ seat, language: z.enum(LANGUAGES) }), (now, body) => ({
    now: { languages: { ...now.languages, [body.seat]: body.language } },
  })),
  'fault-reported': row(Fault, (_now, body) => {
    if (body.fault === NOTE_IN_DOUBT) return NONE;
    return { alarms: [{ open: 'fault', about: faultOf(body), facts: body }] };
  }),
  'fault-cleared': row(Fault, (_now, body) => ({ alarms: [{ cure: 'fault', about: faultOf(body) }] })),
  'attendant-called': row(z.object({ seat, on: z.boolean() }), (now, body) => ({
    alarms: [
      body.on
        ? { open: 'call', about: `${body.seat}`, facts: ofSeat(now, body.seat) }
        : { cure: 'call', about: `${body.seat}` },
    ],
  })),
  'complaint-raised': row(z.object({ complaintNo: no, seat, roundNo: no }), (now, body) => ({
    alarms: [
      {
        open: 'complaint',
        about: `${body.complaintNo}`,
        facts: { ...ofSeat(now, body.seat), no: body.complaintNo, roundNo: body.roundNo },
      },
    ],
  })),
  'complaint-closed': row(z.object({ complaintNo: no }), (_now, body) => ({
    alarms: [{ cure: 'complaint', about: `${body.complaintNo}` }],
  })),
  'cash-out-requested': row(
    z.object({ seat, requestId: text, amountMinor, currency: text }),
    (_now, body) => {
      const { requestId, ...facts } = body;
      return { alarms: [{ open: 'hand-pay', about: requestId, facts }] };
    },
  ),
  'cash-out-cancelled': row(z.object({ requestId: text }), (_now, { requestId }) => ({
    alarms: [{ cure: 'hand-pay', about: requestId }],
  })),
  'hand-paid': row(z.object({ requestId: text }), (_now, { requestId }) => ({
    alarms: [{ cure: 'hand-pay', about: requestId }],
  })),
  'note-held': row(
    z.object({ caseNo: no, acceptor: seat, currency: text, valueMinor: amountMinor.nullable() }),
    (_now, { caseNo, acceptor, currency, valueMinor }) => ({
      alarms: [
        {
          open: 'held-note',
          about: `${caseNo}`,
          facts: { no: caseNo, acceptor, currency, amountMinor: valueMinor },
        },
      ],
    }),
  ),
  'held-note-resolved': row(z.object({ caseNo: no }), (_now, body) => ({
    alarms: [{ cure: 'held-note', about: `${body.caseNo}` }],
  })),
};

/** What has to be read of the ledgers; nothing else changes what is shown. */
export const FLOOR_KINDS: readonly string[] = Object.keys(ROWS);
/** Of these the kind says everything. */
export const FLOOR_KINDS_BY_NAME: readonly string[] = FLOOR_KINDS.filter((kind) => ROWS[kind]!.byName);

function ofSeat({ languages }: TableNow, at: number): AlarmFacts {
  const language = languages[at];
  return language === undefined ? { seat: at } : { seat: at, language };
}

const idOf = (profile: unknown): string =>
  createHash('sha256')
    .update(canonicalize(profile) ?? '')
    .digest('hex')
    .slice(0, 12);

const isActive = (now: TableNow): boolean =>
  now.dealer !== null &&
  now.taken.length > 0 &&
  now.service === null &&
  !now.isHeld &&
  !now.isLockedByCentre &&
  !now.isOff;

export function fold(was: TableNow, entry: { kind: string; atMs: number; body: unknown }): Folded {
  const known = Object.hasOwn(ROWS, entry.kind) ? ROWS[entry.kind] : undefined;
  const { now: change = {}, alarms = [], isRound = false } = known?.fold(was, entry.body) ?? NONE;
  const next = { ...was, ...change };
  const activeSinceMs = isActive(next) ? (was.activeSinceMs ?? entry.atMs) : null;
  return { now: { ...next, activeSinceMs }, alarms, isRound };
}
