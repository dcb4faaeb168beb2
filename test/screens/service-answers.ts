/**
 * What a host answers to pages of service mode that only time, a full disk or people make: data, in
 * the host's own types.
 */
import { join } from 'node:path';
import type { Card } from '../../engine/core/cards.ts';
import { ROLES } from '../../engine/table/inputs.ts';
import { softwareIdentity } from '../../host/program/software.ts';
import { FAULTS, type FaultId } from '../../wire/faults.ts';
import type { EventPage, LinkPage, SoftwarePage, StorageReport } from '../../wire/pages.ts';
import type { Answered, AnswerOf, Query } from '../../wire/queries.ts';
import { REPAIRS } from '../../wire/repairs.ts';
import type { DeviceView } from '../../wire/view.ts';
import { NOW_MS } from '../fixtures/view-kit.ts';

/** By the question; `events` by the kind that is asked for. */
export interface Answers extends Partial<Omit<Answered, 'events'>> {
  readonly events?: Readonly<Record<string, EventPage['events']>>;
}

export function answerOf(answers: Answers, query: Query): AnswerOf<Query> {
  if (query.query === 'events') return { events: answers.events?.[query.kind ?? ''] ?? [], olderSeq: null };
  return answers[query.query] ?? null;
}

const MIB = 2 ** 20;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const LEDGER = '/var/lib/banca/T-MACAU-17/ledger.db';
const HASH = '9f2c41d7a06be8835514c0de77a1b29f3e60d84c5b71f2aa0893e6d41c2b7f58';

const entry = (seq: number, agoMs: number, kind: string, body: object): EventPage['events'][number] => ({
  seq,
  atMs: NOW_MS - agoMs,
  kind,
  roundId: null,
  codes: [],
  body: { type: kind, atMs: NOW_MS - agoMs, ...body },
});

const storage: StorageReport = {
  disk: {
    usedBytes: 7_412 * MIB,
    budgetBytes: 16_384 * MIB,
    freeBytes: 203_114 * MIB,
    roomBytes: 8_972 * MIB,
    slowestSyncMs: 11,
    refused: null,
  },
  limits: { low: 0.8, short: 0.9, full: 0.98 },
  ledger: { path: LEDGER, bytes: 3_706 * MIB },
  copy: {
    path: '/mnt/copy/T-MACAU-17/ledger-copy.db',
    state: 'following',
    why: null,
    copiedSeq: 11_482_907,
    behind: 0,
    faults: [],
    bytes: 3_706 * MIB,
    isOnSameDisk: false,
  },
  growth: {
    entries: 11_482_907,
    rounds: 268_410,
    bytesPerRound: 28_954,
    days: 212,
    perDayBytes: 36_658_200,
    weekPerDayBytes: 41_120_774,
    daysLeft: 228,
  },
  archive: {
    folder: '/mnt/archive/T-MACAU-17/2025-12-31',
    lastSeq: 10_604_311,
    lastAtMs: NOW_MS - 15 * DAY_MS,
    madeAtMs: NOW_MS - 14 * DAY_MS,
    entriesSince: 878_596,
    isOurs: true,
  },
  running: [],
  checks: [
    {
      file: 'ledger',
      atMs: NOW_MS - 5 * HOUR_MS,
      tookMs: 71_300,
      ok: true,
      problem: '',
      entries: 11_452_118,
    },
    { file: 'copy', atMs: NOW_MS - 5 * HOUR_MS, tookMs: 74_860, ok: true, problem: '', entries: 11_452_118 },
  ],
  nextCheckAtMs: NOW_MS + 19 * HOUR_MS,
};
const REPAIRED = {
  'ledger-repaired': [
    entry(9_120_442, 38 * DAY_MS, 'ledger-repaired', {
      file: 'ledger',
      why: 'page 88123 does not hold its checksum',
      fromSeq: 9_118_020,
      toSeq: 9_120_441,
      isComplete: true,
      evidence: `${LEDGER}.damaged-9118020`,
    }),
    entry(2_034_118, 151 * DAY_MS, 'ledger-repaired', {
      file: 'copy',
      why: 'the file was not there',
      fromSeq: 1,
      toSeq: 2_034_117,
      isComplete: true,
      evidence: null,
    }),
  ],
};
export const STORAGE: Answers = { storage, events: REPAIRED };

