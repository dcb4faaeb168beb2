/**
 * A scripted table: plays a file of steps through the commands of the big table and the simulated
 * devices. The file is described in docs/operations/simulation-script.md.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Card, parseCard } from '../../engine/core/cards.ts';
import { shuffledShoe } from '../../engine/core/shoe.ts';
import { type RackCommand, rackCommand } from '../../hardware/rack/rack-commands.ts';
import { readBounded } from '../../ledger/chain/bounded-file.store.ts';
import { FILE_BOUNDS, parseBounded } from '../../ledger/chain/bounded-json.ts';
import type { Command } from '../../wire/commands.ts';
import { credential } from '../../wire/fields.ts';
import type { TableView } from '../../wire/view.ts';
import { parseMessage } from '../server/messages.ts';
import type { Outcome, Terminal } from '../table/terminal.ts';
import type { Rack } from './rack.ts';

const seat = z.int().min(1).max(12);
const amount = z.int().min(1);
const card = z.string().transform((text, context): Card => {
  const parsed = parseCard(text);
  if (parsed !== null) return parsed;
  context.addIssue({ code: 'custom', message: `${text} is no card; a card is rank and suit as in TD` });
  return z.NEVER;
});

/** `refused`: the step must be refused with this code, else the script stops. */
const is = <T extends string>(name: T) => ({ do: z.literal(name), refused: z.string().optional() });

export const stepSchema = z.discriminatedUnion('do', [
  z.strictObject({ ...is('sign-in'), credential }),
  z.strictObject({ ...is('language'), seat, language: z.enum(['zh-Hant', 'pt', 'en']) }),
  z.strictObject({ ...is('note'), seat, valueMinor: amount }),
  z.strictObject({ ...is('load-shoe'), cards: z.array(card).default([]), seed: z.int().default(1) }),
  z.strictObject({ ...is('cut'), seat: seat.nullable().default(null) }),
  z.strictObject({ ...is('place-end-card'), cardsBehind: z.int().min(0).optional() }),
  z.strictObject({ ...is('draw'), count: z.int().min(1).max(832).optional() }),
  z.strictObject({ ...is('open-betting') }),
  z.strictObject({ ...is('bet'), seat, amountMinor: amount, bet: z.string().default('main') }),
  z.strictObject({ ...is('close-betting') }),
  z.strictObject({
    ...is('decide'),
    seat,
    act: z.string(),
    hand: z.int().min(0).optional(),
    amountMinor: amount.optional(),
  }),
  z.strictObject({ ...is('close-round') }),
  z.strictObject({ ...is('cash-out'), seat }),
  z.strictObject({ ...is('hand-pay'), seat, credential, secondCredential: credential.optional() }),
  z.strictObject({ ...is('fault'), device: z.string(), fault: z.string() }),
  z.strictObject({ ...is('device'), command: rackCommand }),
  z.strictObject({ ...is('command'), command: z.looseObject({ type: z.string() }) }),
  z
    .strictObject({
      ...is('wait'),
      ms: z.int().min(0).max(600_000).optional(),
      step: z.string().optional(),
      phase: z.string().optional(),
      device: z.string().optional(),
      state: z.string().optional(),
    })
    .refine(
      (wait) =>
        [wait.ms, wait.step, wait.phase, wait.device].filter((given) => given !== undefined).length === 1 &&
        (wait.device === undefined) === (wait.state === undefined),
      'wait for one of ms, step, phase, or device with state',
    ),
]);

type Step = z.infer<typeof stepSchema>;
type StepOf<T extends Step['do']> = Extract<Step, { do: T }>;

export interface ScriptLine {
  /** Line of the file, from 1. */
  readonly line: number;
  readonly step: Step;
}

/**
 * Reads and checks a script as a whole. Throws an Error that names file, line and place of the
 * first mistake.
 */
