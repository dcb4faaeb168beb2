import type { CentreOrders } from './inputs.ts';
import type { KeptOrders, TableState } from './state.ts';

const NONE: KeptOrders = { lock: null, acceptorsOff: [], notes: [] };

/** As the state has them: a member that was never set is absent, as in every early ledger. */
export const keptOrders = ({ centre }: TableState): KeptOrders => centre ?? NONE;

export const centreOrders = (state: TableState): CentreOrders => ({
  maintenance: null,
  ...keptOrders(state),
});

/** Why no further round is opened by order of the centre; null = one may be. */
export function whyNoRound(state: TableState): string | null {
  const { lock, maintenance } = keptOrders(state);
  return lock ?? maintenance?.reason ?? null;
}
