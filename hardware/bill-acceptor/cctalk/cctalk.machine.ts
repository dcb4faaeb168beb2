/**
 * The host's side of ccTalk as a pure step: what arrived and what time it is in; frames, events and
 * the next wake-up out.
 *
 * The unit's events are the only truth, and reading them takes nothing away. A route is never sent
 * but right after a reading that brought no news, so no note is stacked that the host has not seen.
 * A credit is reported again until the host has committed it; only then is it counted as seen.
 */
import type { AcceptorEvent, AcceptorState } from '../../ports.ts';
import { EMPTY_PARSER } from '../../transport/bytes.ts';
import { hidesRestartMs, PATIENCE_MS, patienceAfter, replyDueMs } from '../../transport/patience.ts';
import { type Draft as DraftOf, type Out as OutOf, setLink } from '../../transport/protocol.ts';
import { announceEscrow, ownWorth, report, stepOfAcceptor, tell } from '../acceptor.machine.ts';
import {
  BUSY,
  decodeBillId,
  decodeEvents,
  decodeScaling,
  ESCROW_EMPTY,
  encode,
  type Frame,
  faultOfCheck,
  HEADER,
  HOST,
  inhibitMask,
  NAK,
  NOT_ROUTED,
  parse,
  REPLY,
  ROUTE,
  STACKER_AND_ESCROW,
} from './cctalk.codec.ts';
import { acknowledge, doubt, endNote, followEvents } from './cctalk-note.machine.ts';
import {
  allowedBills,
  type CctalkState,
  factOf,
  gaveUp,
  givenUp,
  isBillValidator,
  keyOf,
  type Question,
  readingDue,
  rowOf,
  tableOf,
} from './cctalk-state.machine.ts';

const POLL_MS = 100;
/** While the unit is asked who it is, its events are read so often. */
const POLL_AMONG_MS = 500;
const LINK_LOST_MS = 3000;
/**
 * On a line that has just been opened: to open it again takes some USB devices seconds, in which
 * nobody answers.
 */
const FIRST_ANSWER_MS = 10_000;
/** The line is silent so long before the next question: a repeated answer is none. */
const GAP_MS = 30;
const PAUSE_MS = 120;
const ASK_AGAIN_MS = 1000;
const HOLD_AGAIN_MS = 3000;
/** A note that was sent on its way is asked after when so long nothing has been said of it. */
const MOVES_WITHIN_MS = 5000;
/** So long an empty escrow may still be followed by the event that says why. */
const EVENT_WITHIN_MS = 10_000;
const CHECK_MS = 5000;
const CHECK_FAULT_MS = 1000;
const FAULT_LEAST_MS = 2000;
const LOST_FOR_MS = 10_000;

const POLL: Question = [HEADER.readBillEvents, []];
const ROUTES: readonly number[] = [HEADER.routeBill];
const SETTINGS: readonly number[] = [
  HEADER.modifyOperatingMode,
  HEADER.modifyInhibits,
  HEADER.modifyMasterInhibit,
];

type Draft = DraftOf<CctalkState>;
type Out = OutOf<AcceptorEvent>;

type StepCctalk = ReturnType<typeof stepOfAcceptor<CctalkState, Frame>>;

/** `parse` alone needs to know how the frames of a line are written. */
export const stepCctalk: StepCctalk = (state, input, nowMs) => {
  const step = STEPS.get(state.wire) ?? stepOn(state.wire);
  STEPS.set(state.wire, step);
  return step(state, input, nowMs);
};
const STEPS = new WeakMap<CctalkState['wire'], StepCctalk>();

const isForHost = (wire: CctalkState['wire'], { to, from }: Frame): boolean =>
  to === HOST && (from === null || from === wire.address);

const stepOn = (wire: CctalkState['wire']): StepCctalk =>
  stepOfAcceptor<CctalkState, Frame>({
    parse: (state, chunk) => {
      const parsed = parse(wire, state, chunk);
      // Our own words come back on the one line, and other units' words pass by.
      return { ...parsed, frames: parsed.frames.filter(({ frame }) => isForHost(wire, frame)) };
    },
    opened: (s, _out, nowMs) => {
      s.heardAtMs = nowMs;
      s.quietUntilMs = nowMs + GAP_MS;
      s.patienceMs = PATIENCE_MS;
      forgetUnit(s);
    },
    hear,
    speak: converse,
    forget: forgetUnit,
    acknowledged: acknowledge,
  });

// Another unit may hang on the line when it comes back.
function forgetUnit(s: Draft): void {
  s.awaiting = null;
  s.buffer = null;
  s.fresh = false;
  s.facts = {};
  s.tries = {};
  s.silences = {};
  s.table = null;
  s.applied = {};
  s.fault = null;
  s.checkedAtMs = Number.NEGATIVE_INFINITY;
  s.hasTicket = false;
  s.isWatched = false;
  doubt(s);
}

