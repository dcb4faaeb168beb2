/**
 * Where the seconds of a round go, by its entries: from one to the next the table has waited for
 * somebody, and who that was follows from the entries before. So the parts sum to the round
 * exactly. Pure; it knows no seat and no player.
 */
import { z } from 'zod';

export const PARTS = ['players', 'dealer', 'shoe', 'screen', 'settlement', 'stopped'] as const;
/**
 * `players`: bets, offers and decisions. `dealer`: words, and cards that are due. `shoe`: a fault
 * of the shoe, or a card in doubt. `screen`: the result lies to be read. `settlement`: cards and
 * money are put away, or a payment waits for the second reader. `stopped`: nobody may play.
 */
export type Part = (typeof PARTS)[number];
export type Seconds = Readonly<Record<Part, number>>;

export const NO_SECONDS: Seconds = {
  players: 0,
  dealer: 0,
  shoe: 0,
  screen: 0,
  settlement: 0,
  stopped: 0,
};

/** A round on the table. */
interface OpenRound {
  readonly openedMs: number;
  readonly waits: Part;
  readonly ms: Seconds;
}

/** What stops a round, whether or not one lies on the table. */
export interface RoundClock {
  /** The newest entry; time never runs back. */
  readonly atMs: number;
  readonly isOff: boolean;
  readonly inService: boolean;
  readonly hold: Part | null;
  readonly moneyWaits: boolean;
  readonly round: OpenRound | null;
}

export const NEW_CLOCK: RoundClock = {
  atMs: 0,
  isOff: false,
  inService: false,
  hold: null,
  moneyWaits: false,
  round: null,
};

export interface ClosedRound {
  readonly closedMs: number;
  readonly lengthMs: number;
  readonly ms: Seconds;
}

/** Who is waited for once an entry of this kind stands; any other kind changes nothing. */
const WAITS: Readonly<Record<string, Part>> = {
  'betting-closed': 'dealer',
  'deal-began': 'dealer',
  'card-dealt': 'dealer',
  'bank-card-dealt': 'dealer',
  'player-side-card-dealt': 'dealer',
  'initial-deal-ended': 'dealer',
  'offers-opened': 'players',
  'offers-closed': 'dealer',
  'hit-called': 'dealer',
  'hand-doubled': 'dealer',
  'hand-split': 'dealer',
  'war-declared': 'dealer',
  'bank-turn-began': 'dealer',
  'round-settled': 'screen',
  'round-voided': 'screen',
  'results-shown': 'settlement',
};

/** A fault of the shoe in a round holds the table at once. */
const HOLDS: Readonly<Record<string, Part>> = {
  'doubtful-card': 'shoe',
  'card-gap': 'shoe',
  'shoe-fault': 'shoe',
  // A card that nobody was to have, or that went to the wrong place.
  'unexpected-card': 'dealer',
  misdeal: 'dealer',
  books: 'settlement',
  unread: 'settlement',
};

/** Their bodies are looked at; of all others the kind and the time say everything. */
export const CLOCK_BODIES: readonly string[] = ['turn-moved', 'table-held'];

function waitedFor(clock: RoundClock): Part {
  const { isOff, inService, hold, moneyWaits, round } = clock;
  if (isOff || inService) return 'stopped';
  if (hold !== null) return hold;
  return moneyWaits ? 'settlement' : (round?.waits ?? 'dealer');
}

const Held = z.object({ hold: z.object({ code: z.string() }) });
const Turn = z.object({ deadline: z.null() });

/** The clock after one entry, and the round that it has closed. */
export function tick(
  before: RoundClock,
  entry: { readonly kind: string; readonly atMs: number; readonly body: unknown },
): { readonly clock: RoundClock; readonly closed: ClosedRound | null } {
  const { kind, body } = entry;
  const atMs = Math.max(before.atMs, entry.atMs);
  let clock: RoundClock = { ...before, atMs };
  if (before.round !== null) {
    const part = waitedFor(before);
    const ms = { ...before.round.ms, [part]: before.round.ms[part] + atMs - before.atMs };
    clock = { ...clock, round: { ...before.round, ms } };
  }
  switch (kind) {
    case 'betting-opened':
      return {
        clock: { ...clock, round: { openedMs: atMs, waits: 'players', ms: NO_SECONDS } },
        closed: null,
      };
    case 'betting-cancelled':
    case 'demo-round-opened':
      return { clock: { ...clock, round: null }, closed: null };
    case 'round-closed': {
      const { round } = clock;
      const closed =
        round === null ? null : { closedMs: atMs, lengthMs: atMs - round.openedMs, ms: round.ms };
      return { clock: { ...clock, round: null }, closed };
    }
    case 'program-stopped':
      return { clock: { ...clock, isOff: true }, closed: null };
    case 'terminal-started':
    case 'program-started':
      // Nobody has said how the life before ended: what lies between belongs to no one.
      return { clock: started(before, clock), closed: null };
    case 'service-entered':
    case 'service-left':
      return { clock: { ...clock, inService: kind === 'service-entered' }, closed: null };
    case 'table-held':
      return { clock: { ...clock, hold: held(body) }, closed: null };
    case 'hold-released':
      return { clock: { ...clock, hold: null }, closed: null };
    case 'money-held':
    case 'money-read-again':
      return { clock: { ...clock, moneyWaits: kind === 'money-held' }, closed: null };
  }
  if (clock.round === null) return { clock, closed: null };
  const waits = kind === 'turn-moved' ? turn(body) : Object.hasOwn(WAITS, kind) ? WAITS[kind] : undefined;
  if (waits !== undefined) clock = { ...clock, round: { ...clock.round, waits } };
  // What is settled or cancelled waits for no reading any more.
  if (waits === 'screen') clock = { ...clock, moneyWaits: false };
  return { clock, closed: null };
}

/** A turn with no time of its own waits for a card first. */
const turn = (body: unknown): Part => (Turn.safeParse(body).success ? 'dealer' : 'players');

function held(body: unknown): Part {
  const { data } = Held.safeParse(body);
  return data !== undefined && Object.hasOwn(HOLDS, data.hold.code) ? HOLDS[data.hold.code]! : 'stopped';
}

/** The time since the newest entry of the life before counts as `stopped`. */
function started(before: RoundClock, clock: RoundClock): RoundClock {
  if (before.round === null) return { ...clock, isOff: false };
  const { ms } = before.round;
  const stopped = ms.stopped + clock.atMs - before.atMs;
  return { ...clock, isOff: false, round: { ...before.round, ms: { ...ms, stopped } } };
}