/** The disk fills, and the second file of the ledger is not written. */
export const LEDGER_FAULTS: Answers = {
  devices: {
    devices: [],
    machine: [
      {
        device: 'storage',
        fault: 'storage-low',
        place: '82 %',
        code: 906,
        level: 'N',
        sinceMs: NOW_MS - HOUR_MS,
        persons: [],
        canBeEnded: false,
        where: null,
        steps: [],
      },
    ],
  },
};

const row = (said: string, valueMinor: number, counts: boolean) => ({
  said,
  valueMinor,
  currency: 'MOP',
  counts: counts ? { currency: 'MOP', valueMinor } : null,
});

/** A real acceptor, two of whose notes a technician has fed; the third one does not agree. */
export const NOTE_TABLE: Answers = {
  devices: {
    machine: [],
    devices: [
      {
        view: {
          id: 'acceptor-1',
          kind: 'bill-acceptor',
          model: 'id003',
          simulated: false,
          state: 'disabled',
          fault: 'notes-unconfirmed',
          player: 'no-notes',
        },
        detail: null,
        identity: { model: 'UBA-10-SS', serial: '1180233', firmware: 'ID003-05 V9.9' },
        faults: [
          {
            fault: 'notes-unconfirmed',
            place: '',
            code: 323,
            level: 'M',
            sinceMs: NOW_MS - HOUR_MS,
            persons: [['technician']],
            canBeEnded: true,
            where: null,
            steps: [],
          },
        ],
        cards: null,
        notes: {
          rows: [
            row('61 4D 01 01', 10_000, true),
            row('63 4D 05 02', 50_000, true),
            row('64 4D 01 03', 100_000, false),
            { said: '65 00 00 00', valueMinor: null, currency: null, counts: null },
          ],
          notesMinor: [10_000, 50_000, 100_000],
          persons: null,
          trial: {
            inHandMinor: 50_000,
            last: {
              inHandMinor: 50_000,
              row: { said: '64 4D 01 03', valueMinor: 100_000, currency: 'MOP' },
              says: 'other-value',
            },
          },
        },
        slips: null,
        boxNotes: 143,
        cabinet: null,
        power: null,
        frames: [
          { atMs: NOW_MS - 400, direction: 'out', hex: 'FC 05 11 27 56', times: 1, says: ['frame.poll'] },
          {
            atMs: NOW_MS - 380,
            direction: 'in',
            hex: 'FC 05 1A 74 8D',
            times: 1,
            says: ['deviceState.disabled'],
          },
        ],
      },
      {
        view: {
          id: 'printer',
          kind: 'receipt-printer',
          model: 'ESC/POS',
          simulated: false,
          state: 'paper-out',
          fault: 'printer-paper-out',
          player: null,
        },
        detail: null,
        identity: null,
        faults: [],
        cards: null,
        notes: null,
        slips: [
          { slip: 'hand-pay', of: '48213', atMs: NOW_MS - HOUR_MS, state: 'waiting' },
          { slip: 'drop', of: '48012', atMs: NOW_MS - 2 * HOUR_MS, state: 'not-printed' },
          { slip: 'deal-error', of: '47901', atMs: NOW_MS - 3 * HOUR_MS, state: 'printed' },
          { slip: 'round', of: 'MACAU-01-000412/3', atMs: NOW_MS - 4 * HOUR_MS, state: 'printed' },
        ],
        boxNotes: null,
        cabinet: null,
        power: null,
        frames: [],
      },
    ],
  },
};

/**
 * Nearly nothing is left, the disk of the copy is gone, and a check has found what does not hold.
 */
export const STORAGE_SHORT: Answers = {
  storage: {
    ...storage,
    disk: {
      ...storage.disk!,
      usedBytes: 16_102 * MIB,
      roomBytes: 282 * MIB,
      freeBytes: 282 * MIB,
      slowestSyncMs: 2_340,
      refused: 'ENOSPC: no space left on device, write',
    },
    copy: {
      ...storage.copy!,
      state: 'failing',
      why: 'EIO: i/o error, open',
      behind: 48_211,
      isOnSameDisk: true,
      faults: [
        {
          device: 'ledger-copy',
          fault: 'ledger-copy-failed',
          place: storage.copy!.path,
          code: 906,
          level: 'N',
          sinceMs: NOW_MS - 3 * HOUR_MS,
          persons: [],
          canBeEnded: false,
          where: null,
          steps: [],
        },
      ],
    },
    growth: { ...storage.growth!, daysLeft: 6 },
    archive: { ...storage.archive!, isOurs: false },
    checks: [
      storage.checks[0]!,
      {
        file: 'copy',
        atMs: NOW_MS - HOUR_MS,
        tookMs: 1_420,
        ok: false,
        problem: 'entry 11431907: hash is not SHA-256 of the previous hash and the bytes',
        entries: 11_431_906,
      },
    ],
    nextCheckAtMs: null,
  },
  events: REPAIRED,
};