// ---- what arrives ----

function hear(s: Draft, out: Out, frame: Frame, nowMs: number): void {
  const asked = s.awaiting;
  if (asked === null || !answers(asked.question, frame)) {
    // A unit that answers late is not one that does not know the question.
    s.silences = {};
    return;
  }
  const key = keyOf(asked.question);
  const [header] = asked.question;
  s.awaiting = null;
  s.quietUntilMs = nowMs + GAP_MS;
  // A silence this long can hide a restart, and with it the loss of every setting.
  const isUnbroken = nowMs - s.heardAtMs < hidesRestartMs(s.patienceMs);
  if (!isUnbroken) {
    s.applied = {};
    s.isWatched = false;
    doubt(s);
  }
  s.patienceMs = patienceAfter(nowMs - asked.sentAtMs);
  s.heardAtMs = nowMs;
  s.failures = 0;
  s.silences = { ...s.silences, [key]: 0 };
  setLink(s, out, 'up');
  s.fresh = false;
  if (frame.header === BUSY) {
    s.quietUntilMs = nowMs + PAUSE_MS;
    return;
  }
  if (frame.header === NAK) s.tries = { ...s.tries, [key]: (s.tries[key] ?? 0) + 1 };
  else if (header === HEADER.readBillEvents) hearEvents(s, out, frame.data, isUnbroken, nowMs);
  else if (ROUTES.includes(header)) hearRoute(s, asked.question[1][0]!, frame.data[0], nowMs);
  else if (SETTINGS.includes(header)) s.applied = { ...s.applied, [header]: asked.question[1].join() };
  else if (header === HEADER.selfCheck) hearCheck(s, frame.data[0]!, nowMs);
  else if (header === HEADER.requestMasterInhibit) {
    if (String(frame.data[0]! & 1) !== s.applied[HEADER.modifyMasterInhibit]) s.applied = {};
  } else hearFact(s, asked.question, key, frame.data);
  announce(s, out);
}

/** Whether a frame has the form of an answer to this question; no answer says what was asked. */
function answers([header]: Question, { header: kind, data }: Frame): boolean {
  if (kind === NAK || kind === BUSY) return data.length === 0;
  if (kind !== REPLY) return false;
  if (ROUTES.includes(header))
    return data.length === 0 || (data.length === 1 && (data[0] === ESCROW_EMPTY || data[0] === NOT_ROUTED));
  if (SETTINGS.includes(header)) return data.length === 0;
  if (header === HEADER.readBillEvents) return decodeEvents(data).ok;
  if (header === HEADER.requestMasterInhibit) return data.length === 1;
  if (header === HEADER.selfCheck) return data.length === 1 || data.length === 2;
  // A buffer of events that has come late is none of these.
  if (header === HEADER.billId) return data.length <= 8 && decodeBillId(data).ok;
  if (header === HEADER.countryScaling) return decodeScaling(data).ok;
  if (header === HEADER.serialNumber) return data.length >= 3 && data.length <= 8;
  // What else is asked is text.
  return data.some(isLetter) && data.every((byte) => byte === 0 || isLetter(byte));
}

const isLetter = (byte: number): boolean => byte >= 0x20 && byte < 0x7f;

function hearFact(s: Draft, [header]: Question, key: string, data: Uint8Array): void {
  let text: string;
  if (header === HEADER.billId) {
    const id = decodeBillId(data);
    text = (id.ok ? id.value : null) ?? '';
  } else if (header === HEADER.serialNumber) text = serialOf(data);
  else if (header === HEADER.countryScaling) text = data.join(' ');
  else text = String.fromCharCode(...data.filter(isLetter)).trim();
  const known = s.facts[key];
  s.facts = { ...s.facts, [key]: { text, times: known?.text === text ? known.times + 1 : 1 } };
}

/** Three bytes, the low one first. */
const serialOf = (data: Uint8Array): string =>
  String(data.reduceRight((serial, byte) => serial * 256n + BigInt(byte), 0n));

function hearEvents(s: Draft, out: Out, data: Uint8Array, isUnbroken: boolean, nowMs: number): void {
  const said = data.join();
  const isConfirmed = s.buffer === said;
  s.buffer = said;
  // No news is made of an answer that has not come twice: a checksum of eight bits is weak.
  if (!isConfirmed) s.polledAtMs = Number.NEGATIVE_INFINITY;
  const decoded = decodeEvents(data);
  if (!isConfirmed || s.table === null || !decoded.ok) return;
  followEvents(s, out, decoded.value, isUnbroken, nowMs);
  s.fresh = true;
  settleNote(s, out, nowMs);
  const now = stateOf(s, nowMs);
  report(s, out, now.state, now.detail);
}

