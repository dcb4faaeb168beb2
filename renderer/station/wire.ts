import { type ReadonlySignal, signal } from '@preact/signals';
import type { RejectCode } from '../../engine/core/result.ts';
import type { Command } from '../../wire/commands.ts';
import type { DisplayRole } from '../../wire/display.ts';
import type { ToDisplay, ToHost } from '../../wire/messages.ts';
import type { AnswerOf, Query } from '../../wire/queries.ts';
import { PROTOCOL_VERSION } from '../../wire/version.ts';
import type { TableView } from '../../wire/view.ts';
import { speakAt } from '../texts/i18n.ts';

/**
 * `connecting` covers every moment in which the screen must not be believed; `refused` ends only
 * with a reload.
 */
export type WireState = 'connecting' | 'up' | 'refused';

export type Answer =
  | { readonly status: 'done' | 'exists' }
  | {
      readonly status: 'rejected';
      readonly code: RejectCode;
      readonly cites: readonly string[];
      readonly lateMs?: number;
    };

/** Why a query has no answer: a reject code of the host, or 'connection'. */
export type QueryFailure = RejectCode | 'connection';
export type QueryAnswer<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly code: QueryFailure };

/** What the wire needs of a WebSocket; tests pass their own. */
export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
}

export interface WireOptions {
  open(): Socket;
  now(): number;
  after(ms: number, run: () => void): () => void;
  newId(): string;
}