export const CLOCK: Answers = {
  clock: {
    wallMs: NOW_MS,
    ledgerMs: NOW_MS,
    startedAtMs: NOW_MS - 9 * DAY_MS,
    driftMs: 1_840,
    stepMs: 2_000,
    centre: { offMs: -312, ackAtMs: NOW_MS - 4_000 },
  },
  events: {
    'clock-jumped': [
      entry(11_301_774, 3 * DAY_MS, 'clock-jumped', { byMs: 2_310, wallMs: NOW_MS - 3 * DAY_MS }),
      entry(10_981_220, 7 * DAY_MS, 'clock-jumped', { byMs: -3_600_000, wallMs: NOW_MS - 7 * DAY_MS }),
      entry(10_981_207, 7 * DAY_MS + HOUR_MS, 'clock-jumped', {
        byMs: 3_600_000,
        wallMs: NOW_MS - 7 * DAY_MS + HOUR_MS,
      }),
    ],
  },
};
const paid = { kind: 'cash-out', currency: 'MOP', person: 'Chan Wai', second: null } as const;
export const PAYOUTS: Answers = {
  payouts: {
    payouts: [
      { ...paid, seq: 11_480_230, atMs: NOW_MS - 4 * MINUTE_MS, seat: 3, payNo: 40, amountMinor: 85_000 },
      {
        ...{ ...paid, seq: 11_476_518, atMs: NOW_MS - HOUR_MS, seat: 6, payNo: 39, amountMinor: 13_500_000 },
        ...{ kind: 'win', second: 'Lei Ka Wai' },
      },
      { ...paid, seq: 11_471_004, atMs: NOW_MS - 2 * HOUR_MS, seat: 1, payNo: 38, amountMinor: 241_950 },
    ],
    olderSeq: 11_471_004,
  },
};
const line = (seat: number, outcome: 'won' | 'lost' | 'tied', netMinor: number): object => ({
  ...{ seat, by: seat, bet: 'main', hand: 0 },
  outcome,
  netMinor,
});
export const READING: Answers = {
  reading: { whenAbsent: 'hold', isThere: false, count: 18_204, medianMs: 0.6, p95Ms: 1.4 },
  events: {
    'reading-differed': [
      entry(11_480_112, MINUTE_MS, 'reading-differed', {
        ask: 'settled',
        engine: [line(1, 'won', 20_000), line(3, 'tied', 0)],
        reader: [line(1, 'won', 15_000), line(3, 'tied', 0)],
        differing: ['1 1 main 0'],
        cannot: null,
      }),
    ],
    'round-unread': [
      entry(11_302_087, 3 * DAY_MS, 'round-unread', { ask: 'settled', why: 'no answer in 1000 ms' }),
    ],
  },
};

/** Somebody has put it back: time stands still in the ledger. */
export const CLOCK_BEHIND: Answers = {
  clock: {
    ...CLOCK.clock!,
    wallMs: NOW_MS - 47 * MINUTE_MS,
    driftMs: -47 * MINUTE_MS,
    centre: { offMs: -2_820_312, ackAtMs: null },
  },
  events: CLOCK.events!,
};

