/** For tests of devices that are no shoe. */
import type { CardShoe } from '../../hardware/ports.ts';

/** A shoe that is there and says nothing. */
export const SILENT_SHOE: CardShoe = {
  id: 'shoe',
  model: 'none',
  capabilities: { ack: true, replay: true, auth: false, targets: false, loading: true },
  simulated: false,
  start: () => {},
  stop: async () => {},
  acknowledge: () => {},
  lock: () => {},
  rereads: false,
  readAgain: () => {},
  frames: () => [],
  forget: () => {},
};