export function readScript(path: string): ScriptLine[] {
  const lines: ScriptLine[] = [];
  for (const [index, text] of readBounded(path, FILE_BOUNDS.characters).split('\n').entries()) {
    if (text.trim() === '' || text.startsWith('#')) continue;
    const line = index + 1;
    let json: unknown;
    try {
      json = parseBounded(text, FILE_BOUNDS);
    } catch (error) {
      throw new Error(`${path}:${line}: ${(error as Error).message}`);
    }
    const parsed = stepSchema.safeParse(json);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      throw new Error(`${path}:${line}: ${issue?.path.join('.') || 'step'}: ${issue?.message ?? 'invalid'}`);
    }
    lines.push({ line, step: parsed.data });
  }
  if (lines.length === 0) throw new Error(`${path}: the script has no step`);
  return lines;
}

/** A host, and the big table as it shows it and sends commands. */
interface ScriptedHost {
  readonly terminal: Terminal;
  view(): TableView;
  command(id: string, command: Command): Promise<Outcome>;
}

export interface ScriptedTable {
  readonly host: ScriptedHost;
  readonly rack: Rack;
  /** One line per step, and one at the end. */
  readonly say: (line: object) => void;
}

/**
 * Why a step was not done: a code of the table, or `device`, `timeout`, `returned`, `held`,
 * `rejected` of the script.
 */
interface Refusal {
  readonly code: string;
  readonly detail: string | null;
  readonly cites: readonly string[];
}

/**
 * Plays the steps one after the other; false as soon as one ends in another way than the script
 * says.
 */
export async function playScript(lines: readonly ScriptLine[], table: ScriptedTable): Promise<boolean> {
  const { ledger } = table.host.terminal;
  const player = new Player(table);
  let { seq } = ledger.head();
  for (const { line, step } of lines) {
    const refused = await player.play(step);
    const head = ledger.head().seq;
    const entries = head === seq ? [] : ledger.read(seq + 1, head - seq);
    seq = head;
    const ok = (refused?.code ?? null) === (step.refused ?? null);
    table.say({
      line,
      do: step.do,
      ok,
      ...(refused === null ? {} : { refused }),
      entries: entries.map((entry) => ({ seq: entry.seq, kind: entry.kind, body: entry.body })),
    });
    if (!ok) {
      table.say({ script: 'stopped', line, why: refused?.code ?? `not refused with ${step.refused}` });
      return false;
    }
  }
  table.say({ script: 'done', steps: lines.length });
  return true;
}

const LIMIT_MS = 30_000;
const LOOK_MS = 20;

const refusal = (code: string, detail: string | null = null): Refusal => ({ code, detail, cites: [] });

/** Commands of a seat in a round; the script need not know the round's id. */
const TOUCHES: ReadonlySet<string> = new Set([
  'place-bet',
  'undo-bet',
  'clear-bets',
  'repeat-bets',
  'double-bets',
  'decide',
]);
const CASH_OUT_ANSWERS: ReadonlySet<string> = new Set(['cancel-cash-out', 'confirm-hand-pay']);
const DRAWS: ReadonlySet<string> = new Set([
  'burn',
  'draw-for-seat',
  'draw-for-bank',
  'draw-for-player-side',
]);

class Player {
  readonly #host: ScriptedHost;
  readonly #rack: Rack;

  constructor({ host, rack }: ScriptedTable) {
    this.#host = host;
    this.#rack = rack;
  }

