/**
 * A host that may not go on: its disk refuses every write, or its ledger is not the one that was
 * played on last. Nothing is decided, taken, dealt or paid, and nothing is written. Displays show
 * the table as it stood, held, with the true fault; every command is refused. Its devices are left
 * alone, and inhibit themselves for want of a word.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { advance, initialState } from '../../engine/engine.ts';
import type { TableProfile } from '../../engine/table/profile.ts';
import type { TableState } from '../../engine/table/state.ts';
import { openLedgerReader } from '../../ledger/store/ledger.store.ts';
import type { FaultId } from '../../wire/faults.ts';
import type { ToDisplay } from '../../wire/messages.ts';
import { PROTOCOL_VERSION } from '../../wire/version.ts';
import type { TableView } from '../../wire/view.ts';
import { headOf } from '../program/found-ledger.ts';
import { shownTo } from '../table/shown-to.ts';
import { restoreState } from '../table/terminal.ts';
import { tableView } from '../table/view.ts';
import { stopsOf } from '../watches/faults.ts';
import { type DisplayConnection, DisplayServer, type DisplayServerOptions } from './displays.ts';
import { parseMessage } from './messages.ts';

export interface StoppedOptions
  extends Pick<
    DisplayServerOptions,
    'rendererRoot' | 'sessions' | 'port' | 'listenFd' | 'allowedUids' | 'network' | 'log'
  > {
  readonly ledgerPath: string;
  /** Wall clock, ms since 1970 UTC. */
  readonly now: () => number;
  readonly simulation: boolean;
  readonly fault: Extract<
    FaultId,
    'storage-refuses' | 'ledger-old' | 'ledger-gone' | 'link-fork' | 'witness-gone'
  >;
  readonly why: string;
  /** The table of the terminal file: what is shown where there is no ledger. */
  readonly profile: TableProfile;
}

/** A picture without a table behind it. */
export interface StoppedHost extends Pick<DisplayServer, 'port' | 'ticketUrl'> {
  readonly terminal: null;
  readonly view: TableView;
  stop(): Promise<void>;
}

/** Throws where there is a ledger that cannot be read. */
export async function startStopped(o: StoppedOptions): Promise<StoppedHost> {
  const view = viewOf(o);
  const refuse = (id: string): ToDisplay => ({
    t: 'answer',
    id,
    status: 'rejected',
    code: 'held',
    cites: [],
    detail: `${o.fault}: ${o.why}`,
  });
  const server = new DisplayServer({
    ...o,
    onOpen: () => {},
    onClose: () => {},
    onText: (display: DisplayConnection, text: string) => {
      const parsed = parseMessage(text);
      if (!parsed.ok) return;
      const { message } = parsed;
      if (message.t === 'hello')
        display.send({ t: 'welcome', version: PROTOCOL_VERSION, role: display.role, view });
      else if (message.t === 'pong') server.pong(display);
      else if (message.t === 'query')
        display.send({ t: 'result', id: message.id, ok: false, code: 'service' });
      else if (message.t === 'command') display.send(refuse(message.id));
    },
  });
  await server.listen();
  return {
    terminal: null,
    view,
    port: server.port,
    ticketUrl: (role, lifeMs) => server.ticketUrl(role, lifeMs),
    stop: () => server.close(),
  };
}

function viewOf({ ledgerPath, simulation, fault, why, profile, now }: StoppedOptions): TableView {
  const sinceMs = now();
  const { seq, state } = existsSync(ledgerPath)
    ? stateIn(ledgerPath)
    : { seq: 0, state: configured(initialState(), profile, sinceMs) };
  const held = {
    ...(state.profile === null ? configured(state, profile, sinceMs) : state),
    hold: { code: 'machine-fault', sinceMs, card: null, drawNo: null, detail: fault } as const,
    faults: [...state.faults, { device: 'ledger', fault, place: why, sinceMs, ...stopsOf(fault, []) }],
    deadline: null,
  };
  const view = tableView(held, {
    bootId: randomUUID(),
    seq,
    nowMs: sinceMs,
    demo: null,
    simulation,
    locked: null,
    link: { state: 'off', headSeq: seq, ackedSeq: seq, ackedUpToMs: null, downSinceMs: null },
    devices: [],
    recentNotes: new Map(),
  });
  // Whoever else might be wanted at the table, it is the supervisor who is called now. Sealed cards
  // are not known here.
  return {
    ...shownTo(view, 'none'),
    dealer: { ...view.dealer, step: { step: 'call-supervisor', cites: [] } },
  };
}

function stateIn(ledgerPath: string): { readonly seq: number; readonly state: TableState } {
  const reader = openLedgerReader(ledgerPath);
  try {
    const { seq } = headOf(reader);
    return { seq, state: restoreState(reader, seq) };
  } finally {
    reader.close();
  }
}

/** The table as a first start would have it. */
function configured(state: TableState, profile: TableProfile, atMs: number): TableState {
  advance(state, { type: 'configure', profile, person: null, atMs });
  return state;
}
