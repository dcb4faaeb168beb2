import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { TableEvent } from '../engine/table/events.ts';
import type { Person } from '../engine/table/inputs.ts';
import type { ModelName } from '../hardware/models.ts';
import type { OpenTransport } from '../hardware/ports.ts';
import { systemClock } from '../hardware/transport/clock.ts';
import type { CopyState } from '../ledger/copy/mend.store.ts';
import type { Ledger, LedgerKey } from '../ledger/store/ledger.store.ts';
import type { Witness } from '../ledger/store/witness.store.ts';
import type { Command } from '../wire/commands.ts';
import type { DisplayRole } from '../wire/display.ts';
import { faultRow } from '../wire/faults.ts';
import type { TableView } from '../wire/view.ts';
import { Centre } from './config/centre.ts';
import { ChangeDesk } from './config/change-desk.ts';
import { DEMONSTRATION_DIGITS, failuresIn, LEAST_DIGITS, namesOn, People } from './config/people.ts';
import { bringIntoForce, problemsOf, type ReadyTable, sentenceOf } from './config/ready-tables.ts';
import { recordTerminalFile } from './config/roster.ts';
import type { TerminalFile } from './config/terminal-file.ts';
import { Devices } from './devices/devices.ts';
import { connectDevices, type Drivers, type Fitting } from './devices/drivers.ts';
import { NoteTraces } from './devices/note-traces.ts';
import { fittingsOf } from './devices/real-devices.ts';
import { heldBack, isShoeSecret } from './devices/recordings.ts';
import { DisplayMeasures } from './pages/display-page.ts';
import { DrillDesk } from './pages/drill-desk.ts';
import { ExportDesk } from './pages/export-desk.ts';
import { Latencies } from './pages/latencies.ts';
import { Meters } from './pages/meters.ts';
import { Queries } from './pages/queries.ts';
import { RecallScreen } from './pages/recall-screen.ts';
import { ServiceWatch } from './pages/service-watch.ts';
import { storageReport } from './pages/storage-page.ts';
import { Trends } from './pages/trends.ts';
import { bootOfMachine, lastLife, recordStart, startsIn } from './program/life.ts';
import { byPackage, type Software, type SoftwareIdentity } from './program/software.ts';
import { countedStart, type StartCounter } from './program/start-counter.ts';
import type { CommandContext } from './server/commands.ts';
import { execute, SentCommands } from './server/commands.ts';
import { Conversation } from './server/conversation.ts';
import { DisplayServer, type DisplayServerOptions } from './server/displays.ts';
import type { Rack } from './simulation/rack.ts';
import { demoOf, simulationOf } from './simulation/simulation.ts';
import { roundReport } from './table/round-report.ts';
import { SeatWatch } from './table/seat-watch.ts';
import type { Outcome } from './table/terminal.ts';
import { eventOf, Terminal } from './table/terminal.ts';
import { RecentNotes, tableView } from './table/view.ts';
import { LedgerCopy } from './watches/ledger-copy.ts';
import { LIMITS } from './watches/limits.ts';
import type { SelfTest } from './watches/self-test.ts';
import { runSelfTest } from './watches/self-test.ts';
import { type StorageSettings, StorageWatch, Syncs } from './watches/storage-watch.ts';
import { Verification } from './watches/verification.ts';
import { MachineWatch } from './watches/watches.ts';
import { WitnessWatch } from './watches/witness-watch.ts';

export interface HostOptions
  extends Pick<
    DisplayServerOptions,
    'rendererRoot' | 'sessions' | 'port' | 'listenFd' | 'allowedUids' | 'log'
  > {
  readonly ledger: Ledger;
  readonly ledgerPath: string;
  /** The ledger's second file, and what the start has found of it; absent: there is none. */
  readonly copy?: { readonly path: string; readonly found: CopyState };
  /** Where it is kept what this ledger was seen to have; absent: nowhere. */
  readonly witness?: Witness;
  /** Counts the starts; null or absent: nothing does. */
  readonly counter?: StartCounter | null;
  readonly key: LedgerKey;
  /** The machine, its people, and the table it is to be unless somebody has chosen another one since. */
  readonly file: TerminalFile;
  /** What this terminal can be switched to. */
  readonly tables: readonly ReadyTable[];
  /** The simulated devices; null where the terminal file names real ones. */
  readonly rack: Rack | null;
  /** Wall clock, ms since 1970 UTC. */
  readonly now: () => number;
  readonly upstreamUrl: string | null;
  /** Without its files no change of theirs can be named. */
  /** A promise where the terminal file approves anything: then it is told when it is known. */
  readonly software: Software | Promise<Software>;
  /** The program as its files are at this moment; absent: it is not looked at again. */
  readonly softwareNow?: () => Promise<SoftwareIdentity>;
  /** See MachineWatchOptions. */
  readonly releaseProblem?: string | null;
  /** The supervisor's word on the end of the life before; absent or null = there is none. */
  readonly endedWhy?: string | null;
  /** Absent: nobody looks at the disk. */
  readonly storage?: StorageSettings;
  /** Changes whenever the machine is started; absent: as the kernel has it. */
  readonly machineBootId?: string;
  /** Ms since anything, never going back; absent: that of this process. */
  readonly monotonic?: () => number;
  /** Pace of the demonstration, 1 = calm; it is off until switched on. */
  readonly pace: number;
  /** Lines for the supervisor: displays that come, go or hang, first painted frames, finished rounds. */
  readonly report: (line: object) => void;
}

