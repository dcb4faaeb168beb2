import { hash } from 'node:crypto';
import { z } from 'zod';
import { rulebooks } from '../../engine/books.ts';
import { MOST_MINOR, minor } from '../../engine/core/money.ts';
import { type PersonRole, ROLES } from '../../engine/table/inputs.ts';
import {
  acceptorCount,
  type OptionValue,
  type RulebookId,
  type TableProfile,
} from '../../engine/table/profile.ts';
import { readBoundedBytes } from '../../ledger/chain/bounded-file.store.ts';
import { FILE_BOUNDS, parseBounded } from '../../ledger/chain/bounded-json.ts';
import { isPlain } from '../../ledger/chain/plain-line.ts';
import { peopleSchema, twiceIn } from '../../ledger/chain/roster.codec.ts';
import { readCentreAddress } from '../../ledger/sync/centre-address.ts';
import { mostOnCloth } from '../../wire/glass.ts';
import type { HelpTexts } from '../../wire/view.ts';
import { type RealDevices, realDevicesSchema } from '../devices/real-devices.ts';
import { type SpeechSettings, speechProblem, speechSchema } from '../speech/settings.ts';
import { type Limits, limitsSchema } from '../watches/limits.ts';
import { type StorageSettings, storageSchema } from '../watches/storage-watch.ts';
import { type Displays, displayProblems, displaysSchema } from './displays.ts';
import type { FileProblem } from './file-problem.ts';
import type { PersonRecord } from './people.ts';

const amount = z.int().positive().max(MOST_MINOR).transform(minor);
const optionValue: z.ZodType<OptionValue> = z.lazy(() =>
  z.union([
    z.boolean(),
    z.number(),
    z.string(),
    z.null(),
    z.array(optionValue),
    z.record(z.string(), optionValue),
  ]),
);

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'a day as in 2026-11-21');

/** Stands on screens, in logs, on receipts and in the centre's pages. */
const seenText = (most: number) =>
  z.string().min(1).max(most).refine(isPlain, 'only characters that can be seen');

/** What makes the game of a table; a ready table may be another one. */
const tableFields = {
  tableName: seenText(40),
  rulebook: z.enum(rulebooks().map(({ id }) => id) as [RulebookId, ...RulebookId[]]),
  options: z.record(z.string(), optionValue),
  authorisations: z
    .array(
      z.strictObject({
        options: z.union([
          z.array(z.string().max(100)).min(1).max(100),
          z.record(z.string().max(100), optionValue),
        ]),
        by: seenText(100),
        reference: seenText(100),
        requestedOn: day,
        effectiveOn: day,
        untilOn: day.exactOptional(),
        revokedOn: day.exactOptional(),
        demonstration: z.literal(true).exactOptional(),
      }),
    )
    .max(200)
    .exactOptional(),
};

/** What a ready table has of its own or leaves as it is in the terminal file. */
const houseFields = {
  chipsMinor: z.array(amount).min(1).max(8),
  notesMinor: z.array(amount).min(1).max(64),
  maxCreditMinor: amount,
  twoPersonHandPayMinor: amount,
  handPaidWinMinor: amount.exactOptional(),
  complaintWindowMs: z.int().min(0).max(86_400_000).exactOptional(),
  longSessionMs: z.int().min(0).max(86_400_000).exactOptional(),
  noteLimits: z
    .strictObject({
      roundMinor: amount.exactOptional(),
      sessionMinor: amount.exactOptional(),
      span: z.strictObject({ ms: z.int().min(60_000).max(86_400_000), mostMinor: amount }).exactOptional(),
    })
    .exactOptional(),
  shutAfterNote: z.literal(true).exactOptional(),
  offlineMs: z.int().min(60_000).max(2_592_000_000).exactOptional(),
  countCards: z.literal(true).exactOptional(),
  supervisedShoe: z.literal(true).exactOptional(),
  payingCardConfirmed: z.literal(true).exactOptional(),
  /** Only a supervisor may correct errors of the deal. */
  errorsBySupervisor: z.literal(true).exactOptional(),
  display: z
    .strictObject({
      suitColours: z.union([z.literal(2), z.literal(4)]).exactOptional(),
      cardIndex: z.enum(['standard', 'large']).exactOptional(),
      slowReveal: z.boolean().exactOptional(),
      dealerEdge: z.enum(['upright', 'turned']).exactOptional(),
      chineseVoice: z.enum(['cantonese', 'mandarin']).exactOptional(),
    })
    .exactOptional(),
  timing: z.strictObject({
    bettingMs: z.int().min(5_000).max(120_000),
    offersMs: z.int().min(3_000).max(60_000),
    decisionMs: z.int().min(5_000).max(120_000),
    minConfidence: z.int().min(0).max(255),
    minResultMs: z.int().min(0).max(30_000),
    minRoundMs: z.int().min(1_000).max(600_000).exactOptional(),
  }),
};

