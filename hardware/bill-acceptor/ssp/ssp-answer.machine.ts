/** What the unit's answers to all but a poll change in what the host's side knows. */
import type { AcceptorEvent } from '../../ports.ts';
import type { Draft as DraftOf, Out as OutOf } from '../../transport/protocol.ts';
import { tell } from '../acceptor.machine.ts';
import { COMMAND, decodeSetup, REJECT_REASON, REJECTED_BY_HOST, REPLY } from './ssp.codec.ts';
import type { SspState } from './ssp-state.machine.ts';

type Draft = DraftOf<SspState>;
type Out = OutOf<AcceptorEvent>;

/** A unit that takes SYNC and HOLD, and lets POLL WITH ACK fall so often, does not know it. */
const ACK_SILENCES = 3;

/** The unit has restarted, or another one may stand there: whatever it was told is gone. */
export function forgetSettings(s: Draft): void {
  s.identified = false;
  s.versionAt = 0;
  s.former = s.setup ?? s.former;
  s.setup = null;
  s.texts = {};
  s.inhibits = null;
  s.gate = null;
  s.withAck = s.ackSilences < ACK_SILENCES ? null : false;
  s.asksReject = false;
  s.shutSinceMs = null;
  s.fullUntilMs = Number.NEGATIVE_INFINITY;
}

/** What an answer other than the events of a poll changes. */
export function hearAnswer(
  s: Draft,
  out: Out,
  command: number,
  said: readonly number[],
  code: number,
  data: Uint8Array,
): void {
  const isOk = code === REPLY.ok;
  switch (command) {
    case COMMAND.sync:
      s.synced = isOk;
      return;
    case COMMAND.reset:
      s.synced = false;
      return forgetSettings(s);
    case COMMAND.hold:
      if (s.start === 'unknown') s.start = isOk ? 'note' : 'free';
      else if (s.held?.inEscrow && !isOk)
        // A unit that cannot hold would stack it with the next poll.
        s.held = code === REPLY.unknown ? { ...s.held, asked: 'return' } : { ...s.held, inEscrow: false };
      return;
    case COMMAND.reject:
      if (s.start === 'note') s.start = 'unknown';
      else if (s.held?.inEscrow)
        s.held = { ...s.held, inEscrow: false, outcome: isOk ? 'returning' : s.held.outcome };
      return;
    case COMMAND.protocolVersion:
      s.versionAt = isOk ? -1 : s.versionAt + 1;
      return;
    case COMMAND.setup: {
      const setup = isOk ? decodeSetup(data) : null;
      if (setup?.ok) s.setup = setup.value;
      return;
    }
    case COMMAND.serial: {
      const serial = data.reduce((sum, byte) => sum * 256 + byte, 0);
      s.texts = { ...s.texts, [command]: isOk && data.length === 4 ? String(serial) : '' };
      return;
    }
    case COMMAND.firmware: {
      const text = String.fromCharCode(...data.filter((byte) => byte >= 0x20 && byte < 0x7f));
      s.texts = { ...s.texts, [command]: isOk ? text.trim() : '' };
      return;
    }
    case COMMAND.inhibits:
      if (isOk) s.inhibits = said.join();
      return;
    case COMMAND.enable:
    case COMMAND.disable:
      if (isOk) s.gate = command === COMMAND.enable ? 'open' : 'shut';
      return;
    case COMMAND.eventAck:
      s.ackDue = false;
      // F5: it waits for none. Any other refusal: it would repeat its events for ever.
      if (!isOk && code !== REPLY.cannot) pollPlainly(s);
      return;
    case COMMAND.pollWithAck:
      return pollPlainly(s);
    case COMMAND.lastReject: {
      s.asksReject = false;
      const reason = data[0];
      if (!isOk || reason === undefined || reason === REJECTED_BY_HOST) return;
      return tell(out, {
        type: 'rejected',
        reason: REJECT_REASON[reason] ?? `reason ${reason.toString(16)}`,
      });
    }
    default:
      return;
  }
}

function pollPlainly(s: Draft): void {
  // It may have told of a note: that is asked for before the first POLL.
  if (s.withAck) s.start = 'unknown';
  s.withAck = false;
}
