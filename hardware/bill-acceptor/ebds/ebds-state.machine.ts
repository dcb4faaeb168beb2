/** What the host's side of EBDS knows, and the port's word for it. */
import type { AcceptorState } from '../../ports.ts';
import { type AcceptorLine, NEW_ACCEPTOR_LINE } from '../acceptor.machine.ts';
import type { Status, Toggle } from './ebds.codec.ts';
import type { Held } from './ebds-note.machine.ts';
import { freshUnit, type Question, type UnitProfile, type UnitState } from './ebds-unit.machine.ts';

export type Asked = Question | { readonly type: 'poll' };

export interface EbdsProfile extends UnitProfile {
  /** How long a reply may take: at first, where the line is quick, and more with each try. */
  readonly replyWithinMs: number;
  readonly replyStepMs: number;
  /**
   * Tries after which the link counts as lost; the link is lost after `lostAfterMs` of silence at
   * the latest.
   */
  readonly tries: number;
  readonly lostAfterMs: number;
}

export interface EbdsState extends AcceptorLine {
  readonly profile: EbdsProfile;
  /** Of the message under way, or of the next. */
  readonly toggle: Toggle;
  readonly toggleKnown: boolean;
  readonly awaiting: {
    readonly asked: Asked;
    /** The first time, and the last one. */
    readonly askedAtMs: number;
    readonly sentAtMs: number;
    readonly tries: number;
  } | null;
  /** How long a reply may take on this line, by the last one. */
  readonly patienceMs: number;
  /** The last question was left unanswered: the unit may have taken its toggle all the same. */
  readonly unanswered: boolean;
  /**
   * Valid replies since the transport was opened. The first may be a repeat of long ago and is not
   * believed.
   */
  readonly good: number;
  readonly heardAtMs: number;
  readonly speakAtMs: number;
  readonly status: Status | null;
  /** Since when the unit has been jammed, stalled or failed; null = it is not. */
  readonly illSinceMs: number | null;
  readonly resetAtMs: number | null;
  /** The unit has not idled since its start, or since the line was opened. */
  readonly unrested: boolean;
  readonly unit: UnitState;
  readonly identified: boolean;
  readonly held: Held | null;
}

/** `toggle`: the last one that an earlier life of the host has sent, where that is known. */
export function initialEbds(profile: EbdsProfile, toggle: Toggle | null): EbdsState {
  return {
    ...NEW_ACCEPTOR_LINE,
    profile,
    toggle: toggle ?? 0,
    toggleKnown: toggle !== null,
    awaiting: null,
    patienceMs: profile.replyWithinMs,
    unanswered: false,
    good: 0,
    heardAtMs: 0,
    speakAtMs: 0,
    status: null,
    illSinceMs: null,
    resetAtMs: null,
    unrested: true,
    unit: freshUnit(profile),
    identified: false,
  };
}

/**
 * `unrested`: the unit has not idled since its start, or since its line was opened. `shut`: the
 * host lets it take nothing. What is wrong comes before where the note is: a jam while stacking is
 * a jam.
 */
export function stateOf(
  status: Status,
  unrested: boolean,
  shut: boolean,
): readonly [AcceptorState, detail: string | null] {
  if (status.poweringUp) return ['initializing', null];
  if (status.cheated) return ['cheated', null];
  if (status.jammed) return ['jammed', null];
  if (status.stalled) return ['failed', 'stalled'];
  if (status.failure) return ['failed', null];
  if (status.flashDownload) return ['failed', 'flash-download'];
  if (!status.cassette) return ['cassette-removed', null];
  if (status.transportOpen) return ['failed', 'transport-open'];
  if (status.calibration) return ['paused', 'calibration'];
  if (status.escrowed) return ['escrow', null];
  if (status.stacking) return ['stacking', null];
  if (status.returning) return ['returning', null];
  if (status.accepting) return ['accepting', null];
  if (status.full) return ['full', null];
  if (status.paused) return ['paused', null];
  if (status.rejected) return ['rejecting', null];
  if (status.idling) return [shut || status.disabled ? 'disabled' : 'idle', null];
  // None of the seven places: out of service. After a start that is a note held at escrow.
  if (unrested) return ['power-up-bill-in-acceptor', null];
  return shut ? ['disabled', null] : ['failed', 'out-of-service'];
}
