import type { CentreOrders } from './inputs.ts';
import type { TableState } from './state.ts';

const NONE: CentreOrders = { lock: null, acceptorsOff: [], notes: [] };

export const centreOrders = ({ centre }: TableState): CentreOrders => centre ?? NONE;