export interface Wire {
  readonly state: ReadonlySignal<WireState>;
  readonly role: ReadonlySignal<DisplayRole | null>;
  readonly view: ReadonlySignal<TableView | null>;
  /** Grows with every welcome: what stands after it is not the next step of what stood before. */
  readonly connection: number;
  /** Time on the host's clock, ms. */
  hostNow(): number;
  /** Resolves when the host has answered, through any number of reconnections. */
  send(command: Command): Promise<Answer>;
  query<Q extends Query>(query: Q): Promise<QueryAnswer<AnswerOf<Q>>>;
  /** Tells the supervisor once that a frame with a view has been painted. */
  reportPainted(renderer: string, groundMs: number | null): void;
  /** The host asks how this display does; whoever knows sends `measured`. */
  onMeasure(answer: () => void): void;
  post(message: Extract<ToHost, { t: 'measured' | 'touched' }>): void;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;
/**
 * The host pings every 2 s; a socket that says nothing for this long is dead although it looks
 * open.
 */
const SILENCE_MS = 8_000;
/** After a page has stood still, what came meanwhile is read within this time. */
const UNREAD_MS = 500;
/** In one frame; the host takes four times as much. */
const FRAME_CHARACTERS = 4_096;
/** For so long the difference of two clocks is taken to stand: it drifts some ms meanwhile. */
const CLOCK_SPAN_MS = 30_000;
/**
 * The longest a view waits for those of commands that were sent with it: two frames. One that is
 * shown too early costs the others three, for the browser paints it first.
 */
const GATHER_MS = 32;

/**
 * The one connection of a display to the host. Reconnects for ever; commands keep their id over
 * reconnections and are sent again until answered, so a touch is never lost and never done twice
 * (the host answers `exists`).
 */
export function createWire(options: WireOptions): Wire {
  const state = signal<WireState>('connecting');
  const role = signal<DisplayRole | null>(null);
  const view = signal<TableView | null>(null);
  const commands = new Map<string, { command: Command; settle: (answer: Answer) => void }>();
  const queries = new Map<string, (answer: QueryAnswer<AnswerOf<Query>>) => void>();
  /** Commands of this task of the page. */
  let unsent: string[] = [];
  let socket: Socket | null = null;
  let retryMs = FIRST_RETRY_MS;
  /** Largest difference of the host's clock to ours of this span and of the one before it. */
  let clock = { sinceMs: 0, offsetMs: 0, beforeMs: Number.NEGATIVE_INFINITY };
  let painted = false;
  let connection = 0;
  let stopSilence = (): void => {};
  /**
   * The newest view that waits for the answers to what has been sent, and the entry it must have
   * come to.
   */
  let gathered: TableView | null = null;
  let stopGathering = (): void => {};
  let answeredSeq = 0;
  let measure = (): void => {};

  const post = (message: ToHost): void => socket?.send(JSON.stringify(message));

  /**
   * Fingers that are lifted in one task of the page send one frame, so that the host reads them in
   * one turn and makes one commit and one view of them: seven had taken two to four of each.
   */
  function sendLater(id: string): void {
    unsent.push(id);
    if (unsent.length === 1) options.after(0, sendUnsent);
  }

  function sendUnsent(): void {
    const ids = unsent;
    unsent = [];
    if (state.peek() !== 'up') return;
    let frame = '';
    for (const id of ids) {
      const waiting = commands.get(id);
      if (!waiting) continue;
      const message: ToHost = { t: 'command', id, command: waiting.command };
      const line = JSON.stringify(message);
      if (frame.length > 0 && frame.length + line.length > FRAME_CHARACTERS) {
        socket?.send(frame);
        frame = '';
      }
      frame += frame === '' ? line : `\n${line}`;
    }
    if (frame !== '') socket?.send(frame);
  }

  function listenForSilence(): void {
    stopSilence();
    const mine = socket;
    // The closing handshake of a hung host would keep the old picture up, so the socket is given up
    // at once.
    stopSilence = options.after(SILENCE_MS - UNREAD_MS, () => {
      stopSilence = options.after(UNREAD_MS, () => lose(mine));
    });
  }

  function lose(mine: Socket | null): void {
    if (mine === null || socket !== mine) return;
    socket = null;
    stopSilence();
    mine.close();
    if (state.peek() === 'up') state.value = 'connecting';
    for (const settle of queries.values()) settle({ ok: false, code: 'connection' });
    queries.clear();
    options.after(retryMs, connect);
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  }

  /**
   * Seven players touch in the same moment and the host shows the first bet as soon as it is on its
   * disk. A picture of it alone would keep the other six waiting while it is painted, so it is
   * passed over when the others are a few ms behind.
   */
  function gather(next: TableView): void {
    if (gathered !== null && gathered.bootId === next.bootId && next.seq < gathered.seq) return;
    if (gathered === null) stopGathering = options.after(GATHER_MS, showGathered);
    gathered = next;
    showWhenWhole();
  }

  /** Nothing that was sent is still to come into the picture. */
  function showWhenWhole(): void {
    if (gathered !== null && commands.size === 0 && gathered.seq >= answeredSeq) showGathered();
  }

  function showGathered(): void {
    stopGathering();
    const next = gathered;
    gathered = null;
    if (next !== null) take(next, false);
  }

  function take(next: TableView, fresh: boolean): void {
    const current = view.peek();
    if (!fresh && current?.bootId === next.bootId && next.seq < current.seq) return;
    const offset = next.nowMs - options.now();
    // A message can only arrive late, so the largest difference seen is the nearest to the truth;
    // but no clock runs as fast as another for ever.
    const nowMs = options.now();
    if (fresh) clock = { sinceMs: nowMs, offsetMs: offset, beforeMs: Number.NEGATIVE_INFINITY };
    else if (nowMs - clock.sinceMs >= CLOCK_SPAN_MS)
      clock = { sinceMs: nowMs, offsetMs: offset, beforeMs: clock.offsetMs };
    else clock = { ...clock, offsetMs: Math.max(clock.offsetMs, offset) };
    speakAt(next.table.rulebook, next.table.options);
    view.value = next;
  }

  function receive(message: ToDisplay): void {
    switch (message.t) {
      case 'welcome':
        retryMs = FIRST_RETRY_MS;
        connection += 1;
        role.value = message.role;
        stopGathering();
        gathered = null;
        answeredSeq = 0;
        take(message.view, true);
        state.value = 'up';
        unsent = [...commands.keys()];
        sendUnsent();
        break;
      case 'view':
        gather(message.view);
        break;
      case 'answer': {
        const waiting = commands.get(message.id);
        commands.delete(message.id);
        if (message.status !== 'rejected') answeredSeq = Math.max(answeredSeq, message.seq);
        waiting?.settle(
          message.status === 'rejected'
            ? {
                status: 'rejected',
                code: message.code,
                cites: message.cites,
                ...(message.lateMs === undefined ? {} : { lateMs: message.lateMs }),
              }
            : { status: message.status },
        );
        showWhenWhole();
        break;
      }
      case 'result': {
        const settle = queries.get(message.id);
        queries.delete(message.id);
        settle?.(message.ok ? { ok: true, data: message.data } : { ok: false, code: message.code });
        break;
      }
      case 'ping':
        post({ t: 'pong', n: message.n });
        break;
      case 'measure':
        measure();
        break;
      case 'refused':
        state.value = 'refused';
        break;
    }
  }

  function connect(): void {
    const mine = options.open();
    socket = mine;
    listenForSilence();
    mine.onopen = () => post({ t: 'hello', version: PROTOCOL_VERSION, lastSeq: view.peek()?.seq ?? null });
    mine.onmessage = (event) => {
      if (socket !== mine) return;
      listenForSilence();
      receive(JSON.parse(String(event.data)) as ToDisplay);
    };
    mine.onclose = () => lose(mine);
  }

  connect();

  return {
    state,
    role,
    view,
    get connection() {
      return connection;
    },
    hostNow: () => Math.round(options.now() + Math.max(clock.offsetMs, clock.beforeMs)),
    send: (command) =>
      new Promise((settle) => {
        const id = options.newId();
        commands.set(id, { command, settle });
        sendLater(id);
      }),
    query<Q extends Query>(query: Q) {
      return new Promise<QueryAnswer<AnswerOf<Q>>>((settle) => {
        if (state.peek() !== 'up') {
          settle({ ok: false, code: 'connection' });
          return;
        }
        const id = options.newId();
        // The id ties the answer to its question.
        queries.set(id, settle as (answer: QueryAnswer<AnswerOf<Query>>) => void);
        sendUnsent();
        post({ t: 'query', id, query });
      });
    },
    onMeasure(answer) {
      measure = answer;
    },
    post(message) {
      // A finger may lie on the glass while there is no host: a socket that is not open throws.
      if (state.peek() === 'up') post(message);
    },
    reportPainted(renderer, groundMs) {
      if (painted || state.peek() !== 'up') return;
      painted = true;
      post({
        t: 'painted',
        sinceStartMs: Math.round(performance.now()),
        groundMs,
        renderer,
        width: Math.round(innerWidth * devicePixelRatio),
        height: Math.round(innerHeight * devicePixelRatio),
      });
    },
  };
}

/** The wire of this page: a WebSocket to the host that served it. */
export function openWire(): Wire {
  return createWire({
    open: () => new WebSocket(`ws://${location.host}/ws`) as unknown as Socket,
    now: () => Date.now(),
    after: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    newId: () => crypto.randomUUID(),
  });
}