const program = softwareIdentity(join(import.meta.dirname, '../..'));
const software: SoftwarePage = {
  version: program.version,
  node: '24.21.0',
  sqlite: '3.54.1',
  softwareId: program.id,
  startedAtMs: NOW_MS - 9 * DAY_MS,
  ledgerPath: LEDGER,
  ledgerEntries: 11_482_907,
  selfTest: null,
};
/** This very program, which has replaced another one. */
export const SOFTWARE: Answers = {
  software,
  'software-files': { files: Object.entries(program.files) },
  events: {
    'code-checked': [
      entry(10_944_001, 9 * DAY_MS, 'code-checked', {
        version: program.version,
        id: program.id,
        was: { version: '0.0.9', id: HASH },
        changes: {
          count: 4,
          files: [
            'engine/games/baccarat/macau-bacara.ts',
            'locales/pt/table.json',
            'locales/zh-Hant/table.json',
            'renderer/service/storage-page.tsx',
          ],
        },
        approved: true,
      }),
      entry(2, 212 * DAY_MS, 'code-checked', {
        version: '0.0.9',
        id: HASH,
        was: null,
        changes: null,
        approved: null,
      }),
    ],
  },
};

/**
 * Both files are being read: one is well under way, of the other nobody knows yet how long it is.
 */
export const SELF_TEST_RUNS: Answers = {
  software,
  storage: {
    ...storage,
    running: [
      { file: 'ledger', sinceMs: NOW_MS - 31_000, taken: 5_020_118, total: 11_482_907 },
      { file: 'copy', sinceMs: NOW_MS - 2_000, taken: 0, total: null },
    ],
  },
};
export const SELF_TEST_FAILED: Answers = {
  storage,
  software: {
    ...software,
    selfTest: [
      { check: 'ledger-chain', ok: true, detail: '11482907 entries' },
      { check: 'ledger-copy', ok: false, detail: 'failing' },
      { check: 'code', ok: true, detail: '' },
      { check: 'books', ok: true, detail: '' },
      { check: 'acceptor-1', ok: true, detail: 'idle' },
      { check: 'acceptor-2', ok: false, detail: 'acceptor-jammed' },
      { check: 'shoe', ok: true, detail: 'idle' },
      { check: 'centre', ok: false, detail: 'down' },
      { check: 'disk', ok: true, detail: '8972 / 16384 MiB, 11 ms' },
    ],
  },
};

const link: LinkPage = {
  view: {
    state: 'up',
    headSeq: 11_482_907,
    ackedSeq: 11_482_901,
    ackedUpToMs: NOW_MS - 2_000,
    downSinceMs: null,
  },
  url: 'https://centro.casino.example/ingest',
  lastError: null,
  lastAckHash: HASH,
  ownHash: HASH,
  clockOffMs: -312,
  retryAtMs: null,
  nowMs: NOW_MS,
  takesCommands: true,
  maintenance: { no: 40, reason: 'CNT-4' },
  lastCommand: { no: 41, atMs: NOW_MS - 2 * DAY_MS },
  terminalKey: '302a300506032b6570032100b1d4f0a6c55e2a7790f3c8d2e1b4a69788c0d5e3f2a1b0c9d8e7f6a5b4c3d2e1',
};
export const PEOPLE: Answers = {
  people: {
    people: ROLES.map((role, i) => ({
      id: `P-${i}`,
      name: ['Lei Ka Man', 'Chan Wai', 'Maria Nunes', 'João Silva', 'Ana Rocha', 'Iris Berg'][i]!,
      number: String(1_204 + 37 * i),
      role,
      hasCard: i < 3,
    })),
    roster: { no: 17, untilMs: NOW_MS - HOUR_MS },
    closed: 'roster-ended',
    makerUntilMs: NOW_MS + HOUR_MS,
  },
};
export const LINK: Answers = { link };
/** The centre holds another history under the name of this terminal. */
export const LINK_FORKED: Answers = {
  link: {
    ...link,
    view: { ...link.view, state: 'fork', ackedSeq: 11_480_220, downSinceMs: NOW_MS - 41 * MINUTE_MS },
    lastError: 'entry 11480221 has another hash at the centre',
    ownHash: HASH.split('').reverse().join(''),
    retryAtMs: NOW_MS + 42_000,
    lastCommand: null,
    takesCommands: false,
  },
};

