import { dirname, join } from 'node:path';
import { systemClock } from '../hardware/transport/clock.ts';
import type { Life } from './begin.ts';
import { Centre, type CentreOptions } from './config/centre.ts';
import { CentreAnswers } from './config/centre-answers.ts';
import { ChangeDesk } from './config/change-desk.ts';
import { Exclusions } from './config/exclusions.ts';
import { TouchSettings } from './config/touch-settings.ts';
import { Devices } from './devices/devices.ts';
import { connectDevices, type Drivers } from './devices/drivers.ts';
import { Evidence } from './devices/evidence.ts';
import { NoteTraces } from './devices/note-traces.ts';
import { fittingsOf } from './devices/real-devices.ts';
import { heldBack, isShoeSecret } from './devices/recordings.ts';
import { StaffCards } from './devices/staff-cards.ts';
import type { HostOptions } from './options.ts';
import { DisplayMeasures } from './pages/display-page.ts';
import { DrillDesk } from './pages/drill-desk.ts';
import { ExportDesk } from './pages/export-desk.ts';
import { FiguresDesk } from './pages/figures-desk.ts';
import type { Latencies } from './pages/latencies.ts';
import { Meters } from './pages/meters.ts';
import { MetricsSocket } from './pages/metrics.ts';
import { RecallScreen } from './pages/recall-screen.ts';
import type { RecallContext } from './pages/recall-steps.ts';
import { ServiceWatch } from './pages/service-watch.ts';
import { SlipDesk } from './pages/slip-desk.ts';
import { Trends } from './pages/trends.ts';
import { crash } from './program/crash.ts';
import { demoOf, simulatedFittings, simulationOf } from './simulation/simulation.ts';
import { Speech } from './speech/speech.ts';
import { SeatWatch } from './table/seat-watch.ts';
import { RecentNotes } from './table/view.ts';
import { LedgerCopy } from './watches/ledger-copy.ts';
import { LIMITS } from './watches/limits.ts';
import { SelfTests } from './watches/self-test.ts';
import { StorageWatch } from './watches/storage-watch.ts';
import { Verification } from './watches/verification.ts';

/** All that works behind the displays, made and not started. */
export type Parts = ReturnType<typeof makeParts>;

