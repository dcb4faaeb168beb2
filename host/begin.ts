import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { displaysIn } from './config/displays.ts';
import { bringIntoForce, problemsOf, sentenceOf } from './config/ready-tables.ts';
import { recordTerminalFile } from './config/roster.ts';
import { Staff } from './config/staff.ts';
import { isDemonstration } from './config/terminal-file.ts';
import { usbOf } from './devices/real-devices.ts';
import type { HostOptions } from './options.ts';
import type { Latencies } from './pages/latencies.ts';
import { bootOfMachine, lastLife, recordStart, startsIn } from './program/life.ts';
import { countedStart } from './program/start-counter.ts';
import { epochBefore } from './program/wiped.ts';
import { SecondReader } from './reading/second-reader.ts';
import { Terminal } from './table/terminal.ts';
import { Syncs } from './watches/storage-watch.ts';
import { Watches } from './watches/watches.ts';
import { WitnessWatch } from './watches/witness-watch.ts';

/** A life of this process, as its ledger has it. */
export interface Life {
  readonly bootId: string;
  readonly startedAtMs: number;
  readonly terminal: Terminal;
  readonly staff: Staff;
  /** Null: no payment is read a second time. */
  readonly reader: SecondReader | null;
  readonly syncs: Syncs;
  readonly witness: WitnessWatch;
  readonly watches: Watches;
}

/** What stands in the ledger of a life before anybody can play, in this order. */
export function beginLife(o: HostOptions, latencies: Latencies): Life {
  const bootId = randomUUID();
  const startedAtMs = o.now();
  const machineBootId = o.machineBootId ?? bootOfMachine();
  const last = lastLife(o.ledger, machineBootId);
  const starts = startsIn(o.ledger);
  const syncs = new Syncs((ms) => latencies.took('commit', ms));
  const reader = o.reader === undefined ? null : new SecondReader(o.reader, o.log);
  const terminal = new Terminal({ ledger: syncs.ofLedger(o.ledger), now: o.now, log: o.log, reader });
  const witness = new WitnessWatch(o.witness ?? null, terminal, o.log, starts);

  for (const table of o.tables) {
    const problems = problemsOf(table, o.now());
    if (problems.length > 0) o.log(`table not usable: ${table.path}: ${problems.map(sentenceOf).join('; ')}`);
  }
  o.log(bringIntoForce(terminal, o.file.profile));
  terminal.start(bootId, o.software instanceof Promise ? 'being-read' : o.software.id);

  const epoch = starts.count === 0 ? epochBefore(dirname(o.ledgerPath), o.ledger.terminalId, o.log) : null;
  const count = countedStart(o.counter ?? null, starts);
  recordStart(terminal, {
    ...last,
    machineBootId,
    why: o.endedWhy ?? null,
    witness: witness.named,
    counter: count.counted,
    ...(epoch === null ? {} : { epochBefore: epoch }),
  });
  // After that entry, and before anybody can play.
  const uncounted = count.now();
  const staff = new Staff({
    terminal,
    key: o.key,
    people: o.file.people,
    rosterDir: o.rosterDir ?? null,
    isReal: !isDemonstration(o.file),
    log: o.log,
  });
  recordTerminalFile(terminal, o.file);
  staff.record();

  const watches = new Watches({
    ...{ ...o, terminal, life: last },
    ...(o.file.displays && { displays: displaysIn(o.file.displays) }),
    ...(o.file.devices && { usb: usbOf(o.file.devices) }),
  });
  witness.start(watches.own);
  watches.own.set(
    'tpm',
    'witness-failed',
    uncounted !== null,
    uncounted === null ? {} : { place: uncounted },
  );
  // It comes up while the rest of the host does.
  reader?.start(terminal, watches.own);
  return { bootId, startedAtMs, terminal, staff, reader, syncs, witness, watches };
}
