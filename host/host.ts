/**
 * The host on one page. `main.ts` is its process: options, the ledger it finds, what a supervisor
 * says and hears. Then, in this order:
 *
 *   `begin.ts`  a life begins in the ledger          rooms: `table`, `program`, `watches`, `config`
 *   `parts.ts`  all that works behind the displays   rooms: `devices`, `watches`, `config`,
 *                                                    `pages`, `simulation`
 *   `serve.ts`  what displays see, ask and command   rooms: `server`, `pages`
 *
 * What each room is and may touch: docs/architecture.md. `drills/` starts a whole host of its own;
 * `profiles/` are terminal files.
 */
import type { TableEvent } from '../engine/table/events.ts';
import type { Command } from '../wire/commands.ts';
import { type DisplayRole, NOTHING_HANDED_OVER } from '../wire/display.ts';
import type { TableView } from '../wire/view.ts';
import { beginLife, type Life } from './begin.ts';
import type { Devices } from './devices/devices.ts';
import type { HostOptions } from './options.ts';
import { Latencies } from './pages/latencies.ts';
import { makeParts, type Parts } from './parts.ts';
import { crash } from './program/crash.ts';
import type { SecondReader } from './reading/second-reader.ts';
import { serveDisplays } from './serve.ts';
import { execute } from './server/commands.ts';
import { roundReport } from './table/round-report.ts';
import { eventOf, type Outcome, type Terminal } from './table/terminal.ts';
import type { LedgerCopy } from './watches/ledger-copy.ts';
import type { Watches } from './watches/watches.ts';

export interface Host {
  readonly terminal: Terminal;
  /** Null: no payment is read a second time. */
  readonly reader: SecondReader | null;
  /** What looks at the machine, for a drill to tell it something. */
  readonly watches: Pick<Watches, 'displays' | 'link' | 'clock'>;
  readonly devices: Pick<Devices, 'identity'>;
  /** Null: the ledger has no second file. */
  readonly copy: Pick<LedgerCopy, 'checkAll' | 'page'> | null;
  readonly port: number;
  ticketUrl(role: DisplayRole, lifeMs: number): { ticket: string; url: string };
  demo(o: { dealer: boolean; players: boolean }): void;
  /** What the big table shows now. */
  view(): TableView;
  /** A command as a big table that has everything sends it, for a script in this process. */
  command(id: string, command: Command): Promise<Outcome>;
  /**
   * Another process of the terminal, as the supervisor calls it, had ended and was started again.
   */
  processRestarted(process: string, why: string): void;
  stop(why?: string): Promise<void>;
}

/** Joins engine, ledger, devices, centre and served. Resolves when displays can connect. */
export async function startHost(o: HostOptions): Promise<Host> {
  const changed = oncePerTurn(() => served.show());
  const latencies = new Latencies();
  const life = beginLife(o, latencies);
  const parts = makeParts(o, life, latencies, changed);
  const served = serveDisplays(o, life, parts);
  hearCommits(o, life, parts, changed);
  await served.server.listen();
  startParts(o, life, parts, changed);
  return {
    terminal: life.terminal,
    reader: life.reader,
    watches: life.watches,
    devices: parts.devices,
    copy: parts.copy,
    port: served.server.port,
    ticketUrl: (role, lifeMs) => served.server.ticketUrl(role, lifeMs),
    demo: (on) => {
      parts.demo?.set(on);
      changed();
    },
    view: served.view,
    command: (id, command) =>
      execute({ ...served.context, handedOver: () => NOTHING_HANDED_OVER }, 'table', id, command),
    processRestarted: (process, why) => life.watches.processRestarted(process, why),
    stop: (why = 'asked to') => stopParts(o, life, parts, served.server, why),
  };
}

/** Several commits of one turn of the event loop make one picture. */
function oncePerTurn(show: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      show();
    });
  };
}

function hearCommits(o: HostOptions, { terminal }: Life, parts: Parts, changed: () => void): void {
  const { centre, evidence, latencies, meters, recentNotes, slips, traces } = parts;
  const isShared = o.file.profile.acceptors === 'shared';
  terminal.onCommit(({ entries }) => {
    latencies.stored(entries, terminal.now());
    const events = entries.map(eventOf).filter((event): event is TableEvent => event !== null);
    // What the unit itself gives back is no event of the table.
    const givenBack = entries.flatMap(({ kind, body }) =>
      kind === 'note-rejected-by-device' ? [(body as { acceptor: number }).acceptor] : [],
    );
    recentNotes.take(events, isShared ? terminal.state.noteSeat : null, { changed, givenBack });
    if (events.some((event) => event.type === 'round-settled' || event.type === 'round-voided'))
      o.report({ round: roundReport(terminal.state, o.ledger, centre.status.ackedSeq) });
    meters.take(entries);
    traces.take(entries);
    evidence.take(entries);
    slips.take(entries);
    centre.wake();
    changed();
  });
}

function startParts(o: HostOptions, life: Life, parts: Parts, changed: () => void): void {
  const { terminal, watches } = life;
  // Every commit is checked by what it changes; here once all there is, which may take a while.
  parts.meters.audit().then((problems) => terminal.reportAudit(problems), crash);
  parts.centre.start();
  parts.devices.start(changed);
  parts.copy?.start(changed);
  parts.storage?.start();
  parts.change.start();
  watches.start({ isLinked: o.upstreamUrl !== null, isOnUsb: o.rack === null });
  terminal.watchDeadline();
  parts.seats.start();
  parts.touch.start();
  parts.exclusions.start();
  parts.service.start();
  life.staff.start();
  parts.cards?.start();
  void parts.metrics?.start();
}

async function stopParts(
  o: HostOptions,
  { terminal, staff, watches, witness, reader }: Life,
  parts: Parts,
  server: { close(): Promise<void> },
  why: string,
): Promise<void> {
  parts.demo?.stop();
  parts.seats.stop();
  parts.service.stop();
  staff.stop();
  parts.cards?.stop();
  parts.change.stop();
  parts.drills.stop();
  parts.exports.stop();
  parts.figures.stop();
  parts.speech.stop();
  parts.slips.close();
  parts.meters.close();
  parts.metrics?.stop();
  parts.traces.close();
  terminal.close();
  reader?.stop();
  watches.stop();
  await parts.storage?.stop();
  await parts.devices.stop();
  await server.close();
  // The last word of this life, which the centre gets now or in the next one.
  terminal.record({ type: 'program-stopped', why });
  terminal.sign('stop');
  witness.stop();
  await parts.centre.stop();
  await parts.copy?.stop();
  o.ledger.close();
}