  play(step: Step): Promise<Refusal | null> {
    switch (step.do) {
      case 'sign-in':
        return this.#command({ type: 'sign-in-dealer', credential: step.credential });
      case 'language':
        return this.#command({ type: 'set-language', seat: step.seat, language: step.language });
      case 'note':
        return this.#note(step);
      case 'load-shoe':
        return this.#loadShoe(step);
      case 'cut':
        return this.#command({ type: 'cut-shoe', seat: step.seat });
      case 'place-end-card': {
        const due = this.#view.dealer.step;
        const least = due.step === 'place-end-card' ? due.minBehind : 0;
        return this.#command({ type: 'place-end-card', cardsBehind: step.cardsBehind ?? least });
      }
      case 'draw':
        return this.#draw(step.count ?? null);
      case 'open-betting':
      case 'close-betting':
        return this.#command({ type: step.do });
      case 'bet': {
        const { seat, bet, amountMinor } = step;
        return this.#command({ type: 'place-bet', seat, bet, amountMinor });
      }
      case 'decide':
        return this.#decide(step);
      case 'close-round':
        return this.#closeRound();
      case 'cash-out':
        return this.#command({ type: 'request-cash-out', seat: step.seat });
      case 'hand-pay': {
        const { seat, credential, secondCredential } = step;
        return this.#command({
          type: 'confirm-hand-pay',
          seat,
          credential,
          ...(secondCredential === undefined ? {} : { secondCredential }),
        });
      }
      case 'fault':
        // The rack knows the names of devices and faults, and says which one it does not know.
        return this.#hands({ do: 'fault', device: step.device, fault: step.fault } as RackCommand);
      case 'device':
        return this.#hands(step.command);
      case 'command':
        return this.#command(step.command);
      case 'wait':
        return this.#wait(step);
    }
  }

  get #view(): TableView {
    return this.#host.view();
  }

  /**
   * Through the same check as a message of a display; round, time and request are filled in where
   * they are missing.
   */
  async #command(given: Readonly<Record<string, unknown>> & { type: string }): Promise<Refusal | null> {
    const view = this.#view;
    const seatView = view.seats.find(({ seat }) => seat === given['seat']);
    const command = {
      ...(TOUCHES.has(given.type)
        ? { roundId: view.round?.id ?? 'none', touchedAtMs: this.#host.terminal.now() }
        : {}),
      ...(CASH_OUT_ANSWERS.has(given.type)
        ? { requestId: seatView?.cashOut?.requestId ?? 'no-request' }
        : {}),
      ...given,
    };
    const id = randomUUID();
    const parsed = parseMessage(JSON.stringify({ t: 'command', id, command }));
    if (!parsed.ok) return refusal(parsed.code, parsed.place);
    if (parsed.message.t !== 'command') return refusal('malformed', 'not a command');
    const outcome = await this.#host.command(id, parsed.message.command);
    if (outcome.status !== 'rejected') return null;
    const { code, detail, cites } = outcome;
    return { code, detail, cites };
  }

  async #hands(command: RackCommand): Promise<Refusal | null> {
    try {
      await this.#rack.do(command);
      return null;
    } catch (error) {
      return refusal('device', (error as Error).message);
    }
  }

  async #until(what: string, holds: () => boolean | Promise<boolean>): Promise<Refusal | null> {
    for (const end = performance.now() + LIMIT_MS; !(await holds()); ) {
      if (performance.now() > end) return refusal('timeout', `waited ${LIMIT_MS} ms for ${what}`);
      await sleep(LOOK_MS);
    }
    return null;
  }

  #wait({ ms, step, phase, device, state }: StepOf<'wait'>): Promise<Refusal | null> {
    if (ms !== undefined) return sleep(ms, null);
    if (step !== undefined) return this.#until(`step ${step}`, () => this.#dueNow === step);
    if (phase !== undefined) return this.#until(`phase ${phase}`, () => this.#view.phase === phase);
    return this.#until(`${device} ${state}`, () =>
      this.#view.devices.some((seen) => seen.id === device && seen.state === state),
    );
  }

  /**
   * Until the note lies in the box and on the credit of the seat, or wherever else it has come to
   * rest.
   */
  async #note({ seat, valueMinor }: StepOf<'note'>): Promise<Refusal | null> {
    const { terminal } = this.#host;
    const { currency, acceptors } = this.#view.table;
    const shared = acceptors === 'shared';
    const acceptor = shared ? 1 : seat;
    const chosen = shared ? await this.#command({ type: 'choose-note-seat', seat }) : null;
    if (chosen !== null) return chosen;
    const ready = await this.#until(`acceptor ${acceptor} to take notes`, () =>
      this.#view.devices.some(({ id, state }) => id === `acceptor-${acceptor}` && state === 'idle'),
    );
    if (ready !== null) return ready;
    const before = terminal.ledger.head().seq;
    const inserted = await this.#hands({ do: 'insert-note', acceptor, valueMinor, currency });
    if (inserted !== null) return inserted;
    let end: string | undefined;
    const rested = await this.#until(`the note in acceptor ${acceptor}`, async () => {
      const { path, owesCredit } = (await this.#rack.sight()).acceptors[acceptor - 1] ?? {};
      const head = terminal.ledger.head().seq;
      const entries = head > before ? terminal.ledger.read(before + 1, head - before) : [];
      end = entries.find(
        ({ kind, body }) =>
          Object.hasOwn(NOTE_ENDS, kind) && (body as { acceptor?: number }).acceptor === acceptor,
      )?.kind;
      return end !== undefined && path === null && owesCredit === false;
    });
    const code = NOTE_ENDS[end ?? ''] ?? null;
    return rested ?? (code === null ? null : refusal(code));
  }

  /** Full packs in a known order: the given cards first, the rest shuffled by the seed. */
  async #loadShoe({ cards, seed }: StepOf<'load-shoe'>): Promise<Refusal | null> {
    const decks = this.#host.terminal.state.rules?.decks ?? 1;
    const rest = shuffledShoe(decks, seed);
    for (const card of cards) {
      const at = rest.indexOf(card);
      if (at < 0) return refusal('malformed', `cards: one of them comes more often than in ${decks} decks`);
      rest.splice(at, 1);
    }
    return this.#handsOnShoe({ do: 'load-shoe', cards: [...cards, ...rest] });
  }

  /**
   * Draws `count` cards, or every card that is due until somebody else must act. A card that holds
   * the table is refused.
   */
  async #draw(count: number | null): Promise<Refusal | null> {
    const isDue = (): boolean => DRAWS.has(this.#dueNow);
    if (count === null && !isDue()) return refusal('not-due', `the table waits for ${this.#dueNow}`);
    for (let drawn = 0; count === null ? isDue() : drawn < count; drawn += 1) {
      const refused = await this.#handsOnShoe({ do: 'draw-card' });
      if (refused !== null) return refused;
    }
    return null;
  }

  get #dueNow(): string {
    return this.#view.dealer.step.step;
  }

  /**
   * The shoe keeps an event until the host has it on disk, so its own memory says when nothing is
   * on its way.
   */
  #shoeIsRead(): Promise<Refusal | null> {
    return this.#until('the shoe to be read', async () => {
      const { ackedSeq, lastSeq } = (await this.#rack.sight()).shoe;
      return ackedSeq === lastSeq;
    });
  }

  async #handsOnShoe(command: RackCommand): Promise<Refusal | null> {
    const { ledger, state } = this.#host.terminal;
    const held = state.hold?.code;
    const before = ledger.head().seq;
    const refused = (await this.#hands(command)) ?? (await this.#shoeIsRead());
    if (refused !== null) return refused;
    const entries = ledger.head().seq > before ? ledger.read(before + 1, ledger.head().seq - before) : [];
    const notTaken = entries.find(({ kind }) => kind === 'shoe-event-refused')?.body as
      | { code: string; event: string }
      | undefined;
    if (notTaken) return refusal(notTaken.code, `the shoe's event ${notTaken.event}`);
    const { hold } = this.#host.terminal.state;
    return hold && hold.code !== held ? refusal(hold.code, hold.detail) : null;
  }

  #decide(step: StepOf<'decide'>): Promise<Refusal | null> {
    const { seat, act } = step;
    const view = this.#view.seats.find((candidate) => candidate.seat === seat);
    const hand = step.hand ?? view?.turnHand ?? 0;
    const least = act === 'insure' ? view?.choices.find((choice) => choice.act === act)?.minMinor : null;
    const amountMinor = step.amountMinor ?? least;
    return this.#command({
      type: 'decide',
      seat,
      act,
      hand,
      ...(amountMinor === null || amountMinor === undefined ? {} : { amountMinor }),
    });
  }

  /** The players' time to read the result passes first. */
  async #closeRound(): Promise<Refusal | null> {
    const read = await this.#until('the result to be read', () => this.#dueNow !== 'read-results');
    return read ?? this.#command({ type: 'close-round' });
  }
}

/** Where a note can end, and the code of every end but the good one. */
const NOTE_ENDS: Readonly<Record<string, string | null>> = {
  'note-credited': null,
  'note-returned': 'returned',
  'note-held': 'held',
  'note-rejected-by-device': 'rejected',
};
