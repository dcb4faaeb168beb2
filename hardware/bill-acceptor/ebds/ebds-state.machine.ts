/** The port's word for six status bytes. */
import type { AcceptorState } from '../../ports.ts';
import type { Status } from './ebds.codec.ts';

/**
 * `unrested`: the unit has not idled since its start, or since its line was opened. `shut`: the host lets it take nothing.
 * What is wrong comes before where the note is: a jam while stacking is a jam.
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