export interface Host {
  readonly terminal: Terminal;
  readonly port: number;
  ticketUrl(role: DisplayRole, lifeMs: number): { ticket: string; url: string };
  demo(o: { dealer: boolean; players: boolean }): void;
  /** What the big table shows now. */
  view(): TableView;
  /** A command as the big table sends it, for a script in this process. */
  command(id: string, command: Command): Promise<Outcome>;
  /** Another process of the terminal, as the supervisor calls it, had ended and was started again. */
  processRestarted(process: string, why: string): void;
  stop(why?: string): Promise<void>;
}

/** Joins engine, ledger, devices, centre and displays. Resolves when displays can connect. */
export async function startHost(o: HostOptions): Promise<Host> {
  const bootId = randomUUID();
  const startedAtMs = o.now();
  const machineBootId = o.machineBootId ?? bootOfMachine();
  const life = lastLife(o.ledger, machineBootId);
  const starts = startsIn(o.ledger);
  const latencies = new Latencies();
  const syncs = new Syncs((ms) => latencies.took('commit', ms));
  const terminal = new Terminal({ ledger: syncs.ofLedger(o.ledger), now: o.now, log: o.log });
  const witness = new WitnessWatch(o.witness ?? null, terminal, o.log, starts);
  for (const { path, problems } of o.tables.map((table) => ({
    path: table.path,
    problems: problemsOf(table, o.now()),
  })))
    if (problems.length > 0) o.log(`table not usable: ${path}: ${problems.map(sentenceOf).join('; ')}`);
  o.log(bringIntoForce(terminal, o.file.profile));
  terminal.start(bootId, o.software instanceof Promise ? 'being-read' : o.software.id);
  const count = countedStart(o.counter ?? null, starts);
  recordStart(terminal, {
    ...life,
    machineBootId,
    why: o.endedWhy ?? null,
    witness: witness.named,
    counter: count.counted,
  });
  // After that entry, and before anybody can play.
  const uncounted = count.now();
  recordTerminalFile(terminal, o.file, o.key);
  const watch = new MachineWatch({ ...o, terminal, life });
  witness.start(watch.machine);
  watch.machine.set(
    'tpm',
    'witness-failed',
    uncounted !== null,
    uncounted === null ? {} : { place: uncounted },
  );

  let selfTest: SelfTest | null = null;
  const recentNotes = new RecentNotes(o.now);

  // Several commits of one turn of the event loop make one picture.
  let dirty = false;
  const changed = (): void => {
    if (dirty) return;
    dirty = true;
    setImmediate(() => {
      dirty = false;
      conversation.show();
    });
  };

  const { profile } = o.file;
  // Without devices of its own, or with simulators among them, it is a demonstration, whose PINs are published.
  const leastDigits = o.file.devices?.simulatorsAllowed === false ? LEAST_DIGITS : DEMONSTRATION_DIGITS;
  let ackedSeq = o.ledger.acknowledged()?.seq ?? 0;
  const centre = new Centre({
    terminal,
    key: o.key,
    url: o.upstreamUrl,
    own: profile,
    changed,
    heard: (status) => {
      if (status.state === 'fork') witness.forked(status);
      // The last entry says that this life has ended, and nothing comes after it.
      if (isStopping) return;
      watch.link.is(status);
      if (status.ackedSeq > ackedSeq && status.ackedUpToMs !== null)
        latencies.took('link', terminal.now() - status.ackedUpToMs);
      ackedSeq = status.ackedSeq;
    },
    crash,
  });
  const drivers = heldBack(
    connect(o, (id, ms) => latencies.took(id, ms)),
    () => isShoeSecret(terminal.state),
  );
  const devices = new Devices({ terminal, ...drivers, log: o.log, limits: o.file.limits ?? LIMITS });
  const bench = o.rack && { ...o, rack: o.rack, terminal };
  const demo = bench && demoOf(bench);

  const verification = new Verification({ ledger: o.ledgerPath, copy: o.copy?.path ?? null }, o.now);
  const copy =
    o.copy &&
    new LedgerCopy({
      terminal,
      verification,
      ledgerPath: o.ledgerPath,
      copyPath: o.copy.path,
      key: o.key,
      found: o.copy.found,
      log: o.log,
      end: (why) => crash(new Error(why)),
    });

  const storage =
    o.storage &&
    new StorageWatch({
      machine: watch.machine,
      syncs,
      ledgerPath: o.ledgerPath,
      copyPath: o.copy?.path ?? null,
      settings: o.storage,
    });

  const beside = { ...o, terminal };
  const change = new ChangeDesk(terminal);
  const drills = new DrillDesk(beside);
  const exports = new ExportDesk({ ...beside, drivers, devices: () => devices.views() });
  const recall = new RecallScreen(terminal, changed);
  const monotonic = o.monotonic ?? (() => performance.now());
  const service = new ServiceWatch({
    terminal,
    monotonic,
    idleMs: (o.file.limits ?? LIMITS).serviceIdleMs,
    isBusy: () => drills.isRunning || exports.isRunning || verification.isRunning,
    changed,
  });
  const view = (): TableView =>
    tableView(terminal.state, {
      bootId,
      seq: o.ledger.head().seq,
      nowMs: terminal.now(),
      demo: demo?.on ?? null,
      simulation: demo !== null || o.file.devices?.simulatorsAllowed === true,
      locked: terminal.locked,
      link: centre.linkView(),
      centre: centre.ordersView(),
      devices: devices.views(),
      handLoaded: devices.handLoaded,
      recall: recall.current,
      recentNotes: recentNotes.current(),
      serviceLeavesAtMs: service.leavesAtMs,
      pinPad: { people: namesOn(o.file.people), leastDigits },
    });

  const tables = (): readonly ReadyTable[] => [...o.tables, ...centre.tables()];
  const context: CommandContext = {
    terminal,
    people: new People(o.file.people, {
      monotonic,
      failures: failuresIn(o.ledger),
    }),
    leastDigits,
    service,
    sent: new SentCommands(),
    tables,
    recall,
    loadShoe: (id) => devices.loadShoe(id),
    change,
    makeExport: (target, person, id) => exports.make(target, person, id),
    holdDrill: (drill, person, id) => drills.hold(drill, person, id),
    simulation: bench && demo && simulationOf(bench, demo, changed),
    endFault: (device, fault, persons, commandId) =>
      faultRow(fault)?.device === 'machine'
        ? watch.machine.release(device, fault, persons, commandId)
        : (copy?.isMine(device) ? copy : devices).release(device, fault, persons, commandId),
    selfTest: (person: Person) => {
      selfTest = null;
      runSelfTest({
        verification,
        terminal,
        devices: devices.views(),
        link: centre.status,
        copy: copy?.page() ?? null,
        storage: storage?.page() ?? null,
        isCodeAuthentic: watch.checkCode(),
      }).then(
        (result) => {
          selfTest = result;
          const failed = result.filter((check) => !check.ok).map((check) => check.check);
          terminal.record({ type: 'self-test-run', person, passed: failed.length === 0, failed });
          changed();
        },
        (error: Error) => o.log(`self-test: ${error.message}`),
      );
    },
  };

  const trends = new Trends();
  const meters = new Meters(o.ledger, (entry) => trends.take(entry));
  const traces = new NoteTraces({
    folder: join(dirname(o.ledgerPath), 'note-traces'),
    drivers,
    now: o.now,
    log: o.log,
  });
  const displays = new DisplayMeasures(o.now);
  const queries = new Queries({
    ...o,
    meters,
    terminal,
    devices,
    drivers,
    machine: watch.machine,
    centre,
    change,
    drills,
    exports,
    tables,
    past: {
      simulation: demo !== null || o.file.devices?.simulatorsAllowed === true,
      handLoaded: devices.handLoaded,
    },
    software: async () => {
      const { version, id: softwareId } = await o.software;
      return {
        version,
        node: process.versions.node,
        sqlite: o.ledger.sqliteVersion,
        softwareId,
        startedAtMs,
        ledgerPath: o.ledgerPath,
        ledgerEntries: o.ledger.head().seq,
        selfTest,
      };
    },
    traces,
    trends: (hours) => ({
      countedSeq: meters.countedSeq,
      headSeq: o.ledger.head().seq,
      nowMs: terminal.now(),
      ...trends.page(hours, terminal.now()),
      latencies: latencies.page(),
    }),
    displays,
    clock: () => ({ ...watch.clock.page(), centre: centre.clock() }),
    files: async () => ({ files: byPackage((await o.software).files) }),
    storage: () =>
      storageReport({
        ...o,
        nowMs: terminal.now(),
        disk: storage?.page() ?? null,
        copy: copy?.page() ?? null,
        verification,
        nextCheckAtMs: copy?.nextCheckAtMs ?? null,
      }),
  });

  let isStopping = false;
  const conversation = new Conversation({
    context,
    queries,
    measures: displays,
    watch: watch.displays,
    view,
    pong: (display) => server.pong(display),
    report: o.report,
    log: o.log,
    // A command that waited for its PIN may find the ledger closed: it was not done, and nobody hears of it any more.
    crash: (error) => {
      if (!isStopping) crash(error);
    },
  });
  const server = new DisplayServer({
    ...o,
    onOpen: () => {},
    onText: (display, text) => conversation.hear(display, text),
    onClose: (display, why) => conversation.left(display, why),
  });

  terminal.onCommit(({ entries }) => {
    const events = entries.map(eventOf).filter((event): event is TableEvent => event !== null);
    recentNotes.take(events, profile.acceptors === 'shared' ? terminal.state.noteSeat : null, changed);
    if (events.some((event) => event.type === 'round-settled' || event.type === 'round-voided'))
      o.report({ round: roundReport(terminal.state, o.ledger, centre.status.ackedSeq) });
    meters.take(entries);
    traces.take(entries);
    centre.wake();
    changed();
  });

  await server.listen();
  // Every commit is checked by what it changes; here once all there is, which may take a while.
  meters.audit().then(
    (problems) => terminal.reportAudit(problems),
    (error: Error) => crash(error),
  );
  centre.start();
  devices.start(changed);
  copy?.start(changed);
  storage?.start();
  change.start();
  watch.start({ isLinked: o.upstreamUrl !== null, isOnUsb: o.rack === null });
  terminal.watchDeadline();
  const seats = new SeatWatch(terminal);
  seats.start();
  service.start();

  return {
    terminal,
    port: server.port,
    ticketUrl: (role, lifeMs) => server.ticketUrl(role, lifeMs),
    demo: (on) => {
      demo?.set(on);
      changed();
    },
    view,
    command: (id, command) => execute(context, 'table', id, command),
    processRestarted: (process, why) => watch.processRestarted(process, why),
    stop: async (why = 'asked to') => {
      isStopping = true;
      demo?.stop();
      seats.stop();
      service.stop();
      change.stop();
      drills.stop();
      exports.stop();
      meters.close();
      traces.close();
      terminal.close();
      watch.stop();
      await storage?.stop();
      await devices.stop();
      await server.close();
      // The last word of this life, which the centre gets now or in the next one.
      terminal.record({ type: 'program-stopped', why });
      terminal.sign('stop');
      witness.stop();
      await centre.stop();
      await copy?.stop();
      o.ledger.close();
    },
  };
}

/** A bug in a command is a crash: the supervisor starts us again from the ledger rather than from a half-known state. */
function crash(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}

/** The drivers: of the devices in the terminal file, else one for everything on the bench. */
function connect(
  { file, rack, log, ledgerPath }: HostOptions,
  answered: (id: string, ms: number) => void,
): Drivers {
  const options = { clock: systemClock, folder: join(dirname(ledgerPath), 'drivers'), log, answered };
  if (rack === null) {
    if (file.devices === undefined) throw new Error('neither simulated nor real devices');
    return connectDevices(fittingsOf(file.devices), options);
  }
  const { acceptors, seatCount } = file.profile;
  const count = acceptors === 'shared' ? 1 : seatCount;
  const simulated = (model: ModelName, open: OpenTransport): Fitting => ({
    model,
    options: {},
    open,
    at: null,
  });
  return connectDevices(
    {
      acceptors: new Map(
        Array.from({ length: count }, (_, index) => [
          index + 1,
          simulated('id003', rack.transports.acceptor(index + 1)),
        ]),
      ),
      shoe: simulated('ksp1', rack.transports.shoe),
      simulatorsAllowed: true,
    },
    options,
  );
}
