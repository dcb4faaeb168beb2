import { openWire } from './wire.ts';

/**
 * The page's line to the host. Imported before everything else: the answer comes while the rest of
 * the page's code is run.
 */
export const wire = openWire();