/**
 * The machine: its seats and its acceptors, which know the notes of one currency, as its meters
 * count in one.
 */
const machineFields = {
  terminalId: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,31}$/, 'letters, digits and hyphens, at most 32'),
  currency: z.enum(['MOP', 'HKD', 'EUR']),
  seatCount: z.int().min(1).max(12),
  acceptors: z.enum(['per-seat', 'shared']),
  dealerSide: z.enum(['far', 'near']).exactOptional(),
};

const profileSchema = z.strictObject({ ...machineFields, ...tableFields, ...houseFields });
export const tableFileSchema = z.strictObject({
  ...tableFields,
  chipsMinor: houseFields.chipsMinor.exactOptional(),
  notesMinor: houseFields.notesMinor.exactOptional(),
  maxCreditMinor: houseFields.maxCreditMinor.exactOptional(),
  twoPersonHandPayMinor: houseFields.twoPersonHandPayMinor.exactOptional(),
  handPaidWinMinor: houseFields.handPaidWinMinor,
  complaintWindowMs: houseFields.complaintWindowMs,
  longSessionMs: houseFields.longSessionMs,
  noteLimits: houseFields.noteLimits,
  shutAfterNote: houseFields.shutAfterNote,
  offlineMs: houseFields.offlineMs,
  countCards: houseFields.countCards,
  supervisedShoe: houseFields.supervisedShoe,
  payingCardConfirmed: houseFields.payingCardConfirmed,
  errorsBySupervisor: houseFields.errorsBySupervisor,
  display: houseFields.display,
  timing: houseFields.timing.exactOptional(),
});

