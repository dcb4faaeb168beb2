/** What a simulated unit answers to everything but a poll. */

import { SIMULATED } from '../../simulators.ts';
import { toAscii } from '../../transport/bytes.ts';
import type { Status } from './ebds.codec.ts';
import {
  AUXILIARY,
  EXTENDED,
  type HostMessage,
  type NoteSpec,
  TELEMETRY,
  type UnitMessage,
} from './ebds-messages.codec.ts';

/**
 * Answers to the auxiliary commands, as text of the length a unit has for them. The mark is the
 * application's part number.
 */
const TEXTS: Readonly<Record<number, readonly [text: string, length: number]>> = {
  [AUXILIARY.serial]: ['000000000000000001', 20],
  [AUXILIARY.bootPart]: ['286000100', 9],
  [AUXILIARY.applicationPart]: [SIMULATED, 9],
  [AUXILIARY.variantName]: ['MOP_HKD_EUR', 32],
  [AUXILIARY.variantPart]: ['490000100', 9],
};

export function answerOf(
  message: Exclude<HostMessage, { type: 'poll' | 'soft-reset' }>,
  status: Status,
  table: readonly NoteSpec[],
  endsAtIndex0 = false,
): UnitMessage {
  const refusal: UnitMessage = { type: 'status', status: { ...status, invalidCommand: true } };
  switch (message.type) {
    case 'query-note':
      return {
        type: 'note',
        status,
        index: endsAtIndex0 && message.index > table.length ? 0 : message.index,
        spec: table[message.index - 1] ?? null,
      };
    case 'query-value-table':
      if (table.length > 7) return refusal;
      return {
        type: 'value-table',
        status,
        rows: table.map(({ currency, base, exponent }, i) => ({ index: i + 1, currency, base, exponent })),
      };
    case 'set-inhibits':
      // Some units answer with a plain status, some with an extended one; this is of the second
      // kind.
      return { type: 'extended', status, subtype: EXTENDED.inhibits, data: new Uint8Array(0) };
    case 'set-escrow-timeout':
      return { type: 'extended', status, subtype: EXTENDED.escrowTimeout, data: new Uint8Array(0) };
    case 'note-retrieved':
      return { type: 'extended', status, subtype: EXTENDED.noteRetrieved, data: Uint8Array.of(1) };
    case 'telemetry':
      // The serial number is nine characters and the only text there is: it carries the mark.
      if (message.command === TELEMETRY.serial) return { type: 'auxiliary', data: toAscii(SIMULATED, 9) };
      return message.command === TELEMETRY.ping ? { type: 'auxiliary', data: new Uint8Array(0) } : refusal;
    case 'auxiliary': {
      const text = TEXTS[message.command];
      if (text !== undefined) return { type: 'auxiliary', data: toAscii(...text) };
      if (message.command === AUXILIARY.softwareCrc)
        return { type: 'auxiliary', data: Uint8Array.of(1, 2, 3, 4, 0, 0) };
      if (message.command === AUXILIARY.capabilities) return { type: 'auxiliary', data: new Uint8Array(6) };
      return refusal;
    }
  }
}