/** `changed`: what displays show is to be made again. */
export function makeParts(o: HostOptions, life: Life, latencies: Latencies, changed: () => void) {
  const { terminal, watches } = life;
  const { ledgerPath, log, now } = o;
  const limits = o.file.limits ?? LIMITS;
  const monotonic = o.monotonic ?? (() => performance.now());

  const drivers = heldBack(
    connect(o, (id, ms) => latencies.took(id, ms)),
    () => isShoeSecret(terminal.state),
  );
  const powerEnds = (why: string): void => o.report({ shutdown: why });
  const cardTook = (ms: number): void => latencies.took('card', ms);
  const clock = o.deviceClock ?? systemClock;
  const devices = new Devices({ terminal, ...drivers, log, limits, powerEnds, cardTook, clock });
  const hands = o.rack && { ...o, rack: o.rack, terminal };
  const demo = hands && demoOf(hands);
  const simulation = hands && demo && simulationOf(hands, demo, changed);

  /** No real device is wanted: what is shown says so. */
  const isSimulated = demo !== null || o.file.devices?.simulatorsAllowed === true;

  const verification = new Verification({ ledger: ledgerPath, copy: o.copy?.path ?? null }, now);
  const copy = o.copy ? copyOf(o, o.copy, life, verification) : null;
  const storage = o.storage
    ? new StorageWatch({
        own: watches.own,
        syncs: life.syncs,
        ledgerPath,
        copyPath: o.copy?.path ?? null,
        settings: o.storage,
      })
    : null;
  const exclusions = new Exclusions({
    terminal,
    own: watches.own,
    path: o.file.exclusions ?? null,
    dataDir: dirname(ledgerPath),
  });
  const answers = new CentreAnswers({
    ...life,
    ...{ verification, copy, devices },
    software: o.software,
    clock: watches.clock,
    clockLimitMs: limits.clockJumpMs,
    mayPay: o.file.centreMayPay === true,
  });
  const centre = linkToCentre(o, life, { latencies, exclusions, answers, changed });
  const selfTests = new SelfTests({
    ...{ terminal, verification, centre, devices, copy, storage, watches, changed, log },
  });

  const change = new ChangeDesk(terminal);
  const drills = new DrillDesk({ ...o, terminal });
  const exports = new ExportDesk({ ...o, terminal, drivers, devices: () => devices.views() });
  const past: RecallContext = {
    simulation: isSimulated,
    handLoaded: devices.handLoaded,
    receiptAddress: o.file.receiptAddress ?? null,
  };
  const slips = new SlipDesk({
    ...{ terminal, ledger: o.ledger, key: o.key, printer: devices.printer, log },
    past,
  });
  const figures = new FiguresDesk({ terminal, log });
  const recall = new RecallScreen(terminal, changed);
  const service = new ServiceWatch({
    terminal,
    monotonic,
    idleMs: limits.serviceIdleMs,
    isHandedOver: () => watches.displays.handedOver().dealer,
    isBusy: () => drills.isRunning || exports.isRunning || verification.isRunning,
    changed,
  });

  const trends = new Trends();
  const metrics = o.file.metrics
    ? new MetricsSocket({ path: o.file.metrics, terminal, latencies, centre, log })
    : null;
  const meters = new Meters(o.ledger, (entry) => trends.take(entry));
  const traces = new NoteTraces({ folder: join(dirname(ledgerPath), 'note-traces'), drivers, now, log });
  const evidence = new Evidence({
    ...{ terminal, key: o.key, drivers, log },
    folder: join(dirname(ledgerPath), 'recordings'),
    devices: () => devices.views(),
  });
  const measures = new DisplayMeasures(now);
  const touch = new TouchSettings({ terminal, report: o.report });
  const recentNotes = new RecentNotes(now);
  const seats = new SeatWatch(terminal);
  const speech = new Speech(o.file.speech ?? {});
  const cards = o.file.staffCards
    ? new StaffCards({ monotonic, changed, log, ...(o.pcscdSocket && { socket: o.pcscdSocket }) })
    : null;

  return {
    ...{ centre, drivers, devices, demo, simulation },
    ...{ verification, copy, storage, selfTests },
    ...{ change, drills, exclusions, exports, figures, past, recall, service, slips },
    ...{
      trends,
      meters,
      metrics,
      traces,
      evidence,
      measures,
      latencies,
      recentNotes,
      seats,
      touch,
      speech,
      cards,
      monotonic,
    },
    isSimulated,
  };
}

function linkToCentre(
  o: HostOptions,
  life: Life,
  {
    latencies,
    ...others
  }: Pick<CentreOptions, 'exclusions' | 'answers' | 'changed'> & { readonly latencies: Latencies },
): Centre {
  const { terminal, staff, watches, witness } = life;
  let ackedSeq = o.ledger.acknowledged()?.seq ?? 0;
  return new Centre({
    terminal,
    key: o.key,
    url: o.upstreamUrl,
    own: o.file.profile,
    staff,
    wall: o.now,
    ...others,
    heard: (status) => {
      if (status.state === 'fork') witness.forked(status);
      // The last entry says that this life has ended, and nothing comes after it.
      if (watches.isStopped) return;
      watches.link.is(status);
      if (status.state === 'up' && status.clockOffMs != null) watches.clock.compare(status.clockOffMs);
      if (status.ackedSeq > ackedSeq && status.ackedUpToMs !== null)
        latencies.took('link', terminal.now() - status.ackedUpToMs);
      ackedSeq = status.ackedSeq;
    },
    crash,
  });
}

/** The drivers: of the devices in the terminal file, else of the simulated ones. */
function connect(o: HostOptions, answered: (id: string, ms: number) => void): Drivers {
  const { devices, profile } = o.file;
  if (o.rack === null && devices === undefined) throw new Error('neither simulated nor real devices');
  return connectDevices(o.rack === null ? fittingsOf(devices!) : simulatedFittings(o.rack, profile), {
    clock: o.deviceClock ?? systemClock,
    folder: join(dirname(o.ledgerPath), 'drivers'),
    log: o.log,
    answered,
  });
}

const copyOf = (
  o: HostOptions,
  { path, found }: NonNullable<HostOptions['copy']>,
  { terminal }: Life,
  verification: Verification,
): LedgerCopy =>
  new LedgerCopy({
    terminal,
    verification,
    ledgerPath: o.ledgerPath,
    copyPath: path,
    key: o.key,
    found,
    log: o.log,
    end: o.endDamaged ?? ((why) => crash(new Error(why))),
  });
