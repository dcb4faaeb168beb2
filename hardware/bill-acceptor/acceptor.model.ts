import { z } from 'zod';
import { type AcceptorModel, type Given, rowOf, type SimulatedAcceptor } from '../model.ts';
import type { AcceptorEvent, BillAcceptor } from '../ports.ts';
import type { AcceptorCommand, AcceptorLine } from './acceptor.machine.ts';

const commands = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('allow'), notesMinor: z.array(z.int().positive()) }),
  z.strictObject({
    type: z.literal('confirm'),
    notes: z.record(
      z.string(),
      z.strictObject({ currency: z.string().regex(/^[A-Z]{3}$/), valueMinor: z.int().positive() }),
    ),
  }),
  z.strictObject({ type: z.enum(['try-notes', 'stack', 'return', 'hold', 'acknowledge-credit']) }),
]);

export const currency = z.string().regex(/^[A-Z]{3}$/, 'ISO 4217');
export const currencies = z.array(currency).min(1);

/** The row of a bill protocol. */
export const acceptorModel = <Options extends object, State extends AcceptorLine>(
  given: Omit<
    Given<Options, State, AcceptorEvent, AcceptorCommand, BillAcceptor, SimulatedAcceptor>,
    'commands' | 'secrets'
  > & { readonly secrets?: readonly string[] },
): AcceptorModel => rowOf('bill-acceptor', { secrets: [], ...given, commands });
