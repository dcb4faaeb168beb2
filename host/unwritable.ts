/**
 * A host whose disk refuses every write: nothing is decided, taken or dealt. Displays show the table as it stood, held, with
 * the true fault; every command is refused. Its devices are left alone, and inhibit themselves for want of a word.
 */
import { randomUUID } from 'node:crypto';
import { openLedgerReader } from '../ledger/store/ledger.store.ts';
import type { TableView, ToDisplay } from './api.ts';
import { PROTOCOL_VERSION } from './api.ts';
import type { DisplayConnection } from './displays.ts';
import { DisplayServer } from './displays.ts';
import { stopsOf } from './faults.ts';
import type { Host, HostOptions } from './host.ts';
import { parseMessage } from './messages.ts';
import { restoreState } from './terminal.ts';
import { tableView } from './view.ts';

export interface UnwritableOptions
  extends Pick<
    HostOptions,
    'ledgerPath' | 'rendererRoot' | 'sessions' | 'port' | 'listenFd' | 'allowedUids' | 'log' | 'now'
  > {
  readonly simulation: boolean;
  /** What the disk said. */
  readonly why: string;
}

/** A picture without a table behind it. */
export interface StoppedHost extends Pick<Host, 'port' | 'ticketUrl' | 'stop'> {
  readonly terminal: null;
}

/** Throws where there is no ledger yet, or none that can be read. */
export async function startUnwritable(o: UnwritableOptions): Promise<StoppedHost> {
  const view = viewOf(o);
  const refuse = (id: string): ToDisplay => ({
    t: 'answer',
    id,
    status: 'rejected',
    code: 'held',
    cites: [],
    detail: `the disk refuses every write: ${o.why}`,
  });
  const server = new DisplayServer({
    root: o.rendererRoot,
    sessions: o.sessions,
    port: o.port,
    listenFd: o.listenFd,
    allowedUids: o.allowedUids,
    log: o.log,
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
    port: server.port,
    ticketUrl: (role, lifeMs) => server.ticketUrl(role, lifeMs),
    stop: () => server.close(),
  };
}

function viewOf({ ledgerPath, simulation, why, now }: UnwritableOptions): TableView {
  const reader = openLedgerReader(ledgerPath);
  try {
    const seq = reader.newest({ beforeSeq: null, limit: 1, kind: null })[0]?.seq ?? 0;
    const state = restoreState(reader, seq);
    const sinceMs = now();
    const fault = { device: 'storage', fault: 'storage-refuses', place: why, sinceMs };
    const held = {
      ...state,
      hold: { code: 'machine-fault', sinceMs, card: null, drawNo: null, detail: fault.fault } as const,
      faults: [...state.faults, { ...fault, ...stopsOf('storage-refuses', []) }],
      deadline: null,
    };
    return tableView(held, {
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
  } finally {
    reader.close();
  }
}