function hearRoute(s: Draft, route: number, answer: number | undefined, nowMs: number): void {
  if (s.hasTicket && route === ROUTE.return) s.hasTicket = answer === NOT_ROUTED;
  const { held } = s;
  if (held === null) return;
  if (answer === undefined)
    s.held = {
      ...held,
      isSure: true,
      isPast: false,
      emptySinceMs: null,
    };
  // While something is wrong with it an empty escrow says nothing of a note that may stick.
  else if (answer === ESCROW_EMPTY && s.fault === null)
    s.held = { ...held, emptySinceMs: held.emptySinceMs ?? nowMs };
}

function hearCheck(s: Draft, code: number, nowMs: number): void {
  const fault = faultOfCheck(code);
  if (fault !== null) {
    const isKnown = s.fault?.state === fault.state && s.fault.detail === fault.detail;
    if (!isKnown) s.fault = { ...fault, sinceMs: nowMs };
  } else if (s.fault !== null && nowMs - s.fault.sinceMs >= FAULT_LEAST_MS) s.fault = null;
}

/** A note of which nothing comes any more. */
function settleNote(s: Draft, out: Out, nowMs: number): void {
  const { held } = s;
  if (held?.outcome !== 'pending') return;
  if (held.emptySinceMs !== null && nowMs - held.emptySinceMs >= EVENT_WITHIN_MS) endNote(s, out);
}

function stateOf(
  s: CctalkState,
  nowMs: number,
): { readonly state: AcceptorState; readonly detail: string | null } {
  const { held, fault } = s;
  const only = (state: AcceptorState) => ({ state, detail: null });
  if (held?.outcome === 'credited') return only('credited');
  if (nowMs - s.lostAtMs < LOST_FOR_MS) return { state: 'failed', detail: 'events-lost' };
  if (!isBillValidator(s)) return { state: 'failed', detail: 'no-bill-validator' };
  if (gaveUp(s, keyOf([HEADER.modifyOperatingMode, [STACKER_AND_ESCROW]])))
    return { state: 'failed', detail: 'no-escrow' };
  if (fault !== null) return { state: fault.state, detail: fault.detail };
  if (held?.isPast) return only('initializing');
  if (held !== null)
    return only(held.stackSent ? 'stacking' : held.asked === 'return' ? 'returning' : 'escrow');
  return only(s.applied[HEADER.modifyMasterInhibit] === '1' ? 'idle' : 'disabled');
}

// ---- what to do next ----

/** Whether the unit still answers. */
function converse(s: Draft, out: Out, nowMs: number): boolean {
  if (s.awaiting !== null && nowMs >= replyDueMs(s, s.awaiting.sentAtMs, s.patienceMs))
    giveUp(s, out, s.awaiting, nowMs);
  const lostMs = s.link === 'up' ? LINK_LOST_MS : FIRST_ANSWER_MS;
  if (s.awaiting === null && nowMs - s.heardAtMs >= lostMs) return false;
  if (s.awaiting === null) {
    const quietAtMs = quietMs(s);
    if (nowMs < quietAtMs) s.wakeAtMs = quietAtMs;
    else {
      s.parser = EMPTY_PARSER;
      speak(s, out, nowMs);
    }
  }
  if (s.awaiting !== null) s.wakeAtMs = replyDueMs(s, s.awaiting.sentAtMs, s.patienceMs);
  return true;
}

/** From when on the line counts as silent. */
const quietMs = (s: Draft): number =>
  Math.max(s.quietUntilMs, s.bytesAtMs + (s.parser.kept.length > 0 ? PATIENCE_MS : GAP_MS));

function giveUp(
  s: Draft,
  out: Out,
  { question, sentAtMs }: NonNullable<CctalkState['awaiting']>,
  nowMs: number,
): void {
  const key = keyOf(question);
  // The start of an answer is one: only a unit that says nothing may not know the question. Our own
  // bytes came back before.
  if (s.parser.kept.length === 0) s.silences = { ...givenUp(s.silences), [key]: (s.silences[key] ?? 0) + 1 };
  // A restart between two settings can hide in one silence: a gate that opened without escrow would
  // swallow notes. Before it is open all of them are sent again.
  if (s.applied[HEADER.modifyMasterInhibit] !== '1') s.applied = {};
  s.parser = EMPTY_PARSER;
  s.awaiting = null;
  s.fresh = false;
  s.quietUntilMs = nowMs + s.patienceMs / 2;
  s.patienceMs = patienceAfter(nowMs - sentAtMs);
  announce(s, out);
}

function announce(s: Draft, out: Out): void {
  if (s.table === null) {
    if (factOf(s, HEADER.equipmentCategory) === null || readingDue(s) !== null) return;
    s.table = tableOf(s);
    identify(s, out);
  }
  const { held } = s;
  if (held === null || !held.isSure || held.outcome !== 'pending') return;
  if (held.announced && !held.lost) return;
  const asked = held.lost ? ({ asked: 'nothing' } as const) : {};
  s.held = announceEscrow(s, out, { ...held, ...asked, lost: false }, rowOf(s, held.bill));
}

