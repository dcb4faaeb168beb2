import { dirname, join } from 'node:path';
import type { TableEvent } from '../../engine/table/events.ts';
import type { Person } from '../../engine/table/inputs.ts';
import type { Ledger, LedgerKey } from '../../ledger/store/ledger.store.ts';
import type { ReadingPage } from '../../wire/pages.ts';
import type { Answered, Asked, QueryName } from '../../wire/queries.ts';
import type { Centre } from '../config/centre.ts';
import type { ChangeDesk } from '../config/change-desk.ts';
import type { ReadyTable } from '../config/ready-tables.ts';
import type { Staff } from '../config/staff.ts';
import type { Devices } from '../devices/devices.ts';
import type { Drivers } from '../devices/drivers.ts';
import type { NoteTraces } from '../devices/note-traces.ts';
import { saveRecording } from '../devices/recordings.ts';
import type { Speech } from '../speech/speech.ts';
import { tableHashOf } from '../table/table-hash.ts';
import type { Terminal } from '../table/terminal.ts';
import type { LedgerCopy } from '../watches/ledger-copy.ts';
import type { StorageWatch } from '../watches/storage-watch.ts';
import type { Verification } from '../watches/verification.ts';
import type { Watches } from '../watches/watches.ts';
import type { DisplayMeasures } from './display-page.ts';
import type { DrillDesk } from './drill-desk.ts';
import { eventPage } from './event-page.ts';
import type { ExportDesk } from './export-desk.ts';
import type { FiguresDesk } from './figures-desk.ts';
import type { Latencies } from './latencies.ts';
import type { Meters } from './meters.ts';
import { notePage } from './note-page.ts';
import { ownRound, ownRounds } from './own-rounds.ts';
import { hiddenRound, roundDetail, roundPage } from './recall.ts';
import { type RecallContext, recallPage } from './recall-steps.ts';
import type { SlipDesk } from './slip-desk.ts';
import { type SoftwarePageOptions, softwareFilesPage, softwarePage } from './software-page.ts';
import { storagePage } from './storage-page.ts';
import { profilePage, tablesPage } from './tables-page.ts';
import { type Trends, trendPage } from './trends.ts';

export interface QueryOptions extends SoftwarePageOptions {
  readonly ledger: Ledger;
  readonly key: LedgerKey;
  readonly now: () => number;
  readonly terminal: Terminal;
  readonly devices: Devices;
  readonly drivers: Drivers;
  readonly meters: Meters;
  readonly watches: Pick<Watches, 'own' | 'clock'>;
  readonly centre: Pick<Centre, 'page' | 'clock'>;
  readonly change: Pick<ChangeDesk, 'check' | 'page'>;
  readonly drills: Pick<DrillDesk, 'page'>;
  readonly exports: Pick<ExportDesk, 'page'>;
  readonly figures: Pick<FiguresDesk, 'page' | 'inForce'>;
  readonly slips: Pick<SlipDesk, 'rows'>;
  readonly speech: Pick<Speech, 'say' | 'page'>;
  readonly staff: Pick<Staff, 'page'>;
  readonly tables: () => readonly ReadyTable[];
  /** What a view of the past takes from the present. */
  readonly past: RecallContext;
  readonly storage: Pick<StorageWatch, 'page'> | null;
  readonly copy: Pick<LedgerCopy, 'page' | 'nextCheckAtMs'> | null;
  readonly verification: Pick<Verification, 'page'>;
  readonly reader: { page(): ReadingPage } | null;
  readonly traces: Pick<NoteTraces, 'of'>;
  readonly trends: Trends;
  readonly latencies: Latencies;
  readonly measures: Pick<DisplayMeasures, 'page'>;
}

const NOBODY_READS: ReadingPage = {
  whenAbsent: null,
  isThere: false,
  count: 0,
  medianMs: null,
  p95Ms: null,
};

type HandPaid = Extract<TableEvent, { type: 'hand-paid' }>;

type Handlers = {
  readonly [N in QueryName]: (asked: Asked[N]) => Answered[N] | Promise<Answered[N]>;
};

/**
 * What displays ask for: pages of service mode, rounds of the past. Whether they may is judged
 * before (`mayQuery`).
 */
export class Queries {
  readonly #o: QueryOptions;
  readonly #handlers: Handlers;