const DEVICES: readonly (readonly [
  id: string,
  kind: DeviceView['kind'],
  model: string,
  notes: number | null,
])[] = [
  ...[97, 143, 143, 0, 571, 86, 112].map(
    (notes, at) => [`acceptor-${at + 1}`, 'bill-acceptor', 'JCM ID-003', notes] as const,
  ),
  ['shoe', 'card-shoe', 'KSP-1', null],
  ['printer', 'receipt-printer', 'ESC/POS', null],
  ['cabinet', 'cabinet-board', 'KCB-1', null],
  ['ups', 'power-supply', 'NUT', null],
];
const BROKEN: Readonly<Record<string, FaultId>> = {
  'acceptor-3': 'acceptor-jammed',
  'acceptor-5': 'cash-box-near-full',
  printer: 'printer-paper-low',
};
const frame = (agoMs: number, direction: 'in' | 'out', hex: string, ...says: string[]) => ({
  atMs: NOW_MS - agoMs,
  direction,
  hex,
  times: 1,
  says,
});
const standing = (fault: FaultId) => {
  const { code, level } = FAULTS[fault];
  const { where, steps } = REPAIRS[fault];
  const rest = { place: '', sinceMs: NOW_MS - 4 * MINUTE_MS, persons: [], canBeEnded: false };
  return { fault, code, level, where, steps, ...rest };
};

const CABINET = {
  serial: 'CAB-0017',
  open: [],
  key: false,
  batteryLow: false,
  batteryMillivolts: 3010,
  upper: 'off',
  lower: 'off',
  siren: false,
  opened: { main: 12, drop: 48, logic: 2, acceptor: 31, cabinet: 6 },
  openedOff: { main: 0, drop: 0, logic: 0, acceptor: 1, cabinet: 0 },
  offSeconds: 5_400,
} as const;

/** All parts there are, in their three states. */
export const MAP_DEVICES: readonly DeviceView[] = DEVICES.map(([id, kind, model]) => ({
  id,
  kind,
  model,
  simulated: false,
  state: id === 'acceptor-3' ? 'jammed' : kind === 'bill-acceptor' ? 'disabled' : 'idle',
  fault: BROKEN[id] ?? null,
  player: null,
}));
const measured = {
  atMs: NOW_MS - 900,
  width: 1920,
  height: 1080,
  pixelRatio: 1,
  renderer: 'webgl' as const,
  framesPerSecond: 60,
  longestFrameMs: 18,
  touchPoints: 10,
  regions: [],
};
export const MAP: Answers = {
  storage,
  clock: CLOCK.clock!,
  reading: { whenAbsent: 'hold', isThere: true, count: 18_204, medianMs: 1.2, p95Ms: 3.4 },
  software: SOFTWARE.software!,
  displays: {
    displays: (
      ['table', 'dealer', ...[1, 2, 3, 4, 5, 6, 7].map((seat) => `seat:${seat}` as const)] as const
    ).map((role) => ({ id: role, role, sinceMs: NOW_MS - HOUR_MS, measured })),
  },
  devices: {
    machine: [],
    devices: MAP_DEVICES.map((view, at) => ({
      view,
      detail: view.id === 'acceptor-3' ? 'path' : null,
      identity: { model: view.model, serial: `11802${33 + at}`, firmware: 'V9.9' },
      faults: view.fault === null ? [] : [standing(view.fault as FaultId)],
      cards:
        view.kind === 'card-shoe'
          ? { isTrying: true, mayTry: true, last: { card: 51 as Card, confidence: 240 } }
          : null,
      notes: null,
      slips: view.kind === 'receipt-printer' ? [] : null,
      boxNotes: DEVICES[at]![3],
      cabinet: view.kind === 'cabinet-board' ? CABINET : null,
      power:
        view.kind === 'power-supply'
          ? { onBattery: false, batteryLow: false, replaceBattery: false, charge: 97, runtime: 1830 }
          : null,
      frames: [
        frame(420, 'out', 'FC 05 11 27 56', 'frame.poll'),
        frame(400, 'in', 'FC 05 45 86 42', 'deviceState.jammed', 'failure.path'),
      ],
    })),
  },
};

export const SPEECH: Answers = {
  speech: {
    synthesiser: 'eSpeak NG text-to-speech: 1.51  Data at: /usr/lib/x86_64-linux-gnu/espeak-ng-data',
    voices: [
      { language: 'zh-Hant', voice: 'yue', isThere: false },
      { language: 'pt', voice: 'pt', isThere: true },
      { language: 'en', voice: 'en-gb', isThere: true },
    ],
    outputs: [
      { seat: 2, output: 'plughw:CARD=Seat2', problem: null },
      {
        seat: 3,
        output: 'plughw:CARD=Seat3',
        problem: 'aplay: main:831: audio open error: No such file or directory',
      },
    ],
  },
};