function identify(s: Draft, out: Out): void {
  const serial = factOf(s, HEADER.serialNumber);
  if (s.counter !== null && s.counterOf !== serial) {
    // Another unit: its events are none that were waited for.
    s.counter = null;
    s.creditCounter = null;
    endNote(s, out);
  }
  s.counterOf = serial;
  const words = (...headers: number[]): string =>
    headers.flatMap((header) => factOf(s, header) ?? []).join(' ');
  const firmware = [words(HEADER.softwareRevision), words(HEADER.currencyRevision)]
    .filter((text) => text !== '')
    .join(', ');
  const table = (s.table ?? []).map(({ note }) => note);
  tell(out, {
    type: 'identity',
    identity: {
      model: ['ccTalk', words(HEADER.manufacturer, HEADER.productCode)].join(' ').trim(),
      serial: serial ?? '',
      firmware,
    },
    notes: table.flatMap((row) => ownWorth(row) ?? []),
    table,
  });
}

function speak(s: Draft, out: Out, nowMs: number): void {
  const question = choose(s, nowMs);
  if (question === null) return;
  const [header, data] = question;
  if (header === HEADER.readBillEvents) s.polledAtMs = nowMs;
  if (header === HEADER.selfCheck || header === HEADER.requestMasterInhibit) s.checkedAtMs = nowMs;
  if (header === HEADER.routeBill && s.held !== null) {
    const route = data[0]!;
    const stackSent = s.held.stackSent || route === ROUTE.stack;
    s.held = { ...s.held, route, routedAtMs: nowMs, stackSent };
  }
  s.fresh = false;
  out.push({ type: 'write', bytes: encode(s.wire, s.wire.address, header, data) });
  s.awaiting = { question, sentAtMs: nowMs };
}

/** The one thing worth saying now; null = nothing before `wakeAtMs`. */
function choose(s: Draft, nowMs: number): Question | null {
  const sincePollMs = nowMs - s.polledAtMs;
  if (s.table === null) return sincePollMs >= POLL_AMONG_MS ? POLL : (readingDue(s) ?? POLL);
  // Nothing is said of a note but right after its events were read, and brought nothing new.
  if (s.fresh) {
    const said = s.hasTicket ? ROUTE.return : routeDue(s, nowMs);
    if (said !== null) return [HEADER.routeBill, [said]];
    const setting = settingDue(s);
    if (setting !== null) return setting;
    if (nowMs - s.checkedAtMs >= (s.fault === null ? CHECK_MS : CHECK_FAULT_MS)) return checkDue(s);
  }
  if (sincePollMs >= POLL_MS) return POLL;
  s.wakeAtMs = s.polledAtMs + POLL_MS;
  return null;
}

function routeDue(s: Draft, nowMs: number): number | null {
  const { held } = s;
  if (held?.outcome !== 'pending' || (held.isSure && held.asked === 'nothing')) return null;
  const isAfter = !held.isSure || held.asked === 'hold';
  const route = isAfter ? ROUTE.extend : held.asked === 'stack' ? ROUTE.stack : ROUTE.return;
  const againMs =
    !held.isSure || held.emptySinceMs !== null
      ? ASK_AGAIN_MS
      : held.asked === 'hold'
        ? HOLD_AGAIN_MS
        : MOVES_WITHIN_MS;
  return held.route !== route || nowMs - held.routedAtMs >= againMs ? route : null;
}

function settingDue(s: Draft): Question | null {
  // A gate that shuts behind a note in escrow would send it back at some units.
  if (s.held !== null) return null;
  const bills = allowedBills(s);
  const isOpen = bills.length > 0 && isBillValidator(s) && s.fault === null;
  const mode: Question = [HEADER.modifyOperatingMode, [STACKER_AND_ESCROW]];
  const canHold = !gaveUp(s, keyOf(mode));
  const master: Question = [HEADER.modifyMasterInhibit, [isOpen && canHold ? 1 : 0]];
  const mask: Question = [HEADER.modifyInhibits, inhibitMask(bills)];
  // To close, the gate comes first; it opens once everything else is there.
  const order = master[1][0] === 0 ? [master, ...(canHold ? [mode] : []), mask] : [mode, mask, master];
  return order.find(([header, data]) => s.applied[header] !== data.join()) ?? null;
}

/** A unit that was opened is asked now and then whether it still is. */
function checkDue(s: Draft): Question {
  s.isGateNext = s.fault === null && !s.isGateNext;
  return s.isGateNext ? [HEADER.requestMasterInhibit, []] : [HEADER.selfCheck, []];
}