const centreAddress = z.string().superRefine((text, context) => {
  try {
    readCentreAddress(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
  }
});

const inThreeLanguages = (most: number) =>
  z.strictObject({ 'zh-Hant': seenText(most), pt: seenText(most), en: seenText(most) });

/** Only there does a telephone's browser check signatures. */
const receiptAddress = z
  .url()
  .max(100)
  .regex(
    /^(?:https:\/\/[^/#?]+|http:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?)\/(?:[^#?]*\/)?$/,
    'https://HOST/ or https://HOST/PATH/, where the centre serves the page of receipts',
  );

export const terminalFileSchema = z.strictObject({
  profile: profileSchema,
  people: peopleSchema,
  devices: realDevicesSchema.exactOptional(),
  centre: centreAddress.exactOptional(),
  receiptAddress: receiptAddress.exactOptional(),
  help: z.strictObject({ line: inThreeLanguages(80), exclusion: inThreeLanguages(160) }).exactOptional(),
  exclusions: z.string().startsWith('/', 'a path from the root').exactOptional(),
  centreMayPay: z.boolean().exactOptional(),
  ledgerCopy: z.string().startsWith('/', 'a path from the root').exactOptional(),
  tpm: z
    .string()
    .regex(/^[a-z]{1,20}:[!-~]{1,200}$/, 'a TPM as in device:/dev/tpmrm0')
    .exactOptional(),
  limits: limitsSchema.exactOptional(),
  secondReader: z.enum(['hold', 'go-on']).exactOptional(),
  storage: storageSchema.exactOptional(),
  speech: speechSchema.exactOptional(),
  /** A path of a Unix socket takes 107 bytes (Linux). */
  metrics: z
    .string()
    .regex(/^\/[\x21-\x7e]{1,106}$/, 'a path from the root, at most 107 characters')
    .exactOptional(),
  displays: displaysSchema.exactOptional(),
  staffCards: z.strictObject({ pinAlone: z.array(z.enum(ROLES)).max(ROLES.length) }).exactOptional(),
  approvedSoftware: z
    .array(z.string().regex(/^[0-9a-f]{64}$/, '64 hex digits, as service mode shows them'))
    .min(1)
    .exactOptional(),
  softwareKey: z
    .array(z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'an Ed25519 public key, 32 bytes in base64'))
    .min(1)
    .exactOptional(),
});

export interface TerminalFile {
  /** Of the file's bytes, in hex; absent where it comes from no file. */
  readonly sha256?: string;
  readonly profile: TableProfile;
  readonly people: readonly PersonRecord[];
  /** Absent: the terminal plays with simulated devices, as a demonstration. */
  readonly devices?: RealDevices;
  /**
   * The casino's centre, `https://HOST:PORT#pin=…`; absent: the one that `npm start` runs on this
   * machine.
   */
  readonly centre?: string;
  /**
   * Where the centre serves the page of receipts, which their codes then link to. Absent: a code is
   * the signed text alone.
   */
  readonly receiptAddress?: string;
  /** Where players find help, and how they have themselves excluded; absent = nothing is shown. */
  readonly help?: HelpTexts;
  /** Path of the list of people who may not play; absent = there is none. */
  readonly exclusions?: string;
  /** Persons at the centre may declare a hand-pay paid that waits here; absent = they may not. */
  readonly centreMayPay?: boolean;
  /** Folder of the ledger's copy, on a second disk; absent: `copy` in the data folder. */
  readonly ledgerCopy?: string;
  /** Counts the starts of this terminal; see `StartCounter`. */
  readonly tpm?: string;
  /**
   * Every payment is read a second time; this says what becomes of it while the reader is away.
   * Absent: no payment is read twice.
   */
  readonly secondReader?: 'hold' | 'go-on';
  /** Path of the Unix socket where Prometheus finds `/metrics`; absent: there is none. */
  readonly metrics?: string;
  /** Absent: `LIMITS`. */
  readonly limits?: Limits;
  /** Absent: `defaultStorage`. */
  readonly storage?: StorageSettings;
  /** Audio outputs and raised keys of single seats, for spoken help; absent = no seat has any. */
  readonly speech?: SpeechSettings;
  /** Displays beside the table's; absent = everything is on the table's. */
  readonly displays?: Displays;
  /**
   * Staff show a card of their own before their PIN, but for those of the roles `pinAlone`. Absent:
   * there is no reader, and the PIN alone lets everybody in.
   */
  readonly staffCards?: { readonly pinAlone: readonly PersonRole[] };
  /** Software ids that may serve here; absent: any. */
  readonly approvedSoftware?: readonly string[];
  /**
   * Public keys whose owners may sign software that serves here (Ed25519, base64); absent: it need
   * not be signed.
   */
  readonly softwareKey?: readonly string[];
}

/**
 * Without devices of its own, or with simulators among them, it is a demonstration, whose PINs are
 * published.
 */
export const isDemonstration = ({ devices }: TerminalFile): boolean => devices?.simulatorsAllowed !== false;

/**
 * A terminal file that cannot be used, with the place of every problem. Nothing has been changed.
 */
export class ProfileError extends Error {
  readonly problems: readonly FileProblem[];

  constructor(path: string, problems: readonly FileProblem[]) {
    super(`${path}: ${problems.map(({ place, message }) => `${place}: ${message}`).join('; ')}`);
    this.name = 'ProfileError';
    this.problems = problems;
  }
}

/** Throws ProfileError: no such file, or no JSON. */
function readBytes(path: string): { readonly json: unknown; readonly sha256: string } {
  try {
    const bytes = readBoundedBytes(path, FILE_BOUNDS.characters);
    return { json: parseBounded(bytes.toString(), FILE_BOUNDS), sha256: hash('sha256', bytes) };
  } catch (error) {
    throw new ProfileError(path, [{ place: 'file', message: (error as Error).message }]);
  }
}

/** Throws ProfileError: no such file, no JSON, or not of this form. */
const readJson = <T>(path: string, schema: z.ZodType<T>): T => check(path, readBytes(path).json, schema);

/** `source`: where it is from, for the reader of an error. */
function check<T>(source: string, json: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path: place, message }) => ({
    place: place.join('.') || 'file',
    message,
  }));
  throw new ProfileError(source, problems);
}

