import { dirname, join } from 'node:path';
import type { Person } from '../engine/table/inputs.ts';
import type { Ledger, LedgerKey } from '../ledger/store/ledger.store.ts';
import type { ClockPage, Query, SoftwareFilesPage, SoftwarePage, StorageReport, TrendPage } from './api.ts';
import type { Centre } from './centre.ts';
import type { ChangeDesk } from './change-desk.ts';
import type { Devices } from './devices.ts';
import type { DisplayMeasures } from './display-page.ts';
import type { DrillDesk } from './drill-desk.ts';
import type { Drivers } from './drivers.ts';
import { eventPage } from './event-page.ts';
import type { ExportDesk } from './export-desk.ts';
import type { Machine } from './machine.ts';
import type { Meters } from './meters.ts';
import { notePage } from './note-page.ts';
import type { NoteTraces } from './note-traces.ts';
import { ownRound, ownRounds } from './own-rounds.ts';
import { hiddenRound, roundDetail, roundPage } from './recall.ts';
import { type RecallContext, recallPage } from './recall-steps.ts';
import { saveRecording } from './recordings.ts';
import { profilePage, tablesPage } from './service.ts';
import type { ReadyTable } from './tables.ts';
import type { Terminal } from './terminal.ts';

export interface QueryOptions {
  readonly ledger: Ledger;
  readonly ledgerPath: string;
  readonly key: LedgerKey;
  readonly now: () => number;
  readonly terminal: Terminal;
  readonly devices: Devices;
  readonly drivers: Drivers;
  readonly meters: Meters;
  readonly machine: Pick<Machine, 'faults'>;
  readonly centre: Pick<Centre, 'page'>;
  readonly change: Pick<ChangeDesk, 'check' | 'page'>;
  readonly drills: Pick<DrillDesk, 'page'>;
  readonly exports: Pick<ExportDesk, 'page'>;
  readonly tables: () => readonly ReadyTable[];
  /** What a view of the past takes from the present. */
  readonly past: RecallContext;
  readonly software: () => Promise<SoftwarePage>;
  readonly storage: () => StorageReport;
  readonly traces: Pick<NoteTraces, 'of'>;
  readonly trends: (hours: number) => TrendPage;
  readonly displays: Pick<DisplayMeasures, 'page'>;
  readonly clock: () => ClockPage;
  readonly files: () => Promise<SoftwareFilesPage>;
}

/** What displays ask for: pages of service mode, rounds of the past. Whether they may is judged before (`mayQuery`). */
export class Queries {
  readonly #o: QueryOptions;

  constructor(options: QueryOptions) {
    this.#o = options;
  }

  async answer(query: Query): Promise<unknown> {
    const { ledger, key, ledgerPath, terminal, devices, drivers, meters, past } = this.#o;
    switch (query.query) {
      case 'devices':
        return {
          devices: devices.views().map((device) => ({
            view: device,
            identity: devices.identity(device.id),
            faults: devices.faults(device.id),
            frames: devices.frames(device.id),
          })),
          machine: this.#o.machine.faults(),
        };
      case 'recording':
        return saveRecording(drivers, join(dirname(ledgerPath), 'recordings'), query.device, this.#o.now());
      case 'meters':
        return meters.page(query, terminal.now());
      case 'events':
        return eventPage(ledger, hiddenRound(terminal.state), query);
      case 'rounds':
        return roundPage(ledger, terminal.state.roundNo, query);
      case 'round':
        return this.#shown(
          await roundDetail(ledger, hiddenRound(terminal.state), query.roundId),
          terminal.state.service?.person ?? null,
        );
      case 'recall':
        return recallPage(ledger, past, query.roundId, query.fromStep);
      case 'own-rounds':
        return ownRounds(ledger, query.seat);
      case 'own-round':
        return this.#shown(await ownRound(ledger, key, past, query.seat, query.roundId), null, query.seat);
      case 'profile':
        return profilePage(terminal.state);
      case 'tables':
        return tablesPage(terminal.state, this.#o.tables(), terminal.now());
      case 'check-change':
        return this.#o.change.check(query.edit, query.fromMs);
      case 'change':
        return this.#o.change.page();
      case 'exports':
        return this.#o.exports.page();
      case 'drills':
        return this.#o.drills.page();
      case 'link':
        return this.#o.centre.page();
      case 'software':
        return this.#o.software();
      case 'storage':
        return this.#o.storage();
      case 'notes':
        return notePage(
          ledger,
          (noteId) => terminal.state.notes.some((note) => note.noteId === noteId),
          query,
        );
      case 'note-trace': {
        const [entry] = ledger.read(query.seq, 1);
        const { acceptor } = (entry?.body ?? {}) as { acceptor?: number };
        return entry && acceptor ? this.#o.traces.of(entry.seq, acceptor, entry.atMs) : null;
      }
      case 'trends':
        return this.#o.trends(query.hours);
      case 'displays':
        return this.#o.displays.page();
      case 'clock':
        return this.#o.clock();
      case 'software-files':
        return this.#o.files();
    }
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