  constructor(options: QueryOptions) {
    this.#o = options;
    const { ledger, key, ledgerPath, terminal, devices, drivers, meters, past } = options;
    const chinese = () => terminal.state.profile?.display?.chineseVoice;
    this.#handlers = {
      devices: async () => ({
        devices: await Promise.all(
          devices.views().map(async (device) => ({
            view: device,
            identity: devices.identity(device.id),
            faults: devices.faults(device.id),
            detail: devices.detail(device.id),
            notes: devices.notes(device.id),
            cards: devices.cardTrial(device.id),
            slips: device.kind === 'receipt-printer' ? await options.slips.rows() : null,
            boxNotes: devices.boxNotes(device.id),
            cabinet: device.kind === 'cabinet-board' ? (devices.cabinet?.status ?? null) : null,
            power: device.kind === 'power-supply' ? (devices.power?.status ?? null) : null,
            frames: devices.frames(device.id),
          })),
        ),
        machine: options.watches.own.faults(),
      }),
      recording: ({ device }) =>
        saveRecording(drivers, join(dirname(ledgerPath), 'recordings'), device, options.now()),
      meters: (asked) => meters.page(asked, terminal.now()),
      events: (asked) => eventPage(ledger, hiddenRound(terminal.state), asked),
      payouts: async ({ beforeSeq, limit }) => {
        const { events, olderSeq } = await eventPage(ledger, null, { beforeSeq, limit, kind: 'hand-paid' });
        const payouts = events.map(({ seq, atMs, body }) => {
          const { seat, payNo, currency, amountMinor, person, second, win } = body as HandPaid;
          const kind = win ? ('win' as const) : ('cash-out' as const);
          const by = { person: person.name, second: second?.name ?? null };
          return { seq, atMs, seat, payNo: payNo ?? null, kind, currency, amountMinor, ...by };
        });
        return { payouts, olderSeq };
      },
      rounds: (asked) => roundPage(ledger, terminal.state.roundNo, asked),
      round: async ({ roundId }) =>
        this.#shown(
          await roundDetail(ledger, hiddenRound(terminal.state), roundId),
          terminal.state.service?.person ?? null,
        ),
      recall: ({ roundId, fromStep }) => recallPage(ledger, past, roundId, fromStep),
      'own-rounds': ({ seat, from }) => ownRounds(ledger, seat, from),
      'own-round': async ({ seat, roundId }) =>
        this.#shown(await ownRound(ledger, key, past, seat, roundId), null, seat),
      profile: () => profilePage(terminal.state),
      tables: () => tablesPage(terminal.state, options.tables(), terminal.now()),
      'check-change': ({ edit, fromMs }) => options.change.check(edit, fromMs),
      figures: ({ edit }) => options.figures.page(edit),
      edges: async () => ({
        ...options.figures.inForce(),
        version: (await options.software).version,
        profileSha256: terminal.state.profile === null ? '' : tableHashOf(terminal.state.profile),
      }),
      change: () => options.change.page(),
      exports: () => options.exports.page(),
      drills: () => options.drills.page(),
      people: () => options.staff.page(),
      link: () => options.centre.page(),
      software: () => softwarePage(options),
      storage: () => storagePage(options, terminal.now()),
      notes: (asked) =>
        notePage(ledger, (noteId) => terminal.state.notes.some((note) => note.noteId === noteId), asked),
      'note-trace': ({ seq }) => {
        const [entry] = ledger.read(seq, 1);
        const { acceptor } = (entry?.body ?? {}) as { acceptor?: number };
        if (!entry || !acceptor) return null;
        const trace = options.traces.of(entry.seq, acceptor, entry.atMs);
        return { ...trace, frames: devices.inWords(trace.device, trace.frames) };
      },
      trends: ({ hours }) => trendPage(options, hours, terminal.now()),
      displays: () => options.measures.page(),
      clock: () => ({ ...options.watches.clock.page(), centre: options.centre.clock() }),
      reading: () => options.reader?.page() ?? NOBODY_READS,
      'software-files': () => softwareFilesPage(options),
      say: ({ seat, language, text }) => options.speech.say(seat, language, text, chinese()),
      speech: () => options.speech.page(chinese()),
    };
  }

  async answer<N extends QueryName>(query: Asked[N] & { readonly query: N }): Promise<Answered[N]> {
    return this.#handlers[query.query](query);
  }

  /** Event 515 for what is shown: by somebody in service mode, or to the player of `seat`. */
  #shown<T extends { readonly roundId: string }>(
    page: T | null,
    person: Person | null,
    seat: number | null = null,
  ): T | null {
    const place = seat === null ? 'service' : 'seat';
    if (page)
      this.#o.terminal.record({ type: 'recall-displayed', roundId: page.roundId, place, person, seat });
    return page;
  }
}