/** How many seats there may be the regulation says (the option `seats`), and the cloth besides. */
function clothProblem(rulebook: RulebookId, seatCount: number): string | null {
  const most = mostOnCloth(rulebook);
  return seatCount <= most ? null : `the cloth of ${rulebook} has room for ${most} seats, not ${seatCount}`;
}

const mustAscend = (place: string, list: readonly number[] | undefined): FileProblem[] =>
  list?.some((value, i) => i > 0 && value <= list[i - 1]!) ? [{ place, message: 'must ascend' }] : [];

/**
 * Reads and checks a terminal file. Throws ProfileError naming each wrong place; options are the
 * engine's to judge.
 */
export function readTerminalFile(path: string): TerminalFile {
  const { json, sha256 } = readBytes(path);
  const file = check(path, json, terminalFileSchema);
  const { profile, people, devices } = file;
  const problems = mustAscend('profile.chipsMinor', profile.chipsMinor);
  const twice = twiceIn(people);
  if (twice !== null) problems.push({ place: 'people', message: twice });
  const last = acceptorCount(profile);
  for (const number of Object.keys(devices?.acceptors ?? {}))
    if (Number(number) > last)
      problems.push({
        place: `devices.acceptors.${number}`,
        message: profile.acceptors === 'shared' ? 'a shared acceptor is number 1' : `there are ${last} seats`,
      });
  const spoken = file.speech && speechProblem(file.speech, profile.seatCount);
  if (spoken) problems.push(spoken);
  const cloth = clothProblem(profile.rulebook, profile.seatCount);
  if (cloth !== null) problems.push({ place: 'profile.seatCount', message: cloth });
  else problems.push(...displayProblems(file.displays ?? {}, profile.seatCount));
  if (problems.length > 0) throw new ProfileError(path, problems);
  return { ...file, sha256 };
}

/**
 * Reads a table file: the game of a table, everything else being as on this terminal. Throws
 * ProfileError naming each wrong place; options and authorisations are the engine's to judge.
 */
export const readTableFile = (path: string, terminal: TableProfile): TableProfile =>
  checkTable(readJson(path, z.json()), path, terminal);

/** The same for the content of such a file, which came from `source`. */
export function checkTable(json: unknown, source: string, terminal: TableProfile): TableProfile {
  const table = check(source, json, tableFileSchema);
  const problems = mustAscend('chipsMinor', table.chipsMinor);
  const cloth = clothProblem(table.rulebook, terminal.seatCount);
  if (cloth !== null) problems.push({ place: 'rulebook', message: cloth });
  if (problems.length > 0) throw new ProfileError(source, problems);
  const { authorisations: _others, ...machine } = terminal;
  return { ...machine, ...table };
}

/**
 * What a file says of the game alone: all of a terminal file's table, or of a table file, which
 * knows no terminal.
 */
export type GameOfTable = Pick<TableProfile, 'rulebook' | 'options' | 'authorisations'> &
  Partial<Pick<TableProfile, 'tableName' | 'currency' | 'seatCount'>>;

/** A table file, which may name the currency and the seats of the terminal it is on. */
const gameSchema = tableFileSchema.extend({
  currency: machineFields.currency.exactOptional(),
  seatCount: machineFields.seatCount.exactOptional(),
});

/** Reads a terminal file or a table file. Throws ProfileError naming each wrong place. */
export const readGame = (path: string): GameOfTable =>
  'profile' in readJson(path, z.looseObject({}))
    ? readTerminalFile(path).profile
    : readJson(path, gameSchema);
